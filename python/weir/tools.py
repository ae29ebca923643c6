"""Tools of a chat request as a structural tag, in the way in which a model writes calls (docs/tools.md)."""

from __future__ import annotations

import json
from typing import Any, Literal

from weir._schemas import to_json_text
from weir._weir import structural_tag_for_tools
from weir._weir import tool_styles as styles

__all__ = ["structural_tag", "styles"]


def structural_tag(
    style: str,
    tools: str | list[dict[str, Any]],
    *,
    tool_choice: str | dict[str, Any] = "auto",
    parallel_tool_calls: bool = True,
    reasoning: Literal["none", "whole", "begun"] = "none",
) -> dict[str, Any]:
    """The structural tag for GrammarCompiler.compile_structural_tag.

    style: one of styles().
    tools: OpenAI's list of tools, or its JSON text.
    tool_choice: "none", "auto", "required", or an object that names a function or allowed tools.
    reasoning: whether free text between the style's tags comes first; "begun" if the prompt ends with its begin.
    Raises GrammarError: a style that there is not, what is no list of tools, a choice of none of them.
    """
    made = structural_tag_for_tools(
        style, to_json_text(tools), json.dumps(tool_choice, ensure_ascii=False), parallel_tool_calls, reasoning
    )
    tag: dict[str, Any] = json.loads(made)
    return tag
