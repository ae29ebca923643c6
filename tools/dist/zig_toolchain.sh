#!/usr/bin/env bash
# Makes a folder with what compiles weir for another system, or for any Linux with glibc 2.17 or later:
# zig_toolchain.sh FOLDER SYSTEM
# SYSTEM is linux-x86_64, linux-aarch64, windows-x86_64, macos-x86_64 or macos-arm64.
#
# The compiler is Zig's Clang, which comes with libc++, knows each version of glibc, and has what programs for Windows and macOS
# are compiled and linked with; it is from the package index PyPI. The libraries are Debian's packages: for Linux, PCRE2 as a
# static library, with the distribution's security fixes; for other systems the library's build compiles Debian's source of it.
# FOLDER gets toolchain.cmake, which CMAKE_TOOLCHAIN_FILE names, and what make_sbom.py reads: zig, zig_version, sysroot,
# apt/packages. FOLDER/compiler names the compiler for ccache, to which the scripts of two clones would be two compilers.
#
# Zig compiles libc++ itself, for each system and each kind of optimisation once, when it first links a program for them, and
# keeps it in a cache of the user (ZIG_GLOBAL_CACHE_DIR). That takes a minute of processor time.
set -euo pipefail
ziglang=0.15.2
mkdir -p "$1/bin"
folder=$(cd "$1" && pwd)
system=$2
machine=${system#*-}
architecture=$(dpkg --print-architecture)  # whose packages are taken; of most only headers
case $system in
  linux-x86_64) target=x86_64-linux-gnu.2.17 architecture=amd64 ;;
  linux-aarch64) target=aarch64-linux-gnu.2.17 architecture=arm64 ;;
  windows-x86_64) target=x86_64-windows-gnu ;;
  macos-x86_64) target=x86_64-macos.11.0 ;;
  macos-arm64) target=aarch64-macos.11.0 ;;
  *) echo "zig_toolchain.sh: unknown system $system" >&2; exit 2 ;;
esac

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
echo "zig $ziglang $target" >"$folder/compiler"
write_tool clang "cc -target $target"
write_tool clang++ "c++ -target $target"
write_tool ar ar
write_tool ranlib ranlib

packages=(libpcre2-dev libexpected-dev)
if [[ $system != linux-* ]]; then
  packages+=(nlohmann-json3-dev libcli11-dev libfmt-dev)  # headers, for the command
fi
"$(dirname "${BASH_SOURCE[0]}")/foreign_packages.sh" "$folder" "$architecture" "${packages[@]}"
sysroot=$folder/sysroot
libraries=$sysroot/usr/lib/$(dpkg-architecture -A "$architecture" -qDEB_TARGET_MULTIARCH)
rm -f "$libraries"/*.so  # they lead to shared libraries, which are in other packages

write_toolchain() {
  if [[ $system == linux-* ]]; then
    sed -i "s|^prefix=.*|prefix=$sysroot/usr|" "$libraries"/pkgconfig/*.pc
    cat <<END
if(NOT CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL "$machine")  # else what is built can run here
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_SYSTEM_PROCESSOR $machine)
endif()
set(ENV{PKG_CONFIG_LIBDIR} $libraries/pkgconfig)
END
  else
    rm -rf "$libraries" "$sysroot"/usr/include/pcre2*.h
    mkdir -p "$folder/fmt"
    cat >"$folder/fmt/fmt-config.cmake" <<END
add_library(fmt::fmt INTERFACE IMPORTED)
target_include_directories(fmt::fmt SYSTEM INTERFACE $sysroot/usr/include)
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
END
    cat <<END
set(CMAKE_SYSTEM_PROCESSOR $machine)
# CMake's checks do not link programs, for which Zig would compile libc++ once more, with their options.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(WEIR_PCRE2_FROM_SOURCE ON CACHE BOOL "")
set(WEIR_EXPORT_C_ALONE ON CACHE BOOL "")
set(nlohmann_json_DIR $sysroot/usr/share/cmake/nlohmann_json)
set(CLI11_DIR $sysroot/usr/share/cmake/CLI11)
set(fmt_DIR $folder/fmt)
END
  fi
  case $system in
    windows-*) echo 'set(CMAKE_SYSTEM_NAME Windows)' ;;
    macos-*)
      cat >"$folder/rules.cmake" <<END
set(CMAKE_SHARED_LIBRARY_RUNTIME_C_FLAG "-Wl,-rpath,")  # CMake permits @rpath only where it finds a macOS
# Zig's linker makes no bundles. Python loads a library as well.
set(CMAKE_SHARED_MODULE_CREATE_CXX_FLAGS "-dynamiclib -Wl,-headerpad_max_install_names")
END
      cat <<END
set(CMAKE_SYSTEM_NAME Darwin)
# Zig signs what it links for arm64, and a change of the file would make the signature invalid: the paths that CMake would
# write when it installs are written by the linker.
set(CMAKE_INSTALL_NAME_TOOL /bin/false CACHE FILEPATH "")
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_USER_MAKE_RULES_OVERRIDE $folder/rules.cmake)
END
      ;;
  esac
  cat <<END
set(CMAKE_C_COMPILER $folder/bin/clang)
set(CMAKE_CXX_COMPILER $folder/bin/clang++)
set(CMAKE_CXX_FLAGS_INIT "-ffunction-sections -fdata-sections")  # the linker leaves out what nothing calls
set(CMAKE_AR $folder/bin/ar CACHE FILEPATH "")
set(CMAKE_RANLIB $folder/bin/ranlib CACHE FILEPATH "")
set(tl-expected_DIR $sysroot/usr/share/cmake/tl-expected)
END
}
write_toolchain >"$folder/toolchain.cmake"
