"""xgrammar.builtin_structural_tag: structural tags for the formats in which models reason and write calls.

The tags are those of xgrammar 0.2.8. They differ in places from those of weir.tools, which follow the models'
templates.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, Literal, TypeVar

from weir.compat.xgrammar.openai_tool_call_schema import (
    AllowedToolChoiceParam,
    BuiltinToolChoiceParam,
    BuiltinToolParam,
    FunctionDefinition,
    FunctionToolParam,
    NamedToolChoiceParam,
)
from weir.compat.xgrammar.structural_tag import (
    AnyTextFormat,
    ConstStringFormat,
    JSONSchemaFormat,
    OptionalFormat,
    OrFormat,
    RegexFormat,
    SequenceFormat,
    StructuralTag,
    TagFormat,
    TagsWithSeparatorFormat,
    TriggeredTagsFormat,
)

__all__ = ["FunctionDefinition", "get_builtin_structural_tag", "get_cohere_structural_tag",
           "get_deepseek_r1_structural_tag", "get_deepseek_v3_1_structural_tag", "get_deepseek_v3_2_structural_tag",
           "get_deepseek_v4_1_structural_tag", "get_deepseek_v4_structural_tag", "get_exaone_structural_tag",
           "get_glm_4_7_structural_tag", "get_harmony_structural_tag", "get_kimi_k3_structural_tag",
           "get_kimi_structural_tag", "get_llama_structural_tag", "get_mimo_structural_tag",
           "get_minimax_m3_structural_tag", "get_minimax_structural_tag", "get_model_structural_tag",
           "get_qwen_3_5_structural_tag", "get_qwen_3_coder_structural_tag", "get_qwen_3_structural_tag",
           "normalize_tool_choice", "register_model_structural_tag"]

_THINK = ("<think>", "</think>")
Builder = TypeVar("Builder", bound=Callable[..., StructuralTag])


def _read(value: Any, classes: tuple[type, ...]) -> Any:
    """Returns an object of the first of the classes whose form the value has."""
    if isinstance(value, classes):
        return value
    dump = getattr(value, "model_dump", None)
    form = dump(exclude_none=True) if dump is not None else value
    reasons = []
    for one in classes:
        try:
            return one.of(form)  # type: ignore[attr-defined]
        except ValueError as error:
            reasons.append(str(error))
    raise ValueError("; ".join(reasons))


def normalize_tool_choice(
    tools: list[Any] | None = None, tool_choice: Any = "auto"
) -> tuple[list[FunctionToolParam], list[BuiltinToolParam], str]:
    """Returns the functions, the server's tools, and the mode: "auto", "required" or "forced" (one function must be
    called).

    Raises ValueError: the choice is not valid, or names no tool.
    """
    if tools is not None and not isinstance(tools, list):
        raise ValueError("`tools` is not a list")
    known = [_read(tool, (FunctionToolParam, BuiltinToolParam)) for tool in tools or []]
    functions = [tool for tool in known if isinstance(tool, FunctionToolParam)]
    builtins = [tool for tool in known if isinstance(tool, BuiltinToolParam)]
    mode = "auto" if tool_choice is None else tool_choice
    if mode == "none":
        functions, builtins, mode = [], [], "auto"
    elif mode not in ("auto", "required"):
        choice = _read(mode, (NamedToolChoiceParam, AllowedToolChoiceParam, BuiltinToolChoiceParam))
        functions, builtins, mode = _chosen(functions, builtins, choice)
    if mode == "required" and not functions and not builtins:
        raise ValueError("a call is required, and there are no tools")
    return functions, builtins, mode


def _chosen(functions: list[FunctionToolParam], builtins: list[BuiltinToolParam],
            choice: Any) -> tuple[list[FunctionToolParam], list[BuiltinToolParam], str]:
    if isinstance(choice, BuiltinToolChoiceParam):
        builtins = [tool for tool in builtins if tool.type == choice.type]
        if len(builtins) != 1:
            raise ValueError(f"{len(builtins)} tools are of the type `{choice.type}`, and not one")
        return [], builtins, "forced"
    if isinstance(choice, NamedToolChoiceParam):
        name = choice.function.name
        functions = [tool for tool in functions if tool.function.name == name]
        if len(functions) != 1:
            raise ValueError(f"{len(functions)} tools have the name `{name}`, and not one")
        return functions, [], "forced"
    refs = choice.allowed_tools.tools
    if any(ref.type == "function" and ref.function is None for ref in refs):
        raise ValueError("an allowed function has no name")
    names = {ref.function.name for ref in refs if ref.type == "function"}
    types = {ref.type for ref in refs if ref.type != "function"}
    missing = (names - {tool.function.name for tool in functions}) | (types - {tool.type for tool in builtins})
    if missing:
        raise ValueError(f"there are no such tools: {', '.join(sorted(missing))}")
    return ([tool for tool in functions if tool.function.name in names],
            [tool for tool in builtins if tool.type in types], choice.allowed_tools.mode)


@dataclasses.dataclass(frozen=True)
class _Request:
    """The request for which a model's tag is made."""

    functions: list[FunctionToolParam]
    builtins: list[BuiltinToolParam]
    mode: str
    reasoning: str
    any_order: bool
    excludes: bool
    max_whitespace: int | None
    one_call: bool

    def arguments(self, tool: Any, style: str = "json", excludes: tuple[str, ...] = ()) -> JSONSchemaFormat:
        """Returns the format of a call's arguments: any, if the function has no parameters or is not strict."""
        is_free = tool.parameters is None or getattr(tool, "strict", None) is False
        return JSONSchemaFormat(json_schema=True if is_free else tool.parameters, style=style, any_order=self.any_order,
                                max_whitespace_cnt=self.max_whitespace, excludes=self.without(excludes))

    def without(self, excludes: tuple[str, ...]) -> list[str]:
        return list(excludes) if self.excludes else []


@dataclasses.dataclass(frozen=True)
class _Model:
    """The format in which a model writes. A call is `begin`, the name, `after_name`, the arguments, `end`."""

    trigger: str
    begin: str
    after_name: str
    end: str
    style: str = "json"
    number: str = ""  # if calls are numbered: "after" or "before" the name; `after_number` follows the number
    after_number: str = ""
    section: tuple[str, str, str] | None = None  # around all calls: (begin, separator, end)
    before_section: str = ""  # before the section if a call is required
    text_before: bool = False  # True if text may precede a required call
    think: tuple[str, str] | None = _THINK
    think_begun: bool = True  # True if the prompt has begun the reasoning, when it is "enabled"
    after_think: str = ""
    end_alone: bool = False  # for reasoning "auto": True if the end tag may occur without the begin tag
    without_think: str = ""
    think_excludes: tuple[str, ...] = _THINK
    free_when_begun: bool = False  # True if no text is excluded from reasoning that the prompt has begun
    text_excludes: tuple[str, ...] = _THINK
    call_excludes: tuple[str, ...] | None = None  # excluded from text around calls; None: text_excludes
    answer_excludes: tuple[str, ...] = ()  # additionally excluded from text without calls
    refuses_builtins: bool = False  # True: tools of the server are refused; False: they are ignored


_GLM = (*_THINK, "<tool_call>", "</tool_call>", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>")
_MIMO = (*_THINK, "<tool_call>", "</tool_call>", "<function=")
_M3 = ("<mm:think>", "</mm:think>", "]<]minimax[>[<tool_call>", "]<]minimax[>[</tool_call>", "]<]minimax[>[<invoke",
       "]<]minimax[>[</invoke>")
_COHERE = ("<|START_THINKING|>", "<|END_THINKING|>")
_QWEN_CODER = _Model("<tool_call>\n<function=", "<tool_call>\n<function=", ">\n", "\n</function>\n</tool_call>",
                     "qwen_xml", text_before=True, after_think="\n\n")


def _dsml(word: str, space: str, style: str) -> _Model:
    mark = "｜DSML｜" + space
    return _Model(f"<{mark}{word}>", f'<{mark}invoke name="', '">\n', f"</{mark}invoke>\n", style,
                  section=(f"<{mark}{word}>\n", "", f"</{mark}{word}>"), before_section="\n\n",
                  answer_excludes=(f"<{mark}{word}>",) if space else ())


def _but(excludes: tuple[str, ...], trigger: str) -> tuple[str, ...]:
    return tuple(text for text in excludes if text != trigger)


_MODELS = {
    "llama": _Model('{"name": ', '{"name": "', '", "parameters": ', "}", text_before=True, think=None),
    "kimi": _Model("<|tool_calls_section_begin|>", "<|tool_call_begin|>functions.", ":", "<|tool_call_end|>",
                   number="after", after_number="<|tool_call_argument_begin|>",
                   section=("<|tool_calls_section_begin|>", "", "<|tool_calls_section_end|>"), free_when_begun=True,
                   call_excludes=(*_THINK, "<|tool_call_begin|>")),
    "deepseek_r1": _Model("<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>function<｜tool▁sep｜>", "\n```json\n",
                          "\n```<｜tool▁call▁end｜>", section=("<｜tool▁calls▁begin｜>", "\n", "<｜tool▁calls▁end｜>")),
    "deepseek_v3_1": _Model("<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>", "<｜tool▁call▁end｜>",
                            section=("<｜tool▁calls▁begin｜>", "", "<｜tool▁calls▁end｜>")),
    "qwen_3_coder": _QWEN_CODER,
    "qwen_3_5": _QWEN_CODER,
    "mimo": _Model("<tool_call>", "<tool_call><function=", ">", "</function></tool_call>", "qwen_xml", text_before=True,
                   think_begun=False, think_excludes=_MIMO, text_excludes=_MIMO,
                   call_excludes=_but(_MIMO, "<tool_call>"), refuses_builtins=True),
    "qwen_3": _Model("<tool_call>", '<tool_call>\n{"name": "', '", "arguments": ', "}\n</tool_call>", text_before=True,
                     after_think="\n\n"),
    "deepseek_v3_2": _dsml("function_calls", "", "deepseek_xml"),
    "minimax": _Model("<minimax:tool_call>", '<invoke name="', '">\n', "</invoke>\n", "minimax_xml",
                      section=("<minimax:tool_call>\n", "", "</minimax:tool_call>"), before_section="\n",
                      after_think="\n\n", without_think="\n</think>\n\n\n\n", free_when_begun=True),
    "minimax_m3": _Model("]<]minimax[>[<tool_call>", ']<]minimax[>[<invoke name="', '">', "]<]minimax[>[</invoke>\n",
                         "minimax_m3_xml", section=("]<]minimax[>[<tool_call>\n", "", "]<]minimax[>[</tool_call>"),
                         text_before=True, think=("<mm:think>", "</mm:think>"), end_alone=True,
                         think_excludes=_M3, text_excludes=_M3,
                         call_excludes=_but(_M3, "]<]minimax[>[<tool_call>"), refuses_builtins=True),
    "glm_4_7": _Model("<tool_call>", "<tool_call>", "", "</tool_call>", "glm_xml", text_before=True,
                      think_excludes=_GLM, text_excludes=_GLM, call_excludes=_but(_GLM, "<tool_call>")),
    "deepseek_v4": _dsml("tool_calls", "", "deepseek_xml"),
    "deepseek_v4_1": _dsml("calls", " ", "deepseek_v4_1_xml"),
    "cohere": _Model("<cofl:tool_calls>", '<cofl:tool_call id="', '">', "</cofl:tool_call>", "cohere_xml",
                     number="before", after_number='" name="', section=("<cofl:tool_calls>", "", "</cofl:tool_calls>"),
                     think=_COHERE,
                     think_excludes=_COHERE, free_when_begun=True, text_excludes=_COHERE),
    "exaone": _Model("<tool_call>", '<tool_call>{"name": "', '", "arguments": ', "}</tool_call>", text_before=True,
                     after_think="\n\n", free_when_begun=True),
}


def _const(text: str) -> ConstStringFormat:
    return ConstStringFormat(value=text)


def _joined(parts: list[Any]) -> Any:
    return parts[0] if len(parts) == 1 else SequenceFormat(elements=parts)


def _call(model: _Model, request: _Request, tool: FunctionToolParam) -> TagFormat:
    function = tool.function
    arguments = request.arguments(function, model.style)
    if not model.number:
        return TagFormat(begin=model.begin + function.name + model.after_name, content=arguments, end=model.end)
    follows_name = model.number == "after"
    begin = model.begin + (function.name + model.after_name if follows_name else "")
    between = model.after_number + ("" if follows_name else function.name + model.after_name)
    content = _joined([RegexFormat(pattern=r"\d+"), _const(between), arguments])
    return TagFormat(begin=begin, content=content, end=model.end)


def _answer(model: _Model, request: _Request) -> Any:
    """Returns the format of an answer: text, calls, or both."""
    calls = [_call(model, request, tool) for tool in request.functions]
    if request.mode == "forced":
        return calls[0] if model.section is None else _in_section(model, calls[0])
    if not calls:
        return AnyTextFormat(excludes=[*request.without(model.text_excludes), *model.answer_excludes])
    must_come = request.mode == "required"
    if model.section is not None:
        begin, separator, end = model.section
        several = TagsWithSeparatorFormat(tags=calls, separator=separator, at_least_one=True,
                                          stop_after_first=request.one_call)
        if must_come and not model.text_before:
            return _in_section(model, several)
        calls = [TagFormat(begin=begin, content=several, end=end)]
    around = model.text_excludes if model.call_excludes is None else model.call_excludes
    return TriggeredTagsFormat(triggers=[model.trigger], tags=calls, at_least_one=must_come,
                               stop_after_first=request.one_call, excludes=request.without(around))


def _in_section(model: _Model, calls: Any) -> SequenceFormat:
    begin, _, end = model.section or ("", "", "")
    return SequenceFormat(elements=[_const(model.before_section + begin), calls, _const(end)])


def _reasoning(think: tuple[str, str], request: _Request, excludes: tuple[str, ...], begun: bool, after: str = "",
               free_when_begun: bool = False, end_alone: bool = False) -> list[Any]:
    if request.reasoning == "disabled":
        return []
    is_begun = begun and request.reasoning == "enabled"
    is_free = free_when_begun and request.reasoning == "enabled"
    text = AnyTextFormat(excludes=[] if is_free else request.without(excludes))
    whole = TagFormat(begin="" if is_begun else think[0], content=text, end=think[1])
    has_end_alone = end_alone and request.reasoning == "auto"
    parts: list[Any] = [OrFormat(elements=[whole, _const(think[1])]) if has_end_alone else whole]
    if after:
        parts.append(_const(after))
    return [OptionalFormat(content=_joined(parts))] if request.reasoning == "auto" else parts


def _of_model(model: _Model, request: _Request) -> StructuralTag:
    if model.refuses_builtins and request.builtins:
        raise ValueError("this model has no calls of a server's tools")
    if request.mode != "auto" and not request.functions:
        raise ValueError("this model has no calls of a server's tools, and there is no function to call")
    parts: list[Any] = []
    if model.think is not None:
        parts = _reasoning(model.think, request, model.think_excludes, model.think_begun, model.after_think,
                           model.free_when_begun, model.end_alone)
        if model.without_think and request.reasoning == "disabled":
            parts = [_const(model.without_think)]
    return StructuralTag(format=_joined([*parts, _answer(model, request)]))


def _kimi_k3(request: _Request) -> StructuralTag:
    """Returns the format of a message: reasoning, answer, calls. The prompt has begun the first of them."""
    marks = ("<|open|>", "<|close|>")
    if request.mode != "auto" and not request.functions:
        raise ValueError("this model has no calls of a server's tools, and there is no function to call")
    parts = _reasoning(("<|open|>think<|sep|>", "<|close|>think<|sep|>"), request, marks, begun=True)
    parts.append(TagFormat(begin="<|open|>response<|sep|>" if parts else "",
                           content=AnyTextFormat(excludes=request.without(marks)), end="<|close|>response<|sep|>"))
    calls = []
    for tool in request.functions:
        arguments = request.arguments(tool.function, "kimi_k3_xml", (*marks, "<|sep|>"))
        content = _joined([RegexFormat(pattern=r"\d+"), _const('"<|sep|>'), arguments])
        calls.append(TagFormat(begin=f'<|open|>call tool="{tool.function.name}" index="', content=content,
                               end="<|close|>call<|sep|>"))
    if calls:
        several = calls[0] if request.mode == "forced" else TagsWithSeparatorFormat(
            tags=calls, separator="", at_least_one=True, stop_after_first=request.one_call)
        section = TagFormat(begin="<|open|>tools<|sep|>", content=several, end="<|close|>tools<|sep|>")
        parts.append(OptionalFormat(content=section) if request.mode == "auto" else section)
    return StructuralTag(format=_joined([*parts, _const("<|close|>message<|sep|>")]))


def _harmony(request: _Request) -> StructuralTag:
    """Returns the format of messages in channels."""
    next_message = "<|start|>assistant"
    calls = []
    for tool in request.functions:
        name = "functions." + tool.function.name
        for begin in (f"<|channel|>commentary to={name}<|constrain|>json<|message|>",
                      f" to={name}<|channel|>commentary <|constrain|>json<|message|>",
                      f" to={name}<|channel|>commentary json<|message|>"):
            calls.append(TagFormat(begin=begin, content=request.arguments(tool.function), end="<|call|>"))
    for builtin in request.builtins:
        name = builtin.name or builtin.type
        for begin in (f"<|channel|>commentary to={name} code<|message|>",
                      f" to={name}<|channel|>commentary code<|message|>"):
            calls.append(TagFormat(begin=begin, content=request.arguments(builtin), end="<|call|>"))
    channels = ["final"] * (request.mode == "auto") + ["analysis"] * (request.reasoning != "disabled")
    ends = ["<|end|>", "<|return|>"]
    others = [TagFormat(begin=f"<|channel|>{channel}<|message|>", content=AnyTextFormat(), end=ends)
              for channel in channels]

    def messages(tags: list[TagFormat], at_least_one: bool = False, one: bool = False) -> TagsWithSeparatorFormat:
        return TagsWithSeparatorFormat(tags=tags, separator=next_message, at_least_one=at_least_one,
                                       stop_after_first=one)

    if not request.one_call or not calls:
        return StructuralTag(format=messages([*calls, *others]))
    # A call is optional in every mode, as in xgrammar's tag.
    call = messages(calls, at_least_one=True, one=True)
    if not others:
        return StructuralTag(format=OptionalFormat(content=call))
    last = SequenceFormat(elements=[messages(others, at_least_one=True), _const(next_message), call])
    return StructuralTag(format=OrFormat(elements=[messages(others), call, last]))


_builders: dict[str, Callable[..., StructuralTag]] = {}


def register_model_structural_tag(name: str) -> Callable[[Builder], Builder]:
    """Registers the decorated function for the model `name`. get_model_structural_tag calls it with the functions, the
    server's tools, the mode and the reasoning, and with any_order, exclude_special_tokens, max_whitespace_cnt and
    parallel_tool_calls as keyword arguments."""

    def register(builder: Builder) -> Builder:
        _builders[name] = builder
        return builder

    return register


def get_model_structural_tag(
    model: str,
    tools: list[Any] | None = None,
    tool_choice: Any = "auto",
    reasoning: bool | Literal["enabled", "disabled", "auto"] = "enabled",
    force_reasoning: bool = False,
    any_order: bool = False,
    exclude_special_tokens: bool = True,
    max_whitespace_cnt: int | None = None,
    parallel_tool_calls: bool = True,
) -> StructuralTag:
    """Returns the structural tag for a model that reasons and calls these tools.

    force_reasoning: ignored, as in xgrammar.
    Raises ValueError: there is no such model. Otherwise as normalize_tool_choice.
    """
    known = [*_builders, *_MODELS, "kimi_k3", "harmony"]
    if model not in known:
        raise ValueError(f"there is no model `{model}`; known are {', '.join(known)}")
    functions, builtins, mode = normalize_tool_choice(tools, tool_choice)
    how = {True: "enabled", False: "disabled"}[reasoning] if isinstance(reasoning, bool) else reasoning
    if how not in ("enabled", "disabled", "auto"):
        raise ValueError(f"`reasoning` is none of enabled, disabled, auto: {reasoning!r}")
    if not isinstance(parallel_tool_calls, bool):
        raise ValueError("`parallel_tool_calls` is neither True nor False")
    options = {"any_order": any_order, "exclude_special_tokens": exclude_special_tokens,
               "max_whitespace_cnt": max_whitespace_cnt, "parallel_tool_calls": parallel_tool_calls}
    return _builders.get(model, _builder(model))(functions, builtins, mode, how, **options)


get_builtin_structural_tag = get_model_structural_tag


def _builder(model: str, default: str = "enabled") -> Callable[..., StructuralTag]:
    """Returns the function that makes the tags of one model, without the checks of get_model_structural_tag."""

    def build(tools: list[FunctionToolParam] | None = None, builtin_tools: list[BuiltinToolParam] | None = None,
              tool_choice: str = "auto", reasoning: str = default, any_order: bool = False,
              exclude_special_tokens: bool = True, max_whitespace_cnt: int | None = None,
              parallel_tool_calls: bool = True, **_: Any) -> StructuralTag:
        request = _Request(tools or [], builtin_tools or [], tool_choice, reasoning, any_order, exclude_special_tokens,
                           max_whitespace_cnt, not parallel_tool_calls)
        if model == "kimi_k3":
            return _kimi_k3(request)
        return _harmony(request) if model == "harmony" else _of_model(_MODELS[model], request)

    return build


get_cohere_structural_tag = _builder("cohere")
get_deepseek_r1_structural_tag = _builder("deepseek_r1")
get_deepseek_v3_1_structural_tag = _builder("deepseek_v3_1")
get_deepseek_v3_2_structural_tag = _builder("deepseek_v3_2")
get_deepseek_v4_structural_tag = _builder("deepseek_v4")
get_deepseek_v4_1_structural_tag = _builder("deepseek_v4_1")
get_exaone_structural_tag = _builder("exaone")
get_glm_4_7_structural_tag = _builder("glm_4_7")
get_harmony_structural_tag = _builder("harmony")
get_kimi_structural_tag = _builder("kimi")
get_kimi_k3_structural_tag = _builder("kimi_k3")
get_llama_structural_tag = _builder("llama")
get_mimo_structural_tag = _builder("mimo")
get_minimax_structural_tag = _builder("minimax")
get_minimax_m3_structural_tag = _builder("minimax_m3", "auto")
get_qwen_3_structural_tag = _builder("qwen_3")
get_qwen_3_5_structural_tag = _builder("qwen_3_5")
get_qwen_3_coder_structural_tag = _builder("qwen_3_coder")
