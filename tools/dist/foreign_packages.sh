#!/usr/bin/env bash
# Unpacks Debian packages of any architecture into FOLDER/sysroot:
# foreign_packages.sh FOLDER ARCHITECTURE [--with-dependencies] PACKAGE...
# The packages themselves stay in FOLDER/apt/packages. They come from the package sources of this machine. apt works as if
# this were a machine of that architecture with nothing installed.
set -euo pipefail
mkdir -p "$1/apt"
folder=$(cd "$1" && pwd)
apt=$folder/apt
architecture=$2
shift 2
mkdir -p "$apt/lists/partial" "$apt/archives/partial"
rm -rf "$apt/packages" "$folder/sysroot"
mkdir "$apt/packages"
: >"$apt/status"
options=(-qq --yes -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture" -o "Dir::State::status=$apt/status"
         -o "Dir::State::lists=$apt/lists" -o "Dir::State::extended_states=$apt/extended_states"
         -o "Dir::Cache::archives=$apt/archives" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=
         -o Debug::NoLocking=1 -o APT::Install-Recommends=0)
apt-get "${options[@]}" update
if [[ $1 == --with-dependencies ]]; then
  apt-get "${options[@]}" install --download-only "${@:2}"
  mv "$apt/archives"/*.deb "$apt/packages"
else
  (cd "$apt/packages" && apt-get "${options[@]}" download "$@")
fi
for package in "$apt/packages"/*.deb; do dpkg-deb -x "$package" "$folder/sysroot"; done
