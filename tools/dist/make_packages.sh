#!/usr/bin/env bash
# Builds the command and the shared library with hardening, and makes packages of them: a tar.gz that can be unpacked
# anywhere, and Debian packages. Also makes the Python package's source distribution, which needs the package index PyPI:
# the package `build` and the build's own requirements come from there. Without PyPI this step is skipped.
# All dates in the packages are the commit's and files are sorted, so that a commit always makes the same packages.
# Usage: tools/dist/make_packages.sh BUILD_DIRECTORY FOLDER JOBS
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
jobs=$3
cd "$root"
SOURCE_DATE_EPOCH=$(git log -1 --format=%at 2>/dev/null || echo 0)
export SOURCE_DATE_EPOCH
umask 022

# The packages differ in where libraries are; what is compiled is the same.
cmake --preset dist -B "$build" -DCMAKE_INSTALL_LIBDIR=lib >/dev/null
cmake --build "$build" --parallel "$jobs"
name=weir-$(cat VERSION)-linux-$(uname -m)
rm -rf "$build/unpacked"
for component in command runtime library; do
  cmake --install "$build" --prefix "$build/unpacked/$name" --strip --component "$component" >/dev/null
done
# Not CPack, which does not sort the files of a tar.gz.
tar --create --sort=name --format=gnu --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
  --directory "$build/unpacked" "$name" | gzip -9n >"$folder/$name.tar.gz"
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
