"""Functions that llguidance.numpy and llguidance.torch share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import weir
from weir.compat.llguidance._matcher import LLExecutor, LLMatcher

__all__ = ["apply_token_bitmask_inplace", "consume_token_par", "fill_next_token_bitmask", "fill_next_token_bitmask_par",
           "fill_next_token_bitmask_par_with_draft_tokens", "get_bitmask_shape"]


def get_bitmask_shape(batch_size: int, vocab_size: int) -> tuple[int, int]:
    return batch_size, weir.bitmask_words(vocab_size)


def apply_token_bitmask_inplace(logits: Any, mask: Any) -> None:
    weir.apply_token_bitmask_inplace(logits, mask)


def fill_next_token_bitmask(interp: LLMatcher, bitmask: Any, index: int = 0) -> None:
    """Fills row `index`. After the end of the output it has only stop tokens; in the error state, no token."""
    interp.fill(bitmask, index)


def fill_next_token_bitmask_par(executor: LLExecutor, matchers: Sequence[tuple[LLMatcher, int]], bitmask: Any) -> None:
    executor.fill(matchers, bitmask)


def fill_next_token_bitmask_par_with_draft_tokens(
        executor: LLExecutor, matchers: Sequence[tuple[LLMatcher, int, Sequence[int]]], bitmask: Any) -> None:
    executor.fill_with_draft_tokens(matchers, bitmask)


def consume_token_par(executor: LLExecutor, matchers: Sequence[tuple[LLMatcher, int]]) -> list[bool]:
    return executor.consume_token_par(matchers)
