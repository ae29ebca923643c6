"""Streaming a call: each part of the output is reported as soon as it is complete, long before the output is.

A user interface shows the destination while the model still writes the note, and the search for flights starts as soon as
both places are known.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from typing import Any

import weir
from decoding import stream
from models import EchoModel

# Members are named parts of the grammar. `string` is JSON's, without escapes beyond \" and \\ to keep the page short.
GRAMMAR = r"""
root   ::= "<call>" @capture(function: "book_flight" | "ask_back") " {" member (", " member){0,9} "}</call>"
member ::= "\"from\": " @capture(from: string) | "\"to\": " @capture(to: string)
         | "\"passengers\": " @capture(passengers: [1-9]) | "\"note\": " @capture(note: string)
string ::= "\"" ([^"\\\x00-\x1F] | "\\" ["\\]){1,200} "\""
"""


@dataclasses.dataclass(frozen=True)
class Part:
    """A named part of the output."""

    name: str
    value: Any  # text so far, of a part that is not complete
    is_complete: bool


def value_of(name: str, text: bytes) -> Any:
    return text.decode() if name == "function" else json.loads(text)


def parts(model: EchoModel, compiled: weir.CompiledGrammar, prompt: list[int]) -> Iterator[Part]:
    """Yields each named part when it is complete, and before that whenever text is added to it.

    Parts are complete in the order of their ends. Where one token ends a part and begins another, both are reported.
    """
    reported: set[int] = set()  # where the parts begin that have been reported as complete
    for _, matcher in stream(model, compiled, prompt, max_tokens=160):
        # The cost of captures() is that of the text since the last call.
        for capture in matcher.captures():
            if capture.start in reported:
                continue
            if capture.complete:
                reported.add(capture.start)
                yield Part(capture.name, value_of(capture.name, capture.text), True)
            elif capture.text:
                # A character may be split between two tokens: its first bytes wait for the rest.
                yield Part(capture.name, capture.text.decode(errors="ignore"), False)


REQUEST = "Two of us want to fly from Oslo to Porto, by the window please."
CALL = ('<call>book_flight {"from": "Oslo", "to": "Porto", "passengers": 2, '
        '"note": "Two seats by the window."}</call>')


def main() -> None:
    model = EchoModel([f"{REQUEST}\n{CALL}"])
    compiled = weir.GrammarCompiler(model.tokenizer_info).compile_grammar(GRAMMAR)
    known: dict[str, Any] = {}
    for part in parts(model, compiled, model.prompt(REQUEST + "\n")):
        print(f"{'complete' if part.is_complete else '...':8}  {part.name:10}  {part.value}")
        if part.is_complete:
            known[part.name] = part.value
            if part.name in ("from", "to") and {"from", "to"} <= known.keys():
                print(f"          searching flights from {known['from']} to {known['to']}")


if __name__ == "__main__":
    main()
