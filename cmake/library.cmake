# weir::weir, the library that other programs link to, and the files that `cmake --install` installs.
#
# The layers are static libraries; tests and the command link them one by one and see their private headers. weir::weir
# is one file made of their objects, static or shared by BUILD_SHARED_LIBS. Before 1.0 every minor version may change
# the interface, so the soname has both numbers.
set(layers base regex vocab canonical token_languages lexer grammar json_schema frontend lint input convert earley engine api replies)
if(WEIR_C_INTERFACE)
  list(APPEND layers c_api)
endif()
list(TRANSFORM layers REPLACE "(.+)" "$<TARGET_OBJECTS:weir_\\1>" OUTPUT_VARIABLE layer_objects)
if(WEIR_PCRE2_FROM_SOURCE)
  list(APPEND layer_objects $<TARGET_OBJECTS:weir_pcre2>)
else()
  set(pcre2 PkgConfig::PCRE2)
  set(needed_packages libpcre2-8)
endif()
add_library(weir_library ${layer_objects})
add_library(weir::weir ALIAS weir_library)
set_target_properties(weir_library PROPERTIES OUTPUT_NAME weir EXPORT_NAME weir LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
if(BUILD_SHARED_LIBS AND WEIR_EXPORT_C_ALONE)
  set(c_alone ON)
endif()
if(WIN32 AND c_alone)
  set(definition ${PROJECT_BINARY_DIR}/weir.def)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/exports.py
                          ${PROJECT_SOURCE_DIR}/include/weir_c.h --definition
                  OUTPUT_FILE ${definition} COMMAND_ERROR_IS_FATAL ANY)
  target_sources(weir_library PRIVATE ${definition})
  # weir.dll and weir.lib, which all linkers find by the name weir
  set_target_properties(weir_library PROPERTIES PREFIX "" IMPORT_PREFIX "" IMPORT_SUFFIX .lib)
endif()
target_include_directories(weir_library PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                               $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(weir_library PRIVATE ${pcre2} Threads::Threads)
if(NOT c_alone)
  target_compile_features(weir_library PUBLIC cxx_std_20)
  target_link_libraries(weir_library PUBLIC tl::expected)
  # A module made of the static library does not export its classes either.
  target_compile_definitions(weir_library INTERFACE $<$<BOOL:${WEIR_EXPORT_C_ALONE}>:WEIR_EXPORT_C_ALONE>)
endif()

if(NOT WEIR_INSTALL)
  return()
endif()
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weir)
# Two components: what programs need to run with a shared library, and what they need to be built.
install(TARGETS weir_library EXPORT weirTargets
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT library
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
if(c_alone)
  install(FILES include/weir/export.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weir COMPONENT library)
else()
  install(DIRECTORY include/weir DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
endif()
install(FILES include/weir_c.h integrations/llama_cpp/weir_llama.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
# A program takes the folder for that of llguidance's header, so it is not among the include directories.
install(DIRECTORY integrations/llama_cpp/llguidance DESTINATION ${package_dir} COMPONENT library)
install(EXPORT weirTargets NAMESPACE weir:: DESTINATION ${package_dir} COMPONENT library)
configure_package_config_file(cmake/weirConfig.cmake.in ${PROJECT_BINARY_DIR}/weirConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
# Like the soname: another minor version has another interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/weirConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/weirConfig.cmake ${PROJECT_BINARY_DIR}/weirConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT library)

# A static library is not linked to its dependencies; the program that uses it must be. A shared one is, and there is no
# static one beside it, so programs can be built where its dependencies' own files for building are not installed.
if(BUILD_SHARED_LIBS)
  unset(needed_packages)
else()
  set(link_also " -lstdc++ -pthread")
endif()
# A relative path, so that an installation can be moved as a whole.
file(RELATIVE_PATH to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/weir.pc.in ${PROJECT_BINARY_DIR}/weir.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/weir.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
