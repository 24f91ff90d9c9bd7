# `cmake --install`: library, headers, and the package that find_package(ellzero) finds.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ellzero)

install(TARGETS ellzero EXPORT ellzeroTargets)
install(DIRECTORY include/ellzero ${CMAKE_BINARY_DIR}/include/ellzero DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT ellzeroTargets NAMESPACE ellzero:: DESTINATION ${package_dir})
configure_package_config_file(cmake/ellzeroConfig.cmake.in ${CMAKE_BINARY_DIR}/ellzeroConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/ellzeroConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/ellzeroConfig.cmake ${CMAKE_BINARY_DIR}/ellzeroConfigVersion.cmake
  DESTINATION ${package_dir})
