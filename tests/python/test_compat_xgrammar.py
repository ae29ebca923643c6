"""weir.compat.xgrammar: the calls of programs that are written for xgrammar, and their results."""

import json
import pathlib
import pickle

import pytest

import weir
import weir.compat.xgrammar as xgr
from weir.compat.xgrammar._serialization import read_grammar
from weir.compat.xgrammar.testing import _is_grammar_accept_string as accepts

ROOT = pathlib.Path(__file__).resolve().parents[2]
VOCAB = ["a", "b", "ab", "</s>", "", "<pad>"]


@pytest.fixture
def info():
    return xgr.TokenizerInfo(VOCAB, stop_token_ids=3)


@pytest.fixture
def compiler(info):
    return xgr.GrammarCompiler(info)


def test_vocabularies(info):
    assert (info.vocab_type, info.vocab_size, info.stop_token_ids) == (xgr.VocabType.RAW, 6, [3])
    assert info.decoded_vocab == [token.encode() for token in VOCAB] and info.special_token_ids == [4]
    assert xgr.TokenizerInfo(VOCAB).stop_token_ids == [3]  # recognized by its name
    assert xgr.TokenizerInfo([b"x", b"</s>"]).stop_token_ids == [1]
    fallback = xgr.TokenizerInfo(["a", "▁b", "</s>", "<0x0A>", "<0xff>"], xgr.VocabType.BYTE_FALLBACK, vocab_size=9)
    assert fallback.decoded_vocab == [b"a", b" b", b"</s>", b"\n", b"\xff", b"", b"", b"", b""]
    assert fallback.special_token_ids == [5, 6, 7, 8]
    level = xgr.TokenizerInfo(["Ġa", "Ċ", "Ã©", "日"], xgr.VocabType.BYTE_LEVEL, add_prefix_space=True)
    assert level.decoded_vocab == [b" a", b"\n", "é".encode(), "日".encode()] and level.add_prefix_space
    fewer = xgr.TokenizerInfo(VOCAB, vocab_size=4)
    assert fewer.vocab_size == 4 and fewer.stop_token_ids == [3]


def test_byte_level_is_what_tokenizers_writes():
    tokenizers = pytest.importorskip("tokenizers")
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    decoder = tokenizers.decoders.ByteLevel()
    vocab = xgr.TokenizerInfo(sorted(alphabet), xgr.VocabType.BYTE_LEVEL).decoded_vocab
    assert sorted(vocab) == [bytes([byte]) for byte in range(256)]
    for char, decoded in zip(sorted(alphabet), vocab):
        if decoded[0] < 0x80:
            assert decoder.decode([char]).encode() == decoded


def test_from_huggingface():
    transformers = pytest.importorskip("transformers")
    import pathlib
    file = pathlib.Path(__file__).resolve().parents[2] / "data/default_tokenizer/tokenizer.json"
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_file=str(file), eos_token="<|endoftext|>")
    whole = xgr.TokenizerInfo.from_huggingface(tokenizer)
    assert (whole.vocab_type, whole.vocab_size) == (xgr.VocabType.BYTE_LEVEL, 8192)
    assert tokenizer.eos_token_id in whole.stop_token_ids
    padded = xgr.TokenizerInfo.from_huggingface(tokenizer, vocab_size=8200, stop_token_ids=[8191])
    assert padded.vocab_size == 8200 and padded.stop_token_ids == [8191]
    fewer = xgr.TokenizerInfo.from_huggingface(tokenizer, vocab_size=8188)
    assert fewer.vocab_size == 8188 and fewer.decoded_vocab == whole.decoded_vocab[:8188]
    assert set(fewer.stop_token_ids) <= set(whole.stop_token_ids)


@pytest.mark.parametrize("schema, yes, no", [
    ({"type": "object"}, ["{}", '{"a":1}'], ["1"]),
    ({}, ["{}", '{"a":{"b":1}}', "1", "[1]"], []),
    ({"type": "object", "properties": {"a": {}}}, ["{}", '{"a":1}', '{"a":{"x":1}}', '{"a":[1]}'], ['{"b":1}']),
    ({"type": "object", "properties": {"a": {}}, "additionalProperties": True}, ['{"b":1}', '{"a":1,"b":2}'], []),
    ({"type": "object", "properties": {"a": {}}, "unevaluatedProperties": {"const": 1}}, ['{"b":1}'], ['{"b":2}']),
    ({"type": "object", "patternProperties": {"^x": {}}}, ['{"xa":1}'], ['{"b":1}']),
    ({"type": "array"}, ["[]", "[1]"], []),
    ({"type": "array", "items": {"properties": {"a": {}}, "type": "object"}}, ['[{"a":1}]'], ['[{"b":1}]']),
    ({"type": "array", "prefixItems": [{"type": "integer"}]}, ["[]", "[1]"], ["[1,2]"]),
    ({"type": "array", "prefixItems": [{"const": 1}], "items": {"type": "string"}}, ['[1,"a"]'], ["[1,2]"]),
    ({"anyOf": [{"type": "object", "properties": {"a": {}}}, {"type": "object", "properties": {"b": {}}}]},
     ['{"a":1}', '{"b":1}'], ['{"a":1,"b":1}', '{"c":1}']),
    ({"allOf": [{"type": "object", "properties": {"a": {}}}, {"properties": {"b": {}}}]},
     ['{"a":1}', '{"a":1,"b":1}'], ['{"c":1}']),
    ({"properties": {"k": {}}, "type": "object", "anyOf": [{"properties": {"a": {}}, "required": ["a"]}]},
     ['{"k":1,"a":2}'], ['{"k":1}', '{"k":1,"a":2,"z":3}']),
    ({"$ref": "#/$defs/x", "$defs": {"x": {"type": "object", "properties": {"a": {"$ref": "#/$defs/x"}}}}},
     ['{"a":{"a":{}}}'], ['{"a":{"c":1}}', '{"c":1}']),
    ({"type": "object", "properties": {"a": {"$ref": "#"}}}, ['{"a":{"a":{}}}'], ['{"a":{"b":{}}}']),
    # A schema that a closed reference leads to may also be a part of another schema, in which it stays open.
    ({"$defs": {"x/~": {"type": "object", "properties": {"a": {}}}, "strict-0": True}, "type": "object", "properties": {
        "one": {"$ref": "#/$defs/x~1~0"}, "two": {"$ref": "#/$defs/strict-0"}}},
     ['{"one":{"a":1},"two":{"z":1}}'], ['{"one":{"b":1}}']),
    ({"$defs": {"x": {"type": "object", "properties": {"a": {}}}}, "type": "object", "properties": {
        "one": {"$ref": "#/$defs/x"}, "two": {"allOf": [{"$ref": "#/$defs/x"}, {"properties": {"b": {}}}]}}},
     ['{"one":{"a":1}}', '{"two":{"a":1,"b":2}}'], ['{"one":{"b":1}}', '{"two":{"c":1}}']),
    ({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {
        "a": {"$ref": "#/definitions/x"}, "b": {"items": [{"const": 1}]}},
      "definitions": {"x": {"type": "object", "properties": {"c": {}}}}},
     ['{"a":{"c":1}}', '{"b":[1]}'], ['{"z":1}', '{"a":{"d":1}}', '{"b":[1,2]}']),
])
def test_strict_mode(schema, yes, no):
    before = json.dumps(schema)
    strict = xgr.Grammar.from_json_schema(schema)
    assert json.dumps(schema) == before
    loose = xgr.Grammar.from_json_schema(before, strict_mode=False)
    for text in yes:
        assert accepts(strict, text) and accepts(loose, text), text
    for text in no:
        assert not accepts(strict, text), text


def test_blanks_and_order():
    schema = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "array", "items": {"const": 1}}}}
    any_blanks = xgr.Grammar.from_json_schema(schema)
    assert all(accepts(any_blanks, text) for text in ('{"a":1,"b":[]}', '{ "a" :1\n}', '{"a":' + " " * 99 + "1}"))
    assert not accepts(any_blanks, '{"b":[],"a":1}') and not accepts(any_blanks, " {}")
    assert accepts(xgr.Grammar.from_json_schema(schema, any_order=True), '{"b":[],"a":1}')
    few = xgr.Grammar.from_json_schema(schema, max_whitespace_cnt=2)
    assert accepts(few, '{"a":  1}') and not accepts(few, '{"a":   1}')
    fixed = {"any_whitespace": False}
    assert accepts(xgr.Grammar.from_json_schema(schema, **fixed), '{"a": 1, "b": [1, 1]}')
    assert not accepts(xgr.Grammar.from_json_schema(schema, **fixed), '{"a":1}')
    assert accepts(xgr.Grammar.from_json_schema(schema, **fixed, separators=(",", ":")), '{"a":1,"b":[1,1]}')
    lines = xgr.Grammar.from_json_schema(schema, **fixed, indent=2)
    assert accepts(lines, json.dumps({"a": 1, "b": [1, 1]}, indent=2)) and not accepts(lines, '{"a": 1}')
    for options in ({"separators": (";", ":")}, {"indent": 2, "separators": (",", ":")}):
        with pytest.raises(NotImplementedError, match="separators=.*no counterpart"):
            xgr.Grammar.from_json_schema(schema, **fixed, **options)
    with pytest.raises(NotImplementedError, match="print_converted_ebnf"):
        xgr.Grammar.from_json_schema(schema, print_converted_ebnf=True)
    with pytest.raises(RuntimeError, match="positive"):
        xgr.Grammar.from_json_schema(schema, max_whitespace_cnt=0)


def test_other_grammars():
    json_texts = xgr.Grammar.builtin_json_grammar()
    assert all(accepts(json_texts, text) for text in ("{}", "[ 1, null ]", '{ "a" : {"b": []} }'))
    assert not any(accepts(json_texts, text) for text in ("1", " {}", "[1,]"))
    assert accepts(xgr.Grammar.from_regex(r"^\d+.$"), "12\n") and not accepts(xgr.Grammar.from_regex("a"), "xa")
    assert accepts(xgr.Grammar.from_ebnf('x ::= "a"', root_rule_name="x"), "a")
    assert accepts('root ::= "a" "b"', "a", require_termination=False)
    assert accepts('root ::= TagDispatch(("<t>", tag), loop_after_dispatch=false)\ntag ::= "x"', "some <t>x")
    for make in (lambda: xgr.Grammar.from_ebnf("root ::= x"), lambda: xgr.Grammar.from_json_schema('{"type":'),
                 lambda: xgr.Grammar.from_regex("(")):
        with pytest.raises(RuntimeError) as caught:  # the class that programs catch
            make()
        assert isinstance(caught.value, weir.GrammarError) and caught.value.message and "^" in str(caught.value)


def test_matcher(compiler, info):
    torch = pytest.importorskip("torch")
    compiled = compiler.compile_grammar('root ::= "a"+ "b"?')
    matcher = xgr.GrammarMatcher(compiled, max_rollback_tokens=10)
    bitmask = xgr.allocate_token_bitmask(2, info.vocab_size)
    assert bitmask.dtype == xgr.bitmask_dtype == torch.int32 and bitmask.shape == xgr.get_bitmask_shape(2, 6) == (2, 1)
    assert matcher.fill_next_token_bitmask(bitmask, 1) is True and bitmask.tolist() == [[-1], [0b101]]
    assert xgr.testing._get_masked_tokens_from_bitmask(bitmask, 6, 1) == [1, 3, 4, 5]
    xgr.reset_token_bitmask(bitmask)
    assert bitmask.tolist() == [[-1], [-1]]
    assert [matcher.accept_token(token) for token in (99, -1, 1, 0)] == [False, False, False, True]
    assert matcher.is_completed() and not matcher.is_terminated()
    fork = matcher.fork()
    assert matcher.accept_token(3) and matcher.is_terminated() and not fork.is_terminated()
    assert not matcher.accept_token(0) and not matcher.accept_string("a")
    with pytest.raises(RuntimeError, match="terminated"):
        matcher.fill_next_token_bitmask(bitmask)
    matcher.rollback(2)
    with pytest.raises(RuntimeError):
        matcher.rollback()
    with pytest.raises(RuntimeError):
        matcher.fill_next_token_bitmask(xgr.allocate_token_bitmask(1, 99))
    assert matcher.accept_string(b"ab") and not matcher.accept_string("b")
    matcher.reset()
    assert matcher.max_rollback_tokens == -1 and matcher.stop_token_ids == [3] and matcher.temperature is None
    assert xgr.GrammarMatcher(compiler.compile_grammar('root ::= "aé" | "aè"')).find_jump_forward_string() == "a"
    inside = xgr.GrammarMatcher(compiler.compile_grammar('root ::= "éa"'))
    assert inside.accept_string(b"\xc3") and inside.find_jump_forward_string() == ""


def test_ends(compiler):
    compiled = compiler.compile_grammar('root ::= "a"+ "b"?')
    early = xgr.GrammarMatcher(compiled, terminate_without_stop_token=True)
    assert early.accept_token(0) and early.is_terminated() and not early.accept_token(0)
    other = xgr.GrammarMatcher(compiled, override_stop_tokens=[1])
    assert other.stop_token_ids == [1]
    assert other.accept_token(0) and not other.accept_token(3) and other.accept_token(1) and other.is_terminated()
    assert xgr.GrammarMatcher(compiled, override_stop_tokens=3).stop_token_ids == [3]


def test_captures(compiler):
    grammar = weir.Grammar.from_ebnf('root ::= @capture(x: "a"+ @capture(y: "b")) @capture(z: "b" "b")')
    compiled = compiler.compile_grammar(xgr.Grammar(grammar))
    matcher = xgr.GrammarMatcher(compiled)
    assert matcher.get_captures() == []
    assert matcher.accept_string("aabb") and matcher.get_captures() == [("y", b"b"), ("x", b"aab")]


def tag_of(format):
    return {"type": "structural_tag", "format": format}


def test_structural_tags(info):
    schema = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {}}, "required": ["a"]}
    tag = tag_of({"type": "tag", "begin": "<", "content": {"type": "json_schema", "json_schema": schema}, "end": ">"})
    classes = xgr.structural_tag
    same = xgr.StructuralTag(format=classes.TagFormat(
        begin="<", content=classes.JSONSchemaFormat(json_schema=schema), end=">"))
    for given in (tag, json.dumps(tag), same, xgr.StructuralTag.from_json(tag)):
        grammar = xgr.Grammar.from_structural_tag(given)
        # As in xgrammar 0.2.8: no other members, members in the schema's order, any white space.
        for text in ('<{"a":1}>', '<{"a":1, "b":2}>', '<{"a":' + " " * 50 + "1}>"):
            assert accepts(grammar, text), text
        for text in ('<{"a":1,"c":2}>', '<{"b":1,"a":1}>', '{"a":1}', "<{}>"):
            assert not accepts(grammar, text), text
    pickled = pickle.loads(pickle.dumps(grammar))
    assert xgr.GrammarMatcher(xgr.GrammarCompiler(info).compile_grammar(pickled)) is not None


def test_tags_and_triggers():
    item = xgr.StructuralTagItem(begin="<f>", schema='{"type": "object", "properties": {"a": {}}}', end="</f>")
    for grammar in (xgr.Grammar.from_structural_tag([item], ["<f"]),
                    xgr.Grammar.from_structural_tag(tags=[item], triggers=["<f"])):
        for text in ("plain", 'hi <f>{"a":1}</f> x', '<f>{"a": 1}</f><f>{}</f>'):
            assert accepts(grammar, text), text
        assert not accepts(grammar, '<f>{"b":1}</f>')


def test_names_of_special_tokens_are_those_tokens():
    tokens = weir.TokenizerInfo(["a", "<t>", "</s>"], special_token_ids=[1, 2], stop_token_ids=[2])
    from weir.compat.xgrammar.tokenizer_info import _wrap
    compiler = xgr.GrammarCompiler(_wrap(tokens, xgr.VocabType.RAW, False))
    tag = tag_of({"type": "tag", "begin": "<t>", "content": {"type": "const_string", "value": "a"}, "end": "<t>"})
    for compiled in (compiler.compile_structural_tag(tag),
                     compiler.compile_grammar(xgr.Grammar.from_structural_tag(tag))):
        matcher = xgr.GrammarMatcher(compiled)
        assert all(matcher.accept_token(token) for token in (1, 0, 1, 2))


@pytest.mark.parametrize("arguments, error", [
    (("{",), xgr.InvalidJSONError), ((tag_of({"type": "nope"}),), xgr.InvalidStructuralTagError),
    (({"type": "structural_tag"},), xgr.InvalidStructuralTagError), ((1, 2), TypeError), ((), TypeError),
])
def test_structural_tags_that_are_none(compiler, arguments, error):
    with pytest.raises(error):
        xgr.Grammar.from_structural_tag(*arguments)
    with pytest.raises(error):
        compiler.compile_structural_tag(*arguments)


def test_lark(compiler):
    grammar = xgr.Grammar.from_lark("start: A B\nA: /a+/\nB: /ab/")
    assert accepts(grammar, "aab") and not accepts(grammar, "ab")  # there is no greedy lexer
    of_schema = xgr.Grammar.from_lark('start: "x" %json {"properties": {"b": {"const": 1}, "a": {"const": 1}}}')
    assert accepts(of_schema, 'x{"b": 1, "a": 1}') and not accepts(of_schema, 'x{"a": 1, "b": 1}')
    named = xgr.Grammar.from_lark("start: @x @y", named_grammars={"x": 'start: "x"', "y": grammar})
    assert accepts(named, "xaab")
    assert xgr.GrammarMatcher(compiler.compile_lark('start: "a" "b"')).accept_string("ab")
    with pytest.raises(RuntimeError, match="not defined"):
        xgr.Grammar.from_lark("start: A")
    with pytest.raises(NotImplementedError, match="no counterpart"):
        xgr.Grammar.from_lark("start: @x", named_grammars={"x": xgr.Grammar.from_regex("a")})


def test_grammars_joined(compiler):
    parts = xgr.Grammar.from_regex("a+"), xgr.Grammar.from_ebnf('root ::= "b"'), xgr.Grammar.from_json_schema("true")
    joined = xgr.Grammar.concat(*parts)
    assert accepts(joined, "aab[1]") and not accepts(joined, "b[1]")
    either = xgr.Grammar.union(*parts)
    assert accepts(either, "aa") and accepts(either, "b") and accepts(either, "{}") and not accepts(either, "ab")
    assert xgr.GrammarMatcher(compiler.compile_grammar(either)).accept_string("a")
    with pytest.raises(RuntimeError, match="no grammars"):
        xgr.Grammar.union()


def test_temperatures(compiler):
    torch = pytest.importorskip("torch")
    compiled = compiler.compile_grammar('root ::= "a" x "b"\nx[temperature=0.5] ::= "b"')
    plain, matcher = xgr.GrammarMatcher(compiled), xgr.GrammarMatcher(compiled, default_temperature=2.0)
    assert plain.temperature is None and matcher.temperature == 2.0
    assert plain.accept_string("a") and plain.temperature == 0.5
    filled = torch.zeros(3)
    xgr.BatchGrammarMatcher.batch_fill_temperature([plain, matcher, xgr.GrammarMatcher(compiled)], filled, [1, 0, 2])
    assert filled.tolist() == [2.0, 0.5, -1.0]
    # nodes: a; after a: b, a; after b: the refused a
    bitmask, temperatures = xgr.allocate_token_bitmask(5, len(VOCAB)), torch.zeros(5)
    assert matcher.traverse_draft_tree(torch.tensor([1, 2, 4, -1, -1]), torch.tensor([-1, -1, 3, -1, -1]),
                                       torch.tensor([0, 0, 1, 0, 0]), bitmask, temperatures=temperatures)
    assert temperatures.tolist() == [2.0, 0.5, 2.0, -1.0, -1.0]
    assert matcher.fork().temperature == 2.0


def test_draft_trees(compiler, info):
    torch = pytest.importorskip("torch")
    compiled = compiler.compile_grammar('root ::= "a"+ "b"? "a"')
    matcher = xgr.GrammarMatcher(compiled)
    assert matcher.accept_token(0)
    #  0 - 1:a - 3:b      0 - 2:</s> (refused)      0 - 4:ab - 5:b (refused)
    children = torch.tensor([1, 3, -1, -1, 5, -1])
    siblings = torch.tensor([-1, 2, 4, -1, -1, -1])
    tokens = torch.tensor([0, 0, 3, 1, 2, 1])
    bitmask = torch.full((6, 1), 77, dtype=torch.int32)
    assert matcher.traverse_draft_tree(children, siblings, tokens, bitmask)
    for node, path in {0: [], 1: [0], 3: [0, 1], 4: [2]}.items():
        expected = xgr.allocate_token_bitmask(1, info.vocab_size)
        fork = matcher.fork()
        assert all(fork.accept_token(token) for token in path)
        fork.fill_next_token_bitmask(expected)
        assert bitmask[node].tolist() == expected[0].tolist(), node
    assert bitmask[2].item() == bitmask[5].item() == 77


def test_batches(compiler, info):
    torch = pytest.importorskip("torch")
    matchers = [xgr.GrammarMatcher(compiler.compile_grammar(f'root ::= "{text}"')) for text in ("a", "b")]
    batch = xgr.BatchGrammarMatcher(max_threads=2)
    bitmask = xgr.allocate_token_bitmask(4, info.vocab_size)
    batch.batch_fill_next_token_bitmask(matchers, bitmask)
    assert bitmask.tolist() == [[1], [2], [-1], [-1]]
    xgr.reset_token_bitmask(bitmask)
    batch.batch_fill_next_token_bitmask(matchers, bitmask, [3, 0])
    assert bitmask.tolist() == [[2], [-1], [-1], [1]]
    logits = torch.zeros((4, info.vocab_size))
    xgr.apply_token_bitmask_inplace(logits, bitmask, indices=torch.tensor([0, 3]), vocab_size=6)
    assert [torch.isinf(row).tolist().count(False) for row in logits] == [1, 6, 6, 1]
    assert xgr.BatchGrammarMatcher.batch_accept_token(matchers, [0, 0]) == [True, False]
    assert xgr.BatchGrammarMatcher.batch_accept_string(matchers, ["a", "b"]) == [False, True]
    xgr.BatchGrammarMatcher.batch_rollback(matchers, [1, 1])
    assert xgr.BatchGrammarMatcher.batch_accept_token(matchers, [1, 1]) == [False, True]


def test_caches_and_pickles(info):
    compiler = xgr.GrammarCompiler(info, max_threads=1, cache_limit_bytes=1 << 20)
    one = compiler.compile_json_schema({"type": "object"})
    compiler.compile_builtin_json_grammar()
    assert compiler.get_cache_size_bytes() > 0 and compiler.cache_limit_bytes == 1 << 20
    compiler.clear_cache()
    assert compiler.get_cache_size_bytes() == 0
    off = xgr.GrammarCompiler(info, cache_enabled=False)
    off.compile_regex("a")
    assert off.get_cache_size_bytes() == 0
    again = pickle.loads(pickle.dumps(one))
    assert again.tokenizer_info.decoded_vocab == info.decoded_vocab and again.memory_size_bytes >= 0
    assert xgr.GrammarMatcher(again).accept_string("{}")


def test_json_forms(info, compiler):
    again = xgr.TokenizerInfo.deserialize_json(info.serialize_json())
    assert again.decoded_vocab == info.decoded_vocab and again.stop_token_ids == info.stop_token_ids
    assert again.vocab_type is info.vocab_type and again.add_prefix_space == info.add_prefix_space
    tag = {"type": "structural_tag", "format": {"type": "const_string", "value": "ab"}}
    grammars = [xgr.Grammar.from_regex("ab?"), xgr.Grammar.from_ebnf('root ::= "ab"'),
                xgr.Grammar.from_json_schema({"const": 1}, any_whitespace=False), xgr.Grammar.from_structural_tag(tag),
                xgr.Grammar.from_lark('start: @x "b"', named_grammars={"x": 'start: "a"'}),
                xgr.Grammar.concat(xgr.Grammar.from_regex("a"), xgr.Grammar.from_regex("b"))]
    for grammar in grammars:
        text = grammar.serialize_json()
        read = xgr.Grammar.deserialize_json(text)
        assert read.serialize_json() == text and read.lark == grammar.lark
        one = compiler.compile_grammar(grammar)
        other = xgr.CompiledGrammar.deserialize_json(compiler.compile_grammar(read).serialize_json(), again)
        for word in ("a", "ab", "b", "1", "abb"):
            first, second = xgr.GrammarMatcher(one), xgr.GrammarMatcher(other)
            assert first.accept_string(word) == second.accept_string(word)
            assert first.is_completed() == second.is_completed()


def test_metadata():
    info = xgr.TokenizerInfo(["a", "▁b", "</s>"], xgr.VocabType.BYTE_FALLBACK, vocab_size=5, stop_token_ids=2,
                             add_prefix_space=True)
    metadata = info.dump_metadata()
    assert metadata == '{"vocab_type":1,"vocab_size":5,"add_prefix_space":true,"stop_token_ids":[2]}'
    again = xgr.TokenizerInfo.from_vocab_and_metadata(["a", "▁b", "</s>"], metadata)
    assert again.decoded_vocab == info.decoded_vocab and again.dump_metadata() == metadata
    for wrong in ("{", "{}", "3", metadata.replace('"vocab_type":1', '"vocab_type":9'), metadata.replace("add_", "")):
        with pytest.raises(RuntimeError):
            xgr.TokenizerInfo.from_vocab_and_metadata(["a", "b", "c"], wrong)


def test_json_forms_of_something_else(info, compiler):
    compiled = compiler.compile_regex("a").serialize_json()
    grammar = xgr.Grammar.from_regex("a").serialize_json()
    other = xgr.TokenizerInfo([*VOCAB, "c"], stop_token_ids=3)
    wrong = json.loads(grammar)
    wrong["grammar"][0][0] = "__init__"
    keyless = json.loads(grammar)
    keyless["grammar"][0][1] = [{}]
    keyless_compiled = json.loads(compiled)
    keyless_compiled["grammar"][0][1] = [{}]
    deep = '{"kind": ' + "[" * 100_000 + "]" * 100_000 + "}"
    within = ["any_of", [], {}]
    for _ in range(1000):
        within = ["any_of", [{"grammar": [within, {}]}], {}]
    for call, raised in ((lambda: xgr.Grammar.deserialize_json("{"), xgr.InvalidJSONError),
                         (lambda: xgr.Grammar.deserialize_json("[]"), xgr.DeserializeVersionError),
                         (lambda: xgr.Grammar.deserialize_json('{"__VERSION__": "v16"}'), xgr.DeserializeVersionError),
                         (lambda: xgr.Grammar.deserialize_json(compiled), xgr.DeserializeFormatError),
                         (lambda: xgr.Grammar.deserialize_json(json.dumps(wrong)), xgr.DeserializeFormatError),
                         (lambda: xgr.Grammar.deserialize_json(json.dumps(keyless)), xgr.DeserializeFormatError),
                         (lambda: xgr.CompiledGrammar.deserialize_json(json.dumps(keyless_compiled), info),
                          xgr.DeserializeFormatError),
                         (lambda: xgr.Grammar.deserialize_json(deep), xgr.DeserializeFormatError),
                         (lambda: xgr.TokenizerInfo.deserialize_json(grammar), xgr.DeserializeFormatError),
                         (lambda: xgr.CompiledGrammar.deserialize_json(compiled, other), xgr.DeserializeFormatError)):
        with pytest.raises(raised):
            call()
    with pytest.raises(xgr.DeserializeFormatError):
        read_grammar([within, {}])


def test_masks_of_booleans():
    torch = pytest.importorskip("torch")
    mask = torch.rand((3, 70), generator=torch.Generator().manual_seed(1)) < 0.5
    bits = xgr.testing.bool_mask_to_bitmask(mask)
    assert bits.shape == (3, 3) and torch.equal(xgr.testing.bitmask_to_bool_mask(bits, 70), mask)
    assert xgr.testing._is_single_token_bitmask(torch.tensor([[0, 4]], dtype=torch.int32), 64) == (True, 34)
    assert xgr.testing._is_single_token_bitmask(torch.tensor([[3]], dtype=torch.int32), 32) == (False, -1)


def test_generate(compiler):
    pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    from weir.compat.xgrammar.contrib.hf import LogitsProcessor
    processor = LogitsProcessor([compiler.compile_grammar('root ::= "a"'), compiler.compile_grammar('root ::= "b"')])
    masked = processor(torch.zeros((2, 1), dtype=torch.long), torch.zeros((2, 6)))
    assert [torch.nonzero(row == 0)[:, 0].tolist() for row in masked] == [[0], [1]]


def test_the_text_of_a_grammar(compiler):
    """str() of a grammar is EBNF that xgrammar reads, with the same texts; likewise CompiledGrammar.grammar."""
    tagged = {"type": "tag", "begin": "a", "end": "b", "content": {"type": "any_text"}}
    tag = {"type": "structural_tag", "format": tagged}
    for grammar, words in ((xgr.Grammar.from_regex("a+b?"), ["a", "aab", "b", ""]),
                           (xgr.Grammar.from_ebnf('root ::= "a" b\nb ::= "b" | ""'), ["a", "ab", "abb", "b"]),
                           (xgr.Grammar.from_json_schema({"enum": ["a", "b"]}), ['"a"', '"b"', '"c"', "a"]),
                           (xgr.Grammar.from_structural_tag(tag), ["ab", "acb", "a", "abc"])):
        for other in (xgr.Grammar.from_ebnf(str(grammar)), compiler.compile_grammar(grammar).grammar):
            assert [accepts(other, word) for word in words] == [accepts(grammar, word) for word in words]
        assert "::=" in str(grammar)
    compiled = compiler.compile_json_schema({"enum": ["a", "b"]})
    assert isinstance(compiled.grammar, xgr.Grammar) and accepts(compiled.grammar, '"a"')
    again = xgr.CompiledGrammar.deserialize_json(compiled.serialize_json(), compiled.tokenizer_info)
    assert str(again.grammar) == str(compiled.grammar)
    assert str(xgr.Grammar.builtin_json_grammar()).startswith("# This grammar cannot be written in XGrammar's EBNF: ")


def test_metadata_of_a_tokenizer_file():
    text = (ROOT / "data/default_tokenizer/tokenizer.json").read_text(encoding="utf-8")
    found = xgr.TokenizerInfo._detect_metadata_from_hf(text)
    assert found == {"vocab_type": xgr.VocabType.BYTE_LEVEL, "add_prefix_space": False}
    with pytest.raises(weir.TokenizerError):
        xgr.TokenizerInfo._detect_metadata_from_hf("{}")


def test_kernels():
    torch = pytest.importorskip("torch")
    from weir.compat.xgrammar.kernels.apply_token_bitmask_inplace_cpu import apply_token_bitmask_inplace_cpu
    from weir.compat.xgrammar.kernels.apply_token_bitmask_inplace_torch import apply_token_bitmask_inplace_torch
    from weir.compat.xgrammar.kernels.apply_token_bitmask_inplace_torch_compile import (
        apply_token_bitmask_inplace_torch_compile,
    )

    for apply in (apply_token_bitmask_inplace_cpu, apply_token_bitmask_inplace_torch,
                  apply_token_bitmask_inplace_torch_compile):
        logits = torch.zeros((2, 6))
        apply(logits, torch.tensor([[1], [2]], dtype=torch.int32), 6, torch.tensor([1]))
        assert logits[0].tolist() == [0] * 6 and torch.nonzero(logits[1] == 0)[:, 0].tolist() == [1]


@pytest.mark.parametrize("call", [
    lambda c, i: xgr.GrammarMatcher(c.compile_regex("a")).get_captures(deduplicate=False),
])
def test_what_has_no_counterpart(compiler, info, call):
    with pytest.raises(NotImplementedError, match="no counterpart in weir"):
        call(compiler, info)
