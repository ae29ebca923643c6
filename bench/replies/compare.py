#!/usr/bin/env python3
"""Readers of replies side by side: a call, or a JSON object, with one long string, in pieces of four characters.

Usage: compare.py [--json FILE] [--svg FILE] [--node FOLDER] [--longest N] [--seconds S]

Each reader gets the same pieces and must know after each what the call, or the object, has so far. Those that read the
whole text anew for each piece take four times as long for twice the length. A reader stops at the length that takes it
more than --seconds. What is not installed is left out: jiter, vLLM (its parsers of hermes and of Qwen3), SGLang, and with
--node the folder whose node_modules have partial-json, @streamparser/json and weir. Times are CPU time of the process.
"""

import argparse
import importlib
import json
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
WORDS = "The quick brown fox jumps over the lazy dog, again and again. "
TOOLS = [{"type": "function", "function": {"name": "f", "parameters": {
    "type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}}}]
COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999", "#000000", "#884400", "#7fbf00"]


def pieces_of(kind, length):
    text = (WORDS * (length // len(WORDS) + 1))[:length]
    before, after = {"json": ('{"a": "', '"}'), "call": ('<tool_call>\n{"name": "f", "arguments": {"a": "', '"}}\n</tool_call>'),
                     "xml": ("<tool_call>\n<function=f>\n<parameter=a>\n", "\n</parameter>\n</function>\n</tool_call>")}[kind]
    whole = before + text + after
    return [whole[at:at + 4] for at in range(0, len(whole), 4)]


def weir_events(pieces):
    import weir

    parser = weir.ReplyParser("hermes", TOOLS)
    for piece in pieces:
        parser.feed(piece)
    assert parser.finish()["tool_calls"][0]["name"] == "f"


def weir_partial(pieces):
    from weir.partial import PartialReader

    reader = PartialReader()
    for piece in pieces:
        reader.feed(piece)
    assert reader.is_complete


def jiter_partial(pieces):
    import jiter

    text = b""
    for piece in pieces:
        text += piece.encode()
        value = jiter.from_json(text, partial_mode="trailing-strings")
    assert value["a"]


class Tokenizer:
    """What vLLM's parsers ask of a tokenizer."""

    def __init__(self):
        self.vocab = {"<tool_call>": 1, "</tool_call>": 2, "<think>": 3, "</think>": 4}

    def get_vocab(self):
        return self.vocab

    def encode(self, text, **_):
        return [self.vocab.get(text, 5)]

    def decode(self, ids, **_):
        return ""


def vllm_parser(name):
    def run(pieces):
        from vllm.entrypoints.openai.chat_completion.protocol import ChatCompletionRequest
        from vllm.parser.parser_manager import ParserManager

        request = ChatCompletionRequest(model="m", messages=[{"role": "user", "content": "?"}], tools=TOOLS)
        made = ParserManager.get_parser(tool_parser_name=name, enable_auto_tools=True, model_name="m")
        parser = made(Tokenizer(), request.tools)
        said = ""
        for place, piece in enumerate(pieces):
            delta = parser.parse_delta(piece, [6], request, [7], finished=place == len(pieces) - 1)
            for call in delta.tool_calls if delta else []:
                said += (call.function.arguments or "") if call.function else ""
        assert json.loads(said)["a"]

    return run


def sglang_hermes(pieces):
    from sglang.srt.entrypoints.openai.protocol import Tool
    from sglang.srt.function_call.function_call_parser import FunctionCallParser

    parser = FunctionCallParser([Tool.model_validate(tool) for tool in TOOLS], "hermes")
    said = ""
    for piece in pieces:
        said += "".join(call.parameters for call in parser.parse_stream_chunk(piece)[1])
    assert said


# Name, module that it needs, kind of text, function.
READERS = [("weir, events (Python)", "weir", "call", weir_events), ("weir.partial (Python)", "weir", "json", weir_partial),
           ("jiter, partial mode", "jiter", "json", jiter_partial),
           ("vLLM, hermes", "vllm", "call", vllm_parser("hermes")),
           ("vLLM, qwen3_coder", "vllm", "xml", vllm_parser("qwen3_coder")), ("vLLM with weir_hermes", "vllm", "call", vllm_parser("weir_hermes")),
           ("SGLang, hermes", "sglang", "call", sglang_hermes)]


def is_there(module):
    try:
        importlib.import_module(module)
        if module == "vllm":
            importlib.import_module("weir.integrations.vllm_parsers")
        return True
    except (ImportError, RuntimeError) as error:
        print(f"left out: {module}: {error}", file=sys.stderr)
        return False


def measure(run, kind, lengths, most):
    """Returns the milliseconds of each length, up to the first that takes more than `most` seconds."""
    run(pieces_of(kind, 64))  # imports, and what is made once
    out = []
    for length in lengths:
        pieces = pieces_of(kind, length)
        begin = time.process_time()
        run(pieces)
        out.append((length, (time.process_time() - begin) * 1e3))
        if out[-1][1] > most * 1e3:
            break
    return out


def chart(results, path):
    """Writes milliseconds over characters, both logarithmic, as SVG."""
    import html
    import math

    points = [point for each in results.values() for point in each]
    xs = [math.log10(length) for length, _ in points]
    ys = [math.log10(max(ms, 0.01)) for _, ms in points]
    low, high = math.floor(min(ys)), math.ceil(max(ys))

    def place(length, ms):
        x = 70 + (math.log10(length) - min(xs)) / (max(xs) - min(xs)) * 420
        return x, 360 - (math.log10(max(ms, 0.01)) - low) / (high - low) * 320

    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 420" font-family="sans-serif" font-size="12">',
           '<rect width="760" height="420" fill="white"/>',
           '<text x="70" y="22" font-size="14">One long string in pieces of four characters: time for all pieces</text>']
    for exponent in range(low, high + 1):
        _, y = place(10 ** min(xs), 10 ** exponent)
        label = f"{10 ** exponent:g} ms" if exponent < 3 else f"{10 ** (exponent - 3):g} s"
        out.append(f'<path d="M70 {y:.1f}H490" stroke="#ddd"/><text x="64" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
    for length in sorted({length for length, _ in points}):
        x, _ = place(length, 1)
        out.append(f'<text x="{x:.1f}" y="380" text-anchor="middle">{length:,}</text>')
    out.append('<text x="280" y="402" text-anchor="middle">characters</text>')
    for place_in_key, (name, each) in enumerate(results.items()):
        color = COLORS[place_in_key % len(COLORS)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in each))
        y = 50 + 22 * place_in_key
        out.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>')
        out.append(f'<path d="M510 {y}h20" stroke="{color}" stroke-width="3"/><text x="536" y="{y + 4}">{html.escape(name)}</text>')
    pathlib.Path(path).write_text("\n".join([*out, "</svg>"]) + "\n", encoding="utf-8")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--json", metavar="FILE")
    options.add_argument("--svg", metavar="FILE")
    options.add_argument("--node", metavar="FOLDER")
    options.add_argument("--longest", type=int, default=116_667)
    options.add_argument("--seconds", type=float, default=5)
    given = options.parse_args()
    lengths = [length for length in (1_000, 3_000, 10_000, 30_000, 116_667) if length <= given.longest]
    results = {name: measure(run, kind, lengths, given.seconds) for name, module, kind, run in READERS if is_there(module)}
    if given.node:
        work = {kind: {str(length): pieces_of(kind, length) for length in lengths} for kind in ("call", "json")}
        found = subprocess.run(["node", str(HERE / "readers.mjs"), given.node, str(given.seconds), json.dumps(TOOLS)],
                               input=json.dumps(work), capture_output=True, text=True, check=True)
        results |= {name: [tuple(point) for point in each] for name, each in json.loads(found.stdout).items()}
    for name, each in results.items():
        print(f"{name:<28}" + "".join(f"{f'{length:,}: {ms:,.1f} ms':>22}" for length, ms in each))
    if given.json:
        pathlib.Path(given.json).write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    if given.svg:
        chart(results, given.svg)


if __name__ == "__main__":
    main()
