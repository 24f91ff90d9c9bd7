# Warnings, arithmetic and sanitizers for the project's own targets; other people's headers are left alone.

# own_code(TARGET [SANITIZERS]): without the second argument all that ELLZERO_SANITIZE names.
function(own_code target)
  # Exact sums and proved bounds count roundings one by one: a processor with fused multiply-add must not leave any out,
  # and all targets share the inline functions that do so.
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow $<$<BOOL:${ELLZERO_WERROR}>:-Werror>
    $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>)
  if(ELLZERO_SANITIZE)
    set(kinds ${ELLZERO_SANITIZE} ${ARGN})
    list(GET kinds -1 looked_for)
    # What a sanitizer finds ends the program, so that the test fails.
    target_compile_options(${target} PRIVATE -fsanitize=${looked_for} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${ELLZERO_SANITIZE})
  endif()
endfunction()
