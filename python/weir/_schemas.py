"""Converts the objects that the API accepts as JSON documents and schemas to JSON text."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["to_json_text", "to_schema_text"]


def to_json_text(document: Any) -> str:
    """Returns the JSON text of a document; a str is that text already. Raises TypeError: it is not JSON."""
    if isinstance(document, str):
        return document
    return json.dumps(document, ensure_ascii=False)


def to_schema_text(schema: Any) -> str:
    """Returns the JSON text of a schema.

    schema: JSON text, a dict, a bool, a pydantic model or TypeAdapter, or any object with a method `model_json_schema`
        or `json_schema`.
    Raises TypeError: anything else.
    """
    if isinstance(schema, (str, dict, bool)):
        return to_json_text(schema)
    for method in ("model_json_schema", "json_schema"):
        if callable(getattr(schema, method, None)):
            return to_json_text(getattr(schema, method)())
    raise TypeError(f"`schema` must be JSON text, a dict, a bool or a pydantic model, not {type(schema).__name__}")
