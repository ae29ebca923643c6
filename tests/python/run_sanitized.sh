#!/usr/bin/env bash
# Tests the Python package with its extension module under AddressSanitizer, in a Python that is not built with it.
# Usage: tests/python/run_sanitized.sh BUILD_DIRECTORY COMPILER_FLAGS
# COMPILER_FLAGS are those of the build. The exit status is 77 if the package index cannot be reached.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "$1" && pwd)
flags=$2
environment=$build/python-venv
package=$build/python-package
cd "$root"

status=0
tests/conformance/with_packages.sh "$environment" tests/python/requirements.txt -c pass || status=$?
[[ $status == 0 ]] || exit "$status"
rm -rf "$build/python-library" "$package"
for component in library runtime; do
  cmake --install "$build" --prefix "$build/python-library" --component "$component" >/dev/null
done
cmake -S python -B "$build/python-sanitized" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g1" -DCMAKE_CXX_FLAGS="$flags" \
  -DWEIR_INSTALLED=ON -Dweir_DIR="$(dirname "$(find "$build/python-library" -name weirConfig.cmake)")" \
  -Dnanobind_DIR="$("$environment/bin/python" -m nanobind --cmake_dir)" \
  -DPython_EXECUTABLE="$environment/bin/python" >/dev/null
cmake --build "$build/python-sanitized" --target _weir >/dev/null
mkdir -p "$package/weir"
cp -r python/weir/. "$package/weir"
cp "$build"/python-sanitized/_weir*.so "$package/weir"

# The sanitizer's runtime must be loaded first, together with the C++ library whose exceptions it intercepts. Leaks are
# not detected, because Python itself never frees some memory.
preload=$(ldd "$package"/weir/_weir*.so | awk '/libasan|libstdc/ { print $3 }' | xargs)
exec env ASAN_OPTIONS=detect_leaks=0 PYTHONPATH="$package" LD_PRELOAD="$preload" \
  "$environment/bin/python" -m pytest -q -p no:cacheprovider tests/python --ignore tests/python/test_sdist.py \
  `# calls nothing that other tests do not call` --ignore tests/python/test_cookbook.py \
  `# thousands of schemas, patterns and masks, which show what the engine does, not the module` \
  --deselect tests/python/test_strict_schema.py::test_random_schemas \
  --deselect tests/python/test_regex_dialect.py::test_random_patterns \
  --deselect tests/python/test_matcher.py::test_masks_after_a_limit_are_those_without
