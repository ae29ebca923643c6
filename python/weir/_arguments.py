"""Says which argument of a call is wrong, what is expected and what came, in one line.

The compiled module calls wrong_argument() after nanobind has refused the arguments of one of its functions, and no_text()
after a str had no UTF-8. Which type an argument must have is read from the function's signature, so that nothing has to be
said twice.
"""

from __future__ import annotations

import ast
import difflib
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from weir.errors import GrammarError, TokenizerError

__all__ = ["expect", "expect_text", "no_text", "shown", "wrong_argument"]


def _has_value(value: Any, convert: Callable[[Any], Any]) -> bool:
    """Returns True for a number, and for objects that stand for one: not for each array, though all have the method."""
    try:
        convert(value)
    except Exception:
        return False
    return not isinstance(value, (str, bytes, bytearray))


_KINDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "str": ("a str", lambda value: isinstance(value, str)),
    "bytes": ("bytes", lambda value: isinstance(value, bytes)),
    "bytearray": ("a bytearray", lambda value: isinstance(value, bytearray)),
    "bool": ("a bool", lambda value: isinstance(value, bool)),
    "int": ("an int", lambda value: _has_value(value, operator.index)),
    "float": ("a float", lambda value: _has_value(value, float)),
    "None": ("None", lambda value: value is None),
    "Mapping": ("a mapping", lambda value: isinstance(value, Mapping)),
    "dict": ("a dict", lambda value: isinstance(value, dict)),
    "PathLike": ("a path", lambda value: hasattr(type(value), "__fspath__")),
}
_HALVES = re.compile("[\ud800-\udfff]")  # of surrogate pairs
_SEQUENCES = ("Sequence", "list", "tuple")


def expect(value: Any, name: str, *types: type) -> None:
    """Raises TypeError unless the value is of one of the types; for functions that are written in Python."""
    if not isinstance(value, types):
        expected = " or ".join(f"an {each.__name__}" if each is int else f"a {each.__name__}" for each in types)
        raise TypeError(f"`{name}` must be {expected}, not {shown(value)}")


def expect_text(value: Any, name: str) -> None:
    """Raises TypeError unless the value is a str, ValueError if UTF-8 cannot express it."""
    expect(value, name, str)
    if _HALVES.search(value):
        raise _half_surrogate("", f"`{name}`", value)


def wrong_argument(function: Any, positional: list[Any], named: dict[str, Any]) -> Exception:
    """Returns the exception for a call whose arguments nanobind has refused.

    It is a TypeError; for a str that UTF-8 cannot express it is that of no_text().
    """
    name, given = _arguments_of(function, positional, named)
    if isinstance(given, TypeError):
        return given
    for argument, value in given:
        wrong = _wrong_type(argument, value, function)
        if wrong is not None:
            return wrong
    for argument, value in given:
        for place, part in _parts(f"`{argument.arg}`", value):
            if isinstance(part, str) and _HALVES.search(part):
                return _half_surrogate(name, place, part)
            if _is_long(part):
                return TypeError(f"{place} is a number of more than 63 bits")
    for argument, value in given:
        if value is None and argument.annotation is not None:  # the type is one that nanobind does not check
            return TypeError(f"`{argument.arg}` must be {_expected_of(argument.annotation)}, not None")
    unmade = next((value for _, value in given if type(value).__module__.startswith("weir.")), None)
    if unmade is not None:
        return TypeError(f"a {type(unmade).__name__} that was never initialized has no value")
    return TypeError(f"the arguments of {name}() cannot be read")


def no_text(function: Any, positional: list[Any], named: dict[str, Any], error: UnicodeEncodeError) -> Exception:
    """Returns the exception for a call with a str that UTF-8 cannot express, because it has half of a surrogate pair.

    It is what the function raises for other wrong texts: GrammarError, TokenizerError or ValueError.
    error: Python's own.
    """
    name, given = _arguments_of(function, positional, named)
    if isinstance(given, TypeError):
        return given
    for argument, value in given:
        for place, part in _parts(f"`{argument.arg}`", value):
            if isinstance(part, str) and part == error.object:
                return _half_surrogate(name, place, part)
    return _half_surrogate(name, f"an argument of {name}()", error.object)


def _half_surrogate(name: str, place: str, text: str) -> ValueError:
    half = _HALVES.search(text)
    assert half is not None
    at = half.start()
    message = f"{place} has half of a surrogate pair at index {at}, which no text in UTF-8 has"
    owner = name.partition(".")[0]
    if owner in ("Grammar", "GrammarCompiler", "strict_json_schema", "structural_tag_for_tools"):
        return GrammarError(message, code="syntax", message=message, start=at, end=at + 1, text=text)
    return TokenizerError(message, code="invalid_argument") if owner == "TokenizerInfo" else ValueError(message)


def _arguments_of(function: Any, positional: list[Any],
                  named: dict[str, Any]) -> tuple[str, list[tuple[ast.arg, Any]] | TypeError]:
    """Returns the function's name, and the pairs of parameters and values or the error of a call that does not fit."""
    signature = re.sub(r"\\\d+", "...", function.__nb_signature__[0][0])
    tree = ast.parse(signature[signature.rindex("def "):] + ": ...").body[0]
    assert isinstance(tree, ast.FunctionDef)
    name = _name_of(function, tree.name)
    return name, _bound(tree.args, positional, named, name)


def _name_of(function: Any, name: str) -> str:
    qualified: str = getattr(function, "__qualname__", name)
    return qualified.removesuffix(".__init__")


def _bound(parameters: ast.arguments, positional: list[Any], named: dict[str, Any],
           name: str) -> list[tuple[ast.arg, Any]] | TypeError:
    """Returns the pairs of parameters and values, or the error of a call that does not fit the parameters."""
    in_place = [*parameters.posonlyargs, *parameters.args]
    by_name = {parameter.arg: parameter for parameter in [*parameters.args, *parameters.kwonlyargs]}
    given = list(zip(in_place, positional))
    most = len(in_place)
    first = 1 if in_place and in_place[0].arg == "self" else 0
    if len(positional) > most and parameters.vararg is None:
        return TypeError(f"too many positional arguments for {name}(): at most {most - first}, not "
                         f"{len(positional) - first}")
    if parameters.vararg is not None:
        given += [(parameters.vararg, value) for value in positional[most:]]
    known = {parameter.arg for parameter, _ in given}
    for key, value in named.items():
        if key in known:
            return TypeError(f"{name}() has got two values for `{key}`")
        if key in by_name:
            given.append((by_name[key], value))
        elif parameters.kwarg is None:
            near = difflib.get_close_matches(key, by_name, 1)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            shown = key.encode("utf-8", "backslashreplace").decode()
            return TypeError(f"{name}() has no argument `{shown}`{hint}")
    needed = in_place[:len(in_place) - len(parameters.defaults)]
    needed += [each for each, value in zip(parameters.kwonlyargs, parameters.kw_defaults) if value is None]
    known = {parameter.arg for parameter, _ in given}
    missing = [f"`{parameter.arg}`" for parameter in needed if parameter.arg not in known]
    if missing:
        return TypeError(f"{name}() needs the argument {', '.join(missing)}")
    return given


def _wrong_type(parameter: ast.arg, value: Any, function: Any) -> TypeError | None:
    if parameter.annotation is None:  # `self`
        owner = getattr(function, "__qualname__", "").rpartition(".")[0]
        fits = parameter.arg != "self" or any(cls.__name__ == owner for cls in type(value).__mro__)
        return None if fits else TypeError(f"`self` must be a {owner}, not {_kind(value)}")
    if _fits(value, parameter.annotation):
        return None
    expected = _expected_of(parameter.annotation)
    for alternative in _alternatives(parameter.annotation):
        item = _wrong_item(value, alternative)
        if item is not None:
            return TypeError(f"`{parameter.arg}` must be {expected}; item {item[0]} is {shown(item[1])}")
    return TypeError(f"`{parameter.arg}` must be {expected}, not {shown(value)}")


def _alternatives(annotation: ast.expr) -> list[ast.expr]:
    """Returns the types of a union; of `A | B` both."""
    if isinstance(annotation, ast.BinOp):
        return [*_alternatives(annotation.left), *_alternatives(annotation.right)]
    return [annotation]


def _word(annotation: ast.expr) -> str:
    """Returns the last part of a type's name: of `collections.abc.Sequence[int]` it is `Sequence`."""
    if isinstance(annotation, ast.Subscript):
        annotation = annotation.value
    if isinstance(annotation, ast.Attribute):
        return annotation.attr
    if isinstance(annotation, ast.Constant):
        return str(annotation.value)
    return annotation.id if isinstance(annotation, ast.Name) else ""


def _expected_of(annotation: ast.expr) -> str:
    return " or ".join(dict.fromkeys(_expected(one) for one in _alternatives(annotation)))


def _expected(annotation: ast.expr) -> str:
    word = _word(annotation)
    if isinstance(annotation, ast.Subscript):
        if word in _SEQUENCES:
            items = " or ".join(_expected(one).removeprefix("an ").removeprefix("a ") for one in
                                _alternatives(annotation.slice))
            return "a sequence" if items == "object" else f"a sequence of {'ints' if items == 'int' else items}"
        if word == "Literal":
            return f"one of {ast.unparse(annotation.slice).strip('()')}"
    return _KINDS[word][0] if word in _KINDS else "an object" if word in ("object", "Any") else f"a {word}"


def _fits(value: Any, annotation: ast.expr) -> bool:
    return any(_fits_one(value, one) for one in _alternatives(annotation))


def _fits_one(value: Any, annotation: ast.expr) -> bool:
    word = _word(annotation)
    if word in _SEQUENCES and isinstance(annotation, ast.Subscript):
        items = _items(value)
        return items is not None and all(_fits(item, annotation.slice) for item in items)
    if word == "Literal" and isinstance(annotation, ast.Subscript):
        return isinstance(value, str)  # the function itself says which words there are
    if word in _KINDS:
        return _KINDS[word][1](value)
    import weir

    cls = getattr(weir, word, None)
    return cls is None or isinstance(value, cls)


def _wrong_item(value: Any, annotation: ast.expr) -> tuple[int, Any] | None:
    """Returns the first item of a sequence that is not of the right type, with its index."""
    items = _items(value) if _word(annotation) in _SEQUENCES and isinstance(annotation, ast.Subscript) else None
    for place, item in enumerate(items or ()):
        if isinstance(annotation, ast.Subscript) and not _fits(item, annotation.slice):
            return place, item
    return None


def _items(value: Any) -> list[Any] | None:
    """Returns the items of what serves as a sequence, None for other objects."""
    if isinstance(value, (str, bytes, bytearray, dict)) or not hasattr(type(value), "__getitem__"):
        return None
    try:
        return [value[place] for place in range(len(value))]
    except Exception:  # an object that only looks like a sequence
        return None


def _parts(place: str, value: Any, depth: int = 2) -> Iterator[tuple[str, Any]]:
    """Yields the value and what sequences and mappings have inside, each with words that say where it is."""
    yield place, value
    if depth == 0:
        return
    if isinstance(value, dict):
        for key, member in value.items():
            yield f"a key of {place}", key
            yield from _parts(f"the value of {shown(key)} in {place}", member, depth - 1)
    for index, item in enumerate(_items(value) or ()):
        yield from _parts(f"item {index} of {place}", item, depth - 1)


def _is_long(value: Any) -> bool:
    """Returns True for an integer of more than 63 bits."""
    try:
        return hasattr(type(value), "__index__") and abs(value.__index__()) >= 1 << 63
    except Exception:
        return False


def _kind(value: Any) -> str:
    """Returns the name of a value's type."""
    return "None" if value is None else type(value).__name__


def shown(value: Any) -> str:
    """Returns a short number or text itself with its type, of other values the type."""
    if isinstance(value, (bool, int, float, str, bytes)) and type(value).__module__ == "builtins":
        shown = repr(value) if not isinstance(value, int) or abs(value) < 1 << 64 else ""
        if 0 < len(shown) <= 40:
            return f"{shown} ({type(value).__name__})"
    return _kind(value)
