#!/usr/bin/env python3
"""Runs MaskBench's development half, real schemas with instances: maskbench_test.py WEIR [--update] [--details]

Runs a deterministic tenth of the schemas; all with WEIR_CONFORMANCE=all in the environment or --update. Results that
are not entirely right are compared with results/maskbench.txt. It has one line for each such schema: the outcomes of
its tests that are not "ok", or the code of the error with which weir refuses it. The run fails if more tests of a
schema are wrong than recorded. Labels that contradict the specification are listed in contradictions.toml and inverted.
"""

import collections
import json
import lzma
import os
import pathlib
import sys
import tomllib
import zlib

import recorded
import weir_command

CONTRADICTIONS = pathlib.Path(__file__).resolve().parent / "contradictions.toml"


def read_cases(every):
    """Returns all schemas, or a tenth that depends only on their ids. Contradictory labels are inverted."""
    contradictions = tomllib.loads(CONTRADICTIONS.read_text(encoding="utf-8"))["contradiction"]
    turned = {entry["case"]: entry["tests"] for entry in contradictions}
    unused = dict(turned)
    with lzma.open(weir_command.shared_data("maskbench-dev.jsonl.xz"), "rt", encoding="utf-8") as file:
        for line in file:
            case = json.loads(line)
            for index in turned.get(case["id"], ()):
                case["tests"][index]["valid"] = not case["tests"][index]["valid"]
            unused.pop(case["id"], None)
            if every or zlib.crc32(case["id"].encode()) % 10 == 0:
                yield case
    if unused:
        sys.exit(f"contradictions.toml names cases that MaskBench does not have: {', '.join(unused)}")


def describe(case, result):
    """Returns a result's line; "" if all is right. A schema without valid texts may be refused as unsatisfiable."""
    if "refused" in result:
        if result["refused"]["code"] == "unsatisfiable" and not any(test["valid"] for test in case["tests"]):
            return ""
        return f"refused {result['refused']['code']}"
    counts = collections.Counter(outcome for outcome in result["tests"] if outcome != "ok")
    return " ".join(f"{outcome} {count}" for outcome, count in sorted(counts.items()))


def wrong_tests(line):
    """Returns the number of wrong tests in a line of results. A refused schema is worse than any number."""
    words = line.split()
    return float("inf") if words[:1] == ["refused"] else sum(map(int, words[1::2]))


def compare(results, recorded_results):
    worse, better = [], []
    for case, line in results.items():
        before = recorded_results.get(case, "")
        if wrong_tests(line) > wrong_tests(before):
            worse.append(f"{case}: {line}; recorded: {before or 'all right'}")
        elif line != before:
            better.append(f"{case}: {line or 'all right'}; recorded: {before}")
    return worse, better


def run(name, description, read, flags=()):
    """Runs the cases that `read` returns for True (all) or False, and compares the results with those of `name`."""
    options = recorded.parse_arguments(description)
    cases = list(read(options.update or os.environ.get("WEIR_CONFORMANCE") == "all"))
    answers = weir_command.run_cases(options.weir, cases, flags)
    results = {case["id"]: describe(case, answer) for case, answer in zip(cases, answers)}
    right = sum(line == "" for line in results.values())
    tests = sum(len(case["tests"]) for case in cases)
    tests_right = sum(answer.get("tests", []).count("ok") for answer in answers)
    totals = f"schemas entirely right {right}/{len(cases)}, tests {tests_right}/{tests}"
    print(f"{name}: {totals}")
    if options.details:
        for case, answer in zip(cases, answers):
            if results[case["id"]]:
                print(f"{case['id']}: {results[case['id']]} {answer.get('refused', {}).get('message', '')}")
            for index, outcome in enumerate(answer.get("tests", ())):
                if outcome != "ok":
                    print(f"    test {index}, {outcome}: {case['tests'][index].get('why') or 'labelled valid'}")
    if options.update:
        recorded.write(name, [f"What is not entirely right: {totals}"], {k: v for k, v in results.items() if v})
        return 0
    return 0 if recorded.report(name, *compare(results, recorded.read(name))) else 1


if __name__ == "__main__":
    sys.exit(run("maskbench", __doc__.splitlines()[0], read_cases))
