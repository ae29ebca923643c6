"""Runs the cases of tests/data through the package, including the constructs of all dialects."""

import pathlib

import numpy as np
import pytest
from conftest import allowed

import weir

tomllib = pytest.importorskip("tomllib")
DATA = pathlib.Path(__file__).resolve().parents[1] / "data"
CASES = [
    pytest.param(case, id=f"{path.stem}: {case['name']}")
    for path in sorted(DATA.glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]
]


def vocabulary(case):
    """Returns a tokenizer of all single bytes, the case's tokens, and a stop token."""
    tokens = [bytes([byte]) for byte in range(256)] + [token.encode() for token in case.get("tokens", [])] + [b"<eos>"]
    return weir.TokenizerInfo(tokens, special_token_ids=[len(tokens) - 1], stop_token_ids=[len(tokens) - 1])


def compile_case(compiler, case):
    syntax, text = case.get("syntax", "ebnf"), case["grammar"]
    if syntax == "regex":
        return compiler.compile_regex(text, dialect=case.get("dialect", "weir"))
    if syntax == "structural_tag":
        return compiler.compile_structural_tag(text)
    if syntax == "response_format":
        return compiler.compile_response_format(text)
    options = {key: case[key] for key in ("start", "exact_splits", "keep_endless", "grammars") if key in case}
    return compiler.compile_grammar(text, syntax=syntax, **options)


def check_error(case, error):
    expected = case["error"]
    assert error.code == expected["code"], error
    assert expected.get("says", "") in str(error)
    if "at" in expected:
        start, end = (len(error.text[:index].encode()) for index in (error.start, error.end))
        assert [start, end] == expected["at"], error


def is_complete(compiled, text):
    matcher = weir.GrammarMatcher(compiled)
    return matcher.accept_string(text) and matcher.is_completed()


def next_tokens(matcher, tokenizer):
    mask = weir.allocate_token_bitmask(1, tokenizer.vocab_size)
    matcher.fill_next_token_bitmask(mask, 0)
    return allowed(np.asarray(mask)[0])


@pytest.mark.parametrize("case", CASES)
def test_case(case):
    tokenizer = vocabulary(case)
    compiler = weir.GrammarCompiler(tokenizer)
    if "error" in case:
        with pytest.raises(weir.GrammarError) as raised:
            compile_case(compiler, case)
        return check_error(case, raised.value)
    compiled = compile_case(compiler, case)
    messages = [warning.message for warning in compiled.warnings]
    assert len(messages) == len(case.get("warnings", []))
    assert all(any(says in message for message in messages) for says in case.get("warnings", []))
    for text in case.get("accepts", []):
        matcher = weir.GrammarMatcher(compiled)
        for byte in text.encode():
            assert byte in next_tokens(matcher, tokenizer), text
            assert matcher.accept_token(byte), text
        assert matcher.is_completed(), text
    for text in case.get("rejects", []) + case.get("dead_prefixes", []):
        assert not is_complete(compiled, text), text
    stop = tokenizer.vocab_size - 1
    names = {256 + i: token for i, token in enumerate(case.get("tokens", []))} | {stop: "<eos>"}
    for mask in case.get("masks", []):
        matcher = weir.GrammarMatcher(compiled)
        assert matcher.accept_string(mask["after"])
        found = [names[token] for token in next_tokens(matcher, tokenizer) if token in names]
        assert sorted(found) == sorted(mask["allowed"]), mask["after"]
    for captures in case.get("captures", []):
        matcher = weir.GrammarMatcher(compiled)
        assert matcher.accept_string(captures["after"])
        found = [f"{c.name}={c.text.decode()}{'' if c.complete else '...'}" for c in matcher.captures()]
        assert found == captures["are"], captures["after"]
    for temperature in case.get("temperatures", []):
        matcher = weir.GrammarMatcher(compiled)
        assert matcher.accept_string(temperature["after"])
        assert matcher.temperature == pytest.approx(temperature.get("is")), temperature["after"]
