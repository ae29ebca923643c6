"""Settings in the environment. Imports nothing of weir, so that plugins can read them before anything else."""

from __future__ import annotations

import os

__all__ = ["is_set"]


def is_set(name: str) -> bool:
    """Returns True if a variable turns something on: it is neither absent, nor empty, nor 0."""
    return os.environ.get(name, "0") not in ("", "0")
