"""llguidance.StructTag."""

from __future__ import annotations

import json
from typing import Any

from weir.compat._checks import from_json

__all__ = ["StructTag"]


class StructTag:
    """A tag: `trigger` in free text is followed by the rest of `begin`, a text of `grammar`, and `end`.

    grammar: a JSON Schema, its text, a Lark grammar, or a result of LLMatcher.grammar_from_json_schema.
    """

    def __init__(self, *, trigger: str, begin: str, grammar: str | dict[str, Any], end: str) -> None:
        self.trigger = trigger
        self.begin = begin
        self.grammar = grammar
        self.end = end
        self._validate()

    def _validate(self) -> None:
        assert len(self.trigger) > 0, "trigger must not be empty"
        assert self.begin.startswith(self.trigger), "begin must start with trigger"

    @staticmethod
    def to_grammar(tags: list[StructTag], *, assume_special: bool = True, text_regex: str = r"(.|\n)*") -> str:
        """Raises AssertionError: there are no tags, or one is not valid."""
        assert len(tags) > 0, "tags must not be empty"
        if text_regex != r"(.|\n)*":
            raise NotImplementedError("`text_regex` has no counterpart in weir.compat.llguidance")
        made = []
        for tag in tags:
            tag._validate()
            if not assume_special and tag.trigger.startswith("<") and tag.trigger.endswith(">"):
                raise NotImplementedError("`assume_special=False` has no counterpart in weir.compat.llguidance: a name "
                                          "of a special token is that token")
            made.append({"trigger": tag.trigger, "begin": tag.begin, "grammar": _content(tag.grammar), "end": tag.end})
        return json.dumps({"grammars": [{"structural_tag": made}]}, ensure_ascii=False)


def _content(grammar: str | dict[str, Any]) -> str | dict[str, Any]:
    """Returns the schema if `grammar` is one, else Lark."""
    if not isinstance(grammar, str) or not grammar.lstrip().startswith("{"):
        return grammar
    document: dict[str, Any] = from_json(grammar)
    parts = document.get("grammars")
    if isinstance(parts, list) and len(parts) == 1 and isinstance(parts[0].get("json_schema"), dict):
        schema: dict[str, Any] = parts[0]["json_schema"]
        if "options" in parts[0]:
            schema = {**schema, "x-guidance": parts[0]["options"]}
        return schema
    return document
