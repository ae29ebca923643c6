#!/usr/bin/env bash
# Installs the library of a build and builds the examples with what was installed, as its users would: with CMake's
# find_package and with pkg-config, in C and in C++. Usage: install_test.sh BUILD_DIRECTORY WORK_DIRECTORY, or
# install_test.sh --prefix PREFIX WORK_DIRECTORY for what is installed there.
# CC, CXX: the compilers. The programs run from a copy of the installation, for an installation may be moved.
set -euo pipefail
if [[ $1 == --prefix ]]; then
  prefix=$2
  shift
else
  build=$1
fi
work=$2
examples=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../examples" && pwd)

rm -rf "$work"
mkdir -p "$work"
if [[ -n ${build:-} ]]; then
  for component in runtime library; do
    cmake --install "$build" --prefix "$work/first" --component "$component" >/dev/null
  done
  mv "$work/first" "$work/prefix"
  prefix=$work/prefix
fi
library=$(find "$prefix" -name 'libweir.a' -o -name 'libweir.so')
library_directory=$(dirname "$library")
export LD_LIBRARY_PATH=$library_directory

expect() {  # expect PROGRAM: the program writes a text of its grammar
  [[ $("$1" 7) =~ ^(hello|good\ (morning|evening)),\ [A-Z][a-z]{2,7}!$ ]] || { echo "wrong output of $1"; exit 1; }
}

cmake -S "$examples" -B "$work/with_cmake" -DWEIR_INSTALLED=ON -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build "$work/with_cmake" >/dev/null
expect "$work/with_cmake/weir_example"
expect "$work/with_cmake/weir_c_example"

export PKG_CONFIG_PATH=$library_directory/pkgconfig
flags=$(pkg-config --cflags --libs weir)
# shellcheck disable=SC2086
"$CC" -std=c11 -Wall -Wextra -pedantic -Werror "$examples/embed.c" $flags -o "$work/c_example"
# shellcheck disable=SC2086
"$CXX" -std=c++20 "$examples/embed.cc" $flags -o "$work/cxx_example"
expect "$work/c_example"
expect "$work/cxx_example"

# A shared library brings what it needs: pkg-config finds no other package here.
if [[ $library == *.so ]]; then
  PKG_CONFIG_LIBDIR=$PKG_CONFIG_PATH pkg-config --cflags --libs weir >/dev/null
fi
# A program of an older C++ is told what is missing.
if said=$("$CXX" -std=c++17 -fsyntax-only "$examples/embed.cc" $flags 2>&1); then
  echo "C++17 was accepted" && exit 1
fi
[[ $said == *"C++20"* ]] || { echo "no word of C++20: $said"; exit 1; }

# The header for llama.cpp is for programs that have llama.h; here one that has what it asks for.
echo '#include <weir_llama.h>' >"$work/with_llama.c"
# shellcheck disable=SC2086
"$CC" -std=c11 -fsyntax-only -I"$examples/../tests/c_api/llama" "$work/with_llama.c" $flags

if [[ $library == *.so ]]; then
  # The soname has the version that the interface has, and the program asks for it by that.
  soname=$(objdump -p "$library" | awk '$1 == "SONAME" { print $2 }')
  [[ $soname == "libweir.so.$(pkg-config --modversion weir | cut -d. -f1,2)" ]] || { echo "soname $soname"; exit 1; }
  python3 "$(dirname "${BASH_SOURCE[0]}")/exports_test.py" "$library" "$prefix/include"
fi
