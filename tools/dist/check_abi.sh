#!/usr/bin/env bash
# Writes the binary interface of libweir.so, as libabigail describes it, and compares it with an older one:
# check_abi.sh BUILD_DIRECTORY NEW JOBS [OLD]
# NEW is written; OLD is a file that an earlier run wrote. Types that no public header has are left out. Programs built with
# the library of OLD must run with this one if both have the same soname, so any difference is then an error. Between two
# sonames the differences are shown only.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=$1
new=$2
jobs=$3
old=${4:-}
# Without optimisation, which does not change the interface, compilation takes a fraction of the time.
cmake -S . -B "$build" -G Ninja -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="-O0 -g" -DWEIR_BUILD_TESTS=OFF \
  -DWEIR_BUILD_BENCH=OFF -DWEIR_BUILD_COMMAND=OFF -DWEIR_BUILD_EXAMPLES=OFF >/dev/null
cmake --build "$build" --parallel "$jobs" --target weir_library
mkdir -p "$(dirname "$new")"
abidw --exported-interfaces-only --headers-dir include --drop-private-types --no-corpus-path --no-comp-dir-path \
  --no-show-locs --out-file "$new" "$build/libweir.so"
soname() { grep -oP "(?<=soname=')[^']*" "$1" | head -n 1; }
echo "$new: $(soname "$new"), $(stat -c %s "$new") bytes"
if [[ -z $old ]]; then
  echo "skipped: the comparison: no older interface is named"
  exit 0
fi
if [[ $(tail -n 1 "$old") != "</abi-corpus>" ]]; then  # abidiff takes a file that is cut off for an empty one
  echo "check_abi.sh: $old is not complete" >&2
  exit 1
fi
status=0
abidiff "$old" "$new" || status=$?
if ((status & 3)); then
  echo "check_abi.sh: abidiff could not compare $old" >&2
  exit 1
fi
if ((status)) && [[ $(soname "$old") == $(soname "$new") ]]; then
  echo "check_abi.sh: the interface differs from that of $old, which has the same soname: raise the minor version" >&2
  exit 1
fi
echo "1 passed, 0 failed"
