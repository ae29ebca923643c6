#!/usr/bin/env bash
# Builds the command and the shared library with hardening, and makes packages of them: a tar.gz that can be unpacked
# anywhere, and Debian packages. Also makes the Python package's source distribution, which needs the package index PyPI:
# the package `build` and the build's own requirements come from there. Without PyPI this step is skipped.
# All dates in the packages are the commit's and files are sorted, so that a commit always makes the same packages.
# Usage: tools/dist/make_packages.sh BUILD_DIRECTORY FOLDER JOBS
set -euo pipefail
# shellcheck source=tools/dist/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh" "$1" "$2" "$3"

# The packages differ in where libraries are; what is compiled is the same.
cmake --preset dist -B "$build" -DCMAKE_INSTALL_LIBDIR=lib >/dev/null
cmake --build "$build" --parallel "$jobs"
name=weir-$version-linux-$(uname -m)
rm -rf "$build/unpacked"
for component in command runtime library; do
  cmake --install "$build" --prefix "$build/unpacked/$name" --strip --component "$component" >/dev/null
done
pack "$build/unpacked" "$name"
cmake --preset dist -B "$build" -DCMAKE_INSTALL_LIBDIR="lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)" >/dev/null
(cd "$build" && cpack -G DEB -B "$folder" >/dev/null)
rm -rf "$folder/_CPack_Packages"

tools=$build/python-tools
rm -f "$folder/weir-$version.tar.gz"  # one of an earlier run must not pass for this one
python3 -m venv "$tools"
if reach_pypi "$tools/bin/python" build==1.3.0; then
  "$tools/bin/python" -m build --sdist --outdir "$folder" . >/dev/null
else
  echo "skipped: the Python source distribution: PyPI cannot be reached"
fi
ls -l "$folder"/*.tar.gz "$folder"/*.deb
