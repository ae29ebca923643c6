#!/usr/bin/env python3
"""Writes data/languages/sqlite.ebnf and postgresql.ebnf from the parts in data/languages/sql: make_languages.py [--check]

A dialect is the core, the dialect's own rules, a rule for each keyword, and the rules of names, which are last so that a
program can put others in their place. A keyword is a name in upper case without a rule. Its rule matches ASCII letters
in any case: in a regular expression with the flag i, "s" would also match the letter U+017F.
"""

import argparse
import pathlib
import re
import sys

LANGUAGES = pathlib.Path(__file__).resolve().parent.parent / "data" / "languages"
NOTICE = "# Written by tools/make_languages.py from data/languages/sql.\n\n"


def keyword_rules(text):
    """Returns a rule for each name in upper case that has none."""
    text = re.sub(r"""#.*|"[^"\n]*"|'[^'\n]*'|/[^/\n]+/i?|\[(?:\\.|[^\]\\])*\]""", "", text)
    defined = set(re.findall(r"^(\w+) ::=", text, re.M))
    keywords = sorted(set(re.findall(r"\b[A-Z][A-Z_]*\b", text)) - defined)
    return [
        f"{word} ::= " + "".join("_" if c == "_" else f"[{c}{c.lower()}]" for c in word).replace("_", ' "_" ')
        for word in keywords
    ]


def grammar(dialect):
    """Returns the text of a dialect's grammar."""
    core, own, names = ((LANGUAGES / "sql" / f"{part}.ebnf").read_text() for part in ("core", dialect, "names"))
    return NOTICE + core + "\n" + own + "\n# --- Keywords ---\n\n" + "\n".join(keyword_rules(core + own)) + "\n\n" + names


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true", help="only say whether the files are up to date")
    check = parser.parse_args().check
    stale = []
    for dialect in ("sqlite", "postgresql"):
        path = LANGUAGES / f"{dialect}.ebnf"
        text = grammar(dialect)
        if path.exists() and path.read_text() == text:
            continue
        stale.append(path.name)
        if not check:
            path.write_text(text)
    for name in stale:
        print(f"{name}: {'out of date' if check else 'written'}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
