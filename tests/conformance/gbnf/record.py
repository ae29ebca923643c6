#!/usr/bin/env python3
"""Records llama.cpp's verdicts on random GBNF grammars and texts. verdicts_test.cc compares weir with them.

Usage: python3 tests/conformance/gbnf/record.py LLAMA_CPP_SOURCES VERSION

LLAMA_CPP_SOURCES is a source tree of llama.cpp, such as vendor/llama.cpp in the source distribution of
llama-cpp-python. VERSION is its name in the record. Needs g++. Writes verdicts.jsonl beside this file: a line that
describes the record, then one line for each grammar, with its texts and either one letter for each text (see record.cc)
or "error". The random grammars are seeded. In some of them one character is damaged.
"""

import json
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = ["llama-grammar.cpp", "unicode.cpp", "unicode-data.cpp", "llama-impl.cpp"]
GRAMMARS, TEXTS, LONGEST = 300, 9, 220
CHARACTERS = "aabbccxyz019 é\n\"]-\\☃"
DAMAGE = "()[]{}|*+?\"\\:=\n #.-^,1a"


class Grammar:
    """A random grammar. Each method returns (the text of a part, a function that draws a text of that part)."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.rules = {}

    def character(self, escapes):
        """Returns a character and its spelling in the grammar."""
        rng = self.rng
        character = rng.choice(CHARACTERS)
        if character in escapes:
            return character, escapes[character]
        if rng.random() < 0.1:
            code = ord(character)
            return character, f"\\x{code:02X}" if code < 256 else f"\\u{code:04x}"
        return character, character

    def literal(self):
        escapes = {"\n": "\\n", '"': '\\"', "\\": "\\\\"}
        parts = [self.character(escapes) for _ in range(self.rng.randint(1, 3))]
        text = "".join(character for character, _ in parts)
        return '"' + "".join(written for _, written in parts) + '"', lambda: text

    def character_class(self):
        rng = self.rng
        escapes = {"\n": "\\n", "]": "\\]", "\\": "\\\\", "-": "\\x2D"}
        parts = [self.character(escapes) for _ in range(rng.randint(1, 3))]
        members = [character for character, _ in parts]
        body = "".join(written for _, written in parts)
        if rng.random() < 0.4:
            body += "d-h"
            members.append("f")
        if rng.random() < 0.2:
            body += "-"
            members.append("-")
        if rng.random() < 0.25:
            return f"[^{body}]", lambda: rng.choice("mnopqMNO")
        return f"[{body}]", lambda: rng.choice(members)

    def atom(self, depth):
        rng = self.rng
        kind = rng.random()
        if kind < 0.4 or depth == 3:
            return self.literal()
        if kind < 0.6:
            return self.character_class()
        if kind < 0.65:
            return ".", lambda: rng.choice("qwerty\n☃")
        if kind < 0.85 and self.rules:
            name = rng.choice(sorted(self.rules))
            return name, self.rules[name]
        body, draw = self.alternatives(depth + 1)
        return "(" + rng.choice(["", " ", "\n  "]) + body + rng.choice(["", "\n"]) + ")", draw

    def item(self, depth):
        rng = self.rng
        body, draw = self.atom(depth)
        low = rng.randint(0, 3)
        high = max(1, low + rng.randint(0, 3))
        suffix, least, most = rng.choice([("", 1, 1)] * 8 + [
            ("?", 0, 1), ("*", 0, 3), ("+", 1, 3), (f"{{{low}}}", low, low), (f"{{{low},}}", low, low + 2),
            (f"{{{low},{high}}}", low, high), (f"{{ {low} , {high} }}", low, high)])
        return body + suffix, lambda: "".join(draw() for _ in range(rng.randint(least, most)))

    def sequence(self, depth):
        items = [self.item(depth) for _ in range(self.rng.randint(1, 3))]
        blank = self.rng.choice([" ", "  ", "\t"])
        return blank.join(body for body, _ in items), lambda: "".join(draw() for _, draw in items)

    def alternatives(self, depth):
        rng = self.rng
        all_ = [self.sequence(depth) for _ in range(rng.randint(1, 3))]
        if rng.random() < 0.1:
            all_.insert(0, ("", lambda: ""))
        return rng.choice([" | ", "|", " |\n  "]).join(body for body, _ in all_), lambda: rng.choice(all_)[1]()

    def whole(self):
        rng = self.rng
        lines = []
        for index in range(rng.randint(0, 2)):
            name = rng.choice(["a", "b-c", "Rule", "x1", "2nd"]) + str(index)
            body, self.rules[name] = self.alternatives(1)
            lines.append(f"{name} ::= {body}{rng.choice(['', '  # comment'])}")
        body, draw = self.alternatives(0)
        if rng.random() < 0.4:
            body = rng.choice([f"({body}) root?", f'"<" root ">" | {body}', f'{body} | root "a"'])
        lines.insert(rng.randint(0, len(lines)), f"root ::= {body}")
        return rng.choice(["\n", "\n\n", "\r\n"]).join(lines) + rng.choice(["", "\n"]), draw

    def changed(self, text):
        """Returns the text cut off, or with one character inserted or removed."""
        place = self.rng.randint(0, len(text))
        return self.rng.choice([text[:place], text[:place] + self.rng.choice(CHARACTERS) + text[place:],
                                text[:place] + text[place + 1:]])


def make_cases():
    cases, seed = [], 0
    while len(cases) < GRAMMARS:
        seed += 1
        grammar = Grammar(seed)
        source, draw = grammar.whole()
        if grammar.rng.random() < 0.3:
            place = grammar.rng.randrange(len(source))
            source = source[:place] + grammar.rng.choice(DAMAGE) + source[place + grammar.rng.randint(0, 1):]
        counts = re.findall(r"\{\s*(\d+)\s*,\s*(\d+)", source)
        if len(source) > LONGEST or any(int(high) < int(low) for low, high in counts):  # llama.cpp does not check this
            continue
        texts = []
        for _ in range(TEXTS // 3):
            text = draw()[:60]
            texts += [text, grammar.changed(text), grammar.changed(text)]
        cases.append((source, sorted(set(texts))))
    return cases


def build(llama_cpp, directory):
    program = directory / "record"
    includes = [f"-I{llama_cpp / part}" for part in ("src", "include", "ggml/include", "ggml/src")]
    sources = [str(llama_cpp / "src" / name) for name in SOURCES]
    subprocess.run(["g++", "-std=c++17", "-O1", "-ffunction-sections", "-Wl,--gc-sections", *includes, "-o", program,
                    str(HERE / "record.cc"), *sources], check=True)
    return program


def main():
    llama_cpp, version = pathlib.Path(sys.argv[1]), sys.argv[2]
    cases = make_cases()
    packed = []
    for source, texts in cases:
        packed.append(struct.pack("<I", len(source.encode())) + source.encode() + struct.pack("<I", len(texts)))
        packed += [struct.pack("<I", len(text.encode())) + text.encode() for text in texts]
    with tempfile.TemporaryDirectory() as directory:
        program = build(llama_cpp, pathlib.Path(directory))
        ran = subprocess.run([program], input=b"".join(packed), capture_output=True, check=True)
    lines = [json.dumps({"of": version})]
    for (source, texts), verdicts in zip(cases, ran.stdout.decode().splitlines(), strict=True):
        lines.append(json.dumps({"grammar": source, "texts": texts, "verdicts": verdicts}, ensure_ascii=False))
    (HERE / "verdicts.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
