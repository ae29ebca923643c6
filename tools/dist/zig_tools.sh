#!/usr/bin/env bash
# Makes compilers for another system, and a CMake toolchain file that names them: tools/dist/zig_tools.sh FOLDER TARGET
#
# The compilers are Zig's Clang with libc++, from the package ziglang of the package index, installed once in
# FOLDER/zig. TARGET is one of Zig's, such as x86_64-linux-gnu.2.17: its programs need glibc 2.17 or later and no C++
# library. FOLDER/TARGET gets the compilers and toolchain.cmake. Ends with 77 if the package index cannot be reached.
set -euo pipefail
folder=$1
target=$2
ziglang=ziglang==0.15.1
mkdir -p "$folder/$target"
folder=$(cd "$folder" && pwd)
tools=$folder/$target

if ! "$folder/zig/bin/python" -m ziglang version >/dev/null 2>&1; then
  python3 -m venv "$folder/zig"
  if ! "$folder/zig/bin/pip" install --quiet --disable-pip-version-check --retries 1 --timeout 10 "$ziglang"; then
    echo "skipped: the package index does not give $ziglang"
    exit 77
  fi
fi
zig=$("$folder/zig/bin/python" -c 'import pathlib, ziglang; print(pathlib.Path(ziglang.__file__).with_name("zig"))')
write_tool() {  # write_tool NAME ARGUMENTS
  printf '#!/bin/sh\nexport ZIG_GLOBAL_CACHE_DIR="%s/cache" ZIG_LOCAL_CACHE_DIR="%s/cache"\nexec "%s" %s "$@"\n' \
    "$folder" "$folder" "$zig" "$2" >"$tools/$1"
  chmod +x "$tools/$1"
}
# Paths of this machine stay out of what is compiled, so that two builds are equal.
write_tool cc "cc -target $target -ffile-prefix-map=$folder=."
write_tool c++ "c++ -target $target -ffile-prefix-map=$folder=."
for tool in ar ranlib; do write_tool $tool $tool; done

case $target in
  *-linux-*) system=Linux ;;
  *-macos*) system=Darwin ;;
  *) echo "zig_tools.sh: unknown target $target" >&2; exit 2 ;;
esac
cat >"$tools/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME $system)
set(CMAKE_SYSTEM_PROCESSOR ${target%%-*})
set(CMAKE_C_COMPILER $tools/cc)
set(CMAKE_CXX_COMPILER $tools/c++)
set(CMAKE_AR $tools/ar CACHE FILEPATH "")
set(CMAKE_RANLIB $tools/ranlib CACHE FILEPATH "")
set(WEIR_BUNDLED ON)
set(PCRE2_SOURCE $folder/pcre2)
END
