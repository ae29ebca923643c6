"""xgrammar.structural_tag: the formats of a structural tag as classes. docs/structural_tags.md says what each matches.

The classes check nothing; errors are found when the tag is read.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any

__all__ = ["AnyTextFormat", "AnyTokensFormat", "ConstStringFormat", "DispatchFormat", "ExcludeTokenFormat", "Format",
           "GrammarFormat", "JSONSchemaFormat", "OptionalFormat", "OrFormat", "PlusFormat", "QwenXMLParameterFormat",
           "RegexFormat", "RepeatFormat", "SequenceFormat", "StarFormat", "StructuralTag", "StructuralTagItem",
           "TagFormat", "TagsWithSeparatorFormat", "TokenDispatchFormat", "TokenFormat", "TokenTriggeredTagsFormat",
           "TriggeredTagsFormat"]

Tokens = list[int | str]


def _plain(value: Any) -> Any:
    if hasattr(value, "model_dump"):
        return value.model_dump()
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


class _Model:
    """An object with a JSON form: its fields, except those that are None."""

    def model_dump(self, **_: Any) -> dict[str, Any]:
        return {name: _plain(value) for name, value in vars(self).items() if value is not None}

    def model_dump_json(self, **_: Any) -> str:
        return json.dumps(self.model_dump(), ensure_ascii=False)


@dataclasses.dataclass
class StructuralTagItem:
    """A tag: `begin`, a text that is valid under `schema`, `end`."""

    begin: str
    schema: Any
    end: str

    @property
    def schema_(self) -> Any:
        """xgrammar's name of `schema`."""
        return self.schema


@dataclasses.dataclass(kw_only=True)
class ConstStringFormat(_Model):
    type: str = "const_string"
    value: str


@dataclasses.dataclass(kw_only=True)
class JSONSchemaFormat(_Model):
    type: str = "json_schema"
    json_schema: bool | dict[str, Any]
    style: str = "json"
    any_order: bool = False
    max_whitespace_cnt: int | None = None
    excludes: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(kw_only=True)
class QwenXMLParameterFormat(_Model):
    type: str = "qwen_xml_parameter"
    json_schema: bool | dict[str, Any]


@dataclasses.dataclass(kw_only=True)
class AnyTextFormat(_Model):
    type: str = "any_text"
    excludes: list[str] = dataclasses.field(default_factory=list)
    max_tokens: int | None = None
    max_chars: int | None = None


@dataclasses.dataclass(kw_only=True)
class TokenFormat(_Model):
    type: str = "token"
    token: int | str


@dataclasses.dataclass(kw_only=True)
class ExcludeTokenFormat(_Model):
    type: str = "exclude_token"
    exclude_tokens: Tokens = dataclasses.field(default_factory=list)


@dataclasses.dataclass(kw_only=True)
class AnyTokensFormat(_Model):
    type: str = "any_tokens"
    exclude_tokens: Tokens = dataclasses.field(default_factory=list)
    max_tokens: int | None = None


@dataclasses.dataclass(kw_only=True)
class GrammarFormat(_Model):
    type: str = "grammar"
    grammar: str


@dataclasses.dataclass(kw_only=True)
class RegexFormat(_Model):
    type: str = "regex"
    pattern: str


@dataclasses.dataclass(kw_only=True)
class SequenceFormat(_Model):
    type: str = "sequence"
    elements: list[Any]


@dataclasses.dataclass(kw_only=True)
class OrFormat(_Model):
    type: str = "or"
    elements: list[Any]


@dataclasses.dataclass(kw_only=True)
class OptionalFormat(_Model):
    type: str = "optional"
    content: Any


@dataclasses.dataclass(kw_only=True)
class PlusFormat(_Model):
    type: str = "plus"
    content: Any


@dataclasses.dataclass(kw_only=True)
class StarFormat(_Model):
    type: str = "star"
    content: Any


@dataclasses.dataclass(kw_only=True)
class RepeatFormat(_Model):
    type: str = "repeat"
    min: int
    max: int
    content: Any


@dataclasses.dataclass(kw_only=True)
class TagFormat(_Model):
    type: str = "tag"
    begin: str | TokenFormat
    content: Any
    end: str | list[str] | TokenFormat


@dataclasses.dataclass(kw_only=True)
class TriggeredTagsFormat(_Model):
    type: str = "triggered_tags"
    triggers: list[str]
    tags: list[Any]
    at_least_one: bool = False
    stop_after_first: bool = False
    excludes: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(kw_only=True)
class TokenTriggeredTagsFormat(_Model):
    type: str = "token_triggered_tags"
    trigger_tokens: Tokens
    tags: list[Any]
    exclude_tokens: Tokens = dataclasses.field(default_factory=list)
    at_least_one: bool = False
    stop_after_first: bool = False


@dataclasses.dataclass(kw_only=True)
class TagsWithSeparatorFormat(_Model):
    type: str = "tags_with_separator"
    tags: list[Any]
    separator: str
    at_least_one: bool = False
    stop_after_first: bool = False


@dataclasses.dataclass(kw_only=True)
class DispatchFormat(_Model):
    type: str = "dispatch"
    rules: list[Any]
    loop: bool = True
    excludes: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(kw_only=True)
class TokenDispatchFormat(_Model):
    type: str = "token_dispatch"
    rules: list[Any]
    loop: bool = True
    exclude_tokens: Tokens = dataclasses.field(default_factory=list)


Format = Any


@dataclasses.dataclass(kw_only=True)
class StructuralTag(_Model):
    type: str = "structural_tag"
    format: Format

    @staticmethod
    def from_legacy_structural_tag(tags: list[StructuralTagItem], triggers: list[str]) -> StructuralTag:
        """Returns a tag of free text in which each trigger is followed by one of the tags that begin with it."""
        made = [TagFormat(begin=tag.begin, content=JSONSchemaFormat(json_schema=_schema(tag.schema)), end=tag.end)
                for tag in tags]
        return StructuralTag(format=TriggeredTagsFormat(triggers=triggers, tags=made))

    @staticmethod
    def from_json(json_str: str | dict[str, Any]) -> StructuralTag:
        """Raises ValueError: not JSON, or not an object with a `format`."""
        document = json.loads(json_str) if isinstance(json_str, str) else json_str
        if not isinstance(document, dict) or "format" not in document:
            raise ValueError("a structural tag is an object with a `format`")
        return StructuralTag(format=document["format"])


def _schema(schema: Any) -> Any:
    """Returns a tag's schema as a JSON value; `schema` may also be JSON text or a pydantic model."""
    if hasattr(schema, "model_json_schema"):
        return schema.model_json_schema()
    return json.loads(schema) if isinstance(schema, str) else schema
