#!/bin/sh
# Runs Python with packages from the package index: with_packages.sh DIRECTORY REQUIREMENTS PYTHON_ARGUMENT...
#
# The first call makes DIRECTORY a virtual environment with the packages that the file REQUIREMENTS lists. Later calls
# do not need the package index. Needs Python 3.9 or later. If the packages are not available, the exit status is 77,
# which test drivers report as "skipped".
set -eu

venv=$1
requirements=$2
shift 2
if ! cmp -s "$requirements" "$venv/installed.txt"; then
  if ! { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --disable-pip-version-check \
      --retries 0 --timeout 5 -r "$requirements"; }; then
    echo "skipped: the packages of $requirements cannot be had"
    exit 77
  fi
  cp "$requirements" "$venv/installed.txt"
fi
exec "$venv/bin/python" "$@"
