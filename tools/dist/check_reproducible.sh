#!/usr/bin/env bash
# Makes the packages of the current commit a second time and compares them with those in FOLDER, which `make dist` made:
# check_reproducible.sh FOLDER WORK_DIRECTORY JOBS
# The second time differs in the folder, the time, the umask, the time zone and the language, and takes nothing from ccache.
# Exits with 1 if a package differs, is missing, or is left over in FOLDER.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(cd "$1" && pwd)
jobs=$3
if [[ -n $(git -C "$root" status --porcelain --untracked-files=no) ]]; then
  echo "check_reproducible.sh: there are changes that are not committed; the second build would not have them" >&2
  exit 1
fi
rm -rf "$2"
mkdir -p "$2"
again=$(cd "$2" && pwd)/a_folder_with_another_name
git clone --quiet --no-hardlinks "$root" "$again"

export CCACHE_DISABLE=1 TZ=Pacific/Chatham LC_ALL=C
umask 077
options=()
for wheel in "$folder"/*linux*.whl; do
  case $wheel in
    *_"$(uname -m)".whl | *'*linux*.whl') ;;
    *) options=(--all-architectures) ;;
  esac
done
"$again/tools/dist/make_packages.sh" "$again/build-dist/packages" "$again/dist" "$jobs" >/dev/null
"$again/tools/dist/make_wheels.sh" "$again/build-dist/wheels" "$again/dist" "$jobs" "${options[@]}" >/dev/null
systems=()
for archive in "$folder"/weir-*-windows-x86_64.zip "$folder"/weir-*-macos-*.tar.gz; do
  [[ ! -e $archive ]] || systems+=("$(grep -oE '(windows|macos)-(x86_64|arm64)' <<<"${archive##*/}")")
done
if [[ ${#systems[@]} != 0 ]]; then
  "$again/tools/dist/make_cross.sh" "$again/build-dist/wheels" "$again/dist" "$jobs" "${systems[@]}" >/dev/null
fi

(cd "$folder" && sha256sum ./*) >"$2/first"
(cd "$again/dist" && sha256sum ./*) >"$2/second"
if ! diff "$2/first" "$2/second"; then
  echo "check_reproducible.sh: the two builds of $(git -C "$root" log -1 --format=%h) differ" >&2
  exit 1
fi
cat "$2/first"
echo "$(wc -l <"$2/first") passed, 0 failed"
