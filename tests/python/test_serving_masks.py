"""What the backends for serving engines share about masks that allow no token."""

import numpy as np
import pytest

import weir
from weir.integrations._serving import BudgetedMatcher, RequestCompiler, empty_rows


def test_empty_rows():
    rows = np.zeros((5, 100), np.int32)
    rows[0, 3], rows[1, 63], rows[2, 99], rows[3, 64] = 1, -1, 1, -(2**31)
    assert empty_rows(rows) == [4] and empty_rows(rows[:4]) == [] and empty_rows(rows[4:, :1]) == [0]


def mask(matcher):
    rows = weir.allocate_token_bitmask(1, 2)
    matcher.fill_next_token_bitmask(rows)
    return rows


def test_a_character_that_the_tokenizer_lacks():
    info = weir.TokenizerInfo(["a", "</s>"], special_token_ids=[1], stop_token_ids=[1])
    matcher = BudgetedMatcher(RequestCompiler.of(info).compile("regex", "a[éa]é?"), None)
    assert matcher.has_token() and matcher.accept_token(0) and matcher.has_token()
    assert matcher.accept_token(0) and matcher.has_token()  # the end
    matcher = BudgetedMatcher(RequestCompiler.of(info).compile("regex", "aé"), None)
    assert matcher.accept_token(0) and not matcher.has_token() and empty_rows(mask(matcher.matcher)) == [0]
    assert not matcher.give_up()


def test_a_budget_that_keys_leave_no_way_in_is_given_up_once():
    tokens = ['{"', '":1', ',"', "}", "k", "</s>"]
    info = weir.TokenizerInfo(tokens, special_token_ids=[5], stop_token_ids=[5])
    schema = '{"type": "object", "additionalProperties": {"const": 1}}'
    # 6 tokens and the stop token: after `{"":1,"` two are left, for `":1}`, but the key "" is taken.
    matcher = BudgetedMatcher(RequestCompiler.of(info).compile("json", schema), 6)
    for token in (0, 1, 2):
        assert matcher.accept_token(token)
    assert not matcher.has_token() and matcher.give_up() and matcher.has_token() and not matcher.give_up()
    for token in (4, 1, 3, 5):
        assert matcher.accept_token(token)
    assert matcher.matcher.is_terminated()
    matcher.reset()
    assert matcher.accept_token(0) and matcher.give_up()  # the budget is back


def test_a_limit_of_the_spare_matcher_leaves_both_as_they_were():
    class Limited:
        def accept_token(self, token):
            raise weir.LimitExceededError("a limit")

    info = weir.TokenizerInfo(["a", "</s>"], special_token_ids=[1], stop_token_ids=[1])
    matcher = BudgetedMatcher(RequestCompiler.of(info).compile("regex", "a*"), 5)
    assert matcher.accept_token(0)
    matcher._spare = Limited()
    with pytest.raises(weir.LimitExceededError):
        matcher.accept_token(0)
    assert matcher.matcher.step_count == 1
