# WebAssembly with WASI's libc, by Debian's clang, lld, libc++ and wasi-libc: tools/install_deps.sh --wasm.
#
# A module has no exceptions, no run-time types and no threads: every browser runs such a module, without special HTTP
# headers.
set(CMAKE_SYSTEM_NAME Generic)
set(WEIR_WASM ON)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(triple wasm32-wasi)

find_program(WEIR_WASM_CXX NAMES clang++-22 clang++-21 clang++-20 clang++-19 REQUIRED)
string(REPLACE "clang++" "clang" WEIR_WASM_CC ${WEIR_WASM_CXX})
set(CMAKE_C_COMPILER ${WEIR_WASM_CC})
set(CMAKE_CXX_COMPILER ${WEIR_WASM_CXX})
# The module is linked from objects, so the archives need no tables of symbols, which GNU's tools cannot make.
find_program(CMAKE_AR ar REQUIRED)
set(CMAKE_CXX_ARCHIVE_FINISH "")
set(CMAKE_C_ARCHIVE_FINISH "")
set(CMAKE_C_COMPILER_TARGET ${triple})
set(CMAKE_CXX_COMPILER_TARGET ${triple})
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_FLAGS_INIT "-Wno-deprecated")
# libcxx has headers that are found before libc++'s of the same name.
set(CMAKE_CXX_FLAGS_INIT "-fno-exceptions -fno-rtti -Wno-deprecated -isystem ${CMAKE_CURRENT_LIST_DIR}/libcxx")
# For size: compiled for speed, a module is nearly twice as large and no faster until V8 has optimised it. The linker
# optimises the whole program.
set(CMAKE_C_FLAGS_RELEASE "-Oz -DNDEBUG -flto" CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELEASE "-Oz -DNDEBUG -flto" CACHE STRING "")
