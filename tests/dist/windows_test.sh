#!/usr/bin/env bash
# Tries the packages for Windows in Wine: windows_test.sh FOLDER WORK_DIRECTORY BUILD_DIRECTORY
# FOLDER is what `make dist-all` made; BUILD_DIRECTORY is where tools/dist/make_cross.sh made it, with Python for Windows and
# the compiler. Without Wine nothing is tried. Prints "N passed" in its last line.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
here=$root/tests/dist
folder=$1
mkdir -p "$2"
work=$(cd "$2" && pwd)
build=$3
version=$(cat "$root/VERSION")
passed=0

if ! command -v wine >/dev/null; then
  echo "skipped: Wine is not here"
  echo "$passed passed"
  exit 0
fi
export WINEPREFIX=$work/wine WINEDEBUG=-all WINEARCH=win64 WINEDLLOVERRIDES="mscoree,mshtml="
wine wineboot --init >/dev/null 2>&1
trap 'wineserver --kill || true' EXIT

mkdir -p "$work/windows"
python3 -m zipfile -e "$folder/weir-$version-windows-x86_64.zip" "$work/windows"
prefix=$work/windows/weir-$version-windows-x86_64
printf '#!/bin/sh\nexec wine "%s/bin/weir.exe" "$@"\n' "$prefix" >"$work/weir"
chmod +x "$work/weir"
python3 "$here/smoke_command.py" "$work/weir"
# Names and arguments that no code page of Windows holds together.
mkdir "$work/日本 é"
printf '{"enum": ["日本", "é", "🦄"]}' >"$work/日本 é/schéma 语.json"
[[ $(printf '"🦄"' | "$work/weir" validate --schema "$work/日本 é/schéma 语.json" -) == *": accepted" ]]
[[ $("$work/weir" generate --regex 'é日本🦄' --count 1) == "é日本🦄" ]]
"$work/weir" index --regex '日' -o "$work/日本 é/索引.json"
python3 -m json.tool "$work/日本 é/索引.json" >/dev/null
printf 'a\r\nb' >"$work/lines"
[[ $("$work/weir" validate --regex 'a\r\nb' - <"$work/lines") == *": accepted" ]]  # bytes arrive as they are
passed=$((passed + 1))

# A program in C, with the library of the archive.
"$here/link_example.sh" "$prefix" "$build/windows-x86_64/zig" "$work/embed.exe"
cp "$prefix"/bin/*.dll "$work"
said=$(wine "$work/embed.exe" 7 | tr -d '\r')
[[ $said =~ ^(hello|good\ (morning|evening)),\ [A-Z][a-z]{2,7}!$ ]] || { echo "wrong output of embed.exe: $said"; exit 1; }
passed=$((passed + 1))

wheel=$folder/weir-$version-cp312-abi3-win_amd64.whl
[[ $(stat -c %s "$wheel") -le 3000000 ]]
cp -r "$build/cpython/org/bytedeco/cpython/windows-x86_64" "$work/python"
python3 "$here/python3_dll.py" "$work/python/libs/python3.lib" "$build/windows-x86_64/zig/bin/clang" "$work/python/python3.dll"
"$build/python-3.12/bin/pip" install --quiet --disable-pip-version-check --target "$work/python/lib/site-packages" --only-binary :all: --platform win_amd64 --implementation cp --abi cp312 --abi abi3 \
  --python-version 312 numpy==1.26.4 "$wheel"  # later versions of numpy call functions that Debian's Wine does not have
# Through a pipe: in Wine Python does not start if its output goes to a file.
(cd "$work" && wine python/python.exe "$here/smoke_python.py" 2>&1 | cat)
passed=$((passed + 1))
echo "$passed passed"
