#!/usr/bin/env bash
# Prints the path of a Python with headers, or nothing if there is none: find_python.sh VERSION FOLDER
# VERSION is like 3.12. Looks on PATH, among pyenv's versions, and among those that uv installed in FOLDER.
set -euo pipefail
for candidate in "python$1" python3 "$HOME/.pyenv/versions/$1".*/bin/python "$2/cpython-$1".*/bin/python3; do
  if "$candidate" -c "import pathlib, sys, sysconfig
right = '%d.%d' % sys.version_info[:2] == '$1' and not sysconfig.get_config_var('Py_GIL_DISABLED')
sys.exit(not (right and pathlib.Path(sysconfig.get_path('include'), 'Python.h').exists()))" 2>/dev/null; then
    command -v "$candidate"
    exit
  fi
done
