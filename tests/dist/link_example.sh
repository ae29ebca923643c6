#!/usr/bin/env bash
# Links examples/embed.c to the library of an unpacked archive for another system, with its CMake and pkg-config files:
# link_example.sh PREFIX TOOLCHAIN OUTPUT
# TOOLCHAIN is a folder of tools/dist/zig_toolchain.sh. OUTPUT is the program that pkg-config's flags made.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
prefix=$1
toolchain=$2
output=$3
flags=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags --libs weir)
# shellcheck disable=SC2086
"$toolchain/bin/clang" -std=c11 -O3 -Wall -Wextra -Werror "$root/examples/embed.c" $flags -o "$output"

mkdir "$output.cmake"
cat >"$output.cmake/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.22)
project(embed LANGUAGES C)
find_package(weir REQUIRED)
add_executable(embed $root/examples/embed.c)
target_link_libraries(embed PRIVATE weir::weir)
END
cmake -S "$output.cmake" -B "$output.cmake/build" -G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_TOOLCHAIN_FILE=$toolchain/toolchain.cmake" \
  "-DCMAKE_PREFIX_PATH=$prefix" "-DCMAKE_FIND_ROOT_PATH=$prefix" >/dev/null
cmake --build "$output.cmake/build" >/dev/null
