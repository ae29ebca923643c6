#!/bin/sh
# Compares weir's tokenizers with the original libraries: tests/conformance/tokenizers/run.sh [BUILD_DIRECTORY]
#
# Needs `dump_tokenizer` built there (default: build), Python 3.9 or later, and once the package index, from which it
# installs tests/conformance/requirements.txt into BUILD_DIRECTORY/conformance-venv. Ends with 77 where that fails, which
# test drivers take for "skipped".
set -eu

root=$(cd "$(dirname "$0")/../../.." && pwd)
build=${1:-$root/build}
build=$(cd "$build" && pwd)
venv=$build/conformance-venv
requirements=$root/tests/conformance/requirements.txt
dump=$build/tests/conformance/tokenizers/dump_tokenizer

if [ ! -x "$dump" ]; then
  echo "run.sh: $dump is not built: cmake --build $build --target dump_tokenizer" >&2
  exit 1
fi
if ! cmp -s "$requirements" "$venv/installed.txt"; then
  if ! { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --disable-pip-version-check \
      --retries 0 --timeout 5 -r "$requirements"; }; then
    echo "skipped: original_tokenizers: the packages of tests/conformance/requirements.txt cannot be had"
    exit 77
  fi
  cp "$requirements" "$venv/installed.txt"
fi
cd "$root"
WEIR_DUMP_TOKENIZER=$dump exec "$venv/bin/python" -m pytest -q -p no:cacheprovider tests/conformance/tokenizers/python
