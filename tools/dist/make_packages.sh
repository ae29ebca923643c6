#!/usr/bin/env bash
# Builds the command and the shared library with hardening, and makes packages of them: a tar.gz that can be unpacked
# anywhere, and Debian packages. Also makes the Python package's source distribution, by PyPI's package `build`.
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
if ! "$tools/bin/python" -c "import build" 2>/dev/null; then
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check build==1.3.0
fi
"$tools/bin/python" -m build --sdist --outdir "$folder" . >/dev/null
ls -l "$folder"/*.tar.gz "$folder"/*.deb
