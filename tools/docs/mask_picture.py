#!/usr/bin/env python3
"""Draws masks: mask_picture.py FILE.svg    Needs the package weir.

One panel for each of some steps of an output under a schema; a square is a token of the built-in tokenizer, dark if the mask
allows it. tests/python/test_docs.py compares docs/images/masks.svg with what this draws.
"""

import html
import pathlib
import sys

import numpy as np

import weir

SCHEMA = {
    "type": "object",
    "properties": {"size": {"enum": ["S", "M", "L"]}, "note": {"type": "string"}, "count": {"type": "integer", "minimum": 0}},
    "required": ["size", "note", "count"],
    "additionalProperties": False,
}
OUTPUTS = ['{"size": "', '{"size": "L", "note', '{"size": "L", "note": "', '{"size": "L", "note": "ok", "count": 1']
COLUMNS, CELL = 128, 2
PANEL, GAP, TOP = COLUMNS * CELL, 16, 34
MOST_NAMED = 6


def panel(info, matcher, left):
    """Returns the drawing of one mask and its height."""
    bitmask = weir.allocate_token_bitmask(1, info.vocab_size)
    matcher.fill_next_token_bitmask(bitmask)
    allowed = np.unpackbits(bitmask.view(np.uint8), bitorder="little")[:info.vocab_size]
    rows = -(-info.vocab_size // COLUMNS)
    parts = []
    for row in range(rows):
        cells = np.concatenate([[0], allowed[row * COLUMNS:(row + 1) * COLUMNS], [0]])
        changes = np.flatnonzero(np.diff(cells))
        parts += [f"M{left + begin * CELL} {TOP + row * CELL}h{(end - begin) * CELL}v{CELL}h-{(end - begin) * CELL}z"
                  for begin, end in zip(changes[::2], changes[1::2], strict=True)]
    tokens = np.flatnonzero(allowed).tolist()
    names = ", ".join("end" if token in info.stop_token_ids else info.token_bytes(token).decode(errors="replace")
                      for token in tokens) if len(tokens) <= MOST_NAMED else ""
    caption = f"{len(tokens):,} of {info.vocab_size:,} tokens" + (f": {names}" if names else "")
    end = TOP + rows * CELL
    return (f'<text x="{left}" y="{TOP - 10}">{html.escape(matcher.text().decode())}</text>\n'
            f'<rect x="{left}" y="{TOP}" width="{PANEL}" height="{rows * CELL}" fill="#e3eae9"/>\n'
            f'<path fill="#00796b" d="{"".join(parts)}"/>\n'
            f'<text x="{left}" y="{end + 18}" fill="#00796b">{html.escape(caption)}</text>\n', end + 28)


def picture():
    info = weir.TokenizerInfo.builtin()
    compiled = weir.GrammarCompiler(info).compile_json_schema(SCHEMA, profile="serving", whitespace="compact")
    out, bottom = [], 0
    for number, output in enumerate(OUTPUTS):
        matcher = weir.GrammarMatcher(compiled)
        assert matcher.accept_text(output), output
        drawn, bottom = panel(info, matcher, number % 2 * (PANEL + GAP) + GAP)
        out.append(f'<g transform="translate(0 {number // 2 * bottom})">\n{drawn}</g>\n')
    width, height = 2 * PANEL + 3 * GAP, 2 * bottom
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            'font-family="monospace" font-size="11" fill="#263238">\n'
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n' + "".join(out) + "</svg>\n")


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).write_text(picture(), encoding="utf-8")
