"""weir's parsers of calls and of reasoning in SGLang's own FunctionCallParser and ReasoningParser, streamed and whole.

What a reply has (reply_cases.py) is the oracle, and the same for each way to cut it.
"""

import json

import pytest

import weir
from reply_cases import CALLS, EXPECTED, REASONING, TOOLS
from sglang.srt.entrypoints.openai.protocol import Tool
from sglang.srt.function_call.function_call_parser import FunctionCallParser
from sglang.srt.parser.reasoning_parser import ReasoningParser
from sglang.srt.server_args import _reasoning_parser_choices, _tool_call_parser_choices
from weir.integrations import _replies, sglang_parsers

sglang_parsers.register()
GIVEN = [Tool.model_validate(tool) for tool in TOOLS]


def whole(style, text, *, reasons=False, **options):
    reasoning = None
    if reasons:
        reasoning, text = ReasoningParser(f"weir_{style}", stream_reasoning=False, **options).parse_non_stream(text)
    text, calls = FunctionCallParser(GIVEN, f"weir_{style}").parse_non_stream(text)
    return reasoning or None, text or None, [(call.name, json.loads(call.parameters)) for call in calls]


def streamed(style, text, size, *, reasons=False, **options):
    """Returns what `whole` does, as SGLang's handler of chat requests asks for it."""
    reader = ReasoningParser(f"weir_{style}", **options) if reasons else None
    parser = FunctionCallParser(GIVEN, f"weir_{style}")
    reasoning, content, calls = "", "", []
    pieces = [text[at:at + size] for at in range(0, len(text), size)]
    for place, piece in enumerate(pieces):
        is_last = place == len(pieces) - 1
        if reader is not None:
            more, piece = reader.parse_stream_chunk(piece)
            if is_last:
                end, rest = reader.parse_stream_end()
                more, piece = more + end, piece + rest
            reasoning += more
        results = [parser.parse_stream_chunk(piece)] if piece else []
        if is_last:
            results.append(parser.parse_stream_end())
        for normal, items in results:
            content += normal
            for item in items:
                if item.name:
                    assert item.tool_index == len(calls) and item.parameters == ""
                    calls.append([item.name, ""])
                else:
                    assert item.tool_index == len(calls) - 1
                    calls[-1][1] += item.parameters
    detector = parser.detector
    assert [json.dumps(call["arguments"]) for call in detector.prev_tool_call_arr] == [json.dumps(each) for each in detector.streamed_args_for_tool]
    return reasoning or None, content or None, [(name, arguments and json.loads(arguments)) for name, arguments in calls]


def test_every_style_is_registered_and_can_be_chosen():
    sglang_parsers.register()  # a second call changes nothing
    for style in weir.tools.styles():
        assert f"weir_{style}" in FunctionCallParser.ToolCallParserEnum and f"weir_{style}" in _tool_call_parser_choices()
        has_reasoning = _replies.reasoning_tags(style) is not None
        assert (f"weir_{style}" in _reasoning_parser_choices()) == has_reasoning


@pytest.mark.parametrize("style", weir.tools.styles())
def test_text_alone(style):
    for reasons in [False, True] if _replies.reasoning_tags(style) else [False]:
        assert whole(style, "Hello <b>", reasons=reasons) == (None, "Hello <b>", [])
        for size in (1, 4, 100):
            assert streamed(style, "Hello <b>", size, reasons=reasons) == (None, "Hello <b>", [])


@pytest.mark.parametrize("style", CALLS)
def test_calls(style):
    assert whole(style, CALLS[style]) == (None, None, EXPECTED)
    for size in (1, 2, 3, 7, len(CALLS[style])):
        assert streamed(style, CALLS[style], size) == (None, None, EXPECTED), size


@pytest.mark.parametrize("style", [style for style in CALLS if _replies.reasoning_tags(style)])
def test_reasoning_and_calls(style):
    begin, end = _replies.reasoning_tags(style)
    for rest, expected in [(CALLS[style], (REASONING, None, EXPECTED)), ("Yes.", (REASONING, "Yes.", []))]:
        text = f"{begin}{REASONING}{end}{rest}"
        begun = text[len(begin):]
        assert whole(style, text, reasons=True) == whole(style, begun, reasons=True) == expected
        assert whole(style, begun, reasons=True, force_reasoning=True) == expected
        for size in (1, 3, 8, len(text)):
            for options in ({}, {"stream_reasoning": False}):
                assert streamed(style, text, size, reasons=True, **options) == expected, size
                assert streamed(style, begun, size, reasons=True, force_reasoning=True, **options) == expected, size


def test_reasoning_that_is_cut():
    for options in ({}, {"stream_reasoning": False}):
        assert streamed("hermes", f"<think>{REASONING}", 3, reasons=True, **options) == (REASONING, None, [])
    assert whole("hermes", f"<think>{REASONING}", reasons=True) == (REASONING, None, [])


def test_nothing_vanishes():
    cut = '<tool_call>\n{"name": "f", "arg'
    assert whole("hermes", "A " + cut) == (None, "A " + cut, [])
    assert streamed("hermes", "it is 1 <", 1) == (None, "it is 1 <", [])  # held back until the end
    both = f"A {CALLS['hermes']} B {CALLS['hermes']} C"
    assert streamed("hermes", both, 5) == whole("hermes", both)
    assert whole("hermes", both)[2] == 2 * EXPECTED and whole("hermes", both)[1].split() == ["A", "B", "C"]


def test_the_place_of_a_tool_and_an_unknown_one():
    calls = FunctionCallParser(GIVEN, "weir_hermes").parse_non_stream(CALLS["hermes"].replace('"f"', '"g"') + CALLS["hermes"])[1]
    assert [(call.name, call.tool_index) for call in calls] == [("g", -1), ("f", 0)]


@pytest.mark.parametrize("choice", ["required", "auto"])
def test_required_calls_are_json(choice):
    constraint = FunctionCallParser(GIVEN, "weir_hermes").get_structure_constraint(choice)
    assert constraint is None if choice == "auto" else constraint[0] == "json_schema"
