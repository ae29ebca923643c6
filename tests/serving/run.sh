#!/usr/bin/env bash
# Tests weir's backends in vLLM and SGLang themselves. CI does not run it: it installs gigabytes from the package index.
# Usage: tests/serving/run.sh BUILD_DIRECTORY [PYTEST_ARGUMENT...]
# The exit status is 77 if the package index cannot be reached.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "$1" && pwd)
shift
environment=$build/serving-venv
cd "$root"

if [[ ! -e $environment/complete ]]; then
  python3 -m venv "$environment"
  "$environment/bin/python" tests/serving/install.py "$environment" || { echo "skipped: no packages"; exit 77; }
  touch "$environment/complete"
fi
tests/python/install_package.sh "$build" "$environment"

pytest=("$environment/bin/python" -m pytest -q -p no:cacheprovider)
"${pytest[@]}" tests/serving/test_{structural_tags,vllm,vllm_parsers,vllm_server}.py "$@"
PYTHONPATH=$environment/vllm "${pytest[@]}" tests/serving/test_vllm{,_parsers}.py "$@"
PYTHONPATH=$environment/sglang "${pytest[@]}" tests/serving/test_sglang{,_parsers}.py "$@"
