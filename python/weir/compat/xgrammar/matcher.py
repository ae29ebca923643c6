"""xgrammar's matchers and bitmasks. Bitmasks are torch tensors; nothing else needs torch."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import weir
from weir._arguments import expect, shown
from weir._text import whole_characters
from weir.bitmask import apply_token_bitmask_inplace as _apply
from weir.bitmask import bitmask_words
from weir.compat._checks import matchers_by_row
from weir.compat.xgrammar._refusals import refuse_options
from weir.compat.xgrammar.compiler import CompiledGrammar
from weir.compat.xgrammar.exception import runtime_errors

__all__ = ["BatchGrammarMatcher", "GrammarMatcher", "allocate_token_bitmask", "apply_token_bitmask_inplace",
           "get_bitmask_shape", "reset_token_bitmask"]


def get_bitmask_shape(batch_size: int, vocab_size: int) -> tuple[int, int]:
    return batch_size, bitmask_words(vocab_size)


def allocate_token_bitmask(batch_size: int, vocab_size: int) -> Any:
    """Returns an int32 tensor of shape (batch_size, ceil(vocab_size / 32)) in the CPU's memory that allows all
    tokens."""
    import torch

    return torch.full(get_bitmask_shape(batch_size, vocab_size), -1, dtype=torch.int32)


def reset_token_bitmask(bitmask: Any) -> None:
    bitmask.fill_(-1)


def apply_token_bitmask_inplace(logits: Any, bitmask: Any, *, vocab_size: int | None = None,
                                indices: Any = None, backend: str = "auto") -> None:
    """Calls weir.apply_token_bitmask_inplace, which also masks logits after the bitmask's last word and the vocabulary.

    vocab_size, backend: ignored; a mask has no bits after its vocabulary, and the device determines the implementation.
    """
    if indices is not None and not getattr(indices, "is_cuda", False):
        indices = [_row(row) for row in indices]
    _apply(logits, bitmask, indices)


def _row(row: Any) -> int:
    """Returns the row that an item of `indices` names. Raises TypeError: it is no whole number."""
    value = row.item() if hasattr(row, "item") else row
    if isinstance(value, bool):
        raise TypeError("`indices` must be row numbers, not bools")
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"`indices` must be row numbers; one is {shown(value)}") from None


class GrammarMatcher:
    """A weir.GrammarMatcher, `matcher`, with xgrammar's names. The output continues a text, so its first token keeps
    its leading space.

    max_rollback_tokens: ignored; there is no limit.
    terminate_without_stop_token: the output ends as soon as it is complete.
    default_temperature: the value of `temperature` where the grammar requests none.
    """

    def __init__(self, compiled_grammar: CompiledGrammar, *, override_stop_tokens: int | list[int] | None = None,
                 terminate_without_stop_token: bool = False, max_rollback_tokens: int = -1,
                 default_temperature: float | None = None) -> None:
        expect(compiled_grammar, "compiled_grammar", CompiledGrammar)
        stops = None
        if override_stop_tokens is not None:
            stops = sorted({override_stop_tokens} if isinstance(override_stop_tokens, int) else set(override_stop_tokens))
        if stops == []:  # a matcher needs a stop token, unless its tokenizer has none
            compiled_grammar, stops = compiled_grammar.with_stop_tokens([]), None
        with runtime_errors():
            matcher = weir.GrammarMatcher(compiled_grammar.compiled, at_text_start=False, stop_token_ids=stops)
        self._set(matcher, compiled_grammar, terminate_without_stop_token, default_temperature)

    def _set(self, matcher: weir.GrammarMatcher, compiled_grammar: CompiledGrammar, ends_when_complete: bool,
             default_temperature: float | None) -> None:
        self.matcher = matcher
        self._default_temperature = default_temperature
        self._compiled_grammar = compiled_grammar
        self._ends_when_complete = ends_when_complete

    def accept_token(self, token_id: int, *, debug_print: bool = False) -> bool:
        """Returns False for a token that may not come next, and for any token after the end."""
        token_id = operator.index(token_id)
        if self.is_terminated() or not 0 <= token_id < self._compiled_grammar.tokenizer_info.vocab_size:
            return False
        with runtime_errors():
            return self.matcher.accept_token(token_id)

    def accept_string(self, input_str: str | bytes, *, debug_print: bool = False) -> bool:
        if self.is_terminated():
            return False
        with runtime_errors():
            return self.matcher.accept_string(input_str)

    def fill_next_token_bitmask(self, bitmask: Any, index: int = 0, *, debug_print: bool = False) -> bool:
        """Returns True: the mask is to be applied."""
        if self.is_terminated():
            raise RuntimeError("the matcher has terminated")
        with runtime_errors():
            self.matcher.fill_next_token_bitmask(bitmask, index)
        return True

    def traverse_draft_tree(self, retrieve_next_token: Any, retrieve_next_sibling: Any, draft_tokens: Any,
                            token_bitmask: Any, time_threshold: float = -1.0, temperatures: Any = None) -> bool:
        """Writes the mask after each node of a tree; the root, node 0, is the current state. Returns True.

        Rows of nodes that are refused, of stop tokens, and of nodes after them, are not changed; their temperature is
        -1.
        """
        order, parents = _preorder(retrieve_next_token.tolist(), retrieve_next_sibling.tolist())
        self.fill_next_token_bitmask(token_bitmask, 0)
        if temperatures is not None:
            self._fill_temperatures(order, parents, draft_tokens.tolist(), temperatures)
        if not order:
            return True
        tokens = draft_tokens.tolist()
        rows = allocate_token_bitmask(len(order), self._compiled_grammar.tokenizer_info.vocab_size)
        with runtime_errors():
            taken = self.matcher.fill_draft_tree_bitmasks([tokens[node] for node in order], parents, rows)
        stops = set(self.stop_token_ids)
        for place, node in enumerate(order):
            if taken[place] and tokens[node] not in stops:
                token_bitmask[node] = rows[place]
        return True

    def _fill_temperatures(self, order: list[int], parents: list[int], tokens: list[int], temperatures: Any) -> None:
        temperatures.fill_(-1)
        temperatures[0] = _or_minus_one(self.temperature)
        after: list[GrammarMatcher | None] = []
        for node, parent in zip(order, parents, strict=True):
            before = self if parent < 0 else after[parent]
            here = None if before is None else before.fork()
            if here is None or not here.accept_token(tokens[node]):
                after.append(None)
                continue
            after.append(here)
            temperatures[node] = _or_minus_one(here.temperature)

    def find_jump_forward_string(self) -> str:
        """Returns the forced text, as whole characters; "" inside a character."""
        return whole_characters(self.matcher.find_jump_forward_string())

    def rollback(self, num_tokens: int = 1) -> None:
        with runtime_errors():
            self.matcher.rollback(num_tokens)

    def get_captures(self, *, deduplicate: bool = True) -> list[tuple[str, bytes]]:
        """Returns the complete captures as (name, text), in the order of their ends."""
        refuse_options(deduplicate=(deduplicate, True))
        found = [capture for capture in self.matcher.captures() if capture.complete]
        found.sort(key=lambda capture: (capture.end, -capture.start))  # the inner one first if ends are equal
        return [(capture.name, capture.text) for capture in found]

    def is_terminated(self) -> bool:
        return self.matcher.is_terminated() or (self._ends_when_complete and self.matcher.is_completed())

    def is_completed(self) -> bool:
        return self.matcher.is_completed()

    def reset(self) -> None:
        self.matcher.reset()

    def fork(self) -> GrammarMatcher:
        made = GrammarMatcher.__new__(GrammarMatcher)
        made._set(self.matcher.fork(), self._compiled_grammar, self._ends_when_complete, self._default_temperature)
        return made

    @property
    def max_rollback_tokens(self) -> int:
        return -1

    @property
    def temperature(self) -> float | None:
        asked = self.matcher.temperature
        return self._default_temperature if asked is None else asked

    @property
    def stop_token_ids(self) -> list[int]:
        return self.matcher.stop_token_ids


def _or_minus_one(temperature: float | None) -> float:
    return -1.0 if temperature is None else temperature


def _preorder(children: list[int], siblings: list[int]) -> tuple[list[int], list[int]]:
    """Returns the nodes below node 0, parents first, and the index of each one's parent among them, -1 for node 0.

    Raises RuntimeError: it is no tree.
    """
    order: list[int] = []
    parents: list[int] = []
    waiting = [(children[0], -1)] if children and children[0] >= 0 else []
    while waiting:
        node, parent = waiting.pop()
        if not 0 < node < min(len(children), len(siblings)):
            raise RuntimeError(f"the draft tree has no node {node}")
        if len(order) == len(children):  # one has come twice
            raise RuntimeError("the draft tree leads to a node twice")
        order.append(node)
        parents.append(parent)
        if siblings[node] >= 0:
            waiting.append((siblings[node], parent))
        if children[node] >= 0:
            waiting.append((children[node], len(order) - 1))
    return order, parents


class BatchGrammarMatcher:
    """A weir.BatchGrammarMatcher with xgrammar's names."""

    def __init__(self, max_threads: int | str = "auto") -> None:
        if isinstance(max_threads, str) and max_threads != "auto":
            raise ValueError(f'`max_threads` must be a number or "auto", not {max_threads!r}')
        self._batch = weir.BatchGrammarMatcher(0 if isinstance(max_threads, str) else max_threads)

    def batch_fill_next_token_bitmask(self, matchers: Sequence[GrammarMatcher], bitmask: Any,
                                      indices: Sequence[int] | None = None, debug_print: bool = False) -> None:
        for matcher in matchers:
            expect(matcher, "matchers", GrammarMatcher)
            if matcher.is_terminated():
                raise RuntimeError("a matcher has terminated")
        with runtime_errors():
            places = range(len(matchers)) if indices is None else indices
            inner = [matcher.matcher for matcher in matchers]
            rows = matchers_by_row(zip(map(operator.index, places), inner, strict=True), bitmask.shape[0])
            self._batch.fill_next_token_bitmasks(rows, bitmask)

    @staticmethod
    def batch_fill_temperature(matchers: Sequence[GrammarMatcher], temperatures: Any,
                               indices: Sequence[int] | None = None) -> None:
        """Writes the temperatures of the matchers, -1 for one without a temperature."""
        for place, matcher in zip(range(len(matchers)) if indices is None else indices, matchers, strict=True):
            temperatures[place] = _or_minus_one(matcher.temperature)

    @staticmethod
    def batch_accept_token(matchers: Sequence[GrammarMatcher], tokens: Sequence[int],
                           debug_print: bool = False) -> list[bool]:
        return [matcher.accept_token(int(token)) for matcher, token in zip(matchers, tokens, strict=True)]

    @staticmethod
    def batch_accept_string(matchers: Sequence[GrammarMatcher], strings: Sequence[str | bytes],
                            debug_print: bool = False) -> list[bool]:
        return [matcher.accept_string(string) for matcher, string in zip(matchers, strings, strict=True)]

    @staticmethod
    def batch_rollback(matchers: Sequence[GrammarMatcher], num_tokens: Sequence[int] | int = 1) -> None:
        counts = [num_tokens] * len(matchers) if isinstance(num_tokens, int) else num_tokens
        for matcher, count in zip(matchers, counts, strict=True):
            matcher.rollback(count)
