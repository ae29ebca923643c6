"""Makes structural tags from the tools of a chat request, for the format in which a model writes calls
(docs/tools.md)."""

from __future__ import annotations

import json
from typing import Any, Literal

from weir._arguments import expect, expect_text, shown
from weir._schemas import from_json_text, to_json_text
from weir._weir import structural_tag_for_tools
from weir._weir import tool_styles as styles

__all__ = ["structural_tag", "styles"]


def structural_tag(
    style: str | dict[str, Any],
    tools: str | list[dict[str, Any]] | None,
    *,
    tool_choice: str | dict[str, Any] | None = "auto",
    parallel_tool_calls: bool | None = True,
    reasoning: Literal["none", "whole", "begun", "auto"] | None = "none",
    max_reasoning_tokens: int | None = None,
    reasoning_closing: str | None = None,
    response_format: str | dict[str, Any] | None = None,
    on_bad_tool: Literal["refuse", "loosen", "drop"] = "refuse",
) -> dict[str, Any]:
    """Returns the structural tag, for GrammarCompiler.compile_structural_tag.

    style: one of styles(): the format in which the model writes calls. Or a response template, as transformers has it: a
        tokenizer's `response_template`, or its JSON text.
    tools: a list of tools as in OpenAI's API, or its JSON text. None: there are no tools.
    tool_choice: "none", "auto", "required", or an object that names a function or allowed tools. None: "auto".
    parallel_tool_calls: False allows at most one call. None: True.
    reasoning: "whole" if the output begins with free text between the style's reasoning tags, "begun" if the prompt
        ends with the opening tag of that text, "auto" if the output may begin with it, "none" or None if there is no
        reasoning.
    max_reasoning_tokens: the most tokens of reasoning. None: any number.
    reasoning_closing: a text that may stand between reasoning and the tag that ends it, beyond that bound.
    response_format: what an answer without calls is, as in OpenAI's API. None: text.
    on_bad_tool: a tool whose schema is refused is an error, takes any arguments ("loosen"), or cannot be called ("drop");
        compiling the tag then warns.
    Raises GrammarError: there is no such style, the template says what no style can say, `tools` is not a list of tools, `tool_choice` is not one of them, or the
        style cannot write the calls of some tools. The error names each of these, and points into `tools`.
    """
    choice, begins, most, closing, answer = _words(tool_choice, reasoning, max_reasoning_tokens, reasoning_closing,
                                                   response_format)
    made = structural_tag_for_tools(
        _style_text(style),
        "null" if tools is None else to_json_text(tools, "tools"),
        choice,
        parallel_tool_calls is None or parallel_tool_calls,
        begins,
        most,
        closing,
        answer,
        on_bad_tool,
    )
    tag: dict[str, Any] = from_json_text(made)
    return tag


def _style_text(style: Any) -> str:
    """Returns the name of a style, or the JSON text of a response template."""
    if isinstance(style, dict):
        return to_json_text(style, "style")
    expect(style, "style", str, dict)
    name: str = style
    return name


def _words(tool_choice: Any, reasoning: Any, max_reasoning_tokens: Any, reasoning_closing: Any,
           response_format: Any) -> tuple[str, str, int, str, str]:
    """Returns the options as the module takes them."""
    if max_reasoning_tokens is not None:
        if isinstance(max_reasoning_tokens, bool):
            raise TypeError(f"`max_reasoning_tokens` must be an int, not {shown(max_reasoning_tokens)}")
        expect(max_reasoning_tokens, "max_reasoning_tokens", int)
        if not 0 < max_reasoning_tokens < 2**32:
            raise ValueError("`max_reasoning_tokens` must be a count from 1 to 4294967295, or None for any number, not "
                             f"{shown(max_reasoning_tokens)}")
    if reasoning_closing is not None:
        expect_text(reasoning_closing, "reasoning_closing")
    return (
        to_json_text(json.dumps(tool_choice) if isinstance(tool_choice, str) else tool_choice, "tool_choice"),
        "none" if reasoning is None else reasoning,
        max_reasoning_tokens or 0,
        reasoning_closing or "",
        "" if response_format is None else to_json_text(response_format, "response_format"),
    )


def _reply_words(tool_choice: Any, in_reasoning: bool, reasoning: Any, *more: Any) -> tuple[str, str, int, str, str]:
    """Returns the options of a ReplyParser as the module takes them."""
    if isinstance(reasoning, str):
        expect_text(reasoning, "reasoning")
        if in_reasoning and reasoning != "begun":
            raise ValueError(f"`in_reasoning` and `reasoning={reasoning!r}` contradict each other")
        return _words(tool_choice, reasoning, *more)
    if reasoning is not None:
        expect(reasoning, "reasoning", bool, str)
    return _words(tool_choice, "begun" if in_reasoning else "whole" if reasoning else "none", *more)
