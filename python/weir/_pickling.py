"""Functions that make the objects of pickles.

A pickle contains what an object was made from, and unpickling makes the object again. A tokenizer that this process has
already unpickled is not read again, so the grammars of one tokenizer share it.
"""

from __future__ import annotations

import hashlib
import threading
import weakref
from typing import Any

from weir._weir import CompiledGrammar, Grammar, GrammarCompiler, Limits, TokenizerInfo

__all__ = ["Part", "grammar_steps", "load_compiled", "load_grammar", "load_limits", "load_steps", "load_tokenizer",
           "reduced_grammar"]

Recipe = tuple[str, tuple[Any, ...], dict[str, Any]]

_tokenizers: weakref.WeakValueDictionary[bytes, TokenizerInfo] = weakref.WeakValueDictionary()
_lock = threading.Lock()


def load_tokenizer(data: bytes) -> TokenizerInfo:
    key = hashlib.blake2b(data, digest_size=32).digest()
    with _lock:
        info = _tokenizers.get(key)
        if info is None:
            info = TokenizerInfo.deserialize(data)
            _tokenizers[key] = info
    return info


def load_limits(fields: dict[str, int]) -> Limits:
    return Limits(**fields)


class Part(int):
    """In the arguments of a step: the grammar that the step of this number makes."""


def grammar_steps(grammar: Grammar) -> list[tuple[Recipe, Limits]]:
    """Returns how a grammar was made: the grammars that it was joined from come first, each once.

    Grammars are joined at up to 1,000 levels, and pickles of objects within objects need Python's stack for each.
    """
    steps: list[tuple[Recipe, Limits]] = []
    numbers: dict[int, Part] = {}  # by the id of a grammar, which `grammar` keeps alive
    known_limits: dict[tuple[tuple[str, int], ...], Limits] = {}  # a pickle has an object once
    open_grammars: list[Any] = [grammar]  # the stubs leave out `_made_by`
    while open_grammars:
        one = open_grammars[-1]
        (method, arguments, options), limits = one._made_by
        missing = [part for part in arguments if isinstance(part, Grammar) and id(part) not in numbers]
        if missing and id(one) not in numbers:
            open_grammars += missing
            continue
        open_grammars.pop()
        if id(one) in numbers:
            continue
        numbers[id(one)] = Part(len(steps))
        given = tuple(numbers[id(part)] if isinstance(part, Grammar) else part for part in arguments)
        fields = tuple(limits.__reduce__()[1][0].items())
        steps.append(((method, given, options), known_limits.setdefault(fields, limits)))
    return steps


def reduced_grammar(grammar: Grammar) -> tuple[Any, ...]:
    """Returns the result of Grammar.__reduce__."""
    steps = grammar_steps(grammar)
    return (load_grammar, steps[0]) if len(steps) == 1 else (load_steps, (steps,))


def load_steps(steps: list[tuple[Recipe, Limits]]) -> Grammar:
    made: list[Grammar] = []
    for (method, arguments, options), limits in steps:
        given = tuple(made[part] if isinstance(part, Part) else part for part in arguments)
        made.append(load_grammar((method, given, options), limits))
    return made[-1]


def load_grammar(recipe: Recipe, limits: Limits) -> Grammar:
    method, arguments, options = recipe
    grammar: Grammar = getattr(Grammar, method)(*arguments, limits=limits, **options)
    return grammar


def load_compiled(tokenizer_info: TokenizerInfo, limits: Limits, recipe: Recipe) -> CompiledGrammar:
    method, arguments, options = recipe
    compiled: CompiledGrammar = getattr(GrammarCompiler(tokenizer_info, limits=limits), method)(*arguments, **options)
    return compiled
