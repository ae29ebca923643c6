"""Code in a small language: a grammar in Lark, a model that writes programs, an interpreter that trusts the grammar.

The language draws. A variable may be used only within its loop: one rule for each depth of loops says so, without any check
after the fact.
"""

from __future__ import annotations

import math
import re

import weir
from decoding import generate
from models import EchoModel

GRAMMAR = r"""
start: statement+
statement: command | loop
command: ("forward" | "left" | "right") number ";"
loop: "repeat" count "as" "i" "{" inner+ "}"
inner: inner_command | "repeat" count "as" "j" "{" innermost+ "}"
inner_command: ("forward" | "left" | "right") (number | "i") ";"
innermost: ("forward" | "left" | "right") (number | "i" | "j") ";"
number: NUMBER
count: COUNT

NUMBER: /[1-9][0-9]{0,2}/
COUNT: /[1-9][0-9]?/
BLANKS: /[ \n]{1,20}/
%ignore BLANKS
"""

WORD = re.compile(r"[a-z]+|[0-9]+|[;{}]")


class Turtle:
    """Runs programs. It reports no errors in programs, because the grammar leaves none."""

    def __init__(self, steps: int = 10_000) -> None:
        self._steps = steps  # a program is finite, but may be long
        self.x = self.y = self._heading = 0.0
        self.path = [(0.0, 0.0)]

    def run(self, program: str) -> None:
        self._block(WORD.findall(program), 0, {})

    def _block(self, words: list[str], at: int, values: dict[str, int]) -> int:
        """Runs statements up to a brace or the end, and returns where they end."""
        while at < len(words) and words[at] != "}":
            if words[at] == "repeat":
                count, name, body = int(words[at + 1]), words[at + 3], at + 5
                for value in range(1, count + 1):
                    at = self._block(words, body, {**values, name: value})
                at += 1
            else:
                self._command(words[at], values[words[at + 1]] if words[at + 1] in values else int(words[at + 1]))
                at += 3
        return at

    def _command(self, command: str, value: int) -> None:
        self._steps -= 1
        if self._steps < 0:
            raise RuntimeError("the program is too long")
        if command == "forward":
            self.x += value * math.cos(math.radians(self._heading))
            self.y += value * math.sin(math.radians(self._heading))
            self.path.append((self.x, self.y))
        else:
            self._heading += value if command == "left" else -value


def svg(path: list[tuple[float, float]]) -> str:
    """Returns a picture of the path."""
    left, bottom = min(x for x, _ in path), min(y for _, y in path)
    width, height = (max(point[axis] for point in path) - low for axis, low in ((0, left), (1, bottom)))
    points = " ".join(f"{x - left:.0f},{height - y + bottom:.0f}" for x, y in path)
    return f'<svg viewBox="0 0 {width:.0f} {height:.0f}"><polyline points="{points}" fill="none" stroke="black"/></svg>'


# What the stand-in would write first: a semicolon is missing, `i` is used after its loop. Then second.
WISHES = {
    "a square": ("repeat 4 as i { forward 50; right 90 }", "repeat 4 as i { forward 50; right 90 ; }"),
    "a spiral": ("repeat 20 as i { forward i; left 60; } forward i;", "repeat 20 as i { forward i; left 60; } forward 20;"),
}


def main() -> None:
    model = EchoModel([f"# {wish}\n{programs[rank]}" for rank in (0, 1) for wish, programs in WISHES.items()])
    compiled = weir.GrammarCompiler(model.tokenizer_info).compile_grammar(
        GRAMMAR, syntax="lark", exact_splits=True)  # a number ends wherever it may; max_tokens needs that
    for wish, (alone, _) in WISHES.items():
        program = generate(model, compiled, model.prompt(f"# {wish}\n"), max_tokens=80)
        turtle = Turtle()
        turtle.run(program)
        print(f"{wish}\n  alone      {alone}\n  with weir  {program}\n  {svg(turtle.path)}")


if __name__ == "__main__":
    main()
