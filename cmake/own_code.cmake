# Warnings and sanitizers for the project's own targets; other people's headers are left alone.
function(own_code target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -Werror
    $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>)
  if(ELLZERO_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${ELLZERO_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${ELLZERO_SANITIZE})
  endif()
endfunction()
