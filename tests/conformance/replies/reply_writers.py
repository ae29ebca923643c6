"""Writes replies in every style of docs/tools.md, and notes what each byte of them means.

A reply is made of parts, in the order of the bytes: `Part(kind, text, ...)`. The writers know the public forms only; they
are no part of what weir reads or makes.
"""

import dataclasses
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tool_styles"))
from nested_forms import M3, cohere, gemma, json_type, minimax_m3  # noqa: E402

COFL = "cofl:"


@dataclasses.dataclass
class Part:
    kind: str  # "markup", "reasoning", "text", "value" (of an argument), "name" (all up to the arguments of a call)
    text: str
    call: int = 0
    key: str = ""  # of a value
    literal: bool = False  # True if the text of a value is a string as it is


def json_text(value, random, depth=0):
    """JSON with any escapes, and blanks where the form has them."""
    if isinstance(value, str):
        if random.random() < 0.2:
            return json.dumps(value)
        text = json.dumps(value, ensure_ascii=False)
        return text.replace("/", "\\/") if random.random() < 0.1 else text
    comma, colon = random.choice(((",", ":"), (", ", ": "), (",\n  ", ": ")))
    if isinstance(value, dict):
        return "{" + comma.join(json_text(k, random) + colon + json_text(v, random) for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + comma.join(json_text(item, random) for item in value) + "]"
    return json.dumps(value)


class Writer:
    """Writes the arguments of calls into a list of parts."""

    def __init__(self, random):
        self.random = random
        self.parts = []
        self.call = 0

    def add(self, kind, text, **more):
        if text:
            self.parts.append(Part(kind, text, self.call, **more))

    def markup(self, text):
        self.add("markup", text)

    def value(self, key, text, literal=False):
        self.parts.append(Part("value", text, self.call, key, literal))

    def json(self, arguments):
        colon = self.random.choice((":", ": "))
        comma = self.random.choice((",", ", ", ",\n"))
        self.markup("{")
        for index, (key, value) in enumerate(arguments.items()):
            self.markup((comma if index else "") + json_text(key, self.random) + colon)
            self.value(key, json_text(value, self.random))
        self.markup("}")

    def blank(self):
        return self.random.choice(("", "", "\n", "\n  "))

    def tags(self, arguments, before, after, end, typed=None, around=False, attribute=str):
        """`typed` returns the text after the key by the value; `around` says that a string may stand on its own lines."""
        blank = self.blank()
        for key, value in arguments.items():
            after_key = typed(value) if typed else after
            self.markup(blank + before + attribute(key) + after_key)
            if isinstance(value, str):
                edge = value[:1] == "\n" or value[-1:] == "\n"
                line = "\n" if around and (edge or self.random.random() < 0.6) else ""
                self.markup(line)
                self.value(key, value, literal=True)
                self.markup(line)
            else:
                self.value(key, json_text(value, self.random))
            self.markup(end)
        self.markup(blank)

    def qwen(self, arguments):
        self.tags(arguments, "<parameter=", ">", "</parameter>", around=True)

    def mimo(self, arguments):
        self.tags(arguments, "<parameter=", ">", "</parameter>")

    def minimax(self, arguments):
        self.tags(arguments, '<parameter name="', '">', "</parameter>")

    def glm(self, arguments):
        line = self.random.choice(("", "\n"))
        self.tags(arguments, "<arg_key>", "</arg_key>" + line + "<arg_value>", "</arg_value>")

    def longcat(self, arguments):
        line = self.random.choice(("", "\n"))
        self.tags(arguments, "<longcat_arg_key>", "</longcat_arg_key>" + line + "<longcat_arg_value>", "</longcat_arg_value>")

    def minicpm5(self, arguments):
        self.tags(arguments, '<param name="', '">', "</param>")

    def step3(self, arguments):
        self.tags(arguments, '<steptml:parameter name="', '">', "</steptml:parameter>")

    def dsml(self, blank):
        def typed(value):
            return f'" string="{"true" if isinstance(value, str) else "false"}">'

        return lambda arguments: self.tags(arguments, f'<｜DSML｜{blank}parameter name="', "",
                                           f"</｜DSML｜{blank}parameter>", typed=typed)

    def kimi_k3(self, arguments):
        self.tags(arguments, '<|open|>argument key="', "", "<|close|>argument<|sep|>",
                  typed=lambda value: f'" type="{json_type(value)}"<|sep|>',
                  attribute=lambda key: key.replace("&", "&amp;").replace('"', "&quot;"))

    def cohere(self, arguments):
        for key, value in arguments.items():
            self.value(key, cohere(value, key))

    def minimax_m3(self, arguments):
        for key, value in arguments.items():
            self.markup(f"{M3}<{key}>")
            self.value(key, minimax_m3(value), literal=isinstance(value, str))
            self.markup(f"{M3}</{key}>")

    def gemma(self, quote):
        def write(arguments):
            self.markup("{")
            for index, (key, value) in enumerate(sorted(arguments.items(), key=lambda member: member[0].lower())):
                self.markup(("," if index else "") + key + ":")
                if isinstance(value, str):
                    self.markup(quote)
                    self.value(key, value, literal=True)
                    self.markup(quote)
                else:
                    self.value(key, gemma(value, quote))
            self.markup("}")

        return write

    def python(self, arguments):
        for index, (key, value) in enumerate(arguments.items()):
            self.markup((", " if index else "") + key + "=")
            self.value(key, python(value, self.random))


def python(value, random):
    if isinstance(value, str):
        simple = not re.search(r"['\\\x00-\x1f]", value)
        return f"'{value}'" if simple and random.random() < 0.5 else json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k, ensure_ascii=False)}: {python(v, random)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(python(item, random) for item in value) + "]"
    return {None: "None", True: "True", False: "False"}[value] if value is None or isinstance(value, bool) else json.dumps(value)


@dataclasses.dataclass
class Style:
    """How calls are written. `begin` and `end` stand around the arguments, with NAME and N for the name and the number."""

    arguments: str  # the style of arguments
    begin: str
    end: str
    open: str = ""  # around all calls of a section
    between: str = ""
    close: str = ""
    reasoning: tuple = ("<think>", "</think>")
    has_text: bool = True  # True if text may stand before a section
    is_bare: bool = False  # True if calls after text are read in the strict mode alone: no tag says that they are calls
    has_text_after: bool = True
    first: int = 0  # the number of the first call
    id: str = ""  # what the model writes as the id of a call
    whole: str = "auto"  # the option `reasoning` for a reply with reasoning
    several: bool = True  # True if a section has several calls; else each has its own


def json_call(name="name", arguments="arguments"):
    return '{"%s": "NAME", "%s": ' % (name, arguments)


NO_REASONING = ()
HERMES = Style("json", "<tool_call>\n" + json_call(), "}\n</tool_call>", several=False)
QWEN = Style("qwen_xml", "<tool_call>\n<function=NAME>", "</function>\n</tool_call>", several=False)
GLM = Style("glm_xml", "<tool_call>NAME\n", "</tool_call>", several=False)
HUNYUAN = Style("glm_xml", "<tool_call>NAME<tool_sep>\n", "</tool_call>", "<tool_calls>\n", "\n", "\n</tool_calls>")
A13B = Style("json", json_call(), "}", "<tool_calls>[", ", ", "]</tool_calls>")
PYTHONIC = Style("python", "NAME(", ")", "[", ", ", "]", NO_REASONING)


def dsml(blank, section):
    return Style("deepseek_v4_1_xml" if blank else "deepseek_xml", f'<｜DSML｜{blank}invoke name="NAME">\n',
                 f"</｜DSML｜{blank}invoke>", f"<｜DSML｜{section}>\n", "\n", f"\n</｜DSML｜{section}>")


def like(style, **changes):
    return dataclasses.replace(style, **changes)


STYLES = {
    "llama3": Style("json", json_call(arguments="parameters"), "}", "", "; ", "", NO_REASONING, is_bare=True),
    "hermes": HERMES,
    "qwen_coder": QWEN,
    "mistral": Style("json", json_call(), "}", "[TOOL_CALLS] [", ", ", "]", NO_REASONING),
    "deepseek_v3": Style("json", "<｜tool▁call▁begin｜>function<｜tool▁sep｜>NAME\n```json\n", "\n```<｜tool▁call▁end｜>",
                         "<｜tool▁calls▁begin｜>", "\n", "<｜tool▁calls▁end｜>"),
    "deepseek_v3_1": Style("json", "<｜tool▁call▁begin｜>NAME<｜tool▁sep｜>", "<｜tool▁call▁end｜>", "<｜tool▁calls▁begin｜>", "",
                           "<｜tool▁calls▁end｜>"),
    "glm": GLM,
    "kimi_k2": Style("json", "<|tool_call_begin|>functions.NAME:N<|tool_call_argument_begin|>", "<|tool_call_end|>",
                     "<|tool_calls_section_begin|>", "", "<|tool_calls_section_end|>", id="functions.NAME:N"),
    "minimax_m2": Style("minimax_xml", '<invoke name="NAME">\n', "\n</invoke>", "<minimax:tool_call>\n", "\n",
                        "\n</minimax:tool_call>"),
    "deepseek_v3_2": dsml("", "function_calls"),
    "deepseek_v4": dsml("", "tool_calls"),
    "deepseek_v4_1": dsml(" ", " calls"),
    "kimi_k3": Style("kimi_k3_xml", '<|open|>call tool="NAME" index="N"<|sep|>', "<|close|>call<|sep|>", "<|open|>tools<|sep|>", "",
                     "<|close|>tools<|sep|>", first=1, has_text_after=False,
                     reasoning=("<|open|>think<|sep|>", "<|close|>think<|sep|>"), whole="whole"),
    "cohere": Style("json", '{"tool_call_id": "N", "tool_name": "NAME", "parameters": ', "}", "<|START_ACTION|>[\n    ", ",\n    ",
                    "\n]<|END_ACTION|>", ("<|START_THINKING|>", "<|END_THINKING|>"), has_text=False, has_text_after=False, id="N"),
    "cohere_xml": Style("cohere_xml", '<cofl:tool_call id="N" name="NAME">', "</cofl:tool_call>", "<cofl:tool_calls>", "",
                        "</cofl:tool_calls>", ("<|START_THINKING|>", "<|END_THINKING|>"), has_text=False, has_text_after=False,
                        id="N"),
    "gemma4": Style("gemma4", "<|tool_call>call:NAME", "<tool_call|>", reasoning=("<|channel>thought\n", "<channel|>"),
                    several=False),
    "mistral_v11": Style("json", "[TOOL_CALLS]NAME[ARGS]", "", reasoning=("[THINK]", "[/THINK]"), several=False),
    "minimax_m3": Style("minimax_m3_xml", M3 + '<invoke name="NAME">', M3 + "</invoke>\n", M3 + "<tool_call>\n", "",
                        M3 + "</tool_call>", ("<mm:think>", "</mm:think>")),
    "hunyuan": HUNYUAN,
    "granite": Style("json", json_call(), "}", "<|tool_call|>[", ", ", "]",
                     ("Here is my thought process:", "Here is my response:")),
    "seed_oss": like(QWEN, begin="<seed:tool_call>\n<function=NAME>", end="</function>\n</seed:tool_call>",
                     reasoning=("<seed:think>", "</seed:think>")),
    "longcat": Style("json", "<longcat_tool_call>" + json_call(), "}</longcat_tool_call>", several=False,
                     reasoning=("<longcat_think>", "</longcat_think>")),
    "longcat_xml": Style("longcat_xml", "<longcat_tool_call>NAME\n", "</longcat_tool_call>", several=False,
                         reasoning=("<longcat_think>", "</longcat_think>")),
    "xlam": Style("json", json_call(), "}", "[", ", ", "]", NO_REASONING, is_bare=True),
    "phi4_mini": Style("json", json_call(), "}", "functools[", ", ", "]", NO_REASONING),
    "lfm2": like(PYTHONIC, open="<|tool_call_start|>[", close="]<|tool_call_end|>", reasoning=("<think>", "</think>")),
    "pythonic": like(PYTHONIC, is_bare=True),
    "llama4_pythonic": like(PYTHONIC, open="<|python_start|>[", close="]<|python_end|>"),
    "olmo3": Style("python", "NAME(", ")", "<function_calls>", "\n", "</function_calls>"),
    "minicpm5": Style("minicpm5_xml", '<function name="NAME">', "</function>", several=False),
    "gigachat3": Style("json", "<|function_call|>" + json_call(), "}", reasoning=NO_REASONING, several=False),
    "apertus": Style("json", '{"NAME": ', "}", "<|tools_prefix|>[", ", ", "]<|tools_suffix|>",
                     ("<|inner_prefix|>", "<|inner_suffix|>")),
    "granite_20b_fc": Style("json", "<function_call> " + json_call(), "}", reasoning=NO_REASONING, several=False),
    "step3": Style("step3_xml", '<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="NAME">',
                   "</steptml:invoke><｜tool_call_end｜>", "<｜tool_calls_begin｜>\n", "\n", "\n<｜tool_calls_end｜>"),
    "functiongemma": Style("functiongemma", "<start_function_call>call:NAME", "<end_function_call>", reasoning=NO_REASONING,
                           several=False),
    "hunyuan_a13b": A13B,
    "internlm2": Style("json", "<|action_start|><|plugin|>" + json_call(arguments="parameters"), "}<|action_end|>",
                       reasoning=NO_REASONING, several=False),
    "inkling": Style("json", "<|message_model|>NAME<|content_invoke_tool_json|>" + json_call(arguments="args"),
                     "}<|end_message|>", several=False, reasoning=("<|content_thinking|>", "<|end_message|>")),
    "nemotron_nano_v2": Style("json", json_call(), "}", "<TOOLCALL>[", ", ", "]</TOOLCALL>"),
    "granite3_3": Style("json", json_call(), "}", "<|tool_call|>[", ", ", "]"),
    "granite4": HERMES, "exaone": HERMES, "ernie4_5": HERMES, "reka_edge": HERMES,
    "ling3": GLM, "poolside_v1": GLM, "spark": GLM,
    "granite_thinking": QWEN, "nemotron_v3": QWEN, "step3p5": QWEN,
    "mimo": like(QWEN, arguments="mimo_xml"),
    "hy_v3": HUNYUAN, "jamba": A13B,
    "apriel": like(A13B, reasoning=("Here are my reasoning steps:\n", "[BEGIN FINAL RESPONSE]")),
    "dots": Style("minimax_xml", '<invoke name="NAME">\n', "\n</invoke>", "<dots_function_call>\n", "\n", "\n</dots_function_call>"),
    "firefunction_v2": Style("json", json_call(), "}", "functools[", ", ", "]", NO_REASONING),
    "harmony": Style("json", "<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>", "", has_text_after=False,
                     reasoning=("<|channel|>analysis<|message|>", "<|end|><|start|>assistant"), several=False),
}

# How each style of arguments is written: the method of Writer.
ARGUMENTS = {
    "json": lambda w: w.json, "qwen_xml": lambda w: w.qwen, "mimo_xml": lambda w: w.mimo, "minimax_xml": lambda w: w.minimax,
    "glm_xml": lambda w: w.glm, "longcat_xml": lambda w: w.longcat, "minicpm5_xml": lambda w: w.minicpm5,
    "step3_xml": lambda w: w.step3, "deepseek_xml": lambda w: w.dsml(""), "deepseek_v4_1_xml": lambda w: w.dsml(" "),
    "kimi_k3_xml": lambda w: w.kimi_k3, "cohere_xml": lambda w: w.cohere, "minimax_m3_xml": lambda w: w.minimax_m3,
    "gemma4": lambda w: w.gemma('<|"|>'), "functiongemma": lambda w: w.gemma("<escape>"), "python": lambda w: w.python,
}
UNTYPED = {"qwen_xml", "mimo_xml", "minimax_xml", "glm_xml", "longcat_xml", "minicpm5_xml", "step3_xml", "minimax_m3_xml"}


def filled(text, name, number):
    return re.sub(r"\bNAME\b|\bN\b", lambda found: name if found[0] == "NAME" else str(number), text)


def write(style_name, reasoning, texts, calls, random):
    """Returns the parts of a reply, and the calls' ids. `texts` has one text for the place before each call and one for
    the end, "" for none; a style that cannot write a text leaves it away."""
    style, writer, ids = STYLES[style_name], Writer(random), []
    write_arguments = ARGUMENTS[style.arguments](writer)
    if reasoning and style.reasoning:
        writer.markup(style.reasoning[0])
        writer.add("reasoning", reasoning)
        writer.markup(style.reasoning[1])
    section_open = False
    for number, (name, arguments) in enumerate(calls):
        text = texts[number] if style.has_text and (number == 0 or style.has_text_after) else ""
        if section_open and (text or not style.several):
            writer.markup(style.close)
            section_open = False
        add_text(style_name, writer, text, bool(reasoning), number == 0, False)
        writer.call = number
        begin = style.between if section_open else style.open
        if style_name == "inkling" and not writer.parts:
            begin += style.begin.removeprefix("<|message_model|>")
        else:
            begin += style.begin
        section_open = True
        writer.add("name", filled(begin, name, number + style.first))
        write_arguments(arguments)
        writer.markup(style.end)
        ids.append(filled(style.id, name, number + style.first))
    if section_open:
        writer.markup(style.close)
    add_text(style_name, writer, texts[-1] if style.has_text_after or not calls else "", bool(reasoning), not calls, not calls)
    return writer.parts, ids


def add_text(style_name, writer, text, has_reasoning, is_first, is_answer):
    if style_name == "kimi_k3" and is_first:
        if has_reasoning:
            writer.markup("<|open|>response<|sep|>")
        writer.add("text", text)
        writer.markup("<|close|>response<|sep|>")
    elif not text:
        return
    elif style_name == "inkling":
        writer.markup(("<|message_model|>" if writer.parts else "") + "<|content_text|>")
        writer.add("text", text)
        writer.markup("<|end_message|>")
    elif style_name == "harmony":
        writer.markup("<|channel|>final<|message|>" if is_answer else "<|channel|>commentary<|message|>")
        writer.add("text", text)
        writer.markup("" if is_answer else "<|end|><|start|>assistant")
    elif style_name in ("cohere", "cohere_xml"):
        begin, end = ("<|START_RESPONSE|>", "<|END_RESPONSE|>") if style_name == "cohere" else ("<|START_TEXT|>", "<|END_TEXT|>")
        writer.markup(begin)
        writer.add("text", text)
        writer.markup(end)
    else:
        writer.add("text", text)
