"""What parsers of replies for servers have in common: a ReplyParser's events as the parts that a chat API streams."""

from __future__ import annotations

import dataclasses
import functools
import json
import logging
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from weir import tools as weir_tools
from weir._weir import ReplyEvent, ReplyParser
from weir.errors import GrammarError

__all__ = ["Call", "Part", "ReasoningReader", "ReplyReader", "parser_name", "reasoning_tags", "request_tools", "styles"]

_logger = logging.getLogger("weir")


def parser_name(style: str) -> str:
    """Returns the name that servers know a style's parser by: "weir_hermes"."""
    return f"weir_{style}"


def styles() -> list[str]:
    return weir_tools.styles()


@functools.cache
def reasoning_tags(style: str) -> tuple[str, str] | None:
    """Returns the texts around reasoning; None if the style has none or more than one form, or ends other parts likewise."""
    try:
        tag = weir_tools.structural_tag(style, None, reasoning="whole")["format"]
    except GrammarError:
        return None
    first, *rest = tag.get("elements", [tag])
    if first.get("type") != "tag" or json.dumps(first["end"]) in json.dumps(rest):
        return None
    return first["begin"], first["end"]


def request_tools(tools: Iterable[Any] | None) -> list[dict[str, Any]]:
    """Returns the functions of a request's tools, which are pydantic models or dicts."""
    given = (tool if isinstance(tool, dict) else tool.model_dump() for tool in tools or [])
    return [tool for tool in given if tool.get("type") in (None, "function")]


@dataclasses.dataclass
class Part:
    """What a piece of a reply adds. A "call" has `name` and `id`, which may be ""."""

    kind: Literal["text", "reasoning", "call", "arguments"]
    text: str = ""
    call: int = 0
    name: str = ""
    id: str = ""


@dataclasses.dataclass
class Call:
    name: str
    id: str
    arguments: str = ""
    is_valid: bool = True


class ReplyReader:
    """Reads a reply that is being written, or a whole one.

    parses_reasoning: False: reasoning is text, tags included, because the server has another parser for it.
    calls: the calls so far. One that turned out to be none is not valid, and its text was given as text.
    """

    def __init__(self, style: str, tools: Sequence[dict[str, Any]], *, parses_reasoning: bool) -> None:
        self.calls: list[Call] = []
        self._parser = _parser_of(style, tools)
        self._parses_reasoning = parses_reasoning
        self._raw = bytearray()  # what no event has accounted for, and where it begins
        self._begin = 0
        self._has_ended = False

    def feed(self, text: str) -> list[Part]:
        piece = text.encode("utf-8", "replace")
        self._raw += piece
        return self._parts(self._parser.feed(piece))

    def finish(self) -> list[Part]:
        """Ends the reply. A second call returns nothing."""
        if self._has_ended:
            return []
        self._has_ended = True
        return self._parts(self._parser.feed(b"", final=True))

    def _parts(self, events: list[ReplyEvent]) -> list[Part]:
        parts: list[Part] = []
        for event in events:
            raw = self._take(event.end)
            part = self._part(event, raw)
            last = parts[-1] if parts else None
            if part is None:
                continue
            if last is not None and last.kind == part.kind != "call" and last.call == part.call:
                last.text += part.text
            else:
                parts.append(part)
        return parts

    def _take(self, end: int) -> bytes:
        raw = bytes(self._raw[:end - self._begin])
        del self._raw[:end - self._begin]
        self._begin = end
        return raw

    def _part(self, event: ReplyEvent, raw: bytes) -> Part | None:
        kind = event.kind
        if kind == "text":
            return Part("text", event.text)
        if kind.startswith("reasoning"):
            if not self._parses_reasoning:
                return Part("text", raw.decode("utf-8", "replace"))
            return Part("reasoning", event.text) if kind == "reasoning" else None
        if kind == "call_begins":
            self.calls.append(Call(event.name, event.id))
            return Part("call", call=event.call, name=event.name, id=event.id)
        if kind == "arguments":
            self.calls[event.call].arguments += event.text
            return Part("arguments", event.text, event.call)
        if kind == "call_invalid":
            if event.call < len(self.calls):  # else its name is not known
                self.calls[event.call].is_valid = False
            return Part("text", event.text)
        return None


def _parser_of(style: str, tools: Sequence[dict[str, Any]]) -> ReplyParser:
    # The request was accepted, and the reply has still to be read: without a schema, arguments are as they are written.
    try:
        return ReplyParser(style, list(tools))
    except GrammarError as error:
        refused = error
    try:
        made = ReplyParser(style, list(tools), on_bad_tool="loosen")
        _logger.warning("weir: replies are read without the schemas of some tools: %s", refused.message)
        return made
    except GrammarError:
        _logger.warning("weir: replies are read without the schemas of the tools: %s", refused.message)
        return ReplyParser(style, None)


class ReasoningReader:
    """Reads the reasoning of a reply, and gives what follows as it was written, for a parser of calls.

    has_ended: True: the reasoning is over, or there was none.
    """

    def __init__(self, style: str, *, is_begun: bool) -> None:
        self.has_ended = False
        self._parser = ReplyParser(style, None, in_reasoning=is_begun)
        self._raw = bytearray()  # what is not reasoning, so far
        self._begin = 0

    def feed(self, text: str) -> tuple[str, str]:
        """Returns the reasoning and the rest that `text` adds."""
        return self._feed(text, final=False)

    def finish(self) -> tuple[str, str]:
        """Ends the reply."""
        return self._feed("", final=True)

    def _feed(self, text: str, *, final: bool) -> tuple[str, str]:
        piece = text.encode("utf-8", "replace")
        self._raw += piece
        reasoning = ""
        if not self.has_ended:
            for event in self._parser.feed(piece, final=final):
                if event.kind == "reasoning":
                    reasoning += event.text
                if event.kind.startswith("reasoning"):
                    self._drop(event.end)
                if event.kind == "reasoning_ends" or event.kind in ("text", "call_begins", "call_invalid"):
                    self.has_ended = True
                    break
            self.has_ended = self.has_ended or final
        return reasoning, self.take_rest() if self.has_ended else ""

    def _drop(self, end: int) -> None:
        del self._raw[:end - self._begin]
        self._begin = end

    def take_rest(self) -> str:
        """Returns what was read and is not reasoning. Bytes of a character that is not complete stay."""
        text = self._raw.decode("utf-8", "replace")
        self._begin += len(self._raw)
        self._raw.clear()
        return text
