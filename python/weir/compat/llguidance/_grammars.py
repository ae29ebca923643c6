"""Grammars as llguidance hands them about: strings. Those that are made here are JSON that says what they were made of;
any other string is Lark."""

from __future__ import annotations

import json
from typing import Any, Literal

import weir

__all__ = ["GrammarFormat", "compile_grammar", "grammar_from", "grammar_from_json_schema", "grammar_from_lark",
           "grammar_from_regex"]

GrammarFormat = Literal["lark", "gbnf", "ebnf", "cfg", "grammar", "json_schema", "json", "regex", "choice",
                        "llguidance"]

_OPTIONS = ("item_separator", "key_separator", "whitespace_pattern", "whitespace_flexible")


def _made(kind: str, content: Any, **more: Any) -> str:
    return json.dumps({"grammars": [{kind: content, **more}]}, ensure_ascii=False)


def grammar_from_json_schema(schema: str | dict[str, Any], defaults: dict[str, Any] | None = None,
                             overrides: dict[str, Any] | None = None) -> str:
    """ValueError: the schema is no JSON. Options: `defaults`, then the schema's `x-guidance`, then `overrides`."""
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
    """ValueError: there is no such format."""
    if format in ("json", "json_schema"):
        return grammar_from_json_schema(text)
    if format == "regex":
        return grammar_from_regex(text)
    if format == "choice":
        choices = json.loads(text)  # a list of texts
        return _made("ebnf", "root ::= " + " | ".join(json.dumps(choice, ensure_ascii=False) for choice in choices))
    if format == "lark":
        return grammar_from_lark(text)
    if format in ("gbnf", "ebnf", "cfg", "grammar"):
        syntax = "ebnf" if format == "ebnf" else "gbnf"
        return _made(syntax, text) if "::=" in text else grammar_from_lark(text)
    if format == "llguidance":
        return text
    raise ValueError(f"unknown grammar format: {format!r}")


def compile_grammar(compiler: weir.GrammarCompiler, grammar: str) -> weir.CompiledGrammar:
    """Raises weir.GrammarError; ValueError: a string that is no grammar."""
    if not grammar.lstrip().startswith("{"):
        return compiler.compile_grammar(grammar, syntax="lark")
    parts = json.loads(grammar).get("grammars")
    if not isinstance(parts, list) or len(parts) != 1 or not isinstance(parts[0], dict):
        raise ValueError("weir reads grammars of one part")
    part = parts[0]
    if "json_schema" in part:
        schema: Any = part["json_schema"]
        own: dict[str, Any] = schema.get("x-guidance", {}) if isinstance(schema, dict) else {}
        return compiler.compile_json_schema(schema, **_schema_options(part["options"] if "options" in part else own))
    if "regex" in part:
        return compiler.compile_regex(part["regex"], operators=False)
    if "ebnf" in part:
        return compiler.compile_grammar(part["ebnf"])
    if "gbnf" in part:
        return compiler.compile_grammar(part["gbnf"], syntax="gbnf")
    if "lark_grammar" in part:
        return compiler.compile_grammar(part["lark_grammar"], syntax="lark")
    raise ValueError("a grammar has `json_schema` or `lark_grammar`")


def _schema_options(options: dict[str, Any]) -> dict[str, Any]:
    unknown = [name for name in options if name not in _OPTIONS]
    if unknown:
        raise ValueError(f"weir has no counterpart of the option `{unknown[0]}`")
    out: dict[str, Any] = {"order": "declared"}
    separators = (options.get("item_separator") or ",", options.get("key_separator") or ":")
    if options.get("whitespace_pattern") is not None:
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
