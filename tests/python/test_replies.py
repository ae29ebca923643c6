"""weir.ReplyParser: events for any cuts, results, errors."""

import array
import decimal
import json

import numpy as np
import pytest
import weir

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "weather",
            "parameters": {
                "type": "object",
                "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
                "required": ["city"],
            },
        },
    }
]
REPLY = (
    "<think>Where is it?</think>Let me look.\n"
    '<tool_call>\n{"name": "weather", "arguments": {"city": "Zürich", "days": 2}}\n</tool_call>'
)
WANTED = {
    "reasoning": "Where is it?",
    "content": "Let me look.",
    "tool_calls": [{"name": "weather", "arguments": {"city": "Zürich", "days": 2}}],
}


def message(reply):
    calls = [{"name": call["name"], "arguments": call["arguments"]} for call in reply["tool_calls"]]
    return {
        "reasoning": reply["reasoning"],
        "content": reply["content"] and reply["content"].strip(),
        "tool_calls": calls,
    }


def joined(events, kind):
    return "".join(event.text for event in events if event.kind == kind)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_any_cut_gives_the_same(size):
    parser = weir.ReplyParser("hermes", TOOLS)
    data = REPLY.encode()
    events = []
    for start in range(0, len(data), size):
        events += parser.feed(data[start : start + size])
    events += parser.feed(b"", final=True)
    assert message(parser.finish()) == WANTED
    assert joined(events, "reasoning") == "Where is it?"
    assert json.loads(joined(events, "arguments")) == WANTED["tool_calls"][0]["arguments"]
    assert [event.name for event in events if event.kind == "call_begins"] == ["weather"]
    assert [event.start for event in events[1:]] == [event.end for event in events[:-1]]
    assert events[0].start == 0 and events[-1].end == len(data)


def test_tokens_text_and_reset():
    tokenizer_info = weir.TokenizerInfo.builtin()
    parser = weir.ReplyParser("hermes", TOOLS, tokenizer_info=tokenizer_info)
    for token in tokenizer_info.tokenize(REPLY):
        parser.feed([token])
    assert message(parser.finish()) == WANTED
    parser.reset()
    parser.feed(REPLY)
    assert message(parser.snapshot()) == WANTED
    with pytest.raises(IndexError):
        parser.feed([tokenizer_info.vocab_size])
    with pytest.raises(ValueError, match="tokenizer_info"):
        weir.ReplyParser("hermes").feed([1])


def test_a_call_in_progress():
    parser = weir.ReplyParser("hermes", TOOLS)
    parser.feed('<tool_call>\n{"name": "weather", "arguments": {"city": "Zü')
    (call,) = parser.snapshot()["tool_calls"]
    assert call["name"] == "weather" and call["partial_arguments"] == '{"city": "Zü'
    assert parser.finish()["tool_calls"] == []


def test_a_prompt_that_began_the_reasoning():
    parser = weir.ReplyParser("hermes", TOOLS, in_reasoning=True)
    parser.feed("So it is.</think>Yes.")
    assert parser.finish() == {"reasoning": "So it is.", "content": "Yes.", "tool_calls": []}


def test_strict_and_tolerant():
    broken = '<tool_call>\n{"name": "weather", "arguments": {"city": 5}}\n</tool_call>'
    strict = weir.ReplyParser("hermes", TOOLS, mode="strict")
    with pytest.raises(weir.GrammarError):
        strict.feed(broken)
    strict.feed(broken.replace("5", '"Bern"'))
    assert strict.finish()["tool_calls"][0]["arguments"] == {"city": "Bern"}
    prose = weir.ReplyParser("hermes", TOOLS)
    prose.feed("A <tool_call> tag begins a call.")
    assert prose.finish()["content"] == "A <tool_call> tag begins a call."


def test_a_refused_token_has_its_place():
    info = weir.TokenizerInfo.builtin()
    strict = weir.ReplyParser("hermes", TOOLS, mode="strict", tokenizer_info=info)
    strict.feed("ab")
    with pytest.raises(weir.GrammarError, match="cannot follow") as raised:
        strict.feed(info.tokenize('cd <tool_call>{"x'))
    assert (raised.value.text, raised.value.start, raised.value.end) == ('cd <tool_call>{"x', 16, 17)


def test_the_options_of_a_tag_are_those_of_its_reader():
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    options = {"response_format": {"type": "json_object", "schema": schema}, "reasoning": "auto", "max_reasoning_tokens": 9,
               "reasoning_closing": "Done.", "on_bad_tool": "drop"}
    bad = {"name": "bad", "parameters": {"properties": 5}}
    strict = weir.ReplyParser("hermes", [*TOOLS, bad], mode="strict", **options)
    for text, reasoning in (('{"a": 1}', None), ('<think>Hm. Done.</think>{"a": 1}', "Hm. Done.")):
        strict.feed(text)
        assert strict.finish() == {"reasoning": reasoning, "content": '{"a": 1}', "tool_calls": []}
        strict.reset()
    with pytest.raises(weir.GrammarError, match="cannot follow") as raised:
        strict.feed('{"a": "x"}')
    assert (raised.value.text, raised.value.start) == ('{"a": "x"}', 6) and raised.value.end == 10
    strict.feed('{"a"')
    with pytest.raises(weir.GrammarError, match="cannot follow") as raised:
        strict.feed(': "é"}')
    assert (raised.value.text, raised.value.start, raised.value.end) == (': "é"}', 2, 6)
    with pytest.raises(weir.GrammarError, match="cannot follow") as raised:
        strict.feed(b": \xff\xfe")
    assert (raised.value.text, raised.value.start, raised.value.end) == (": \ufffd\ufffd", 2, 4)
    with pytest.raises(weir.GrammarError, match="not complete"):
        strict.feed(": 1", final=True)
    assert [event.text for event in strict.feed("}", final=True)] == [": 1", "}"]  # nothing is lost
    with pytest.raises(weir.GrammarError, match="bad"):
        weir.ReplyParser("hermes", [bad])
    nothing = dict.fromkeys(["tool_choice", "parallel_tool_calls", "reasoning", "max_reasoning_tokens", "reasoning_closing",
                             "response_format", "tokenizer_info", "limits"])
    parser = weir.ReplyParser("hermes", [{"type": None, "function": {"name": "f", "parameters": None, "strict": None}}], **nothing)
    parser.feed('<tool_call>{"name": "f", "arguments": {}}</tool_call>')
    assert parser.finish()["tool_calls"] == [{"name": "f", "arguments": {}}]
    wrong = [({"reasoning": "hole"}, ValueError, "reasoning"), ({"reasoning": 5}, TypeError, "reasoning"),
             ({"reasoning": "whole", "in_reasoning": True}, ValueError, "contradict"),
             ({"max_reasoning_tokens": 5}, weir.GrammarError, "`max_reasoning_tokens` has no effect"),
             ({"reasoning": True, "max_reasoning_tokens": True}, TypeError, "not True"),
             ({"reasoning": True, "max_reasoning_tokens": 0}, ValueError, "max_reasoning_tokens"),
             ({"reasoning_closing": 5}, TypeError, "`reasoning_closing` must be a str"),
             ({"on_bad_tool": "skip"}, ValueError, "on_bad_tool"),
             ({"response_format": {"type": "json_object", "shema": {}}}, weir.GrammarError, "has no member `shema`")]
    for given, error, message in wrong:
        with pytest.raises(error, match=message) as caught:
            weir.ReplyParser("hermes", TOOLS, **given)
        assert "<tools>" not in str(caught.value)  # it is not about the tools


def test_bad_arguments():
    with pytest.raises(weir.GrammarError, match="nothing"):
        weir.ReplyParser("nothing", TOOLS)
    with pytest.raises(weir.GrammarError, match="weather"):
        weir.ReplyParser("hermes", TOOLS * 2)
    with pytest.raises(ValueError, match="mode"):
        weir.ReplyParser("hermes", TOOLS, mode="lenient")
    parser = weir.ReplyParser("hermes", TOOLS, tokenizer_info=weir.TokenizerInfo.builtin())
    with pytest.raises(TypeError, match="`piece` must be .*, not None$"):
        parser.feed(None)
    for piece, said in ((5, "not int$"), (["a"], "not list whose item 0 is of type str$"),
                        ([1, 1.5], "item 1 is of type float$"), ((1, None), "not tuple whose item 1 is of type NoneType$"),
                        ([1 << 70], "item 0 is beyond all ids$"), ({1: 2}, "not dict$")):
        with pytest.raises(TypeError, match="`piece` must be text, bytes or ids of tokens.*" + said):
            parser.feed(piece)
    parser.finish()
    with pytest.raises(weir.GrammarError, match="ended"):
        parser.feed("x")


@pytest.mark.parametrize("depth", [1, 100])
def test_numbers_of_any_length(depth):
    digits = "7" * 5000
    value = "[" * depth + digits + ", 12]" + "]" * (depth - 1)
    parser = weir.ReplyParser("hermes")
    parser.feed('<tool_call>{"name": "f", "arguments": {"a": ' + value + "}}</tool_call>", final=True)
    (call,) = parser.finish()["tool_calls"]
    inner = call["arguments"]["a"]
    for _ in range(depth - 1):
        inner = inner[0]
    assert inner == [decimal.Decimal(digits), 12]
    assert str(inner[0]) == digits


def test_an_error_lists_the_options_that_it_names():
    with pytest.raises(weir.GrammarError) as raised:
        weir.tools.structural_tag("hermes", TOOLS, max_reasoning_tokens=5)
    assert raised.value.options == ["max_reasoning_tokens", "reasoning"]
    (found,) = weir.check_schema({"propertyOrdering": ["a"]})
    assert found.options == ["order"]


def test_a_buffer_is_bytes_or_ids(builtin):
    for buffer in (memoryview(b"abc"), np.frombuffer(b"abc", np.uint8), array.array("b", b"abc")):
        assert [event.text for event in weir.ReplyParser("hermes").feed(buffer)] == ["abc"]
    ids = builtin.tokenize("abc")
    for kind in (np.int32, np.uint32, np.int64):
        parser = weir.ReplyParser("hermes", tokenizer_info=builtin)
        assert "".join(event.text for event in parser.feed(np.array(ids, kind))) == "abc"
    for wrong in (np.zeros(2, np.float32), np.zeros((2, 2), np.int32), np.zeros(2, np.int16), np.arange(4)[::2], 5, None, [1.5]):
        with pytest.raises(TypeError, match="`piece` must be ") as raised:
            weir.ReplyParser("hermes", tokenizer_info=builtin).feed(wrong)
        assert "\n" not in str(raised.value)


def test_a_bytearray_is_text():
    parser = weir.ReplyParser("hermes", tokenizer_info=weir.TokenizerInfo.builtin())
    assert [event.text for event in parser.feed(bytearray(b"abc"))] == ["abc"]


def test_servers_read_a_reply_with_the_schemas_of_the_tools_that_are_right(caplog):
    from weir.integrations._replies import ReplyReader, request_tools

    good = {"name": "good", "parameters": {"properties": {"n": {"type": "integer"}, "s": {"type": "string"}}}}
    bad = {"name": "bad", "parameters": {"properties": {"n": {"type": "intger"}}}}
    text = "<tool_call><function=NAME><parameter=n>1</parameter><parameter=s>1</parameter></function></tool_call>"
    null = {"type": None, "function": {"name": "f", "parameters": None}}
    assert request_tools([null, {"type": "web_search"}]) == [null]
    for tools, warning, arguments in [([good], "", {"n": 1, "s": "1"}), ([good, bad], "of some tools", {"n": 1, "s": "1"}),
                                      ([good, good], "of the tools", {"n": "1", "s": "1"})]:
        caplog.clear()
        reader = ReplyReader("qwen_coder", tools, parses_reasoning=True)
        reader.feed(text.replace("NAME", "good"))
        reader.finish()
        assert json.loads(reader.calls[0].arguments) == arguments
        assert warning in caplog.text and bool(warning) == bool(caplog.text)


def test_values():
    parser = weir.ReplyParser("hermes", response_format={"type": "json_object"}, values=True)
    got = []
    for character in '{"a": [1, "x\\n\\u00e9"], "b": true}':
        got += [(e.kind, e.depth, e.key, e.text) for e in parser.feed(character) if e.kind != "text"]
    assert got == [
        ("object_begins", 0, "", ""), ("array_begins", 1, "a", ""), ("number", 2, "0", "1"), ("string", 2, "1", ""),
        ("string", 2, "1", "x"), ("string", 2, "1", "\n"), ("string", 2, "1", "\u00e9"), ("string_ends", 2, "1", ""),
        ("array_ends", 1, "a", ""), ("boolean", 1, "b", "true"), ("object_ends", 0, "", ""),
    ]
    assert parser.finish()["content"] == '{"a": [1, "x\\n\\u00e9"], "b": true}'
    with pytest.raises(weir.GrammarError):
        weir.ReplyParser("hermes", response_format={"type": "jsn"})


def _shown(events):
    return [" ".join(filter(None, (event.kind, event.name, event.text))) for event in events]


def test_a_grammar_with_captures():
    compiler = weir.GrammarCompiler(weir.TokenizerInfo.builtin())
    compiled = compiler.compile_grammar('root ::= @capture(key: [a-z]+) "=" @capture(value: [0-9]+)')
    parser = weir.ReplyParser.for_grammar(compiled)
    assert _shown(parser.feed("ab=1")) == ["capture_begins key", "capture key ab", "capture_ends key", "text =", "capture_begins value",
                                           "capture value 1"]
    assert parser.snapshot()["captures"][1] == {"name": "value", "start": 3, "end": 4, "text": "1", "complete": False}
    with pytest.raises(weir.GrammarError, match="does not follow its grammar"):
        parser.feed("2x")
    assert _shown(parser.feed("2", final=True)) == ["capture value 2", "capture_ends value"]
    assert parser.finish() == {"content": "=", "captures": [{"name": "key", "start": 0, "end": 2, "text": "ab"},
                                                            {"name": "value", "start": 3, "end": 5, "text": "12"}]}
    with pytest.raises(weir.GrammarError, match="which parts"):
        weir.ReplyParser.for_grammar(compiler.compile_regex("a"))


def test_a_schema_has_values():
    compiled = weir.GrammarCompiler(weir.TokenizerInfo.builtin()).compile_json_schema({"properties": {"a": {"type": "string"}}})
    parser = weir.ReplyParser.for_grammar(compiled)
    tokens = weir.TokenizerInfo.builtin().tokenize('{"a": "xy"}')
    events = [event for token in tokens for event in parser.feed([token])] + parser.feed("", final=True)
    assert "".join(e.text for e in events if e.kind == "string") == "xy"
    assert [e.kind for e in events if e.kind not in ("text", "string")] == ["object_begins", "string_ends", "object_ends"]


def test_a_parser_follows_a_matcher():
    info = weir.TokenizerInfo.builtin()
    compiler = weir.GrammarCompiler(info)
    tools = [{"name": "f", "parameters": {"properties": {"a": {"type": "string"}}}}]
    matcher = weir.GrammarMatcher(compiler.compile_structural_tag(weir.tools.structural_tag("hermes", tools)))
    parser = weir.ReplyParser("hermes", tools)
    for token in info.tokenize('Hm. <tool_call>{"name": "f", "arguments": {"a": "b"}}</tool_call>'):
        matcher.accept_token(token)
        parser.follow(matcher)
    parser.follow(matcher, final=True)
    assert parser.finish() == {"reasoning": None, "content": "Hm. ", "tool_calls": [{"name": "f", "arguments": {"a": "b"}}]}
    parser.reset()
    matcher.reset()
    matcher.accept_string("Hm")
    parser.follow(matcher)
    matcher.rollback(1)
    with pytest.raises(weir.GrammarError, match="was taken back to step 0"):
        parser.follow(matcher)


def test_custom_tools():
    grammar = {"syntax": "lark", "definition": 'start: "x" start "y" | "<z>"'}
    tools = [{"type": "custom", "custom": {"name": "run", "format": {"type": "grammar", "grammar": grammar}}}]
    parser = weir.ReplyParser("qwen_coder", tools, mode="strict")
    reply = "<tool_call>\n<function=run>\n<parameter=input>\nx<z>y\n</parameter>\n</function>\n</tool_call>"
    events = parser.feed(reply, final=True)
    assert "".join(event.text for event in events if event.kind == "input") == "x<z>y"
    assert parser.finish()["tool_calls"] == [{"type": "custom", "custom": {"name": "run", "input": "x<z>y"}}]
    parser = weir.ReplyParser("hermes", tools, mode="strict")
    parser.feed('<tool_call>\n{"name": "run", "arguments": {"input": "x<z>\\u0079"}}\n</tool_call>', final=True)
    assert parser.finish()["tool_calls"] == [{"type": "custom", "custom": {"name": "run", "input": "x<z>y"}}]


@pytest.mark.parametrize("text", ["a" * 500_000, '\\"\n[{' * 100_000], ids=["plain", "escapes"])
def test_a_snapshot_takes_memory_of_the_size_of_the_reply(text):
    import tracemalloc

    parser = weir.ReplyParser("hermes")
    parser.feed(text)
    deep = weir.ReplyParser("hermes", TOOLS)
    deep.feed('<tool_call>{"name": "weather", "arguments": {"city": "x", "more": ' + "[" * 60 + json.dumps(text)
              + "]" * 60 + "}}</tool_call>")
    for reading, read in ((parser, lambda of: of["content"]), (deep, lambda of: of["tool_calls"][0]["arguments"]["more"])):
        tracemalloc.start()
        value = read(reading.snapshot())
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        while isinstance(value, list):
            value, = value
        assert value == text and peak < 8 * len(text)


def test_a_reply_that_is_cut_gives_what_was_held_back():
    parser = weir.ReplyParser("hermes", TOOLS, mode="strict")
    assert [event.text for event in parser.feed("Use the <tool_ca")] == ["Use the "]
    assert [event.text for event in parser.cut()] == ["<tool_ca"]
    assert parser.finish() == parser.snapshot() == {"reasoning": None, "content": "Use the <tool_ca", "tool_calls": []}
    with pytest.raises(weir.GrammarError, match="has ended"):
        parser.cut()
    parser.reset()
    parser.feed('<tool_call>\n{"name": "weather", "arguments": {"city": "K')
    with pytest.raises(weir.GrammarError, match="not complete"):
        parser.finish()
    assert [event.kind for event in parser.cut()] == ["call_invalid"] and parser.finish()["tool_calls"] == []
    compiled = weir.GrammarCompiler(weir.TokenizerInfo.builtin()).compile_json_schema({})
    reader = weir.ReplyParser.for_grammar(compiled)
    with pytest.raises(weir.GrammarError, match="not complete"):
        reader.feed("[1", final=True)
    assert [event.kind for event in reader.cut()] == ["text", "array_begins"]  # the number may have been longer
