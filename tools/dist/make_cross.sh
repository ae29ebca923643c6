#!/usr/bin/env bash
# Cross-compiles packages for Windows and macOS: make_cross.sh BUILD_DIRECTORY FOLDER JOBS SYSTEM...
# SYSTEM is windows-x86_64, macos-x86_64 or macos-arm64. For each there is an archive with the command and the C interface's
# library and headers, and a wheel for Python 3.12 and later. Only the extension module of the wheel is new: its other files are
# those of this machine's wheel, which make_wheels.sh must have made with the same BUILD_DIRECTORY and FOLDER.
# Needs the package index PyPI, Debian's mirror, and Maven Central. Python's headers, and its import libraries for Windows, come
# from Maven Central, where a package that lets Java programs embed Python has them. Without PyPI or Maven Central this step is
# skipped.
set -euo pipefail
# shellcheck source=tools/dist/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh" "$1" "$2" "$3"
shift 3
shopt -s nullglob
for system in "$@"; do rm -f "$folder/weir-$version-$system".*; done
rm -f "$folder"/*-win_amd64.whl "$folder"/*-macosx_*.whl

wheels=("$folder/weir-$version"-cp312-abi3-manylinux*_"$(uname -m)".whl)
if [[ ${#wheels[@]} != 1 ]]; then
  echo "skipped: $*: there is no wheel of this machine for Python 3.12 and later, from which the other files are taken"
  exit 0
fi
python=$build/python-3.12/bin/python
packages=$("$python" -c "import pathlib, nanobind; print(pathlib.Path(nanobind.__file__).parent.parent)")

# fetch_python NAME: sets python_files to a folder with Python's files for a system; NAME is the package's name of the system.
# Returns 1 if they cannot be fetched.
cpython=3.12.1-1.5.10
fetch_python() {
  local jar=$build/maven/org/bytedeco/cpython/$cpython/cpython-$cpython-$1.jar
  python_files=$build/cpython/org/bytedeco/cpython/$1
  [[ ! -d $python_files ]] || return 0
  mvn --quiet --batch-mode "-Dmaven.repo.local=$build/maven" dependency:get -Dtransitive=false \
    "-Dartifact=org.bytedeco:cpython:$cpython:jar:$1" || return 1
  python3 -m zipfile -e "$jar" "$build/cpython"
}

make_system() {
  local name=weir-$version-$system strip module platform settings sbom component
  case $system in
    windows-*)
      strip=-s module=_weir.pyd platform=win_amd64
      settings=("-DPython_INCLUDE_DIR=$python_files/include" "-DPython_LIBRARY=$python_files/libs/python312.lib"
                "-DPython_SABI_LIBRARY=$python_files/libs/python3.lib" "-DCMAKE_MODULE_LINKER_FLAGS=-Wl,--gc-sections -s")
      ;;
    macos-*)
      # The flags with which nanobind links a module for macOS. The command has the same ones, since Zig compiles libc++ anew for
      # other flags.
      strip="-Wl,-dead_strip -Wl,-x -Wl,-S" module=_weir.abi3.so platform=macosx_11_0_${system#*-}
      settings=("-DPython_INCLUDE_DIR=$python_files/include/python3.12")
      ;;
  esac
  use_zig "$system"

  # First the command and the shared library; then, from the same objects, the static library for the extension module. The static
  # library has no C interface, because the module would export it.
  configure_library -DBUILD_SHARED_LIBS=ON -DWEIR_C_INTERFACE=ON -DWEIR_BUILD_COMMAND=ON "-DCMAKE_EXE_LINKER_FLAGS=$strip" "-DCMAKE_SHARED_LINKER_FLAGS=$strip"
  cmake --build "$place/library" --parallel "$jobs" --target weir weir_library
  rm -rf "$place/unpacked"
  for component in command runtime library; do
    cmake --install "$place/library" --prefix "$place/unpacked/$name" --component "$component" >/dev/null
  done
  sbom=(tools/dist/make_sbom.py "$place/notices" "$SOURCE_DATE_EPOCH" --toolchain "$place/zig" --pcre2 "$place/library/pcre2")
  [[ $system != windows-* ]] || sbom+=(--mingw)
  python3 "${sbom[@]}"
  cp LICENSE "$place/notices"/* "$place/unpacked/$name"
  if [[ $system == windows-* ]]; then
    python3 tools/dist/make_zip.py "$place/unpacked" "$folder/$name.zip"
  else
    pack "$place/unpacked" "$name"
  fi

  configure_library -DBUILD_SHARED_LIBS=OFF -DWEIR_C_INTERFACE=OFF
  install_static_library
  cmake -S python -B "$place/module" -G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_TOOLCHAIN_FILE=$place/zig/toolchain.cmake" \
    -DWEIR_INSTALLED=ON "-Dweir_DIR=$place/prefix/lib/cmake/weir" "-DCMAKE_MODULE_PATH=$packages/scikit_build_core/resources/find_python" \
    "-Dnanobind_DIR=$packages/nanobind/cmake" "-DPython_EXECUTABLE=$python" "${settings[@]}" \
    "-DWEIR_STUB=$build/linux-$(uname -m)/module-3.12/_weir.pyi" >/dev/null
  cmake --build "$place/module" --parallel "$jobs"
  python3 "${sbom[@]}" --nanobind "$packages/nanobind"
  python3 tools/dist/finish_wheel.py "${wheels[0]}" "$folder" "$platform" "$place/notices" --module "$place/module/$module"
  ls -l "$folder/$name".* "$folder"/*-"$platform".whl
}

for system in "$@"; do
  case $system in
    windows-*) python_system=$system ;;
    # The same headers serve both processors: only pyconfig.h differs between them, and only in values that no code outside Python
    # reads, such as the size of a long double.
    macos-*) python_system=macosx-x86_64 ;;
  esac
  if fetch_python "$python_system"; then
    make_system
  else
    echo "skipped: $system: Maven Central cannot be reached"
  fi
done
