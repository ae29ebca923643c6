"""A server's stream: what a model writes becomes chunks of OpenAI's chat completions, with calls as typed deltas.

The model writes calls in a form of its own, here XML. The client gets the index, the id and the name of each call as soon
as they are certain, and its arguments as JSON while they are written.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypedDict

import weir
from decoding import stream
from models import EchoModel


class FunctionDelta(TypedDict, total=False):
    name: str
    arguments: str  # JSON; all of a call's joined are its arguments


class CallDelta(TypedDict, total=False):
    index: int  # the call that the delta is of
    id: str  # this and the type are in the first delta of a call alone
    type: Literal["function"]
    function: FunctionDelta


class Delta(TypedDict, total=False):
    reasoning_content: str
    content: str
    tool_calls: list[CallDelta]


class Choice(TypedDict):
    index: int
    delta: Delta
    finish_reason: Literal["stop", "tool_calls", "length"] | None


def delta_of(event: weir.ReplyEvent, ids: Iterator[str]) -> Delta | None:
    """Returns what the event adds to the message; None if that is nothing.

    `event.call` is the index as long as no call is taken back (`call_invalid`): the mask and the mode `strict` exclude that.
    """
    if event.kind == "reasoning":
        return {"reasoning_content": event.text}
    if event.kind == "text":
        return {"content": event.text}
    if event.kind == "call_begins":
        return {"tool_calls": [{"index": event.call, "id": event.id or next(ids), "type": "function",
                                "function": {"name": event.name, "arguments": ""}}]}
    if event.kind == "arguments":
        return {"tool_calls": [{"index": event.call, "function": {"arguments": event.text}}]}
    return None  # tags, and ends, of which the chunks say nothing


def choices(pieces: Iterable[list[int]], parser: weir.ReplyParser, *, max_tokens: int) -> Iterator[Choice]:
    """Yields a choice for each event that says something, and at the end one with the reason why the reply ends."""
    ids = (f"call_{number}" for number in itertools.count(1))  # a server takes random ones
    has_calls, count = False, 0

    def said(events: Iterable[weir.ReplyEvent]) -> Iterator[Choice]:
        nonlocal has_calls
        for event in events:
            has_calls |= event.kind == "call_begins"
            if delta := delta_of(event, ids):
                yield {"index": 0, "delta": delta, "finish_reason": None}

    for tokens in pieces:
        yield from said(parser.feed(tokens))
        count += len(tokens)
        if count >= max_tokens:  # a call in progress stays as it is, and a client does not run it
            yield from said(parser.cut())
            yield {"index": 0, "delta": {}, "finish_reason": "length"}
            return
    yield from said(parser.feed("", final=True))  # what was held back
    yield {"index": 0, "delta": {}, "finish_reason": "tool_calls" if has_calls else "stop"}


def message_of(received: Iterable[Choice]) -> dict[str, Any]:
    """Returns the message that a client has in the end: it joins deltas by their index."""
    message: dict[str, Any] = {"role": "assistant", "content": None}
    calls: dict[int, dict[str, Any]] = {}
    for choice in received:
        delta = choice["delta"]
        if "content" in delta:
            message["content"] = (message["content"] or "") + delta["content"]
        for one in delta.get("tool_calls", []):
            if "id" in one:
                calls[one["index"]] = {"id": one["id"], "type": "function",
                                       "function": {"name": one["function"]["name"], "arguments": ""}}
            calls[one["index"]]["function"]["arguments"] += one["function"]["arguments"]
    if calls:
        message["tool_calls"] = [calls[index] for index in sorted(calls)]
    return message


STYLE = "qwen_coder"
TOOLS = [{"type": "function", "function": {"name": "book", "parameters": {
    "type": "object", "properties": {"to": {"type": "string"}, "seats": {"type": "integer"}}, "required": ["to", "seats"],
    "additionalProperties": False}}}]
REQUEST = "Two seats to Porto and one to Faro.\n"
REPLY = """I book both.
<tool_call>
<function=book>
<parameter=to>
Porto
</parameter>
<parameter=seats>
2
</parameter>
</function>
</tool_call>
<tool_call>
<function=book>
<parameter=to>
Faro
</parameter>
<parameter=seats>
1
</parameter>
</function>
</tool_call>"""


def main() -> None:
    model = EchoModel([REQUEST + REPLY])
    tag = weir.tools.structural_tag(STYLE, TOOLS)
    compiled = weir.GrammarCompiler(model.tokenizer_info).compile_structural_tag(tag)
    parser = weir.ReplyParser(STYLE, TOOLS, mode="strict", tokenizer_info=model.tokenizer_info)
    tokens = ([token] for token, _ in stream(model, compiled, model.prompt(REQUEST), max_tokens=None))
    received: list[Choice] = []
    for choice in choices(tokens, parser, max_tokens=200):
        print("data:", json.dumps(choice["delta"] or {"finish_reason": choice["finish_reason"]}))
        received.append(choice)
    print(json.dumps(message_of(received), indent=2))


if __name__ == "__main__":
    main()
