import gc
import time

import numpy as np
import pytest
from conftest import END, allowed

import weir


@pytest.fixture(params=[(1, False), (3, False), (2, True)])
def batch(request):
    threads, prefetch = request.param
    return weir.BatchGrammarMatcher(threads, prefetch=prefetch)


def test_prefetch_makes_the_next_mask_known(builtin):
    compiled = weir.GrammarCompiler(builtin).compile_regex("[a-z]+ [0-9]+")
    batch = weir.BatchGrammarMatcher(1, prefetch=True)
    row = weir.GrammarMatcher(compiled)
    for token in builtin.tokenize("ab 3"):
        assert batch.accept_tokens([row], [token]) == [True]
        deadline = time.monotonic() + 60
        while not row.state_stats().mask_known and time.monotonic() < deadline:
            time.sleep(0.001)
        assert row.state_stats().mask_known


def test_batches(batch, matcher):
    rows = [matcher('root ::= "a"'), None, matcher('root ::= "ab" "c"'), matcher('root ::= "d"')]
    bitmask = weir.allocate_token_bitmask(4, 7)
    batch.fill_next_token_bitmasks(rows, bitmask)
    assert [allowed(bitmask[i]) for i in (0, 2, 3)] == [[0], [0, 4], [3]] and bitmask[1, 0] == -1
    assert batch.accept_tokens(rows, [0, 99, 4, 2]) == [True, True, True, False]
    assert [row.step_count for row in rows if row] == [1, 1, 0]
    batch.fill_next_token_bitmasks([], np.zeros((0, 1), np.int32))
    assert batch.accept_tokens([], []) == []


def test_own_bitmasks(batch, matcher):
    rows = [matcher('root ::= "a" "d"'), None, matcher('root ::= "ab" "c"')]
    masks = batch.next_token_bitmasks(rows)
    assert masks.dtype == np.int32 and masks.shape == (3, 1) and not masks.flags.writeable
    assert [allowed(masks[0]), masks[1, 0], allowed(masks[2])] == [[0], -1, [0, 4]]
    assert batch.accept_tokens(rows, [0, 0, 4]) == [True, True, True]
    later = batch.next_token_bitmasks(rows)
    assert [allowed(later[0]), allowed(later[2])] == [[3], [2]]
    assert batch.next_token_bitmasks([None]).shape == (1, 0) and batch.next_token_bitmasks([]).shape == (0, 0)
    many = batch.next_token_bitmasks([matcher('root ::= "a"') for _ in range(100)])
    assert many.shape == (100, 1) and all(allowed(mask) == [0] for mask in many)
    del batch
    gc.collect()
    assert allowed(many[99]) == [0] and masks.shape == (3, 1)  # the array keeps the memory


def test_own_bitmasks_with_an_ended_row(batch, matcher):
    ended = matcher('root ::= "a"?')
    assert ended.accept_token(END)
    with pytest.raises(weir.TerminatedError, match="row 1"):
        batch.next_token_bitmasks([matcher('root ::= "a"'), ended])
    with pytest.raises(ValueError, match="twice"):
        batch.next_token_bitmasks([ended, ended])


def test_batches_with_an_ended_row(batch, matcher):
    ended, other = matcher('root ::= "a"?'), matcher('root ::= "a"')
    assert ended.accept_token(END)
    bitmask = weir.allocate_token_bitmask(2, 7)
    with pytest.raises(weir.TerminatedError, match="row 0"):
        batch.fill_next_token_bitmasks([ended, other], bitmask)
    assert allowed(bitmask[0]) == [] and allowed(bitmask[1]) == [0]
    with pytest.raises(weir.TerminatedError, match="row 0"):
        batch.accept_tokens([ended, other], [0, 0])
    assert other.step_count == 1


def test_bad_batches(batch, matcher):
    row, bitmask = matcher('root ::= "a"'), weir.allocate_token_bitmask(2, 7)
    with pytest.raises(ValueError, match="twice"):
        batch.fill_next_token_bitmasks([row, row], bitmask)
    with pytest.raises(ValueError, match="2 rows for 1"):
        batch.fill_next_token_bitmasks([row], bitmask)
    with pytest.raises(ValueError, match="needs 1"):
        batch.fill_next_token_bitmasks([row, None], weir.allocate_token_bitmask(2, 70))
    with pytest.raises(ValueError, match="2 tokens for 1"):
        batch.accept_tokens([row], [0, 0])
    with pytest.raises(IndexError, match="7 tokens"):
        batch.accept_tokens([row], [7])
    with pytest.raises(TypeError):
        batch.accept_tokens([3], [0])
    for threads in (-1, 5000):
        with pytest.raises(ValueError, match="threads"):
            weir.BatchGrammarMatcher(threads)
    assert row.step_count == 0


def test_draft_trees(matcher):
    m = matcher('root ::= "a" ("b" "c" | "d")')
    bitmask = weir.allocate_token_bitmask(6, 7)
    #        a       after a: b, d, c      after b: c    after the refused c
    tokens, parents = [0, 1, 3, 2, 2, 0], [-1, 0, 0, 0, 1, 3]
    assert m.fill_draft_tree_bitmasks(tokens, parents, bitmask) == [True, True, True, False, True, False]
    assert [allowed(row) for row in bitmask] == [[1, 3], [2], [END], [], [END], []]
    assert m.step_count == 0 and m.fill_draft_tree_bitmasks([], [], bitmask[:0]) == []
    for parents in ([0], [-2], [1]):
        with pytest.raises(ValueError, match="parent"):
            m.fill_draft_tree_bitmasks([0], parents, bitmask[:1])
    with pytest.raises(ValueError, match="1 tokens, 1 parents and 6 rows"):
        m.fill_draft_tree_bitmasks([0], [-1], bitmask)
    with pytest.raises(IndexError):
        m.fill_draft_tree_bitmasks([7], [-1], bitmask[:1])


def test_names_of_masks(matcher):
    m = matcher('root ::= "a"*')
    before = m.next_token_mask_id()
    assert isinstance(before, int) and m.accept_token(0) and isinstance(m.next_token_mask_id(), int)
    m.reset()
    assert m.next_token_mask_id() == before
    m.accept_token(END)
    assert m.next_token_mask_id() is None


def test_the_cache_of_a_compiler(letters):
    compiler = weir.GrammarCompiler(letters)
    for _ in range(3):
        compiler.compile_regex("a+")
    compiler.compile_regex("a+", ignore_case=True)
    stats = compiler.cache_stats()
    assert (stats.hits, stats.misses, stats.entries) == (2, 2, 2) and stats.memory_bytes > 0
    compiler.clear_cache()
    assert compiler.cache_stats().entries == 0
