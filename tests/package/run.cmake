# Installs a build into a prefix of its own, builds the outside project of this folder against it, and runs that.
#
#   cmake -DBUILD_DIR=... -DSOURCE_DIR=... -DWORK_DIR=... -P run.cmake
#
# BUILD_DIR is the build to install, SOURCE_DIR this folder, WORK_DIR a scratch folder that is emptied first. Sanitizers
# need no special case: the installed target carries their link option to whoever links it.
cmake_minimum_required(VERSION 3.22)
foreach(name BUILD_DIR SOURCE_DIR WORK_DIR)
  if(NOT DEFINED ${name})
    message(FATAL_ERROR "${name} is not set; expected -D${name}=<folder>")
  endif()
endforeach()

load_cache(${BUILD_DIR} READ_WITH_PREFIX build_
  CMAKE_GENERATOR CMAKE_BUILD_TYPE CMAKE_CXX_COMPILER)
set(prefix ${WORK_DIR}/prefix)
set(outside ${WORK_DIR}/outside)
file(REMOVE_RECURSE ${WORK_DIR})

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${outside} -G ${build_CMAKE_GENERATOR}
  -DCMAKE_PREFIX_PATH=${prefix}
  -DCMAKE_BUILD_TYPE=${build_CMAKE_BUILD_TYPE}
  -DCMAKE_CXX_COMPILER=${build_CMAKE_CXX_COMPILER}
  -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run(${CMAKE_COMMAND} --build ${outside})
run(${outside}/outside)
