#!/usr/bin/env python3
"""Records which texts Lark accepts for small grammars with indentation. indentation_test.cc compares weir with them.

Usage: python3 tests/conformance/lark/record_indentation.py    where lark is installed

Writes indentation.json beside this file: for each grammar all members up to a length over an alphabet, as Lark's LALR parser
with its Indenter decides. docs/lark.md says what is read differently: a newline lexeme without a line feed is ignored text.
"""

import importlib.metadata
import itertools
import json
import pathlib

import lark
from lark.indenter import Indenter

LINES = "%declare _INDENT _DEDENT\n"
GRAMMARS = [
    # name, columns of a tab, alphabet, length, grammar
    ("tree", 2, "a\n \t", 7, r"""start: _NL? tree+
tree: "a" _NL [_INDENT tree+ _DEDENT]
_NL: /(\r?\n[\t ]*)+/
"""),
    ("tree without tabs", 2, "a\n \t", 7, r"""start: _NL? tree+
tree: "a" _NL [_INDENT tree+ _DEDENT]
_NL: /(\n *)+/
"""),
    ("if and else, ignored blanks", 8, "aie\n ", 6, r"""start: (_NL | stmt)*
stmt: "a" _NL | "i" suite ["e" suite]
suite: "a" _NL | _NL _INDENT stmt+ _DEDENT
_NL: /(\n *)+/
%ignore " "
"""),
    ("brackets", 8, "a()\n ", 6, r"""start: line+
line: item _NL [_INDENT line+ _DEDENT]
item: "a" | LPAR item* RPAR
LPAR: "("
RPAR: ")"
_NL: /(\n *)+/
%ignore / +/
"""),
    ("blocks that may end without a line end", 8, "ab\n ", 7, r"""start: tree+
tree: "b" _NL _INDENT tree+ _DEDENT | "a" _NL | "a"
_NL: /(\n *)+/
"""),
    ("comments and continued lines", 8, "ab\n #\\", 5, r"""start: (_NL | stmt)*
stmt: "a" _NL | "b" _NL _INDENT stmt+ _DEDENT
_NL: ( /\n */ | COMMENT )+
COMMENT: /#[^\n]*/
%ignore COMMENT
%ignore / +/
%ignore /\\\n/
"""),
    ("an indent not beside its line end", 3, "ab()\n ", 6, r"""start: x+
x: head y?
head: "a" LPAR z? RPAR _NL | "a" _NL
y: _INDENT x+ tail? _DEDENT
tail: "b" _NL
z: "b" | z "b"
LPAR: "("
RPAR: ")"
_NL: /(\n[\t ]*)+/
"""),
    ("a first match", 8, "a\"\n ", 6, r"""start: line+
line: item+ _NL [_INDENT line+ _DEDENT]
item: "a" | /".*?"/
_NL: /(\n *)+/
"""),
]


def indenter(tab):
    class Lines(Indenter):
        NL_type, INDENT_type, DEDENT_type, tab_len = "_NL", "_INDENT", "_DEDENT", tab
        OPEN_PAREN_types, CLOSE_PAREN_types = ["LPAR"], ["RPAR"]

        def handle_NL(self, token):  # Lark fails if there is no line feed
            return super().handle_NL(token) if "\n" in token else iter(())

    return Lines()


def main():
    cases = []
    for name, tab, alphabet, length, grammar in GRAMMARS:
        grammar += LINES
        parser = lark.Lark(grammar, parser="lalr", postlex=indenter(tab))

        def accepts(text, parser=parser):
            try:
                parser.parse(text)
            except (lark.exceptions.LarkError, AssertionError):
                return False
            return True

        texts = ("".join(letters) for n in range(length + 1) for letters in itertools.product(alphabet, repeat=n))
        options = {"newline": "_NL", "open": ["LPAR"], "close": ["RPAR"], "tab_len": tab}
        cases.append({"name": name, "grammar": grammar, "indenter": json.dumps(options), "alphabet": alphabet,
                      "length": length, "members": [text for text in texts if accepts(text)]})
    record = {"of": f"lark {importlib.metadata.version('lark')}", "cases": cases}
    path = pathlib.Path(__file__).resolve().parent / "indentation.json"
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
