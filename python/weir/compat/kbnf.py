"""The Python interface of Formatron's kbnf: `from weir.compat.kbnf import Engine, Token, Vocabulary`.

    vocabulary = Vocabulary({0: Token(b"a"), 1: Token(b"b")}, {0: "a", 1: "b"})
    engine = Engine("start ::= 'a'* 'b';", vocabulary)
    engine.compute_allowed_token_ids()
    logits = engine.mask_logits(logits)
    result = engine.try_accept_new_token(0)

docs/kbnf.md has the grammar language, and how it differs from kbnf's.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any

import numpy as np

import weir
from weir._arguments import expect

__all__ = ["AcceptTokenResult", "Config", "Engine", "Token", "Vocabulary"]


_MOST_TOKENS = 2_097_151


class AcceptTokenResult(enum.Enum):
    """The result of accepting a token."""

    Ongoing = 0
    Finished = 1


class Token(bytes):
    """A token's bytes."""


class Vocabulary:
    """A language model's tokens by id. Ids may be missing."""

    def __init__(self, id_to_token: Mapping[int, bytes], id_to_token_string: Mapping[int, str] | None = None) -> None:
        """Raises ValueError: no tokens, an id below 0, or one that is too large."""
        if not id_to_token or min(id_to_token) < 0:
            raise ValueError("there are no tokens, or ids below 0")
        if max(id_to_token) >= _MOST_TOKENS:  # before a list of so many is made
            raise ValueError(f"there is a token {max(id_to_token)}; at most {_MOST_TOKENS} tokens are supported")
        self._tokens = {i: Token(token) for i, token in id_to_token.items()}
        self._strings = dict(id_to_token_string or {})
        self._ids = {token: i for i, token in self._tokens.items()}
        # A token without bytes is never allowed.
        self._info = weir.TokenizerInfo([self._tokens.get(i, b"") for i in range(max(self._tokens) + 1)])

    @property
    def tokenizer_info(self) -> weir.TokenizerInfo:
        return self._info

    def get_token(self, token_id: int) -> Token | None:
        return self._tokens.get(token_id)

    def get_token_id(self, token: bytes) -> int | None:
        return self._ids.get(Token(token))

    def get_token_string(self, token_id: int) -> str | None:
        return self._strings.get(token_id)

    def get_vocab_size(self) -> int:
        """Returns the greatest id plus one."""
        return self._info.vocab_size


class Config:
    """The configuration of an engine. kbnf's options about its caches have no counterpart."""

    def __init__(self, start_nonterminal: str = "start") -> None:
        self.start_nonterminal = start_nonterminal


class Engine:
    """A matcher that ends as soon as its output is complete.

    Masks are those of the last computation, by compute_allowed_token_ids or update_logits.
    """

    def __init__(
        self, grammar: str, vocabulary: Vocabulary | weir.TokenizerInfo, config: Config | None = None
    ) -> None:
        """Raises weir.GrammarError, a ValueError. Stop tokens of a TokenizerInfo are never allowed."""
        expect(vocabulary, "vocabulary", Vocabulary, weir.TokenizerInfo)
        if config is not None:
            expect(config, "config", Config)
        info = vocabulary if isinstance(vocabulary, weir.TokenizerInfo) else vocabulary.tokenizer_info
        start = config.start_nonterminal if config is not None else "start"
        compiled = weir.GrammarCompiler(info).compile_grammar(grammar, syntax="kbnf", start=start, keep_endless=True)
        self._vocabulary = vocabulary
        self._stop_token_ids = frozenset(info.stop_token_ids)
        self._vocab_size = info.vocab_size
        self._matcher = weir.GrammarMatcher(compiled)
        self._allowed = np.zeros((1, weir.bitmask_words(info.vocab_size)), dtype=np.int32)

    def get_vocab(self) -> Vocabulary | weir.TokenizerInfo:
        return self._vocabulary

    def try_accept_new_token(self, token_id: int) -> AcceptTokenResult:
        """Accepts a token. Raises ValueError, without a change: no such token, not allowed, or already finished."""
        self._check_ongoing()
        if not 0 <= token_id < self._vocab_size or (
            isinstance(self._vocabulary, Vocabulary) and self._vocabulary.get_token(token_id) is None
        ):
            raise ValueError(f"there is no token {token_id}")
        if token_id in self._stop_token_ids or not self._matcher.accept_token(token_id):
            raise ValueError(f"token {token_id} is rejected")
        return self._result()

    def try_accept_new_bytes(self, data: bytes) -> AcceptTokenResult:
        """Accepts bytes, all of them or none. Raises ValueError: not allowed, or already finished."""
        self._check_ongoing()
        if data and not self._matcher.accept_string(data):
            raise ValueError("the bytes are rejected")
        return self._result()

    def compute_allowed_token_ids(self) -> None:
        if self.is_finished():
            self._allowed.fill(0)
            return
        self._matcher.fill_next_token_bitmask(self._allowed)
        for token_id in self._stop_token_ids:
            self._allowed.view(np.uint32)[0, token_id // 32] &= ~np.uint32(1 << token_id % 32)

    def get_allowed_token_ids_from_last_computation(self) -> list[int]:
        ids: list[int] = np.flatnonzero(self._bits()).tolist()
        return ids

    def get_disallowed_token_ids_from_last_computation(self) -> list[int]:
        ids: list[int] = np.flatnonzero(self._bits() == 0).tolist()
        return ids

    def get_number_of_allowed_token_ids(self) -> int:
        return int(self._bits().sum())

    def get_number_of_disallowed_token_ids(self) -> int:
        return self._vocab_size - self.get_number_of_allowed_token_ids()

    def check_if_token_is_allowed(self, token_id: int) -> bool:
        return 0 <= token_id < self._vocab_size and bool(self._bits()[token_id])

    def get_index_of_allowed_token_ids(self) -> bytes:
        """Returns the allowed tokens of the last computation as bytes that can be used as the key of a dict."""
        return self._allowed.tobytes()

    def _check_width(self, logits: Any) -> None:
        if not hasattr(logits, "shape"):
            raise TypeError(f"`logits` must be a numpy array or a torch tensor, not {type(logits).__name__}")
        if logits.shape[-1] < self._vocab_size:
            raise ValueError("there are fewer logits than tokens")

    def mask_logits(self, logits: Any) -> Any:
        """Sets the logits of tokens that are not allowed to minus infinity, in place, and returns them.

        logits: as for weir.apply_token_bitmask_inplace, of shape (width,) or (1, width).
        Raises ValueError: fewer logits than the vocabulary has tokens. TypeError: `logits` is no array or tensor.
        """
        self._check_width(logits)
        mask: Any = self._allowed if len(logits.shape) > 1 else self._allowed[0]
        if not isinstance(logits, np.ndarray):
            import torch

            mask = torch.from_numpy(mask).to(logits.device)
        weir.apply_token_bitmask_inplace(logits, mask)
        return logits

    def update_logits(self, token_id: int, logits: Any) -> tuple[Any, AcceptTokenResult]:
        """Accepts a token, computes the allowed tokens and masks the logits; leaves the logits unchanged if finished.

        Raises ValueError, without a change, as try_accept_new_token and mask_logits.
        """
        self._check_width(logits)
        result = self.try_accept_new_token(token_id)
        if result is AcceptTokenResult.Finished:
            return logits, result
        self.compute_allowed_token_ids()
        return self.mask_logits(logits), result

    def is_finished(self) -> bool:
        return self._matcher.step_count > 0 and self._matcher.is_completed()

    def reset(self) -> None:
        self._matcher.reset()
        self._allowed.fill(0)

    def _check_ongoing(self) -> None:
        if self.is_finished():
            raise ValueError("the engine is finished")

    def _result(self) -> AcceptTokenResult:
        return AcceptTokenResult.Finished if self.is_finished() else AcceptTokenResult.Ongoing

    def _bits(self) -> Any:
        bits = np.unpackbits(self._allowed.astype("<i4", copy=False).view(np.uint8)[0], bitorder="little")
        return bits[: self._vocab_size]
