#!/usr/bin/env python3
"""Literals of Python in replies against Python itself: python_literals_test.py READER [--cases N]

READER is the program reply_events. Each literal stands in a call of Python (`pythonic`) and, where a list is wanted, between tags
(`qwen_coder`). It is read as Python reads it, or the call is none; between tags, JSON is read as JSON, and what is no value of the type
is the text.
"""

import argparse
import ast
import json
import random
import subprocess
import sys
import warnings

# Of which strings are made: all escapes, some of them cut short, and what may follow one.
PIECES = ["a", "1", "7", "8", "f", "g", " ", "é", "🙂", "/", "{", "}", "\\\\", "\\'", '\\"', "\\a", "\\b", "\\f", "\\n", "\\r", "\\t", "\\v",
          "\\0", "\\1", "\\12", "\\012", "\\377", "\\400", "\\777", "\\8", "\\x41", "\\x4", "\\xg", "\\u00e9", "\\u00", "\\ud83d",
          "\\ude00", "\\U0001F600", "\\U0000D83D", "\\U00110000", "\\U0001", "\\N{DIGIT ONE}", "\\N", "\\/", "\\c", "\\é", "\\\n",
          "\\\r\n", "\\{", "\\ "]
OTHERS = ["0", "5", "-5", "+5", "--5", "-+5", "1.5", "1e3", ".5", "5.", "1_000", "0x1F", "0o17", "1j", "True", "False", "None", "()", "(5)",
          "(5,)", "(5, 6)", "[]", "[(1)]", "[1, 2,]", "[1,,2]", "[,]", "{}", "{'a': (1)}", "{'a': 1,}", "{1: 2}", "{1, 2}", "b'a'",
          "r'a'", "'a' 'b'", "'''a'''", "1 + 2", "-(5)", "f", "...", "''"]


def literal(rng, depth=0):
    kind = rng.randrange(8)
    if kind < 5 or depth > 2:
        quote = rng.choice("'\"")
        return quote + "".join(piece for piece in rng.choices(PIECES, k=rng.randrange(4)) if piece != quote) + quote
    if kind == 5:
        return rng.choice(OTHERS)
    inside = [literal(rng, depth + 1) for _ in range(rng.randrange(3))]
    if kind == 6:
        return "[" + ", ".join(inside) + "]"
    return "(" + ", ".join(inside) + rng.choice(["", ","] if inside else [""]) + ")"


def as_json(value):
    """Returns the value as JSON has it: lists for tuples, pairs of surrogates as characters."""
    return json.loads(json.dumps(value, allow_nan=False))


def meant(style, text):
    """Returns a list with the value, or an empty one if there is none."""
    try:
        if style == "qwen_coder":
            return [json.loads(text)]
    except ValueError:
        pass
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = ast.literal_eval(text)
        return [as_json(value)]
    except (SyntaxError, ValueError, TypeError):
        return []


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reader")
    parser.add_argument("--cases", type=int, default=4000)
    parser.add_argument("--unread", action="store_true", help="show what Python reads and the reader does not")
    options = parser.parse_args()
    rng = random.Random(3)
    literals = OTHERS + ["'" + piece + "'" for piece in PIECES] + [literal(rng) for _ in range(options.cases)]
    texts, questions = [], []
    for text in literals:
        texts += [("pythonic", text), ("qwen_coder", "[" + text + "]")]
        for style, value in texts[-2:]:
            schema = {"a": {"type": "array"}} if style == "qwen_coder" else {"a": {}}
            tools = [{"name": "f", "parameters": {"type": "object", "properties": schema}}]
            reply = f"[f(a={value})]" if style == "pythonic" else \
                f"<tool_call>\n<function=f>\n<parameter=a>\n{value}\n</parameter>\n</function>\n</tool_call>"
            questions.append({"style": style, "tools": tools, "mode": "tolerant", "text": reply, "cuts": ["bytes"]})
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    answers = subprocess.run([options.reader, ""], input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
    wrong = read = unread = 0
    for (style, text), answer in zip(texts, answers, strict=True):
        value = meant(style, text)
        try:
            found = [call["arguments"].get("a") for call in json.loads(json.loads(answer)["snapshot"])["tool_calls"]]
        except ValueError:
            found = ["no JSON"]
        is_text = style == "qwen_coder" and found and isinstance(found[0], str)
        read += bool(value) and found == value
        unread += bool(value) and found != value
        if options.unread and value and found != value:
            print(f"not read: {style}: {text!r}")
        if found != value and found and not is_text:
            wrong += 1
            print(f"{style}: {text!r} is {value}, read {found}")
    print(f"{len(texts)} literals, {read} read, {unread} that Python reads and the reader does not, {wrong} read as something else")
    return 1 if wrong or read < len(texts) / 4 else 0


if __name__ == "__main__":
    sys.exit(main())
