"""weir.integrations._rows: matchers follow rows by their tokens. Each row is compared with a matcher of its own."""

import random
import warnings

import pytest

import weir
from conftest import allowed
from weir.integrations._rows import RowFollower

TEXTS = [" theory", " thermal", " then", "he", "!", " null", " number"]


def mask(matcher):
    if matcher.is_terminated():
        return set()
    bitmask = weir.allocate_token_bitmask(1, matcher.compiled_grammar.tokenizer_info.vocab_size)
    matcher.fill_next_token_bitmask(bitmask)
    return set(allowed(bitmask[0]))


def check(cursors, rows, matchers):
    for cursor, row, matcher in zip(cursors, rows, matchers):
        expected = matcher.fork()
        for token in row:
            assert expected.accept_token(token)
        assert cursor.tokens == row and not cursor.is_refused
        assert mask(cursor.matcher) == mask(expected)


@pytest.mark.parametrize("tokenization", ["any", "canonical"])
def test_rows_that_are_copied_and_reordered(builtin, tokenization):
    """Copies and reorders the rows of each prompt, as beam search does. Some prompts are equal; grammars are shared."""
    compiler = weir.GrammarCompiler(builtin)
    grammars = [compiler.compile_choice(TEXTS), compiler.compile_choice(["red", " red", " reddish"])]
    prompts = [builtin.tokenize(text) for text in ("In", "In", "t", "The colour:")]
    which = [0, 0, 1, 1]
    follower = RowFollower(grammars, tokenization=tokenization)
    assert follower.needs_prompts == (tokenization == "canonical")
    if follower.needs_prompts:
        follower.begin(prompts)
    options = {"tokenization": tokenization}
    beams = 3
    fresh = [weir.GrammarMatcher(grammars[g], **options, context=prompt if tokenization == "canonical" else [])
             for g, prompt in zip(which, prompts) for _ in range(beams)]
    rng = random.Random(3)
    for round_number in range(6):
        rows = [[] for _ in fresh]
        for _ in range(6):
            check(follower.follow(rows), rows, fresh)
            longer = []
            for first in range(0, len(rows), beams):
                for _ in range(beams):
                    row = rng.choice(rows[first:first + beams])
                    matcher = fresh[first].fork()
                    for token in row:
                        matcher.accept_token(token)
                    choices = [] if matcher.is_terminated() else sorted(mask(matcher))
                    longer.append([*row, rng.choice(choices)] if choices else row)
            rows = longer
        ends = [follower.fresh(index, len(rows)) for index in range(len(rows))]
        assert [mask(end.matcher) for end in ends] == [mask(matcher) for matcher in fresh]


def test_prompts_decide_what_may_come(builtin):
    compiled = weir.GrammarCompiler(builtin).compile_choice(TEXTS)
    follower = RowFollower([compiled, None], tokenization="canonical")
    t, prompt = builtin.tokenize("t"), builtin.tokenize("In")
    follower.begin([t, prompt, t, t])
    first, second, *free = follower.follow([[], [], [], []])
    assert free == [None, None] and follower.fresh(3, 4) is None
    assert mask(first.matcher) < mask(second.matcher)  # after `t` the tokenizer does not write `he`
    with pytest.raises(ValueError, match="index 1"):
        follower.begin([[*t, *builtin.tokenize("h")], t, t, t])
    with pytest.raises(IndexError):
        RowFollower([compiled]).fresh(1, 1)


def cursor_of(tokens, stops, grammar, output):
    info = weir.TokenizerInfo(tokens, special_token_ids=stops, stop_token_ids=stops)
    (cursor,) = RowFollower([weir.GrammarCompiler(info).compile_grammar(grammar)]).follow([[]])
    cursor.extend(output)
    return cursor


def test_a_dead_end_is_told():
    """A row whose mask allows no token: an error if nothing can end the output, else a warning."""
    with pytest.raises(ValueError, match=r"row 3, after b'a': no token can come next: the tokenizer has none for"):
        cursor_of(["a"], [], 'root ::= "a" "ü"', [0]).note_empty_mask(3, has_stop_tokens=False)
    with pytest.warns(RuntimeWarning, match=r"row 3, after b'a': .*; the output ends there, incomplete"):
        cursor_of(["a", "</s>"], [1], 'root ::= "a" "ü"', [0]).note_empty_mask(3, has_stop_tokens=True)
    with pytest.raises(ValueError, match="the only text is the empty one, and there is no stop token"):
        cursor_of(["a"], [], 'root ::= ""', []).note_empty_mask(0, has_stop_tokens=False)


def test_an_end_is_no_dead_end():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cursor_of(["a"], [], 'root ::= "a"', [0]).note_empty_mask(0, has_stop_tokens=False)  # complete
        cursor_of(["a", "b"], [], 'root ::= "a" "ü"', [1]).note_empty_mask(0, has_stop_tokens=False)  # refused
        cursor_of(["a", "</s>"], [1], 'root ::= "a"', [0, 1]).note_empty_mask(0, has_stop_tokens=True)  # ended
