"""weir's parsers of calls and of reasoning in vLLM's own DelegatingParser, for every style, streamed and whole.

What a reply has (reply_cases.py) is the oracle, and the same for each way to cut it.
"""

import json
import os
import subprocess
import sys

import pytest

import vllm
import weir
from reply_cases import CALLS, EXPECTED, REASONING, TOOLS
from server import MODEL
from vllm.entrypoints.generate.base.protocol import DeltaMessage
from vllm.entrypoints.openai.chat_completion.protocol import ChatCompletionRequest
from vllm.parser.parser_manager import ParserManager
from vllm.reasoning import ReasoningParserManager
from vllm.tool_parsers import ToolParserManager
from weir.integrations import _replies, vllm_parsers


class Letters:
    """A tokenizer of characters, with the tags of reasoning as tokens: what the parsers ask a tokenizer for."""

    def __init__(self, *tags):
        self.names = [tag for tag in tags if tag]

    def get_vocab(self):
        return {name: 0x110000 + i for i, name in enumerate(self.names)}

    def encode(self, text, add_special_tokens=True):
        ids = []
        while text:
            name = next((name for name in self.names if text.startswith(name)), text[0])
            ids.append(self.get_vocab().get(name, ord(name[0])))
            text = text[len(name):]
        return ids

    def decode(self, ids, skip_special_tokens=False):
        return "".join(self.names[i - 0x110000] if i >= 0x110000 else chr(i) for i in ids)


def request_with(**options):
    return ChatCompletionRequest(model="m", messages=[{"role": "user", "content": "?"}], tools=TOOLS, **options)


def parser_of(style, *, reasons, tokenizer):
    made = ParserManager.get_parser(tool_parser_name=f"weir_{style}", reasoning_parser_name=f"weir_{style}" if reasons else None,
                                    enable_auto_tools=True, model_name="m", tokenizer=tokenizer)
    return made(tokenizer, request_with().tools)


def whole(style, text, *, reasons, request=None):
    tokenizer = Letters(*(_replies.reasoning_tags(style) or ()))
    parser = parser_of(style, reasons=reasons, tokenizer=tokenizer)
    reasoning, content, calls = parser.parse(text, request or request_with(), enable_auto_tools=True)
    return reasoning, content, [(call.name, json.loads(call.arguments)) for call in calls or []]


def streamed(style, text, size, *, reasons, prompt="?", request=None):
    """Returns what `whole` does, and asserts what clients rely on: a name once, before its arguments; indices in order."""
    tokenizer = Letters(*(_replies.reasoning_tags(style) or ()))
    parser = parser_of(style, reasons=reasons, tokenizer=tokenizer)
    reasoning, content, calls = "", "", []
    pieces = [text[at:at + size] for at in range(0, len(text), size)] + [""]
    for place, piece in enumerate(pieces):
        delta = parser.parse_delta(piece, tokenizer.encode(piece), request or request_with(), tokenizer.encode(prompt),
                                   finished=place == len(pieces) - 1)
        if delta is None:
            continue
        delta = DeltaMessage.model_validate_json(delta.model_dump_json(exclude_unset=True))  # as the server sends it
        reasoning += delta.reasoning or ""
        content += delta.content or ""
        for call in delta.tool_calls:
            if call.function.name is not None:
                assert call.index == len(calls) and call.id and call.type == "function"
                calls.append([call.function.name, ""])
            else:
                assert call.index == len(calls) - 1 and call.id is None
                calls[-1][1] += call.function.arguments
    return reasoning or None, content or None, [(name, arguments and json.loads(arguments)) for name, arguments in calls]


def reasoned(style, text):
    tags = _replies.reasoning_tags(style)
    return f"{tags[0]}{REASONING}{tags[1]}{text}"


def test_every_style_is_registered():
    assert vllm.__version__.startswith(("0.32.", "0.33."))
    registered = ToolParserManager.list_registered()
    assert [style for style in weir.tools.styles() if f"weir_{style}" not in registered] == []
    vllm_parsers.register()  # a second call changes nothing


@pytest.mark.parametrize(("arguments", "variables", "is_asked_for"), [
    (["--tool-call-parser", "weir_glm"], {}, True), ([], {"WEIR_VLLM_PARSERS": "1"}, True), (["--model", "weir"], {}, False)])
def test_the_plugin_registers_them_if_they_are_asked_for(arguments, variables, is_asked_for):
    program = ("from weir.integrations._vllm_plugin import load; load()\n"
               "from vllm.tool_parsers import ToolParserManager\n"
               "print('weir_glm' in ToolParserManager.list_registered())")
    done = subprocess.run([sys.executable, "-c", program, *arguments], env={**os.environ, **variables}, capture_output=True,
                          text=True, check=True)
    assert done.stdout.split()[-1] == str(is_asked_for)


@pytest.mark.parametrize("style", weir.tools.styles())
def test_text_alone(style):
    for reasons in [False, True] if _replies.reasoning_tags(style) else [False]:
        assert whole(style, "Hello <b>", reasons=reasons) == (None, "Hello <b>", [])
        for size in (1, 4, 100):
            assert streamed(style, "Hello <b>", size, reasons=reasons) == (None, "Hello <b>", [])


@pytest.mark.parametrize("style", CALLS)
def test_calls(style):
    call = CALLS[style]
    assert whole(style, call, reasons=False) == (None, None, EXPECTED)
    for size in (1, 2, 3, 7, len(call)):
        assert streamed(style, call, size, reasons=False) == (None, None, EXPECTED), size


@pytest.mark.parametrize("style", [style for style in CALLS if _replies.reasoning_tags(style)])
def test_reasoning_and_calls(style):
    begin, _ = _replies.reasoning_tags(style)
    for rest, expected in [(CALLS[style], (REASONING, None, EXPECTED)), ("Yes.", (REASONING, "Yes.", []))]:
        text = reasoned(style, rest)
        assert whole(style, text, reasons=True) == expected
        for size in (1, 3, 8, len(text)):
            assert streamed(style, text, size, reasons=True) == expected, size
            # The prompt has begun the reasoning.
            assert streamed(style, text[len(begin):], size, reasons=True, prompt=f"?{begin}") == expected, size
        assert whole(style, text[len(begin):], reasons=True) == expected


def test_reasoning_that_the_prompt_has_closed():
    assert streamed("hermes", "Yes.", 2, reasons=True, prompt="?<think>\n\n</think>\n\n") == (None, "Yes.", [])


def test_without_a_parser_of_reasoning_its_tags_are_text():
    text = reasoned("hermes", CALLS["hermes"])
    assert whole("hermes", text, reasons=False) == (None, text.partition("<tool_call>")[0], EXPECTED)
    assert streamed("hermes", text, 3, reasons=False) == (None, text.partition("<tool_call>")[0], EXPECTED)


def test_nothing_vanishes():
    cut = '<tool_call>\n{"name": "f", "arg'
    assert whole("hermes", "A " + cut, reasons=False) == (None, "A " + cut, [])
    assert streamed("hermes", "A " + cut, 3, reasons=False)[1].startswith("A <tool_call>")
    both = f"A {CALLS['hermes']} B {CALLS['hermes']} C"
    assert streamed("hermes", both, 5, reasons=False) == whole("hermes", both, reasons=False)
    assert whole("hermes", both, reasons=False)[2] == 2 * EXPECTED
    assert whole("hermes", both, reasons=False)[1].split() == ["A", "B", "C"]
    assert streamed("hermes", "it is 1 <", 1, reasons=False) == (None, "it is 1 <", [])  # held back until the end


def test_no_call_is_wanted():
    for request in (request_with(tool_choice="none"),):
        text = CALLS["hermes"]
        assert whole("hermes", text, reasons=False, request=request) == (None, text, [])
        assert streamed("hermes", text, 4, reasons=False, request=request) == (None, text, [])


def test_requests_are_constrained_if_weir_is_the_backend(monkeypatch):
    parser = parser_of("qwen_coder", reasons=True, tokenizer=Letters("<think>", "</think>"))
    named = {"type": "function", "function": {"name": "f"}}
    strict = [{**TOOLS[0], "function": {**TOOLS[0]["function"], "strict": True}}]
    for given, is_constrained in [({}, False), ({"tool_choice": "required"}, True), ({"tool_choice": named}, True),
                                  ({"tool_choice": "none"}, False), ({"strict": True}, True)]:
        tools = strict if given.pop("strict", False) else TOOLS
        for asked in (False, True):
            monkeypatch.setattr(vllm_parsers, "is_asked_for", lambda asked=asked: asked)
            request = ChatCompletionRequest(model="m", messages=[{"role": "user", "content": "?"}], tools=tools, **given)
            adjusted = parser.adjust_request(request)
            assert adjusted.skip_special_tokens is False
            tag = adjusted.structured_outputs and adjusted.structured_outputs.structural_tag
            assert bool(tag) == (is_constrained and asked), given
            if tag:
                compiler = weir.GrammarCompiler(weir.TokenizerInfo.from_file(MODEL / "tokenizer.json"))
                matcher = weir.GrammarMatcher(compiler.compile_structural_tag(tag))
                assert matcher.accept_string(CALLS["qwen_coder"]) and matcher.is_completed()


def test_schemas_that_weir_refuses_do_not_stop_the_reading(caplog):
    tools = [TOOLS[0], TOOLS[0]]  # a name twice
    tokenizer = Letters()
    parser = ToolParserManager.get_tool_parser("weir_hermes")(tokenizer)
    request = ChatCompletionRequest(model="m", messages=[{"role": "user", "content": "?"}], tools=tools)
    assert parser.extract_tool_calls(CALLS["hermes"], request).tool_calls[0].function.name == "f"
    assert "without the schemas" in caplog.text
    bad = {"type": "function", "function": {"name": "bad", "parameters": {"properties": 5}}}
    request = ChatCompletionRequest(model="m", messages=[{"role": "user", "content": "?"}], tools=[TOOLS[0], bad])
    assert parser.extract_tool_calls(CALLS["hermes"], request).tool_calls[0].function.name == "f"
    assert "without the schemas of some tools" in caplog.text


def test_reasoning_that_is_cut_is_counted():
    begin, end = _replies.reasoning_tags("qwen_coder")
    tokenizer = Letters(begin, end)
    made = ReasoningParserManager.get_reasoning_parser("weir_qwen_coder")(tokenizer)
    for text, count in ((f"{begin}hm{end}yes", 3), (f"{begin}hm", 3), ("yes", 0)):
        assert made.count_reasoning_tokens(tokenizer.encode(text)) == count, text
