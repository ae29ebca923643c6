import pathlib

import pytest

import weir

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_a_list_of_tokens(letters):
    assert letters.vocab_size == 7
    assert letters.kind == "token list"
    assert letters.stop_token_ids == [5]
    assert not letters.drops_leading_space
    assert letters.token_bytes(4) == b"ab"
    assert letters.first_token_bytes(4) == b"ab"
    assert letters.token_kind(0) == "normal" and letters.token_kind(6) == "special"
    assert letters.token_name(6) == "<|tool|>"
    assert letters.find_special_token("<|tool|>") == 6
    assert letters.find_special_token("a") is None
    assert letters.decode([4, 2, 5]) == b"abc"
    assert letters.tokenize("abd") == letters.tokenize(b"abd") == [4, 3]
    assert "7 tokens" in repr(letters)


def test_tokens_are_bytes():
    info = weir.TokenizerInfo([b"\xc3", b"\xa9", "é"], padded_vocab_size=40)
    assert info.decode([0, 1, 2]).decode() == "éé"
    assert info.vocab_size == 40 and info.token_kind(39) == "unused"
    assert weir.TokenizerInfo([" a"], drops_leading_space=True).first_token_bytes(0) == b"a"


def test_a_file(builtin):
    path = ROOT / "data/default_tokenizer/tokenizer.json"
    for info in (weir.TokenizerInfo.from_file(path), weir.TokenizerInfo.from_file(str(path)),
                 weir.TokenizerInfo.from_bytes(path.read_bytes())):
        assert info.vocab_size == builtin.vocab_size
        assert info.tokenize("hello world") == builtin.tokenize("hello world")
    assert weir.TokenizerInfo.from_file(path, stop_token_ids=[1, 0]).stop_token_ids == [0, 1]
    assert weir.TokenizerInfo.from_file(path, padded_vocab_size=9000).vocab_size == 9000


def test_what_cannot_be_used(letters, tmp_path):
    with pytest.raises(FileNotFoundError):
        weir.TokenizerInfo.from_file(tmp_path / "nothing.json")
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(weir.TokenizerError) as raised:
        weir.TokenizerInfo.from_file(tmp_path / "x.json")
    assert raised.value.code == "invalid_argument" and isinstance(raised.value, ValueError)
    with pytest.raises(weir.TokenizerError, match="x.bin"):
        weir.TokenizerInfo.from_bytes(b"what", name="x.bin")
    with pytest.raises(weir.TokenizerError, match="no token of the vocabulary"):
        letters.tokenize("x")
    with pytest.raises(weir.TokenizerError):
        weir.TokenizerInfo(["a"], stop_token_ids=[1])
    with pytest.raises(IndexError):
        weir.TokenizerInfo(["a"], special_token_ids=[-1])
    with pytest.raises(ValueError, match="padded_vocab_size"):
        weir.TokenizerInfo(["a"], padded_vocab_size=-1)
    with pytest.raises(TypeError, match="vocab"):
        weir.TokenizerInfo(["a", 3])


@pytest.mark.parametrize("token_id", [-1, 7, 2**40])
def test_ids_out_of_range(letters, token_id):
    for ask in (letters.token_bytes, letters.first_token_bytes, letters.token_kind, letters.token_name):
        with pytest.raises(IndexError, match="7 tokens"):
            ask(token_id)
    with pytest.raises(IndexError):
        letters.decode([0, token_id])
