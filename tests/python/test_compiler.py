import copy
import json
import pickle
import threading

import pytest

import weir


@pytest.fixture(scope="module")
def compiler(builtin):
    return weir.GrammarCompiler(builtin)


def accepts(compiled, text):
    matcher = weir.GrammarMatcher(compiled)
    return matcher.accept_string(text) and matcher.is_completed()


def test_grammars(compiler, builtin):
    compiled = compiler.compile_grammar('root ::= "a" | other\nother ::= "b"\n')
    assert accepts(compiled, "b") and not accepts(compiled, "c")
    assert compiled.tokenizer_info.vocab_size == builtin.vocab_size
    assert accepts(compiler.compile_grammar('other ::= "b"', start="other"), "b")
    for syntax in ("yaml", 1):
        with pytest.raises(ValueError, match='`syntax` must be one of "ebnf"'):
            compiler.compile_grammar("", syntax=syntax)
    with pytest.raises(TypeError, match="no option `rule`"):
        compiler.compile_grammar("", rule="a")
    for option, value in (("exact_splits", 1), ("start", None), ("grammars", {"a": 1}), ("json_schema", None)):
        with pytest.raises(ValueError, match=f"`{option}`"):
            compiler.compile_grammar("", **{option: value})
    assert compiler.tokenizer_info.vocab_size == builtin.vocab_size
    assert compiled.stats().states > 0 and compiled.stats().cache_flushes == 0


def test_schemas_in_a_lark_grammar(compiler):
    text = 'start: %json {"properties": {"b": {"type": "integer"}, "a": {}}, "additionalProperties": false} ";"'
    other = '{"a":1,"b":1.0};'
    assert accepts(compiler.compile_grammar(text, syntax="lark"), other)
    for options in ({"order": "declared"}, {"profile": "serving"}):
        compiled = compiler.compile_grammar(text, syntax="lark", json_schema=options)
        assert accepts(compiled, '{"b":1,"a":1};') and not accepts(compiled, other)
        read = weir.Grammar.from_text(text, syntax="lark", json_schema=options)
        assert accepts(compiler.compile(read), '{"b":1,"a":1};') and not accepts(compiler.compile(read), other)
        assert not weir.check_grammar(text, syntax="lark", json_schema=options)
    named = compiler.compile_grammar("start: @one", syntax="lark", grammars={"one": text},
                                     json_schema={"whitespace": "none"})
    assert accepts(named, other) and not accepts(named, '{"a":1, "b":1};')
    with pytest.raises(ValueError, match="`order` must be one of"):
        compiler.compile_grammar(text, syntax="lark", json_schema={"order": "reverse"})
    with pytest.raises(TypeError, match="no option `ordr`"):
        compiler.compile_grammar(text, syntax="lark", json_schema={"ordr": "any"})
    with pytest.raises(TypeError, match="must be str"):
        compiler.compile_grammar(text, syntax="lark", json_schema={1: "any"})


def test_indentation_of_a_lark_grammar(compiler):
    class Lines:  # as a subclass of Lark's Indenter
        NL_type, INDENT_type, DEDENT_type, tab_len = "LINE", "IN", "OUT", 4
        OPEN_PAREN_types, CLOSE_PAREN_types = ("LPAR",), ["RPAR"]

    text = 'start: tree+\ntree: "a" LINE [IN tree+ OUT] | "(" "a" ")" LINE\nLINE: /(\\n[\\t ]*)+/\n%declare IN OUT\n'
    said = {"newline": "LINE", "indent": "IN", "dedent": "OUT", "open": ["LPAR"], "close": ["RPAR"], "tab_len": 4}
    for indenter in (Lines, Lines(), said, json.dumps(said)):
        compiled = compiler.compile_grammar(text, syntax="lark", indenter=indenter)
        assert accepts(compiled, "a\n\ta\n    (\na)\na\n") and not accepts(compiled, "a\n  a\n a\n")
    with pytest.raises(TypeError, match="an Indenter of Lark"):
        compiler.compile_grammar(text, syntax="lark", indenter=1)
    with pytest.raises(weir.GrammarError, match="option `indenter`"):
        compiler.compile_grammar(text, syntax="lark", indenter={"tabs": 1})


def test_convert():
    grammar = weir.Grammar.from_ebnf('root ::= "a" [0-9]+')
    assert grammar.convert("gbnf") == 'root ::= "a" [0-9]+\n'
    assert grammar.convert("regex") == "a[0-9]+"
    with pytest.raises(weir.GrammarError) as error:
        weir.Grammar.from_ebnf('root ::= "a" root?').convert("regex")
    assert error.value.code == "unsupported" and error.value.text[error.value.start : error.value.end] == "root"
    with pytest.raises(ValueError, match="`to`"):
        grammar.convert("abnf")


def test_choice_and_substring(compiler):
    compiled = compiler.compile_choice(["yes", "no", "née"])
    assert accepts(compiled, "née") and not accepts(compiled, "ye")
    with pytest.raises(weir.GrammarError, match="no strings"):
        compiler.compile_choice([])
    quote = compiler.compile_substring("to be, or not")
    chunks = compiler.compile_substring_chunks(["one, ", "two, ", "three"])
    assert accepts(chunks, "two, three") and accepts(chunks, "") and not accepts(chunks, "two, t")
    assert accepts(compiler.compile(weir.Grammar.from_substring_chunks(["a b", " c"])), "a b c")
    assert accepts(quote, "be, or") and accepts(quote, "") and not accepts(quote, "b")
    assert accepts(compiler.compile_substring("abc", unit="character"), "bc")
    with pytest.raises(ValueError, match="unit"):
        compiler.compile_substring("a", unit="line")
    assert accepts(compiler.compile(weir.Grammar.from_choice(["a"])), "a")
    assert accepts(compiler.compile(weir.Grammar.from_substring("a b", unit="word")), " b")


def test_a_grammar_for_several_tokenizers(compiler, letters):
    grammar = weir.Grammar.from_ebnf('root ::= "ab"\nspare ::= "c"\n')
    assert [(w.start, w.code) for w in grammar.warnings] == [(14, "unused-rule")]
    assert accepts(compiler.compile(grammar), "ab")
    assert accepts(weir.GrammarCompiler(letters).compile(grammar), "ab")
    assert accepts(compiler.compile(weir.Grammar.from_text('x ::= "c"', syntax="ebnf", start="x")), "c")
    assert accepts(compiler.compile(weir.Grammar.from_regex("A", ignore_case=True)), "a")
    assert accepts(compiler.compile(weir.Grammar.from_json_schema({"const": 1})), "1")
    assert weir.GrammarCompiler(letters).compile(grammar).warnings[0].hint is not None


def test_regular_expressions(compiler):
    assert accepts(compiler.compile_regex("a+"), "aaa")
    assert not accepts(compiler.compile_regex("a+"), "xaaa")
    assert accepts(compiler.compile_regex("a+", match="search"), "xaaa")
    assert accepts(compiler.compile_regex(r"\cA", dialect="ecma262"), "\x01")
    assert accepts(compiler.compile_regex("A B", ignore_case=True, extended=True), "ab")
    with pytest.raises(ValueError, match='"weir", "ecma262"'):
        compiler.compile_regex("a", dialect="perl")
    with pytest.raises(ValueError, match="bool"):
        compiler.compile_regex("a", dot_all=1)
    with pytest.raises(TypeError, match="no option `flags`"):
        compiler.compile_regex("a", flags="i")


def test_json_schemas(compiler):
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    text = '{"a": 1}'
    assert accepts(compiler.compile_json_schema(schema), text)
    assert accepts(compiler.compile_json_schema(json.dumps(schema)), text)
    assert not accepts(compiler.compile_json_schema(schema), '{"a": "1"}')
    assert not accepts(compiler.compile_json_schema(schema, whitespace="none"), text)
    assert accepts(compiler.compile_json_schema(True), "null")
    assert accepts(compiler.compile_json(), "[1]")
    assert accepts(compiler.compile_json_object(), text) and not accepts(compiler.compile_json_object(), "[1]")


def test_json_schema_options(compiler):
    uri = "https://example.com/a"
    documents = {uri: {"const": 1}, uri + "b": '{"const": 2}'}
    assert accepts(compiler.compile_json_schema({"$ref": uri + "b"}, documents=documents), "2")
    tuples = {"items": [{"const": 1}], "additionalItems": False}
    for compiled in (compiler.compile_json_schema(tuples, default_draft="7"), compiler.compile_json_schema(tuples)):
        assert accepts(compiled, "[1]") and not accepts(compiled, "[2]") and not accepts(compiled, "[1, 1]")
    assert compiler.compile_json_schema(tuples).warnings[0].code == "older-draft"
    every = {"whitespace": "pattern", "whitespace_pattern": " ?", "order": "declared", "escapes": "required",
             "formats": "annotate", "unknown_formats": "refuse", "base_uri": uri, "leading_whitespace": True,
             "trailing_whitespace": True, "lone_surrogates": False, "exponents": False}
    assert accepts(compiler.compile_json_schema({"type": "number"}, **every), " 1 ")
    assert not accepts(compiler.compile_json_schema({"type": "number"}, **every), "1e3")
    for option, value in (("order", "b"), ("indent", -1), ("indent", 2**32), ("exponents", 1), ("base_uri", 3)):
        with pytest.raises(ValueError, match=option):
            compiler.compile_json_schema({}, **{option: value})
    with pytest.raises(TypeError, match="no option `strict`"):
        compiler.compile_json_schema({}, strict=True)


def test_serving_profile(compiler):
    def texts(schema, *given, **options):
        compiled = compiler.compile_json_schema(schema, **options)
        return [text for text in given if accepts(compiled, text)]

    integers = ["1", "-12", "-0", "1.0", "1e3", "1" * 20, "1" * 21]
    assert texts({"type": "integer"}, *integers) == integers
    assert texts({"type": "integer"}, *integers, profile="exact") == integers
    assert texts({"type": "integer"}, *integers, profile="serving") == ["1", "-12", "1" * 20]
    assert texts({"type": "integer"}, *integers, integers="plain") == ["1", "-12", "1" * 20, "1" * 21]
    assert texts({"type": "integer"}, *integers, number_digits=2) == ["1", "-12", "-0", "1.0", "1e3"]
    assert texts({"type": "integer"}, *integers, profile="serving", integers="any") == ["1", "-12", "-0", "1.0", "1" * 20]
    assert texts({}, "1.50", "1e3", "1e400", numbers="double") == ["1.50", "1e3"]
    assert texts({"enum": [1, 10**30]}, "1", "1.0", f"{10**30}", profile="serving") == ["1", f"{10**30}"]
    two = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}
    given = ['{"a": 1, "b": "x"}', '{"b": "x", "a": 1}', '{"a":' + 9 * " " + '1}', '{"b": "\\u0078"}', '{"b": "\\n"}']
    assert texts(two, *given) == given
    assert texts(two, *given, profile="serving") == [given[0], given[4]]
    assert texts(two, *given, order="any", profile="serving") == [given[0], given[1], given[4]]
    for option, value in (("profile", "fast"), ("profile", 1), ("integers", "x"), ("numbers", 3), ("number_digits", -1)):
        with pytest.raises(ValueError, match=option):
            compiler.compile_json_schema({}, **{option: value})


def test_structural_tags(compiler):
    tag = {"type": "structural_tag", "format": {"type": "triggered_tags", "triggers": ["<f"], "tags": [
        {"begin": "<f>", "content": {"type": "json_schema", "json_schema": {"enum": ["é", 1]}}, "end": "</f>"}]}}
    for given in (tag, json.dumps(tag)):
        compiled = compiler.compile_structural_tag(given, escapes="required")
        assert accepts(compiled, 'a<f>"é"</f>b') and not accepts(compiled, "<f>2</f>")
        assert not accepts(compiled, '<f>"\\u00e9"</f>')
        assert accepts(compiler.compile(weir.Grammar.from_structural_tag(given)), "<f>1</f>")
    with pytest.raises(weir.GrammarError) as raised:
        compiler.compile_structural_tag({"format": {"type": "any_txt"}})
    assert raised.value.pointer == "/format/type" and "any_text" in raised.value.hint
    assert accepts(compiler.compile_response_format({"type": "choice", "choice": ["a", "b"]}), "b")
    assert accepts(compiler.compile(weir.Grammar.from_response_format({"type": "text"})), "x")


def test_tools(compiler):
    tools = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]
    assert "hermes" in weir.tools.styles()
    tag = weir.tools.structural_tag("hermes", tools, tool_choice={"type": "function", "function": {"name": "f"}})
    call = '<tool_call>\n{"name": "f", "arguments": {"a": 1}}\n</tool_call>'
    compiled = compiler.compile_structural_tag(tag)
    assert accepts(compiled, call) and not accepts(compiled, "no call")
    with pytest.raises(weir.GrammarError, match="no tool `g`"):
        weir.tools.structural_tag("hermes", tools, tool_choice={"type": "function", "name": "g"})
    with pytest.raises(ValueError, match="reasoning"):
        weir.tools.structural_tag("hermes", tools, reasoning="some")


def test_models(compiler):
    class Model:
        @classmethod
        def model_json_schema(cls):
            return {"const": "é"}

    class Adapter:
        def json_schema(self):
            return {"const": 1}

    assert accepts(compiler.compile_json_schema(Model), '"é"')
    assert accepts(compiler.compile_json_schema(Adapter()), "1")
    with pytest.raises(TypeError, match=r"pydantic model, not 3 \(int\)"):
        compiler.compile_json_schema(3)


def test_errors_point_at_the_place(compiler):
    text = 'root ::= "é" exprs\nexpr ::= "b"\n'
    with pytest.raises(weir.GrammarError) as raised:
        compiler.compile_grammar(text)
    error = raised.value
    assert isinstance(error, ValueError)
    assert error.code == "invalid_argument" and "exprs" in error.message and "expr" in error.hint
    assert error.text == text and text[error.start:error.end] == "exprs"
    assert error.limit == error.pointer == ""
    assert str(error).splitlines()[:3] == [f"<grammar>:1:14: error: {error.message}", '  root ::= "é" exprs',
                                           "               ^~~~~"]
    for same in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert str(same) == str(error) and vars(same) == vars(error)


def test_errors_of_patterns_and_schemas(compiler):
    with pytest.raises(weir.GrammarError, match="<pattern>:1:4"):
        compiler.compile_regex(r"(a)\1")
    with pytest.raises(weir.GrammarError) as raised:
        compiler.compile_json_schema({"properties": {"a/b": {"minimum": "x"}}})
    assert raised.value.pointer == "/properties/a~1b/minimum"
    assert raised.value.text[raised.value.start:raised.value.end] == '"x"'
    with pytest.raises(weir.GrammarError) as raised:
        compiler.compile_json_schema(False)
    assert raised.value.code == "unsatisfiable" and raised.value.pointer == ""


@pytest.mark.parametrize("schema, most", [
    ({"type": "integer"}, 20), ({"type": "number"}, 20), ({"type": "integer", "minimum": 10**25}, 46),
    ({"type": "number", "exclusiveMinimum": 0, "maximum": 1e-25}, 47), ({"type": "integer", "multipleOf": 10**22}, 22),
    ({"type": "number", "maximum": -1e30, "multipleOf": 0.25}, 51), ({"enum": [1.5e-30, 2]}, 52)], ids=str)
def test_digits_end_in_the_profile_for_serving(compiler, schema, most):
    """Written digit by digit, the number ends, whatever the schema's bounds are."""
    compiled = compiler.compile_json_schema(schema, profile="serving")
    longest = 0
    for digits in ("1", "5", "9", "10", "01", "95"):
        matcher, count = weir.GrammarMatcher(compiled), 0
        matcher.accept_string("-")
        while count <= most and any(matcher.accept_string(text) for text in (digits[count % len(digits)], *"0123456789")):
            count += 1
            matcher.accept_string(".")
        longest = max(longest, count)
    assert 0 < longest <= most


def test_limits(builtin):
    limits = weir.Limits(text_bytes=5)
    assert limits.text_bytes == 5 and limits.nesting == weir.Limits().nesting == 1000
    with pytest.raises(weir.GrammarError) as raised:
        weir.GrammarCompiler(builtin, limits=limits).compile_regex("abcdef")
    assert raised.value.code == "limit_exceeded" and raised.value.limit == "text_bytes"
    with pytest.raises(AttributeError):
        limits.nesting = 3
    for value in (-1, 2**64, "3", 1.5):
        with pytest.raises(ValueError, match="nesting"):
            weir.Limits(nesting=value)
    with pytest.raises(TypeError, match="wideness"):
        weir.Limits(wideness=3)


def test_the_work_of_one_call_is_bounded(builtin):
    schema = {"type": "string", "allOf": [{"pattern": f"{letter}.*{letter}"} for letter in "abcde"]}
    with pytest.raises(weir.GrammarError) as raised:
        weir.GrammarCompiler(builtin, limits=weir.Limits(call_work=10)).compile_json_schema(schema)
    assert raised.value.code == "limit_exceeded" and raised.value.limit == "call_work"
    grammar = weir.Grammar.from_json_schema(schema)
    matcher = weir.GrammarMatcher(weir.GrammarCompiler(builtin, limits=weir.Limits(call_work=200)).compile(grammar))
    bitmask = weir.allocate_token_bitmask(1, builtin.vocab_size)
    with pytest.raises(weir.LimitExceededError, match="call_work"):
        matcher.fill_next_token_bitmask(bitmask)
    for _ in range(100_000):  # what a call has found out is kept
        try:
            matcher.fill_next_token_bitmask(bitmask)
            break
        except weir.LimitExceededError:
            pass
    else:
        pytest.fail("no call went further than the one before")
    assert matcher.is_token_allowed(builtin.tokenize('"')[0])


def test_threads_share_a_compiler(compiler):
    compiled = [None] * 8

    def work(i):
        compiled[i] = compiler.compile_json_schema({"const": i})

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(accepts(grammar, str(i)) for i, grammar in enumerate(compiled))


def test_grammars_joined(letters):
    parts = weir.Grammar.from_ebnf('root ::= "a" | "ab"'), weir.Grammar.from_choice(["c", ""])
    compiler = weir.GrammarCompiler(letters)

    def texts(grammar):
        out = []
        for text in ("", "a", "ab", "c", "ac", "abc", "cc"):
            matcher = weir.GrammarMatcher(compiler.compile(grammar))
            if matcher.accept_string(text) and matcher.is_completed():
                out.append(text)
        return out

    assert texts(weir.Grammar.concat(*parts)) == ["a", "ab", "ac", "abc"]
    assert texts(weir.Grammar.any_of(*parts)) == ["", "a", "ab", "c"]
    assert texts(pickle.loads(pickle.dumps(weir.Grammar.concat(*parts)))) == ["a", "ab", "ac", "abc"]
    for join in (weir.Grammar.concat, weir.Grammar.any_of):
        with pytest.raises(weir.GrammarError, match="no grammars"):
            join()
        with pytest.raises(weir.GrammarError, match="text_bytes|more than"):
            join(*parts, limits=weir.Limits(text_bytes=4))
        with pytest.raises(TypeError):
            join("root")
