"""xgrammar.config: a recursion limit, which weir ignores, and the version of what serialize_json writes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import weir

__all__ = ["get_max_recursion_depth", "get_serialization_version", "max_recursion_depth", "set_max_recursion_depth"]

_depth = 10000


def get_max_recursion_depth() -> int:
    """Returns the value that was set last. It has no effect; weir.Limits.nesting limits the nesting of grammars."""
    return _depth


def set_max_recursion_depth(max_recursion_depth: int) -> None:
    """Raises RuntimeError: not positive, or a million and more."""
    if not 0 < max_recursion_depth < 1_000_000:
        raise RuntimeError(f"the recursion depth {max_recursion_depth} is not between 1 and 999999")
    global _depth
    _depth = max_recursion_depth


@contextlib.contextmanager
def max_recursion_depth(temp_depth: int) -> Iterator[None]:
    """A context manager that sets the depth while it is active."""
    before = get_max_recursion_depth()
    set_max_recursion_depth(temp_depth)
    try:
        yield
    finally:
        set_max_recursion_depth(before)


def get_serialization_version() -> str:
    """Returns weir's version: forms can be loaded only by the version that wrote them."""
    return f"weir-{weir.__version__}"
