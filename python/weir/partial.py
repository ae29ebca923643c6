"""Values that a model is still writing: JSON in pieces, as an object that grows.

    stream = client.chat.completions.create(..., stream=True)
    for profile in weir.partial.values(stream, Profile):   # Profile: a pydantic model, or nothing for dict and list
        show(profile)                                      # what is not written yet is None; see model_fields_set
"""

from __future__ import annotations

import functools
import json
import re
import types
import typing
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from decimal import Decimal
from typing import Any

from weir._arguments import expect, shown
from weir._schemas import from_json_text

__all__ = ["PartialReader", "async_values", "text_of", "values"]

_PLAIN = re.compile(r'[^"\\\x00-\x1f]+')
_SCALAR = re.compile(r"[-+.0-9A-Za-z]+")
_WHOLE = re.compile(r"-?(0|[1-9][0-9]*)")
_BLANKS = " \t\n\r"
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_NOTHING: Any = object()


def text_of(chunk: Any) -> str:
    """Returns the text of the answer that a chunk of a stream adds: "" if there is none.

    chunk: a str; None, as the content of a chunk that has none; or a chunk of OpenAI's clients, as an object or as a dict: of
        chat completions (the first choice), of completions, or an event of responses. Whole chat completions are taken, too.
    Raises TypeError: it is something else, whose text would be lost.
    """
    if chunk is None or isinstance(chunk, str):
        return chunk or ""
    event = _member(chunk, "type")
    if event == "response.output_text.delta":
        return _member(chunk, "delta") or ""
    has_choices = "choices" in chunk if isinstance(chunk, dict) else hasattr(chunk, "choices")
    if not has_choices and not isinstance(event, str):
        raise TypeError(f"a chunk must be a str or a chunk of OpenAI's clients, not {shown(chunk)}")
    choices = _member(chunk, "choices")
    if not choices or _member(choices[0], "index"):
        return ""
    for name in ("delta", "message"):
        message = _member(choices[0], name)
        if message is not None:
            return _member(message, "content") or ""
    return _member(choices[0], "text") or ""


def _member(of: Any, name: str) -> Any:
    return of.get(name) if isinstance(of, dict) else getattr(of, name, None)


def values(stream: Iterable[Any], model: Any = None) -> Iterator[Any]:
    """Yields the value of the JSON text in `stream` while it is being written: the same object, which grows.

    stream: texts, or chunks of OpenAI's clients (text_of).
    model: a pydantic model, or any type that pydantic validates. None: dict, list, str, numbers.
    The last one is a new object that pydantic has validated, unless the stream ended before the value did.
    Raises ValueError: the text is not JSON. TypeError: a chunk is something else, or the model is no type.
    pydantic.ValidationError: the whole value is not of the type.
    """
    reader = PartialReader(model)
    for chunk in stream:
        if reader.feed(text_of(chunk)):
            yield reader.value
    reader.end()
    if reader.is_complete:
        yield reader.result()


async def async_values(stream: AsyncIterable[Any], model: Any = None) -> AsyncIterator[Any]:
    """As `values`, for an asynchronous stream."""
    reader = PartialReader(model)
    async for chunk in stream:
        if reader.feed(text_of(chunk)):
            yield reader.value
    reader.end()
    if reader.is_complete:
        yield reader.result()


class PartialReader:
    """Reads a JSON text in pieces. Cost: linear in the text, but for copies of a string that grows.

    value: the value so far, always the same object if it is an object or an array. A string is as far as it is written;
        a number, `true`, `false` and `null` come when they can no longer grow; a member comes with its value.
        With a type: a text for a type other than str comes when it is whole; a value that the type does not take is as
        JSON has it, until result() says what is wrong.
    is_complete: True: the value has ended. A number at the top needs end().
    """

    def __init__(self, model: Any = None) -> None:
        if model is not None:
            _check_type(model)
        self.value: Any = None
        self.is_complete = False
        self._type = model
        self._texts: list[str] = []
        self._size = 0
        self._open: list[_Open] = []
        self._read = self._value
        self._is_first = False  # the place after a bracket: it may close
        self._word: list[str] = []  # parts of the string, number or word that is being written
        self._is_key = False
        self._is_shown = False
        self._half = ""  # the first half of an escaped surrogate pair
        self._has_ended = False

    def feed(self, text: str) -> bool:
        """Reads a piece. Returns True if there is a value and it may have changed.

        Raises ValueError: the text is not JSON, or has ended. TypeError: it is no str.
        """
        expect(text, "text", str)
        if self._has_ended:
            raise ValueError("the text has ended")
        self._texts.append(text)
        at = 0
        while at < len(text):
            at = self._read(text, at)
        self._size += len(text)
        if self._is_shown:
            self._word = ["".join(self._word)]
            self._put(self._word[0])
        return text != "" and (self.is_complete or bool(self._open) or self._is_shown)

    def end(self) -> None:
        """Says that the text has ended, which may have been in the middle of the value."""
        self._has_ended = True
        if self._read == self._scalar and not self._open:
            self._end_scalar(0)

    def result(self) -> Any:
        """Returns the whole value; with a type, validated by pydantic.

        Raises ValueError: the text has ended within the value. pydantic.ValidationError: it is not of the type.
        """
        if not self.is_complete:
            raise ValueError("the value is not complete")
        text = "".join(self._texts)
        return from_json_text(text) if self._type is None else _adapter(self._type).validate_json(text)

    def _fail(self, at: int, expected: str) -> typing.NoReturn:
        raise ValueError(f"not JSON at character {self._size + at}: {expected} expected")

    # Each of these reads at least one character, and returns the place after what it has read.

    def _value(self, text: str, at: int) -> int:
        c = text[at]
        if c in _BLANKS:
            return at + 1
        if c == "]" and self._is_first:
            return self._close(at)
        self._is_first = False
        kind = self._kind()
        if c == '"':
            self._begin_string(is_key=False, is_shown=kind is None or _takes_text(kind))
            return at + 1
        if c in "{[":
            target = _Open(kind, c == "{")
            self._put(target.value)
            self._open.append(target)
            self._read, self._is_first = (self._key if c == "{" else self._value), True
            return at + 1
        if c == "-" or c.isalnum():
            self._word, self._read = [], self._scalar
            return at
        self._fail(at, "a value")

    def _key(self, text: str, at: int) -> int:
        c = text[at]
        if c in _BLANKS:
            return at + 1
        if c == "}" and self._is_first:
            return self._close(at)
        if c != '"':
            self._fail(at, "a key")
        self._is_first = False
        self._begin_string(is_key=True, is_shown=False)
        return at + 1

    def _colon(self, text: str, at: int) -> int:
        if text[at] == ":":
            self._read = self._value
        elif text[at] not in _BLANKS:
            self._fail(at, "`:`")
        return at + 1

    def _after(self, text: str, at: int) -> int:
        c = text[at]
        if c in _BLANKS:
            return at + 1
        if self._open and c == ("}" if self._open[-1].is_object else "]"):
            return self._close(at)
        if not self._open or c != ",":
            self._fail(at, "`,` or the end" if self._open else "nothing more")
        self._read = self._key if self._open[-1].is_object else self._value
        return at + 1

    def _string(self, text: str, at: int) -> int:
        found = _PLAIN.match(text, at)
        if found:
            self._flush_half()
            self._word.append(found[0])
            return found.end()
        if text[at] == '"':
            self._flush_half()
            self._end_string("".join(self._word))
        elif text[at] == "\\":
            self._read = self._escape
        else:
            self._fail(at, "a character of a string")
        return at + 1

    def _escape(self, text: str, at: int) -> int:
        if text[at] == "u":
            self._hex, self._read = "", self._unicode
            return at + 1
        if text[at] not in _ESCAPES:
            self._fail(at, "an escape")
        self._flush_half()
        self._word.append(_ESCAPES[text[at]])
        self._read = self._string
        return at + 1

    def _unicode(self, text: str, at: int) -> int:
        if text[at] not in "0123456789abcdefABCDEF":
            self._fail(at, "a hexadecimal digit")
        self._hex += text[at]
        if len(self._hex) == 4:
            unit = chr(int(self._hex, 16))
            if self._half and "\udc00" <= unit <= "\udfff":
                unit = (self._half + unit).encode("utf-16", "surrogatepass").decode("utf-16")
                self._half = ""
            self._flush_half()
            if "\ud800" <= unit <= "\udbff":
                self._half = unit
            else:
                self._word.append(unit)
            self._read = self._string
        return at + 1

    def _scalar(self, text: str, at: int) -> int:
        found = _SCALAR.match(text, at)
        if found:
            self._word.append(found[0])
            return found.end()
        self._end_scalar(at)
        return at

    def _end_scalar(self, at: int) -> None:
        word = "".join(self._word)
        try:
            value = json.loads(word, parse_constant=_no_constant)
        except ValueError:
            if not _WHOLE.fullmatch(word):
                self._fail(at, f"a value, not `{word[:40]}`,")
            value = Decimal(word)  # it has more digits than int() reads
        self._end_value(value)

    def _flush_half(self) -> None:
        if self._half:
            self._word.append(self._half)
            self._half = ""

    def _begin_string(self, *, is_key: bool, is_shown: bool) -> None:
        self._word, self._is_key, self._is_shown, self._read = [], is_key, is_shown, self._string

    def _end_string(self, value: str) -> None:
        self._is_shown = False
        if self._is_key:
            self._open[-1].key = value
            self._read = self._colon
        else:
            self._end_value(value)

    def _end_value(self, value: Any) -> None:
        kind = self._kind()
        self._put(value if kind is None else _converted(value, kind))
        if self._open:
            self._open[-1].has_item = False
        else:
            self.is_complete = True
        self._read = self._after

    def _close(self, at: int) -> int:
        self._open.pop()
        if self._open:
            self._open[-1].has_item = False
        else:
            self.is_complete = True
        self._is_first, self._read = False, self._after
        return at + 1

    def _kind(self) -> Any:
        return self._open[-1].kind_of_item() if self._open else self._type

    def _put(self, value: Any) -> None:
        if self._open:
            self._open[-1].put(value)
        else:
            self.value = value


class _Open:
    """An object or an array that has not ended."""

    def __init__(self, kind: Any, is_object: bool) -> None:
        self.is_object = is_object
        self.key = ""
        self.has_item = False  # of an array: its last item is being written
        self._item: Any = None
        self._fields: dict[str, tuple[str, Any]] | None = None
        self.value: Any = {} if is_object else []
        if kind is None:
            return
        model = _model_in(kind) if is_object else None
        if model is None:
            self._item = _item_type(kind, is_object)
            return
        self._fields = {key: (name, field.annotation) for name, field in model.model_fields.items()
                        for key in _keys(name, field, model.model_config)}
        self.value = _begun(model)

    def kind_of_item(self) -> Any:
        return self._item if self._fields is None else self._fields.get(self.key, ("", None))[1]

    def put(self, value: Any) -> None:
        if self._fields is not None:
            extra = self.value.__pydantic_extra__
            if self.key in self._fields:
                name = self._fields[self.key][0]
                vars(self.value)[name] = value
            elif extra is not None:
                name = self.key
                extra[name] = value
            else:  # as in pydantic: the model has no such member, which could hide a method
                return
            self.value.model_fields_set.add(name)
        elif self.is_object:
            self.value[self.key] = value
        elif self.has_item:
            self.value[-1] = value
        else:
            self.value.append(value)
            self.has_item = True


def _begun(model: Any) -> Any:
    """Returns an object of a model of which nothing is written: its fields are the defaults, or None.

    Nothing of the model runs that needs a whole object: no validator and no model_post_init, which model_construct() calls.
    """
    value = model.__new__(model)
    members = {name: _default(field) for name, field in model.model_fields.items()}
    private = {name: _default(field) for name, field in model.__private_attributes__.items()}
    extra: dict[str, Any] | None = {} if model.model_config.get("extra") == "allow" else None
    for name, given in (("__dict__", members), ("__pydantic_fields_set__", set()), ("__pydantic_extra__", extra),
                        ("__pydantic_private__", private or None)):
        object.__setattr__(value, name, given)
    return value


def _default(field: Any) -> Any:
    """Returns the default of a field, None if it has none."""
    try:
        default = field.get_default(call_default_factory=True) if hasattr(field, "annotation") else field.get_default()
    except Exception:  # a factory that needs the other members
        return None
    return None if type(default).__name__ == "PydanticUndefinedType" else default


def _no_constant(word: str) -> Any:
    raise ValueError(word)


def _adapter(kind: Any) -> Any:
    try:
        return _cached_adapter(kind)
    except TypeError:  # a type with annotations that have no hash
        return _cached_adapter.__wrapped__(kind)


@functools.lru_cache(maxsize=512)
def _cached_adapter(kind: Any) -> Any:
    import pydantic

    return pydantic.TypeAdapter(kind)


def _check_type(model: Any) -> None:
    """Raises TypeError: pydantic cannot validate values of `model`."""
    import pydantic

    expected = f"`model` must be a pydantic model or another type, not {shown(model)}"
    if isinstance(model, (dict, str)):  # pydantic has meanings for these
        raise TypeError(expected)
    try:
        _adapter(model)
    except (TypeError, RecursionError, pydantic.PydanticUserError) as error:
        reason = str(error).partition("\n")[0]
        raise TypeError(f"{expected}: {reason}") from None


def _converted(value: Any, kind: Any) -> Any:
    """Returns the value as pydantic takes it for the type; as it is if it is none of the type."""
    try:
        return _adapter(kind).validate_python(value)
    except Exception:  # result() says what is wrong
        return value


def _alternatives(kind: Any) -> list[Any]:
    """Returns the types of a union, without None; the type itself if it is none."""
    while typing.get_origin(kind) is typing.Annotated:
        kind = typing.get_args(kind)[0]
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        return [each for part in typing.get_args(kind) for each in _alternatives(part) if each is not type(None)]
    return [kind]


def _takes_text(kind: Any) -> bool:
    return any(each in (str, Any) for each in _alternatives(kind))


def _model_in(kind: Any) -> Any:
    """Returns the model of an object of the type; None if there is none, or more than one."""
    models = [each for each in _contents(kind) if hasattr(each, "model_fields") and hasattr(each, "model_construct")]
    return models[0] if len(models) == 1 else None


def _item_type(kind: Any, is_object: bool) -> Any:
    """Returns the type of the members of a dict, or of the items of a list; None if it is not one type."""
    found = []
    for each in _contents(kind):
        origin, parts = typing.get_origin(each), typing.get_args(each)
        if isinstance(origin, type) and issubclass(origin, dict) == is_object and len(parts) == (2 if is_object else 1):
            found.append(parts[-1])
    return found[0] if len(found) == 1 else None


def _contents(kind: Any, around: tuple[Any, ...] = ()) -> list[Any]:
    """Returns the alternatives of a type, and of a RootModel those of what it holds. around: the RootModels that hold it."""
    found = []
    for each in _alternatives(kind):
        root = each.model_fields.get("root") if getattr(each, "__pydantic_root_model__", False) else None
        if root is None:
            found.append(each)
        elif each not in around:
            found += _contents(root.annotation, (*around, each))
    return found


def _keys(name: str, field: Any, config: Any) -> list[str]:
    """Returns the keys by which JSON may name a field. Paths into other values are left out."""
    alias = field.validation_alias or field.alias
    if alias is None:
        return [name]
    keys = [each for each in getattr(alias, "choices", [alias]) if isinstance(each, str)]
    return [*keys, name] if config.get("populate_by_name") or config.get("validate_by_name") else keys
