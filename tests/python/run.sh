#!/usr/bin/env bash
# Builds the Python package with the library of a build, installs it into a virtual environment and tests it there.
# Usage: tests/python/run.sh BUILD_DIRECTORY [--integrations] [PYTEST_ARGUMENT...]
#     --integrations   runs only the tests that need torch, transformers and llama-cpp-python, in a separate environment
# The exit status is 77 if the package index cannot be reached.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "$1" && pwd)
shift
environment=$build/python-venv
requirements=tests/python/requirements.txt
tests=(tests/python)
if [[ ${1:-} == --integrations ]]; then
  shift
  environment=$build/integrations-venv
  requirements=tests/python/requirements_integrations.txt
  tests=(-rs tests/python/test_{bad_input,compat_callers,compat_llguidance,compat_models,compat_names}.py)
  tests+=(tests/python/test_{compat_xgrammar,docs,language_model,llama_cpp,outlines,response_templates,torch,transformers}.py)
fi
cd "$root"

status=0
tests/conformance/with_packages.sh "$environment" "$requirements" -c pass || status=$?
[[ $status == 0 ]] || exit "$status"
tests/python/install_package.sh "$build" "$environment"

# Checks that the package is fully typed and that the stubs accept the uses in typed_use.py.
mypy=("$environment/bin/mypy" --config-file pyproject.toml --cache-dir "$build/mypy-cache")
"${mypy[@]}" -p weir
"${mypy[@]}" tests/python/typed_use.py
# The installed library, with which tests build C programs.
export WEIR_LIBRARY=$build/python-library
exec "$environment/bin/python" -m pytest -q -p no:cacheprovider "${tests[@]}" "$@"
