# weir-full.wasm is the whole C interface, include/weir_c.h, as a WebAssembly module. weir.wasm is linked from the same
# objects. It does not export the functions in core_lacks.txt, and core.cc replaces the parts that it does not have. js/
# loads either module.
set(layers base regex vocab canonical token_languages lexer grammar json_schema frontend lint input convert earley engine api replies c_api)
set(layer_objects ${layers})
list(TRANSFORM layer_objects REPLACE "(.+)" "$<TARGET_OBJECTS:weir_\\1>")
set(header ${PROJECT_SOURCE_DIR}/include/weir_c.h)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header} ${PROJECT_SOURCE_DIR}/cmake/exports.py
                                                               ${CMAKE_CURRENT_LIST_DIR}/core_lacks.txt)

# wasm-opt is called here, since the compiler would call it without options. It optimises twice, which saves 0.9 KB. The
# memory is zeroed at first, and nothing is stored below address 1,024. The features are those of the compiler's default;
# all current browsers have them. Functions with one caller are not inlined: V8 optimises whole functions, in a time that
# grows with more than their size, and one had 38 KB.
find_program(WEIR_WASM_OPT wasm-opt REQUIRED)
set(wasm_opt_options --one-caller-inline-max-function-size=20 --low-memory-unused --zero-filled-memory
                     --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int --enable-mutable-globals
                     --enable-multivalue --enable-reference-types)

# What makes masks has loops of calls of small functions, which V8 does not inline. Here they are inlined by -Os. With -O2
# the module would be no faster, because V8 takes longer to compile what it optimises.
foreach(layer earley lexer)
  target_compile_options(weir_${layer} PRIVATE -Os)
endforeach()
function(weir_inlined layer)  # weir_inlined(LAYER FILE...)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/src/${layer}/)
  foreach(file ${ARGN})
    if(NOT EXISTS ${file})
      message(FATAL_ERROR "weir_inlined: there is no ${file}")
    endif()
  endforeach()
  set_source_files_properties(${ARGN} TARGET_DIRECTORY weir_${layer} PROPERTIES COMPILE_OPTIONS -Os)
endfunction()
weir_inlined(engine automaton/shared_automaton.cc sets/mask.cc residuals/residual_table.cc facts/suffixes.cc
                    facts/token_facts.cc mask/mask_builder.cc)
weir_inlined(regex expr/byte_set.cc expr/derivative.cc expr/expr.cc expr/normal_form.cc)
weir_inlined(vocab token_trie.cc trie_summary.cc)

add_library(weir_wasm_host OBJECT cmake/wasm/memory.cc cmake/wasm/layout.c)
target_include_directories(weir_wasm_host PRIVATE ${PROJECT_SOURCE_DIR}/include)

# The stack of the module's memory holds what has an address. The deepest inputs that Limits::nesting permits use 0.6 MB,
# and V8's own stack for a thread ends there, too. What exhausts the stack traps, since nothing is below it.
function(weir_module target name)  # weir_module(TARGET NAME [OPTION OF exports.py]...)
  set(exports ${PROJECT_BINARY_DIR}/${name}_exports.txt)
  execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/exports.py ${header} ${ARGN}
                  OUTPUT_FILE ${exports} COMMAND_ERROR_IS_FATAL ANY)
  add_executable(${target} $<TARGET_OBJECTS:weir_wasm_host> ${layer_objects} $<TARGET_OBJECTS:weir_pcre2>)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} SUFFIX .wasm LINKER_LANGUAGE CXX)
  target_link_options(${target} PRIVATE -mexec-model=reactor -Oz --no-wasm-opt
    @${exports} "LINKER:--strip-all,--gc-sections,-z,stack-size=2097152,--export=__stack_pointer")
  add_custom_command(TARGET ${target} POST_BUILD VERBATIM
    COMMAND ${WEIR_WASM_OPT} -Oz -Oz ${wasm_opt_options} $<TARGET_FILE:${target}> -o $<TARGET_FILE:${target}>)
endfunction()

weir_module(weir_wasm_full weir-full)
weir_module(weir_wasm weir --without ${CMAKE_CURRENT_LIST_DIR}/core_lacks.txt)
target_sources(weir_wasm PRIVATE cmake/wasm/core.cc)
target_include_directories(weir_wasm PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(weir_wasm PRIVATE tl::expected weir_flags)
