"""Grammars for transformers' generate().

    info = tokenizer_info(tokenizer, model)
    compiled = weir.GrammarCompiler(info).compile_json_schema(schema, profile="serving")
    processor = GrammarLogitsProcessor(compiled)
    output = model.generate(**inputs, logits_processor=[processor], stopping_criteria=[processor.stopping_criteria()])

Supports greedy search, sampling, beam search and assisted generation, batches with prompts of different lengths, and
one grammar for all prompts or one for each.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Literal

try:
    import torch
    from transformers import LogitsProcessor, StoppingCriteria
except ImportError as error:
    raise ImportError("weir.integrations.transformers needs torch and transformers") from error

from weir._weir import BatchGrammarMatcher, CompiledGrammar, ReplyParser, TokenizerInfo
from weir.bitmask import apply_token_bitmask_inplace, bitmask_words
from weir.integrations._rows import NO_LOGIT, NO_TOKEN, Cursor, RowFollower, Tokenization

__all__ = ["GrammarLogitsProcessor", "GrammarStoppingCriteria", "parse_replies", "tokenizer_info"]

Outcome = Literal["complete", "prefix", "refused"]


def tokenizer_info(tokenizer: Any, model: Any = None) -> TokenizerInfo:
    """Returns the TokenizerInfo of a fast tokenizer, as `model` uses it.

    model: the end-of-sequence tokens of its generation configuration are added to the tokenizer's stop tokens, and the
        masks have the width of its output layer. None: stop tokens and width are the tokenizer's.
    Raises TypeError: not a fast tokenizer. TokenizerError: weir does not support it.
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


def parse_replies(info: TokenizerInfo, sequences: torch.Tensor, prompt_length: int, style: str | dict[str, Any],
                  tools: Any = None, *, pad_token_id: int | None = None, **options: Any) -> list[dict[str, Any]]:
    """Returns what each row that generate() returned says: {"reasoning", "content", "tool_calls": [{"name", "arguments"}]}.

        output = model.generate(**inputs, logits_processor=[processor])
        replies = parse_replies(info, output, inputs["input_ids"].shape[1], "hermes", tools)

    info: tokenizer_info() of the model's tokenizer; special tokens are read, too.
    style: as for ReplyParser: a name, or `tokenizer.response_template`.
    pad_token_id: the token with which generate() padded short rows, unless it is a stop token.
    options: those of ReplyParser: `in_reasoning`, if the prompts end with the opening tag of the reasoning, and others.
    Raises GrammarError: as ReplyParser.
    """
    parser = ReplyParser(style, tools, tokenizer_info=info, **options)
    replies = []
    for row in sequences[:, prompt_length:].tolist():
        parser.feed(_without_tail(row, pad_token_id))
        replies.append(parser.finish())
        parser.reset()
    return replies


class GrammarLogitsProcessor(LogitsProcessor):
    """Masks all tokens that a row's grammar does not allow. Serves one call of generate(); reset() prepares it for
    another.

    compiled_grammar: one for all prompts, or a sequence with one for each prompt, None for a prompt without a grammar.
        All must have the same vocabulary.
    at_text_start: as for GrammarMatcher. True suits outputs that are decoded without their prompt.
    threads: the number of threads that fill the masks of a batch, as for BatchGrammarMatcher.
    tokenization: as for GrammarMatcher. With "canonical" outputs consist of the tokens that the tokenizer itself writes
        for them after their prompt, whose tokens since the last special one are the matcher's context.

    The tokens of the first call, padding included, are the prompts; all tokens after them are output. After a stop
    token only stop tokens are allowed, also after a token that the grammar refuses. (Beam search continues such rows,
    with a score of minus infinity, if there are too few others.) Logits may be wider or narrower than the vocabulary;
    there is a warning (RuntimeWarning) if they are narrower, because then the grammar may be of another tokenizer.
    At a dead end, where the vocabulary cannot spell what must come, the output ends with a stop token and a warning
    (RuntimeWarning), and outcomes() says "refused"; without stop tokens it is an error.

    Raises TypeError: not a compiled grammar. ValueError: vocabularies of different sizes; the number of rows is not a
    multiple of the number of grammars; rows do not begin with the prompts; the tokenizer has no stop tokens and
    stopping_criteria() was not called; a dead end without a stop token; a prompt that the tokenizer does not write, with
    tokenization="canonical". TokenizerError, GrammarError: the tokenizer or a grammar has no canonical tokenization, or
    no text of the grammar follows a prompt. LimitExceededError.
    Cost: for each row a fill_next_token_bitmask and an accept_token, and a comparison of tokens if rows were reordered.
    The logits are copied once.
    """

    def __init__(self, compiled_grammar: CompiledGrammar | Sequence[CompiledGrammar | None], *,
                 at_text_start: bool = True, threads: int = 1, tokenization: Tokenization = "any") -> None:
        grammars = [compiled_grammar] if isinstance(compiled_grammar, CompiledGrammar) else compiled_grammar
        if not isinstance(grammars, Sequence) or isinstance(grammars, str):
            raise TypeError(f"`compiled_grammar` is a {type(compiled_grammar).__name__}; a CompiledGrammar or a sequence "
                            "of them is needed (GrammarCompiler makes them)")
        for grammar in grammars:
            if grammar is not None and not isinstance(grammar, CompiledGrammar):
                raise TypeError(f"a grammar of `compiled_grammar` is a {type(grammar).__name__}, not a CompiledGrammar")
        grammars = list(grammars)
        infos = [grammar.tokenizer_info for grammar in grammars if grammar is not None]
        if not grammars:
            raise ValueError("`compiled_grammar` is empty")
        if len({info.vocab_size for info in infos}) > 1:
            raise ValueError("the grammars are of vocabularies of several sizes")
        self._grammars = grammars
        self._follower = RowFollower(grammars, at_text_start=at_text_start, tokenization=tokenization)
        self._batch = BatchGrammarMatcher(threads)
        self._vocab_size = infos[0].vocab_size if infos else 0
        self._stops = _bits(infos[0].stop_token_ids if infos else [], self._vocab_size)
        self._must_end_elsewhere = bool(infos) and not infos[0].stop_token_ids
        self._prompts: torch.Tensor | None = None
        self._seen: torch.Tensor | None = None

    def reset(self) -> None:
        """Prepares the processor for another call of generate()."""
        self._follower.reset()
        self._prompts = None
        self._seen = None

    def stopping_criteria(self) -> GrammarStoppingCriteria:
        """Returns a criterion that ends rows whose output is over; pass it to generate() with this processor."""
        self._must_end_elsewhere = False
        return GrammarStoppingCriteria(self)

    def outcomes(self, sequences: torch.Tensor, pad_token_id: int | None = None) -> list[Outcome | None]:
        """Returns the outcome of each row that generate() returned.

        "complete": the output, up to its stop token or its end, is a text of the grammar. "prefix": it is a prefix of
        one, because it was cut short. "refused": it contains a token that the grammar does not allow, because another
        component chose it or because the vocabulary cannot spell the required text. None: a row without a grammar.
        pad_token_id: the token with which generate() padded short rows, unless it is a stop token.
        """
        if self._prompts is None:
            raise ValueError("generate() has not called this processor")
        rows = [_without_tail(row, pad_token_id) for row in sequences[:, self._prompts.shape[1]:].tolist()]
        found: list[Outcome | None] = []
        for index, row in enumerate(rows):
            cursor = self._follower.fresh(index, len(rows))
            if cursor is None:
                found.append(None)
                continue
            cursor.extend(row)
            is_complete = cursor.matcher.is_terminated() or cursor.matcher.is_completed()
            found.append("refused" if cursor.is_refused else "complete" if is_complete else "prefix")
        return found

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        if self._must_end_elsewhere:
            raise ValueError("the tokenizer has no stop token: name one (stop_token_ids), or pass stopping_criteria()")
        if input_ids.shape[0] == 0:
            return scores.clone(memory_format=torch.contiguous_format)
        cursors = self._follow(input_ids)
        rows = [row for row, cursor in enumerate(cursors) if cursor is not None]
        scores = scores.clone(memory_format=torch.contiguous_format)
        if rows:
            if scores.shape[-1] < self._vocab_size:
                warnings.warn(f"the model has {scores.shape[-1]} logits, fewer than the {self._vocab_size} tokens of the "
                              "grammar's tokenizer: is it the model's?", RuntimeWarning, stacklevel=2)
            bitmask = self._masks(cursors, scores.shape[-1])
            _apply(scores, bitmask, None if len(rows) == len(cursors) else rows)
        return scores

    def are_over(self, input_ids: torch.Tensor) -> list[bool]:
        """Returns for each row True if it contains a stop token, or is complete and no other token may follow."""
        if input_ids.shape[0] == 0:
            return []
        return [cursor is not None and self._is_over(cursor) for cursor in self._follow(input_ids)]

    def _is_over(self, cursor: Cursor) -> bool:
        if cursor.is_refused or cursor.matcher.is_terminated() or not cursor.matcher.is_completed():
            return cursor.matcher.is_terminated()
        row = torch.empty(bitmask_words(self._vocab_size), dtype=torch.int32)
        cursor.matcher.fill_next_token_bitmask(row)
        return not bool((row & ~self._stops).any())

    def _follow(self, input_ids: torch.Tensor) -> list[Cursor | None]:
        """Returns the cursor of each row. Usually the rows are those of the previous call with one more token each."""
        seen, self._seen = self._seen, input_ids.clone()
        if seen is not None and seen.shape[0] == input_ids.shape[0] and self._follower.are_apart():
            if torch.equal(input_ids[:, :seen.shape[1]], seen):
                return self._follower.extend(input_ids[:, seen.shape[1]:].tolist())
        return self._follower.follow(self._outputs(input_ids).tolist())

    def _outputs(self, input_ids: torch.Tensor) -> torch.Tensor:
        """Returns the tokens after the prompts; in the first call there are none."""
        if self._prompts is None:
            if input_ids.shape[0] % len(self._grammars) == 0 and self._follower.needs_prompts:
                self._follower.begin(input_ids.tolist())
            self._prompts = input_ids.clone()
        prompts, length = self._prompts, self._prompts.shape[1]
        copies = input_ids.shape[0] // prompts.shape[0]
        if copies * prompts.shape[0] != input_ids.shape[0] or input_ids.shape[0] % len(self._grammars) != 0:
            raise ValueError(f"{input_ids.shape[0]} rows for {prompts.shape[0]} prompts, {len(self._grammars)} grammars")
        if not torch.equal(input_ids[:, :length], prompts.repeat_interleave(copies, dim=0)):
            raise ValueError("the rows do not begin with the prompts; reset() the processor before another generate()")
        return input_ids[:, length:]

    def _masks(self, cursors: Sequence[Cursor | None], width: int) -> torch.Tensor:
        """Returns a bitmask for `width` logits with a row for each cursor. The row of a shared cursor is filled
        once."""
        places: dict[int, int] = {}
        each = [cursor for cursor in cursors if cursor is not None]
        distinct = list({id(cursor): cursor for cursor in each}.values())
        for place, cursor in enumerate(distinct):
            places[id(cursor)] = place
        bitmask = torch.zeros((len(distinct), bitmask_words(self._vocab_size)), dtype=torch.int32)
        matchers = [None if cursor.is_over else cursor.matcher for cursor in distinct]
        self._batch.fill_next_token_bitmasks(matchers, bitmask)
        has_tokens = bitmask.any(dim=1)
        bitmask = _fit(bitmask, width)
        stops = _fit(self._stops[None], width)[0]
        # Rows without an allowed token: those that are over or complete, and dead ends. Without a stop token generate()
        # has ended the former elsewhere and does not use their scores, of which one must be finite.
        empty = ~bitmask.any(dim=1)
        has_stops = bool(stops.any())
        for place in empty.nonzero().flatten().tolist():
            row = next(row for row, cursor in enumerate(cursors) if cursor is distinct[place])
            why = NO_LOGIT if has_tokens[place] else NO_TOKEN
            distinct[place].note_empty_mask(row, has_stop_tokens=has_stops, why=why)
        bitmask[empty] = stops if has_stops else _fit(_bits([0], self._vocab_size)[None], width)[0]
        if len(distinct) == len(cursors):
            return bitmask
        return bitmask[[0 if cursor is None else places[id(cursor)] for cursor in cursors]]


class GrammarStoppingCriteria(StoppingCriteria):
    """Ends a row at a stop token of its tokenizer, even if generate() does not treat it as an end-of-sequence token,
    and when the text is complete and nothing may follow. GrammarLogitsProcessor.stopping_criteria makes it.

    It is needed if the tokenizer has no stop tokens, or some that generate() does not know. Otherwise it saves the step
    in which an end-of-sequence token is the only choice.
    """

    def __init__(self, processor: GrammarLogitsProcessor) -> None:
        self._processor = processor

    def __call__(self, input_ids: torch.Tensor, scores: Any, **_: Any) -> torch.Tensor:
        return torch.tensor(self._processor.are_over(input_ids), dtype=torch.bool, device=input_ids.device)


def _bits(tokens: Sequence[int], vocab_size: int) -> torch.Tensor:
    """Returns one row of a bitmask in which these tokens are set."""
    bits = torch.zeros(bitmask_words(vocab_size) * 32, dtype=torch.int32)
    bits[list(tokens)] = 1
    return (bits.view(-1, 32) << torch.arange(32, dtype=torch.int32)).sum(dim=1).to(torch.int32)


def _without_tail(row: list[int], token: int | None) -> list[int]:
    while token is not None and row and row[-1] == token:
        row.pop()
    return row


def _fit(bitmask: torch.Tensor, width: int) -> torch.Tensor:
    """Returns the bitmask without the tokens from `width` on."""
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
    """Masks with torch's own operations, for devices for which there is no kernel."""
    tokens = torch.arange(scores.shape[-1], device=scores.device)
    words = torch.nn.functional.pad(bitmask, (0, max(0, bitmask_words(scores.shape[-1]) - bitmask.shape[1])))
    is_masked = ((words[:, tokens // 32] >> (tokens % 32)) & 1) == 0
    if rows is not None:
        free = torch.ones(scores.shape[0], dtype=torch.bool)
        free[rows] = False
        is_masked &= ~free.to(scores.device)[:, None]
    scores.masked_fill_(is_masked, -torch.inf)
