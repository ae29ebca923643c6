#!/usr/bin/env python3
"""Makes the python3.dll that Python for Windows has beside its own library: python3_dll.py IMPORT_LIBRARY COMPILER OUTPUT

Extension modules for all versions of Python are linked to python3.dll, which forwards each name of Python's stable interface to
the library of one version, such as python312.dll. The Python that is tried here comes without it. IMPORT_LIBRARY is its
python3.lib, which has the names; COMPILER makes programs for Windows.
"""

import pathlib
import struct
import subprocess
import sys
import tempfile


def imported_names(archive):
    """The names that an import library has, from its members of the short form: a header of 20 bytes, a name, a DLL's name."""
    place = 8
    while place + 60 <= len(archive):
        size = int(archive[place + 48:place + 58])
        member = archive[place + 60:place + 60 + size]
        if member[:4] == b"\x00\x00\xff\xff":
            name, dll = member[20:].split(b"\0")[:2]
            is_data = struct.unpack_from("<H", member, 18)[0] & 3 == 1
            yield name.decode(), dll.decode().removesuffix(".dll"), is_data
        place += 60 + size + size % 2


def main():
    library, compiler, output = sys.argv[1:]
    names = list(imported_names(pathlib.Path(library).read_bytes()))
    target = next(pathlib.Path(library).parent.glob("python3[0-9]*.lib")).stem
    assert len(names) > 500 and {dll for _, dll, _ in names} == {"python3"}, (len(names), {dll for _, dll, _ in names})
    with tempfile.TemporaryDirectory() as folder:
        definition, source = pathlib.Path(folder, "python3.def"), pathlib.Path(folder, "empty.c")
        source.write_text("int DllMain(void* module, unsigned reason, void* reserved) { return 1; }\n")
        lines = [f"  {name}={target}.{name}{' DATA' if is_data else ''}" for name, _, is_data in names]
        definition.write_text("\n".join(["LIBRARY python3.dll", "EXPORTS", *lines]) + "\n")
        subprocess.run([compiler, "-shared", "-o", output, source, definition], check=True)


if __name__ == "__main__":
    main()
