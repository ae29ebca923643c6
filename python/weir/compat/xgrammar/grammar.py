"""xgrammar.Grammar: a grammar that was read, not yet joined to a tokenizer."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import weir
from weir._schemas import to_schema_text
from weir.compat.xgrammar._refusals import refuse, refuse_options
from weir.compat.xgrammar._strict import closed
from weir.compat.xgrammar.exception import runtime_errors

__all__ = ["Grammar", "StructuralTagItem", "schema_text_and_options"]

_MOST_BLANKS = 2**32 - 1


@dataclasses.dataclass
class StructuralTagItem:
    """A tag: `begin`, a text that is valid under `schema`, `end`."""

    begin: str
    schema: Any
    end: str


def schema_text_and_options(schema: Any, *, any_whitespace: bool = True, indent: int | None = None,
                            separators: tuple[str, str] | None = None, strict_mode: bool = True,
                            max_whitespace_cnt: int | None = None, any_order: bool = False,
                            **debugging: Any) -> tuple[str, dict[str, Any]]:
    """The schema's text and weir's options for what xgrammar's say."""
    refuse_options(print_converted_ebnf=(debugging.pop("print_converted_ebnf", False), False))
    if debugging:
        raise TypeError(f"there is no option `{next(iter(debugging))}`")
    text = to_schema_text(schema)
    if strict_mode:
        text = json.dumps(closed(_parsed(text)), ensure_ascii=False)
    options: dict[str, Any] = {"order": "any" if any_order else "declared"}
    if any_whitespace and max_whitespace_cnt is None:
        options["whitespace"] = "unbounded"
    elif any_whitespace:
        if max_whitespace_cnt is None or not 0 < max_whitespace_cnt <= _MOST_BLANKS:
            raise ValueError("`max_whitespace_cnt` must be a positive integer")
        options |= {"whitespace": "bounded", "whitespace_limit": max_whitespace_cnt}
    elif indent is not None:
        if separators not in (None, (",", ": ")):
            raise refuse(f"`separators={separators!r}` with `indent`")
        options |= {"whitespace": "indented", "indent": indent}
    elif separators in (None, (", ", ": ")):
        options["whitespace"] = "compact"
    elif separators == (",", ":"):
        options["whitespace"] = "none"
    else:
        raise refuse(f"`separators={separators!r}`")
    return text, options


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        weir.Grammar.from_json_schema(text)  # its error shows the place
        raise


class Grammar:
    """A weir.Grammar, `grammar`, by xgrammar's names. Raises GrammarError, a RuntimeError."""

    def __init__(self, grammar: weir.Grammar) -> None:
        self.grammar = grammar

    @staticmethod
    def from_ebnf(ebnf_string: str, *, root_rule_name: str = "root") -> Grammar:
        with runtime_errors():
            return Grammar(weir.Grammar.from_text(ebnf_string, syntax="xgrammar", start=root_rule_name))

    @staticmethod
    def from_json_schema(schema: Any, **options: Any) -> Grammar:
        """schema: JSON text, a dict, a pydantic model. Options and their defaults are xgrammar's: any_whitespace=True,
        indent=None, separators=None, strict_mode=True, max_whitespace_cnt=None, any_order=False."""
        with runtime_errors():
            text, given = schema_text_and_options(schema, **options)
            return Grammar(weir.Grammar.from_json_schema(text, **given))

    @staticmethod
    def from_regex(regex_string: str, *, print_converted_ebnf: bool = False) -> Grammar:
        refuse_options(print_converted_ebnf=(print_converted_ebnf, False))
        with runtime_errors():
            return Grammar(weir.Grammar.from_regex(regex_string, dialect="ecma262", dot_all=True))

    @staticmethod
    def builtin_json_grammar() -> Grammar:
        """Objects and arrays, with any blanks inside."""
        return Grammar(weir.Grammar.from_json_schema({"type": ["object", "array"]}, whitespace="unbounded"))

    @staticmethod
    def from_lark(lark_string: str, **_: Any) -> Grammar:
        raise refuse("Grammar.from_lark")

    @staticmethod
    def from_structural_tag(*arguments: Any, **options: Any) -> Grammar:
        raise refuse("Grammar.from_structural_tag")

    @staticmethod
    def concat(*grammars: Grammar) -> Grammar:
        raise refuse("Grammar.concat")

    @staticmethod
    def union(*grammars: Grammar) -> Grammar:
        raise refuse("Grammar.union")

    def serialize_json(self) -> str:
        raise refuse("Grammar.serialize_json (pickle it)")

    @staticmethod
    def deserialize_json(json_string: str) -> Grammar:
        raise refuse("Grammar.deserialize_json (unpickle it)")
