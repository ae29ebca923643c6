"""Refuses functions and options of xgrammar that have no counterpart."""

from __future__ import annotations

from typing import Any

__all__ = ["refuse", "refuse_options"]


def refuse(what: str) -> NotImplementedError:
    return NotImplementedError(f"{what} has no counterpart in weir.compat.xgrammar")


def refuse_options(**options: tuple[Any, Any]) -> None:
    """Each option is a pair (value, neutral value). Raises NotImplementedError for the first whose values differ."""
    for name, (value, neutral) in options.items():
        if value != neutral:
            raise refuse(f"`{name}={value!r}`")
