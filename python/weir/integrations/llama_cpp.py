"""Grammars in llama-cpp-python.

    compiler = weir.GrammarCompiler(tokenizer_info(llama))
    processor = GrammarLogitsProcessor(compiler.compile_json_schema(schema, profile="serving"))
    llama.create_completion(prompt, logits_processor=LogitsProcessorList([processor]))
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from weir._weir import CompiledGrammar, TokenizerInfo
from weir.bitmask import allocate_token_bitmask, apply_token_bitmask_inplace, bitmask_words
from weir.integrations._rows import Cursor, RowFollower, Tokenization

__all__ = ["GrammarLogitsProcessor", "tokenizer_info"]


def tokenizer_info(llama: Any) -> TokenizerInfo:
    """Returns the TokenizerInfo of a loaded `llama_cpp.Llama`, which is read from the model's GGUF file.

    The stop tokens are the tokens at which llama.cpp ends a generation.
    Raises OSError: the file does not exist any more. TokenizerError: weir does not support the tokenizer.
    """
    import llama_cpp

    vocab = llama_cpp.llama_model_get_vocab(llama._model.model)
    width = llama.n_vocab()
    ends = [token for token in range(width) if llama_cpp.llama_vocab_is_eog(vocab, token)]
    return TokenizerInfo.from_gguf(llama.model_path, stop_token_ids=ends or None, padded_vocab_size=width)


class GrammarLogitsProcessor:
    """Masks all tokens that the grammar does not allow. Serves one completion; reset() prepares it for another.

    The tokens of the first call are the prompt; all tokens after them are output. After a stop token, and after a token
    that the grammar refuses, only stop tokens are allowed. So they are at a dead end, where the vocabulary cannot spell
    what must come, with a warning (RuntimeWarning). Where no stop token exists, both are errors. It cannot be used with a `Llama` that has a `draft_model`,
    which passes drafted tokens from after the token that is chosen.

    at_text_start: as for GrammarMatcher. False suits completions, whose text keeps the first token's leading space.
    tokenization: as for GrammarMatcher. With "canonical" the output consists of the tokens that the tokenizer itself
        writes for it after the prompt, whose tokens since the last special one are the matcher's context.
    Raises ValueError: the tokens do not begin with the prompt; a dead end, or a token that the grammar refuses, if there
    is no stop token; with tokenization="canonical", the tokenizer does not write the prompt. TokenizerError, GrammarError: the tokenizer or the grammar has no canonical tokenization, or no
    text of the grammar follows the prompt. LimitExceededError.
    """

    def __init__(self, compiled_grammar: CompiledGrammar, *, at_text_start: bool = False,
                 tokenization: Tokenization = "any") -> None:
        info = compiled_grammar.tokenizer_info
        self._follower = RowFollower([compiled_grammar], at_text_start=at_text_start, tokenization=tokenization)
        self._bitmask = allocate_token_bitmask(1, info.vocab_size)
        self._stops = _bits(info)
        self._prompt: list[int] | None = None

    def reset(self) -> None:
        """Prepares the processor for another completion."""
        self._follower.reset()
        self._prompt = None

    def is_over(self, input_ids: npt.NDArray[np.intc], _: Any = None) -> bool:
        """Returns True if the output contains a stop token, or if it is complete and no other token may follow. It
        serves as a stopping criterion for tokenizers whose stop tokens llama.cpp does not know."""
        cursor = self._cursor(input_ids)
        if cursor.is_refused or cursor.matcher.is_terminated() or not cursor.matcher.is_completed():
            return cursor.matcher.is_terminated()
        cursor.matcher.fill_next_token_bitmask(self._bitmask)
        return not (self._bitmask & ~self._stops).any()

    def __call__(self, input_ids: npt.NDArray[np.intc], scores: npt.NDArray[np.single]) -> npt.NDArray[np.single]:
        cursor = self._cursor(input_ids)
        if not cursor.is_over:
            cursor.matcher.fill_next_token_bitmask(self._bitmask)
        if cursor.is_over or not self._bitmask.any():
            has_stops = bool(self._stops.any())
            if cursor.is_refused and not has_stops:
                raise ValueError("the grammar has refused a token, and there is no stop token to end the output with")
            cursor.note_empty_mask(0, has_stop_tokens=has_stops)
            self._bitmask[:] = self._stops
        masked = np.array(scores, dtype=np.single, order="C")  # a copy: `scores` may be a view of an array's field
        apply_token_bitmask_inplace(masked, self._bitmask[0])
        return masked

    def _cursor(self, input_ids: npt.NDArray[np.intc]) -> Cursor:
        tokens = [int(token) for token in input_ids]
        if self._prompt is None:
            if self._follower.needs_prompts:
                self._follower.begin([tokens])
            self._prompt = tokens
        if tokens[:len(self._prompt)] != self._prompt:
            raise ValueError("the tokens do not begin with the prompt; reset() the processor before another completion")
        (cursor,) = self._follower.follow([tokens[len(self._prompt):]])
        assert cursor is not None  # there is a grammar
        return cursor


def _bits(info: TokenizerInfo) -> npt.NDArray[np.int32]:
    """Returns a row of a bitmask in which the stop tokens are set."""
    bits = np.zeros(bitmask_words(info.vocab_size) * 32, dtype=np.uint8)
    bits[info.stop_token_ids] = 1
    return np.packbits(bits, bitorder="little").view("<i4").astype(np.int32)
