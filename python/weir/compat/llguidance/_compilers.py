"""llguidance's JsonCompiler, LarkCompiler and RegexCompiler, which make the strings of grammar_from, and check them."""

from __future__ import annotations

from weir.compat.llguidance._grammars import grammar_from_json_schema, grammar_from_lark, grammar_from_regex
from weir.compat.llguidance._matcher import LLMatcher

__all__ = ["JsonCompiler", "LarkCompiler", "RegexCompiler"]


def _checked(grammar: str, check: bool) -> str:
    error = LLMatcher.validate_grammar(grammar) if check else ""
    if error:
        raise ValueError(error)
    return grammar


class JsonCompiler:
    """separators: what stands between items, and between a key and its value; by default `, ` and `: `, or `,` and `:`
    with whitespace_flexible. coerce_one_of: ignored; weir enforces `oneOf`. json_allowed_escapes: has no counterpart.

    Raises NotImplementedError.
    """

    def __init__(self, separators: tuple[str, str] | None = None, whitespace_flexible: bool = False,
                 coerce_one_of: bool = False, whitespace_pattern: str | None = None,
                 json_allowed_escapes: str | None = None) -> None:
        if json_allowed_escapes is not None:
            raise NotImplementedError("`json_allowed_escapes` has no counterpart in weir; `escapes` of "
                                      "weir.GrammarCompiler.compile_json_schema is near to it")
        item, key = separators or ((",", ":") if whitespace_flexible else (", ", ": "))
        self._options = {"item_separator": item, "key_separator": key, "whitespace_flexible": whitespace_flexible,
                         "whitespace_pattern": whitespace_pattern}

    def compile(self, schema: str, check: bool = True) -> str:
        """Returns the grammar as a string. Raises ValueError: no JSON; with `check`, a schema that weir refuses."""
        return _checked(grammar_from_json_schema(schema, overrides=self._options), check)


class LarkCompiler:
    def compile(self, lark: str, check: bool = True) -> str:
        """Returns the grammar as a string. Raises ValueError: with `check`, a grammar that weir refuses."""
        return _checked(grammar_from_lark(lark), check)


class RegexCompiler:
    def compile(self, regex: str, check: bool = True) -> str:
        """Returns the grammar as a string. Raises ValueError: with `check`, a pattern that weir refuses."""
        return _checked(grammar_from_regex(regex), check)
