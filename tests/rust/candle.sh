#!/usr/bin/env bash
# Builds rust/examples/candle and generates with data/model: tests/rust/candle.sh BUILD_DIRECTORY
# The library is the one that pkg-config finds, else that of tests/rust/run.sh BUILD_DIRECTORY. Needs 600 MB for candle.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$1"
build=$(cd "$1" && pwd)
export CARGO_TARGET_DIR=$build/candle CARGO_TERM_COLOR=never CARGO_PROFILE_DEV_DEBUG=0
if ! pkg-config --exists weir; then
  library=$(find "$build" -path '*/weir-sys-*/out/lib/libweir.a' -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d ' ' -f 2-)
  [[ -n $library ]] || { echo "no library: run tests/rust/run.sh $1 first, or install weir"; exit 1; }
  export PKG_CONFIG_PATH=${library%/lib/libweir.a}/lib/pkgconfig
fi
cd "$root/rust/examples/candle"
cargo fmt --check
cargo build --quiet --locked --features installed
passed=0
for schema in "$root"/examples/language_model/prompts/*.json; do
  "$build/candle/debug/weir-candle-example" "$root/data/model" "$schema" > "$build/candle/document.json"
  # The document must be JSON with the members that the schema requires.
  python3 - "$schema" "$build/candle/document.json" << 'PYTHON'
import json, sys
schema, document = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
missing = [name for name in schema.get("required", []) if name not in document]
sys.exit(f"{sys.argv[1]}: no member {missing}" if missing else 0)
PYTHON
  passed=$((passed + 1))
done
echo "$passed passed, 0 failed"
