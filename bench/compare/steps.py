#!/usr/bin/env python3
"""Measures what a server's step waits for: masks for a whole batch of rows, by each engine's own call for batches.

    .venv/bin/python bench/compare/steps.py CASES.jsonl --vocabulary o200k_base.tiktoken --every 20 --out DIRECTORY

A batch has --rows rows. Each row walks a text in its tokens, then takes the next text; when there is none, the last row
takes its place, so at the end there are fewer rows. A step makes the masks of all rows, which is what is timed, and then
each row accepts its token, which is reported beside it. Grammars are compiled before, each once. The first pass over all
texts is *cold*: each row meets states that no one has seen. In the second one all are *known*. With --pause the model
takes so many milliseconds between accepting tokens and asking for masks.

weir-prefetch is weir with BatchGrammarMatcher(prefetch=True), which uses that time, and weir-warm-up also explores likely
states of each grammar when it is compiled, as weir's backends for servers do. weir-copies fills bitmasks of the caller's.

Each engine has a process of its own with --threads processors; the engines take turns, pass by pass. All walk the same
texts: those of the cases that every engine compiles. The times are those of a wall clock, so other programs disturb them.
DIRECTORY gets steps.json, report.md and a chart.
"""

import argparse
import concurrent.futures
import datetime
import functools
import gc
import itertools
import json
import os
import pathlib
import platform
import subprocess
import sys
import time

import charts
import compare
import engines
import report
from vocabulary import Vocabulary

HERE = pathlib.Path(__file__).resolve().parent
MEASURES = ("mean", "p50", "p90", "p99", "max")
PASSES = ("cold", "known")
SERVER_WARM_UP = 60000  # steps, the default of weir's backends for servers
PROGRESS_S = 5


class Batches:
    """A batch of rows of one engine. `row` is what stands for a text."""

    def __init__(self, vocabulary, options):
        self.engine = engines.ENGINES[self.name](vocabulary)
        self.threads = options.threads

    def compile(self, case):
        return self.engine.compile(case)


class Weir(Batches):
    name = "weir"
    prefetch = False

    def __init__(self, vocabulary, options):
        super().__init__(vocabulary, options)
        import weir

        self.batch = weir.BatchGrammarMatcher(self.threads, prefetch=self.prefetch)

    def start(self, grammar):
        return grammar.fork()

    def restart(self, row, grammar):
        row.reset()
        return row

    def masks(self, rows, bitmask):
        return self.batch.next_token_bitmasks(rows)

    def accept(self, rows, tokens):
        return self.batch.accept_tokens(rows, tokens)


class WeirCopies(Weir):
    def masks(self, rows, bitmask):
        self.batch.fill_next_token_bitmasks(rows, bitmask)
        return bitmask


class WeirPrefetch(Weir):
    prefetch = True


class WeirWarmUp(WeirPrefetch):
    def compile(self, case):
        grammar = super().compile(case)
        self.engine.warm_up(grammar, SERVER_WARM_UP)
        return grammar


class LLGuidance(Batches):
    name = "llguidance"

    def __init__(self, vocabulary, options):
        super().__init__(vocabulary, options)
        import llguidance
        import llguidance.numpy

        self.executor = llguidance.LLExecutor(num_threads=self.threads)
        self.fill_all = llguidance.numpy.fill_next_token_bitmask_par

    def start(self, grammar):
        return grammar.deep_copy()

    def restart(self, row, grammar):
        row.reset()
        return row

    def masks(self, rows, bitmask):
        self.fill_all(self.executor, [(row, i) for i, row in enumerate(rows)], bitmask)
        return bitmask

    def accept(self, rows, tokens):
        return [row.consume_token(token) for row, token in zip(rows, tokens)]


class GLRMask(Batches):
    """glrmask has no call for batches: threads of Python share the rows."""

    name = "glrmask"

    def __init__(self, vocabulary, options):
        super().__init__(vocabulary, options)
        self.pool = concurrent.futures.ThreadPoolExecutor(self.threads)

    def start(self, grammar):
        return grammar[0].start()

    def restart(self, row, grammar):
        return grammar[0].start()

    def masks(self, rows, bitmask):
        def part(first):
            for i in range(first, len(rows), self.threads):
                rows[i].fill_mask(bitmask[i])

        list(self.pool.map(part, range(self.threads)))
        return bitmask

    def accept(self, rows, tokens):
        return [row.commit_token(token) is not False for row, token in zip(rows, tokens)]


BATCHES = {"weir": Weir, "weir-copies": WeirCopies, "weir-prefetch": WeirPrefetch, "weir-warm-up": WeirWarmUp,
           "llguidance": LLGuidance, "glrmask": GLRMask}


class Pass:
    """What a pass over all texts took: for each step the times of masks and of accepting, in nanoseconds, and its rows."""

    def __init__(self):
        self.waits, self.accepts, self.rows, self.refused = [], [], [], []


def one_pass(batches, texts, options, make_row, name):
    """Walks all texts, and says on standard error how far it is."""
    import numpy

    result = Pass()
    bitmask = numpy.zeros((options.rows, batches.engine.bitmask.size), dtype=numpy.int32)
    waiting = iter(range(len(texts)))
    current, places, states = [], [], []
    for text in itertools.islice(waiting, options.rows):
        current.append(text)
        places.append(0)
        states.append(make_row(text))
    reported = time.monotonic()
    while current:
        if time.monotonic() - reported > PROGRESS_S:
            reported = time.monotonic()
            print(f"{name}: text {max(current) + 1} of {len(texts)}, step {len(result.waits)}, {len(current)} rows", file=sys.stderr)
        if options.pause:
            time.sleep(options.pause / 1e3)
        start = time.perf_counter_ns()
        masks = batches.masks(states, bitmask[:len(current)])
        result.waits.append(time.perf_counter_ns() - start)
        result.rows.append(len(current))
        tokens = [texts[text]["tokens"][place] for text, place in zip(current, places)]
        allowed = [bool(masks[i][token >> 5] >> (token & 31) & 1) for i, token in enumerate(tokens)]
        going = [i for i, ok in enumerate(allowed) if ok]
        start = time.perf_counter_ns()
        accepted = batches.accept([states[i] for i in going], [tokens[i] for i in going])
        result.accepts.append(time.perf_counter_ns() - start)
        for i, ok in zip(going, accepted):
            allowed[i] = bool(ok)
        for i in reversed(range(len(current))):
            places[i] += 1
            if allowed[i] and places[i] < len(texts[current[i]]["tokens"]):
                continue
            if not allowed[i]:
                result.refused.append(texts[current[i]]["id"])
            following = next(waiting, None)
            if following is None:  # as servers do, the last row moves
                for rows in (current, places, states):
                    rows[i] = rows[-1]
                    rows.pop()
            else:
                current[i], places[i], states[i] = following, 0, make_row(following)
    return result


def serve(options):
    """Runs in an engine's process: reads lines of standard input and answers each with one line."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    batches = BATCHES[options.engine](Vocabulary(options.vocabulary), options)

    def answer(value):
        print(json.dumps(value), file=out, flush=True)

    grammars = []
    start = time.perf_counter_ns()
    cases = json.loads(sys.stdin.readline())
    for case in cases:
        try:
            grammars.append(batches.compile(case))
        except Exception:  # packages raise various exceptions to refuse a grammar
            grammars.append(None)
    answer({"compiled": [grammar is not None for grammar in grammars], "seconds": (time.perf_counter_ns() - start) / 1e9})
    texts = json.loads(sys.stdin.readline())
    rows = {}
    gc.collect()
    gc.freeze()
    gc.disable()

    def fresh(text):
        rows[text] = batches.start(grammars[texts[text]["case"]])
        return rows[text]

    def again(text):
        return batches.restart(rows[text], grammars[texts[text]["case"]])

    for which, make_row in zip(PASSES, (fresh, again)):
        sys.stdin.readline()
        answer(vars(one_pass(batches, texts, options, make_row, f"{options.engine}, {which}")))


class Process:
    """An engine's process."""

    def __init__(self, name, options):
        command = [sys.executable, __file__, "--engine", name, "--vocabulary", str(options.vocabulary), "--rows",
                   str(options.rows), "--threads", str(options.threads), "--pause", str(options.pause)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, value):
        self.process.stdin.write(json.dumps(value) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"an engine ended with {self.process.wait()}")
        return json.loads(line)


def summary(waits):
    """Returns the measures of times in microseconds."""
    ordered = sorted(waits)
    rank = functools.partial(lambda share: ordered[min(len(ordered) - 1, int(share * len(ordered)))])
    values = (sum(ordered) / len(ordered), rank(0.5), rank(0.9), rank(0.99), ordered[-1])
    return {name: value / 1e3 for name, value in zip(MEASURES, values)}


def figures(result):
    """Returns the cells of a pass in the report's table, without those of accepting."""
    waits = summary(result["waits"])
    rows = sum(result["rows"]) / len(result["rows"])
    return [f"{len(result['waits']):,}", f"{rows:.0f}", *(report.number(waits[m]) for m in MEASURES), str(len(result["refused"]))]


def write_report(results, options, texts):
    shown = {"commit": compare.describe_start()["commit"], "date": datetime.date.today().isoformat(), "processor": compare.processor(),
             "python": platform.python_version(), "rows": options.rows, "threads": options.threads,
             "pause_ms": options.pause, "texts": texts, "versions": engines.versions(
                 {BATCHES[name].name for name in options.engines})}
    lines = [f"# What a step of {options.rows} rows waits for", "",
             f"{shown['date']}, weir at {shown['commit']}, {shown['processor']}, {options.threads} threads, {texts} texts, "
             f"the model takes {options.pause:g} ms. Times of a wall clock, in µs.", ""]
    for which in PASSES:
        rows = [[name, *figures(result[which]), *(report.number(summary(result[which]["accepts"])[m]) for m in ("p50", "p99"))]
                for name, result in results.items()]
        heading = ["engine", "steps", "rows of a step", *MEASURES, "texts refused", "accepting: p50", "p99"]
        lines += [f"## {which}", "", *report.table(heading, rows)]
    lines += ["## Compiling", ""]
    lines += report.table(["engine", "s"], [[name, report.number(result["compiled_s"])] for name, result in results.items()])
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "report.md").write_text("\n".join(lines), encoding="utf-8")
    measured = {name: {"compiled_s": result["compiled_s"],
                       **{which: {"steps": len(result[which]["waits"]), "refused": len(result[which]["refused"]),
                                  **{of: summary(result[which][of]) for of in ("waits", "accepts")}} for which in PASSES}}
                for name, result in results.items()}
    (options.out / "steps.json").write_text(json.dumps({**shown, "engines": measured}, indent=2) + "\n", encoding="utf-8")
    panels = [(which, "µs", 1e3, [(name, result[which]["waits"]) for name, result in results.items()])
              for which in PASSES]
    chart = charts.quantiles(panels, f"time of the masks of {options.rows} rows, {options.threads} threads")
    (options.out / "steps.svg").write_text(chart, encoding="utf-8")
    print("\n".join(lines))


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", help="files of cases, plain or .xz")
    parser.add_argument("--vocabulary", required=True, type=pathlib.Path)
    parser.add_argument("--engines", nargs="+", choices=BATCHES, default=[name for name in BATCHES if name != "weir-copies"])
    parser.add_argument("--every", type=int, default=1, help="take every Nth case")
    parser.add_argument("--rows", type=int, default=256)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--pause", type=float, default=0, help="what the model takes for a step, in milliseconds")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/steps"))
    parser.add_argument("--engine", help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    options = parse()
    if options.engine:
        serve(options)
        return
    encoding = Vocabulary(options.vocabulary).encoding()
    cases = list(compare.read_cases(options.cases, options.every, compare.contradicted_labels()))
    for case in cases:
        compare.tokenize(case, encoding)
    sources = [json.loads(compare.line_for_worker(case)) for case in cases]
    running = {name: Process(name, options) for name in options.engines}
    results = {name: {} for name in running}
    compiled = [True] * len(cases)
    for name, process in running.items():
        answer = process.ask(sources)
        results[name]["compiled_s"] = answer["seconds"]
        compiled = [both and one for both, one in zip(compiled, answer["compiled"])]
        print(f"{name}: compiled {sum(answer['compiled'])} of {len(cases)} in {answer['seconds']:.1f} s", file=sys.stderr)
    texts = [{"id": case["id"], "case": number, "tokens": test["tokens"]} for number, case in enumerate(cases)
             if compiled[number] for test in case["tests"] if test["valid"] and test["tokens"]]
    for process in running.values():
        process.process.stdin.write(json.dumps(texts) + "\n")
    for which in PASSES:
        for name, process in running.items():
            results[name][which] = process.ask("go")
            print(f"{name}: {which}", file=sys.stderr)
    write_report(results, options, len(texts))


if __name__ == "__main__":
    main()
