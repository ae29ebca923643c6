#!/usr/bin/env bash
# Makes the Python package's wheels for Linux with glibc 2.17 or later, which need no compiler, no C++ library and no PCRE2
# where they are installed: tools/dist/make_wheels.sh BUILD_DIRECTORY FOLDER JOBS [--all-architectures]
# They are for this machine's architecture; with --all-architectures for x86-64 and AArch64, which takes twice as long.
#
# The library is compiled once for an architecture, the extension module once for each of Python 3.10, 3.11 and 3.12; the
# wheel of the last is for all later versions too. A Python that is not on this machine is downloaded by uv; a version that
# cannot be had is named, and the others' wheels are made.
# Needs the package index PyPI, without which this step is skipped; Debian's mirror, for its static PCRE2; and for Pythons
# that are not here the place that uv downloads them from.
set -euo pipefail
# shellcheck source=tools/dist/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh" "$1" "$2" "$3"
others=${4:-}
rm -f "$folder"/*.whl

pip_options=(--quiet --disable-pip-version-check)
uv=$build/uv
python3 -m venv "$uv"
if ! reach_pypi "$uv/bin/python" uv==0.13.9; then
  echo "skipped: the wheels: PyPI cannot be reached"
  exit 0
fi

requirements=$(sed -n 's/^requires = \[\(.*\)\]$/\1/p' pyproject.toml | tr -d '",')
declare -A venvs  # by release, with what building needs
for release in 3.10 3.11 3.12; do
  python=$(tools/dist/find_python.sh "$release" "$build/pythons" --self-contained)
  if [[ -z $python ]] && "$uv/bin/uv" --quiet python install --no-bin --install-dir "$build/pythons" "$release" 2>/dev/null; then
    python=$(tools/dist/find_python.sh "$release" "$build/pythons" --self-contained)
  fi
  if [[ -z $python ]]; then
    echo "no wheel for Python $release: it is not here, and uv cannot download it"
    continue
  fi
  venvs[$release]=$build/python-$release
  "$python" -m venv "${venvs[$release]}"
  # shellcheck disable=SC2086
  "${venvs[$release]}/bin/pip" install "${pip_options[@]}" $requirements
done

if [[ ${#venvs[@]} == 0 ]]; then
  echo "make_wheels.sh: none of Python 3.10, 3.11 and 3.12 is here with its headers, and uv cannot download one" >&2
  exit 1
fi

# make_wheels MACHINE: of this machine's architecture first, since others take the stub from it
make_wheels() {
  local release venv nanobind settings suffix
  use_zig "linux-$1"
  configure_library -DWEIR_BUILD_COMMAND=OFF
  install_static_library
  # The module exports only what Python looks for, so that its libc++ stays its own.
  printf '{ global: PyInit__weir; local: *; };\n' >"$place/exports"
  for release in "${!venvs[@]}"; do
    venv=${venvs[$release]}
    nanobind=$("$venv/bin/python" -c "import pathlib, nanobind; print(pathlib.Path(nanobind.__file__).parent)")
    python3 tools/dist/make_sbom.py "$place/notices" "$SOURCE_DATE_EPOCH" --toolchain "$place/zig" --nanobind "$nanobind"
    settings=("cmake.define.CMAKE_TOOLCHAIN_FILE=$place/zig/toolchain.cmake" cmake.define.WEIR_INSTALLED=ON
              "cmake.define.weir_DIR=$place/prefix/lib/cmake/weir"
              "cmake.define.CMAKE_MODULE_LINKER_FLAGS=-Wl,--gc-sections,--version-script=$place/exports"
              "build-dir=$place/module-$release" install.strip=false)  # the linker strips
    suffix=''
    if [[ $1 != "$host" ]]; then
      settings+=("cmake.define.WEIR_STUB=$build/linux-$host/module-$release/_weir.pyi")
      # In place of this machine's; the wheel for 3.12 and later has a module whose name says no machine.
      [[ $release == 3.12 ]] || suffix=.cpython-${release/./}-$1-linux-gnu.so
    fi
    rm -rf "$place/wheel-$release"
    SETUPTOOLS_EXT_SUFFIX=$suffix CMAKE_BUILD_PARALLEL_LEVEL=$jobs "$venv/bin/pip" wheel "${pip_options[@]}" \
      --no-build-isolation --no-deps --wheel-dir "$place/wheel-$release" "${settings[@]/#/--config-settings=}" .
    python3 tools/dist/finish_wheel.py "$place/wheel-$release"/*.whl "$folder" "manylinux_2_17_$1.manylinux2014_$1" "$place/notices"
  done
}

host=$(uname -m)
case $host in
  x86_64) other=aarch64 ;;
  aarch64) other=x86_64 ;;
  *) echo "make_wheels.sh: wheels are made on x86-64 and AArch64" >&2; exit 1 ;;
esac
make_wheels "$host"
[[ $others != --all-architectures ]] || make_wheels "$other"
ls -l "$folder"/*.whl
