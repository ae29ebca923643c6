#!/usr/bin/env bash
# Prints the path of a Python with headers, or nothing if there is none: find_python.sh VERSION FOLDER [--self-contained]
# VERSION is like 3.12. Looks on PATH, among pyenv's versions, and among those that uv installed in FOLDER.
# --self-contained: only one whose headers are all in its own folder. Debian's pyconfig.h includes one of another folder, for
# the machine's architecture, which a compiler for another machine or another C library does not look into.
set -euo pipefail
for candidate in "python$1" python3 "$HOME/.pyenv/versions/$1".*/bin/python "$2/cpython-$1".*/bin/python3; do
  if "$candidate" -c "import pathlib, sys, sysconfig
right = '%d.%d' % sys.version_info[:2] == '$1' and not sysconfig.get_config_var('Py_GIL_DISABLED')
headers = pathlib.Path(sysconfig.get_path('include'))
right = right and (headers / 'Python.h').exists()
if right and '${3:-}':
  right = '-linux-gnu/python' not in (headers / 'pyconfig.h').read_text()
sys.exit(not right)" 2>/dev/null; then
    command -v "$candidate"
    exit
  fi
done
