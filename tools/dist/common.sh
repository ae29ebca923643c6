#!/usr/bin/env bash
# What the scripts that make packages share; they source it: . common.sh BUILD_DIRECTORY FOLDER JOBS
# Makes both folders and goes to the repository's root. Sets root, build, folder, jobs, version and SOURCE_DATE_EPOCH, the
# commit's time, which all dates in the packages are.
# shellcheck disable=SC2034  # who sources this file uses them
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$1" "$2"
build=$(cd "$1" && pwd)
folder=$(cd "$2" && pwd)
jobs=$3
cd "$root" || exit 1
version=$(cat VERSION)
SOURCE_DATE_EPOCH=$(git log -1 --format=%at 2>/dev/null || echo 0)
export SOURCE_DATE_EPOCH
umask 022

# pack FOLDER NAME: FOLDER/NAME as NAME.tar.gz among the packages. Not CPack, which does not sort the files of a tar.gz.
pack() {
  tar --create --sort=name --format=gnu --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --directory "$1" "$2" | gzip -9n >"$folder/$2.tar.gz"
}

# reach_pypi PYTHON PACKAGE: installs the package anew, which shows whether PyPI can be reached. Returns 1 if it cannot.
reach_pypi() {
  local said
  if ! said=$("$1" -m pip install --quiet --disable-pip-version-check --force-reinstall --retries 1 --timeout 10 "$2" 2>&1); then
    [[ $said == *"from versions: none"* ]] && return 1  # what pip says of every package if it reaches nothing
    echo "$said" >&2
    exit 1
  fi
}

# use_zig SYSTEM: sets place, the folder in which packages for SYSTEM are made with Zig's compiler, and makes the compiler in it.
use_zig() {
  place=$build/$1
  tools/dist/zig_toolchain.sh "$place/zig" "$1"
  CCACHE_COMPILERCHECK="string:$(cat "$place/zig/compiler")"
  export CCACHE_COMPILERCHECK
}

# configure_library OPTION...: prepares $place/library. The objects are the same for a static and for a shared library, so a
# second call for the other one compiles nothing again.
configure_library() {
  cmake -S . -B "$place/library" -G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_TOOLCHAIN_FILE=$place/zig/toolchain.cmake" \
    -DCMAKE_INSTALL_LIBDIR=lib -DWEIR_BUILD_TESTS=OFF -DWEIR_BUILD_BENCH=OFF -DWEIR_BUILD_EXAMPLES=OFF "$@" >/dev/null
}

# install_static_library: builds the static library and installs it in $place/prefix, for the Python package's extension module.
install_static_library() {
  cmake --build "$place/library" --parallel "$jobs" --target weir_library
  cmake --install "$place/library" --prefix "$place/prefix" --component library >/dev/null
}
