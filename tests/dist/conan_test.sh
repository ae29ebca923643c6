#!/usr/bin/env bash
# Runs the recipe in packaging/conan with Conan's client from PyPI, for a static and a shared library; the recipe's test_package
# builds the examples with each: conan_test.sh WORK_DIRECTORY JOBS
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$1"
work=$(cd "$1" && pwd)
export CONAN_HOME=$work/home
conan=$work/venv/bin/conan
rm -rf "$CONAN_HOME"
[[ -x $conan ]] || python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check conan==2.34.0
"$conan" profile detect -vquiet
for package in pcre2/10.42 tl-expected/1.1.0; do
  "$conan" create "$root/tests/dist/conan_system" --name "${package%/*}" --version "${package#*/}" --no-remote -vquiet
done
# A debug build, which is compiled in a fraction of the time.
for shared in False True; do
  "$conan" create "$root/packaging/conan" --no-remote --settings compiler.cppstd=20 --settings build_type=Debug \
    --options "weir/*:shared=$shared" --conf "tools.cmake.cmake_layout:test_folder=$work/test_package" \
    --conf tools.cmake.cmaketoolchain:generator=Ninja --conf "tools.build:jobs=$2"
done
echo "2 passed, 0 failed"
