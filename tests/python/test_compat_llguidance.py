"""weir.compat.llguidance: the calls of inference engines, and their results."""

import json
import pathlib
import sys
import types

import numpy as np
import pytest

import weir
import weir.compat.llguidance as llguidance
import weir.compat.llguidance.numpy as llnumpy
from conftest import TOKENS, allowed

FILE = pathlib.Path(__file__).resolve().parents[2] / "data/default_tokenizer/tokenizer.json"


@pytest.fixture(scope="module")
def tokenizer():
    tokens = types.SimpleNamespace(tokens=[token.encode() for token in TOKENS], eos_token_id=5,
                                   special_token_ids=[5, 6])
    return llguidance.LLTokenizer(llguidance.TokenizerWrapper(tokens))


def matcher_of(tokenizer, ebnf):
    return llguidance.LLMatcher(tokenizer, llguidance.grammar_from("ebnf", ebnf))


def tokens_of(matcher):
    bitmask = llnumpy.allocate_token_bitmask(2, matcher.tokenizer.vocab_size)
    llnumpy.fill_next_token_bitmask(matcher, bitmask, 1)
    assert bitmask[0].tolist() == [-1] * bitmask.shape[1]
    assert matcher.compute_bitmask() == bitmask[1].tobytes()
    bias = np.frombuffer(matcher.compute_logit_bias(), dtype=np.uint8)
    assert len(bias) == matcher.tokenizer.vocab_size and np.flatnonzero(bias == 200).tolist() == allowed(bitmask[1])
    return allowed(bitmask[1])


def test_tokenizers(tokenizer, tmp_path):
    assert (tokenizer.vocab_size, tokenizer.eos_token, tokenizer.eos_tokens) == (7, 5, [5])
    assert tokenizer.tokenize_str("abd") == [4, 3] and tokenizer.decode_str([4, 3]) == "abd"
    assert tokenizer.is_special_token(6) and not tokenizer.is_special_token(0) and not tokenizer.is_canonical
    text = FILE.read_text(encoding="utf-8")
    (tmp_path / "tokenizer.json").write_text(text, encoding="utf-8")
    for source in (text, str(tmp_path), str(tmp_path / "tokenizer.json")):
        made = llguidance.LLTokenizer(source, n_vocab=9000, eos_token=[7, 8])
        assert made.vocab_size == 9000 and made.eos_tokens == [7, 8] and made.is_canonical
        assert made.decode_bytes(made.tokenize_bytes("naïve text".encode())) == "naïve text".encode()
    with pytest.raises(ValueError, match="downloads nothing"):
        llguidance.LLTokenizer("an/unknown-model")


def test_more_of_tokenizers(tokenizer):
    assert tokenizer.greedy_tokenize("abd") == [4, 3] and tokenizer.test_trace_tokens([4, 5]) == "⟦ab‧<end>⟧"
    real = llguidance.LLTokenizer(str(FILE))
    for text in (b"say something", b"hello wor", b"", b"a  "):
        for more in (b"", b" ", b"ld", b"x y z", b"\n\n"):
            tokens, rest = real.tokenize_partial(text)
            assert real.decode_bytes(tokens) + rest == text
            assert real.tokenize_bytes(text + more)[:len(tokens)] == tokens
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"ab": 256}
    made = llguidance.LLTokenizer.from_tiktoken(encoder=ranks, special_tokens={"<end>": 257}, pattern=".+", eos_token=257)
    assert made.tokenize_str("abc") == [256, ord("c")] and made.eos_tokens == [257]


def test_tokenize_partial_where_the_tokenizer_puts_a_space_before_the_text():
    tokens = ["▁", *"Helowr", "▁H", "el", "lo", "▁Hel", "▁Hello", "▁w", "or", "▁wor"]
    merges = ["▁ H", "e l", "l o", "▁H el", "▁Hel lo", "▁ w", "o r", "▁w or"]
    prepend = {"type": "Prepend", "prepend": "▁"}
    replace = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    back = {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}
    strip = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
    like_llama = llguidance.LLTokenizer(json.dumps({
        "normalizer": {"type": "Sequence", "normalizers": [prepend, replace]},
        "decoder": {"type": "Sequence", "decoders": [back, {"type": "Fuse"}, strip]},
        "model": {"type": "BPE", "vocab": {token: place for place, token in enumerate(tokens)}, "merges": merges}}))
    hello, rest = like_llama.tokenize_partial(b"Hello w")
    assert (hello, rest) == ([tokens.index("▁Hello")], b" w")
    assert like_llama.tokenize_partial(b"Hel") == ([], b"Hel")
    for text in (b"", b" ", b"Hello", b"Hello wor", b"Hello  w", b" Hello wo"):
        kept, rest = like_llama.tokenize_partial(text)
        assert like_llama.info.decode(kept) + rest == text
        for more in (b"", b" ", b"r", b"lo", b" wor"):
            assert like_llama.tokenize_bytes(text + more)[:len(kept)] == kept


def test_compilers():
    text = '{"type": "integer"}'
    for compiler, good, bad in ((llguidance.JsonCompiler(), text, '{"type": "foo"}'),
                                (llguidance.LarkCompiler(), 'start: "a"', "start: b"),
                                (llguidance.RegexCompiler(), "a+", "a(")):
        assert llguidance.LLMatcher.validate_grammar(compiler.compile(good)) == ""
        with pytest.raises(ValueError):
            compiler.compile(bad)
        assert compiler.compile(bad, check=False)
    options = json.loads(llguidance.JsonCompiler(whitespace_flexible=True).compile(text))["grammars"][0]["options"]
    assert (options["item_separator"], options["key_separator"], options["whitespace_flexible"]) == (",", ":", True)
    with pytest.raises(NotImplementedError):
        llguidance.JsonCompiler(json_allowed_escapes="nrbtf")
    assert llguidance.get_version().endswith(llguidance.__version__)


def test_masks_at_an_address(tokenizer):
    matcher = matcher_of(tokenizer, 'root ::= "a"+ "b" "c"?')
    rows = np.zeros((3, 1), dtype=np.int32)
    matcher.unsafe_compute_mask_ptr(rows.ctypes.data, 4)
    assert allowed(rows[0]) == [0, 4] and rows[1:].tolist() == [[0], [0]]
    with pytest.raises(ValueError, match="4 bytes"):
        matcher.unsafe_compute_mask_ptr(rows.ctypes.data, 8)
    executor = llguidance.LLExecutor(1)
    executor.unsafe_compute_mask_ptr([(matcher, 1)], rows.ctypes.data, 4, 3)
    assert allowed(rows[1]) == [0, 4]
    expected = np.zeros((3, 1), dtype=np.int32)
    llnumpy.fill_next_token_bitmask_par_with_draft_tokens(executor, [(matcher, 0, [0, 4])], expected)
    executor.unsafe_compute_mask_ptr_with_draft_token([(matcher, 0, [0, 4])], rows.ctypes.data, 4, 3)
    assert rows.tolist() == expected.tolist() and allowed(rows[2]) == [2, 5]
    rows[:] = 0
    matcher.unsafe_compute_mask_ptr_with_draft_token(rows.ctypes.data, 12, [0, 4])
    assert rows.tolist() == expected.tolist()


def test_a_whole_output(tokenizer):
    matcher = matcher_of(tokenizer, 'root ::= "a"+ "b" "c"?')
    assert tokens_of(matcher) == [0, 4] and not matcher.is_accepting() and not matcher.is_stopped()
    assert matcher.validate_tokens([0, 0, 4, 2, 2]) == 4 and tokens_of(matcher) == [0, 4]
    assert matcher.consume_tokens([0, 4]) and matcher.is_accepting() and not matcher.is_stopped()
    assert tokens_of(matcher) == [2, 5]
    copy = matcher.deep_copy()
    assert copy.consume_token(2) and copy.is_stopped() and copy.stop_reason() == "NoExtension"
    assert tokens_of(copy) == [5] and copy.consume_token(5) and copy.stop_reason() == "EndOfSentence"
    assert tokens_of(copy) == [5] and copy.try_consume_tokens([0]) == 0 and not copy.is_error()
    assert copy.rollback(2) and tokens_of(copy) == [2, 5]
    assert copy.try_consume_tokens([2, 2, 2]) == 1
    assert matcher.reset() and tokens_of(matcher) == [0, 4] and matcher.stop_reason() == "NotStopped"


def test_forced(tokenizer):
    matcher = matcher_of(tokenizer, 'root ::= "abcd" [ab]')
    assert matcher.compute_ff_bytes() == b"abcd" and matcher.compute_ff_tokens() == [4, 2, 3]
    assert matcher.consume_tokens([4, 2, 3, 0]) and matcher.compute_ff_tokens() == []
    # No text that follows could change the last token, so it is forced, too.
    whole = matcher_of(tokenizer, 'root ::= "abcd"')
    assert whole.compute_ff_tokens() == [4, 2, 3] and whole.consume_tokens([4, 2, 3]) and whole.is_stopped()
    assert matcher_of(tokenizer, 'root ::= "abca" "b"?').compute_ff_tokens() == [4, 2]


def test_stopped_is_that_nothing_may_come(tokenizer):
    """is_stopped, which needs no mask, is compared with the mask."""
    for grammar in ('start: "ab" | "abc"', "start: /a{1,3}/", 'start: "a" (<|tool|> "b"?)?', 'start: ""'):
        todo = [llguidance.LLMatcher(tokenizer, grammar)]
        assert not todo[0].is_error(), todo[0].get_error()
        while todo:
            matcher = todo.pop()
            may = tokens_of(matcher)
            assert matcher.is_stopped() == (may == [5])
            for token in set(may) - {5}:
                todo.append(matcher.deep_copy())
                assert todo[-1].consume_token(token)


def test_special_tokens_without_a_tokenizer(builtin_tokenizer):
    for name in ("<|endoftext|>", "<|of another model|>"):
        assert llguidance.LLMatcher.validate_grammar(f'start: {name} "a"') == ""
    validate = llguidance.LLMatcher.validate_grammar
    assert "no special token" in validate('start: <|of another model|> "a"', builtin_tokenizer)
    assert "not closed" in validate(llguidance.grammar_from("regex", "("))


def test_interpreter(tokenizer):
    grammar = llguidance.grammar_from("ebnf", 'root ::= "a" "bcd" [ab]?')
    interpreter = llguidance.LLInterpreter(tokenizer, grammar, enable_ff_tokens=False)
    interpreter.start_without_prompt()
    mask, state = interpreter.compute_mask()
    assert np.frombuffer(mask, dtype="<i4").tolist() == [0b10001] and json.loads(state)["stop"] is False
    assert interpreter.validate_tokens_raw([0, 1, 1]) == 2
    into = bytearray(4)
    interpreter.compute_mask_into(into)
    assert into == mask and interpreter.commit_token(4) == (0, [4]) and not interpreter.is_accepting()
    with pytest.raises(ValueError, match="size"):
        interpreter.compute_mask_into(bytearray(8))
    copy = interpreter.deep_copy()
    assert copy.commit_token(2) == (0, [2]) and copy.commit_token(3) == (0, [3]) and copy.is_accepting()
    assert copy.commit_token(0) == (0, [0]) and copy.has_pending_stop() and copy.stop_reason() == "NoExtension"
    assert copy.compute_mask()[0] is None and copy.commit_token(None) == (0, [])
    with pytest.raises(ValueError, match="not allowed"):
        interpreter.commit_token(0)
    forced = llguidance.LLInterpreter(tokenizer, grammar)
    assert forced.process_prompt([3]) == [3, 4, 2, 3] and forced.commit_token(1) == (0, [1])
    with pytest.raises(ValueError, match="not defined"):
        llguidance.LLInterpreter(tokenizer, llguidance.grammar_from("ebnf", "root ::= x"))


def test_mlx(tokenizer, monkeypatch):
    """Replaces mlx by a module with the four functions that weir calls."""
    core = types.ModuleType("mlx.core")
    core.array = lambda value, dtype=None: np.array(value, dtype=dtype)
    core.where, core.expand_dims = np.where, np.expand_dims
    for name, module in (("mlx", types.ModuleType("mlx")), ("mlx.core", core)):
        monkeypatch.setitem(sys.modules, name, module)
    sys.modules["mlx"].core = core
    monkeypatch.delitem(sys.modules, "weir.compat.llguidance.mlx", raising=False)
    import weir.compat.llguidance.mlx as llmlx

    bitmask = llmlx.allocate_token_bitmask(2, tokenizer.vocab_size)
    llmlx.fill_next_token_bitmask(matcher_of(tokenizer, 'root ::= "a"'), bitmask, 0)
    logits = llmlx.apply_token_bitmask(np.zeros((2, 9), dtype=np.float32), bitmask)
    assert np.flatnonzero(logits[0] == 0).tolist() == [0] and (logits[1] == 0).all()
    alone = llmlx.apply_token_bitmask(np.zeros(40, dtype=np.float32), bitmask[0])
    assert alone.shape == (1, 40) and np.flatnonzero(alone[0] == 0).tolist() == [0]
    with pytest.raises(ValueError, match="rows"):
        llmlx.apply_token_bitmask(np.zeros((3, 9), dtype=np.float32), bitmask)


def test_a_vocabulary_of_llama_cpp(monkeypatch):
    """Replaces llama_cpp by a module with the functions that weir calls, over the tokens of conftest."""
    kinds = {5: 8, 6: 16}  # control, user-defined

    def to_piece(vocab, token, buffer, size, lstrip, special):
        text = TOKENS[token].encode()
        buffer.raw = text.ljust(len(buffer.raw), b"\0")
        return len(text)

    fake = types.ModuleType("llama_cpp")
    fake.__dict__.update(llama_vocab_n_tokens=lambda vocab: len(TOKENS), llama_token_to_piece=to_piece,
                         llama_token_get_attr=lambda vocab, token: kinds.get(token, 4), llama_vocab_eos=lambda vocab: 5,
                         LLAMA_TOKEN_ATTR_CONTROL=8, LLAMA_TOKEN_ATTR_USER_DEFINED=16)
    monkeypatch.setitem(sys.modules, "llama_cpp", fake)
    monkeypatch.delitem(sys.modules, "weir.compat.llguidance.llamacpp", raising=False)
    from weir.compat.llguidance.llamacpp import lltokenizer_from_vocab

    made = lltokenizer_from_vocab(None, n_vocab=10)
    assert made.vocab_size == 10 and made.eos_tokens == [5] and made.is_special_token(6)
    assert made.decode_bytes([0, 4]) == b"aab" and tokens_of(matcher_of(made, 'root ::= "a" "b"?')) == [0, 4]
    assert lltokenizer_from_vocab(None, eos_token=[5, 6]).eos_tokens == [5, 6]


def test_captures(tokenizer):
    matcher = matcher_of(tokenizer, 'root ::= @capture(x: "a") @capture(x: "b") @capture(y: "cd")')
    assert matcher.consume_tokens([4, 2])
    assert matcher.get_captures() == [("x", b"a"), ("x", b"b")]
    assert matcher.get_capture("x") == b"b" and matcher.get_capture("y") is None
    assert matcher_of(tokenizer, "root ::= x").get_captures() == []


def test_errors_are_a_state(tokenizer):
    wrong = matcher_of(tokenizer, "root ::= x")
    assert wrong.is_error() and "not defined" in wrong.get_error() and wrong.stop_reason() == "InternalError"
    assert tokens_of(wrong) == [] and not wrong.consume_token(0) and not wrong.reset() and wrong.is_stopped()
    refused = matcher_of(tokenizer, 'root ::= "a"')
    assert not refused.consume_token(1) and refused.is_error() and "token 1" in refused.get_error()
    assert not refused.consume_token(0) and not refused.rollback(1)
    assert not matcher_of(tokenizer, 'root ::= "a"').consume_token(99)
    assert llguidance.LLMatcher(tokenizer, "{}").is_error()
    validate = llguidance.LLMatcher.validate_grammar
    assert "not defined" in validate(llguidance.grammar_from("ebnf", "root ::= x"), tokenizer)
    assert validate(llguidance.grammar_from("ebnf", 'root ::= "a"')) == ""
    unused = llguidance.grammar_from("ebnf", 'root ::= "a"\nb ::= "b"')
    assert validate(unused) == validate(unused, tokenizer) == ""
    for on in (None, tokenizer):
        is_error, messages = llguidance.LLMatcher.validate_grammar_with_warnings(unused, on)
        assert not is_error and len(messages) == 1 and "`b`" in messages[0]
    assert llguidance.LLMatcher.validate_grammar_with_warnings(llguidance.grammar_from("regex", "("))[0]
    with pytest.raises(ValueError, match="format"):
        llguidance.grammar_from("yacc", "")


@pytest.fixture(scope="module")
def builtin_tokenizer():
    return llguidance.LLTokenizer(str(FILE))


def takes(tokenizer, grammar, text):
    matcher = llguidance.LLMatcher(tokenizer, grammar)
    assert not matcher.is_error(), matcher.get_error()
    tokens = tokenizer.tokenize_str(text)
    return matcher.try_consume_tokens(tokens) == len(tokens) and matcher.is_accepting()


def test_grammars(builtin_tokenizer):
    schema = {"type": "object", "properties": {"a": {"const": 1}, "b": {"const": 2}}}
    of_schema = llguidance.LLMatcher.grammar_from_json_schema
    fixed = {"whitespace_flexible": False}
    for grammar, yes, no in (
            (of_schema(schema), '{ "a" :1,\n"b":2 }', '{"b":2,"a":1}'),
            (of_schema(json.dumps(schema), fixed), '{"a":1,"b":2}', '{"a": 1}'),
            (of_schema(schema, fixed, {"item_separator": ", ", "key_separator": ": "}), '{"a": 1, "b": 2}', '{"a":1}'),
            (of_schema({**schema, "x-guidance": {"whitespace_pattern": " ?"}}), '{"a": 1}', '{"a":  1}'),
            (of_schema({**schema, "x-guidance": {"whitespace_pattern": ""}}), '{"a":1}', '{"a": 1}'),
            (of_schema({**schema, "x-guidance": fixed}, overrides={"whitespace_flexible": True}), '{"a":  1}', "1"),
            (llguidance.grammar_from("json_schema", "true"), "[1]", "[1"),
            (llguidance.grammar_from("regex", r"a.?\d+"), "ax1", "a"),
            (llguidance.grammar_from("choice", json.dumps(['a "b"', "c\n\\d", "é"])), "c\n\\d", "c"),
            (llguidance.grammar_from("gbnf", 'root ::= "x"'), "x", "y"),
            (llguidance.grammar_from("lark", f'start: "x" %json {json.dumps(schema)}'), 'x{"a":1,"b":2}', 'x{"b":2,"a":1}'),
            (f"start: %json {json.dumps(schema)} /,?/", '{"a":1},', '{"b":2,"a":1},'),
            ('start: %json {"type": "integer"}', "10", "1.0"),
            (of_schema({"type": "integer"}), "-1", "1e2"),
            (llguidance.grammar_from("llguidance", llguidance.grammar_from("regex", "z")), "z", "y")):
        assert takes(builtin_tokenizer, grammar, yes) and not takes(builtin_tokenizer, grammar, no), grammar
    for options in ({"item_separator": ";", "whitespace_flexible": False}, {"lenient": True}):
        assert "no counterpart" in llguidance.LLMatcher(builtin_tokenizer, of_schema(schema, options)).get_error()


def test_grammars_that_llguidance_writes(builtin_tokenizer):
    """The strings that llguidance 1.9.1 writes for a schema, a pattern, and a grammar that refers to others."""
    of_schema = {"name": "json_schema", "lark_grammar": None, "json_schema": {
        "const": [1, 2], "x-guidance": {"whitespace_flexible": False}}}
    of_regex = {"name": "regex", "json_schema": None, "lark_grammar": "start: /a+/"}
    several = [{"name": "main", "lark_grammar": 'start: "<" @x ">" @y'}, {"name": "x", "lark_grammar": "start: /[0-9]+/"},
               {"name": "y", "json_schema": {"const": 1}}]
    for parts, yes, no in (([of_schema], "[1,2]", "[1, 2]"), ([of_regex], "aaa", "b"), (several, "<77>1", "<>1")):
        grammar = json.dumps({"grammars": parts, "max_tokens": None})
        assert takes(builtin_tokenizer, grammar, yes) and not takes(builtin_tokenizer, grammar, no)
    for wrong in ("[]", "[1]", '[{"name": "x"}]', '[{"lark_grammar": "start: @x"}, {"name": "x"}]'):
        assert llguidance.LLMatcher(builtin_tokenizer, f'{{"grammars": {wrong}}}').is_error()


def test_struct_tags(builtin_tokenizer):
    schema = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {}}, "required": ["a"]}
    made = llguidance.LLMatcher.grammar_from_json_schema(schema, defaults={"whitespace_flexible": False})
    for given, loose in ((schema, True), (json.dumps(schema), True), (made, False)):
        grammar = llguidance.StructTag.to_grammar([
            llguidance.StructTag(trigger="<f", begin="<f=x>", grammar=given, end="</f>"),
            llguidance.StructTag(trigger="<f", begin="<f=y>", grammar='start: "y"', end="</f>")])
        for text in ("plain", 'so <f=x>{"a":1}</f> and <f=y>y</f>.', '<f=x>{"a":1,"b":[]}</f>'):
            assert takes(builtin_tokenizer, grammar, text), text
        for text in ("<f=z", '<f=x>{"a":"1"}</f>', '<f=x>{"b":1,"a":1}</f>', "<f=y>{}</f>"):
            assert not takes(builtin_tokenizer, grammar, text), text
        assert takes(builtin_tokenizer, grammar, '<f=x>{"a": 1}</f>') == loose
    with pytest.raises(AssertionError):
        llguidance.StructTag(trigger="<f", begin="f", grammar={}, end="")
    with pytest.raises(AssertionError):
        llguidance.StructTag.to_grammar([])
    tags = [llguidance.StructTag(trigger="<f>", begin="<f>", grammar={}, end="")]
    for options in ({"assume_special": False}, {"text_regex": "a*"}):
        with pytest.raises(NotImplementedError, match="no counterpart"):
            llguidance.StructTag.to_grammar(tags, **options)


def test_a_trigger_that_is_a_special_token(tokenizer):
    tag = llguidance.StructTag(trigger="<|tool|>", begin="<|tool|>a", grammar='start: "b"', end="c")
    matcher = llguidance.LLMatcher(tokenizer, llguidance.StructTag.to_grammar([tag]))
    assert matcher.consume_tokens([0, 6]) and tokens_of(matcher) == [0, 4]
    assert matcher.consume_tokens([4]) and tokens_of(matcher) == [2]


def test_a_dead_end_is_an_error(tokenizer):
    """The vocabulary has no token for the second character."""
    for fill in (lambda m: m.compute_bitmask(), lambda m: llguidance.LLExecutor(1).fill([(m, 0)], np.zeros((1, 1), np.int32))):
        matcher = matcher_of(tokenizer, 'root ::= "a" "x"')
        fill(matcher)
        assert matcher.consume_token(0) and not matcher.is_error()
        fill(matcher)
        assert matcher.is_error() and matcher.get_error().startswith("no token can come next") and matcher.is_stopped()


def test_batches(tokenizer):
    matchers = [matcher_of(tokenizer, f'root ::= "{text}"') for text in ("a", "b", "c")]
    executor = llguidance.LLExecutor(2)
    bitmask = llnumpy.allocate_token_bitmask(5, tokenizer.vocab_size)
    matchers[2].consume_tokens([2, 5])
    llnumpy.fill_next_token_bitmask_par(executor, [(matchers[0], 3), (matchers[1], 0), (matchers[2], 1)], bitmask)
    assert bitmask[:, 0].tolist() == [0b10, 0b100000, -1, 0b1, -1]
    assert llnumpy.consume_token_par(executor, [(matchers[0], 0), (matchers[1], 0)]) == [True, False]
    bitmask[:] = -1
    drafting = matcher_of(tokenizer, 'root ::= "a" "b" "c"')
    llnumpy.fill_next_token_bitmask_par_with_draft_tokens(executor, [(drafting, 1, [0, 1, 1])], bitmask)
    assert bitmask[:, 0].tolist() == [-1, 0b10001, 0b10, 0b100, -1] and tokens_of(drafting) == [0, 4]
    bitmask[:] = -1
    ending = matcher_of(tokenizer, 'root ::= "a"')
    drafts = [(ending, 0, [0, 5, 0]), (drafting, 4, [])]
    llnumpy.fill_next_token_bitmask_par_with_draft_tokens(executor, drafts, bitmask)
    assert bitmask[:, 0].tolist() == [0b1, 0b100000, 0b100000, -1, 0b10001] and tokens_of(ending) == [0]


def test_torch(tokenizer):
    torch = pytest.importorskip("torch")
    import weir.compat.llguidance.torch as lltorch
    bitmask = lltorch.allocate_token_bitmask(2, tokenizer.vocab_size)
    assert bitmask.shape == lltorch.get_bitmask_shape(2, 7) and bitmask.dtype == torch.int32
    matcher = matcher_of(tokenizer, 'root ::= "a"')
    lltorch.fill_next_token_bitmask(matcher, bitmask, 0)
    matcher.consume_tokens([0, 5])
    lltorch.fill_next_token_bitmask(matcher, bitmask, 1)
    assert bitmask.tolist() == [[1], [32]]
    logits = torch.zeros((2, 7))
    lltorch.apply_token_bitmask_inplace(logits, bitmask)
    assert (logits == 0).nonzero().tolist() == [[0, 0], [1, 5]]


def test_from_transformers():
    transformers = pytest.importorskip("transformers")
    from weir.compat.llguidance.hf import from_tokenizer
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_file=str(FILE), eos_token="<|endoftext|>")
    made = from_tokenizer(tokenizer, n_vocab=8200, eos_token=3)
    assert made.vocab_size == 8200 and made.eos_token == 3
    assert made.tokenize_str("some text") == tokenizer.encode("some text", add_special_tokens=False)


def test_what_has_no_counterpart(tokenizer):
    for call in (lambda: tokenizer.tokenize_str("a", parse_special=True),
                 lambda: llguidance.LLMatcher(tokenizer, "", limits=1)):
        with pytest.raises(NotImplementedError, match="no counterpart"):
            call()
    assert isinstance(weir.compat.llguidance.LLMatcher(tokenizer, "start: A").get_error(), str)


def test_regular_expressions_as_lark(tokenizer):
    to_lark = llguidance.regex_to_lark
    assert to_lark(r"a\d\D\w\s/") == r"a[0-9][^0-9]\w\s\/"
    assert to_lark("\n\\\\d", "") == "\\n\\\\d"
    assert to_lark(r"[\w.]\W\s\d", "dw") == r"[[0-9a-zA-Z_].][^0-9a-zA-Z_]\s[0-9]"
    assert to_lark(r"\S", "dws") == r"[^ \t\n\r\f\v]"
    for use_ascii, accepted in (("d", False), ("", True)):
        text = "start: /" + to_lark(r"[\d/]", use_ascii) + "/"
        matcher = llguidance.LLMatcher(tokenizer, text)
        assert not matcher.is_error(), matcher.get_error()
        compiled = weir.GrammarCompiler(weir.TokenizerInfo.builtin()).compile_grammar(text, syntax="lark")
        assert weir.GrammarMatcher(compiled).accept_string("\N{ARABIC-INDIC DIGIT ONE}") == accepted
        assert weir.GrammarMatcher(compiled).accept_string("/")


def test_gbnf_as_lark():
    from weir.compat.llguidance.gbnf_to_lark import GbnfToLarkError, any_to_lark, gbnf_to_lark

    gbnf = 'root ::= "a" [0-9]+ item{2,3} # c\nitem ::= "x" | "y"'
    lark = gbnf_to_lark(gbnf)
    assert any_to_lark(gbnf) == lark and any_to_lark(lark) == lark
    compiled = weir.GrammarCompiler(weir.TokenizerInfo.builtin()).compile_grammar(lark, syntax="lark")
    for text, accepted in (("a12xy", True), ("a1xxx", True), ("axx", False), ("a1x", False), ("a1xxxx", False)):
        matcher = weir.GrammarMatcher(compiled)
        assert (matcher.accept_string(text) and matcher.is_completed()) == accepted, text
    with pytest.raises(GbnfToLarkError, match="without"):
        gbnf_to_lark('root ::= "a" (')
