"""llguidance.llamacpp: the vocabulary of a model that llama-cpp-python has loaded."""

from __future__ import annotations

import ctypes
from typing import Any

import llama_cpp

import weir
from weir.compat.llguidance._tokenizer import LLTokenizer

__all__ = ["lltokenizer_from_vocab"]

_MOST_BYTES = 16 * 1024  # of a token


def lltokenizer_from_vocab(vocab: Any, n_vocab: int | None = None, eos_token: int | list[int] | None = None,
                           slices: list[str] | None = None) -> LLTokenizer:
    """Makes the LLTokenizer of a `llama_vocab`, as a list of tokens.

    n_vocab: the width of the logits. eos_token: the tokens that end an output, by default llama.cpp's.
    Control tokens are special, and so are user-defined tokens of the form <...>.
    Raises ValueError: a token of more than 16 KiB.
    """
    buffer = ctypes.create_string_buffer(_MOST_BYTES)
    tokens: list[bytes] = []
    special: list[int] = []
    for token in range(llama_cpp.llama_vocab_n_tokens(vocab)):
        size = llama_cpp.llama_token_to_piece(vocab, token, buffer, _MOST_BYTES, 0, True)
        if size < 0:
            raise ValueError(f"token {token} has {-size} bytes; {_MOST_BYTES} are the most")
        text = buffer.raw[:size]
        kind = llama_cpp.llama_token_get_attr(vocab, token)
        is_named = bool(kind & llama_cpp.LLAMA_TOKEN_ATTR_USER_DEFINED) and text[:1] == b"<" and text[-1:] == b">"
        if kind & llama_cpp.LLAMA_TOKEN_ATTR_CONTROL or is_named:
            special.append(token)
        tokens.append(text)
    ends = llama_cpp.llama_vocab_eos(vocab) if eos_token is None else eos_token
    info = weir.TokenizerInfo(tokens, special_token_ids=special, padded_vocab_size=n_vocab or 0,
                              stop_token_ids=[ends] if isinstance(ends, int) else ends)
    return LLTokenizer.of(info, is_canonical=False)
