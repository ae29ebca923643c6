#!/usr/bin/env python3
"""Inspects the packages for macOS, which nothing here can run: inspect_macos.py SYSTEM ARCHIVE_FOLDER WHEEL EMBED

SYSTEM is macos-x86_64 or macos-arm64, ARCHIVE_FOLDER the unpacked archive, EMBED a C program that was linked to its library. For
each program and library: the processor, the oldest macOS, the libraries it needs, what it exports, where each name that it
imports is looked up, and on arm64 the signature, without which macOS ends a program. Needs the Python package lief.
"""

import hashlib
import pathlib
import struct
import sys
import tempfile
import zipfile

import lief

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "cmake"))
from exports import functions  # noqa: E402

VERSION = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
INSTALL_NAME = f"@rpath/libweir.{VERSION.rpartition('.')[0]}.dylib"
SYSTEM_LIBRARY = "/usr/lib/libSystem.B.dylib"
LINKERS = {"__mh_dylib_header", "__mh_execute_header", "___dso_handle"}  # names of the file's start, which a linker adds
CODE_DIRECTORY = 0xFADE0C02


def check_signature(binary, data):
    """Compares the hash of each page with the signature, of the form that Apple's cs_blobs.h describes."""
    command = binary.code_signature
    blob = data[command.data_offset:command.data_offset + command.data_size]
    _, _, count = struct.unpack_from(">III", blob)
    offsets = [struct.unpack_from(">II", blob, 12 + 8 * i)[1] for i in range(count)]
    (start,) = [offset for offset in offsets if struct.unpack_from(">I", blob, offset)[0] == CODE_DIRECTORY]
    _, _, _, flags, hashes, _, _, slots, limit, size, kind, _, page = struct.unpack_from(">IIIIIIIIIBBBB", blob, start)
    assert flags & 2, "not an ad-hoc signature"
    assert (size, kind) == (32, 2), "not SHA-256"
    assert limit == command.data_offset and slots == -(-limit // (1 << page)), "the signature does not cover the file"
    for i in range(slots):
        expected = blob[start + hashes + 32 * i:start + hashes + 32 * (i + 1)]
        found = hashlib.sha256(data[i << page:min(limit, (i + 1) << page)]).digest()
        assert found == expected, f"page {i} was changed after signing"


def inspect(system, path, file_type, exported, needed):
    """Inspects one file. `needed` are the libraries it is linked to; with None, Python's names may be looked up everywhere."""
    data = path.read_bytes()
    binaries = lief.MachO.parse(str(path))
    assert len(binaries) == 1, f"{path}: more than one processor"
    binary = binaries.at(0)
    assert binary.header.cpu_type.name == {"macos-arm64": "ARM64", "macos-x86_64": "X86_64"}[system], binary.header.cpu_type
    assert binary.header.file_type.name == file_type, binary.header.file_type
    assert binary.build_version.platform.name == "MACOS" and list(binary.build_version.minos) == [11, 0, 0], binary.build_version
    libraries = [library.name for library in binary.libraries]
    if file_type == "DYLIB" and needed is not None:
        assert libraries.pop(0) == INSTALL_NAME
    assert libraries == (needed or [SYSTEM_LIBRARY]), libraries
    assert not list(binary.rpaths), f"{path} looks for libraries in {list(binary.rpaths)}"
    names = {symbol.name for symbol in binary.exported_symbols} - LINKERS
    assert names == exported, f"{path} exports, or does not: {sorted(names ^ exported)[:10]}"
    imported = 0
    for binding in binary.bindings:
        name = binding.symbol.name
        assert binding.has_library and binding.library.name in libraries or needed is None and name.startswith(("_Py", "__Py")), \
            f"{path}: {name} is looked up everywhere"
        imported += 1
    assert imported > 10, imported
    if system == "macos-arm64":
        check_signature(binary, data)
    assert ROOT.as_posix().encode() not in data, f"{path} has a path of this machine"
    print(f"inspect_macos.py: {system}, {path.name}: {len(data)} bytes, {len(names)} names exported, {imported} bound")


def main():
    system, archive, wheel, embed = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
    functions_of_c = {f"_{name}" for name in functions((archive / "include" / "weir_c.h").read_text(encoding="utf-8"))}
    assert len(functions_of_c) > 50
    library = archive / "lib" / "libweir.dylib"
    assert library.is_symlink() and library.resolve().name == f"libweir.{VERSION}.dylib", library.resolve()
    assert (archive / "lib" / INSTALL_NAME.rpartition("/")[2]).resolve() == library.resolve()
    assert {path.name for path in (archive / "include" / "weir").iterdir()} == {"export.h"}, "headers of what is not exported"
    inspect(system, archive / "bin" / "weir", "EXECUTE", set(), [SYSTEM_LIBRARY])
    inspect(system, library.resolve(), "DYLIB", functions_of_c, [SYSTEM_LIBRARY])
    inspect(system, embed, "EXECUTE", set(), [INSTALL_NAME, SYSTEM_LIBRARY])
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(wheel) as packed:
        (module,) = [name for name in packed.namelist() if name.startswith("weir/_weir.") and not name.endswith(".pyi")]
        assert module == "weir/_weir.abi3.so", module
        inspect(system, pathlib.Path(packed.extract(module, folder)), "BUNDLE", {"_PyInit__weir"}, None)


if __name__ == "__main__":
    main()
