"""weir as parsers of tool calls and of reasoning in vLLM, for every style of docs/tools.md.

    vllm serve MODEL --enable-auto-tool-choice --tool-call-parser weir_hermes --reasoning-parser weir_hermes

vLLM finds them where weir is installed. A vLLM that loads no plugins takes this file by --tool-parser-plugin and
--reasoning-parser-plugin. docs/vllm.md has the rest.

HOW. vLLM's DelegatingParser has one pair of parsers for each reply. It asks the parser of the reasoning until that has
ended, and gives what follows to the parser of calls. Both are "engine based": they get each piece once, and
`finish_streaming` at the end, so that reading is linear and nothing is held back for ever.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import vllm
from weir import tools as weir_tools
from weir.errors import GrammarError
from weir.integrations._replies import (
    Part,
    ReasoningReader,
    ReplyReader,
    parser_name,
    reasoning_tags,
    request_tools,
    styles,
)
from weir.integrations._vllm_plugin import check_version, is_asked_for

check_version(vllm.__version__)

from vllm.entrypoints.generate.base.protocol import (
    DeltaFunctionCall,
    DeltaMessage,
    DeltaToolCall,
    ExtractedToolCallInformation,
    FunctionCall,
    ToolCall,
)
from vllm.entrypoints.openai.responses.protocol import ResponsesRequest
from vllm.logger import init_logger
from vllm.reasoning import ReasoningParser, ReasoningParserManager
from vllm.renderers.chat_utils import make_tool_call_id
from vllm.sampling_params import StructuredOutputsParams
from vllm.tool_parsers import ToolParser, ToolParserManager

if TYPE_CHECKING:
    from vllm.tokenizers import TokenizerLike

__all__ = ["WeirReasoningParser", "WeirToolParser", "register"]

_logger = init_logger(__name__)
_TAIL = 64  # tokens at the end of a prompt among which its last tag of reasoning is


class WeirToolParser(ToolParser):
    """Reads the calls of one reply. Each style has a class of its own, with `style`."""

    style: str
    engine_based_streaming = True
    # Calls are read as the model writes them, also with tool_choice "required" or a named function.
    supports_required_and_named = False
    # True: there is no parser of reasoning, and the tags of reasoning are text. DelegatingParser sets it.
    skip_reasoning_parsing = False

    def __init__(self, tokenizer: TokenizerLike, tools: list[Any] | None = None, **_: Any) -> None:
        super().__init__(tokenizer, tools)
        self._reader: ReplyReader | None = None

    def adjust_request(self, request: Any) -> Any:
        """Keeps special tokens in the text, since they may be tags; and, with weir as the backend, has masks allow the calls
        that the request asks for."""
        if not request.tools or request.tool_choice == "none":
            return request
        request.skip_special_tokens = False
        is_forced = request.tool_choice not in (None, "auto")
        is_strict = any(tool.get("function", tool).get("strict") for tool in request_tools(request.tools))
        # An answer may have a constraint of its own; then it stays, unless a call is forced.
        if is_asked_for() and (is_forced or (is_strict and request.extract_structured_outputs() is None)):
            tag = self._tag(request, is_forced)
            if tag is not None:
                request.structured_outputs = StructuredOutputsParams(structural_tag=json.dumps(tag))
                if isinstance(request, ResponsesRequest):
                    request.text = None
                else:
                    request.response_format = None
        return request

    def _tag(self, request: Any, is_forced: bool) -> dict[str, Any] | None:
        choice = request.tool_choice or "auto"
        if not isinstance(choice, str):
            given = choice.model_dump()
            choice = {"type": "function", "function": {"name": given.get("function", given)["name"]}}
        make = functools.partial(weir_tools.structural_tag, self.style, request_tools(request.tools), tool_choice=choice,
                                 parallel_tool_calls=request.parallel_tool_calls)
        try:
            return make()
        except GrammarError as error:
            if is_forced:
                raise ValueError(f"weir refuses the tools: {error}") from error
            refused = error
        try:
            made = make(on_bad_tool="loosen")
            _logger.warning("weir: calls of some tools are not constrained: %s", refused)
            return made
        except GrammarError:
            _logger.warning("weir: calls are not constrained: %s", refused)
            return None

    def extract_tool_calls(self, model_output: str, request: Any) -> ExtractedToolCallInformation:
        if request.tool_choice == "none":
            return ExtractedToolCallInformation(tools_called=False, tool_calls=[], content=model_output or None)
        reader = self._new_reader(request)
        parts = [*reader.feed(model_output), *reader.finish()]
        calls = [ToolCall(id=call.id or make_tool_call_id(),
                          function=FunctionCall(id=call.id or None, name=call.name, arguments=call.arguments))
                 for call in reader.calls if call.is_valid]
        text = "".join(part.text for part in parts if part.kind == "text")
        return ExtractedToolCallInformation(tools_called=bool(calls), tool_calls=calls, content=text or None)

    def extract_tool_calls_streaming(
        self, previous_text: str, current_text: str, delta_text: str, previous_token_ids: Sequence[int],
        current_token_ids: Sequence[int], delta_token_ids: Sequence[int], request: Any,
    ) -> DeltaMessage | None:
        if request.tool_choice == "none":  # vLLM would drop calls; so they stay as the model wrote them
            return _message(content=delta_text)
        if self._reader is None:
            self._reader = self._new_reader(request)
        return self._delta(self._reader.feed(delta_text))

    def finish_streaming(self) -> DeltaMessage | None:
        """The reply has ended: returns what was held back."""
        return self._delta(self._reader.finish()) if self._reader is not None else None

    def _new_reader(self, request: Any) -> ReplyReader:
        tools = self.tools or getattr(request, "tools", None)
        return ReplyReader(self.style, request_tools(tools), parses_reasoning=not self.skip_reasoning_parsing)

    def _delta(self, parts: list[Part]) -> DeltaMessage | None:
        texts = {"text": "", "reasoning": ""}
        calls = []
        for part in parts:
            if part.kind == "call":
                calls.append(DeltaToolCall(index=part.call, id=part.id or make_tool_call_id(), type="function",
                                           function=DeltaFunctionCall(name=part.name)))
                self.current_tool_id = part.call
            elif part.kind == "arguments":
                calls.append(DeltaToolCall(index=part.call, function=DeltaFunctionCall(arguments=part.text)))
            else:
                texts[part.kind] += part.text
        return _message(content=texts["text"], reasoning=texts["reasoning"], tool_calls=calls)


def _message(**members: Any) -> DeltaMessage | None:
    """Returns a delta with the members that are not empty. vLLM sends what the constructor was given, and nothing else."""
    given = {name: value for name, value in members.items() if value}
    return DeltaMessage(**given) if given else None


class WeirReasoningParser(ReasoningParser):
    """Reads the reasoning of one reply. Each style that has reasoning has a class of its own, with `style` and `tags`."""

    style: str
    tags: tuple[str, str]
    engine_based_streaming = True

    def __init__(self, tokenizer: TokenizerLike, *args: Any, **kwargs: Any) -> None:
        super().__init__(tokenizer, *args, **kwargs)
        self._is_begun = False
        self._reader: ReasoningReader | None = None
        self._end_ids = tokenizer.encode(self.tags[1], add_special_tokens=False)

    @property
    def reasoning_start_str(self) -> str | None:
        return self.tags[0]

    @property
    def reasoning_end_str(self) -> str | None:
        return self.tags[1]

    def adjust_request(self, request: Any) -> Any:
        request.skip_special_tokens = False
        return request

    def is_reasoning_end(self, input_ids: Sequence[int]) -> bool:
        """Returns True if a prompt ends with reasoning that is closed, or an output has closed it."""
        text = self._text(input_ids[-_TAIL:])
        closed = text.rfind(self.tags[1])
        return closed >= 0 and text.find(self.tags[0].strip(), closed + len(self.tags[1])) < 0

    def is_reasoning_end_streaming(self, input_ids: Sequence[int], delta_ids: Iterable[int]) -> bool:
        new = len(list(delta_ids))
        return self.tags[1] in self._text(input_ids[-(new + len(self._end_ids)):])

    def extract_content_ids(self, input_ids: list[int]) -> list[int]:
        at = self._end_in(input_ids)
        return input_ids[at:] if at is not None else []

    def count_reasoning_tokens(self, token_ids: Sequence[int]) -> int:
        at = self._end_in(token_ids)
        if at is not None:
            return max(at - len(self._end_ids), 0)
        is_begun = self._is_begun or self._text(token_ids[:_TAIL]).lstrip().startswith(self.tags[0].strip())
        return len(token_ids) if is_begun else 0  # reasoning that is cut is reasoning

    def set_prompt_token_ids(self, prompt_token_ids: Sequence[int]) -> None:
        text = self._text(prompt_token_ids[-_TAIL:])
        self._is_begun = text.rfind(self.tags[0].strip()) > text.rfind(self.tags[1])

    def adjust_initial_state_from_prompt(self, prompt_token_ids: Sequence[int]) -> None:
        self.set_prompt_token_ids(prompt_token_ids)

    def extract_reasoning(self, model_output: str, request: Any) -> tuple[str | None, str | None]:
        reader = self._new_reader(model_output)
        reasoning, rest = reader.feed(model_output)
        more, last = reader.finish()
        return (reasoning + more) or None, (rest + last) or None

    def extract_reasoning_streaming(
        self, previous_text: str, current_text: str, delta_text: str, previous_token_ids: Sequence[int],
        current_token_ids: Sequence[int], delta_token_ids: Sequence[int],
    ) -> DeltaMessage | None:
        if self._reader is None:
            self._reader = self._new_reader("")
        reasoning, rest = self._reader.feed(delta_text)
        return _message(reasoning=reasoning, content=rest)

    def has_engine_confirmed_reasoning_end(self) -> bool:
        return self._reader is not None and self._reader.has_ended

    def finish_streaming(self) -> DeltaMessage | None:
        """The reasoning, or the reply within it, has ended: returns what was held back."""
        reasoning, rest = self._reader.finish() if self._reader is not None else ("", "")
        return _message(reasoning=reasoning, content=rest)

    def _new_reader(self, whole: str) -> ReasoningReader:
        # Of a whole reply the prompt may not be known; an end without a beginning says what it was.
        begin, end = self.tags
        is_begun = self._is_begun or (end in whole and begin.strip() not in whole[:whole.find(end)])
        return ReasoningReader(self.style, is_begun=is_begun)

    def _text(self, ids: Sequence[int]) -> str:
        return str(self.model_tokenizer.decode(list(ids), skip_special_tokens=False))

    def _end_in(self, ids: Sequence[int]) -> int | None:
        """Returns the place after the first end of reasoning."""
        end = list(self._end_ids)
        return next((at + len(end) for at in range(len(ids) - len(end) + 1) if list(ids[at:at + len(end)]) == end), None)


def _class_name(style: str, kind: str) -> str:
    return "Weir" + "".join(word.capitalize() for word in style.split("_")) + kind


def register() -> None:
    """Makes weir_STYLE a parser of calls for every style, and a parser of reasoning for those that have it. A second call
    changes nothing."""
    for style in styles():
        name = parser_name(style)
        if name in ToolParserManager.tool_parsers:
            continue
        calls = type(_class_name(style, "ToolParser"), (WeirToolParser,), {"style": style, "__module__": __name__})
        ToolParserManager.register_module(name=name, module=calls)
        tags = reasoning_tags(style)
        if tags is not None:
            reasoning = type(_class_name(style, "ReasoningParser"), (WeirReasoningParser,),
                             {"style": style, "tags": tags, "__module__": __name__})
            ReasoningParserManager.register_module(name=name, module=reasoning)


register()
