"""llguidance.tiktoken: tokenizers of tiktoken."""

from __future__ import annotations

from typing import Any

import weir
from weir.compat.llguidance._tokenizer import LLTokenizer

__all__ = ["lltokenizer_from_encoding"]


def lltokenizer_from_encoding(encoding: Any, *, n_vocab: int | None = None, eos_token: int | list[int] | None = None,
                              slices: list[str] | None = None) -> LLTokenizer:
    """Makes the LLTokenizer of a tiktoken.Encoding. The encoding's `eot_token` ends an output, unless `eos_token` is
    given. `n_vocab` is the width of the logits; `slices` is ignored, as in LLTokenizer."""
    ends = encoding.eot_token if eos_token is None else eos_token
    info = weir.TokenizerInfo.from_tiktoken(encoding, stop_token_ids=[ends] if isinstance(ends, int) else ends,
                                            padded_vocab_size=n_vocab or 0)
    return LLTokenizer.of(info, is_canonical=True)
