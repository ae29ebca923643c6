#!/usr/bin/env python3
"""Compares calls from Python with the same calls from C++ and with the calls of other packages, and masking with numpy
and torch. Also measures the time of importing the package, and its size. Prints a report in Markdown.

Usage: bench/python_calls.py [--cpp build/bench/bench_call] [--peers PYTHON]    with a Python that has the package weir
and optionally torch. PYTHON is a Python that has xgrammar (with torch) and llguidance.

The C++ program runs the same calls in the same state. Times are processor times, the minimum of several runs, so that
other programs do not affect them. In the masks that are applied to logits, half of all words allow all their tokens, as
in masks inside strings.
"""

import argparse
import json
import pathlib
import platform
import subprocess
import sys
import tempfile

import numpy as np

import weir
from python_timing import nanoseconds

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCHEMA = '{"type": "array", "items": {"type": "object"}}'
TEXT = '[{"a": 1}, {"b'


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
    return matcher, info


def torch_or_none():
    try:
        import torch
    except ImportError:
        return None
    torch.set_num_threads(1)
    return torch


def python_times(torch):
    """Yields (call, padded vocabulary size, library of the arrays, nanoseconds)."""
    for padded in (0, 128256):
        matcher, info = make_matcher(padded)
        bitmask = weir.allocate_token_bitmask(1, info.vocab_size)
        logits = np.zeros((1, info.vocab_size), np.float32)
        call = "fill_next_token_bitmask"
        yield call, padded, "numpy", nanoseconds(lambda: matcher.fill_next_token_bitmask(bitmask))
        if torch:
            tensor = torch.from_numpy(bitmask)
            yield call, padded, "torch", nanoseconds(lambda: matcher.fill_next_token_bitmask(tensor))
        call = "apply_token_bitmask_inplace"
        yield call, padded, "numpy", nanoseconds(lambda: weir.apply_token_bitmask_inplace(logits, bitmask))
        if torch:
            scores = torch.from_numpy(logits)
            yield call, padded, "torch", nanoseconds(lambda: weir.apply_token_bitmask_inplace(scores, tensor))
    matcher, info = make_matcher(0)
    (token,) = info.tokenize("x")

    def accept_and_rollback():
        matcher.accept_token(token)
        matcher.rollback(1)

    calls = {
        "accept_token_and_rollback": accept_and_rollback,
        "is_completed": matcher.is_completed,
        "is_token_allowed": lambda: matcher.is_token_allowed(token),
        "next_token_mask_id": matcher.next_token_mask_id,
        "fork": matcher.fork,
        "find_jump_forward_string": matcher.find_jump_forward_string,
        "longest_viable_prefix": lambda: matcher.longest_viable_prefix(b"cd"),
        "text": matcher.text,
    }
    for name, call in calls.items():
        yield name, 0, "", nanoseconds(call)


def peer_times(python):
    """Returns {package and version: {call: ns}}. Runs python_peers.py with another Python on the same tokens and
    text."""
    _, info = make_matcher(0)
    special = [token for token in range(info.vocab_size) if info.token_kind(token) == "special"]
    asked = {
        "schema": SCHEMA,
        "text": TEXT,
        "tokens": [(info.token_name(token).encode() if token in special else info.token_bytes(token)).hex()
                   for token in range(info.vocab_size)],
        "special": special,
        "stop": info.stop_token_ids,
        "text_tokens": info.tokenize(TEXT),
        "token": info.tokenize("x")[0],
    }
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(asked, file)
        file.flush()
        program = [python, "-W", "ignore", str(ROOT / "bench/python_peers.py"), file.name]
        return json.loads(subprocess.run(program, capture_output=True, text=True, check=True).stdout)


def print_calls(torch, cpp, peers):
    named = {name: times for name, times in peers.items() if times}
    print("## Calls\n\nNanoseconds. The difference is what Python costs; the others' are whole calls, engine and all, on the "
          "same\nschema, text and tokens.\n")
    print("| call | tokens | Python | C++ | difference |" + "".join(f" {name} |" for name in named))
    print("|---|---|---|---|---|" + "---|" * len(named))
    for call, padded, arrays, time in python_times(torch):
        alone = cpp[f"{call}/padded:{padded}"]
        key = f"{call}, {arrays}" if arrays else call
        others = "".join(f" {times[key]:,.0f} |" if padded == 0 and key in times else " |" for times in named.values())
        print(f"| {key} | {padded or 8192:,} | {time:,.0f} | {alone:,.0f} | {time - alone:,.0f} |{others}")


def print_masking(torch):
    print("\n## Masking\n\nMicroseconds a call, float32 logits, one thread. numpy is `putmask` and torch `masked_fill_`, each with a "
          "mask of\na byte a token that is there already.\n")
    if not torch:
        print("Without torch, which this Python lacks.\n")
    print("| batch | tokens | weir | numpy | torch | weir, GB/s |\n|---|---|---|---|---|---|")
    random = np.random.default_rng(0)
    for tokens in (128256, 262144):
        for batch in (1, 8, 64, 512):
            bitmask = random.integers(-(2**31), 2**31, size=(batch, tokens // 32), dtype=np.int64).astype(np.int32)
            bitmask[:, ::2] = -1
            logits = np.zeros((batch, tokens), np.float32)
            ours = nanoseconds(lambda: weir.apply_token_bitmask_inplace(logits, bitmask), 5) / 1e3
            is_masked = ~np.unpackbits(bitmask.view(np.uint8), axis=1, bitorder="little").astype(bool)
            numpys = nanoseconds(lambda: np.putmask(logits, is_masked, -np.inf), 3) / 1e3
            torchs = ""
            if torch:
                scores, mask = torch.from_numpy(logits), torch.from_numpy(is_masked)
                torchs = f"{nanoseconds(lambda: scores.masked_fill_(mask, -torch.inf), 3) / 1e3:,.1f}"
            print(f"| {batch} | {tokens:,} | {ours:,.1f} | {numpys:,.1f} | {torchs} | {logits.nbytes / ours / 1e3:.1f} |")


def import_milliseconds(statement):
    """Returns the processor time of the statement in milliseconds, without that of starting Python."""
    timed = "import resource; {}; print(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))"

    def least(what):
        program = [sys.executable, "-c", timed.format(what)]
        return min(float(subprocess.run(program, capture_output=True, text=True, check=True).stdout) for _ in range(20))

    return (least(statement) - least("pass")) * 1e3


def print_package():
    files = [path for path in pathlib.Path(weir.__file__).parent.rglob("*")
             if path.is_file() and "__pycache__" not in path.parts]
    size = sum(path.stat().st_size for path in files)
    module = max(path.stat().st_size for path in files)
    print(f"\n## Package\n\n{size / 1e6:.1f} MB installed, of which the extension module is {module / 1e6:.1f} MB. `import weir` takes "
          f"{import_milliseconds('import weir'):.0f} ms of the\nprocessor's time; with numpy "
          f"{import_milliseconds('import weir, numpy'):.0f} ms.")


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="ascii").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()


def main():
    parser = argparse.ArgumentParser(description="What calls from Python cost.")
    parser.add_argument("--cpp", default=str(ROOT / "build/bench/bench_call"), help="the same calls in C++")
    parser.add_argument("--peers", metavar="PYTHON", help="a Python that has xgrammar and llguidance")
    arguments = parser.parse_args()
    torch = torch_or_none()
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True,
                            check=False).stdout.strip()
    print(f"# Calls from Python\n\nweir {weir.__version__} at {commit}; Python {platform.python_version()}, numpy "
          f"{np.__version__}{', torch ' + torch.__version__ if torch else ''}. Processor: {processor()}.\n")
    print_calls(torch, cpp_times(arguments.cpp), peer_times(arguments.peers) if arguments.peers else {})
    print_masking(torch)
    print_package()


if __name__ == "__main__":
    main()
