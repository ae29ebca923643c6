"""What has no counterpart in this interface."""

from __future__ import annotations

from typing import Any

__all__ = ["refuse", "refuse_options"]


def refuse(what: str) -> NotImplementedError:
    return NotImplementedError(f"{what} has no counterpart in weir.compat.xgrammar")


def refuse_options(**options: tuple[Any, Any]) -> None:
    """Raises for the first option whose value is not the one with which it says nothing."""
    for name, (value, neutral) in options.items():
        if value != neutral:
            raise refuse(f"`{name}={value!r}`")
