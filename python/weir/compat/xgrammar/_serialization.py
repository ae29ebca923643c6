"""JSON forms: weir's version and what an object was made from, as in a pickle (weir._pickling).

A form can be loaded only by the version that wrote it. Loading reads the texts in it again; so a form is small, and an
untrusted form can do no more harm than an untrusted text.
"""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

import weir
from weir._pickling import Part, grammar_steps, load_compiled, load_limits, load_steps, load_tokenizer
from weir.compat.xgrammar.config import get_serialization_version
from weir.compat.xgrammar.exception import DeserializeFormatError, DeserializeVersionError, InvalidJSONError

__all__ = ["compiled_form", "dump", "grammar_form", "load", "read_compiled", "read_grammar", "read_tokenizer",
           "tokenizer_digest", "tokenizer_form"]

_GRAMMAR_METHODS = {"any_of", "concat", "from_choice", "from_ebnf", "from_json_schema", "from_regex",
                    "from_response_format", "from_structural_tag", "from_substring", "from_substring_chunks",
                    "from_text"}
_COMPILER_METHODS = {"compile", "compile_choice", "compile_grammar", "compile_json_schema", "compile_regex",
                     "compile_response_format", "compile_structural_tag", "compile_substring",
                     "compile_substring_chunks"}
# The exceptions of reading a form of another kind.
_NOT_A_FORM = (IndexError, KeyError, RecursionError, TypeError, ValueError)


def dump(kind: str, form: dict[str, Any]) -> str:
    return json.dumps({"__VERSION__": get_serialization_version(), "kind": kind, **form}, ensure_ascii=False)


def load(kind: str, text: str) -> dict[str, Any]:
    """Returns the form in a text. Raises InvalidJSONError, DeserializeVersionError, DeserializeFormatError."""
    try:
        form = json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidJSONError(str(error)) from None
    except RecursionError as error:
        raise DeserializeFormatError(str(error)) from None
    version = form.get("__VERSION__") if isinstance(form, dict) else None
    if version != get_serialization_version():
        raise DeserializeVersionError(f"the version is {version!r}, {get_serialization_version()!r} is needed")
    if form.get("kind") != kind:
        raise DeserializeFormatError(f"it is {form.get('kind')!r}, not {kind!r}")
    return dict(form)


def tokenizer_form(info: weir.TokenizerInfo) -> str:
    return base64.b64encode(info.serialize()).decode()


def read_tokenizer(form: Any) -> weir.TokenizerInfo:
    try:
        return load_tokenizer(base64.b64decode(form))
    except (TypeError, ValueError) as error:
        raise DeserializeFormatError(str(error)) from None


def tokenizer_digest(info: weir.TokenizerInfo) -> str:
    """Returns a digest that identifies a tokenizer. Cost: a pass over the tokenizer's file."""
    return hashlib.blake2b(info.serialize(), digest_size=16).hexdigest()


def grammar_form(grammar: weir.Grammar) -> list[Any]:
    return [[_recipe_form(recipe), _limits_form(limits)] for recipe, limits in grammar_steps(grammar)]


def read_grammar(form: Any) -> weir.Grammar:
    try:
        steps = [(_read_recipe(recipe, _GRAMMAR_METHODS), load_limits(limits)) for recipe, limits in form]
        return load_steps(steps)
    except _NOT_A_FORM as error:
        raise DeserializeFormatError(str(error)) from None


def compiled_form(compiled: weir.CompiledGrammar) -> list[Any]:
    _, (_, limits, recipe) = compiled.__reduce__()
    return [_recipe_form(recipe), _limits_form(limits)]


def read_compiled(info: weir.TokenizerInfo, form: Any) -> weir.CompiledGrammar:
    try:
        recipe, limits = form
        return load_compiled(info, load_limits(limits), _read_recipe(recipe, _COMPILER_METHODS))
    except _NOT_A_FORM as error:
        raise DeserializeFormatError(str(error)) from None


def _limits_form(limits: weir.Limits) -> dict[str, int]:
    _, (fields,) = limits.__reduce__()
    return dict(fields)


def _recipe_form(recipe: tuple[str, tuple[Any, ...], dict[str, Any]]) -> list[Any]:
    method, arguments, options = recipe
    return [method, [_argument_form(value) for value in arguments], options]


def _argument_form(value: Any) -> Any:
    if isinstance(value, Part):
        return {"part": int(value)}
    return {"grammar": grammar_form(value)} if isinstance(value, weir.Grammar) else value


def _read_recipe(form: Any, methods: set[str]) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
    method, forms, options = form
    if method not in methods:
        raise ValueError(f"there is no way `{method}` to make one")
    return method, tuple(_read_argument(value) for value in forms), dict(options)


def _read_argument(form: Any) -> Any:
    if not isinstance(form, dict):
        return form
    return Part(form["part"]) if "part" in form else read_grammar(form["grammar"])
