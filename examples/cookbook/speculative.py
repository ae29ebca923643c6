"""Speculative decoding with draft trees: several guesses are verified with one call of the model.

Guesses come from two places: the tokens that the grammar forces, and what followed the last tokens earlier in the prompt.
They form a tree. The model scores all of its nodes, `fill_draft_tree_bitmasks` fills all masks, and the walk from the root
takes the best allowed token at each node as long as the tree has it. The output is that of the plain loop, token for token.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

import weir
from decoding import OutOfTokens, generate
from models import SmallModel

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "email": {"type": "string", "format": "email"},
                   "city": {"type": "string"}, "age": {"type": "integer", "minimum": 0, "maximum": 120}},
    "required": ["name", "email", "city", "age"],
    "additionalProperties": False,
}
LETTER = "city: Nairobi\nname: Hiroshi Garcia\nage: 47\nemail: hiroshi.garcia@example.org"


@dataclasses.dataclass
class Tree:
    """Drafted tokens; a node's parent has a smaller index, -1 is the output so far."""

    tokens: list[int] = dataclasses.field(default_factory=list)
    parents: list[int] = dataclasses.field(default_factory=list)

    def add_path(self, path: Sequence[int]) -> None:
        """Adds a path from the root; nodes that it shares with others exist once."""
        parent = -1
        for token in path:
            known = self.child(parent, token)
            if known is None:
                self.tokens.append(token)
                self.parents.append(parent)
                known = len(self.tokens) - 1
            parent = known

    def child(self, parent: int, token: int) -> int | None:
        """Returns the child of a node with this token, or None."""
        return next((node for node, of in enumerate(self.parents) if of == parent and self.tokens[node] == token), None)

    def path(self, node: int) -> list[int]:
        """Returns the tokens from the root to a node."""
        found: list[int] = []
        while node >= 0:
            found.append(self.tokens[node])
            node = self.parents[node]
        return found[::-1]


def drafts(tokens: list[int], matcher: weir.GrammarMatcher, *, length: int = 6, most: int = 3) -> Tree:
    """Returns a tree of guesses about what follows `tokens`."""
    tree = Tree()
    tree.add_path(matcher.forced_tokens()[:length])
    found = 0
    for at in range(len(tokens) - 2, 0, -1):  # the last places first
        if tokens[at - 1:at + 1] == tokens[-2:] and found < most:
            tree.add_path(tokens[at + 1:at + 1 + length])
            found += 1
    return tree


class TreeModel:
    """Scores a tree in one call. A model on a GPU does it with one forward pass whose attention follows the tree; this one
    computes node by node and counts one call."""

    def __init__(self, model: SmallModel) -> None:
        self._model = model
        self.calls = 0

    def logits(self, tokens: list[int], tree: Tree) -> npt.NDArray[np.float32]:
        """Returns the logits after `tokens` and after each node, shape (1 + nodes, vocab_size)."""
        self.calls += 1
        return np.stack([self._model.logits(tokens + tree.path(node)) for node in range(-1, len(tree.tokens))])


def speculate(model: TreeModel, compiled: weir.CompiledGrammar, prompt: list[int], *, max_tokens: int = 512) -> list[int]:
    """Returns the tokens of the greedy output, without the stop token. It is complete within `max_tokens`."""
    info = compiled.tokenizer_info
    matcher = weir.GrammarMatcher(compiled, max_tokens=max_tokens, at_text_start=False)
    stops = set(info.stop_token_ids)
    tokens = list(prompt)
    while True:
        tree = drafts(tokens, matcher)
        logits = model.logits(tokens, tree)
        bitmask = weir.allocate_token_bitmask(1 + len(tree.tokens), info.vocab_size)
        matcher.fill_next_token_bitmask(bitmask, 0)
        if tree.tokens:  # row 1 + i is the mask after node i; it is zero where the grammar refuses the node
            matcher.fill_draft_tree_bitmasks(tree.tokens, tree.parents, bitmask[1:])
        weir.apply_token_bitmask_inplace(logits, bitmask)
        node: int | None = -1
        while node is not None:
            token = int(logits[1 + node].argmax())
            if not matcher.accept_token(token):
                raise OutOfTokens("the mask allows no token")
            if token in stops:
                return tokens[len(prompt):]
            tokens.append(token)
            node = tree.child(node, token)


def main() -> None:
    small = SmallModel()
    compiled = weir.GrammarCompiler(small.tokenizer_info).compile_json_schema(SCHEMA, profile="serving", whitespace="compact")
    prompt = small.prompt(SCHEMA, LETTER)
    plain = generate(small, compiled, prompt)
    plain_calls = small.calls
    model = TreeModel(small)
    output = speculate(model, compiled, prompt)
    text = small.tokenizer_info.decode(output).decode()
    print(text)
    print(f"the same as without drafts: {text == plain}")
    print(f"{plain_calls} calls of the model without drafts, {model.calls} with them")


if __name__ == "__main__":
    main()
