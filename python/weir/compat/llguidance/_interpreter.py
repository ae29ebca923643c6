"""llguidance.LLInterpreter: a matcher for loops that compute a mask, sample a token and commit it in turns."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Sequence
from typing import Any

import weir
from weir.compat.llguidance._matcher import LLMatcher
from weir.compat.llguidance._tokenizer import LLTokenizer

__all__ = ["LLInterpreter"]


class LLInterpreter:
    """An LLMatcher, `matcher`, with the names of llguidance's interpreter.

    A turn is compute_mask(), which returns no mask if the output has ended, and commit_token() with the sampled token.
    enable_backtrack: ignored; nothing is ever taken back.
    enable_ff_tokens: commit_token also commits and returns the tokens that must follow.
    log_level: has no effect; nothing is printed.
    Raises ValueError: a wrong grammar; after start, a token that is not allowed.
    """

    log_level: int

    def __init__(self, tokenizer: LLTokenizer, grammar: str, enable_backtrack: bool = True,
                 enable_ff_tokens: bool = True, log_level: int = 1, limits: Any = None) -> None:
        self.matcher = LLMatcher(tokenizer, grammar, log_level=log_level, limits=limits)
        self._has_ff_tokens = enable_ff_tokens
        self.log_level = log_level
        self._check()

    def deep_copy(self) -> LLInterpreter:
        made = LLInterpreter.__new__(LLInterpreter)
        made.matcher, made._has_ff_tokens = self.matcher.deep_copy(), self._has_ff_tokens
        made.log_level = self.log_level
        return made

    def is_accepting(self) -> bool:
        return self.matcher.is_accepting()

    def stop_reason(self) -> str:
        return self.matcher.stop_reason()

    def has_pending_stop(self) -> bool:
        """Returns True if the next compute_mask() returns no mask."""
        return self.matcher.is_stopped()

    def process_prompt(self, prompt: Sequence[int]) -> list[int]:
        """Returns the prompt, with the tokens at its end that must follow. Call it once, or start_without_prompt."""
        return [*prompt, *self._forced()]

    def start_without_prompt(self) -> None:
        """Begins an output without a prompt."""

    def validate_tokens_raw(self, tokens: Sequence[int]) -> int:
        """Returns the number of first tokens that could be committed."""
        return self.matcher.validate_tokens(tokens)

    def compute_mask(self) -> tuple[bytes | None, str]:
        """Returns the mask, a bit for each token, and the state as JSON; no mask after the end."""
        if self.matcher.is_stopped():
            return None, self._state()
        return self.matcher.compute_bitmask(), self._state()

    def compute_mask_into(self, trg: bytearray) -> str:
        """Writes the mask to `trg`, and returns the state as JSON. Raises ValueError: `trg` has another size."""
        mask = self.compute_mask()[0] or b""
        if len(trg) != weir.bitmask_words(self.matcher.tokenizer.vocab_size) * 4:
            raise ValueError("`trg` does not have the size of a mask")
        trg[:] = mask.ljust(len(trg), b"\0")
        return self._state()

    def unsafe_compute_mask_ptr(self, trg_pointer: int, trg_byte_size: int) -> str:
        """As compute_mask_into, at an address."""
        mask = bytearray(trg_byte_size)
        state = self.compute_mask_into(mask)
        ctypes.memmove(trg_pointer, bytes(mask), trg_byte_size)
        return state

    def commit_token(self, sampled_token: int | None) -> tuple[int, list[int]]:
        """Appends a token. Returns the number of tokens to take back, 0, and the tokens to append: it, and with
        enable_ff_tokens those that must follow. None, after the end: nothing is appended."""
        if sampled_token is None:
            return 0, []
        self.matcher.consume_token(sampled_token)
        self._check()
        return 0, [sampled_token, *self._forced()]

    def _forced(self) -> list[int]:
        tokens = self.matcher.compute_ff_tokens() if self._has_ff_tokens else []
        return tokens[:self.matcher.try_consume_tokens(tokens)]

    def _state(self) -> str:
        return json.dumps({"stop": self.matcher.is_stopped(), "temperature": self.temperature()})

    def temperature(self) -> float:
        """Returns the temperature that the grammar requests, 0 if there is none."""
        inner = self.matcher.matcher
        asked = None if inner is None else inner.temperature
        return 0.0 if asked is None else asked

    def _check(self) -> None:
        if self.matcher.is_error():
            raise ValueError(self.matcher.get_error())
