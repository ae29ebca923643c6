#!/usr/bin/env bash
# Makes the Python package's wheels for Linux with glibc 2.17 or later, which need no compiler, no C++ library and no PCRE2
# where they are installed: tools/dist/make_wheels.sh BUILD_DIRECTORY FOLDER JOBS
#
# The library is compiled once for an architecture, the extension module once for each of Python 3.10, 3.11 and 3.12; the
# wheel of the last is for all later versions too. A Python that is not on this machine is downloaded by uv; a version that
# cannot be had is named, and the others' wheels are made.
# Needs the package index PyPI; without it this step is skipped.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$1" "$2"
build=$(cd "$1" && pwd)
folder=$(cd "$2" && pwd)
jobs=$3
cd "$root"
rm -f "$folder"/*.whl
SOURCE_DATE_EPOCH=$(git log -1 --format=%at 2>/dev/null || echo 0)
export SOURCE_DATE_EPOCH

pip_options=(--quiet --disable-pip-version-check)
uv=$build/uv
python3 -m venv "$uv"
# It is installed anew each time, which shows whether PyPI can be reached. If it cannot, pip finds no version at all.
if ! said=$("$uv/bin/pip" install "${pip_options[@]}" --force-reinstall --retries 1 --timeout 10 uv==0.13.9 2>&1); then
  if [[ $said == *"from versions: none"* ]]; then
    echo "skipped: the wheels: PyPI cannot be reached"
    exit 0
  fi
  echo "$said" >&2
  exit 1
fi

requirements=$(sed -n 's/^requires = \[\(.*\)\]$/\1/p' pyproject.toml | tr -d '",')
declare -A venvs  # by version, with what building needs
for version in 3.10 3.11 3.12; do
  python=$(tools/dist/find_python.sh "$version" "$build/pythons")
  if [[ -z $python ]] && "$uv/bin/uv" --quiet python install --no-bin --install-dir "$build/pythons" "$version" 2>/dev/null; then
    python=$(tools/dist/find_python.sh "$version" "$build/pythons")
  fi
  if [[ -z $python ]]; then
    echo "no wheel for Python $version: it is not here, and uv cannot download it"
    continue
  fi
  venvs[$version]=$build/python-$version
  "$python" -m venv "${venvs[$version]}"
  # shellcheck disable=SC2086
  "${venvs[$version]}/bin/pip" install "${pip_options[@]}" $requirements
done

# compile_library DEBIANS_ARCHITECTURE MACHINE: makes $place/prefix and what module_settings names
compile_library() {
  tools/dist/zig_toolchain.sh "$place/zig" "$1"
  cmake -S . -B "$place/library" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE="$place/zig/toolchain.cmake" \
    -DCMAKE_INSTALL_LIBDIR=lib -DWEIR_BUILD_COMMAND=OFF -DWEIR_BUILD_TESTS=OFF -DWEIR_BUILD_BENCH=OFF >/dev/null
  cmake --build "$place/library" --parallel "$jobs" --target weir_library
  cmake --install "$place/library" --prefix "$place/prefix" --component library >/dev/null
  # The module exports only what Python looks for, so that its libc++ stays its own.
  printf '{ global: PyInit__weir; local: *; };\n' >"$place/exports"
  module_settings=("CMAKE_TOOLCHAIN_FILE=$place/zig/toolchain.cmake" WEIR_INSTALLED=ON "weir_DIR=$place/prefix/lib/cmake/weir"
                   "CMAKE_MODULE_LINKER_FLAGS=-Wl,--version-script=$place/exports")
}

place=$build/amd64
compile_library amd64
for version in "${!venvs[@]}"; do
  venv=${venvs[$version]}
  nanobind=$("$venv/bin/python" -c "import pathlib, nanobind; print(pathlib.Path(nanobind.__file__).parent)")
  python3 tools/dist/make_sbom.py "$place/notices" "$SOURCE_DATE_EPOCH" --static "$place/zig" "$nanobind"
  rm -rf "$place/wheel-$version"
  settings=("build-dir=$place/module-$version" "${module_settings[@]/#/cmake.define.}")
  CMAKE_BUILD_PARALLEL_LEVEL=$jobs "$venv/bin/pip" wheel "${pip_options[@]}" --no-build-isolation --no-deps \
    --wheel-dir "$place/wheel-$version" "${settings[@]/#/--config-settings=}" .
  python3 tools/dist/finish_wheel.py "$place/wheel-$version"/*.whl "$folder" manylinux_2_17_x86_64.manylinux2014_x86_64 \
    "$place/notices" >/dev/null
done
ls -l "$folder"/*.whl
