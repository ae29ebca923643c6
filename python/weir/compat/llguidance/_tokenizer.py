"""llguidance.LLTokenizer and TokenizerWrapper."""

from __future__ import annotations

import pathlib
import types
from collections.abc import Sequence
from typing import Any

import weir
from weir._arguments import expect, expect_text

__all__ = ["LLTokenizer", "TokenizerWrapper"]


class TokenizerWrapper:
    """A tokenizer object with the attributes `tokens` (the bytes of all tokens), `eos_token_id` and
    `special_token_ids`."""

    tokens: list[bytes]
    eos_token_id: int
    bos_token_id: int | None
    special_token_ids: list[int]

    def __init__(self, gtokenizer: Any) -> None:
        self.tokens = list(gtokenizer.tokens)
        self.eos_token_id = gtokenizer.eos_token_id
        self.bos_token_id = getattr(gtokenizer, "bos_token_id", None)
        self.special_token_ids = list(getattr(gtokenizer, "special_token_ids", []))


def _exists(path: str) -> bool:
    try:
        return pathlib.Path(path).exists()
    except (OSError, ValueError):  # no text that a path may have
        return False


class LLTokenizer:
    """A weir.TokenizerInfo, `info`, with llguidance's names, and a compiler for it.

    tokenizer: the text or the path of a tokenizer.json, or a TokenizerWrapper.
    n_vocab: the width of the logits.
    eos_token: the tokens that end an output.
    slices: ignored; weir makes masks fast for every grammar without them.
    """

    is_canonical: bool

    def __init__(self, tokenizer: str | TokenizerWrapper, n_vocab: int | None = None,
                 eos_token: int | Sequence[int] | None = None, slices: list[str] | None = None) -> None:
        expect(tokenizer, "tokenizer", str, TokenizerWrapper)
        ends = [eos_token] if isinstance(eos_token, int) else list(eos_token) if eos_token is not None else None
        padded = n_vocab or 0
        self.is_canonical = isinstance(tokenizer, str)
        if isinstance(tokenizer, TokenizerWrapper):
            info = weir.TokenizerInfo(tokenizer.tokens, special_token_ids=tokenizer.special_token_ids,
                                      stop_token_ids=ends or [tokenizer.eos_token_id], padded_vocab_size=padded)
        elif tokenizer.lstrip().startswith("{"):
            info = weir.TokenizerInfo.from_bytes(tokenizer.encode(), name="tokenizer.json", stop_token_ids=ends,
                                                 padded_vocab_size=padded)
        elif _exists(tokenizer):
            path = pathlib.Path(tokenizer)
            file = path / "tokenizer.json" if path.is_dir() else path
            info = weir.TokenizerInfo.from_file(file, stop_token_ids=ends, padded_vocab_size=padded)
        else:
            raise ValueError(f"{tokenizer!r} is neither a tokenizer.json nor the path of one; weir downloads nothing")
        self._set(info)

    @classmethod
    def of(cls, info: weir.TokenizerInfo, *, is_canonical: bool) -> LLTokenizer:
        """Makes the object of a weir.TokenizerInfo."""
        made = cls.__new__(cls)
        made.is_canonical = is_canonical
        made._set(info)
        return made

    @staticmethod
    def from_tiktoken(*, encoder: dict[bytes, int], special_tokens: dict[str, int], pattern: str,
                      eos_token: int | Sequence[int], n_vocab: int | None = None,
                      slices: list[str] | None = None) -> LLTokenizer:
        """Makes the tokenizer of tiktoken's tables: `encoder` has the rank of each token."""
        tables = types.SimpleNamespace(_mergeable_ranks=encoder, _special_tokens=special_tokens, _pat_str=pattern)
        ends = [eos_token] if isinstance(eos_token, int) else list(eos_token)
        info = weir.TokenizerInfo.from_tiktoken(tables, stop_token_ids=ends, padded_vocab_size=n_vocab or 0)
        return LLTokenizer.of(info, is_canonical=True)

    def _set(self, info: weir.TokenizerInfo) -> None:
        self.info = info
        self.compiler = weir.GrammarCompiler(info)
        self._longest: weir.TokenizerInfo | None = None

    @property
    def vocab_size(self) -> int:
        return self.info.vocab_size

    @property
    def eos_tokens(self) -> list[int]:
        return self.info.stop_token_ids

    @property
    def eos_token(self) -> int:
        """Returns the first of the tokens that end an output. Raises IndexError: there is none."""
        return self.info.stop_token_ids[0]

    def with_slices(self, slices: list[str]) -> LLTokenizer:
        return self

    @staticmethod
    def general_slices() -> list[str]:
        return []

    @staticmethod
    def json_slices() -> list[str]:
        return []

    def tokenize_bytes(self, utf8bytes: bytes, *, parse_special: bool = False) -> list[int]:
        if parse_special:
            raise NotImplementedError("`parse_special=True` has no counterpart in weir")
        return self.info.tokenize(utf8bytes)

    def tokenize_str(self, text: str, *, parse_special: bool = False) -> list[int]:
        expect_text(text, "text")
        return self.tokenize_bytes(text.encode(), parse_special=parse_special)

    def greedy_tokenize(self, text: str) -> list[int]:
        """Returns the longest token at each place, which need not be what the tokenizer writes.

        Cost: the first call makes a table of all tokens.
        """
        if self._longest is None:
            texts = [self.info.token_bytes(token) for token in range(self.vocab_size)]
            self._longest = weir.TokenizerInfo(texts)
        return self._longest.tokenize(text)

    def tokenize_partial(self, new_bytes: bytes,
                         recent_tokens: Sequence[int] | None = None) -> tuple[list[int], bytes]:
        """Returns the tokens at the beginning that no further text changes, and the other bytes.

        recent_tokens: ignored, a hint. Raises weir.TokenizerError: weir cannot follow how the tokenizer merges
        (weir.TokenizerInfo.canonical_support).
        """
        tokens = self.info.tokenize(new_bytes)
        healing = self.info.heal(tokens)
        return tokens[:len(tokens) - healing.tokens], healing.bytes

    def decode_bytes(self, tokens: Sequence[int]) -> bytes:
        return b"".join(self.info.token_bytes(token) for token in tokens)

    def decode_str(self, tokens: Sequence[int]) -> str:
        return self.decode_bytes(tokens).decode(errors="replace")

    def dbg_tokens(self, tokens: Sequence[int]) -> str:
        return '"' + "‧".join(self.info.token_name(token) for token in tokens) + '"'

    def test_trace_tokens(self, tokens: Sequence[int]) -> str:
        """Returns the names of the tokens in double brackets, as tests of llguidance print them."""
        return "⟦" + self.dbg_tokens(tokens)[1:-1] + "⟧"

    def is_special_token(self, token: int) -> bool:
        return self.info.token_kind(token) == "special"
