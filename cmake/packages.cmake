# Rules for packages, which `make dist` makes by CPack: a tar.gz with everything, and Debian packages for the command,
# the shared library, and what programs need to be built with it.
set(generated ${PROJECT_BINARY_DIR}/generated)
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
# The manual and the completions say what the command's --help says.
add_custom_command(
  OUTPUT ${generated}/man/weir.1
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/dist/describe_command.py $<TARGET_FILE:weir> ${generated}
  DEPENDS weir weir-bench ${PROJECT_SOURCE_DIR}/tools/dist/describe_command.py
  COMMENT "Writing the manual and completions" VERBATIM)
add_custom_target(weir_manual ALL DEPENDS ${generated}/man/weir.1)
install(TARGETS weir weir-bench RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
install(DIRECTORY ${generated}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command FILES_MATCHING PATTERN "*.1.gz")
install(DIRECTORY ${generated}/completions/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT command)

execute_process(COMMAND git log -1 --format=%aD WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT date)
  set(date "Thu, 01 Jan 1970 00:00:00 +0000")
endif()
set(soname ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(maintainer "weir maintainers <maintainers@weir.invalid>")
file(WRITE ${generated}/changelog.Debian
"weir (${PROJECT_VERSION}-1) unstable; urgency=medium

  * Release ${PROJECT_VERSION}; see changelog.gz.

 -- ${maintainer}  ${date}
")
configure_file(LICENSE ${generated}/license COPYONLY)
file(READ LICENSE license)
file(WRITE ${generated}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
                                  "Upstream-Name: weir\n\nFiles: *\nCopyright: the authors of weir\nLicense: Expat\n")
string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
string(REGEX REPLACE "\n([^\n])" "\n \\1" license " ${license}")
file(APPEND ${generated}/copyright "${license}")
# What the packages contain and need.
execute_process(COMMAND git log -1 --format=%at WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                OUTPUT_VARIABLE seconds OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT seconds)
  set(seconds 0)
endif()
execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/dist/make_sbom.py ${generated}/sbom ${seconds}
                COMMAND_ERROR_IS_FATAL ANY)
foreach(pair command:weir runtime:libweir${soname})
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 component)
  list(GET pair 1 package)
  install(FILES ${generated}/sbom/weir.spdx.json ${generated}/sbom/third_party_notices.txt
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endforeach()
execute_process(COMMAND gzip -9nf ${generated}/changelog.Debian)
execute_process(COMMAND gzip -9n INPUT_FILE ${PROJECT_SOURCE_DIR}/CHANGELOG.md OUTPUT_FILE ${generated}/changelog.gz)
foreach(pair command:weir runtime:libweir${soname} library:libweir-dev)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 component)
  list(GET pair 1 package)
  install(FILES ${generated}/copyright ${generated}/changelog.Debian.gz ${generated}/changelog.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endforeach()

# In the tar.gz alone, at its root: it is for a reader who has only unpacked it.
install(FILES packaging/archive/README.md DESTINATION . COMPONENT archive)

set(CPACK_PACKAGE_NAME weir)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT ${maintainer})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "grammar-constrained decoding for language models")
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL command runtime library)
string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
set(CPACK_PACKAGE_FILE_NAME weir-${PROJECT_VERSION}-${system}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(about "Given a grammar and a tokenizer, weir says which tokens may come next,\nas an exact bit mask.")
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME weir)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION utils)
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "${about}\nThis package has the command.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libweir${soname})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
file(WRITE ${generated}/shlibs "libweir ${soname} libweir${soname} (>= ${PROJECT_VERSION})\n")
file(WRITE ${generated}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${generated}/shlibs ${generated}/triggers)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "${about}\nThis package has the shared library.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libweir-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "libweir${soname} (= ${PROJECT_VERSION}-1), libexpected-dev")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS OFF)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "${about}\nThis package has what programs in C and C++ need to be built.")
include(CPack)
