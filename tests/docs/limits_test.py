#!/usr/bin/env python3
"""Tests that the pages that recommend limits for a public server agree.

docs/limits.md has a table of all limits, whose last column is for a public server, and the same as a call of
`weir.Limits`. SECURITY.md has a table of the most important ones.
"""

import ast
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNITS = {"KiB": 1 << 10, "MiB": 1 << 20}


def number(text):
    """Returns the number that a cell holds; None if it holds words."""
    digits, _, unit = text.partition(" ")
    digits = digits.replace(",", "")
    return int(digits) * UNITS.get(unit, 1) if digits.isdecimal() and unit in ("", *UNITS) else None


def column(text, name):
    """Returns the limits of the table with a column of this name, and its cells that hold numbers."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    head = next(i for i, row in enumerate(rows) if name in row)
    at = rows[head].index(name)
    cells = {}
    for row in rows[head + 2:]:
        if len(row) != len(rows[head]):
            break
        cells[row[0].strip("`")] = number(row[at])
    return {limit: value for limit, value in cells.items() if value is not None}


def call(text):
    """Returns the arguments of the call of `weir.Limits` that is assigned to `limits`."""
    source = next(block for block in text.split("```") if block.startswith("python\n") and "weir.Limits(" in block)
    assigned = next(node for node in ast.parse(source.removeprefix("python\n")).body if isinstance(node, ast.Assign))
    # The arguments are constants such as 64 << 10.
    return {one.arg: eval(compile(ast.Expression(one.value), "limits.md", "eval"), {}) for one in assigned.value.keywords}


def main():
    limits = (ROOT / "docs/limits.md").read_text(encoding="utf-8")
    recommended = column(limits, "for a public server")
    errors = []
    if len(recommended) < 10:
        errors.append(f"docs/limits.md: the table has only {len(recommended)} numbers")
    if call(limits) != recommended:
        errors.append(f"docs/limits.md: the call and the table differ: {call(limits).items() ^ recommended.items()}")
    few = column((ROOT / "SECURITY.md").read_text(encoding="utf-8"), "for strangers")
    if not few or few.items() - recommended.items():
        errors.append(f"SECURITY.md: other numbers than docs/limits.md: {few.items() - recommended.items()}")
    print("\n".join(errors) or f"{len(recommended)} limits agree")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
