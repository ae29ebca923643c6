#!/usr/bin/env python3
"""Finishes a wheel of the Python package: finish_wheel.py WHEEL FOLDER PLATFORM NOTICES [--module FILE]

Writes to FOLDER the wheel with the platform's tags PLATFORM, separated by dots, in place of its own, and with the licences and
the bill of materials in NOTICES, which make_sbom.py wrote. All dates in it are SOURCE_DATE_EPOCH's, and its files are sorted,
so that the same files make the same wheel. With --module, FILE takes the place of the wheel's extension module: this makes a
wheel for another system, whose other files are the same.
"""

import argparse
import base64
import hashlib
import os
import pathlib
import time
import zipfile


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def main():
    parser = argparse.ArgumentParser()
    for name in ["wheel", "folder"]:
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("platform")
    parser.add_argument("notices", type=pathlib.Path)
    parser.add_argument("--module", type=pathlib.Path)
    arguments = parser.parse_args()
    with zipfile.ZipFile(arguments.wheel) as wheel:
        files = {name: wheel.read(name) for name in wheel.namelist() if not name.endswith("/")}
    # NAME-VERSION-PYTHON-ABI-PLATFORM.whl
    name, version, python, abi, _ = arguments.wheel.stem.split("-")
    info = f"{name}-{version}.dist-info"
    del files[f"{info}/RECORD"]
    # Another system's wheel has notices and a bill of materials of its own.
    for other in [f"{info}/licenses/third_party_notices.txt", f"{info}/sboms/weir.spdx.json"]:
        files.pop(other, None)
    if arguments.module:
        (own,) = [path for path in files if path.endswith(".so")]
        del files[own]
        files[f"weir/{arguments.module.name}"] = arguments.module.read_bytes()

    lines = [line for line in files[f"{info}/WHEEL"].decode().rstrip("\n").split("\n") if not line.startswith("Tag: ")]
    lines += [f"Tag: {python}-{abi}-{platform}" for platform in arguments.platform.split(".")]
    files[f"{info}/WHEEL"] = ("\n".join(lines) + "\n").encode()
    head, blank, body = files[f"{info}/METADATA"].decode().partition("\n\n")
    line = "\nLicense-File: third_party_notices.txt"
    files[f"{info}/METADATA"] = f"{head.removesuffix(line)}{line}{blank}{body}".encode()
    files[f"{info}/licenses/third_party_notices.txt"] = (arguments.notices / "third_party_notices.txt").read_bytes()
    files[f"{info}/sboms/weir.spdx.json"] = (arguments.notices / "weir.spdx.json").read_bytes()

    files[f"{info}/RECORD"] = ("".join(record_line(path, files[path]) for path in sorted(files)) + f"{info}/RECORD,,\n").encode()
    finished = arguments.folder / f"{name}-{version}-{python}-{abi}-{arguments.platform}.whl"
    date = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800))[:6]  # a zip file's first year is 1980
    with zipfile.ZipFile(finished, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        # What is about the package comes last, as the format advises.
        for path in sorted(files, key=lambda path: (path.startswith(info), path)):
            member = zipfile.ZipInfo(path, date)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = (0o100755 if path.endswith((".so", ".pyd")) else 0o100644) << 16
            wheel.writestr(member, files[path])


if __name__ == "__main__":
    main()
