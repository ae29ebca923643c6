"""Converts the objects that the API accepts as JSON documents and schemas to JSON text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from weir._arguments import shown
from weir.errors import GrammarError

__all__ = ["from_json_text", "to_documents", "to_indenter_text", "to_json_text", "to_schema_text"]

_DEEPEST = 10_000  # levels
_SHALLOW = 50  # levels; json.dumps takes some 500 bytes of stack for each

# No pattern repeats a group over a string: `re` keeps some 100 bytes for each repetition.
_BRACKETS = re.compile(r'"[^"]*"|[\[\]{}]')  # and strings without escapes, in which brackets are characters
_TOKENS = re.compile(r'["\[\]{}]|[^\s:,\[\]{}"]+')  # all of a JSON text but blanks, commas and colons; of a string its first quote
_STRING = json.JSONDecoder().raw_decode
_HALVES = re.compile("[\ud800-\udfff]")  # of surrogate pairs


def to_indenter_text(indenter: Any) -> str:
    """Returns the JSON text of the option `indenter`: from a dict, or from Lark's Indenter, a class or an instance.

    Raises TypeError: it is neither.
    """
    if isinstance(indenter, Mapping):
        return to_json_text(dict(indenter), "indenter")
    members = {"newline": "NL_type", "indent": "INDENT_type", "dedent": "DEDENT_type", "open": "OPEN_PAREN_types",
               "close": "CLOSE_PAREN_types", "tab_len": "tab_len"}
    if isinstance(indenter, type):  # the members are properties in PythonIndenter, and constants in most others
        indenter = indenter()
    if not all(hasattr(indenter, name) for name in members.values()):
        raise TypeError("`indenter` must be a str, a dict or an Indenter of Lark")
    said = {member: getattr(indenter, name) for member, name in members.items()}
    return json.dumps({member: list(value) if isinstance(value, tuple) else value for member, value in said.items()})


def to_json_text(document: Any, name: str = "document") -> str:
    """Returns the JSON text of a document; a str is that text already.

    A pydantic model or TypeAdapter in it is its schema. A document, or an item of a list, that is an object of a pydantic
    model is what the object holds.
    Half of a surrogate pair becomes its escape, which JSON has and UTF-8 does not; in a text, too. A deep document has a text, too; the
    reader says which depth it refuses.
    name: that of the argument, for errors.
    Raises TypeError: it is not JSON; the message has the place. ValueError: it contains itself. GrammarError: it has more
    than 10,000 levels.
    """
    if isinstance(document, list):
        document = [_held(item) for item in document]
    document = _held(document)
    if isinstance(document, str):
        text = document
    else:
        try:
            text = _deep_text(document) if _is_deep(document) else json.dumps(document, ensure_ascii=False, default=_plain)
        except GrammarError:
            raise
        except (TypeError, ValueError):
            _refuse(document, name)
            raise
    return _HALVES.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def from_json_text(text: str) -> Any:
    """Returns the value of a JSON text that weir has written, however deep it is; json.loads is recursive, too.

    A whole number of more digits than int() reads (sys.set_int_max_str_digits) is a decimal.Decimal: a model decides how long
    it is, and a reply must not be lost for it.
    """
    if not _is_deep_text(text):
        return _loaded(text)
    whole: list[Any] = []
    around: list[Any] = [whole]  # what is open, from the outside in
    keys: list[str | None] = [None]  # of each the key whose value comes next
    at = 0
    while token := _TOKENS.search(text, at):
        word, at = token[0], token.end()
        inner = around[-1]
        if word in "]}":
            around.pop()
            keys.pop()
            continue
        value: Any
        if word == '"':
            value, at = _STRING(text, token.start())
        else:
            value = {} if word == "{" else [] if word == "[" else _loaded(word)
        if isinstance(inner, dict) and keys[-1] is None:
            keys[-1] = value
            continue
        if isinstance(inner, dict):
            inner[keys[-1]] = value
            keys[-1] = None
        else:
            inner.append(value)
        if word in "[{":
            around.append(value)
            keys.append(None)
    return whole[0]


def _is_deep_text(text: str) -> bool:
    """Returns True if a JSON text has more levels than json.loads may read."""
    if text.count("{") + text.count("[") <= _SHALLOW:
        return False
    plain = text.replace("\\\\", "").replace('\\"', "")  # a backslash is always in a string
    depth = 0
    for token in _BRACKETS.finditer(plain):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(token[0], 0)
        if depth > _SHALLOW:
            return True
    return False


def _loaded(text: str) -> Any:
    def integer(digits: str) -> int | Decimal:
        try:
            return int(digits)
        except ValueError:
            return Decimal(digits)

    try:
        return json.loads(text)
    except ValueError:
        return json.loads(text, parse_int=integer)


def to_documents(given: Any) -> list[tuple[str, str]]:
    """Returns the URIs and the JSON texts of the option `documents`. Raises TypeError: it is no mapping of such."""
    if not isinstance(given, Mapping):
        raise TypeError(f"`documents` must be a mapping of URIs to documents, not {type(given).__name__}")
    for uri in given:
        if not isinstance(uri, str):
            raise TypeError(f"a URI of `documents` must be a str, not {type(uri).__name__}")
    return [(uri, to_json_text(document, f"documents[{uri!r}]")) for uri, document in given.items()]


def _held(value: Any) -> Any:
    """Returns the members of an object of a pydantic model, and other values as they are."""
    made = None if isinstance(value, type) else _called(value, "model_dump", mode="json", by_alias=True)
    return value if made is None else made


def _plain(value: Any) -> Any:
    """Returns the schema of a pydantic model or TypeAdapter. Raises TypeError: the value is none.

    An object of a model is none: where a schema belongs, its members would be taken for keywords.
    """
    made = _called(value, "model_json_schema" if isinstance(value, type) else "json_schema")
    if not isinstance(made, (dict, bool)):
        raise TypeError(f"a {type(value).__name__} is no JSON")
    return made


def _called(value: Any, method: str, **arguments: Any) -> Any:
    """Returns what a method of an object returns, None if it has no such method."""
    function = getattr(value, method, None)
    return function(**arguments) if callable(function) else None


def _refuse(document: Any, name: str) -> None:
    """Raises the error that names the first part of a document that is not JSON, by the place where Python writes it."""
    around: list[tuple[str, Any, tuple[int, ...]]] = [(name, document, ())]
    while around:
        place, value, outer = around.pop()
        if id(value) in outer:
            raise ValueError(f"`{place}` is an object that contains itself") from None
        parts: list[tuple[str, Any]] = []
        if isinstance(value, dict):
            for key in value:
                if not (key is None or isinstance(key, (str, int, float))):
                    raise TypeError(f"a key of `{place}` must be a str, not {shown(key)}") from None
            parts = [(f"{place}[{key!r}]", member) for key, member in value.items()]
        elif isinstance(value, (list, tuple)):
            parts = [(f"{place}[{index}]", item) for index, item in enumerate(value)]
        elif isinstance(value, int):
            try:
                int.__repr__(value)
            except ValueError as error:  # Python writes only so many digits
                raise ValueError(f"`{place}` is too large: {error}") from None
        elif not (value is None or isinstance(value, (str, float))):
            try:
                parts = [(place, _plain(value))]
            except TypeError:
                raise TypeError(f"`{place}` must be JSON (a dict, a list, a str, a number, a bool or None) or the class of "
                                f"a pydantic model, not {shown(value)}") from None
        around += [(where, part, (*outer, id(value))) for where, part in reversed(parts)]


def _is_deep(document: Any) -> bool:
    """Returns True if json.dumps, which is recursive, could overflow the stack of a thread."""
    level = [document]
    for _ in range(_SHALLOW):
        found: dict[int, Any] = {}
        for value in level:
            if isinstance(value, dict):
                found.update((id(each), each) for each in value.values() if isinstance(each, (dict, list, tuple)))
            elif isinstance(value, (list, tuple)):
                found.update((id(each), each) for each in value if isinstance(each, (dict, list, tuple)))
        level = list(found.values())
        if not level:
            return False
    return True


def _deep_text(document: Any) -> str:
    """Does what json.dumps does, without recursion."""
    parts: list[str] = []
    # What is open, from the outside in: what is left of it, its end, its id.
    around: list[tuple[Iterator[tuple[str, Any]], str, int]] = [(iter([("", document)]), "", 0)]
    ids = {0}
    while around:
        left, end, own = around[-1]
        entry = next(left, None)
        if entry is None:
            parts.append(end)
            ids.remove(own)
            around.pop()
            continue
        begin, value = entry
        parts.append(begin)
        if not isinstance(value, (dict, list, tuple)):
            parts.append(json.dumps(value, ensure_ascii=False, default=_plain))
            continue
        if id(value) in ids:
            raise ValueError("the document contains itself")
        if len(around) > _DEEPEST:
            raise GrammarError(f"the document has more than {_DEEPEST} levels", code="limit_exceeded", limit="nesting",
                               message=f"the document has more than {_DEEPEST} levels")
        ids.add(id(value))
        if isinstance(value, dict):
            parts.append("{")
            around.append((_members(value), "}", id(value)))
        else:
            parts.append("[")
            around.append((_items(value), "]", id(value)))
    return "".join(parts)


def _items(value: list[Any] | tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    for place, item in enumerate(value):
        yield ", " if place else "", item


def _members(value: dict[Any, Any]) -> Iterator[tuple[str, Any]]:
    for place, (name, member) in enumerate(value.items()):
        key = json.dumps({name: 0}, ensure_ascii=False)[1:-len(": 0}")]
        yield (", " if place else "") + key + ": ", member


def to_schema_text(schema: Any) -> str:
    """Returns the JSON text of a schema.

    schema: JSON text, a dict, a bool, a pydantic model or TypeAdapter, or any object with a method `model_json_schema`
        or `json_schema`.
    Raises TypeError: anything else.
    """
    if isinstance(schema, (str, dict, bool)):
        return to_json_text(schema, "schema")
    for method in ("model_json_schema", "json_schema"):
        made = _called(schema, method)
        if made is not None:
            return to_json_text(made, "schema")
    raise TypeError(f"`schema` must be JSON text, a dict, a bool or a pydantic model, not {shown(schema)}")
