"""Tokenizers, grammars and compiled grammars are pickled as their sources. Copying one returns the same object."""

import copy
import gc
import json
import pickle
import subprocess
import sys

import numpy as np
import pytest

import weir
from conftest import TOKENS, allowed
from weir.compat.xgrammar import _serialization


def masks(compiled, text):
    """Returns the masks along a text, and the expected bytes where it is refused, or True."""
    matcher = weir.GrammarMatcher(compiled)
    out = []
    for char in text:
        bitmask = weir.allocate_token_bitmask(1, compiled.tokenizer_info.vocab_size)
        matcher.fill_next_token_bitmask(bitmask)
        out.append(bitmask.tolist())
        if not matcher.accept_string(char):
            return out, matcher.expected().bytes
    return out, matcher.is_completed()


SCHEMA = {"type": "object", "properties": {"a": {"$ref": "urn:x"}}, "required": ["a"]}
MADE = {
    "ebnf": (lambda c: c.compile_grammar('root ::= "a"+ other\nother ::= "bc"'), "aabc"),
    "start": (lambda c: c.compile_grammar('root ::= "a"\nb ::= "b"', start="b"), "b"),
    "a syntax": (lambda c: c.compile_grammar('root ::= "a" b\nb ::= "b"+', syntax="ebnf"), "abb"),
    "schemas in Lark": (lambda c: c.compile_grammar('start: %json {"$ref": "urn:x"}', syntax="lark", json_schema={
        "documents": {"urn:x": {"const": [1, 2]}}, "whitespace": "none"}), "[1,2]"),
    "choice": (lambda c: c.compile_choice(["ab", "cd"]), "cd"),
    "substring": (lambda c: c.compile_substring("one two", unit="character"), "e t"),
    "a structural tag": (lambda c: c.compile_structural_tag({"type": "structural_tag", "format": {
        "type": "const_string", "value": "xyz"}}), "xyz"),
    "a response format": (lambda c: c.compile_response_format({"type": "choice", "choice": ["q"]}), "q"),
    "chunks": (lambda c: c.compile_substring_chunks(["one", " two"]), " two"),
    "a grammar of chunks": (lambda c: c.compile(weir.Grammar.from_substring_chunks(["one", " two"])), "one two"),
    "a grammar of a choice": (lambda c: c.compile(weir.Grammar.from_choice(["ab", "cd"])), "ab"),
    "a grammar of a substring": (lambda c: c.compile(weir.Grammar.from_substring("one two")), "one "),
    "a grammar of a tag": (lambda c: c.compile(weir.Grammar.from_structural_tag({
        "type": "structural_tag", "format": {"type": "regex", "pattern": "[ab]"}})), "b"),
    "regex": (lambda c: c.compile_regex("A.c", ignore_case=True, match="search"), "xabcx"),
    "schema": (lambda c: c.compile_json_schema(SCHEMA, whitespace="none", order="declared",
                                               documents={"urn:x": {"const": [1]}}), '{"a":[1]}'),
    "json": (lambda c: c.compile_json(), "[1]"),
    "object": (lambda c: c.compile_json_object(), '{"a":1}'),
    "a grammar": (lambda c: c.compile(weir.Grammar.from_regex("ab|cd")), "cd"),
    "a grammar of EBNF": (lambda c: c.compile(weir.Grammar.from_ebnf('r ::= "x"', start="r")), "x"),
    "a grammar with limits": (
        lambda c: c.compile(weir.Grammar.from_text('root ::= "a"', limits=weir.Limits(nesting=7))), "a"),
    "a grammar of a schema": (lambda c: c.compile(weir.Grammar.from_json_schema({"const": 1}, whitespace_limit=3)), "1"),
}


@pytest.mark.parametrize("name", MADE)
def test_compiled_grammars(builtin, name):
    make, text = MADE[name]
    compiled = make(weir.GrammarCompiler(builtin, limits=weir.Limits(nesting=500)))
    again = pickle.loads(pickle.dumps(compiled))
    assert masks(compiled, text)[1] is True
    assert masks(again, text) == masks(compiled, text)
    # Pickles the unpickled grammar again.
    assert masks(pickle.loads(pickle.dumps(again)), text + "!") == masks(compiled, text + "!")


def test_limits_are_kept(letters):
    compiled = weir.GrammarCompiler(letters, limits=weir.Limits(completion_bytes=2)).compile_grammar('root ::= "abcd"')
    for one in (compiled, pickle.loads(pickle.dumps(compiled))):
        with pytest.raises(weir.LimitExceededError, match="completion_bytes"):
            weir.GrammarMatcher(one).shortest_completion()
    limits = pickle.loads(pickle.dumps(weir.Limits(nesting=7)))
    assert (limits.nesting, limits.row_items) == (7, weir.Limits().row_items)


def test_documents_are_those_of_the_call(builtin):
    documents = {"urn:x": {"const": 1}}
    compiled = weir.GrammarCompiler(builtin).compile_json_schema({"$ref": "urn:x"}, documents=documents)
    documents["urn:x"]["const"] = 2
    assert weir.GrammarMatcher(pickle.loads(pickle.dumps(compiled))).accept_string("1")


def test_tokenizers(letters, builtin):
    for info in (letters, builtin, weir.TokenizerInfo(TOKENS, stop_token_ids=[1], padded_vocab_size=70)):
        again = weir.TokenizerInfo.deserialize(info.serialize())
        assert again.serialize() == info.serialize()
        assert (again.vocab_size, again.stop_token_ids, again.kind) == (info.vocab_size, info.stop_token_ids, info.kind)
        assert [again.token_bytes(i) for i in range(again.vocab_size)] == \
            [info.token_bytes(i) for i in range(info.vocab_size)]
        assert again.tokenize("abcd") == info.tokenize("abcd")
        assert pickle.loads(pickle.dumps(info)).serialize() == info.serialize()


def test_one_tokenizer_for_all(builtin):
    compiler = weir.GrammarCompiler(builtin)
    assert compiler.tokenizer_info is builtin
    one, other = compiler.compile_json(), compiler.compile_regex("a")
    assert one.tokenizer_info is builtin
    data = pickle.dumps([one, other])
    assert len(data) < len(builtin.serialize()) + 2000  # the tokenizer is in the pickle only once
    one_again, other_again = pickle.loads(data)
    assert one_again.tokenizer_info is other_again.tokenizer_info
    # Another pickle shares the tokenizer, too, while some object holds it.
    third = pickle.loads(pickle.dumps(compiler.compile_regex("b")))
    assert third.tokenizer_info is one_again.tokenizer_info
    from weir._pickling import _tokenizers
    held = len(_tokenizers)
    del one_again, other_again, third
    gc.collect()
    assert len(_tokenizers) == held - 1


def test_in_another_process(letters):
    compiled = weir.GrammarCompiler(letters).compile_grammar('root ::= "ab" "c"? <|tool|>')
    program = ("import pickle, sys, weir; compiled = pickle.load(sys.stdin.buffer); m = weir.GrammarMatcher(compiled);"
               "b = weir.allocate_token_bitmask(1, 7); m.accept_token(4); m.fill_next_token_bitmask(b); print(b[0, 0])")
    done = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(compiled), capture_output=True,
                          check=True)
    assert allowed(np.array([int(done.stdout)], dtype=np.int32)) == [2, 6]


def test_copies_are_the_same_object(letters):
    compiled = weir.GrammarCompiler(letters).compile_grammar('root ::= "a"')
    for each in (letters, compiled, weir.Grammar.from_regex("a"), weir.Limits()):
        assert copy.copy(each) is each and copy.deepcopy(each) is each and copy.deepcopy({"x": each})["x"] is each


def test_bytes_that_were_changed(letters):
    data = letters.serialize()
    for wrong in (b"", b"weirtok1", data[:-1], data + b"x", data[:40] + b"?" + data[41:], b"weirtok9" + data[8:]):
        with pytest.raises(weir.TokenizerError, match="serialized tokenizer") as caught:
            weir.TokenizerInfo.deserialize(wrong)
        assert caught.value.code == "invalid_argument"
    with pytest.raises(weir.TokenizerError):
        weir._pickling.load_tokenizer(b"no tokenizer")


def test_grammars_that_are_joined_at_many_levels(builtin):
    grammar = weir.Grammar.from_regex("a")
    for _ in range(400):
        grammar = weir.Grammar.concat(grammar, weir.Grammar.from_regex("b"))
    compiled = weir.GrammarCompiler(builtin).compile(grammar)
    text = "a" + 400 * "b"
    for copied in (pickle.loads(pickle.dumps(compiled)),
                   weir.GrammarCompiler(builtin).compile(pickle.loads(pickle.dumps(grammar)))):
        assert weir.GrammarMatcher(copied).accept_text(text)
    form = _serialization.grammar_form(grammar)
    read = _serialization.read_grammar(json.loads(json.dumps(form)))
    assert weir.GrammarMatcher(weir.GrammarCompiler(builtin).compile(read)).accept_text(text)


def test_a_grammar_that_is_joined_twice_is_pickled_once():
    grammar = weir.Grammar.from_regex("a")
    for _ in range(10):
        grammar = weir.Grammar.concat(grammar, grammar)
    data = pickle.dumps(grammar)
    assert len(data) < 5_000
    assert pickle.loads(data).convert("ebnf") == grammar.convert("ebnf")
