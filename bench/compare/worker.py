"""Runs one engine in a process of its own: worker.py ENGINE VOCABULARY. Cases come in, results go out, a line each.

A case is {"id", "schema" | "regex" | "grammar"/"lark"/"ebnf", "tests": [{"valid", "tokens"}]}. Its valid texts are walked first,
with each call timed; then the invalid ones, for the verdict alone, but where they would make things known that later cases
profit from. A result is {"id", "compile_ns", "tests": [{"test",
"outcome", "mask_ns": [], "commit_ns": []}]} or {"id", "refused"}: what `weir bench masks --out` writes. The first line
out says that the engine is ready, and how long its tokenizer took.
"""

import functools
import gc
import json
import os
import sys
import time

import engines
from vocabulary import Vocabulary

wall, cpu = time.perf_counter_ns, time.process_time_ns


class Stopwatch:
    """Time without that in which other programs had the processor: as weir measures it (apps/weir/stopwatch.h)."""

    __slots__ = ("cpu", "wall")

    def __init__(self):
        self.cpu = cpu()
        self.wall = wall()

    def elapsed_ns(self):
        end = wall()
        return min(end - self.wall, cpu() - self.cpu)


def walk(engine, calls, tokens, times):
    """Whether the text is accepted. `times`: two lists that masks and commits are added to, or nothing.

    What Stopwatch does is written out here, so that its calls are no part of the times.
    """
    fill, commit, accepts = calls
    mask_ns, commit_ns = times or ([], [])
    bitmask = engine.bitmask
    for token in tokens:
        before = cpu()
        start = wall()
        fill()
        end = wall()
        mask_ns.append(min(end - start, cpu() - before))
        allowed = bool(bitmask[token >> 5] >> (token & 31) & 1)
        if not allowed:
            return False
        before = cpu()
        start = wall()
        committed = commit(token)
        end = wall()
        if committed is False:
            return False
        commit_ns.append(min(end - start, cpu() - before))
    before = cpu()
    start = wall()
    fill()
    end = wall()
    mask_ns.append(min(end - start, cpu() - before))
    return accepts()


def run_case(engine, case):
    result = {"id": case["id"]}
    try:
        watch = Stopwatch()
        grammar = engine.compile(case)
        result["compile_ns"] = watch.elapsed_ns()
    except Exception as error:  # Packages raise what they like; it is their refusal.
        return {"id": case["id"], "refused": {"message": f"{type(error).__name__}: {error}"[:300]}}
    result["tests"] = []
    first = True
    for valid in (True,) if engine.shares else (True, False):
        for index, test in enumerate(case["tests"]):
            if test["valid"] != valid:
                continue
            line = {"test": index}
            if valid:
                line.update(mask_ns=[], commit_ns=[])
            try:
                calls = engine.start(grammar, first)
                first = False
                accepted = walk(engine, calls, test["tokens"], (line["mask_ns"], line["commit_ns"]) if valid else None)
            except Exception as error:  # outlines-core refuses a token so; others say so of a limit.
                accepted = False
                line["error"] = f"{type(error).__name__}: {error}"[:300]
            line["outcome"] = "ok" if accepted == valid else "wrong_accept" if accepted else "wrong_reject"
            result["tests"].append(line)
    return result


def cost_of_a_call():
    """Of timing a call that does nothing, in nanoseconds: this much of each time is Python's and the clock's."""
    nothing = functools.partial(len, ())
    times = []
    for _ in range(1001):
        before = cpu()
        start = wall()
        nothing()
        end = wall()
        times.append(min(end - start, cpu() - before))
    return sorted(times)[500]


def main():
    # What packages print goes to standard error.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    vocabulary = Vocabulary(sys.argv[2])
    watch = Stopwatch()
    engine = engines.ENGINES[sys.argv[1]](vocabulary)
    print(json.dumps({"ready_ns": watch.elapsed_ns(), "call_ns": cost_of_a_call()}), file=out, flush=True)
    gc.collect()
    gc.freeze()
    gc.disable()
    for line in sys.stdin:
        print(json.dumps(run_case(engine, json.loads(line))), file=out, flush=True)


if __name__ == "__main__":
    main()
