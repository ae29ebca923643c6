#!/usr/bin/env bash
# Makes the documentation site in BUILD_DIRECTORY/site and installs the packages that it needs in a virtual environment
# there. Usage: make_site.sh BUILD_DIRECTORY. Exits with 77 if the package index cannot be reached.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "$1" && pwd)
environment=$build/docs-venv
cd "$root"

status=0
tests/conformance/with_packages.sh "$environment" tools/docs/requirements.txt -c pass || status=$?
[[ $status == 0 ]] || exit "$status"

# The Python reference is made from the stub that nanobind generates from the extension module. The stub is made here
# unless tests/python/run.sh has made it.
stub=
for made in "$build/python-venv-build/_weir.pyi" "$build/docs-stub/_weir.pyi"; do
  [[ -f $made && -z $(find python/src -newer "$made") ]] && stub=$made
done
if [[ -z $stub ]]; then
  stub=$build/docs-stub/_weir.pyi
  rm -rf "$build/docs-library"
  cmake --install "$build" --prefix "$build/docs-library" --component library >/dev/null
  cmake -S python -B "$build/docs-stub" -DCMAKE_BUILD_TYPE=Release -DWEIR_INSTALLED=ON \
    -Dweir_DIR="$(dirname "$(find "$build/docs-library" -name weirConfig.cmake)")" \
    -Dnanobind_DIR="$("$environment/bin/python" -m nanobind --cmake_dir)" \
    -DPython_EXECUTABLE="$environment/bin/python" >/dev/null
  cmake --build "$build/docs-stub" >/dev/null
fi
"$environment/bin/python" tools/docs/make_site.py "$build" "$stub"
echo "the site is $build/site/index.html"
