# How the project's own targets are compiled: warnings, arithmetic, sanitizers. Other people's headers are left alone.
option(ELLZERO_UNITY "Compile six files at once, in half the time; OFF for work on a few files" ON)

# own_code(TARGET [SANITIZERS]): without the second argument all that ELLZERO_SANITIZE names.
function(own_code target)
  # A macro that instantiates templates is each file's own.
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${ELLZERO_UNITY} UNITY_BUILD_BATCH_SIZE 6
    UNITY_BUILD_CODE_AFTER_INCLUDE "#undef INSTANTIATE")
  # Exact sums and proved bounds count roundings one by one: a processor with fused multiply-add must not leave any out,
  # and all targets share the inline functions that do so.
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow $<$<BOOL:${ELLZERO_WERROR}>:-Werror>
    $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>
    $<$<AND:$<BOOL:${ELLZERO_UNITY}>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>)  # meant for headers
  if(ELLZERO_SANITIZE)
    set(kinds ${ELLZERO_SANITIZE} ${ARGN})
    list(GET kinds -1 looked_for)
    # What a sanitizer finds ends the program, so that the test fails.
    target_compile_options(${target} PRIVATE -fsanitize=${looked_for} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${ELLZERO_SANITIZE})
  endif()
endfunction()
