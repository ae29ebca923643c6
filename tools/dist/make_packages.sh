#!/usr/bin/env bash
# Builds the command and the shared library with hardening, and makes packages of them: a tar.gz that can be unpacked
# anywhere, and Debian packages. Also makes the Python package's source distribution, which needs the package index PyPI:
# the package `build` and the build's own requirements come from there. Without PyPI this step is skipped.
# Usage: tools/dist/make_packages.sh BUILD_DIRECTORY FOLDER JOBS
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
jobs=$3
cd "$root"

# The packages differ in where libraries are; what is compiled is the same.
cmake --preset dist -B "$build" -DCMAKE_INSTALL_LIBDIR=lib >/dev/null
cmake --build "$build" --parallel "$jobs"
(cd "$build" && cpack -G TGZ -B "$folder" >/dev/null)
cmake --preset dist -B "$build" -DCMAKE_INSTALL_LIBDIR="lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)" >/dev/null
(cd "$build" && cpack -G DEB -B "$folder" >/dev/null)
rm -rf "$folder/_CPack_Packages"

tools=$build/python-tools
rm -f "$folder/weir-$(cat VERSION).tar.gz"  # one of an earlier run must not pass for this one
python3 -m venv "$tools"
# It is installed anew each time, which shows whether PyPI can be reached. If it cannot, pip finds no version at all.
if said=$("$tools/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --retries 1 --timeout 10 \
    build==1.3.0 2>&1); then
  "$tools/bin/python" -m build --sdist --outdir "$folder" . >/dev/null
elif [[ $said == *"from versions: none"* ]]; then
  echo "skipped: the Python source distribution: PyPI cannot be reached"
else
  echo "$said" >&2
  exit 1
fi
ls -l "$folder"/*.tar.gz "$folder"/*.deb
