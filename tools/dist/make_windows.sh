#!/usr/bin/env bash
# Cross-compiles packages for Windows on x86-64: make_windows.sh BUILD_DIRECTORY FOLDER JOBS
# An archive with the command and the C interface's library and headers, and a wheel for Python 3.12 and later. The wheel is that
# of this machine, which make_wheels.sh made with the same BUILD_DIRECTORY and FOLDER, with another extension module.
# Needs the package index PyPI, Debian's mirror, and Maven Central, from which Python's headers and import libraries come (a
# package that lets Java programs embed Python); without PyPI or Maven Central this step is skipped.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$1" "$2"
build=$(cd "$1" && pwd)
folder=$(cd "$2" && pwd)
jobs=$3
cd "$root"
version=$(cat VERSION)
name=weir-$version-windows-x86_64
rm -f "$folder/$name.zip" "$folder"/*-win_amd64.whl
SOURCE_DATE_EPOCH=$(git log -1 --format=%at 2>/dev/null || echo 0)
export SOURCE_DATE_EPOCH
umask 022

shopt -s nullglob
wheels=("$folder/weir-$version"-cp312-abi3-manylinux*_"$(uname -m)".whl)
if [[ ${#wheels[@]} != 1 ]]; then
  echo "skipped: Windows: there is no wheel of this machine for Python 3.12 and later, of which to take the other files"
  exit 0
fi
cpython=3.12.1-1.5.10
python_files=$build/cpython/org/bytedeco/cpython/windows-x86_64
if [[ ! -d $python_files ]]; then
  jar=$build/maven/org/bytedeco/cpython/$cpython/cpython-$cpython-windows-x86_64.jar
  if ! mvn --quiet --batch-mode "-Dmaven.repo.local=$build/maven" dependency:get -Dtransitive=false \
      "-Dartifact=org.bytedeco:cpython:$cpython:jar:windows-x86_64"; then
    echo "skipped: Windows: Maven Central cannot be reached"
    exit 0
  fi
  python3 -m zipfile -e "$jar" "$build/cpython"
fi

place=$build/windows-x86_64
tools/dist/zig_toolchain.sh "$place/zig" windows-x86_64
CCACHE_COMPILERCHECK="string:$(cat "$place/zig/compiler")"
export CCACHE_COMPILERCHECK
# The DLL and the command; then the static library, of which the extension module is made.
for shared in ON OFF; do
  cmake -S . -B "$place/shared-$shared" -G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_TOOLCHAIN_FILE=$place/zig/toolchain.cmake" \
    -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=$shared -DWEIR_BUILD_TESTS=OFF -DWEIR_BUILD_BENCH=OFF -DWEIR_BUILD_EXAMPLES=OFF \
    -DWEIR_BUILD_COMMAND=$shared "-DCMAKE_EXE_LINKER_FLAGS=-s" "-DCMAKE_SHARED_LINKER_FLAGS=-s" >/dev/null
done
cmake --build "$place/shared-ON" --parallel "$jobs" --target weir weir_library
rm -rf "$place/unpacked"
for component in command runtime library; do
  cmake --install "$place/shared-ON" --prefix "$place/unpacked/$name" --component "$component" >/dev/null
done
sbom=(tools/dist/make_sbom.py "$place/notices" "$SOURCE_DATE_EPOCH" --toolchain "$place/zig" --pcre2 "$place/shared-ON/pcre2" --mingw)
python3 "${sbom[@]}"
cp LICENSE "$place/notices"/* "$place/unpacked/$name"
python3 tools/dist/make_zip.py "$place/unpacked" "$folder/$name.zip"

cmake --build "$place/shared-OFF" --parallel "$jobs" --target weir_library
cmake --install "$place/shared-OFF" --prefix "$place/prefix" --component library >/dev/null
python=$build/python-3.12/bin/python
packages=$("$python" -c "import pathlib, nanobind; print(pathlib.Path(nanobind.__file__).parent.parent)")
cmake -S python -B "$place/module" -G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_TOOLCHAIN_FILE=$place/zig/toolchain.cmake" \
  -DWEIR_INSTALLED=ON "-Dweir_DIR=$place/prefix/lib/cmake/weir" "-DCMAKE_MODULE_PATH=$packages/scikit_build_core/resources/find_python" \
  "-Dnanobind_DIR=$packages/nanobind/cmake" "-DPython_EXECUTABLE=$python" "-DPython_INCLUDE_DIR=$python_files/include" \
  "-DPython_LIBRARY=$python_files/libs/python312.lib" "-DPython_SABI_LIBRARY=$python_files/libs/python3.lib" \
  "-DWEIR_STUB=$build/$(uname -m)/module-3.12/_weir.pyi" "-DCMAKE_MODULE_LINKER_FLAGS=-Wl,--gc-sections -s" >/dev/null
cmake --build "$place/module" --parallel "$jobs"
python3 "${sbom[@]}" --nanobind "$packages/nanobind"
python3 tools/dist/finish_wheel.py "${wheels[0]}" "$folder" win_amd64 "$place/notices" --module "$place/module/_weir.pyd"
ls -l "$folder/$name.zip" "$folder"/*-win_amd64.whl
