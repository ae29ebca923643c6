#!/usr/bin/env python3
"""Records llguidance's verdicts on random Lark grammars and texts. verdicts_test.cc compares weir with them.

Usage: python3 tests/conformance/lark/record.py    where llguidance is installed

Writes verdicts.jsonl beside this file: a line that describes the record, then one line for each grammar, with its texts
and one letter for each text, c (complete) or r (not). The random grammars are seeded; the texts follow llguidance's own
masks. The grammars avoid what docs/lark.md lists as different: no other terminal matches ignored text, no text begins
or ends with ignored text, and a lazy rule follows a character with which no terminal can continue.
"""

import importlib.metadata
import json
import pathlib
import random

from llguidance import LLMatcher, LLTokenizer

GRAMMARS, TEXTS = 400, 10
TOKENIZER = LLTokenizer("byte")


def expression(rng, depth=0):
    kind = rng.random()
    if depth > 2 or kind < 0.35:
        return rng.choice(["a", "b", "c", "[ab]", "[bc]", "[^a -]", "ab", "cab"])
    inner = expression(rng, depth + 1)
    if kind < 0.55:
        return inner + expression(rng, depth + 1)
    if kind < 0.7:
        return f"({inner}|{expression(rng, depth + 1)})"
    return f"({inner})" + rng.choice(["*", "+", "?", "{1,2}"])


def terminal(rng, name):
    if rng.random() < 0.3:
        return f'{name}: "{"".join(rng.choice("abc") for _ in range(rng.randint(1, 3)))}"'
    body = f"/{expression(rng)}/"
    if rng.random() < 0.15:
        body += rng.choice([" & ", " | "]) + f"/{expression(rng)}/"
    return f"{name}: {body}"


def item(rng, names, has_lazy):
    kind = rng.random()
    if kind < 0.6:
        part = rng.choice(names)
    elif kind < 0.72:
        part = '"' + rng.choice(["a", "b", "ab", "-"]) + '"'
    elif kind < 0.8 and has_lazy:
        return '"-" lazy'
    else:
        part = rng.choice(["p", "q"])
    return part + (rng.choice(["*", "+", "?", "{1,2}"]) if rng.random() < 0.2 else "")


def grammar(rng):
    names = "ABCD"[:rng.randint(2, 4)]
    has_lazy = rng.random() < 0.4
    lines = [terminal(rng, name) for name in names]
    for rule in ("start", "p", "q"):
        ways = [" ".join(item(rng, names, has_lazy) for _ in range(rng.randint(1, 3))) for _ in range(rng.randint(1, 3))]
        lines.append(f"{rule}: " + " | ".join(ways + [""] * (rng.random() < 0.1)))
    if has_lazy:
        lines.append(rng.choice(["lazy[lazy]", 'lazy[suffix="c"]', "lazy[suffix=/[bc]+a/]"]) + f": /{expression(rng)}/")
    if rng.random() < 0.3:
        lines.append(rng.choice(['%ignore " "', "%ignore / +/"]))
    return "\n".join(lines) + "\n"


def matcher(source):
    return LLMatcher(TOKENIZER, LLMatcher.grammar_from_lark(source), log_level=0)


def draw(rng, source):
    """Returns a text that mostly follows the masks."""
    walk, text = matcher(source), ""
    for _ in range(rng.randint(1, 9)):
        fitting = [c for c in "abc- " if walk.validate_tokens([ord(c)]) == 1] if rng.random() < 0.93 else list("abc- ")
        if not fitting or walk.is_stopped():
            break
        text += rng.choice(fitting)
        if not walk.try_consume_tokens([ord(text[-1])]):
            break
    return text.strip(" ")


def verdict(source, text):
    at = matcher(source)
    return "c" if at.try_consume_tokens(list(text.encode())) == len(text) and at.is_accepting() else "r"


def main():
    out = [{"of": f"llguidance {importlib.metadata.version('llguidance')}"}]
    seed = 0
    while len(out) <= GRAMMARS:
        seed += 1
        rng = random.Random(seed)
        source = grammar(rng)
        texts = sorted({draw(rng, source) for _ in range(TEXTS)})
        out.append({"grammar": source, "texts": texts, "verdicts": "".join(verdict(source, text) for text in texts)})
    lines = [json.dumps(case, ensure_ascii=False) for case in out]
    (pathlib.Path(__file__).resolve().parent / "verdicts.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
