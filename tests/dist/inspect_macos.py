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
MAIN = {"_main"}  # of a program that was linked for this test, and has not been stripped


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
    if file_type == "DYLIB":  # its own name comes first
        assert libraries.pop(0) == (INSTALL_NAME if needed else "_weir.abi3.so")
    assert sorted(libraries) == sorted(needed or [SYSTEM_LIBRARY]), libraries
    assert not list(binary.rpaths), f"{path} looks for libraries in {list(binary.rpaths)}"
    # nanobind exports its exceptions, and no option prevents it.
    names = {symbol.name for symbol in binary.exported_symbols if "8nanobind" not in symbol.name} - LINKERS
    assert names == exported, f"{path} exports, or does not: {sorted(names ^ exported)[:10]}"
    imported = 0
    for binding in binary.bindings:
        name = binding.symbol.name
        if needed is None and name.startswith(("_Py", "__Py")):
            assert not binding.has_library, f"{name} is not looked up in Python"
        elif binding.binding_class.name == "WEAK":  # of C++, within this file; another library in the process may have it too
            assert name.startswith("__Z") and not binding.has_library, name
        else:
            assert binding.has_library and binding.library.name in libraries, f"{path}: {name} is looked up everywhere"
        imported += 1
    assert imported > 3, imported
    if system == "macos-arm64":
        check_signature(binary, data)
    if exported != MAIN:
        assert ROOT.as_posix().encode() not in data, f"{path} has a path of this machine"
    print(f"inspect_macos.py: {system}, {path.name}: {len(data)} bytes, {len(names)} names exported, {imported} bound")


def main():
    lief.logging.disable()  # it says that the file's start, which has no content, cannot be read as a name
    system, archive, wheel, embed = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
    functions_of_c = {f"_{name}" for name in functions((archive / "include" / "weir_c.h").read_text(encoding="utf-8"))}
    assert len(functions_of_c) > 50
    library = archive / "lib" / "libweir.dylib"
    assert library.is_symlink() and library.resolve().name == f"libweir.{VERSION}.dylib", library.resolve()
    assert (archive / "lib" / INSTALL_NAME.rpartition("/")[2]).resolve() == library.resolve()
    assert {path.name for path in (archive / "include" / "weir").iterdir()} == {"export.h"}, "headers of what is not exported"
    inspect(system, archive / "bin" / "weir", "EXECUTE", set(), [SYSTEM_LIBRARY])
    inspect(system, library.resolve(), "DYLIB", functions_of_c, [SYSTEM_LIBRARY])
    inspect(system, embed, "EXECUTE", MAIN, [INSTALL_NAME, SYSTEM_LIBRARY])
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(wheel) as packed:
        (module,) = [name for name in packed.namelist() if name.startswith("weir/_weir.") and not name.endswith(".pyi")]
        assert module == "weir/_weir.abi3.so", module
        inspect(system, pathlib.Path(packed.extract(module, folder)), "DYLIB", {"_PyInit__weir"}, None)


if __name__ == "__main__":
    main()
