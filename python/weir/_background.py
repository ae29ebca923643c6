"""Threads on which grammars are compiled, and their likely states explored, in the background."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from weir._weir import CompiledGrammar

__all__ = ["submit", "warm_up"]

_compiling: ThreadPoolExecutor | None = None
_warming: ThreadPoolExecutor | None = None  # of one thread, so that no compile waits for warm-ups
_lock = threading.Lock()


def _forget() -> None:
    """Drops the pools in a forked process, in which the threads of the parent do not exist."""
    global _compiling, _warming, _lock
    _compiling, _warming, _lock = None, None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def submit(compile: Callable[..., CompiledGrammar], *arguments: Any, warm_up: bool | int = False, **options: Any) -> Future[CompiledGrammar]:
    if not isinstance(warm_up, int) or warm_up < 0:
        raise ValueError("`warm_up` must be False, True, or a count of steps")

    def compile_and_warm_up() -> CompiledGrammar:
        compiled = compile(*arguments, **options)
        if warm_up is not False:
            _warm_up(compiled, None if warm_up is True else warm_up)
        return compiled

    return _compile_threads().submit(compile_and_warm_up)


def warm_up(compiled: CompiledGrammar, work: int | None) -> None:
    """Calls `compiled.warm_up` in the background; `work` None: with its default."""
    with contextlib.suppress(RuntimeError):  # the interpreter is about to exit
        _warm_up_thread().submit(compiled.warm_up, **({} if work is None else {"work": work}))


_warm_up = warm_up  # `submit` has a parameter of that name


def _compile_threads() -> ThreadPoolExecutor:
    global _compiling
    with _lock:
        if _compiling is None:
            _compiling = ThreadPoolExecutor(thread_name_prefix="weir-compile")
        return _compiling


def _warm_up_thread() -> ThreadPoolExecutor:
    global _warming
    with _lock:
        if _warming is None:
            _warming = ThreadPoolExecutor(max_workers=1, thread_name_prefix="weir-warm-up")
        return _warming
