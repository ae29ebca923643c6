# weir.wasm: the whole C interface, include/weir_c.h, as a WebAssembly module. js/ loads it.
set(layers base regex vocab canonical lexer grammar json_schema frontend lint input convert earley engine api c_api)
set(layer_objects ${layers})
list(TRANSFORM layer_objects REPLACE "(.+)" "$<TARGET_OBJECTS:weir_\\1>")
set(header ${PROJECT_SOURCE_DIR}/include/weir_c.h)
set(exports ${PROJECT_BINARY_DIR}/exports.txt)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/exports.py ${header} OUTPUT_FILE ${exports}
                COMMAND_ERROR_IS_FATAL ANY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header} ${CMAKE_CURRENT_LIST_DIR}/exports.py)

add_executable(weir_wasm cmake/wasm/memory.cc cmake/wasm/layout.c ${layer_objects} $<TARGET_OBJECTS:weir_pcre2>)
target_include_directories(weir_wasm PRIVATE ${PROJECT_SOURCE_DIR}/include)
set_target_properties(weir_wasm PROPERTIES OUTPUT_NAME weir SUFFIX .wasm LINKER_LANGUAGE CXX)
target_link_options(weir_wasm PRIVATE -mexec-model=reactor -Oz
  @${exports} "LINKER:--strip-all,--gc-sections,-z,stack-size=8388608,--export=__stack_pointer")
