#!/usr/bin/env bash
# Tests the Rust crates as a user gets them: tests/rust/run.sh BUILD_DIRECTORY
# The package of weir-sys is made, unpacked and built, which compiles the library once; all other steps link that library.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$1"
build=$(cd "$1" && pwd)
export CARGO_TARGET_DIR=$build CARGO_TERM_COLOR=never
export CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_TEST_DEBUG=0
say() { echo "== $*"; }
cd "$root/rust"

say "formatting"
cargo fmt --check || { echo "cargo fmt"; exit 1; }

say "package weir-sys"
cargo package --quiet --package weir-sys --allow-dirty
# Which folder of the build it is in depends on cargo's version.
library=$(find "$build" -path '*/weir-sys-*/out/lib/libweir.a' -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d ' ' -f 2-)
[[ -n $library ]] || { echo "the package was built, but its library is not found"; exit 1; }
prefix=${library%/lib/libweir.a}
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig

features=installed,serde,half,tokenizers
say "tests"
cargo test --workspace --features "$features" 2>&1 | tee "$build/tests.log"

say "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --quiet --workspace --no-deps --features "$features"

say "lints"
if cargo clippy --version >/dev/null 2>&1; then
  cargo clippy --quiet --workspace --all-targets --features "$features" -- -D warnings
else
  echo "not run: there is no cargo clippy"
fi

say "packages"
cargo package --quiet --workspace --allow-dirty --features weir/installed,weir-sys/installed

awk '/^test result: ok/ { passed += $4 } END { print passed " passed, 0 failed" }' "$build/tests.log"
