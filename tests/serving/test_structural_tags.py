"""The structural tags that xgrammar's registry makes, 42 for each of 18 models, compiled by weir and walked beside
xgrammar: texts that one of the two writes at random, byte by byte, the other must accept.

The schemas are closed and keys need no escapes, because there the two differ on purpose (docs/compat.md): JSON Schema
leaves objects open and lets keys be escaped. Other differences are listed below, with their reasons.
"""

import contextlib
import itertools
import json
import random
import re

import numpy as np
import pytest

import weir

xgr = pytest.importorskip("xgrammar")
registry = pytest.importorskip("xgrammar.builtin_structural_tag")

MODELS = sorted(registry._structural_tag_registry)
SCHEMAS = {
    "none": None, "empty": {}, "object": {"type": "object"},
    "open": {"type": "object", "additionalProperties": True},
    "listed": {"type": "object", "properties": {"a": {"type": "string"}, "n": {"type": "integer"}}, "required": ["a"],
               "additionalProperties": False},
    "pattern": {"type": "object", "patternProperties": {"^x": {"type": "integer"}}, "additionalProperties": False},
    "nested": {"type": "object", "required": ["o", "l"], "additionalProperties": False, "properties": {
        "o": {"type": "object", "properties": {"k": {"type": "boolean"}}, "required": ["k"],
              "additionalProperties": False},
        "l": {"type": "array", "items": {"enum": ["u", "v"]}}}},
}
CHOICES = {"auto": "auto", "required": "required", "forced": {"type": "function", "function": {"name": "f"}}}
# What xgrammar alone refuses, by model and schema: a style in which only listed arguments can be written, so weir's have
# none here.
ONLY_MINE = {("minimax_m3", schema): error for error, schemas in {
    "unconstrained": ("none", "empty"), "fixed object property names": ("open", "pattern")}.items() for schema in schemas}
# cohere's values without a schema have other types in xgrammar, and raw strings other blanks.
DIFFERENT = ("cohere",)
# In xgrammar a list of minimax_m3 has an item.
EMPTY_LIST = b"<l>]<]minimax[>[</l>"
# What ends free text in a style whose texts hardly ever end at random.
GOALS = {"kimi_k3": b"<|close|>"}
END, WALKS, LONGEST = 256, 3, 500
CLOSING = frozenset(b'"}]<,:/')
TOKENS = [bytes([byte]) for byte in range(256)] + [b"<end>"]


def tags(model):
    """Returns the tags of a model by (schema, choice, reasoning)."""
    made = {}
    for (schema, parameters), (choice, value), reasoning in itertools.product(SCHEMAS.items(), CHOICES.items(),
                                                                              (True, False)):
        function = {"name": "f", **({} if parameters is None else {"parameters": parameters})}
        tag = registry.get_model_structural_tag(model, tools=[{"type": "function", "function": function}],
                                                tool_choice=value, reasoning=reasoning)
        made[schema, choice, reasoning] = tag.model_dump_json()
    return made


@pytest.fixture(scope="module")
def compilers():
    mine = weir.GrammarCompiler(weir.TokenizerInfo(TOKENS, special_token_ids=[END], stop_token_ids=[END]))
    theirs = xgr.GrammarCompiler(xgr.TokenizerInfo(TOKENS, vocab_type=xgr.VocabType.RAW, stop_token_ids=[END]))
    return mine, theirs


def walk(matcher, fill, rng, goal=b""):
    """Returns a random text of printable characters where there is a choice, or None if it has no end in time.

    goal: what is written, if it is allowed, after the first 60 characters.
    """
    text = []
    while not matcher.is_terminated():
        allowed = [token for token in fill(matcher) if token <= END]
        printable = [token for token in allowed if 0x20 <= token < 0x7F]
        closing = [token for token in allowed if token in CLOSING] if len(text) > 60 else []
        begun = next((size for size in range(len(goal) - 1, 0, -1) if bytes(text[-size:]) == goal[:size]), 0)
        if goal and len(text) > 60 and goal[begun] in allowed:
            closing = [goal[begun]]
        token = END if END in allowed else rng.choice(closing or printable or allowed)
        assert matcher.accept_token(token)
        text.append(token)
        if len(text) > LONGEST:
            return None
    return bytes(text[:-1])


def bits(row):
    return np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")).tolist()


def fill_mine(matcher):
    bitmask = weir.allocate_token_bitmask(1, len(TOKENS))
    matcher.fill_next_token_bitmask(bitmask)
    return bits(bitmask[0])


def fill_theirs(matcher):
    bitmask = xgr.allocate_token_bitmask(1, len(TOKENS))
    matcher.fill_next_token_bitmask(bitmask)
    return bits(bitmask.numpy()[0])


def has_a_key_twice(text):
    """xgrammar does not see that an object has a key already."""
    repeated = []

    def check(members):
        keys = [key for key, _ in members]
        repeated.extend(key for key in keys if keys.count(key) > 1)

    decoder = json.JSONDecoder(object_pairs_hook=check, strict=False)
    decoded = text.decode(errors="replace")
    for brace in re.finditer("{", decoded):
        with contextlib.suppress(ValueError):
            decoder.raw_decode(decoded, brace.start())
    return bool(repeated)


@pytest.mark.parametrize("model", MODELS)
def test_tags_of_a_model(compilers, model):
    mine, theirs = compilers
    made, walked, goal = tags(model), 0, GOALS.get(model, b"")
    assert len(made) == 42
    for (schema, choice, reasoning), tag in made.items():
        rng = random.Random(f"{model} {schema} {choice} {reasoning}")
        reading = mine.compile_structural_tag(tag, order="declared")
        writing = mine.compile_structural_tag(tag, order="declared", escapes="required")
        if (model, schema) in ONLY_MINE and "json_schema" in tag:
            with pytest.raises(RuntimeError, match=ONLY_MINE[model, schema]):
                theirs.compile_structural_tag(tag)
            continue
        other = theirs.compile_structural_tag(tag)
        for _ in range(WALKS):
            text = walk(xgr.GrammarMatcher(other), fill_theirs, rng, goal)
            if text is not None and not has_a_key_twice(text) and model not in DIFFERENT:
                matcher = weir.GrammarMatcher(reading)
                assert matcher.accept_string(text) and matcher.is_completed(), (schema, choice, reasoning, text)
                walked += 1
            text = walk(weir.GrammarMatcher(writing), fill_mine, rng, goal)
            # xgrammar matches the pattern with the whole key
            if text is not None and schema != "pattern" and EMPTY_LIST not in text:
                matcher = xgr.GrammarMatcher(other)
                assert all(matcher.accept_token(token) for token in (*text, END)), (schema, choice, reasoning, text)
                walked += 1
    assert walked > 10
