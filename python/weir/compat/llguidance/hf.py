"""llguidance.hf: tokenizers of transformers."""

from __future__ import annotations

from typing import Any

import weir
from weir.compat.llguidance._tokenizer import LLTokenizer

__all__ = ["from_tokenizer"]


def from_tokenizer(hf_tokenizer: Any, n_vocab: int | None = None, eos_token: int | list[int] | None = None,
                   slices: list[str] | None = None) -> LLTokenizer:
    """Makes the LLTokenizer of a fast tokenizer. Raises TypeError, weir.TokenizerError."""
    ends = [eos_token] if isinstance(eos_token, int) else eos_token
    info = weir.TokenizerInfo.from_huggingface(hf_tokenizer, stop_token_ids=ends, padded_vocab_size=n_vocab or 0)
    return LLTokenizer.of(info, is_canonical=True)
