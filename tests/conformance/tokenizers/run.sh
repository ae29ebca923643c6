#!/bin/sh
# Compares weir's tokenizers with the original libraries: tests/conformance/tokenizers/run.sh [BUILD_DIRECTORY]
#
# Needs `dump_tokenizer`, built in BUILD_DIRECTORY (default: build). with_packages.sh installs
# tests/conformance/requirements.txt into BUILD_DIRECTORY/conformance-venv, which needs the package index once. If that
# fails, the tests are skipped.
set -eu

root=$(cd "$(dirname "$0")/../../.." && pwd)
build=${1:-$root/build}
build=$(cd "$build" && pwd)
dump=$build/tests/conformance/tokenizers/dump_tokenizer

if [ ! -x "$dump" ]; then
  echo "run.sh: $dump is not built: cmake --build $build --target dump_tokenizer" >&2
  exit 1
fi
cd "$root"
WEIR_DUMP_TOKENIZER=$dump exec tests/conformance/with_packages.sh "$build/conformance-venv" \
  "$root/tests/conformance/requirements.txt" -m pytest -q -p no:cacheprovider tests/conformance/tokenizers/python
