"""Grammars as strings, as llguidance passes them around. The strings that are made here are JSON with the grammar's
kind and text; any other string is a Lark grammar."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Literal

import weir
from weir._arguments import expect, shown
from weir.compat._checks import from_json

__all__ = ["GrammarFormat", "compile_grammar", "grammar_from", "grammar_from_json_schema", "grammar_from_lark",
           "grammar_from_regex", "read_grammar"]

GrammarFormat = Literal["lark", "gbnf", "ebnf", "cfg", "grammar", "json_schema", "json", "regex", "choice",
                        "llguidance"]

_SYNTAXES: dict[str, Literal["ebnf", "gbnf", "lark"]] = {"ebnf": "ebnf", "gbnf": "gbnf", "lark_grammar": "lark"}
_OPTIONS = ("item_separator", "key_separator", "whitespace_pattern", "whitespace_flexible")
_KINDS = ("json_schema", "structural_tag", "regex", "choice", *_SYNTAXES)  # members that are the grammar, by kind


def _made(kind: str, content: Any, **more: Any) -> str:
    return json.dumps({"grammars": [{kind: content, **more}]}, ensure_ascii=False)


def grammar_from_json_schema(schema: str | dict[str, Any], defaults: dict[str, Any] | None = None,
                             overrides: dict[str, Any] | None = None) -> str:
    """Options come from `defaults`, the schema's `x-guidance` and `overrides`; later ones override earlier ones.

    Raises ValueError: the schema is not JSON.
    """
    document = from_json(schema) if isinstance(schema, str) else schema
    if not isinstance(document, (dict, bool)):
        raise ValueError("the schema is no JSON object")
    options = {**(defaults or {}), **_own_options(document), **(overrides or {})}
    return _made("json_schema", document, options=options)


def grammar_from_lark(lark: str) -> str:
    expect(lark, "lark", str)
    return _made("lark_grammar", lark)


def grammar_from_regex(regex: str) -> str:
    expect(regex, "regex", str)
    return _made("regex", regex)


def grammar_from(format: GrammarFormat, text: str) -> str:
    """Raises ValueError: there is no such format."""
    if format in ("json", "json_schema"):
        return grammar_from_json_schema(text)
    if format == "regex":
        return grammar_from_regex(text)
    if format == "choice":
        choices: list[str] = from_json(text) if isinstance(text, str) else text
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
    part, others = _parts(from_json(grammar))
    kind = _kind(part)
    content = part[kind]
    if others and kind != "lark_grammar":
        raise ValueError("only a first grammar in Lark refers to others")
    try:
        if kind == "json_schema":
            options = part["options"] if part.get("options") is not None else _own_options(content)
            return method(kind)(content, **_schema_options(options))
        if kind == "structural_tag":
            return method(kind)(content, **_tag_options(content))
        if kind == "regex":
            return method(kind)(content, dialect="rust")
        if kind == "choice":
            return method(kind)(content)
        named = {other.get("name", ""): _lark(other) for other in others}  # the grammars that `@name` refers to
        of_lark = {"grammars": named, "json_schema": _schema_options({})} if kind == "lark_grammar" else {}
        return method(text_kind)(content, syntax=_SYNTAXES[kind], **of_lark)
    except TypeError as error:  # the text is a grammar's, so what is wrong in it is an error of the grammar
        raise ValueError(f"the grammar's `{kind}` is wrong: {error}") from None


def _parts(document: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Returns the first grammar of a list, and the others. A member that is null is not given."""
    unknown = next((key for key, value in document.items() if key != "grammars" and value is not None), None)
    if unknown is not None:
        raise ValueError(f"weir has no counterpart of `{unknown}` beside `grammars`")
    parts = document.get("grammars")
    if not isinstance(parts, list) or not parts or not all(isinstance(part, dict) for part in parts):
        raise ValueError("`grammars` is a list of objects, with one at least")
    return parts[0], parts[1:]


def _kind(part: dict[str, Any]) -> str:
    """Returns the name of the member that is the grammar."""
    given = [key for key, value in part.items() if value is not None]
    found = [key for key in given if key in _KINDS]
    if not found:
        raise ValueError("a grammar has `json_schema` or `lark_grammar`")
    if len(found) > 1:
        raise ValueError(f"a grammar has both `{found[0]}` and `{found[1]}`")
    known = ("name", "options") if found[0] == "json_schema" else ("name",)
    unknown = next((key for key in given if key not in (found[0], *known)), None)
    if unknown is not None:
        raise ValueError(f"weir has no counterpart of `{unknown}` beside `{found[0]}`")
    return found[0]


def _lark(part: dict[str, Any]) -> str:
    if _kind(part) == "json_schema":
        if part.get("options") is not None:
            raise ValueError("weir has no counterpart of `options` in a grammar beside the first")
        return "start: %json " + json.dumps(part["json_schema"], ensure_ascii=False)
    if not isinstance(part.get("lark_grammar"), str):
        raise ValueError("a grammar beside the first has `json_schema` or `lark_grammar`")
    text: str = part["lark_grammar"]
    return text


def _own_options(schema: Any) -> dict[str, Any]:
    own = schema.get("x-guidance") if isinstance(schema, dict) else None
    if own is not None and not isinstance(own, dict):
        raise ValueError(f"`x-guidance` must be an object, not {shown(own)}")
    return own or {}


def _tag_options(tags: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns the options of the schemas in a structural tag, which must all be the same."""
    if not isinstance(tags, list) or not all(isinstance(tag, dict) for tag in tags):
        raise ValueError("`structural_tag` is a list of objects")
    options = [_own_options(tag["grammar"]) for tag in tags if isinstance(tag.get("grammar"), dict)]
    if any(other != options[0] for other in options):
        raise ValueError("weir takes one `x-guidance` for all tags")
    return _schema_options(options[0] if options else {})


def _schema_options(options: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(options, dict):
        raise ValueError(f"`options` must be an object, not {shown(options)}")
    unknown = [name for name in options if name not in _OPTIONS]
    if unknown:
        raise ValueError(f"weir has no counterpart of the option `{unknown[0]}`")
    out: dict[str, Any] = {"order": "declared", "integers": "plain"}
    flexible = options.get("whitespace_flexible")
    if flexible is not None and not isinstance(flexible, bool):
        raise ValueError(f"`whitespace_flexible` must be a bool, not {shown(flexible)}")
    separators = (options.get("item_separator") or ",", options.get("key_separator") or ":")
    if separators not in ((",", ":"), (", ", ": ")):
        raise ValueError(f"weir has no counterpart of the separators {separators!r}")
    if options.get("whitespace_pattern") == "":
        out["whitespace"] = "none"
    elif options.get("whitespace_pattern") is not None:
        out |= {"whitespace": "pattern", "whitespace_pattern": options["whitespace_pattern"]}
    elif flexible is not False:
        out["whitespace"] = "unbounded"
    else:
        out["whitespace"] = "none" if separators == (",", ":") else "compact"
    return out
