#!/usr/bin/env python3
"""Packs a folder so that the same files always make the same archive: make_zip.py FOLDER ARCHIVE

Files are sorted, and all dates are SOURCE_DATE_EPOCH's.
"""

import os
import pathlib
import sys
import time
import zipfile


def main():
    folder, archive = pathlib.Path(sys.argv[1]), sys.argv[2]
    date = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800))[:6]  # a zip file's first year is 1980
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            member = zipfile.ZipInfo(path.relative_to(folder).as_posix(), date)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = 0o100644 << 16
            packed.writestr(member, path.read_bytes())


if __name__ == "__main__":
    main()
