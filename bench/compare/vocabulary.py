"""A tiktoken vocabulary from its files: ranks (NAME.tiktoken), and pattern and special tokens (NAME.json)."""

import base64
import json
import pathlib


class Vocabulary:
    def __init__(self, path):
        self.path = path = pathlib.Path(path)
        described = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        self.name = path.stem
        self.pattern = described["pat_str"]
        self.special = described["special_tokens"]
        self.ranks = {}
        for line in path.read_bytes().splitlines():
            token, rank = line.split()
            self.ranks[base64.b64decode(token)] = int(rank)
        self.size = max([*self.ranks.values(), *self.special.values()]) + 1
        self.stop = self.special["<|endoftext|>"]

    def tokens(self):
        """Returns the bytes of each token: the name of a special token, nothing for an unused id."""
        out = [b""] * self.size
        for token, rank in self.ranks.items():
            out[rank] = token
        for name, rank in self.special.items():
            out[rank] = name.encode()
        return out

    def encoding(self):
        import tiktoken

        return tiktoken.Encoding(self.name, pat_str=self.pattern, mergeable_ranks=self.ranks, special_tokens=self.special)
