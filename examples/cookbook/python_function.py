"""A Python function that parses: Python's grammar by its name, in a fenced block of an answer.

The output is text with one block of code. Within the block it is Python, by columns, brackets and quotes; `ast` reads what
comes out, and a test says whether it is also right, which no grammar can.
"""

from __future__ import annotations

import ast

import weir
from decoding import generate
from models import EchoModel

FENCE = "`" * 3
BEGIN = FENCE + "python\n"
ANSWER = {
    "type": "structural_tag",
    "format": {"type": "sequence", "elements": [
        {"type": "regex", "pattern": "[A-Z][a-z ,]{0,40}:\n"},
        {"type": "tag", "begin": BEGIN, "content": {"type": "language", "name": "python"}, "end": FENCE},
    ]},
}

# What the stand-in would write first, and second. First it forgets a colon, compares with `=`, and ends a block at a column
# at which none began.
ALONE = """\
def divisor(n: int) -> int
    for d in range(2, n + 1):
        if n % d = 0:
            return d
      return n
"""
SECOND = """\
def divisor(n: int) -> int:
    for d in range(2, n + 1):
        if n % d == 0:
            return d
    return n
"""


def verdict(code: str) -> str:
    """Returns what Python says of the code."""
    try:
        ast.parse(code)
    except SyntaxError as error:
        return f"line {error.lineno}: {type(error).__name__}"
    return "parses"


def main() -> None:
    question = "The least divisor of a number above 1.\n"
    model = EchoModel([f"{question}Like this:\n{BEGIN}{code}{FENCE}" for code in (ALONE, SECOND)])
    compiled = weir.GrammarCompiler(model.tokenizer_info).compile_structural_tag(ANSWER)
    answer = generate(model, compiled, model.prompt(question), max_tokens=None)
    masked = answer.split(BEGIN, 1)[1].removesuffix(FENCE)
    for who, code in (("the model alone", ALONE), ("with weir", masked)):
        print(f"{who}: {verdict(code)}\n{code}")
    names: dict[str, object] = {}
    exec(masked, names)  # your own sandbox goes here
    function = names["divisor"]
    assert callable(function)
    print([function(n) for n in (7, 15, 49)])


if __name__ == "__main__":
    main()
