"""xgrammar's strict mode: objects have no other members, and arrays no other items, than those that the schema lists.

A schema is closed if it alone describes a value: at the root, and as the schema of a member or an item. If it has only
`anyOf` or `oneOf`, each alternative is closed. If it has only `$ref`, it refers to a closed copy of the target, because
the target may also be part of another schema. If several parts describe the value (`allOf`, or members beside `$ref`),
closing them needs `unevaluatedProperties`, which drafts before 2019-09 lack; there, such schemas stay open.
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
    """Returns the schema in strict mode. Does not change `schema`."""
    return _Closer(schema).root() if isinstance(schema, dict) else schema


class _Closer:
    def __init__(self, root: dict[str, Any]) -> None:
        self._root = root
        self._is_old = re.search(r"draft-0?[3-7]", str(root.get("$schema", ""))) is not None
        self._container = "definitions" if self._is_old else "$defs"
        self._places: dict[str, str] = {}  # the names of closed copies, by reference to the original
        self._copies: dict[str, Any] = {}  # the closed copies, by name

    def root(self) -> dict[str, Any]:
        made: dict[str, Any] = self._close(self._root)
        if self._copies:
            made[self._container] = {**made.get(self._container, {}), **self._copies}
        return made

    def _close(self, schema: Any) -> Any:
        """Returns a closed copy of a schema that alone describes a value."""
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
        """Returns a reference to the closed copy of the target of `reference`, or `reference` if the target is not in
        this document."""
        if reference == "#":
            return reference  # the root is closed in place
        target = self._find(reference)
        if not isinstance(target, dict):
            return reference
        if reference not in self._places:
            place = f"strict-{len(self._places)}"
            while place in self._root.get(self._container, {}):
                place += "-"
            self._places[reference] = place  # set before the recursion, which may reach this reference again
            self._copies[place] = self._close(target)
        return f"#/{self._container}/{self._places[reference]}"

    def _find(self, reference: str) -> Any:
        """Returns the target of a reference that is a JSON Pointer in this document, or None."""
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
        """Returns a copy in which the schemas of members and items are closed, also those in its parts (`allOf`,
        ...)."""
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
