"""Editing a text by quotations: the model writes which lines change and what they become, not the whole text.

The lines to replace are quoted. The grammar allows only quotations that are found in the text exactly once, so every edit
can be applied, and a text of thousands of lines costs only the tokens of what changes.
"""

from __future__ import annotations

import collections
import dataclasses
import json
import re

import weir
from decoding import generate
from models import EchoModel

FIND, PUT, END = "<<<<<<< find\n", "=======\n", ">>>>>>> end\n"
EDIT = re.compile(f"{FIND}(.*?){PUT}(.*?){END}", re.DOTALL)


@dataclasses.dataclass(frozen=True)
class Edit:
    find: str
    put: str


def repeated(lines: list[str]) -> list[str]:
    """Returns the runs of consecutive lines that are found in the text more than once."""
    found: list[str] = []
    length, starts = 1, list(range(len(lines)))
    while starts:
        places: dict[tuple[str, ...], list[int]] = collections.defaultdict(list)
        for at in starts:
            if at + length <= len(lines):
                places[tuple(lines[at:at + length])].append(at)
        again = {run: at for run, at in places.items() if len(at) > 1}
        found += ["".join(run) for run in again]
        starts, length = sorted(at for run in again.values() for at in run), length + 1
    return found


def grammar_of(text: str, *, most_edits: int = 8) -> str:
    """Returns the grammar, in Lark, of the edits of a text. Raises ValueError: its form leaves room for doubt."""
    lines = text.splitlines(keepends=True)
    if not text.endswith("\n") or {FIND, PUT, END} & set(lines):
        raise ValueError("the text's last line has no end, or a line of it looks like a mark of an edit")
    chunks = json.dumps({"substring_chunks": lines}, ensure_ascii=False)
    ambiguous = " | ".join(json.dumps(run, ensure_ascii=False) for run in ["", *repeated(lines)])
    marks = " | ".join(json.dumps(mark) for mark in (FIND, PUT, END))
    return f"""
start: edit{{1,{most_edits}}}
edit: {json.dumps(FIND)} QUOTATION {json.dumps(PUT)} line{{0,40}} {json.dumps(END)}
line: LINE
LINE: /[^\\n]{{0,200}}\\n/ & ~({marks})
PART: %regex {chunks}
QUOTATION: PART & ~({ambiguous})
"""


def applied(text: str, edits: list[Edit]) -> str:
    """Returns the edited text. Raises ValueError: two edits replace the same line."""
    places = sorted((text.index(edit.find), edit) for edit in edits)
    out, end = [], 0
    for at, edit in places:
        if at < end:
            raise ValueError("two edits replace the same line")
        out += [text[end:at], edit.put]
        end = at + len(edit.find)
    return "".join([*out, text[end:]])


TEXT = """\
[server]
port = 8080
log = info

[client]
port = 8080
retries = 3
"""
REQUEST = "Let the client try five times, and log warnings only.\n"
# What the stand-in would write first: lines that do not exist. Then second.
WISHES = [f"{FIND}log = debug\n{PUT}log = warning\n{END}{FIND}retries = 5\n{PUT}retries = 5\n{END}",
          f"{FIND}log = info\n{PUT}log = warning\n{END}{FIND}retries = 3\n{PUT}retries = 5\n{END}"]


def main() -> None:
    model = EchoModel([REQUEST + wish for wish in WISHES])
    compiler = weir.GrammarCompiler(model.tokenizer_info)
    # Exact splits: a quotation ends wherever a line ends, whatever the next line begins with.
    compiled = compiler.compile_grammar(grammar_of(TEXT), syntax="lark", exact_splits=True)
    output = generate(model, compiled, model.prompt(REQUEST), max_tokens=200)
    edits = [Edit(*found) for found in EDIT.findall(output)]
    for edit in edits:
        print(f"replaces {edit.find!r} by {edit.put!r}")
    print(applied(TEXT, edits), end="")


if __name__ == "__main__":
    main()
