"""Runs the cases of tests/data through the package, including the constructs of all dialects."""

import json
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


SCHEMAS = {"json_schema", "schema", "grammar"}  # members that may be schemas, whose nulls are values


def names_of(value, found):
    """Adds the names of all members outside of schemas to `found`."""
    for name, member in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if isinstance(name, str):
            found.add(name)
        if name not in SCHEMAS:
            names_of(member, found)
    return found


def with_nulls(value, names):
    """Returns the value, in which each object outside of schemas has all these members, null where it had none."""
    if isinstance(value, list):
        return [with_nulls(item, names) for item in value]
    if not isinstance(value, dict):
        return value
    given = {name: member if name in SCHEMAS else with_nulls(member, names) for name, member in value.items()}
    return {**dict.fromkeys(sorted(names)), **given}


def read_requests():
    for case in (each.values[0] for each in CASES):
        if case.get("syntax") in ("structural_tag", "response_format"):
            try:
                yield case, json.loads(case["grammar"])
            except ValueError:
                continue  # a case of what is no JSON


REQUESTS = list(read_requests())
NAMES = set().union(*(names_of(value, set()) for _, value in REQUESTS))


@pytest.mark.parametrize(("case", "value"), [pytest.param(*each, id=each[0]["name"]) for each in REQUESTS])
def test_a_member_that_is_null_is_not_given(case, value):
    assert {"reasoning", "json_schema", "format", "end", "max_whitespace_cnt", "choices"} <= NAMES
    changed = {**case, "grammar": json.dumps(with_nulls(value, NAMES))}
    if "error" in case:
        changed["error"] = {name: member for name, member in case["error"].items() if name != "at"}
    test_case(changed)
