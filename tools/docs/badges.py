#!/usr/bin/env python3
"""Draws README.md's badges, docs/images/badge_*.svg, from what the repository says: badges.py [--check]

--check writes nothing; it fails if a badge says something else than the repository.
"""

import html
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs/images"
RESULTS = "tests/conformance/json_schema/results"
CHARACTER, MARGIN, HEIGHT = 6.4, 7, 20  # in pixels; a character of 11-pixel Verdana or DejaVu Sans is about so wide


def read(path, pattern):
    """Returns what the pattern's group matches in a file."""
    found = re.search(pattern, (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise SystemExit(f"badges.py: {path} has nothing like {pattern}")
    return found[1]


def badges():
    """Returns the badges as (name of the file, what it is about, what is said of it)."""
    return [
        ("version", "weir", read("VERSION", r"^(\S+)$")),
        ("license", "license", read("LICENSE", r"^(\w+) License$")),
        ("cpp", "C++", read("CMakeLists.txt", r"^set\(CMAKE_CXX_STANDARD (\d+)\)$")),
        ("python", "Python", read("pyproject.toml", r'^requires-python = ">=([\d.]+)"$') + " or later"),
        ("json_schema", "JSON Schema 2020-12 suite", read(f"{RESULTS}/draft2020-12.txt", r"required (\d+/\d+)") + " required"),
        ("maskbench", "MaskBench", read(f"{RESULTS}/maskbench.txt", r"schemas entirely right (\d+/\d+)") + " schemas right"),
    ]


def draw(left, right):
    widths = [round(len(text) * CHARACTER) + 2 * MARGIN for text in (left, right)]
    label = html.escape(f"{left}: {right}")
    middles = [widths[0] / 2, widths[0] + widths[1] / 2]
    texts = "".join(f'<text x="{middle:g}" y="14">{html.escape(text)}</text>' for middle, text in zip(middles, (left, right)))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{sum(widths)}" height="{HEIGHT}" role="img" aria-label="{label}">'
            f'<title>{label}</title><rect width="{sum(widths)}" height="{HEIGHT}" rx="3" fill="#444"/>'
            f'<path d="M{widths[0]} 0h{widths[1] - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-{widths[1] - 3}z" fill="#1b6e8c"/>'
            f'<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">{texts}</g></svg>\n')


def main():
    is_check = sys.argv[1:] == ["--check"]
    old = []
    for name, left, right in badges():
        path = IMAGES / f"badge_{name}.svg"
        drawing = draw(left, right)
        if is_check and (not path.exists() or path.read_text(encoding="utf-8") != drawing):
            old.append(path.name)
        elif not is_check:
            path.write_text(drawing, encoding="utf-8")
    if old:
        raise SystemExit(f"badges.py: not what the repository says: {', '.join(old)}; run tools/docs/badges.py")


if __name__ == "__main__":
    main()
