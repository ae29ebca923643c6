"""Exceptions say in one line what is wrong, in Python's words."""

import json
import threading

import numpy as np
import pydantic
import pytest

import weir
from weir._schemas import to_json_text


@pytest.fixture(scope="module")
def compiler(builtin):
    return weir.GrammarCompiler(builtin)


def test_a_wrong_argument_is_named(compiler, letters):
    compiled = weir.GrammarCompiler(letters).compile_grammar('root ::= "a"*')
    matcher = weir.GrammarMatcher(compiled)
    make = weir.GrammarMatcher
    ids = "`stop_token_ids` must be a sequence of ints or None"
    for call, message in (
            (lambda: make(compiled, stop_token_ids=5), f"{ids}, not 5 (int)"),
            (lambda: make(compiled, stop_token_ids={5}), f"{ids}, not set"),
            (lambda: make(compiled, stop_token_ids=[5, None]), f"{ids}; item 1 is None"),
            (lambda: make(compiled, contxt=[1]), "GrammarMatcher() has no argument `contxt`; did you mean `context`?"),
            (lambda: make(), "GrammarMatcher() needs the argument `compiled_grammar`"),
            (lambda: make(compiled, 5), "too many positional arguments for GrammarMatcher(): at most 1, not 2"),
            (lambda: make(compiled, compiled_grammar=compiled), "GrammarMatcher() has got two values for "
                                                                "`compiled_grammar`"),
            (lambda: matcher.accept_token("a"), "`token_id` must be an int, not 'a' (str)"),
            (lambda: matcher.accept_token(2**80), "`token_id` is a number of more than 63 bits"),
            (lambda: make.accept_token(5, 3), "`self` must be a GrammarMatcher, not int"),
            (lambda: compiler.compile_regex(None), "`pattern` must be a str, not None"),
            (lambda: compiler.compile_choice("ab"), "`strings` must be a sequence of str, not 'ab' (str)"),
            (lambda: compiler.compile_choice(["a", 1]), "`strings` must be a sequence of str; item 1 is 1 (int)"),
            (lambda: weir.Grammar.concat("a"), "the parts must be of type Grammar"),
            (lambda: weir.Limits(5), "too many positional arguments for Limits(): at most 0, not 1"),
            (lambda: weir.BatchGrammarMatcher(1).accept_tokens([1], [1]),
             "`matchers` must be a sequence of GrammarMatcher or None; item 0 is 1 (int)"),
            (lambda: weir.TokenizerInfo("tokenizer.json"), "`vocab` must be a sequence of tokens, not a str; from_file "
                                                           "reads a file"),
            (lambda: weir.TokenizerInfo(["a", 5]), "item 1 of `vocab` must be bytes or a str, not int"),
            (lambda: weir.GrammarCompiler.submit_grammar(5), "`self` must be a GrammarCompiler"),
            (lambda: weir.tools.structural_tag("hermes", [], reasoning="whole", max_reasoning_tokens=1.5),
             "`max_reasoning_tokens` must be an int, not 1.5 (float)"),
            (lambda: weir.bitmask_words("a"), "`vocab_size` must be an int, not str"),
            (lambda: compiler.compile_json_schema({}, documents=5), "`documents` must be a mapping of URIs to documents, "
                                                                    "not int"),
            (lambda: weir.TokenizerInfo(None), "`vocab` must be a sequence of bytes or str, not None"),
            (lambda: weir.TokenizerInfo(["a"], stop_token_ids=5), f"{ids[:-8]}, not 5 (int)"),
            (lambda: weir.TokenizerInfo(["a"], stop_token_ids={0}), f"{ids[:-8]}, not set"),
            (lambda: weir.TokenizerInfo(["a"], padded_vocab_size=np.zeros(2)), "`padded_vocab_size` must be an int, not ndarray"),
            (lambda: weir.TokenizerInfo.from_huggingface(None), "`tokenizer` must be an object, not None"),
            (lambda: weir.TokenizerInfo.from_tiktoken(None), "`encoding` must be an object, not None"),
            (lambda: compiler.compile_json_schema(None), "`schema` must be a str or a bool or a dict or an object, not None"),
            (lambda: weir.check_structural_tag(None), "`tag` must be a str or a mapping or a sequence, not None"),
            (lambda: weir.tools.structural_tag(5, []), "`style` must be a str or a dict, not 5 (int)")):
        with pytest.raises(TypeError) as raised:
            call()
        assert str(raised.value) == message
    with pytest.raises(ValueError, match="^`grammars` must have texts in Lark, of type str: that of `b` is none$"):
        compiler.compile_grammar("start: @b", syntax="lark", grammars={"b": ("start: b", "ebnf")})
    with pytest.raises(ValueError, match="^item 1 of `strings` has half of a surrogate pair at index 2, which no text"):
        compiler.compile_choice(["a", "bc\ud800"])


def test_integers_of_numpy_are_integers(letters):
    matcher = weir.GrammarMatcher(weir.GrammarCompiler(letters).compile_grammar('root ::= "a"*'),
                                  stop_token_ids=np.array([5]), context=(np.int64(1),))
    assert matcher.accept_token(np.int32(0)) and matcher.stop_token_ids == [5]


def test_an_open_file_is_no_path(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"GGUF")
    with open(path, "rb") as file:
        with pytest.raises(TypeError):
            weir.TokenizerInfo.from_gguf(file.fileno())
        assert file.read() == b"GGUF"  # it was not closed
    with pytest.raises(ValueError, match="null character"):
        weir.TokenizerInfo.from_file(f"{path}\0")


def test_limits_are_named(builtin):
    with pytest.raises(weir.GrammarError) as raised:
        weir.GrammarCompiler(builtin, limits=weir.Limits(call_work=1)).compile_regex("a{3}b")
    assert raised.value.limit == "call_work"
    assert raised.value.hint == "raise Limits(call_work=...), or simplify the grammar"
    assert "Limits::" not in str(raised.value)
    steps = weir.Limits(schema_steps=1)
    (found,) = weir.check_schema({"allOf": [{"minLength": 3}, {"pattern": "^a"}]}, limits=steps)
    assert found.limit == "schema_steps" and found.hint == "raise Limits(schema_steps=...)" and "Limits::" not in str(found)
    ambiguous = 'root ::= ("a" | "a" root | root "a" | "b")+'
    matcher = weir.GrammarMatcher(weir.GrammarCompiler(builtin, limits=weir.Limits(row_items=40)).compile_grammar(ambiguous))
    batch, mask = weir.BatchGrammarMatcher(1), weir.allocate_token_bitmask(1, builtin.vocab_size)
    (a,) = builtin.tokenize("a")
    for call in (lambda: [matcher.accept_string("a") for _ in range(100)], lambda: matcher.accept_string("a" * 100),
                 lambda: [batch.accept_tokens([matcher], [a]) for _ in range(100)],
                 lambda: [matcher.fill_draft_tree_bitmasks([a] * 30, list(range(-1, 29)), np.repeat(mask, 30, axis=0))]):
        matcher.reset()
        with pytest.raises(weir.LimitExceededError) as raised:
            call()
        assert raised.value.limit == "row_items" and "raise Limits(row_items=...)" in str(raised.value)
        assert "\n" not in str(raised.value)


def test_the_name_of_a_limit_survives_pickling():
    import pickle

    error = pickle.loads(pickle.dumps(weir.LimitExceededError("`nesting`", limit="nesting")))
    assert str(error) == "`nesting`" and error.limit == "nesting" and weir.LimitExceededError("a").limit == ""


OPTIONS = [{"whitespace_pattern": "[ ]?"}, {"indent": 4}, {"indent": 2}, {"whitespace": "none", "whitespace_limit": 3},
           {"whitespace": "compact", "whitespace_limit": 40}, {"whitespace": "pattern", "whitespace_pattern": " ", "indent": 2},
           {"exponents": False, "scientific_decimals": 3},
           {"profile": "serving", "scientific_decimals": 3}, {"profile": "serving", "indent": 1},
           {"whitespace": "none", "leading_whitespace": True}, {"whitespace": "compact", "trailing_whitespace": True}]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_an_option_without_effect_is_an_error(compiler, options):
    schema, tag, response = {"type": "array"}, {"format": {"type": "any_text"}}, {"type": "text"}
    lark = "start: %json {}"
    names = "|".join(options)
    for call in (lambda: compiler.compile_json_schema(schema, **options), lambda: weir.Grammar.from_json_schema(schema, **options),
                 lambda: compiler.submit_json_schema(schema, **options).result(),
                 lambda: compiler.compile_structural_tag(tag, **options), lambda: weir.Grammar.from_structural_tag(tag, **options),
                 lambda: compiler.compile_response_format(response, **options),
                 lambda: weir.Grammar.from_response_format(response, **options),
                 lambda: compiler.compile_grammar(lark, syntax="lark", json_schema=options),
                 lambda: weir.explain_refusal(schema, "[", **options)):
        with pytest.raises(ValueError, match=f"`({names})` has no effect: it is for "):
            call()


@pytest.mark.parametrize("options", [{"exact_splits": True}, {"grammars": {"a": "start: b"}}, {"json_schema": {"profile": "serving"}},
                                     {"keep_endless": True}], ids=str)
def test_an_option_of_another_language_is_an_error(compiler, options):
    for syntax in ("ebnf", "gbnf", "xgrammar"):
        for call in (compiler.compile_grammar, weir.Grammar.from_text):
            with pytest.raises(weir.GrammarError, match="has no effect: it is for `syntax` = "):
                call('root ::= "a"', syntax=syntax, **options)
        (found,) = weir.check_grammar('root ::= "a"', syntax=syntax, **options)
        assert "has no effect" in found.message


def test_options_of_a_profile_are_not_given(compiler):
    for whitespace in ("none", "compact", "indented", "unbounded"):
        compiler.compile_json_schema({"type": "array"}, profile="serving", whitespace=whitespace)
    tag = {"format": {"type": "grammar", "grammar": 'root ::= "a"', "syntax": "ebnf"}}
    compiler.compile_structural_tag(tag, profile="serving")


class Size(pydantic.BaseModel):
    width: int


class Tool(pydantic.BaseModel):
    type: str = "function"
    function: dict = {}


def test_a_part_that_is_no_json_is_named_by_its_place(compiler):
    def tools(parameters):
        return weir.tools.structural_tag("hermes", [{"function": {"name": "f", "parameters": parameters}}])

    wanted = "must be JSON (a dict, a list, a str, a number, a bool or None) or the class of a pydantic model, not"
    place = "tools[0]['function']['parameters']"
    loop = {"enum": []}
    loop["enum"].append(loop)
    deep = {1}
    for _ in range(200):
        deep = [deep]
    for call, kind, message in (
            (lambda: tools(list[int]), TypeError, f"`{place}` {wanted} GenericAlias"),
            (lambda: tools({"minimum": np.int64(5)}), TypeError, f"`{place}['minimum']` {wanted} int64"),
            (lambda: tools({("a",): 1}), TypeError, f"a key of `{place}` must be a str, not tuple"),
            (lambda: tools(loop), ValueError, f"`{place}['enum'][0]` is an object that contains itself"),
            (lambda: tools({"const": 10**5000}), ValueError, f"`{place}['const']` is too large: Exceeds the limit"),
            (lambda: tools(Size(width=1)), TypeError, f"`{place}` {wanted} Size"),
            (lambda: weir.tools.structural_tag("hermes", [], tool_choice={"a": {1}}), TypeError,
             f"`tool_choice['a']` {wanted} set"),
            (lambda: compiler.compile_json_schema({"enum": deep}), TypeError, f"`schema['enum']{'[0]' * 200}` {wanted} set"),
            (lambda: compiler.compile_json_schema({"$ref": "x:y"}, documents={"x:y": {"const": {1}}}), TypeError,
             f"`documents['x:y']['const']` {wanted} set"),
            (lambda: compiler.compile_structural_tag({"type": "structural_tag", "format": {1}}), TypeError,
             f"`tag['format']` {wanted} set"),
            (lambda: compiler.compile_response_format({"type": "json_object", "schema": {1}}), TypeError,
             f"`response_format['schema']` {wanted} set"),
            (lambda: weir.strict_json_schema({"a": {1}}), TypeError, f"`schema['a']` {wanted} set")):
        with pytest.raises(kind) as raised:
            call()
        assert str(raised.value).startswith(message)


def test_models_within_documents_are_their_schemas(compiler):
    def accepts(compiled, text):
        return weir.GrammarMatcher(compiled).accept_string(text)

    for model in (Size, pydantic.TypeAdapter(Size)):
        format = {"type": "json_schema", "json_schema": {"name": "size", "schema": model}}
        assert accepts(compiler.compile_response_format(format), '{"width": 1')
        assert not accepts(compiler.compile_response_format(format), '{"width": "')
        for tools in ([{"function": {"name": "f", "parameters": model}}],
                      [Tool(function={"name": "f", "parameters": Size.model_json_schema()})]):
            compiled = compiler.compile_structural_tag(weir.tools.structural_tag("llama3", tools))
            assert accepts(compiled, '{"name": "f", "parameters": {"width": 1')
            assert not accepts(compiled, '{"name": "f", "parameters": {"width": "')


def test_half_surrogates_in_json(compiler):
    """JSON has escapes for them; so a str that has one is read as the dict is that has one."""
    for schema in ({"enum": ["\ud800", "a"]}, '{"enum": ["\\ud800", "a"]}', '{"enum": ["\ud800", "a"]}'):
        matcher = weir.GrammarMatcher(compiler.compile_json_schema(schema, lone_surrogates=True))
        assert matcher.accept_string('"\\ud800"') and matcher.is_completed()
        assert weir.check_schema(schema, lone_surrogates=True) == []
        compiler.compile_json_schema({}, documents={"a:b": schema})
    parameters = {"type": "object", "properties": {"\udfff": {"type": "null"}}}
    tools = [{"type": "function", "function": {"name": "f", "parameters": parameters}}]
    for given in (tools, json.dumps(tools), json.dumps(tools, ensure_ascii=False)):
        assert "\\udfff" in json.dumps(weir.tools.structural_tag("hermes", given))
    assert "\\udfff" in weir.strict_json_schema(json.dumps(parameters, ensure_ascii=False))


def test_half_surrogates_elsewhere(compiler, builtin):
    """Every text of every call, at every index: the same error, which says where; of the class of the call's errors."""
    for check, text in ((weir.check_regex, "a\ud800"), (weir.check_grammar, "\ud800")):
        (found,) = check(text)
        assert found.severity == "error" and "UTF-8" in found.message and found.text == text
        assert text[found.start:found.end] == "\ud800"
    matcher = weir.GrammarMatcher(compiler.compile_regex(".*"))
    make, grammar = weir.TokenizerInfo, weir.Grammar
    of_grammars, of_tokenizers, others = weir.GrammarError, weir.TokenizerError, ValueError
    for error, place, call in (
            (of_grammars, "`pattern`", compiler.compile_regex), (of_grammars, "`text`", compiler.compile_grammar),
            (of_grammars, "`text`", grammar.from_ebnf),
            (of_grammars, "`text`", lambda s: grammar.from_text(text=s, syntax="lark")),
            (of_grammars, "`pattern`", grammar.from_regex), (of_grammars, "`text`", grammar.from_substring),
            (of_grammars, "`pattern`", lambda s: compiler.submit_regex(s).result()),
            (of_grammars, "`text`", compiler.compile_substring),
            (of_grammars, "item 1 of `strings`", lambda s: compiler.compile_choice(["a", s])),
            (of_grammars, "item 0 of `chunks`", lambda s: compiler.compile_substring_chunks([s])),
            (of_grammars, "`base_uri`", lambda s: compiler.compile_json_schema({}, base_uri=s)),
            (of_grammars, "`whitespace_pattern`",
             lambda s: compiler.compile_json_schema({"const": "\ud900"}, whitespace="pattern", whitespace_pattern=s)),
            (of_grammars, "a key of `documents`", lambda s: compiler.compile_json_schema({}, documents={"a": {}, s: {}})),
            (of_grammars, "a key of `grammars`",
             lambda s: compiler.compile_grammar("start: \"a\"", syntax="lark", grammars={s: ""})),
            (of_grammars, "the value of 'a' (str) in `grammars`",
             lambda s: compiler.compile_grammar("start: \"a\"", syntax="lark", grammars={"a": s})),
            (of_grammars, "`style`", lambda s: weir.tools.structural_tag(s, [])),
            (others, "`text`", lambda s: weir.explain_refusal({}, s)), (others, "`text`", matcher.accept_string),
            (others, "`text`", matcher.accept_text), (of_tokenizers, "`text`", builtin.tokenize),
            (of_tokenizers, "item 1 of `vocab`", lambda s: make(["a", s])),
            (of_tokenizers, "`name`", builtin.find_special_token),
            (of_tokenizers, "`path`", make.from_file)):
        for text, index in (("\ud800", 0), ("é\udbff", 1), ("ab\U0001f600\udfffc", 3)):
            with pytest.raises(ValueError) as raised:
                call(text)
            assert type(raised.value) is error
            assert str(raised.value) == f"{place} has half of a surrogate pair at index {index}, which no text in UTF-8 has"
            if error is weir.GrammarError:
                assert raised.value.text[raised.value.start:raised.value.end] == text[index]
    assert matcher.accept_string("a")  # no step was made


def test_half_surrogates_in_the_parts_of_a_request():
    function = {"type": "function", "function": {"name": "\ud800"}}
    for tools in ([function], json.dumps([function]), json.dumps([function], ensure_ascii=False)):
        with pytest.raises(weir.GrammarError, match="the `name` of a tool holds half of a surrogate pair"):
            weir.tools.structural_tag("hermes", tools)
    weir.tools.structural_tag("hermes", [{"type": "function", "function": {"name": "f", "parameters": {"x-\ud800": 1}}}])
    for choice in ("\ud800", {"type": "\ud800"}, {"type": "function", "function": {"name": "\ud800"}}):
        with pytest.raises(weir.GrammarError, match="`tool_choice`"):
            weir.tools.structural_tag("hermes", [], tool_choice=choice)


def test_deep_documents(builtin):
    """json.dumps is recursive: it would overflow Python's limit, or the stack of a small thread."""
    compiler = weir.GrammarCompiler(builtin, limits=weir.Limits(nesting=100))

    def nested(depth):
        value = []
        for level in range(depth):
            value = {"a": value} if level % 2 else [value, "é\ud800"]
        return value

    def in_a_small_thread(call):
        results = []
        before = threading.stack_size(256 * 1024)
        try:
            thread = threading.Thread(target=lambda: results.append(call()))
            thread.start()
            thread.join()
        finally:
            threading.stack_size(before)
        return results

    def compiled(depth):
        try:
            compiler.compile_json_schema({"const": 1, "x-note": nested(depth)})
        except weir.GrammarError as error:
            return error.limit
        return "compiled"

    def of_tools(depth):
        parameters = {"default": nested(depth), "type": "object", "title": 'a "quoted" [ {\\'}
        tools = [{"type": "function", "function": {"name": "f", "parameters": parameters}}]
        made = to_json_text(weir.tools.structural_tag("hermes", tools))
        return to_json_text(parameters) in made

    assert in_a_small_thread(lambda: of_tools(30)) == in_a_small_thread(lambda: of_tools(90)) == [True]
    assert in_a_small_thread(lambda: compiled(60)) == ["compiled"]
    assert in_a_small_thread(lambda: compiled(3000)) == ["nesting"]
    assert in_a_small_thread(lambda: compiled(20_000)) == ["nesting"]
    loop = {}
    loop["a"] = loop
    for document in (loop, {"a": [nested(70), loop]}):
        with pytest.raises(ValueError, match="itself|Circular"):
            compiler.compile_json_schema(document)


def test_errors_of_a_response_format_name_it(compiler):
    with pytest.raises(weir.GrammarError, match="^<response format>:1:"):
        compiler.compile_response_format({"type": "jsn_schema"})


def test_a_count_that_no_text_has_is_said_to_be_one(compiler):
    for schema in ({"type": "array", "minItems": 1e30}, {"type": "string", "minLength": 10**30}):
        with pytest.raises(weir.GrammarError) as raised:
            compiler.compile_json_schema(schema)
        assert raised.value.hint == "no text has so many: counts are below 4294967295"


def test_options_without_effect_on_yaml_are_refused(compiler):
    for option, value in (("whitespace", "bounded"), ("whitespace", "none"), ("whitespace_limit", 40), ("escapes", "all"),
                          ("leading_whitespace", False), ("trailing_whitespace", True), ("exponents", False),
                          ("scientific_decimals", 16), ("lone_surrogates", False)):
        with pytest.raises(ValueError, match=f"`{option}` has no effect"):
            compiler.compile_json_schema({}, notation="yaml", **{option: value})
    compiler.compile_json_schema({}, notation="yaml", profile="serving")


def test_an_error_without_a_text_has_no_caret(compiler):
    for call in (lambda: weir.grammars.get("mysql"), lambda: compiler.compile_choice([])):
        with pytest.raises(weir.GrammarError) as raised:
            call()
        assert "^" not in str(raised.value) and "<grammar>:1:1: error: " in str(raised.value)


def test_a_text_in_another_language_is_known():
    with pytest.raises(weir.GrammarError) as raised:
        weir.Grammar.from_text('start: a\na: "b"\n')
    assert raised.value.hint == "as a grammar in lark (`syntax`) the text has no error"


def test_reprs_say_what_an_object_is(compiler):
    compiled = compiler.compile_regex("ab")
    matcher = weir.GrammarMatcher(compiled)
    assert repr(matcher) == "<weir.GrammarMatcher: after 0 steps>"
    matcher.accept_string("ab")
    assert repr(matcher) == "<weir.GrammarMatcher: after 1 step, completed>"
    assert repr(compiled).startswith("<weir.CompiledGrammar: compile_regex, for ")
    assert repr(weir.Grammar.from_regex("ab")) == "<weir.Grammar: from_regex, 2 characters>"
    assert repr(compiler).startswith("<weir.GrammarCompiler: for ")


def test_a_wrong_value_is_shown():
    for call, message in (
            (lambda: weir.tools.structural_tag("hermes", [], reasoning="whole", max_reasoning_tokens=0),
             "`max_reasoning_tokens` must be a count from 1 to 4294967295, or None for any number, not 0 (int)"),
            (lambda: weir.tools.structural_tag("hermes", [], on_bad_tool="ignore"),
             '`on_bad_tool` must be "refuse", "loosen" or "drop", not \'ignore\''),
            (lambda: weir.ReplyParser("hermes", mode="lax"), '`mode` must be "tolerant" or "strict", not \'lax\'')):
        with pytest.raises(ValueError) as raised:
            call()
        assert str(raised.value) == message
