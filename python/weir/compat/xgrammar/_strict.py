"""xgrammar's strict mode: objects have no members, and arrays no items, but those that the schema lists.

A schema is closed where it is all that is asked of a value: at the root, and where it is that of a member or an item.
Of `anyOf` and `oneOf` that stand alone each alternative is; a `$ref` that stands alone leads to a closed copy, since
what it leads to may also be a part of something. Where parts come together (`allOf`, or members beside `$ref`) it takes
`unevaluatedProperties`, which drafts before 2019-09 lack: those stay open there.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["closed"]

_PARTS = ("allOf", "anyOf", "oneOf", "if", "then", "else", "$ref", "$dynamicRef", "$recursiveRef", "dependentSchemas",
          "dependencies", "not")
_ANNOTATIONS = {"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment",
                "$schema", "$id", "id", "$anchor", "$defs", "definitions", "$vocabulary", "discriminator"}


def closed(schema: Any) -> Any:
    """The schema in strict mode. What it is made of is not changed."""
    return _Closer(schema).root() if isinstance(schema, dict) else schema


class _Closer:
    def __init__(self, root: dict[str, Any]) -> None:
        self._root = root
        self._is_old = re.search(r"draft-0?[3-7]", str(root.get("$schema", ""))) is not None
        self._container = "definitions" if self._is_old else "$defs"
        self._places: dict[str, str] = {}  # of closed copies, by the reference that leads to the original
        self._copies: dict[str, Any] = {}  # by place

    def root(self) -> dict[str, Any]:
        made: dict[str, Any] = self._close(self._root)
        if self._copies:
            made[self._container] = {**made.get(self._container, {}), **self._copies}
        return made

    def _close(self, schema: Any) -> Any:
        """A schema that is all that is asked of a value."""
        if not isinstance(schema, dict):
            return schema
        out = self._inside(schema)
        parts = [key for key in _PARTS if key in schema]
        others = set(schema) - _ANNOTATIONS
        if others == {"$ref"} and isinstance(schema["$ref"], str):
            out["$ref"] = self._copy(schema["$ref"])
        elif others in ({"anyOf"}, {"oneOf"}):
            (key,) = others
            out[key] = [self._close(part) for part in schema[key]] if isinstance(schema[key], list) else schema[key]
        elif not parts:
            self._close_members(schema, out, "additionalProperties")
            self._close_items(schema, out)
        elif not self._is_old:
            self._close_members(schema, out, "unevaluatedProperties")
        return out

    def _close_members(self, schema: dict[str, Any], out: dict[str, Any], keyword: str) -> None:
        if "additionalProperties" in schema or "unevaluatedProperties" in schema:
            return
        if self._names_members(schema, ()):
            out[keyword] = False

    def _close_items(self, schema: dict[str, Any], out: dict[str, Any]) -> None:
        if isinstance(schema.get("items"), list):
            out.setdefault("additionalItems", False)
        elif "prefixItems" in schema and "unevaluatedItems" not in schema:
            out.setdefault("items", False)

    def _names_members(self, schema: Any, seen: tuple[str, ...]) -> bool:
        if not isinstance(schema, dict):
            return False
        if "properties" in schema or "patternProperties" in schema:
            return True
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference not in seen:
            if self._names_members(self._find(reference), (*seen, reference)):
                return True
        parts = [schema.get(key) for key in ("if", "then", "else")]
        for key in ("allOf", "anyOf", "oneOf"):
            parts += schema[key] if isinstance(schema.get(key), list) else []
        return any(self._names_members(part, seen) for part in parts)

    def _copy(self, reference: str) -> str:
        """A reference to the closed copy of what `reference` leads to; itself where that is not in this document."""
        if reference == "#":
            return reference  # the root is closed
        target = self._find(reference)
        if not isinstance(target, dict):
            return reference
        if reference not in self._places:
            place = f"strict-{len(self._places)}"
            while place in self._root.get(self._container, {}):
                place += "-"
            self._places[reference] = place  # before what leads back here is met
            self._copies[place] = self._close(target)
        return f"#/{self._container}/{self._places[reference]}"

    def _find(self, reference: str) -> Any:
        """What a JSON Pointer of this document leads to, or None."""
        if not reference.startswith("#/") or "%" in reference:
            return None
        at: Any = self._root
        for token in reference[2:].split("/"):
            token = token.replace("~1", "/").replace("~0", "~")
            if isinstance(at, dict) and token in at:
                at = at[token]
            elif isinstance(at, list) and token.isdecimal() and int(token) < len(at):
                at = at[int(token)]
            else:
                return None
        return at

    def _inside(self, schema: dict[str, Any]) -> dict[str, Any]:
        """A copy in which the schemas of members and items are closed, and parts are looked into for such."""
        out = dict(schema)
        for key in ("properties", "patternProperties"):
            if isinstance(schema.get(key), dict):
                out[key] = {name: self._close(part) for name, part in schema[key].items()}
        for key in ("additionalProperties", "unevaluatedProperties", "additionalItems", "unevaluatedItems", "contains"):
            if key in schema:
                out[key] = self._close(schema[key])
        for key in ("items", "prefixItems"):
            if isinstance(schema.get(key), list):
                out[key] = [self._close(part) for part in schema[key]]
            elif key in schema:
                out[key] = self._close(schema[key])
        for key in ("allOf", "anyOf", "oneOf"):
            if isinstance(schema.get(key), list):
                out[key] = [self._inside(part) if isinstance(part, dict) else part for part in schema[key]]
        for key in ("if", "then", "else"):
            if isinstance(schema.get(key), dict):
                out[key] = self._inside(schema[key])
        return out
