"""Makes each call of xgrammar and llguidance that vLLM's and SGLang's backends make, with the same arguments."""

import json
import types

import numpy as np
import pytest

import weir
import weir.compat.llguidance as llguidance
import weir.compat.xgrammar as xgr

END = 256
VOCAB = [bytes([byte]) for byte in range(256)] + [b"</s>"]
SCHEMA = '{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}'
TAG = {"structures": [{"begin": "<f>", "schema": {"type": "integer"}, "end": "</f>"}], "triggers": ["<f"]}


@pytest.fixture(scope="module")
def info():
    return xgr.TokenizerInfo(encoded_vocab=VOCAB, vocab_type=xgr.VocabType.RAW, vocab_size=len(VOCAB),
                             stop_token_ids=[END], add_prefix_space=False)


@pytest.fixture(scope="module")
def compiler(info):
    return xgr.GrammarCompiler(info, max_threads=8, cache_enabled=True, cache_limit_bytes=64 * 1024 * 1024)


def writes(compiled, text, **options):
    """Returns True if the text and then a stop token are accepted token by token, and each mask allows the token."""
    matcher = xgr.GrammarMatcher(compiled, **options)
    mask = np.full((1, (len(VOCAB) + 31) // 32), -1, np.int32)
    for token in [*text.encode(), END]:
        matcher.fill_next_token_bitmask(mask, 0)
        is_allowed = bool(mask[0, token // 32] >> (token % 32) & 1)
        assert matcher.accept_token(token) == is_allowed
        if not is_allowed:
            return False
    return matcher.is_terminated()


def test_grammars_of_vllm(info, compiler):
    assert writes(compiler.compile_json_schema(SCHEMA, any_whitespace=True), '{ "a" : 1}')
    assert not writes(compiler.compile_json_schema(SCHEMA, any_whitespace=False), '{ "a" : 1}')
    assert writes(compiler.compile_json_schema('{"type": "object"}', any_whitespace=False), '{"b": [1, {}]}')
    assert writes(compiler.compile_lark('start: "a" DIGIT+\nDIGIT: /[0-9]/'), "a12")
    assert writes(compiler.compile_grammar('root ::= "x" | "y"'), "y")
    assert writes(compiler.compile_structural_tag(json.dumps({"type": "structural_tag", "format": {
        "type": "tag", "begin": "<f>", "content": {"type": "json_schema", "json_schema": {"type": "integer"}},
        "end": "</f>"}})), "<f>12</f>")
    tags = [xgr.StructuralTagItem(begin=s["begin"], schema=json.dumps(s["schema"]), end=s["end"])
            for s in TAG["structures"]]
    compiled = compiler.compile_structural_tag(tags, TAG["triggers"])
    assert writes(compiled, "text <f>12</f>.") and not writes(compiled, "<f>x</f>")
    # Compiles a pattern as in another process, which gets the tokenizer as text and returns the grammar as text.
    elsewhere = xgr.GrammarCompiler(xgr.TokenizerInfo.deserialize_json(info.serialize_json()))
    serialized = elsewhere.compile_regex("[ab]{2}").serialize_json()
    assert writes(xgr.CompiledGrammar.deserialize_json(serialized, info), "ab")


def test_requests_of_vllm():
    xgr.Grammar.from_regex("a|b")
    xgr.Grammar.from_ebnf('root ::= "yes" | "no"')
    xgr.Grammar.from_json_schema(json.loads(SCHEMA))
    xgr.Grammar.from_lark('start: "a"')
    xgr.Grammar.from_structural_tag([xgr.StructuralTagItem(begin="<f>", schema="{}", end="</f>")], ["<f"])
    for call, text in ((xgr.Grammar.from_regex, "("), (xgr.Grammar.from_ebnf, "root ::="),
                       (xgr.Grammar.from_lark, "start:: 1"), (xgr.Grammar.from_json_schema, '{"type": "strin"}'),
                       (xgr.Grammar.from_structural_tag, "{}")):
        with pytest.raises(RuntimeError):
            call(text)


def test_outputs_of_vllm(compiler):
    torch = pytest.importorskip("torch")
    compiled = compiler.compile_regex("ab*")
    matcher = xgr.GrammarMatcher(compiled, override_stop_tokens=[END, 10], max_rollback_tokens=3)
    bitmask = xgr.allocate_token_bitmask(3, len(VOCAB))
    matcher.fill_next_token_bitmask(bitmask, 1)
    assert matcher.accept_token(ord("a")) and matcher.accept_token(ord("b")) and not matcher.accept_token(ord("c"))
    matcher.rollback(1)
    matcher.fill_next_token_bitmask(bitmask, 2)
    logits = torch.zeros((3, len(VOCAB)))
    xgr.apply_token_bitmask_inplace(logits, bitmask.to(logits.device, non_blocking=True), indices=[1, 2])
    assert (logits[0] == 0).all()
    assert (logits[1] == 0).nonzero().flatten().tolist() == [ord("a")]
    assert (logits[2] == 0).nonzero().flatten().tolist() == [10, ord("b"), END]
    xgr.apply_token_bitmask_inplace(logits, bitmask, indices=None)
    assert matcher.accept_token(10) and matcher.is_terminated()
    matcher.rollback(1)
    assert not matcher.is_terminated()
    matcher.reset()
    assert matcher.accept_token(ord("a"))


def test_sglang(info):
    compiler = xgr.GrammarCompiler(tokenizer_info=info)
    assert writes(compiler.compile_json_schema(schema=SCHEMA, any_whitespace=True), '{"a": 1}', max_rollback_tokens=200,
                  override_stop_tokens=None)
    assert writes(compiler.compile_builtin_json_grammar(), '[1, {"a": null}]')
    for call, text in ((compiler.compile_json_schema, "{"), (compiler.compile_grammar, "root = x"),
                       (compiler.compile_regex, "[")):
        with pytest.raises((RuntimeError, json.JSONDecodeError)):
            call(text)
    matcher = xgr.GrammarMatcher(compiler.compile_grammar('root ::= "abc" [0-9]'), max_rollback_tokens=200,
                                 override_stop_tokens=None)
    assert matcher.accept_token(ord("a")) and matcher.find_jump_forward_string() == "bc"
    compiler.clear_cache()


@pytest.fixture(scope="module")
def tokenizer():
    tokens = types.SimpleNamespace(tokens=VOCAB, eos_token_id=END, special_token_ids=[END])
    return llguidance.LLTokenizer(llguidance.TokenizerWrapper(tokens), n_vocab=len(VOCAB))


def test_llguidance_of_vllm(tokenizer):
    schema = llguidance.LLMatcher.grammar_from_json_schema(json.loads(SCHEMA), defaults={"whitespace_flexible": False})
    tag = llguidance.StructTag.to_grammar([llguidance.StructTag(trigger="<f", begin="<f>", grammar=schema, end="</f>")])
    for serialized, text in ((schema, '{"a":1}'), (tag, 'text <f>{"a":1}</f>'),
                             (llguidance.grammar_from("regex", "a+"), "aa"),
                             (llguidance.grammar_from("choice", '["a", "b"]'), "b"),
                             (llguidance.grammar_from("grammar", 'start: "x"'), "x")):
        assert llguidance.LLMatcher.validate_grammar(serialized, tokenizer) == ""
        matcher = llguidance.LLMatcher(tokenizer, serialized, log_level=1)
        assert matcher.get_error() == ""
        tokens = list(text.encode())
        assert matcher.validate_tokens(tokens) == len(tokens)
        assert matcher.consume_tokens(tokens)
        matcher.rollback(len(tokens))
        matcher.reset()
        assert matcher.consume_tokens([*tokens, tokenizer.eos_token]) and matcher.is_stopped()
    assert llguidance.LLMatcher.validate_grammar(llguidance.grammar_from("regex", "("), None) != ""


def test_llguidance_of_sglang(tokenizer):
    serialized = llguidance.LLMatcher.grammar_from_json_schema(SCHEMA, defaults={"whitespace_pattern": None})
    matcher = llguidance.LLMatcher(tokenizer, serialized, log_level=1)
    assert bytes(matcher.compute_ff_tokens()) == b"{" and matcher.consume_token(ord("{"))
    tag = llguidance.StructTag(begin="<f>", grammar={"type": "integer"}, end="</f>", trigger="<f")
    matcher = llguidance.LLMatcher(tokenizer, llguidance.StructTag.to_grammar([tag]))
    assert matcher.consume_tokens(list(b"<f>12</f>")) and not matcher.consume_token(END + 1) and matcher.get_error()
    assert llguidance.grammar_from("ebnf", 'root ::= "a"')


def test_tiktoken():
    tiktoken = pytest.importorskip("tiktoken")
    from weir.compat.llguidance.tiktoken import lltokenizer_from_encoding

    ranks = {bytes([i]): i for i in range(256)} | {b"ab": 256}
    encoding = tiktoken.Encoding("letters", pat_str=r"[a-z]+|.", mergeable_ranks=ranks,
                                 special_tokens={"<|endoftext|>": 257, "<|more|>": 258})
    made = lltokenizer_from_encoding(encoding)
    assert made.vocab_size == 259 and made.eos_token == 257 and made.tokenize_str("abc") == encoding.encode("abc")
    made = lltokenizer_from_encoding(encoding, n_vocab=300, eos_token=[257, 258], slices=[])
    assert made.vocab_size == 300 and made.eos_tokens == [257, 258]


def test_config():
    before = xgr.get_max_recursion_depth()
    with xgr.max_recursion_depth(500):
        assert xgr.config.get_max_recursion_depth() == 500
    assert xgr.get_max_recursion_depth() == before
    xgr.set_max_recursion_depth(before)
    for wrong in (0, -1, 1_000_000):
        with pytest.raises(RuntimeError):
            xgr.set_max_recursion_depth(wrong)
    assert weir.__version__ in xgr.get_serialization_version()
