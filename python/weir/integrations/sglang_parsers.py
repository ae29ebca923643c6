"""weir as parsers of tool calls and of reasoning in SGLang, for every style of docs/tools.md.

    python -m sglang.launch_server --model-path MODEL --tool-call-parser weir_hermes --reasoning-parser weir_hermes

docs/sglang.md has the rest.

HOW. SGLang makes a detector for each reply, by its name in two dictionaries, to which a plugin may add. It gives each piece
once, and calls `finish` at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sglang.srt.function_call.base_format_detector import BaseFormatDetector
from sglang.srt.function_call.core_types import StreamingParseResult, ToolCallItem
from sglang.srt.function_call.function_call_parser import FunctionCallParser
from sglang.srt.parser.reasoning_parser import BaseReasoningFormatDetector, ReasoningParser
from sglang.srt.parser.reasoning_parser import StreamingParseResult as ReasoningResult
from weir.integrations._replies import (
    Part,
    ReasoningReader,
    ReplyReader,
    parser_name,
    reasoning_tags,
    request_tools,
    styles,
)

__all__ = ["WeirDetector", "WeirReasoningDetector", "register"]


class WeirDetector(BaseFormatDetector):
    """Reads the calls of one reply. Each style has a class of its own, with `style`."""

    style: str

    def __init__(self) -> None:
        super().__init__()
        self._reader: ReplyReader | None = None

    def has_tool_call(self, text: str) -> bool:
        """Returns True if reading finds a call, or markup that is not text."""
        reader = ReplyReader(self.style, [], parses_reasoning=False)
        parts = [*reader.feed(text), *reader.finish()]
        return bool(reader.calls) or "".join(part.text for part in parts) != text

    def detect_and_parse(self, text: str, tools: Sequence[Any]) -> StreamingParseResult:
        reader = self._new_reader(tools)
        parts = [*reader.feed(text), *reader.finish()]
        places = {tool.get("function", tool).get("name"): place for place, tool in enumerate(request_tools(tools))}
        calls = [ToolCallItem(tool_index=places.get(call.name, -1), name=call.name, parameters=call.arguments)
                 for call in reader.calls if call.is_valid]
        return StreamingParseResult(normal_text="".join(part.text for part in parts if part.kind == "text"), calls=calls)

    def parse_streaming_increment(self, new_text: str, tools: Sequence[Any]) -> StreamingParseResult:
        if self._reader is None:
            self._reader = self._new_reader(tools)
        return self._result(self._reader.feed(new_text))

    def finish(self, tools: Sequence[Any]) -> StreamingParseResult:
        return self._result(self._reader.finish()) if self._reader is not None else StreamingParseResult()

    def supports_structural_tag(self) -> bool:
        """Returns False: SGLang then constrains required calls to a list of JSON, which it reads itself."""
        return False

    def structure_info(self) -> Any:
        raise NotImplementedError("weir's parsers have no structural tags for SGLang")

    def _new_reader(self, tools: Sequence[Any]) -> ReplyReader:
        # SGLang's parser of reasoning, if there is one, has read the reasoning already.
        return ReplyReader(self.style, request_tools(tools), parses_reasoning=False)

    def _result(self, parts: list[Part]) -> StreamingParseResult:
        result = StreamingParseResult()
        for part in parts:
            if part.kind == "text":
                result.normal_text += part.text
            elif part.kind == "call":
                result.calls.append(ToolCallItem(tool_index=part.call, name=part.name, parameters=""))
                self.current_tool_id = part.call
                # SGLang sends at the end what these two differ by, which is nothing: arguments are streamed as they come.
                self.prev_tool_call_arr.append({"name": part.name, "arguments": ""})
                self.streamed_args_for_tool.append("")
            elif part.kind == "arguments":
                result.calls.append(ToolCallItem(tool_index=part.call, parameters=part.text))
        return result


class WeirReasoningDetector(BaseReasoningFormatDetector):
    """Reads the reasoning of one reply. Each style that has reasoning has a class of its own, with `style` and `tags`."""

    style: str
    tags: tuple[str, str]
    _in_reasoning: bool  # these two are the base class's
    _accumulated_reasoning: str

    def __init__(self, stream_reasoning: bool = True, force_reasoning: bool = False, continue_final_message: bool = False,
                 previous_content: str = "", force_nonempty_content: bool = False) -> None:
        super().__init__(*self.tags, force_reasoning=force_reasoning, stream_reasoning=stream_reasoning,
                         continue_final_message=continue_final_message, previous_content=previous_content or "",
                         force_nonempty_content=force_nonempty_content, thinks_internally=True,
                         reasoning_default="enable_thinking")
        self._reader: ReasoningReader | None = None
        self._kept = ""  # reasoning that waits for its end, if it is not streamed

    def _detect_and_parse_impl(self, text: str) -> ReasoningResult:
        begin, end = self.tags
        is_begun = self._in_reasoning or (end in text and begin.strip() not in text[:text.find(end)])
        reader = ReasoningReader(self.style, is_begun=is_begun)
        reasoning, rest = reader.feed(text)
        more, last = reader.finish()
        return ReasoningResult(normal_text=rest + last, reasoning_text=reasoning + more)

    def _parse_streaming_increment_impl(self, new_text: str) -> ReasoningResult:
        if self._reader is None:
            self._reader = ReasoningReader(self.style, is_begun=self._in_reasoning)
        reasoning, rest = self._reader.feed(new_text)
        self._in_reasoning = not self._reader.has_ended
        return self._given(reasoning, rest)

    def finish(self) -> ReasoningResult:
        if self._reader is None:
            return ReasoningResult()
        reasoning, rest = self._reader.finish()
        result = self._given(reasoning, rest)
        if self._force_nonempty_content and self._in_reasoning:
            whole = self._accumulated_reasoning + result.reasoning_text
            self._accumulated_reasoning = ""
            result = ReasoningResult(normal_text=whole + result.normal_text)
        self._in_reasoning = False
        return result

    def _given(self, reasoning: str, rest: str) -> ReasoningResult:
        self._kept += reasoning
        is_over = self._reader is None or self._reader.has_ended
        given = ""
        if self.stream_reasoning or is_over:
            given, self._kept = self._kept, ""
        return ReasoningResult(normal_text=rest, reasoning_text=given)


def register() -> None:
    """Makes weir_STYLE a parser of calls for every style, and a parser of reasoning for those that have it. A second call
    changes nothing."""
    for style in styles():
        name = parser_name(style)
        label = "".join(word.capitalize() for word in style.split("_"))
        FunctionCallParser.ToolCallParserEnum.setdefault(
            name, type(f"Weir{label}Detector", (WeirDetector,), {"style": style, "__module__": __name__}))
        tags = reasoning_tags(style)
        if tags is not None:
            ReasoningParser.DetectorMap.setdefault(
                name, type(f"Weir{label}ReasoningDetector", (WeirReasoningDetector,),
                           {"style": style, "tags": tags, "__module__": __name__}))
