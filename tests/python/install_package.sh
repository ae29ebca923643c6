#!/usr/bin/env bash
# Builds the Python package with the library of a build, and installs it into a virtual environment with nanobind and
# scikit-build-core. The library is left in BUILD_DIRECTORY/python-library.
# Usage: tests/python/install_package.sh BUILD_DIRECTORY ENVIRONMENT
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1
environment=$2
library=$build/python-library
rm -rf "$library"
cmake --install "$build" --prefix "$library" --component library >/dev/null
"$environment/bin/pip" install --quiet --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall \
  "$root" --config-settings=build-dir="$environment-build" \
  --config-settings=cmake.define.WEIR_INSTALLED=ON \
  --config-settings=cmake.define.weir_DIR="$(dirname "$(find "$library" -name weirConfig.cmake)")"
