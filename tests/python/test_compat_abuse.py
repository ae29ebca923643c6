"""Wrong values in the interfaces of other libraries: nothing is lost without a word, hangs, or ends in Python's own errors."""

import json

import numpy as np
import pytest

import weir
import weir.compat.kbnf as kbnf
import weir.compat.llguidance as llguidance
import weir.compat.llguidance.numpy as llnumpy
import weir.compat.xgrammar as xgr
from weir.compat.xgrammar.exception import InvalidJSONError, InvalidStructuralTagError

TOKENS = [bytes([byte]) for byte in range(256)]
DEEP = 20_000


@pytest.fixture(scope="module")
def tokenizer():
    return llguidance.LLTokenizer.of(weir.TokenizerInfo([*TOKENS, "</s>"], stop_token_ids=[256]), is_canonical=False)


def grammars(*parts, **more):
    return json.dumps({"grammars": list(parts), **more})


@pytest.mark.parametrize("grammar, message", [
    (grammars({"json_schema": {}, "regex": "a"}), "both `json_schema` and `regex`"),
    (grammars({"json_schema": {}, "optons": {}}), "no counterpart of `optons`"),
    (grammars({"regex": "a", "options": {}}), "no counterpart of `options`"),
    (grammars({"regex": "a"}, max_tokens=5), "no counterpart of `max_tokens`"),
    (grammars({"json_schema": {}}, {"lark_grammar": 'start: "b"'}), "only a first grammar in Lark"),
    (grammars({"lark_grammar": "start: @b"}, {"name": "b", "json_schema": {}, "options": {}}), "no counterpart of `options`"),
    (grammars({"json_schema": {}, "options": 5}), "`options` must be an object"),
    (grammars({"json_schema": {"x-guidance": 5}}), "`x-guidance` must be an object"),
    (grammars({"json_schema": {"x-guidance": {"whitespace_flexible": 0}}}), "`whitespace_flexible` must be a bool"),
    (grammars({"json_schema": {"x-guidance": {"item_separator": ";"}}}), "no counterpart of the separators"),
    (grammars({"regex": {"a": 1}}), "the grammar's `regex` is wrong"),
    (grammars({"lark_grammar": [1]}), "the grammar's `lark_grammar` is wrong"),
    (grammars({"structural_tag": 5}), "`structural_tag` is a list"),
    (grammars({"structural_tag": [{"begin": "<a>"}]}), "trigger"),
    ('{"grammars": ' + "[" * DEEP + "]" * DEEP + "}", "nested too deeply"),
    ('{"grammars": [{"json_schema": ' + '{"not": ' * DEEP + "{}" + "}" * DEEP + "}]}", "nested too deeply"),
])
def test_texts_of_grammars_for_llguidance(tokenizer, grammar, message):
    matcher = llguidance.LLMatcher(tokenizer, grammar)
    assert matcher.is_error() and message in matcher.get_error(), matcher.get_error()
    assert message in llguidance.LLMatcher.validate_grammar(grammar)


def test_what_is_no_text_of_a_grammar(tokenizer):
    for wrong in (None, 5, b"start: 'a'", {"grammars": []}):
        with pytest.raises(TypeError, match="`grammar` must be a str"):
            llguidance.LLMatcher(tokenizer, wrong)
        for make in (llguidance.LLMatcher.grammar_from_regex, llguidance.LLMatcher.grammar_from_lark):
            with pytest.raises(TypeError, match="must be a str"):
                make(wrong)
    with pytest.raises(ValueError, match="nested too deeply"):
        llguidance.grammar_from("json_schema", "[" * DEEP)
    assert not llguidance.LLMatcher(tokenizer, grammars({"regex": "a", "json_schema": None}, max_tokens=None)).is_error()
    with pytest.raises(ValueError, match="neither a tokenizer.json"):
        llguidance.LLTokenizer("a" * 5_000)


def test_rows_of_batches(tokenizer):
    bitmask = llnumpy.allocate_token_bitmask(2, tokenizer.vocab_size)
    executor = llguidance.LLExecutor(1)

    def matcher():
        return llguidance.LLMatcher(tokenizer, llguidance.grammar_from("regex", "[0-9]{4}"))

    for row in (-1, 2):
        with pytest.raises(IndexError, match=f"row {row} is out of range: `bitmask` has 2 rows"):
            executor.fill([(matcher(), row)], bitmask)
    with pytest.raises(ValueError, match="two matchers have row 0"):
        executor.fill([(matcher(), 0), (matcher(), 0)], bitmask)
    info = xgr.TokenizerInfo([*TOKENS, "</s>"], stop_token_ids=256)
    compiled = xgr.GrammarCompiler(info).compile_regex("[0-9]{4}")
    first, second = xgr.GrammarMatcher(compiled), xgr.GrammarMatcher(compiled)
    batch = xgr.BatchGrammarMatcher(1)
    for rows, message in (([-1, 0], "row -1"), ([0, 2], "row 2"), ([1, 1], "two matchers have row 1")):
        with pytest.raises(RuntimeError, match=message):
            batch.batch_fill_next_token_bitmask([first, second], bitmask, rows)
    batch.batch_fill_next_token_bitmask([first, second], bitmask, np.array([1, 0]))
    with pytest.raises(TypeError, match="must be a GrammarMatcher"):
        batch.batch_fill_next_token_bitmask([None], bitmask)
    with pytest.raises(ValueError, match="atuo"):
        xgr.BatchGrammarMatcher("atuo")


def test_structural_tags_for_xgrammar():
    tag = {"type": "structural_tag", "format": {"type": "any_text"}}
    compiler = xgr.GrammarCompiler(xgr.TokenizerInfo([*TOKENS, "</s>"], stop_token_ids=256))
    for options in ({"strict_mode": False}, {"structural_tag": tag}, {"tags": [], "triggers": []}):
        with pytest.raises(TypeError, match="from_structural_tag"):
            compiler.compile_structural_tag(tag, **options)
    with pytest.raises(TypeError, match="no argument `foo`"):
        compiler.compile_structural_tag(tags=[], triggers=[], foo=1)
    with pytest.raises(InvalidJSONError, match="nested too deeply"):
        compiler.compile_structural_tag("[" * DEEP)
    with pytest.raises(InvalidStructuralTagError, match="nested"):
        compiler.compile_structural_tag('{"format": ' * 950 + "{}" + "}" * 950)
    with pytest.raises(InvalidJSONError):
        compiler.compile_structural_tag([xgr.StructuralTagItem(begin="<a>", schema="{", end="</a>")], ["<a"])
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    for given in (schema, json.dumps(schema)):  # closed in both forms
        made = {"type": "structural_tag", "format": {"type": "json_schema", "json_schema": given}}
        matcher = xgr.GrammarMatcher(compiler.compile_structural_tag(made))
        assert matcher.accept_string('{"a": 1}') and matcher.is_completed()
        matcher.reset()
        assert not matcher.accept_string('{"b')


def test_draft_trees_that_are_none():
    compiled = xgr.GrammarCompiler(xgr.TokenizerInfo([*TOKENS, "</s>"], stop_token_ids=256)).compile_regex("[0-9]{4}")
    matcher = xgr.GrammarMatcher(compiled)
    for children, siblings, message in (([1, -1, -1], [-1, 1, -1], "twice"), ([1, 2, 1], [-1, -1, -1], "twice"),
                                        ([5, -1, -1], [-1, -1, -1], "no node 5"), ([1, 0, -1], [-1, -1, -1], "no node 0")):
        bitmask = np.full((3, weir.bitmask_words(257)), -1, dtype=np.int32)
        with pytest.raises(RuntimeError, match=message):
            matcher.traverse_draft_tree(np.array(children), np.array(siblings), np.array([0, 49, 50]), bitmask)


def test_vocabularies():
    for wrong in ("abc", b"abc", {"a": 5}, {"a"}):
        with pytest.raises(TypeError, match="`encoded_vocab` must be a list"):
            xgr.TokenizerInfo(wrong)
    for wrong in ("raw", 0, None):
        with pytest.raises(TypeError, match="`vocab_type` must be a VocabType"):
            xgr.TokenizerInfo(TOKENS, wrong)
    with pytest.raises(RuntimeError, match="nested too deeply"):
        xgr.TokenizerInfo.from_vocab_and_metadata(TOKENS, "[" * DEEP)
    with pytest.raises(ValueError, match="there is a token 4000000000"):
        kbnf.Vocabulary({4_000_000_000: kbnf.Token(b"a")})
