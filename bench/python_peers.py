#!/usr/bin/env python3
"""Measures the calls of python_calls.py in the other packages that this Python has: python_peers.py ASKED.json.
python_calls.py writes the file. Prints {package and version: {call: ns}}."""

import importlib.metadata
import json
import pathlib
import sys

import numpy as np
from python_timing import nanoseconds


def xgrammar_times(asked):
    import torch
    import xgrammar

    torch.set_num_threads(1)
    tokens = [bytes.fromhex(token) for token in asked["tokens"]]
    info = xgrammar.TokenizerInfo(tokens, stop_token_ids=asked["stop"])
    compiled = xgrammar.GrammarCompiler(info).compile_json_schema(asked["schema"], strict_mode=False)
    matcher = xgrammar.GrammarMatcher(compiled, max_rollback_tokens=10)
    assert matcher.accept_string(asked["text"])
    bitmask = xgrammar.allocate_token_bitmask(1, len(tokens))
    logits = torch.zeros((1, len(tokens)))

    def accept_and_rollback():
        matcher.accept_token(asked["token"])
        matcher.rollback(1)

    return {
        "fill_next_token_bitmask, torch": nanoseconds(lambda: matcher.fill_next_token_bitmask(bitmask)),
        "apply_token_bitmask_inplace, torch": nanoseconds(lambda: xgrammar.apply_token_bitmask_inplace(logits, bitmask)),
        "accept_token_and_rollback": nanoseconds(accept_and_rollback),
        "is_completed": nanoseconds(matcher.is_completed),
        "fork": nanoseconds(matcher.fork),
        "find_jump_forward_string": nanoseconds(matcher.find_jump_forward_string),
    }


class Tokens:
    """The tokenizer interface that llguidance requires."""

    bos_token_id = None

    def __init__(self, asked):
        self.tokens = [bytes.fromhex(token) for token in asked["tokens"]]
        self.special_token_ids = asked["special"]
        self.eos_token_id = asked["stop"][0]

    def __call__(self, text):
        return [self.tokens.index(bytes([byte])) for byte in (text.encode() if isinstance(text, str) else text)]


def llguidance_times(asked):
    import llguidance
    import llguidance.numpy

    tokenizer = llguidance.LLTokenizer(llguidance.TokenizerWrapper(Tokens(asked)))
    grammar = llguidance.LLMatcher.grammar_from_json_schema(asked["schema"])
    matcher = llguidance.LLMatcher(tokenizer, grammar)
    assert matcher.consume_tokens(asked["text_tokens"]), matcher.get_error()
    bitmask = llguidance.numpy.allocate_token_bitmask(1, tokenizer.vocab_size)
    logits = np.zeros((1, tokenizer.vocab_size), np.float32)

    def accept_and_rollback():
        matcher.consume_token(asked["token"])
        matcher.rollback(1)

    return {
        "fill_next_token_bitmask, numpy": nanoseconds(
            lambda: llguidance.numpy.fill_next_token_bitmask(matcher, bitmask)),
        "apply_token_bitmask_inplace, numpy": nanoseconds(
            lambda: llguidance.numpy.apply_token_bitmask_inplace(logits, bitmask)),
        "accept_token_and_rollback": nanoseconds(accept_and_rollback),
        "is_completed": nanoseconds(matcher.is_accepting),
        "fork": nanoseconds(matcher.deep_copy),
        "find_jump_forward_string": nanoseconds(matcher.compute_ff_bytes),
    }


def main():
    asked = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    out = {}
    for package, times in (("xgrammar", xgrammar_times), ("llguidance", llguidance_times)):
        try:
            out[f"{package} {importlib.metadata.version(package)}"] = times(asked)
        except ImportError:
            continue  # a package that is not installed has no column
    print(json.dumps(out))


if __name__ == "__main__":
    main()
