#!/usr/bin/env python3
"""Measures weir and other engines on the same cases and tokens in one run, and writes a report.

    python3 -m venv .venv && .venv/bin/pip install -r bench/compare/requirements.txt
    .venv/bin/python bench/compare/compare.py CASES.jsonl --vocabulary o200k_base.tiktoken --out DIRECTORY

CASES is a file of `weir cases`, plain or .xz. Each engine runs in one process, with cold caches and one pass over the
cases. An engine is its Python package (engines.py); weir is the command (`weir bench masks`) if its package is not
installed or --native is given. Engines take turns of --chunk cases, and only one runs at a time, so that other programs
affect all of them alike. All run on one core, and time in which other programs use it is not counted. Texts are
tokenized once, by tiktoken, and weir's own tokens are compared with those. --sample NAME=N makes an engine run only
every Nth case.

Cases of a file given with --rows are measured in the same way, by every engine, and are listed individually in the
report. A case with a grammar other than a schema or a regular expression has translations of weir's "grammar" in the
members "lark" and "ebnf". If weir has a "language" by name instead, "lark" is what the others read (python_cases.py).

DIRECTORY gets a file of results for each engine, meta.json, and the output of report.py: report.md and plots.
"""

import argparse
import datetime
import json
import lzma
import os
import pathlib
import platform
import subprocess
import sys

import engines
import processes
import report
from vocabulary import Vocabulary

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


# The keys of grammars that several engines support. Cases that have a grammar for one engine only are skipped.
SHARED = ("schema", "regex", "grammar", "language")


def is_shared(case):
    return any(key in case for key in SHARED) and "dialect" not in case and ("language" not in case or "lark" in case)


def read_cases(paths, every, turned):
    """Returns every `every`th case of each file, beginning with the first. Labels of the tests in `turned` are
    inverted."""
    for path in paths:
        opened = lzma.open(path, "rt", encoding="utf-8") if path.endswith(".xz") else open(path, encoding="utf-8")
        with opened as file:
            for number, line in enumerate(file):
                case = json.loads(line)
                if number % every == 0 and is_shared(case):
                    for index in turned.get(case["id"], ()):
                        case["tests"][index]["valid"] = not case["tests"][index]["valid"]
                    yield case


def contradicted_labels():
    """Returns the tests whose labels contradict the specification, by case."""
    import tomllib

    path = ROOT / "tests" / "conformance" / "json_schema" / "contradictions.toml"
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["contradiction"]
    return {entry["case"]: entry["tests"] for entry in entries}


def text_of(test):
    return test["text"] if "text" in test else json.dumps(test["data"], ensure_ascii=False)


def tokenize(case, encoding):
    for test in case["tests"]:
        test["tokens"] = encoding.encode_ordinary(text_of(test))


def line_for_worker(case):
    """Returns the case with its schema as a text, which all packages accept."""
    line = {key: case[key] for key in ("id", "regex", "grammar", "language", "lark", "ebnf") if key in case}
    if "schema" in case:
        line["schema"] = json.dumps(case["schema"], ensure_ascii=False)
    line["tests"] = [{"valid": test["valid"], "tokens": test["tokens"]} for test in case["tests"]]
    return json.dumps(line)


def line_for_weir(case):
    """Returns the unchanged case, with texts instead of tokens."""
    line = {key: case[key] for key in ("id", "schema", "grammar", "language", "regex", "start") if key in case}
    line["tests"] = [{"valid": test["valid"], "text": text_of(test)} for test in case["tests"]]
    return json.dumps(line, ensure_ascii=False)


def make_engines(options):
    made = {}
    for name in options.engines:
        if name == "weir" and options.native:
            command = [str(options.weir), "bench", "masks", "-", "--out", "-", "--json", "--tokenizer",
                       str(options.vocabulary)]
            command += ["--warm-up", str(options.warm_up)] if options.warm_up else []
            command += ["--reading", options.reading]
        else:
            command = [sys.executable, str(HERE / "worker.py"), name, str(options.vocabulary), str(options.warm_up),
                       options.reading]
        made[name] = processes.Engine(name, command, not (name == "weir" and options.native), options)
    return made


def run(cases, sampled, options):
    """Runs the engines in turns and writes a file of results for each. Samples are taken from the first `sampled`
    cases."""
    running = make_engines(options)
    files = {name: open(options.out / f"{name}.jsonl", "w", encoding="utf-8") for name in running}
    for begin in range(0, len(cases), options.chunk):
        for name, engine in running.items():
            for number in range(begin, min(begin + options.chunk, len(cases))):
                if number < sampled and number % options.sample.get(name, 1) != 0:
                    continue
                case = cases[number]
                line = line_for_weir(case) if name == "weir" and options.native else line_for_worker(case)
                files[name].write(json.dumps(engine.run(case["id"], line)) + "\n")
            files[name].flush()
        print(f"{min(begin + options.chunk, len(cases))} of {len(cases)} cases", file=sys.stderr, flush=True)
    for name, engine in running.items():
        engine.finish()
        files[name].close()
    return running


def weir_verdicts(cases, options):
    """Returns weir's outcomes of all texts, by case. This is a separate run, because invalid texts would warm the
    caches."""
    path, out = options.out / "cases.jsonl", options.out / "weir-verdicts.jsonl"
    path.write_text("".join(line_for_weir(case) + "\n" for case in cases), encoding="utf-8")
    command = [str(options.weir), "cases", str(path), "--tokenizer", str(options.vocabulary), "--out", str(out), "--json",
               "--reading", options.reading]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=options.log, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"weir cases ended with {done.returncode}; see {options.log.name}")


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="ascii").splitlines():
        if line.startswith("model name"):
            return f"{line.split(':')[1].strip()}, {os.cpu_count()} cores"
    return platform.processor()


def git(*arguments):
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def describe_start():
    changed = " with changes" if git("status", "--porcelain") else ""
    return {"commit": git("rev-parse", "--short=12", "HEAD") + changed, "load": os.getloadavg()[0]}


def describe_run(options, cases, rows, running, start):
    in_rows = {case["id"] for case in rows}
    return {
        "date": datetime.date.today().isoformat(),
        "commit": start["commit"],
        "processor": processor(),
        "load": [round(start["load"], 2), round(os.getloadavg()[0], 2)],
        "vocabulary": options.vocabulary.name,
        "files": [pathlib.Path(path).name for path in options.cases],
        "every": options.every,
        "cases": [case["id"] for case in cases if case["id"] not in in_rows],
        "rows": [case["id"] for case in rows],
        "chunk": options.chunk,
        "timeout": options.timeout,
        "memory": options.memory,
        "sample": options.sample,
        "python": platform.python_version(),
        "versions": engines.versions(options.engines),
        "ready": {name: engine.ready for name, engine in running.items()},
        "peak_kb": {name: engine.peak_kb for name, engine in running.items()},
        "native": options.native,
        "warm_up": options.warm_up,
        "reading": options.reading,
        "weir": running["weir"].summary if "weir" in running else None,
    }


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", help="files of cases, .jsonl or .jsonl.xz")
    parser.add_argument("--vocabulary", type=pathlib.Path, required=True, help="NAME.tiktoken, with NAME.json beside it")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--weir", type=pathlib.Path, default=ROOT / "build" / "weir")
    parser.add_argument("--native", action="store_true", help="measure weir by its command, not through its package")
    parser.add_argument("--warm-up", type=int, default=0, metavar="STEPS",
                        help="let weir explore likely states of each grammar, with so much work, before its texts; timed apart")
    parser.add_argument("--reading", default="specification", choices=("specification", "practice"),
                        help="how weir reads keywords that a schema's draft does not have")
    parser.add_argument("--engines", default="weir,llguidance,glrmask,xgrammar,outlines_core")
    parser.add_argument("--rows", action="append", default=[], help="a file of cases that have a row each in the report")
    parser.add_argument("--every", type=int, default=1, help="use every Nth case of each file, beginning with the first")
    parser.add_argument("--sample", action="append", default=[], metavar="ENGINE=N", help="of these, use every Nth for this engine")
    parser.add_argument("--chunk", type=int, default=40, help="cases until the next engine's turn")
    parser.add_argument("--timeout", type=float, default=60, help="seconds of the processor for one case")
    parser.add_argument("--start-timeout", type=float, default=300, help="seconds for an engine to be ready")
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)), help="the processor core that they run on")
    parser.add_argument("--memory", type=int, default=8, help="GiB for one engine")
    options = parser.parse_args()
    options.engines = options.engines.split(",")
    options.sample = {name: int(number) for name, number in (entry.split("=") for entry in options.sample)}
    for name in [*options.engines, *options.sample]:
        if name not in engines.ENGINES:
            parser.error(f"no engine is named {name}; there are {', '.join(engines.ENGINES)}")
    options.native = options.native or not engines.has_weir()
    options.vocabulary, options.weir = options.vocabulary.resolve(), options.weir.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    return options


def main():
    options = parse_arguments()
    encoding = Vocabulary(options.vocabulary).encoding()
    rows = list(read_cases(options.rows, 1, {}))
    cases = [*read_cases(options.cases, options.every, contradicted_labels()), *rows]
    for case in cases:
        tokenize(case, encoding)
    start = describe_start()
    with open(options.out / "log.txt", "wb") as options.log:
        running = run(cases, len(cases) - len(rows), options)
        meta = describe_run(options, cases, rows, running, start)
        if "weir" in options.engines:
            weir_verdicts(cases, options)
    expected = {case["id"]: [[test["valid"], test["tokens"]] for test in case["tests"]] for case in cases}
    (options.out / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    (options.out / "expected.json").write_text(json.dumps(expected), encoding="utf-8")
    report.write(options.out)


if __name__ == "__main__":
    main()
