#!/usr/bin/env bash
# Makes a folder with what compiles weir for any Linux with glibc 2.17 or later: zig_toolchain.sh FOLDER ARCHITECTURE
# ARCHITECTURE is Debian's name of it: amd64 or arm64.
#
# The compiler is Zig's Clang, which comes with libc++ and knows each version of glibc, from the package index PyPI. The
# libraries are Debian's packages of that architecture: PCRE2 as a static library, with the distribution's security
# fixes, and the headers of tl-expected. FOLDER gets toolchain.cmake, which CMAKE_TOOLCHAIN_FILE names, and what
# make_sbom.py reads: zig, zig_version, sysroot, apt/packages. FOLDER/compiler names the compiler for ccache, to which the scripts
# of two clones would be two compilers. Zig keeps the libc++ that it compiles in a cache of its own.
set -euo pipefail
ziglang=0.15.2
mkdir -p "$1/bin"
folder=$(cd "$1" && pwd)
case $2 in
  amd64) machine=x86_64 ;;
  arm64) machine=aarch64 ;;
  *) echo "zig_toolchain.sh: unknown architecture $2" >&2; exit 2 ;;
esac
glibc=2.17

python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check "ziglang==$ziglang"
ln -sfn "$("$folder/venv/bin/python" -c "import pathlib, ziglang; print(pathlib.Path(ziglang.__file__).parent)")" "$folder/zig"
zig=$folder/zig/zig
"$zig" version >"$folder/zig_version"
write_tool() {  # write_tool NAME ARGUMENTS: a rewritten file would make CMake and ccache start anew
  printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$zig" "$2" >"$folder/bin/new"
  chmod +x "$folder/bin/new"
  if cmp -s "$folder/bin/new" "$folder/bin/$1"; then rm "$folder/bin/new"; else mv "$folder/bin/new" "$folder/bin/$1"; fi
}
target=$machine-linux-gnu.$glibc
echo "zig $ziglang $target" >"$folder/compiler"
write_tool clang "cc -target $target"
write_tool clang++ "c++ -target $target"
write_tool ar ar
write_tool ranlib ranlib

"$(dirname "${BASH_SOURCE[0]}")/foreign_packages.sh" "$folder" "$2" libpcre2-dev libexpected-dev
sysroot=$folder/sysroot
libraries=$sysroot/usr/lib/$machine-linux-gnu
rm -f "$libraries"/*.so  # they lead to shared libraries, which are in other packages
sed -i "s|^prefix=.*|prefix=$sysroot/usr|" "$libraries"/pkgconfig/*.pc

cat >"$folder/toolchain.cmake" <<END
if(NOT CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL "$machine")  # else what is built can run here
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_SYSTEM_PROCESSOR $machine)
endif()
set(CMAKE_C_COMPILER $folder/bin/clang)
set(CMAKE_CXX_COMPILER $folder/bin/clang++)
set(CMAKE_CXX_FLAGS_INIT "-ffunction-sections -fdata-sections")  # the linker leaves out what nothing calls
set(CMAKE_AR $folder/bin/ar CACHE FILEPATH "")
set(CMAKE_RANLIB $folder/bin/ranlib CACHE FILEPATH "")
set(tl-expected_DIR $sysroot/usr/share/cmake/tl-expected)
set(ENV{PKG_CONFIG_LIBDIR} $libraries/pkgconfig)
END
