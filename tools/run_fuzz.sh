#!/bin/bash
# Runs every fuzzer of a build for some seconds: tools/run_fuzz.sh BUILD_DIRECTORY SECONDS [TARGET...]
# New inputs are stored in the build directory; tests/fuzz/corpus is only read. Prints how many inputs each fuzzer ran, and
# its processor time; `grep "processor time"` of the output of several calls is what docs/testing.md sums up. One input may
# take FUZZ_TIMEOUT seconds by the clock, 20 unless that is set: more where the machine is busy. Exit status: that of the
# last fuzzer that failed, or 0.
set -u
build=$1
seconds=$2
shift 2
root=$(cd "$(dirname "$0")/.." && pwd)
status=0
if [ $# -eq 0 ]; then
  for program in "$build"/tests/fuzz/fuzz_*; do
    [ -x "$program" ] && [ -f "$program" ] && set -- "$@" "$(basename "$program" | sed s/^fuzz_//)"
  done
fi
for target in "$@"; do
  corpus=$target
  case $target in structured_* | oracle) corpus=structured ;; esac
  mkdir -p "$build/corpus/$target"
  echo "== $target"
  TIMEFORMAT="processor time of $target: %U s user, %S s system"
  time "$build/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -max_len=2048 -timeout="${FUZZ_TIMEOUT:-20}" \
    -rss_limit_mb=2048 -print_final_stats=1 -print_funcs=0 -verbosity=0 -artifact_prefix="$build/$target-" \
    "$build/corpus/$target" "$root/tests/fuzz/corpus/$corpus" || status=$?
done
exit $status
