#!/usr/bin/env python3
"""Prints what makes a linker export the functions of include/weir_c.h: options of the compiler for WebAssembly, one a
line, or a module-definition file for Windows.

Usage: exports.py HEADER [--without FILE] [--definition]

FILE lists functions that are not exported, one a line. Lines that begin with # are comments.
"""

import argparse
import pathlib
import re

# The caller of a module allocates what it passes in.
MEMORY = ["malloc", "free"]


def functions(header):
    """Names of the functions that the library implements, in the order of the header."""
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
    return re.findall(r"WEIR_API\s[^;]*?\b(weir_\w+)\s*\(", text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("header", type=pathlib.Path)
    parser.add_argument("--without", type=pathlib.Path)
    parser.add_argument("--definition", action="store_true")
    arguments = parser.parse_args()
    names = functions(arguments.header.read_text(encoding="utf-8"))
    if arguments.without:
        for line in arguments.without.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                names.remove(line)
    if arguments.definition:
        print("EXPORTS", *names, sep="\n")
    else:
        print(*[f"-Wl,--export={name}" for name in names + MEMORY], sep="\n")


if __name__ == "__main__":
    main()
