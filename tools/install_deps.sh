#!/usr/bin/env bash
# Installs the Debian packages that building and testing weir needs, and prints their names. If all are installed, it
# does nothing and needs no root rights. Usage: tools/install_deps.sh [--clang | --dev] [--dist] [--cross] [--rust] [--wasm]
# [--browsers] [--abi] [--coverage] [--mutation]
#   --clang   also installs Clang, the runtime of its sanitizers: for `make tsan` and `make fuzz`.
#   --dev     also installs packages for developers: Clang, formatting, linting, regenerating tables and the default
#             tokenizer.
#   --dist    also installs packages for making and checking packages.
#   --cross   also installs packages for making packages for Windows and macOS, and for trying those for Windows.
#   --rust    also installs Rust, unless there is a cargo already.
#   --wasm    also installs the compiler for WebAssembly, and Node with npm unless there is a node already.
#   --abi     also installs libabigail's programs, which compare binary interfaces.
#   --coverage  also installs Clang with its runtimes and the programs that read its profiles.
#   --mutation  also installs Clang's module for the system's Python: for `make mutation`.
#   --browsers  also installs Chromium, Firefox and a font, for the tests of the playground.
set -euo pipefail

packages=(
  make cmake ninja-build g++ pkg-config python3 python3-dev python3-venv
  libcli11-dev libfmt-dev libexpected-dev libpcre2-dev nlohmann-json3-dev    # the library and the command
  libgtest-dev librapidcheck-dev libtomlplusplus-dev libsimdjson-dev         # the tests
  libbenchmark-dev                                                           # the benchmarks
)
for option in "$@"; do
  case $option in
    --clang) packages+=(clang-19 libclang-rt-19-dev) ;;
    --dev) packages+=(clang-19 libclang-rt-19-dev clang-format-14 clang-tidy-19 unicode-data) ;;
    --dist) packages+=(dpkg-dev file lintian man-db qemu-user-static) ;;
    --cross) packages+=(maven wine wine64) ;;
    --coverage) packages+=(clang-19 libclang-rt-19-dev llvm-19) ;;
    --mutation) packages+=(python3-clang-19) ;;
    --rust) command -v cargo > /dev/null || packages+=(cargo-web rustc-web rustfmt-web) ;;
    --wasm)
      # Debian 12's updates have version 22; without them 19 is the newest that has a C++ library for WebAssembly.
      clang=22
      apt-cache show "clang-$clang" > /dev/null 2>&1 || clang=19
      packages+=("clang-$clang" "lld-$clang" "libc++-$clang-dev-wasm32" "libc++abi-$clang-dev-wasm32"
                 "libclang-rt-$clang-dev-wasm32" wasi-libc binaryen dpkg-dev)
      command -v node > /dev/null || packages+=(nodejs npm)
      ;;
    --abi) packages+=(abigail-tools) ;;
    --browsers)
      packages+=(firefox-esr fonts-dejavu-core)
      command -v chromium > /dev/null || packages+=(chromium)
      ;;
    *)
      echo "install_deps: unknown option $option" >&2
      exit 2
      ;;
  esac
done

if ! command -v dpkg-query >/dev/null; then
  echo "install_deps: this is no Debian system; install the equivalents of: ${packages[*]}" >&2
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [[ "$status" == "install ok installed" ]] || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
  exit 0
fi

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "install_deps: missing: ${missing[*]}" >&2
    echo "install_deps: neither root nor sudo; ask an administrator for: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "install_deps: installing ${missing[*]}"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq update
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Dpkg::Use-Pty=0 install --no-install-recommends \
  "${missing[@]}" > /dev/null  # discards dpkg's progress; errors go to standard error
