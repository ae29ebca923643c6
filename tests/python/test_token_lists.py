"""Runs the lists of tests/data/token_lists through the package, and through weir.compat.xgrammar."""

import pathlib

import pytest

import weir
from weir.compat import xgrammar as xgr

tomllib = pytest.importorskip("tomllib")
FILE = pathlib.Path(__file__).resolve().parents[1] / "data" / "token_lists" / "token_lists.toml"
LISTS = [pytest.param(case, id=case["name"]) for case in tomllib.loads(FILE.read_text(encoding="utf-8"))["list"]]
OPTIONS = ("special_token_ids", "stop_token_ids", "stop_tokens_by_name", "spelling")
VOCAB_TYPES = {"bytes": xgr.VocabType.RAW, "byte_fallback": xgr.VocabType.BYTE_FALLBACK,
               "byte_level": xgr.VocabType.BYTE_LEVEL}


def check(case, info):
    size = range(info.vocab_size)
    assert info.stop_token_ids == case.get("stops", [])
    if "bytes" in case:
        assert [info.token_bytes(token).hex() for token in size] == case["bytes"]
    if "names" in case:
        assert [info.token_name(token) if info.token_kind(token) == "special" else "" for token in size] == case["names"]


@pytest.mark.parametrize("case", LISTS)
def test_list(case):
    options = {key: case[key] for key in OPTIONS if key in case}
    check(case, weir.TokenizerInfo(case["tokens"], **options))
    check(case, weir.TokenizerInfo([token.encode() for token in case["tokens"]], **options))


@pytest.mark.parametrize("case", LISTS)
def test_list_in_xgrammar(case):
    by_name = case.get("stop_tokens_by_name", False)
    if "special_token_ids" in case or (by_name and "stop_token_ids" in case):
        pytest.skip("xgrammar's TokenizerInfo has no such arguments")
    stops = None if by_name else case.get("stop_token_ids", [])
    info = xgr.TokenizerInfo(case["tokens"], VOCAB_TYPES[case.get("spelling", "bytes")], stop_token_ids=stops)
    check(case, info.info)
    if "bytes" in case:
        assert [token.hex() for token in info.decoded_vocab] == case["bytes"]


def test_a_spelling_that_there_is_not():
    with pytest.raises(ValueError, match='`spelling` must be one of "bytes", "byte_fallback", "byte_level"'):
        weir.TokenizerInfo(["a"], spelling="utf8")
