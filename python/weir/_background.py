"""Threads on which grammars are compiled in the background."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from weir._weir import CompiledGrammar

__all__ = ["submit"]

_pool: ThreadPoolExecutor | None = None
_lock = threading.Lock()


def _forget() -> None:
    """Drops the pool in a forked process, in which the threads of the parent do not exist."""
    global _pool, _lock
    _pool, _lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def submit(compile: Callable[..., CompiledGrammar], *arguments: Any, **options: Any) -> Future[CompiledGrammar]:
    global _pool
    with _lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(thread_name_prefix="weir-compile")
    return _pool.submit(compile, *arguments, **options)
