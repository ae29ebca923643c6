#!/usr/bin/env bash
# Downloads and unpacks Debian's source package of PCRE2, and prints the folder with its sources. If it is there already,
# only prints. Usage: fetch_pcre2.sh FOLDER
set -euo pipefail

folder=$1
found() { find "$folder" -maxdepth 3 -name 'pcre2.h.generic' -printf '%h\n' 2>/dev/null | head -n 1 | sed 's,/src$,,'; }

if [[ -z "$(found)" ]]; then
  # Package lists for this script alone, because most machines have no lists of source packages.
  mkdir -p "$folder/lists/partial"
  folder=$(cd "$folder" && pwd)
  # The lists come from the sites from which this machine takes its packages. Only the release itself is listed, because mirrors
  # of its updates may have no source packages.
  release=$(. /etc/os-release && echo "${VERSION_CODENAME}")
  apt-get indextargets --format 'deb-src $(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Component: main' |
    awk -v release="$release" '$3 == release' | sort -u > "$folder/debian.list"
  options=(-qq -o "Dir::Etc::sourcelist=$folder/debian.list" -o Dir::Etc::sourceparts=-
           -o "Dir::State::lists=$folder/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=
           -o APT::Sandbox::User=)
  cd "$folder"
  apt-get "${options[@]}" update >&2
  apt-get "${options[@]}" source --download-only pcre2 >&2
  tar -xzf pcre2_*.orig.tar.gz
fi
found
