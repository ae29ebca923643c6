"""xgrammar.openai_tool_call_schema: the tools and the tool choice of a chat request, as plain classes.

The function `of` of each class reads a dict, and raises ValueError if the dict does not have the form of the class.
"""

from __future__ import annotations

import dataclasses
from typing import Any

__all__ = ["AllowedToolChoiceParam", "AllowedToolRef", "AllowedToolsParam", "BuiltinToolChoiceParam",
           "BuiltinToolParam", "FunctionDefinition", "FunctionToolParam", "NamedToolChoiceFunction",
           "NamedToolChoiceParam"]


def _member(of: Any, key: str, kind: type | tuple[type, ...], default: Any = dataclasses.MISSING) -> Any:
    """Returns the member `key`, which has one of these types. If there is a default, it replaces None."""
    if not isinstance(of, dict):
        raise ValueError(f"not an object: {of!r}")
    value = of.get(key, default)
    if value is dataclasses.MISSING:
        raise ValueError(f"`{key}` is missing in {of!r}")
    if not isinstance(value, kind) and not (value is None and default is not dataclasses.MISSING):
        raise ValueError(f"`{key}` is of another type: {value!r}")
    return value


@dataclasses.dataclass
class FunctionDefinition:
    name: str
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None

    @staticmethod
    def of(value: Any) -> FunctionDefinition:
        return FunctionDefinition(_member(value, "name", str), _member(value, "description", str, None),
                                  _member(value, "parameters", dict, None), _member(value, "strict", bool, None))


@dataclasses.dataclass
class FunctionToolParam:
    function: FunctionDefinition
    type: str = "function"

    @staticmethod
    def of(value: Any) -> FunctionToolParam:
        if _member(value, "type", str, "function") != "function":
            raise ValueError(f"no function: {value!r}")
        return FunctionToolParam(FunctionDefinition.of(_member(value, "function", dict)))


@dataclasses.dataclass
class BuiltinToolParam:
    """A tool of the server. Its name in the output is `name`, or `type` if there is no `name`."""

    type: str
    name: str | None = None
    parameters: dict[str, Any] | None = None

    @staticmethod
    def of(value: Any) -> BuiltinToolParam:
        return BuiltinToolParam(_member(value, "type", str), _member(value, "name", str, None),
                                _member(value, "parameters", dict, None))


@dataclasses.dataclass
class NamedToolChoiceFunction:
    name: str

    @staticmethod
    def of(value: Any) -> NamedToolChoiceFunction:
        return NamedToolChoiceFunction(_member(value, "name", str))


@dataclasses.dataclass
class NamedToolChoiceParam:
    function: NamedToolChoiceFunction
    type: str = "function"

    @staticmethod
    def of(value: Any) -> NamedToolChoiceParam:
        if _member(value, "type", str, "function") != "function":
            raise ValueError(f"no function: {value!r}")
        return NamedToolChoiceParam(NamedToolChoiceFunction.of(_member(value, "function", dict)))


@dataclasses.dataclass
class BuiltinToolChoiceParam:
    type: str
    name: str | None = None

    @staticmethod
    def of(value: Any) -> BuiltinToolChoiceParam:
        return BuiltinToolChoiceParam(_member(value, "type", str), _member(value, "name", str, None))


@dataclasses.dataclass
class AllowedToolRef:
    type: str
    function: NamedToolChoiceFunction | None = None
    name: str | None = None

    @staticmethod
    def of(value: Any) -> AllowedToolRef:
        function = _member(value, "function", dict, None)
        return AllowedToolRef(_member(value, "type", str),
                              None if function is None else NamedToolChoiceFunction.of(function),
                              _member(value, "name", str, None))


@dataclasses.dataclass
class AllowedToolsParam:
    mode: str
    tools: list[AllowedToolRef]

    @staticmethod
    def of(value: Any) -> AllowedToolsParam:
        mode = _member(value, "mode", str)
        if mode not in ("auto", "required"):
            raise ValueError(f"`mode` is neither auto nor required: {mode!r}")
        return AllowedToolsParam(mode, [AllowedToolRef.of(tool) for tool in _member(value, "tools", list)])


@dataclasses.dataclass
class AllowedToolChoiceParam:
    allowed_tools: AllowedToolsParam
    type: str = "allowed_tools"

    @staticmethod
    def of(value: Any) -> AllowedToolChoiceParam:
        if _member(value, "type", str, "allowed_tools") != "allowed_tools":
            raise ValueError(f"no allowed tools: {value!r}")
        return AllowedToolChoiceParam(AllowedToolsParam.of(_member(value, "allowed_tools", dict)))
