#!/usr/bin/env python3
"""Checks what the shared library exports: all of weir_c.h, what the C++ headers mark, and no internal names.

Usage: exports_test.py LIBRARY INCLUDE_DIRECTORY
"""

import pathlib
import re
import subprocess
import sys

INSIDE = re.compile(r"^(?:\w+ for )?weir::(?:base|regex|vocab|lexer|grammar|earley|frontend|canonical|engine|lint|input|c_api)::")


def exported(library):
    """Returns (kind, name) of each symbol as nm prints them, C++ names demangled."""
    out = subprocess.run(["nm", "-DC", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return [tuple(line.split(" ", 2)[1:]) for line in out.splitlines()]


def main():
    library, include = sys.argv[1], pathlib.Path(sys.argv[2])
    symbols = exported(library)
    names = {name for _, name in symbols}
    header = (include / "weir_c.h").read_text(encoding="utf-8")
    declared = set(re.findall(r"^WEIR_API [^;]*?\b(weir_\w+)\(", header, re.MULTILINE))
    shown = {name for name in names if name.startswith("weir_")}
    problems = [f"weir_c.h has {name}, the library does not" for name in sorted(declared - shown)]
    problems += [f"the library has {name}, weir_c.h does not" for name in sorted(shown - declared)]
    # Weak symbols of other namespaces are instances of the standard library's templates; every program has its own.
    problems += [f"not of the interface: {name}" for kind, name in symbols
                 if INSIDE.match(name) or (kind not in "WVu" and not name.startswith(("weir_", "weir::")))]
    if len(declared) < 50 or not any(name.startswith("weir::GrammarMatcher::accept_token(") for name in names):
        problems.append("too little is exported")
    print("\n".join(problems) or f"{len(names)} symbols, {len(declared)} of them C functions")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
