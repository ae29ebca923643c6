"""Checks that the interfaces of other libraries share."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import weir

__all__ = ["from_json", "matchers_by_row"]


def from_json(text: str) -> Any:
    """Returns the value of a JSON text. Raises ValueError: it is not JSON, or is too deep for Python to read."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("the JSON text is nested too deeply") from None


def matchers_by_row(matchers: Iterable[tuple[int, weir.GrammarMatcher]], rows: int) -> list[weir.GrammarMatcher | None]:
    """Returns the matcher of each row of a bitmask, None for a row without one.

    Raises IndexError: there is no such row. ValueError: two matchers have one row, so that one mask would be lost.
    """
    made: list[weir.GrammarMatcher | None] = [None] * rows
    for row, matcher in matchers:
        if not 0 <= row < rows:
            raise IndexError(f"row {row} is out of range: `bitmask` has {rows} rows")
        if made[row] is not None:
            raise ValueError(f"two matchers have row {row}")
        made[row] = matcher
    return made
