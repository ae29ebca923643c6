"""Grammars as strings, as llguidance passes them around. The strings that are made here are JSON with the grammar's
kind and text; any other string is a Lark grammar."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Literal

import weir

__all__ = ["GrammarFormat", "compile_grammar", "grammar_from", "grammar_from_json_schema", "grammar_from_lark",
           "grammar_from_regex", "read_grammar"]

GrammarFormat = Literal["lark", "gbnf", "ebnf", "cfg", "grammar", "json_schema", "json", "regex", "choice",
                        "llguidance"]

_SYNTAXES: dict[str, Literal["ebnf", "gbnf", "lark"]] = {"ebnf": "ebnf", "gbnf": "gbnf", "lark_grammar": "lark"}
_OPTIONS = ("item_separator", "key_separator", "whitespace_pattern", "whitespace_flexible")


def _made(kind: str, content: Any, **more: Any) -> str:
    return json.dumps({"grammars": [{kind: content, **more}]}, ensure_ascii=False)


def grammar_from_json_schema(schema: str | dict[str, Any], defaults: dict[str, Any] | None = None,
                             overrides: dict[str, Any] | None = None) -> str:
    """Options come from `defaults`, the schema's `x-guidance` and `overrides`; later ones override earlier ones.

    Raises ValueError: the schema is not JSON.
    """
    document = json.loads(schema) if isinstance(schema, str) else schema
    if not isinstance(document, (dict, bool)):
        raise ValueError("the schema is no JSON object")
    own = document.get("x-guidance", {}) if isinstance(document, dict) else {}
    options = {**(defaults or {}), **own, **(overrides or {})}
    return _made("json_schema", document, options=options)


def grammar_from_lark(lark: str) -> str:
    return _made("lark_grammar", lark)


def grammar_from_regex(regex: str) -> str:
    return _made("regex", regex)


def grammar_from(format: GrammarFormat, text: str) -> str:
    """Raises ValueError: there is no such format."""
    if format in ("json", "json_schema"):
        return grammar_from_json_schema(text)
    if format == "regex":
        return grammar_from_regex(text)
    if format == "choice":
        choices: list[str] = json.loads(text) if isinstance(text, str) else text
        return _made("choice", choices)
    if format == "lark":
        return grammar_from_lark(text)
    if format in ("gbnf", "ebnf", "cfg", "grammar"):
        syntax = "ebnf" if format == "ebnf" else "gbnf"
        return _made(syntax, text) if "::=" in text else grammar_from_lark(text)
    if format == "llguidance":
        return text
    raise ValueError(f"unknown grammar format: {format!r}")


def compile_grammar(compiler: weir.GrammarCompiler, grammar: str) -> weir.CompiledGrammar:
    """Raises weir.GrammarError. ValueError: the string is not a grammar."""
    compiled: weir.CompiledGrammar = _made_by(lambda kind: getattr(compiler, f"compile_{kind}"), "grammar", grammar)
    return compiled


def read_grammar(grammar: str) -> weir.Grammar:
    """Reads a grammar without a tokenizer; names of special tokens are not looked up. Raises as compile_grammar."""
    read: weir.Grammar = _made_by(lambda kind: getattr(weir.Grammar, f"from_{kind}"), "text", grammar)
    return read


def _made_by(method: Callable[[str], Callable[..., Any]], text_kind: str, grammar: str) -> Any:
    """Calls the method for the grammar's kind: "json_schema", "regex", ..., and `text_kind` for a text in a syntax."""
    if not grammar.lstrip().startswith("{"):
        return method(text_kind)(grammar, syntax="lark", json_schema=_schema_options({}))
    parts = json.loads(grammar).get("grammars")
    if not isinstance(parts, list) or not parts or not all(isinstance(part, dict) for part in parts):
        raise ValueError("`grammars` is a list of objects, with one at least")
    part, *others = parts
    named = {other.get("name", ""): _lark(other) for other in others}  # the grammars that `@name` refers to
    if part.get("json_schema") is not None:
        schema: Any = part["json_schema"]
        return method("json_schema")(schema, **_schema_options(part.get("options", _own_options(schema))))
    if part.get("structural_tag") is not None:
        return method("structural_tag")(part["structural_tag"], **_tag_options(part["structural_tag"]))
    if part.get("regex") is not None:
        return method("regex")(part["regex"], dialect="rust")
    if part.get("choice") is not None:
        return method("choice")(part["choice"])
    for kind, syntax in _SYNTAXES.items():
        if part.get(kind) is not None:
            of_lark = {"grammars": named, "json_schema": _schema_options({})} if syntax == "lark" else {}
            return method(text_kind)(part[kind], syntax=syntax, **of_lark)
    raise ValueError("a grammar has `json_schema` or `lark_grammar`")


def _lark(part: dict[str, Any]) -> str:
    if part.get("json_schema") is not None:
        return "start: %json " + json.dumps(part["json_schema"], ensure_ascii=False)
    if not isinstance(part.get("lark_grammar"), str):
        raise ValueError("a grammar beside the first has `json_schema` or `lark_grammar`")
    text: str = part["lark_grammar"]
    return text


def _own_options(schema: Any) -> dict[str, Any]:
    own: dict[str, Any] = schema.get("x-guidance", {}) if isinstance(schema, dict) else {}
    return own


def _tag_options(tags: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns the options of the schemas in a structural tag, which must all be the same."""
    options = [_own_options(tag["grammar"]) for tag in tags if isinstance(tag["grammar"], dict)]
    if any(other != options[0] for other in options):
        raise ValueError("weir takes one `x-guidance` for all tags")
    return _schema_options(options[0] if options else {})


def _schema_options(options: dict[str, Any]) -> dict[str, Any]:
    unknown = [name for name in options if name not in _OPTIONS]
    if unknown:
        raise ValueError(f"weir has no counterpart of the option `{unknown[0]}`")
    out: dict[str, Any] = {"order": "declared", "integers": "plain"}
    separators = (options.get("item_separator") or ",", options.get("key_separator") or ":")
    if options.get("whitespace_pattern") == "":
        out["whitespace"] = "none"
    elif options.get("whitespace_pattern") is not None:
        out |= {"whitespace": "pattern", "whitespace_pattern": options["whitespace_pattern"]}
    elif options.get("whitespace_flexible", True) is not False:
        out["whitespace"] = "unbounded"
    elif separators == (",", ":"):
        out["whitespace"] = "none"
    elif separators == (", ", ": "):
        out["whitespace"] = "compact"
    else:
        raise ValueError(f"weir has no counterpart of the separators {separators!r}")
    return out
