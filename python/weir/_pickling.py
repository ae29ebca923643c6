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

__all__ = ["load_compiled", "load_grammar", "load_limits", "load_tokenizer"]

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


def load_grammar(recipe: Recipe, limits: Limits) -> Grammar:
    method, arguments, options = recipe
    grammar: Grammar = getattr(Grammar, method)(*arguments, limits=limits, **options)
    return grammar


def load_compiled(tokenizer_info: TokenizerInfo, limits: Limits, recipe: Recipe) -> CompiledGrammar:
    method, arguments, options = recipe
    compiled: CompiledGrammar = getattr(GrammarCompiler(tokenizer_info, limits=limits), method)(*arguments, **options)
    return compiled
