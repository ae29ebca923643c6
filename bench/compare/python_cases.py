#!/usr/bin/env python3
"""Writes cases of Python for compare.py: python_cases.py OUT [--cases 8] [--files 8] [--seed 1]

A case has files of the library of the Python that runs this, drawn with the seed, none twice. weir reads them as the language
`python`; engines without indentation read python_lines.lark. Both accept the same texts: the files with each line end, and
comment, in brackets replaced by a blank.
"""

import argparse
import ast
import io
import json
import pathlib
import random
import sysconfig
import tokenize

HERE = pathlib.Path(__file__).resolve().parent
LARGEST = 100_000  # bytes of a file


def joined(text):
    """Returns the text with brackets in one line each."""
    begins = [0]
    for line in text.splitlines(keepends=True):
        begins.append(begins[-1] + len(line))
    out, at, depth = [], 0, 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
        if depth > 0 and token.type in (tokenize.NL, tokenize.COMMENT):
            begin, end = (begins[line - 1] + column for line, column in (token.start, token.end))
            out += [text[at:begin], " " if token.type == tokenize.NL else ""]
            at = end
    return "".join(out) + text[at:]


def texts():
    """Yields the name and the text of each file that is parsed alike after its lines are joined."""
    library = pathlib.Path(sysconfig.get_path("stdlib"))
    for path in sorted(library.rglob("*.py")):
        if {"site-packages", "dist-packages"} & set(path.parts) or path.stat().st_size > LARGEST:
            continue
        try:
            text = path.read_text(encoding="utf-8")
            one = joined(text)
            if text.endswith("\n") and ast.dump(ast.parse(one)) == ast.dump(ast.parse(text)):
                yield path.relative_to(library), one
        except (UnicodeDecodeError, SyntaxError, ValueError, tokenize.TokenError):
            continue


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--cases", type=int, default=8)
    parser.add_argument("--files", type=int, default=8, help="files of a case")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    grammar = (HERE / "python_lines.lark").read_text(encoding="utf-8")
    drawn = random.Random(options.seed).sample(list(texts()), options.cases * options.files)
    with open(options.out, "w", encoding="utf-8") as out:
        for number in range(options.cases):
            files = drawn[number * options.files : (number + 1) * options.files]
            tests = [{"valid": True, "name": str(name), "text": text} for name, text in files]
            print(json.dumps({"id": f"python-{number + 1}", "language": "python", "lark": grammar, "tests": tests}), file=out)


if __name__ == "__main__":
    main()
