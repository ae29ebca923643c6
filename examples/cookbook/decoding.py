"""The decoding loop of the cookbook: a mask, a token, and again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

import weir


class Model(Protocol):
    """What a program needs of a language model."""

    tokenizer_info: weir.TokenizerInfo

    def logits(self, token_ids: Sequence[int]) -> npt.NDArray[np.float32]:
        """Returns the logits of the token after `token_ids`, shape (vocab_size,), in an array that may be changed."""


class OutOfTokens(Exception):
    """The output would not be complete within the tokens that the caller allows."""


def stream(model: Model, compiled: weir.CompiledGrammar, prompt: Sequence[int], *, max_tokens: int | None = 512,
           temperature: float = 0.0, seed: int = 0, at_text_start: bool = False) -> Iterator[tuple[int, weir.GrammarMatcher]]:
    """Yields each token of the output and the matcher after it, without the stop token at the end.

    max_tokens: the output is complete within so many tokens, because masks then allow only what ends in time. None if the
        grammar cannot say what does: then the caller stops when it has enough.
    temperature: 0 for the best token. The grammar's own temperature, where it asks for one, has precedence.
    at_text_start: False for an output that follows a prompt: its first token keeps a leading space.
    """
    info = compiled.tokenizer_info
    matcher = weir.GrammarMatcher(compiled, max_tokens=max_tokens, at_text_start=at_text_start)
    bitmask = weir.allocate_token_bitmask(1, info.vocab_size)
    random = np.random.default_rng(seed)
    tokens = list(prompt)
    stops = set(info.stop_token_ids)
    while True:
        logits = model.logits(tokens)
        matcher.fill_next_token_bitmask(bitmask)
        weir.apply_token_bitmask_inplace(logits, bitmask[0])  # tokens that are not allowed get minus infinity
        heat = matcher.temperature if matcher.temperature is not None else temperature
        if heat > 0:  # the greatest of logits with Gumbel noise is a sample
            logits = logits / np.float32(heat) + random.gumbel(size=logits.shape).astype(np.float32)
        token = int(logits.argmax())
        if not matcher.accept_token(token):
            raise OutOfTokens("the mask allows no token")
        if token in stops:
            return
        tokens.append(token)
        yield token, matcher


def generate(model: Model, compiled: weir.CompiledGrammar, prompt: Sequence[int], *, max_tokens: int | None = 512,
             temperature: float = 0.0, seed: int = 0, at_text_start: bool = False) -> str:
    """Returns a whole output; the arguments are those of stream()."""
    output = [token for token, _ in stream(model, compiled, prompt, max_tokens=max_tokens, temperature=temperature,
                                           seed=seed, at_text_start=at_text_start)]
    return compiled.tokenizer_info.decode(output).decode()
