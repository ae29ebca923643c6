"""Runs one engine: worker.py ENGINE VOCABULARY STEPS READING. Reads a case from each line of standard input and writes its result as
a line to standard output.

A case is {"id", "schema" | "regex" | "grammar"/"lark"/"ebnf", "tests": [{"valid", "tokens"}]}. Its valid texts are
walked first, and each call is timed. Then the invalid texts are walked for their verdicts, unless that would warm
caches that later cases use. If STEPS is not 0, the engine first explores with so much work, if it can, and the time of
that is "warm_up_ns" of the result. READING is how weir reads schemas. A result is {"id", "compile_ns", "tests": [{"test", "outcome", "mask_ns": [], "commit_ns":
[]}]} or {"id", "refused"}, as `weir bench masks --out` writes it. The first line of the output says that the engine is
ready, and how long its tokenizer took.
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
    """Measures time without the time in which other programs had the processor, as apps/support/stopwatch.h does."""

    __slots__ = ("cpu", "wall")

    def __init__(self):
        self.cpu = cpu()
        self.wall = wall()

    def elapsed_ns(self):
        end = wall()
        return min(end - self.wall, cpu() - self.cpu)


def walk(engine, calls, tokens, times):
    """Returns True if the text is accepted. Adds the times of masks and commits to the two lists in `times`, if given.

    Does not call Stopwatch but repeats its code, so that its calls are not measured.
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


def run_case(engine, case, work):
    result = {"id": case["id"]}
    try:
        watch = Stopwatch()
        grammar = engine.compile(case)
        result["compile_ns"] = watch.elapsed_ns()
        watch = Stopwatch()
        if work != 0 and engine.warm_up(grammar, work):
            result["warm_up_ns"] = watch.elapsed_ns()
    except Exception as error:  # packages raise various exceptions to refuse a grammar
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
            except Exception as error:  # outlines-core refuses a token this way; others report a limit
                accepted = False
                line["error"] = f"{type(error).__name__}: {error}"[:300]
            line["outcome"] = "ok" if accepted == valid else "wrong_accept" if accepted else "wrong_reject"
            result["tests"].append(line)
    return result


def cost_of_a_call():
    """Returns the time of an empty call in nanoseconds: the share of Python and the clock in each time."""
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
    # Output of packages is redirected to standard error.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    vocabulary = Vocabulary(sys.argv[2])
    watch = Stopwatch()
    engine = engines.ENGINES[sys.argv[1]](vocabulary)
    engine.reading = sys.argv[4]
    print(json.dumps({"ready_ns": watch.elapsed_ns(), "call_ns": cost_of_a_call()}), file=out, flush=True)
    gc.collect()
    gc.freeze()
    gc.disable()
    for line in sys.stdin:
        print(json.dumps(run_case(engine, json.loads(line), int(sys.argv[3]))), file=out, flush=True)


if __name__ == "__main__":
    main()
