#!/usr/bin/env bash
# Installs each package of a folder into an empty place and tries it there: tests/dist/run.sh FOLDER WORK_DIRECTORY
# FOLDER is what `make dist` made. Masks must equal tests/dist/masks.json.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(cd "$1" && pwd)
rm -rf "$2"
mkdir -p "$2"
work=$(cd "$2" && pwd)
here=$root/tests/dist
version=$(cat "$root/VERSION")
passed=0

say() { echo "== $*"; }
pass() { passed=$((passed + 1)); }

say "tar.gz"
mkdir "$work/tar"
tar -xzf "$folder/weir-$version-linux-$(uname -m).tar.gz" -C "$work/tar"
mv "$work"/tar/weir-* "$work/anywhere"
python3 "$here/smoke_command.py" "$work/anywhere/bin/weir"
grep -q pkg-config "$work/anywhere/README.md"
python3 -m json.tool "$work/anywhere/share/doc/weir/weir.spdx.json" >/dev/null
for package in nlohmann-json3-dev libexpected-dev libcli11-dev unicode-data; do
  grep -q "^$package " "$work/anywhere/share/doc/weir/third_party_notices.txt"
done
CC=${CC:-cc} CXX=${CXX:-c++} "$root/tests/install/install_test.sh" --prefix "$work/anywhere" "$work/from_tar"
pass

say "Debian packages"
debs=("$folder"/*.deb)
[[ ${#debs[@]} == 3 ]]
lintian --fail-on error,warning --suppress-tags-from-file "$here/lintian_tags" "${debs[@]}"
apt-get install --simulate --quiet=2 "${debs[@]}" >/dev/null  # what they depend on is in Debian
for deb in "${debs[@]}"; do dpkg-deb -x "$deb" "$work/debian"; done
python3 "$here/smoke_command.py" "$work/debian/usr/bin/weir"
[[ $(man -l "$work/debian/usr/share/man/man1/weir-mask.1.gz" 2>&1 | grep -c -- '--schema FILE') -ge 1 ]]
bash -c ". '$work/debian/usr/share/bash-completion/completions/weir'; COMP_WORDS=(weir mask --sche); COMP_CWORD=2; _weir; \
  [[ \${COMPREPLY[*]} == *--schema* ]]"
CC=${CC:-cc} CXX=${CXX:-c++} "$root/tests/install/install_test.sh" --prefix "$work/debian/usr" "$work/from_debian"
pass

# Tries another machine's wheel in qemu, with the Python that Debian has for that machine.
try_foreign() {
  local name tag architecture machine place=$work/foreign
  name=$(basename "$1" .whl)
  tag=cp$(/usr/bin/python3 -c "import sys; print('%d%d' % sys.version_info[:2])")
  case $name in
    *_aarch64) architecture=arm64 machine=aarch64 ;;
    *_x86_64) architecture=amd64 machine=x86_64 ;;
  esac
  if [[ $name != *-"$tag"-* ]]; then
    echo "not tried: Debian has no Python of this version"
    return
  fi
  "$root/tools/dist/foreign_packages.sh" "$place" "$architecture" --with-dependencies python3-minimal libpython3-stdlib \
    libstdc++6  # numpy needs it
  "$tools/bin/pip" install --quiet --disable-pip-version-check --target "$place/packages" --only-binary :all: \
    --platform "manylinux_2_28_$machine" --platform "manylinux2014_$machine" --implementation cp --abi "$tag" \
    --python-version "${tag#cp}" "$1"
  (cd "$work" && PYTHONPATH=$place/packages "qemu-$machine-static" -L "$place/sysroot" "$place/sysroot/usr/bin/python3" \
    "$here/smoke_python.py")
  pass
}

say "wheels"
tools=$work/tools
wheels=()
for wheel in "$folder"/*linux*.whl; do [[ -e $wheel ]] && wheels+=("$wheel"); done
if [[ ${#wheels[@]} == 0 ]]; then
  echo "skipped: the folder has none; \`make dist\` makes them if PyPI can be reached"
else
  python3 -m venv "$tools"
  if ! said=$("$tools/bin/pip" install --quiet --disable-pip-version-check auditwheel==6.8.2 abi3audit==0.0.26 2>&1); then
    [[ $said == *"from versions: none"* ]] || { echo "$said" >&2; exit 1; }
    echo "skipped: the wheels: PyPI cannot be reached"
    wheels=()
  fi
fi
for wheel in "${wheels[@]}"; do
  name=$(basename "$wheel" .whl)
  echo "$name: $(stat -c %s "$wheel") bytes"
  [[ $(stat -c %s "$wheel") -le 3000000 ]]
  platform=${name##*-}
  "$tools/bin/auditwheel" show "$wheel" | tr '\n' ' ' | grep -q "platform tag: *\"${platform%%.*}\""
  if [[ $name == *-abi3-* ]]; then
    "$tools/bin/abi3audit" --strict "$wheel"
    pythons=(3.12 3.13 3.14)
  else
    pythons=("3.$(grep -oP '(?<=-cp3)[0-9]+' <<<"$name" | head -n 1)")
  fi
  if [[ $platform != *"_$(uname -m)" ]]; then
    try_foreign "$wheel"
    continue
  fi
  for python_version in "${pythons[@]}"; do
    python=$("$root/tools/dist/find_python.sh" "$python_version" "$root/build-dist/wheels/pythons")
    if [[ -z $python ]]; then
      echo "not tried with Python $python_version, which is not here"
      continue
    fi
    venv=$work/python-$python_version
    "$python" -m venv "$venv"
    # Nothing but this Python is on the path: no compiler, no CMake.
    PATH=$venv/bin pip install --quiet --disable-pip-version-check --only-binary :all: "$wheel"
    (cd "$work" && PATH=$venv/bin python "$here/smoke_python.py")
    pass
  done
done

say "Windows"
if [[ -e $folder/weir-$version-windows-x86_64.zip ]]; then
  said=$("$here/windows_test.sh" "$folder" "$work/windows" "$root/build-dist/wheels" | tee /dev/stderr)
  passed=$((passed + $(sed -n 's/^\([0-9]*\) passed$/\1/p' <<<"$said")))
else
  echo "skipped: the folder has none; \`make dist-all\` makes them"
fi

say "macOS"
for system in macos-x86_64 macos-arm64; do
  archive=$folder/weir-$version-$system.tar.gz
  if [[ ! -e $archive ]]; then
    echo "skipped: the folder has none for $system; \`make dist-all\` makes them"
    continue
  fi
  [[ -x $tools/bin/python ]] || python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check lief==1.0.0 abi3audit==0.0.26
  mkdir "$work/$system"
  tar -xzf "$archive" -C "$work/$system" --strip-components=1
  python3 -m json.tool "$work/$system/weir.spdx.json" >/dev/null
  "$here/link_example.sh" "$work/$system" "$root/build-dist/wheels/$system/zig" "$work/embed-$system"
  wheel=$folder/weir-$version-cp312-abi3-macosx_11_0_${system#*-}.whl
  [[ $(stat -c %s "$wheel") -le 3000000 ]]
  "$tools/bin/abi3audit" --strict "$wheel"
  "$tools/bin/python" "$here/inspect_macos.py" "$system" "$work/$system" "$wheel" "$work/embed-$system"
  pass
done

say "source distribution"
if [[ ! -e $folder/weir-$version.tar.gz ]]; then
  echo "skipped: the folder has none; \`make dist\` makes it if PyPI can be reached"
  echo "$passed passed, 0 failed"
  exit 0
fi
# It is unpacked and built within the work directory, where objects of an earlier build may be found by ccache.
mkdir "$work/tmp"
python3 -m venv "$work/venv"
TMPDIR=$work/tmp "$work/venv/bin/pip" install --quiet --disable-pip-version-check "$folder/weir-$version.tar.gz"
(cd "$work" && venv/bin/python "$here/smoke_python.py")
pass

echo "$passed passed, 0 failed"
