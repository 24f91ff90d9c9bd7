# What has to be installed before a build; where something is missing, the error is the line that installs all of it.
function(say_what_to_install missing)
  set(purposes library)
  if(ELLZERO_PYTHON)
    list(APPEND purposes extension)
  endif()
  execute_process(COMMAND ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../tools/install_packages.sh --line ${purposes}
                  OUTPUT_VARIABLE line OUTPUT_STRIP_TRAILING_WHITESPACE)
  message(FATAL_ERROR "ellzero needs ${missing}, which was not found. On Debian or Ubuntu run:\n  ${line}\n")
endfunction()

function(need_compiler)
  find_program(ELLZERO_COMPILER NAMES $ENV{CXX} c++ g++ clang++)
  if(NOT ELLZERO_COMPILER AND NOT CMAKE_CXX_COMPILER)
    say_what_to_install("a C++ compiler")
  endif()
endfunction()

macro(need_package name)
  find_package(${name} QUIET ${ARGN})
  if(NOT ${name}_FOUND)
    say_what_to_install(${name})
  endif()
endmacro()
