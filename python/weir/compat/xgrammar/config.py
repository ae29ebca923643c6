"""xgrammar.config: a limit of recursion, which weir has no use for, and the version of what serialize_json writes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import weir

__all__ = ["get_max_recursion_depth", "get_serialization_version", "max_recursion_depth", "set_max_recursion_depth"]

_depth = 10000


def get_max_recursion_depth() -> int:
    """What was set last. Nothing here recurses: how deep a grammar may be nested is weir.Limits.nesting."""
    return _depth


def set_max_recursion_depth(max_recursion_depth: int) -> None:
    """Raises RuntimeError: not positive, or a million and more."""
    if not 0 < max_recursion_depth < 1_000_000:
        raise RuntimeError(f"the recursion depth {max_recursion_depth} is not between 1 and 999999")
    global _depth
    _depth = max_recursion_depth


@contextlib.contextmanager
def max_recursion_depth(temp_depth: int) -> Iterator[None]:
    """The depth while the context lasts."""
    before = get_max_recursion_depth()
    set_max_recursion_depth(temp_depth)
    try:
        yield
    finally:
        set_max_recursion_depth(before)


def get_serialization_version() -> str:
    """weir's own: what one version has written another need not read."""
    return f"weir-{weir.__version__}"
