#!/usr/bin/env python3
"""Tries an installed command: smoke_command.py WEIR [--update]. Its version, masks equal to a record, an error with a
caret. With --update it writes the record, tests/dist/masks.json: for each text before, the sorted ids of the tokens
that the schema tests/dist/schema.json allows next, with the embedded tokenizer.
"""

import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
VERSION = (HERE.parents[1] / "VERSION").read_text().strip()
TEXTS = ["", "{", '{"name": "', '{"name": "ab', '{"name": "abc", "n": 1', '{"name": "", "n": 12', '{"n": 7, "name": ""}']


def mask(weir, after):
    command = [weir, "mask", "--schema", str(HERE / "schema.json"), "--after", after, "--all", "--json"]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    return sorted(token["id"] for token in answer["tokens"])


def main():
    weir = sys.argv[1]
    masks = {text: mask(weir, text) for text in TEXTS}
    assert len({len(ids) for ids in masks.values()}) > 3, "the masks are all alike"
    record = HERE / "masks.json"
    if "--update" in sys.argv:
        record.write_text(json.dumps(masks) + "\n")
    assert masks == json.loads(record.read_text()), "other masks than recorded"
    version = subprocess.run([weir, "--version"], capture_output=True, text=True, check=True).stdout
    assert version == f"weir {VERSION}\n", version
    wrong = subprocess.run([weir, "check", "--syntax", "ebnf", "-"], input='root ::= "a" (b', capture_output=True, text=True, check=False)
    assert wrong.returncode == 2 or wrong.returncode == 1, wrong
    assert "1:14: error: `(` without `)`\n" in wrong.stdout + wrong.stderr, wrong
    assert "\n               ^\n" in wrong.stdout + wrong.stderr, wrong
    print(f"smoke_command.py: {len(masks)} masks")


if __name__ == "__main__":
    main()
