"""Tool calls in a chat loop: the model may answer or call functions, in the form that it was trained to write.

One loop serves three families of models: Hermes and Qwen, Llama 3, Mistral. Only the style's name and the chat template
differ.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from typing import Any

import pydantic

import weir
from decoding import stream
from models import EchoModel


def weather(city: str, days: int = 1) -> str:
    """The forecast for a city."""
    return f"{city}: sunny for {days} days"


def to_fahrenheit(celsius: float) -> str:
    """Converts a temperature."""
    return f"{celsius * 9 / 5 + 32:g}"


FUNCTIONS: dict[str, Callable[..., str]] = {"weather": weather, "to_fahrenheit": to_fahrenheit}


def arguments_of(function: Callable[..., str]) -> type[pydantic.BaseModel]:
    """Returns a pydantic model of the function's parameters."""
    hints = inspect.get_annotations(function, eval_str=True)
    fields: dict[str, Any] = {name: (hints[name], ... if parameter.default is parameter.empty else parameter.default)
                              for name, parameter in inspect.signature(function).parameters.items()}
    return pydantic.create_model(function.__name__, __config__=pydantic.ConfigDict(extra="forbid"), **fields)


MODELS = {name: arguments_of(function) for name, function in FUNCTIONS.items()}
TOOLS = [{"type": "function", "function": {"name": name, "description": function.__doc__,
                                           "parameters": MODELS[name].model_json_schema()}}
         for name, function in FUNCTIONS.items()]

Message = dict[str, str]


def chat_template(style: str, messages: list[Message]) -> str:
    """Returns the prompt. With transformers this is tokenizer.apply_chat_template(messages, tools=TOOLS)."""
    if style == "mistral":
        shown = {"user": "[INST] {} [/INST]", "assistant": "{}</s>", "tool": "[TOOL_RESULTS] {} [/TOOL_RESULTS]"}
        return "".join(shown[message["role"]].format(message["content"]) for message in messages)
    begin, end = ("<|im_start|>{}\n", "<|im_end|>\n") if style == "hermes" else ("<|role|>{}\n\n", "<|eot|>")
    return "".join(begin.format(m["role"]) + m["content"] + end for m in messages) + begin.format("assistant")


def chat(model: EchoModel, style: str, question: str, *, rounds: int = 4) -> list[Message]:
    """Returns the conversation: calls are made and answered until the model answers without calls.

    Raises RuntimeError: the model still makes calls after `rounds` rounds.
    """
    tag = weir.tools.structural_tag(style, TOOLS)
    compiled = weir.GrammarCompiler(model.tokenizer_info).compile_structural_tag(tag, whitespace="compact", order="declared")
    messages: list[Message] = [{"role": "user", "content": question}]
    for _ in range(rounds):
        matcher = None
        for _, matcher in stream(model, compiled, model.prompt(chat_template(style, messages)), max_tokens=200):
            pass
        if matcher is None:
            return messages  # the model has nothing to say
        messages.append({"role": "assistant", "content": matcher.text().decode()})
        # A capture is named after the function; its text is the arguments, which are valid under the function's schema.
        calls = [(capture.name, capture.text) for capture in matcher.captures() if capture.name in FUNCTIONS]
        if not calls:
            return messages
        for name, arguments in calls:
            values = MODELS[name].model_validate_json(arguments)
            messages.append({"role": "tool", "content": FUNCTIONS[name](**dict(values))})
    raise RuntimeError(f"no answer after {rounds} rounds of calls")


QUESTION = "Will it be warm in Bergen for three days?"
CALL = {"name": "weather", "arguments": {"city": "Bergen", "days": "3"}}  # a string for a number: a frequent error
ANSWER = "It will be sunny in Bergen."


def stand_in(style: str) -> EchoModel:
    """Returns a model that has seen this conversation: first with the error, then as it should be."""
    call = json.dumps(CALL)
    written = {"hermes": f"<tool_call>\n{call}\n</tool_call>", "llama3": call.replace("arguments", "parameters"),
               "mistral": f"[TOOL_CALLS] [{call}]"}[style]
    messages = [{"role": "user", "content": QUESTION}]
    right = written.replace('"3"', "3")
    texts = [chat_template(style, messages) + text for text in (written, right)]
    messages += [{"role": "assistant", "content": right}, {"role": "tool", "content": "Bergen: sunny for 3 days"}]
    return EchoModel([*texts, chat_template(style, messages) + ANSWER])


def main() -> None:
    for style in ("hermes", "llama3", "mistral"):
        print(f"== {style}")
        for message in chat(stand_in(style), style, QUESTION):
            print(f"{message['role']:>9}: " + message["content"].replace("\n", "\n" + " " * 11))


if __name__ == "__main__":
    main()
