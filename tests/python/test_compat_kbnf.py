"""weir.compat.kbnf has kbnf's calls and kbnf's results."""

import numpy as np
import pytest

import weir
from weir.compat.kbnf import AcceptTokenResult, Config, Engine, Token, Vocabulary

TOKENS = {0: b"a", 1: b"aa", 2: b"ab", 3: b"b", 5: b"\n", 6: b"abc"}


@pytest.fixture(scope="module")
def vocabulary():
    return Vocabulary({i: Token(t) for i, t in TOKENS.items()}, {i: t.decode() for i, t in TOKENS.items()})


def test_vocabulary(vocabulary):
    assert vocabulary.get_vocab_size() == 7
    assert vocabulary.get_token(2) == b"ab" and vocabulary.get_token(4) is None
    assert vocabulary.get_token_id(Token(b"aa")) == 1 and vocabulary.get_token_id(b"x") is None
    assert vocabulary.get_token_string(6) == "abc" and vocabulary.get_token_string(4) is None
    with pytest.raises(ValueError):
        Vocabulary({}, {})


def test_steps(vocabulary):
    engine = Engine("start ::= 'a'* 'b';", vocabulary)
    assert not engine.is_finished() and engine.get_allowed_token_ids_from_last_computation() == []
    engine.compute_allowed_token_ids()
    assert engine.get_allowed_token_ids_from_last_computation() == [0, 1, 2, 3]
    assert engine.get_disallowed_token_ids_from_last_computation() == [4, 5, 6]
    assert engine.get_number_of_allowed_token_ids() == 4 and engine.get_number_of_disallowed_token_ids() == 3
    assert engine.check_if_token_is_allowed(2) and not engine.check_if_token_is_allowed(99)
    for token_id, message in [(6, "rejected"), (4, "no token"), (7, "no token"), (-1, "no token")]:
        with pytest.raises(ValueError, match=message):
            engine.try_accept_new_token(token_id)
    assert engine.try_accept_new_token(0) is AcceptTokenResult.Ongoing
    assert engine.try_accept_new_token(2) is AcceptTokenResult.Finished
    assert engine.is_finished() and engine.check_if_token_is_allowed(2)  # refers to the last computation
    with pytest.raises(ValueError, match="finished"):
        engine.try_accept_new_token(0)
    with pytest.raises(ValueError, match="finished"):
        engine.try_accept_new_bytes(b"a")
    engine.compute_allowed_token_ids()
    assert engine.get_number_of_allowed_token_ids() == 0
    engine.reset()
    assert engine.try_accept_new_bytes(b"") is AcceptTokenResult.Ongoing
    with pytest.raises(ValueError, match="rejected"):
        engine.try_accept_new_bytes(b"ac")
    assert engine.try_accept_new_bytes(b"ab") is AcceptTokenResult.Finished


def test_the_empty_text_is_not_the_end(vocabulary):
    engine = Engine("start ::= ['a'];", vocabulary)
    assert not engine.is_finished()
    assert engine.try_accept_new_token(0) is AcceptTokenResult.Finished


def test_logits(vocabulary):
    engine = Engine("start ::= 'a' start | 'b';", vocabulary)
    logits = np.arange(7, dtype=np.float32)
    masked, result = engine.update_logits(0, logits)
    assert masked is logits and result is AcceptTokenResult.Ongoing
    assert np.isneginf(logits).tolist() == [False, False, False, False, True, True, True]
    wide = np.zeros((1, 9), dtype=np.float32)
    assert np.isneginf(engine.mask_logits(wide))[0].tolist() == [False] * 4 + [True] * 5
    with pytest.raises(ValueError, match="fewer logits"):
        engine.update_logits(3, np.zeros(6, dtype=np.float32))
    for call in (engine.mask_logits, lambda logits: engine.update_logits(3, logits)):
        with pytest.raises(TypeError, match="`logits` must be a numpy array or a torch tensor, not list"):
            call([0.0] * 7)
    logits = np.zeros(7, dtype=np.float32)
    with pytest.raises(ValueError, match="rejected"):
        engine.update_logits(5, logits)
    assert engine.update_logits(3, logits)[1] is AcceptTokenResult.Finished
    assert not np.isneginf(logits).any()
    index = engine.get_index_of_allowed_token_ids()
    engine.reset()
    assert engine.get_index_of_allowed_token_ids() != index


def test_streams_without_an_end(vocabulary):
    engine = Engine("start ::= 'a' start;", vocabulary)
    for _ in range(50):
        assert engine.try_accept_new_token(1) is AcceptTokenResult.Ongoing
        engine.compute_allowed_token_ids()
        assert engine.get_allowed_token_ids_from_last_computation() == [0, 1]


def test_another_start_and_a_tokenizer_with_stop_tokens():
    info = weir.TokenizerInfo(["a", "b", "<end>"], special_token_ids=[2], stop_token_ids=[2])
    engine = Engine("x ::= 'a' | 'a' 'b' 'b';", info, Config(start_nonterminal="x"))
    engine.compute_allowed_token_ids()
    assert engine.get_allowed_token_ids_from_last_computation() == [0]
    with pytest.raises(ValueError, match="rejected"):
        engine.try_accept_new_token(2)
    assert engine.try_accept_new_token(0) is AcceptTokenResult.Finished
    with pytest.raises(weir.GrammarError, match="not defined"):
        Engine("start ::= x;", info)
