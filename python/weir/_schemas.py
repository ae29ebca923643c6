"""What may stand for a JSON Schema, as its JSON text."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["to_json_text", "to_schema_text"]


def to_json_text(document: Any) -> str:
    """The JSON text of a document; a str is taken for that text. TypeError: it has none."""
    if isinstance(document, str):
        return document
    return json.dumps(document, ensure_ascii=False)


def to_schema_text(schema: Any) -> str:
    """The JSON text of a schema: JSON text, a dict or bool, a pydantic model or TypeAdapter, or what is like them."""
    if isinstance(schema, (str, dict, bool)):
        return to_json_text(schema)
    for method in ("model_json_schema", "json_schema"):
        if callable(getattr(schema, method, None)):
            return to_json_text(getattr(schema, method)())
    raise TypeError(f"`schema` must be JSON text, a dict, a bool or a pydantic model, not {type(schema).__name__}")
