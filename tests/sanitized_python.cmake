# Tests of the extension under a sanitizer: which of them, and what an interpreter built without one needs for it.

# The others test Python code, or the same calls on more data.
set(files test_functions.py test_input.py test_running.py test_verify.py)

# The sanitizer has to be there before the interpreter's first call of malloc, and the C++ library with it, or a thrown
# exception is not seen.
string(REGEX MATCH "address|thread" kind ${ELLZERO_SANITIZE})
string(REGEX REPLACE "^(.).*" "lib\\1san.so" runtime ${kind})
foreach(library ${runtime} libstdc++.so)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${library} OUTPUT_VARIABLE path
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  list(APPEND preloaded ${path})
endforeach()
list(JOIN preloaded " " preloaded)

# Python keeps memory until it ends, which is no leak of ours; the threads of linear algebra in NumPy are not ours either.
set(sanitizer "LD_PRELOAD=${preloaded};ASAN_OPTIONS=detect_leaks=0;OPENBLAS_NUM_THREADS=1;OMP_NUM_THREADS=1;")
