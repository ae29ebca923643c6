"""Response templates: what their tags allow is read by transformers as by weir. Skipped if transformers is not installed.

The templates are of the forms that models' tokenizers have. Random outputs of each one's tag, with tools whose names and
schemas it has, are read by transformers' own parser, whole and in pieces, and by weir in both modes. White space around
reasoning and answers, which templates strip, is not compared.
"""

import json
import random

import pytest

import weir
import weir.tools
from conftest import allowed

chat_parsing = pytest.importorskip("transformers.utils.chat_parsing")

CONTENTS = pytest.importorskip("transformers.utils.chat_parsing.content_parsers").CONTENT_PARSERS
WHOLE = {"type": "function", "function": "{content}"}
NAMED = {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}
EACH = {"type": "function", "function": {"name": "{name}", "arguments": "{arguments}"}}
THINK = {"open": "<think>", "close": "</think>"}
JSON_CALL = {"open_pattern": r"\s*<tool_call>", "close": "</tool_call>", "repeats": True, "content": "json", "transform": WHOLE}


def tags(open_pattern, close, tag_pattern, **more):
    return {"open_pattern": open_pattern, "close": close, "repeats": True, "content": "xml-inline",
            "content_args": {"tag_pattern": tag_pattern}, "transform": NAMED, **more}


FIELDS = {
    "objects": {"thinking": THINK, "tool_calls": JSON_CALL, "content": {"close_pattern": r"\s*(?:<\|im_end\|>|<\|endoftext\|>)"}},
    "objects without blanks": {"thinking": THINK, "content": {"close": "<|im_end|>"},
                               "tool_calls": {**JSON_CALL, "open_pattern": "<tool_call>"}},
    "answers between tags": {"content": {"open": "<response>\n", "close_pattern": r"\n?</response>"}, "tool_calls": JSON_CALL,
                             "thinking": THINK},
    "members": {"content": {}, "tool_calls": {"open": "<tool>", "close": "</tool>", "repeats": True, "content": "json", "transform": {
        "type": "function", "function": {"name": "{content.call}", "arguments": "{content.input}"}}}},
    "list": {"content": {"open": "<|START_RESPONSE|>", "close": "<|END_RESPONSE|>"},
             "reasoning": {"open": "<|START_THINKING|>", "close": "<|END_THINKING|>"},
             "tool_calls": {"open": "<|START_ACTION|>", "close": "<|END_ACTION|>", "content": "json", "transform_each": True,
                            "transform": {"type": "function", "function": {"name": "{tool_name}", "arguments": "{parameters}"}}}},
    "own list": {"content": {"close": "</s>"}, "tool_calls": {"open": "<calls>", "close": "</calls>", "content": "json",
                                                             "transform_each": True, "transform": EACH}},
    "name in the pattern": {"reasoning_content": {"open": "[THINK]", "close": "[/THINK]"}, "content": {"close": "</s>"},
                            "tool_calls": {"open_pattern": r"\[TOOL_CALLS\](?P<name>[^\[\{]+)(?:\[ARGS\])?",
                                           "close_pattern": r"(?=\[TOOL_CALLS\]|</s>)", "repeats": True, "content": "json",
                                           "transform": NAMED}},
    "parameters": {"reasoning_content": THINK, "content": {"close_pattern": r"\s*(?:<\|im_end\|>|<\|endoftext\|>)"},
                   "tool_calls": tags(r"\s*<tool_call>\s*<function=(?P<name>[^>\n]+)>", "</tool_call>",
                                      r"<parameter=(?P<key>[^>\n]+)>\s*(?P<value>.*?)\s*</parameter>")},
    "keys and values": {"reasoning_content": THINK, "content": {"close_pattern": r"\s*(?:<\|user\|>|<\|observation\|>)"},
                        "tool_calls": tags(r"\s*<tool_call>(?P<name>[^<\n]+)\n?", "</tool_call>",
                                           r"<arg_key>(?P<key>.*?)</arg_key>\s*<arg_value>(?P<value>.*?)</arg_value>")},
    "attributes": {"tool_calls": tags(r'<｜DSML｜invoke name="(?P<name>[^"]+)">', "</｜DSML｜invoke>",
                                      r'<｜DSML｜parameter name="(?P<key>[^"]+)" string="(?:true|false)">(?P<value>.*?)</｜DSML｜parameter>')},
    "own tags": {"thinking": {"open_pattern": r"<\|think\|>", "close": "<|done|>"},
                 "content": {"open_pattern": r"<\|say\|>", "close": "<|done|>"},
                 "tool_calls": tags(r"(?:<\|turn\|>bot)?<\|tool\|>(?P<name>[A-Za-z_][A-Za-z0-9_.]*)<\|args\|>", ["<|done|>", "<|eos|>"],
                                    r'<arg name="(?P<key>[^"]+)">(?P<value>.*?)</arg>')},
    "numbered": {"tool_calls": {"open_pattern": r"<\|tool_call_begin\|>functions\.(?P<name>\w+):\d+\s*<\|tool_call_argument_begin\|>",
                                "close": "<|tool_call_end|>", "repeats": True, "content": "json", "transform": NAMED}},
    "brackets": {"thinking": {"open": "<|channel>thought\n", "close": "<channel|>"}, "content": {"close": ["<turn|>", "<eos>"]},
                 "tool_calls": {"open_pattern": r"<\|tool_call>call:(?P<name>\w+)", "close": "<tool_call|>", "repeats": True,
                                "content": "json", "transform": NAMED,
                                "content_args": {"unquoted_keys": True, "string_delims": [['<|"|>', '<|"|>']]}}},
    "channels": {"thinking": {"open": "<|channel|>analysis<|message|>", "close": "<|end|>"},
                 "content": {"open": "<|channel|>final<|message|>", "close": "<|end|>"},
                 "tool_calls": {"open_pattern": r"<\|channel\|>commentary to=functions\.(?P<name>\w+).*?<\|message\|>",
                                "close": "<|call|>", "repeats": True, "content": "json", "transform": NAMED}},
    "messages": {name: {"open_pattern": rf"(?:<\|message_model\|>)?[^<]*<\|content_{kind}\|>", "close": "<|end_message|>",
                        "repeats": True, **more} for name, kind, more in (
                            ("thinking", "thinking", {"join": ""}), ("content", "text", {"join": ""}),
                            ("tool_calls", "invoke_tool_json", {"content": "json", "transform": {
                                "type": "function", "function": {"name": "{content.name}", "arguments": "{content.args}"}}}))},
    "python": {"content": {"close": "<|im_end|>"}, "tool_calls": {
        "open": "<|tool_call_start|>", "close": "<|tool_call_end|>", "content": "python-call-list", "transform_each": True,
        "transform": EACH}},
}
TOOLS = [
    {"type": "function", "function": {"name": "time", "parameters": {
        "type": "object", "required": ["zone"], "additionalProperties": False, "properties": {
            "zone": {"type": "string", "pattern": "^[a-z<>&\" {}\\[\\]:,=/|-]{0,12}$"}, "n": {"type": "integer", "minimum": -99, "maximum": 999},
            "ok": {"type": "boolean"}, "list": {"type": "array", "maxItems": 3,
                     "items": {"type": "integer", "minimum": 0, "maximum": 99}}}}}},
    {"type": "function", "function": {"name": "noon", "parameters": {"type": "object", "properties": {}, "additionalProperties": False}}},
]


@pytest.fixture(scope="module")
def compiler():
    return weir.GrammarCompiler(weir.TokenizerInfo.builtin())


def members(compiled, count, rng):
    """Yields random outputs: random steps, then the shortest way to the end."""
    info = weir.TokenizerInfo.builtin()
    stops = set(info.stop_token_ids)
    for _ in range(count):
        matcher = weir.GrammarMatcher(compiled)
        output = b""
        bitmask = weir.allocate_token_bitmask(1, info.vocab_size)
        for _ in range(rng.randint(0, 120)):
            matcher.fill_next_token_bitmask(bitmask)
            tokens = [token for token in allowed(bitmask[0]) if token not in stops]
            if not tokens:
                break
            token = rng.choice(tokens)
            matcher.accept_token(token)
            output += info.token_bytes(token)
        yield (output + matcher.shortest_completion()).decode(errors="replace")


def said(reasoning, content, calls):
    return (reasoning or "").strip(), (content or "").strip(), calls


def as_transformers_reads(reply, template, cut):
    parser = chat_parsing.ResponseParser(template, prefix="", tools=TOOLS)
    for at in range(0, len(reply), cut):
        parser.feed(reply[at:at + cut])
    message, _ = parser.finalize()
    reasoning = next((message[name] for name in ("reasoning_content", "reasoning", "thinking") if name in message), None)
    content = message.get("content")
    calls = [call["function"] for call in message.get("tool_calls", [])]
    return said(reasoning, content, [(call["name"], call["arguments"]) for call in calls])


def as_weir_reads(reply, parser, cut):
    parser.reset()
    for at in range(0, len(reply), cut):
        parser.feed(reply[at:at + cut])
    message = parser.finish()
    return said(message["reasoning"], message["content"], [(call["name"], call["arguments"]) for call in message["tool_calls"]])


@pytest.mark.parametrize("name", FIELDS)
def test_tag_and_parsers_agree(name, compiler):
    fields = FIELDS[name]
    if any(field.get("content", "text") not in CONTENTS for field in fields.values()):
        pytest.skip("this version of transformers does not have the content python-call-list")
    template = {"defaults": {"role": "assistant"}, "start_anchor": "<|assistant|>", "fields": fields}
    rng = random.Random(7)
    for choice, reasoning in (("auto", "none"), ("required", "none"), ("auto", "whole"), ("required", "auto")):
        if reasoning != "none" and not {"thinking", "reasoning", "reasoning_content"} & set(fields):
            continue
        options = {"tool_choice": choice, "reasoning": reasoning}
        compiled = compiler.compile_structural_tag(weir.tools.structural_tag(template, TOOLS, **options), profile="serving")
        parsers = [weir.ReplyParser(json.dumps(template), TOOLS), weir.ReplyParser(template, TOOLS, mode="strict", **options)]
        for reply in members(compiled, 12, rng):
            wanted = as_transformers_reads(reply, template, len(reply) or 1)
            # In pieces, transformers takes a call to begin before `[ARGS]`, which the pattern lets be left out.
            if name != "name in the pattern":
                assert as_transformers_reads(reply, template, 3) == wanted, reply
            for parser in parsers:
                for cut in (1, 5, len(reply) or 1):
                    reasoning_read, content, calls = as_weir_reads(reply, parser, cut)
                    # A template without an answer drops text; weir loses nothing.
                    assert (reasoning_read, content if "content" in fields else "", calls) == wanted, reply


def test_errors_lead_into_the_template():
    template = {"start_anchor": "a", "fields": {"tool_calls": {"open_pattern": "(?<=x)<call>", "content": "json", "transform": WHOLE}}}
    with pytest.raises(weir.GrammarError, match="assertions"):
        weir.tools.structural_tag(template, TOOLS)
    with pytest.raises(weir.GrammarError) as caught:
        weir.ReplyParser(template, TOOLS)
    assert caught.value.pointer == "/fields/tool_calls/open_pattern"
    for call in (weir.ReplyParser, weir.tools.structural_tag):
        with pytest.raises(TypeError):
            call(["hermes"], TOOLS)
