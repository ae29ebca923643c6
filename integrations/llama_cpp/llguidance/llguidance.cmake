# Builds llama.cpp's structured outputs (-DLLAMA_LLGUIDANCE=ON) on weir in place of llguidance, without Rust and without
# a change of llama.cpp's sources:
#
#     cmake -B build -DLLAMA_LLGUIDANCE=ON -DCMAKE_PROJECT_INCLUDE=PREFIX/lib/cmake/weir/llguidance/llguidance.cmake
#
# llama.cpp downloads and builds llguidance with ExternalProject_Add, and links a static library `llguidance`. This file,
# which CMake includes after each project(), replaces that one call: the library gets no objects, but llguidance.h beside
# this file, and weir.
include_guard(GLOBAL)
include(ExternalProject)  # llama.cpp's own include() does nothing after this one
set(weir_llguidance_dir ${CMAKE_CURRENT_LIST_DIR} CACHE INTERNAL "The folder of weir's llguidance.h")

function(ExternalProject_Add name)
  if(NOT name STREQUAL llguidance_ext)
    set(arguments)
    math(EXPR last "${ARGC} - 1")
    foreach(i RANGE ${last})
      string(APPEND arguments " [==[${ARGV${i}}]==]")  # also arguments that are empty
    endforeach()
    cmake_language(EVAL CODE "_ExternalProject_Add(${arguments})")
    return()
  endif()
  find_package(weir 0.1 REQUIRED PATHS ${weir_llguidance_dir}/..)
  add_custom_target(llguidance_ext)
  # The library that llama.cpp links: an archive without members.
  file(WRITE ${LLGUIDANCE_PATH}/${LLGUIDANCE_LIB_NAME} "!<arch>\n")
  cmake_language(DEFER CALL weir_llguidance_link)
endfunction()

# Runs when llama.cpp has declared the imported library.
function(weir_llguidance_link)
  get_target_property(include weir::weir INTERFACE_INCLUDE_DIRECTORIES)
  target_include_directories(llguidance INTERFACE ${weir_llguidance_dir} ${include})
  target_link_libraries(llguidance INTERFACE $<LINK_ONLY:weir::weir>)  # not its C++20
endfunction()
