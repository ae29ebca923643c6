# PkgConfig::PCRE2, compiled from Debian's source package, which cmake/fetch_pcre2.sh downloads: for systems for which there
# is no package of it. The objects of weir_pcre2 become part of the library.
execute_process(COMMAND ${PROJECT_SOURCE_DIR}/cmake/fetch_pcre2.sh ${PROJECT_BINARY_DIR}/pcre2
                OUTPUT_VARIABLE pcre2_source OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
enable_language(C)
set(pcre2_build ${PROJECT_BINARY_DIR}/pcre2/build)
configure_file(${pcre2_source}/src/pcre2.h.generic ${pcre2_build}/pcre2.h COPYONLY)
configure_file(${pcre2_source}/src/pcre2_chartables.c.dist ${pcre2_build}/pcre2_chartables.c COPYONLY)
file(WRITE ${pcre2_build}/config.h.new "#include \"${pcre2_source}/src/config.h.generic\"\n")
configure_file(${pcre2_build}/config.h.new ${pcre2_build}/config.h COPYONLY)
set(pcre2_files auto_possess chkdint compile config context convert dfa_match error extuni find_bracket jit_compile
                maketables match match_data newline ord2utf pattern_info script_run serialize string_utils study
                substitute substring tables ucd valid_utf xclass)
set(pcre2_sources ${pcre2_build}/pcre2_chartables.c)
foreach(file ${pcre2_files})
  if(EXISTS ${pcre2_source}/src/pcre2_${file}.c)
    list(APPEND pcre2_sources ${pcre2_source}/src/pcre2_${file}.c)
  endif()
endforeach()
add_library(weir_pcre2 STATIC ${pcre2_sources})
target_include_directories(weir_pcre2 PUBLIC ${pcre2_build} PRIVATE ${pcre2_source}/src)
target_compile_definitions(weir_pcre2 PUBLIC PCRE2_STATIC
                                      PRIVATE HAVE_CONFIG_H PCRE2_CODE_UNIT_WIDTH=8 SUPPORT_PCRE2_8 SUPPORT_UNICODE
                                              HEAP_LIMIT=20000000 MATCH_LIMIT=10000000 MATCH_LIMIT_DEPTH=MATCH_LIMIT
                                              NEWLINE_DEFAULT=2 LINK_SIZE=2 PARENS_NEST_LIMIT=250 MAX_NAME_SIZE=32
                                              MAX_NAME_COUNT=10000)
if(NOT WEIR_WASM)  # WebAssembly does not permit a just-in-time compiler
  target_compile_definitions(weir_pcre2 PRIVATE SUPPORT_JIT)
endif()
set_target_properties(weir_pcre2 PROPERTIES C_VISIBILITY_PRESET hidden)
target_compile_options(weir_pcre2 PRIVATE -w)
add_library(PkgConfig::PCRE2 INTERFACE IMPORTED)
target_link_libraries(PkgConfig::PCRE2 INTERFACE weir_pcre2)
