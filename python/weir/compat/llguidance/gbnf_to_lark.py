"""Converts grammars and regular expressions from other notations to Lark."""

from __future__ import annotations

import re

import weir

__all__ = ["GbnfToLarkError", "any_to_lark", "gbnf_to_lark", "is_lark_syntax", "regex_to_lark"]

_ASCII = {"d": "0-9", "w": "0-9a-zA-Z_", "s": r" \t\n\r\f\v"}


class GbnfToLarkError(Exception):
    """The text is not GBNF, or Lark cannot express it."""


def gbnf_to_lark(text: str) -> str:
    """Returns a Lark grammar that is equivalent to a GBNF grammar, read as llama.cpp does (docs/gbnf.md).

    Some rules get other names.
    """
    try:
        return "%llguidance {}\n\n" + weir.Grammar.from_text(text, syntax="gbnf").convert("lark")
    except weir.GrammarError as error:
        raise GbnfToLarkError(str(error)) from error


def is_lark_syntax(text: str) -> bool:
    """Returns True if some line begins with `%llguidance` or `start:`."""
    return re.search(r"^\s*(%llguidance\b|start\s*:)", text, re.MULTILINE) is not None


def any_to_lark(text: str) -> str:
    """Returns a Lark grammar unchanged; converts any other text from GBNF."""
    return text if is_lark_syntax(text) else gbnf_to_lark(text)


def regex_to_lark(regex: str, use_ascii: str = "d") -> str:
    r"""Returns a regular expression in the form that Lark has between slashes. `/` and line ends are escaped. `\d`,
    `\w` and `\s`, and their complements, are ASCII classes if `use_ascii` contains their letter, else Unicode."""

    def written(match: re.Match[str]) -> str:
        text = match[0]
        if text in ("/", "\n"):
            return "\\/" if text == "/" else "\\n"
        letter = text[1:]
        if letter.lower() not in _ASCII or letter.lower() not in use_ascii:
            return text
        return f"[{'^' if letter.isupper() else ''}{_ASCII[letter.lower()]}]"

    return re.sub(r"\\.|[/\n]", written, regex, flags=re.DOTALL)
