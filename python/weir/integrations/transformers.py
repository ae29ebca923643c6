"""Grammars in transformers' generate().

    info = tokenizer_info(tokenizer, model)
    compiled = weir.GrammarCompiler(info).compile_json_schema(schema)
    processor = GrammarLogitsProcessor(compiled)
    output = model.generate(**inputs, logits_processor=[processor], stopping_criteria=[processor.stopping_criteria()])

Greedy search, sampling, beam search and assisted generation, batches with prompts of unequal length, one grammar for all
prompts or one for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

try:
    import torch
    from transformers import LogitsProcessor, StoppingCriteria
except ImportError as error:
    raise ImportError("weir.integrations.transformers needs torch and transformers") from error

from weir._weir import BatchGrammarMatcher, CompiledGrammar, GrammarMatcher, TokenizerInfo
from weir.bitmask import apply_token_bitmask_inplace, bitmask_words
from weir.integrations._rows import Cursor, RowFollower

__all__ = ["GrammarLogitsProcessor", "GrammarStoppingCriteria", "tokenizer_info"]

Outcome = Literal["complete", "prefix", "refused"]


def tokenizer_info(tokenizer: Any, model: Any = None) -> TokenizerInfo:
    """The TokenizerInfo of a fast tokenizer, as `model` uses it.

    model: its generation configuration's end-of-sequence tokens are stop tokens, beside those that the tokenizer names,
        and its output layer's width is that of the masks. None: as the tokenizer says.
    Raises TypeError: not a fast tokenizer. TokenizerError: weir cannot use it.
    """
    info = TokenizerInfo.from_huggingface(tokenizer)
    if model is None:
        return info
    ends = getattr(getattr(model, "generation_config", None), "eos_token_id", None)
    ends = [] if ends is None else [ends] if isinstance(ends, int) else list(ends)
    width = int(getattr(model.config.get_text_config(), "vocab_size", 0))
    padded = max(width, info.vocab_size)
    stops = sorted({*info.stop_token_ids, *(end for end in ends if 0 <= end < info.vocab_size)})
    return TokenizerInfo.from_huggingface(tokenizer, stop_token_ids=stops or None, padded_vocab_size=padded)


class GrammarLogitsProcessor(LogitsProcessor):
    """Lets a row's next token be one that its grammar allows. For one call of generate(), or one behind each reset().

    compiled_grammar: one for all prompts, or a sequence with one for each, None where the output is free. They must be
        of one vocabulary.
    at_text_start: as for GrammarMatcher. True suits outputs that are decoded without their prompt.
    threads: how many fill the masks of a batch, as for BatchGrammarMatcher.

    What the first call sees is taken for the prompts, padding included; all behind it is output. Behind a stop token,
    and behind a token that the grammar refuses (beam search goes on with such rows where there are too few others, at
    minus infinity), only stop tokens are left. Logits may be wider than the vocabulary or narrower.

    Raises ValueError: a vocabulary of another size; a batch that the grammars cannot be dealt to; rows that do not begin
    with the prompts; a tokenizer without stop tokens, where no stopping_criteria() were made. LimitExceededError.
    Cost: for each row a fill_next_token_bitmask and an accept_token; where rows are re-ordered also a comparison of
    tokens. The logits are copied once.
    """

    def __init__(self, compiled_grammar: CompiledGrammar | Sequence[CompiledGrammar | None], *,
                 at_text_start: bool = True, threads: int = 1) -> None:
        grammars = [compiled_grammar] if isinstance(compiled_grammar, CompiledGrammar) else list(compiled_grammar)
        infos = [grammar.tokenizer_info for grammar in grammars if grammar is not None]
        if not grammars:
            raise ValueError("`compiled_grammar` is empty")
        if len({info.vocab_size for info in infos}) > 1:
            raise ValueError("the grammars are of vocabularies of several sizes")
        self._grammars = grammars
        self._follower = RowFollower(grammars, at_text_start=at_text_start)
        self._at_text_start = at_text_start
        self._batch = BatchGrammarMatcher(threads)
        self._vocab_size = infos[0].vocab_size if infos else 0
        self._stops = _bits(infos[0].stop_token_ids if infos else [], self._vocab_size)
        self._must_end_elsewhere = bool(infos) and not infos[0].stop_token_ids
        self._prompts: torch.Tensor | None = None
        self._seen: torch.Tensor | None = None

    def reset(self) -> None:
        """Makes it ready for another call of generate()."""
        self._follower.reset()
        self._prompts = None
        self._seen = None

    def stopping_criteria(self) -> GrammarStoppingCriteria:
        """What ends a row that is over; pass it to generate() with this processor."""
        self._must_end_elsewhere = False
        return GrammarStoppingCriteria(self)

    def outcomes(self, sequences: torch.Tensor, pad_token_id: int | None = None) -> list[Outcome | None]:
        """What became of each row that generate() returned.

        "complete": up to its stop token, or its end, the output is a text of the grammar. "prefix": it was cut short.
        "refused": it has a token that the grammar does not allow there, because something else put it there or because
        the vocabulary cannot spell what must come. None: a row without a grammar.
        pad_token_id: what generate() filled short rows with, where that is no stop token.
        """
        if self._prompts is None:
            raise ValueError("generate() has not called this processor")
        rows = [_without_tail(row, pad_token_id) for row in sequences[:, self._prompts.shape[1]:].tolist()]
        found: list[Outcome | None] = []
        for index, row in enumerate(rows):
            grammar = self._grammars[index * len(self._grammars) // len(rows)]
            if grammar is None:
                found.append(None)
                continue
            cursor = Cursor(GrammarMatcher(grammar, at_text_start=self._at_text_start), [])
            cursor.extend(row)
            is_complete = cursor.matcher.is_terminated() or cursor.matcher.is_completed()
            found.append("refused" if cursor.is_refused else "complete" if is_complete else "prefix")
        return found

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        if self._must_end_elsewhere:
            raise ValueError("the tokenizer has no stop token: name one (stop_token_ids), or pass stopping_criteria()")
        cursors = self._follow(input_ids)
        rows = [row for row, cursor in enumerate(cursors) if cursor is not None]
        scores = scores.clone(memory_format=torch.contiguous_format)
        if rows:
            bitmask = self._masks(cursors, scores.shape[-1])
            _apply(scores, bitmask, None if len(rows) == len(cursors) else rows)
        return scores

    def are_over(self, input_ids: torch.Tensor) -> list[bool]:
        """Of each row, whether it has a stop token, or its output is complete and no other token may follow."""
        return [cursor is not None and self._is_over(cursor) for cursor in self._follow(input_ids)]

    def _is_over(self, cursor: Cursor) -> bool:
        if cursor.is_refused or cursor.matcher.is_terminated() or not cursor.matcher.is_completed():
            return cursor.matcher.is_terminated()
        row = torch.empty(bitmask_words(self._vocab_size), dtype=torch.int32)
        cursor.matcher.fill_next_token_bitmask(row)
        return not bool((row & ~self._stops).any())

    def _follow(self, input_ids: torch.Tensor) -> list[Cursor | None]:
        """The cursor of each row. Most often the rows are those of the call before, each with one token more."""
        seen, self._seen = self._seen, input_ids.clone()
        if seen is not None and seen.shape[0] == input_ids.shape[0] and self._follower.are_apart():
            if torch.equal(input_ids[:, :seen.shape[1]], seen):
                return self._follower.extend(input_ids[:, seen.shape[1]:].tolist())
        return self._follower.follow(self._outputs(input_ids).tolist())

    def _outputs(self, input_ids: torch.Tensor) -> torch.Tensor:
        """What stands behind the prompts; the first call has nothing there."""
        if self._prompts is None:
            self._prompts = input_ids.clone()
        prompts, length = self._prompts, self._prompts.shape[1]
        copies = input_ids.shape[0] // prompts.shape[0]
        if copies * prompts.shape[0] != input_ids.shape[0] or input_ids.shape[0] % len(self._grammars) != 0:
            raise ValueError(f"{input_ids.shape[0]} rows for {prompts.shape[0]} prompts, {len(self._grammars)} grammars")
        if not torch.equal(input_ids[:, :length], prompts.repeat_interleave(copies, dim=0)):
            raise ValueError("the rows do not begin with the prompts; reset() the processor before another generate()")
        return input_ids[:, length:]

    def _masks(self, cursors: Sequence[Cursor | None], width: int) -> torch.Tensor:
        """A row of a bitmask for each cursor, for `width` logits; those of one cursor are filled once."""
        places: dict[int, int] = {}
        each = [cursor for cursor in cursors if cursor is not None]
        distinct = list({id(cursor): cursor for cursor in each}.values())
        for place, cursor in enumerate(distinct):
            places[id(cursor)] = place
        bitmask = torch.zeros((len(distinct), bitmask_words(self._vocab_size)), dtype=torch.int32)
        matchers = [None if cursor.is_over else cursor.matcher for cursor in distinct]
        self._batch.fill_next_token_bitmasks(matchers, bitmask)
        bitmask = _fit(bitmask, width)
        stops = _fit(self._stops[None], width)[0]
        # Rows without a next token: those that are over, and those that the vocabulary cannot spell a way on for.
        bitmask[~bitmask.any(dim=1)] = stops if stops.any() else -1
        if len(distinct) == len(cursors):
            return bitmask
        return bitmask[[0 if cursor is None else places[id(cursor)] for cursor in cursors]]


class GrammarStoppingCriteria(StoppingCriteria):
    """Ends a row at a stop token of its tokenizer, also where generate() does not know it for an end-of-sequence token,
    and at the end of a text that nothing else may follow. GrammarLogitsProcessor.stopping_criteria makes it.

    Needed where the tokenizer has no stop tokens or more than generate(); otherwise it saves the step that would choose
    an end-of-sequence token where there is no choice.
    """

    def __init__(self, processor: GrammarLogitsProcessor) -> None:
        self._processor = processor

    def __call__(self, input_ids: torch.Tensor, scores: Any, **_: Any) -> torch.Tensor:
        return torch.tensor(self._processor.are_over(input_ids), dtype=torch.bool, device=input_ids.device)


def _bits(tokens: Sequence[int], vocab_size: int) -> torch.Tensor:
    """One row of a bitmask with these tokens."""
    bits = torch.zeros(bitmask_words(vocab_size) * 32, dtype=torch.int32)
    bits[list(tokens)] = 1
    return (bits.view(-1, 32) << torch.arange(32, dtype=torch.int32)).sum(dim=1).to(torch.int32)


def _without_tail(row: list[int], token: int | None) -> list[int]:
    while token is not None and row and row[-1] == token:
        row.pop()
    return row


def _fit(bitmask: torch.Tensor, width: int) -> torch.Tensor:
    """The bitmask without the tokens that the logits have no place for."""
    words = bitmask_words(width)
    if words > bitmask.shape[1] or (words == bitmask.shape[1] and width % 32 == 0):
        return bitmask
    bitmask = bitmask[:, :words].contiguous()
    if width % 32 != 0:
        bitmask[:, -1] &= (1 << width % 32) - 1
    return bitmask


def _apply(scores: torch.Tensor, bitmask: torch.Tensor, rows: list[int] | None) -> None:
    if scores.device.type == "cuda":
        apply_token_bitmask_inplace(scores, bitmask.pin_memory().to(scores.device, non_blocking=True), rows)
    elif scores.device.type == "cpu":
        apply_token_bitmask_inplace(scores, bitmask, rows)
    else:
        _apply_with_torch(scores, bitmask.to(scores.device), rows)


def _apply_with_torch(scores: torch.Tensor, bitmask: torch.Tensor, rows: list[int] | None) -> None:
    """The same in torch's own operations, for devices that have no kernel."""
    tokens = torch.arange(scores.shape[-1], device=scores.device)
    words = torch.nn.functional.pad(bitmask, (0, max(0, bitmask_words(scores.shape[-1]) - bitmask.shape[1])))
    is_masked = ((words[:, tokens // 32] >> (tokens % 32)) & 1) == 0
    if rows is not None:
        free = torch.ones(scores.shape[0], dtype=torch.bool)
        free[rows] = False
        is_masked &= ~free.to(scores.device)[:, None]
    scores.masked_fill_(is_masked, -torch.inf)
