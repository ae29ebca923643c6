"""llguidance.LLMatcher and LLExecutor. A matcher raises no exception for wrong grammars and tokens; it enters an error
state, in which it stays."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

import weir
from weir._arguments import expect
from weir.compat._checks import matchers_by_row
from weir.compat.llguidance._grammars import (
    compile_grammar,
    grammar_from_json_schema,
    grammar_from_lark,
    grammar_from_regex,
    read_grammar,
)
from weir.compat.llguidance._tokenizer import LLTokenizer

__all__ = ["LLExecutor", "LLMatcher"]

_ERRORS = (weir.GrammarError, weir.LimitExceededError, json.JSONDecodeError, ValueError)


class LLMatcher:
    """A weir.GrammarMatcher, `matcher`, with llguidance's names. The output continues a text, so its first token keeps
    its leading space."""

    grammar_from_json_schema = staticmethod(grammar_from_json_schema)
    grammar_from_lark = staticmethod(grammar_from_lark)
    grammar_from_regex = staticmethod(grammar_from_regex)

    def __init__(self, tokenizer: LLTokenizer, grammar: str, *, log_level: int = 1, limits: Any = None) -> None:
        if limits is not None:
            raise NotImplementedError("`limits` has no counterpart in weir; see weir.Limits")
        expect(tokenizer, "tokenizer", LLTokenizer)
        expect(grammar, "grammar", str)
        self.tokenizer = tokenizer
        self.matcher: weir.GrammarMatcher | None = None
        self._error = ""
        try:
            self.matcher = weir.GrammarMatcher(compile_grammar(tokenizer.compiler, grammar), at_text_start=False)
        except _ERRORS as error:
            self._error = str(error)

    @staticmethod
    def validate_grammar(grammar: str, tokenizer: LLTokenizer | None = None, *, limits: Any = None) -> str:
        """Returns the error, or "" for a grammar that can be used. validate_grammar_with_warnings has the warnings,
        which weir gives for more than llguidance does, and of which engines make errors."""
        is_error, messages = LLMatcher.validate_grammar_with_warnings(grammar, tokenizer, limits=limits)
        return messages[0] if is_error else ""

    @staticmethod
    def validate_grammar_with_warnings(grammar: str, tokenizer: LLTokenizer | None = None, *,
                                       limits: Any = None) -> tuple[bool, list[str]]:
        """Without a tokenizer, names of special tokens are not looked up."""
        if tokenizer is not None:
            made = LLMatcher(tokenizer, grammar, limits=limits)
            return (True, [made._error]) if made._error else (False, made.get_grammar_warnings())
        if limits is not None:
            raise NotImplementedError("`limits` has no counterpart in weir; see weir.Limits")
        expect(grammar, "grammar", str)
        try:
            return False, [warning.message for warning in read_grammar(grammar).warnings]
        except _ERRORS as error:
            return True, [str(error)]

    def is_error(self) -> bool:
        return self._error != ""

    def get_error(self) -> str:
        return self._error

    def get_grammar_warnings(self) -> list[str]:
        return [] if self.matcher is None else [warning.message for warning in self.matcher.compiled_grammar.warnings]

    def deep_copy(self) -> LLMatcher:
        return LLMatcher._of(self, None if self.matcher is None else self.matcher.fork())

    @staticmethod
    def _of(other: LLMatcher, matcher: weir.GrammarMatcher | None) -> LLMatcher:
        made = LLMatcher.__new__(LLMatcher)
        made.tokenizer = other.tokenizer
        made.matcher = matcher
        made._error = other._error
        return made

    def is_accepting(self) -> bool:
        return not self._error and self.matcher is not None and self.matcher.is_completed()

    def is_stopped(self) -> bool:
        return self.stop_reason() != "NotStopped"

    def stop_reason(self) -> str:
        if self._error or self.matcher is None:
            return "InternalError"
        if self.matcher.is_terminated():
            return "EndOfSentence"
        return "NoExtension" if self.matcher.is_completed() and not self._can_go_on() else "NotStopped"

    def _can_go_on(self) -> bool:
        """Returns True if a byte or a token terminal may come next. Computes no mask."""
        assert self.matcher is not None
        next_ones = self.matcher.expected()
        return bool(next_ones.bytes or next_ones.terminals)

    def rollback(self, num_tokens: int) -> bool:
        return self._step(lambda matcher: matcher.rollback(num_tokens))

    def reset(self) -> bool:
        return self._step(lambda matcher: matcher.reset())

    def compute_ff_tokens(self) -> list[int]:
        if self._error or self.matcher is None or self.matcher.is_terminated():
            return []
        text = self.matcher.find_jump_forward_string()
        if not text:
            return []
        tokens = self.tokenizer.info.tokenize(text)
        end = self.matcher.fork()
        # The tokens of the whole text, if nothing can follow that would change them.
        if end.accept_string(text) and end.is_completed() and not LLMatcher._of(self, end)._can_go_on() \
                and self.tokenizer.decode_bytes(tokens) == text:
            return tokens
        return self.matcher.forced_tokens()

    def compute_ff_bytes(self) -> bytes:
        if self._error or self.matcher is None or self.matcher.is_terminated():
            return b""
        return self.matcher.find_jump_forward_string()

    def try_consume_tokens(self, tokens: Sequence[int]) -> int:
        """Accepts tokens up to the first that is refused, and returns their number; a refused token is not an error."""
        taken = 0
        while taken < len(tokens) and self._takes(tokens[taken]):
            taken += 1
        return taken

    def consume_token(self, sampled_token: int) -> bool:
        if self._takes(sampled_token):
            return True
        self._error = self._error or f"token {sampled_token} is not allowed here"
        return False

    def consume_tokens(self, sampled_tokens: Sequence[int]) -> bool:
        return all(self.consume_token(token) for token in sampled_tokens)

    def validate_tokens(self, tokens: Sequence[int]) -> int:
        """Returns the number of first tokens that could be consumed."""
        taken = self.try_consume_tokens(tokens)
        if taken > 0 and self.matcher is not None:
            self.matcher.rollback(taken)
        return taken

    def compute_bitmask(self) -> bytes:
        return self._mask().astype("<i4").tobytes()

    def compute_logit_bias(self) -> bytes:
        """Returns a byte for each token: 200 if it is allowed, else 0."""
        bits = np.unpackbits(self._mask().astype("<i4").view(np.uint8), bitorder="little")
        return (bits[:self.tokenizer.vocab_size] * np.uint8(200)).tobytes()

    def unsafe_compute_mask_ptr(self, trg_pointer: int, trg_byte_size: int) -> None:
        """Writes the mask at an address. Raises ValueError: `trg_byte_size` is not the size of a mask."""
        self.fill(masks_at(trg_pointer, trg_byte_size, 1, self.tokenizer), 0)

    def unsafe_compute_mask_ptr_with_draft_token(self, trg_ptr: int, trg_bytes: int,
                                                 draft_tokens: Sequence[int]) -> None:
        """Writes the mask and those after drafted tokens, one after the other, at an address with `trg_bytes` bytes.

        Raises ValueError: not enough bytes for them.
        """
        mask_bytes = 4 * weir.bitmask_words(self.tokenizer.vocab_size)
        rows = trg_bytes // mask_bytes
        if rows < len(draft_tokens) + 1:
            raise ValueError(f"{len(draft_tokens) + 1} masks have {(len(draft_tokens) + 1) * mask_bytes} bytes")
        masks = masks_at(trg_ptr, mask_bytes, rows, self.tokenizer)
        LLExecutor(1).fill_with_draft_tokens([(self, 0, draft_tokens)], masks)

    def get_capture(self, name: str) -> bytes | None:
        """Returns the last capture with this name."""
        return dict(self.get_captures()).get(name)

    def get_captures(self) -> list[tuple[str, bytes]]:
        if self._error or self.matcher is None:
            return []
        return [(capture.name, capture.text) for capture in self.matcher.captures() if capture.complete]

    def fill(self, bitmask: Any, index: int) -> None:
        """Writes the mask to row `index` of a numpy or torch bitmask."""
        if self._error or self.matcher is None or self.matcher.is_terminated():
            self.fill_stops(bitmask, index)
            return
        self.matcher.fill_next_token_bitmask(bitmask, index)
        self.note_dead_end(bitmask, index)

    def note_dead_end(self, bitmask: Any, index: int) -> None:
        """Enters the error state if row `index`, this matcher's mask, allows no token although the output must go on."""
        matcher = self.matcher
        if bitmask[index].any() or matcher is None or matcher.is_terminated() or matcher.is_completed():
            return
        self._error = self._error or ("no token can come next: the tokenizer has none for a character that the grammar "
                                      "needs here")

    def fill_stops(self, bitmask: Any, index: int) -> None:
        """Writes the mask after the end of the output: only stop tokens; in the error state, no token."""
        view = bitmask if isinstance(bitmask, np.ndarray) else bitmask.numpy()  # shares a torch tensor's memory
        view[index] = 0 if self._error else self._stops()

    def _mask(self) -> npt.NDArray[np.int32]:
        bitmask = weir.allocate_token_bitmask(1, self.tokenizer.vocab_size)
        self.fill(bitmask, 0)
        row: npt.NDArray[np.int32] = bitmask[0]
        return row

    def _stops(self) -> npt.NDArray[np.int32]:
        bits = np.zeros(weir.bitmask_words(self.tokenizer.vocab_size) * 32, dtype=np.uint8)
        bits[self.tokenizer.eos_tokens] = 1
        return np.packbits(bits, bitorder="little").view("<i4").astype(np.int32)

    def _takes(self, token: int) -> bool:
        if self._error or self.matcher is None or self.matcher.is_terminated():
            return False
        try:
            return self.matcher.accept_token(token)
        except IndexError:
            return False
        except weir.LimitExceededError as error:
            self._error = str(error)
            return False

    def _step(self, step: Callable[[weir.GrammarMatcher], None]) -> bool:
        if self._error or self.matcher is None:
            return False
        try:
            step(self.matcher)
        except ValueError as error:
            self._error = str(error)
        return not self._error


def masks_at(address: int, mask_bytes: int, rows: int, tokenizer: LLTokenizer) -> npt.NDArray[np.int32]:
    """Returns the array of masks at an address. Raises ValueError: `mask_bytes` is not the size of a mask."""
    words = weir.bitmask_words(tokenizer.vocab_size)
    if mask_bytes != 4 * words:
        raise ValueError(f"a mask has {4 * words} bytes, not {mask_bytes}")
    return np.ctypeslib.as_array((ctypes.c_int32 * (rows * words)).from_address(address)).reshape(rows, words)


class LLExecutor:
    """Threads for batches; None: as many as the machine has processors."""

    def __init__(self, num_threads: int | None = None) -> None:
        self._batch = weir.BatchGrammarMatcher(num_threads or 0)

    def fill(self, matchers: Sequence[tuple[LLMatcher, int]], bitmask: Any) -> None:
        running: list[tuple[int, weir.GrammarMatcher]] = []
        for matcher, row in matchers:
            inner = matcher.matcher
            if matcher.is_error() or inner is None or inner.is_terminated():
                matcher.fill(bitmask, row)
            else:
                running.append((row, inner))
        rows = matchers_by_row(running, bitmask.shape[0])
        self._batch.fill_next_token_bitmasks(rows, bitmask)
        view = bitmask if isinstance(bitmask, np.ndarray) else bitmask.numpy()
        empty = set(np.flatnonzero(~view.any(axis=1)).tolist())
        for matcher, row in matchers:
            if row in empty:
                matcher.note_dead_end(view, row)

    def fill_with_draft_tokens(self, matchers: Sequence[tuple[LLMatcher, int, Sequence[int]]], bitmask: Any) -> None:
        """Writes the mask of a matcher with row k to that row, and the mask after its drafted token i to row k + i + 1,
        up to the first token that is not allowed."""
        self.fill([(matcher, row) for matcher, row, _ in matchers], bitmask)
        for matcher, row, draft in matchers:
            taken = matcher.validate_tokens(draft)
            if taken == 0 or matcher.matcher is None:
                continue
            rows = bitmask[row + 1:row + 1 + taken]
            matcher.matcher.fill_draft_tree_bitmasks(list(draft[:taken]), list(range(-1, taken - 1)), rows)
            if draft[taken - 1] in matcher.tokenizer.eos_tokens:
                matcher.fill_stops(rows, taken - 1)

    def unsafe_compute_mask_ptr(self, interpreters: Sequence[tuple[LLMatcher, int]], trg_pointer: int,
                                one_mask_bytes: int, trg_batch_size: int) -> None:
        """Writes the mask of a matcher with row k to row k of an array at an address, of `trg_batch_size` rows.

        Raises ValueError: `one_mask_bytes` is not the size of a mask.
        """
        if interpreters:
            self.fill(interpreters, masks_at(trg_pointer, one_mask_bytes, trg_batch_size, interpreters[0][0].tokenizer))

    def unsafe_compute_mask_ptr_with_draft_token(self, interpreters: Sequence[tuple[LLMatcher, int, Sequence[int]]],
                                                 trg_pointer: int, one_mask_bytes: int, trg_batch_size: int) -> None:
        """As unsafe_compute_mask_ptr, with the masks after drafted tokens, as fill_with_draft_tokens writes them."""
        if interpreters:
            masks = masks_at(trg_pointer, one_mask_bytes, trg_batch_size, interpreters[0][0].tokenizer)
            self.fill_with_draft_tokens(interpreters, masks)

    def consume_token_par(self, matchers: Sequence[tuple[LLMatcher, int]]) -> list[bool]:
        return [matcher.consume_token(token) for matcher, token in matchers]
