"""Fixtures that the tests share: a small tokenizer with letters as tokens."""

import numpy as np
import pytest

import weir

TOKENS = ["a", "b", "c", "d", "ab", "<end>", "<|tool|>"]
END, TOOL = 5, 6


@pytest.fixture(scope="session")
def letters():
    """The tokens a, b, c, d, ab (0 to 4), the stop token 5 and the special token 6."""
    return weir.TokenizerInfo(TOKENS, special_token_ids=[END, TOOL], stop_token_ids=[END])


@pytest.fixture
def matcher(letters):
    """Returns a function that makes a matcher of an EBNF grammar, at the beginning of an output."""
    compiler = weir.GrammarCompiler(letters)
    return lambda ebnf, **options: weir.GrammarMatcher(compiler.compile_grammar(ebnf), **options)


@pytest.fixture(scope="session")
def builtin():
    return weir.TokenizerInfo.builtin()


def allowed(row):
    """Returns the tokens that one row of a bitmask allows."""
    bits = np.unpackbits(np.asarray(row, dtype="<i4").view(np.uint8), bitorder="little")
    return np.flatnonzero(bits).tolist()
