#!/usr/bin/env python3
"""What each call from Python costs over the C++ one, and masking logits against numpy's and torch's own ways.

Usage: bench/python_calls.py [build/bench/bench_call]    with a Python that has the package weir, torch if it likes

The program beside runs the same calls in C++ on the same state. Times are the processor's, the least of several runs,
so that what else the machine does stays out. Logits are masked with half of all words allowed as a whole, as masks inside
strings are.
"""

import json
import pathlib
import subprocess
import sys
import time
import timeit

import numpy as np

import weir

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCHEMA = '{"type": "array", "items": {"type": "object"}}'
TEXT = '[{"a": 1}, {"b'


def nanoseconds(call, repeats=7):
    timer = timeit.Timer(call, timer=time.process_time)
    number, _ = timer.autorange()
    number = max(1, number // 4)
    return min(timer.repeat(repeats, number)) / number * 1e9


def cpp_times(program):
    out = subprocess.run([program, "--benchmark_format=json", "--benchmark_repetitions=5"], capture_output=True,
                         text=True, check=True).stdout
    times = {}
    for run in json.loads(out)["benchmarks"]:
        if run["run_type"] == "iteration":
            name = run["run_name"]
            times[name] = min(run["cpu_time"], times.get(name, float("inf")))
    return times


def make_matcher(padded):
    info = weir.TokenizerInfo.from_file(ROOT / "data/default_tokenizer/tokenizer.json", padded_vocab_size=padded)
    matcher = weir.GrammarMatcher(weir.GrammarCompiler(info).compile_json_schema(SCHEMA))
    assert matcher.accept_string(TEXT)
    return matcher, info.vocab_size


def torch_or_none():
    try:
        import torch
    except ImportError:
        return None
    torch.set_num_threads(1)
    return torch


def python_times(torch):
    """(row, the C++ benchmark that it is compared with, ns)"""
    for padded in (0, 128256):
        matcher, vocab_size = make_matcher(padded)
        bitmask = weir.allocate_token_bitmask(1, vocab_size)
        logits = np.zeros((1, vocab_size), np.float32)
        name = f"fill_next_token_bitmask/padded:{padded}"
        yield f"{name}, numpy", name, nanoseconds(lambda: matcher.fill_next_token_bitmask(bitmask))
        if torch:
            tensor = torch.from_numpy(bitmask)
            yield f"{name}, torch", name, nanoseconds(lambda: matcher.fill_next_token_bitmask(tensor))
        name = f"apply_token_bitmask_inplace/padded:{padded}"
        yield f"{name}, numpy", name, nanoseconds(lambda: weir.apply_token_bitmask_inplace(logits, bitmask))
        if torch:
            scores = torch.from_numpy(logits)
            yield f"{name}, torch", name, nanoseconds(lambda: weir.apply_token_bitmask_inplace(scores, tensor))
    matcher, _ = make_matcher(0)
    (token,) = matcher.compiled_grammar.tokenizer_info.tokenize("x")

    def accept_and_rollback():
        matcher.accept_token(token)
        matcher.rollback(1)

    calls = {
        "accept_token_and_rollback": accept_and_rollback,
        "is_completed": matcher.is_completed,
        "is_token_allowed": lambda: matcher.is_token_allowed(token),
        "fork": matcher.fork,
        "find_jump_forward_string": matcher.find_jump_forward_string,
    }
    for call_name, call in calls.items():
        name = f"{call_name}/padded:0"
        yield name, name, nanoseconds(call)


def masking(torch):
    """Prints a row for each size: microseconds of weir, of numpy and of torch, and weir's bytes a second."""
    print("\nmasking float32 logits, one thread, us a call")
    print(f"{'batch':>6} {'tokens':>8} {'weir':>10} {'numpy':>10} {'torch':>10} {'weir GB/s':>10}")
    random = np.random.default_rng(0)
    for tokens in (128256, 262144):
        for batch in (1, 8, 64, 512):
            bitmask = random.integers(-(2**31), 2**31, size=(batch, tokens // 32), dtype=np.int64).astype(np.int32)
            bitmask[:, ::2] = -1
            logits = np.zeros((batch, tokens), np.float32)
            ours = nanoseconds(lambda: weir.apply_token_bitmask_inplace(logits, bitmask), 5) / 1e3
            is_masked = ~np.unpackbits(bitmask.view(np.uint8), axis=1, bitorder="little").astype(bool)
            theirs = nanoseconds(lambda: np.putmask(logits, is_masked, -np.inf), 3) / 1e3
            row = f"{batch:>6} {tokens:>8} {ours:>10.1f} {theirs:>10.1f}"
            if torch:
                scores, mask = torch.from_numpy(logits), torch.from_numpy(is_masked)
                row += f" {nanoseconds(lambda: scores.masked_fill_(mask, -torch.inf), 3) / 1e3:>10.1f}"
            else:
                row += f" {'-':>10}"
            print(f"{row} {logits.nbytes / ours / 1e3:>10.1f}")


def main():
    torch = torch_or_none()
    cpp = cpp_times(sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/bench/bench_call"))
    print(f"{'ns a call':<58} {'Python':>8} {'C++':>8} {'over':>8}")
    for row, name, time in python_times(torch):
        print(f"{row:<58} {time:>8.0f} {cpp[name]:>8.0f} {time - cpp[name]:>8.0f}")
    masking(torch)


if __name__ == "__main__":
    main()
