#!/usr/bin/env python3
"""Compares the engine's counters over a few cases with the record: counters_test.py WEIR [--update]

Times depend on the machine, counters do not: what the engine explores, visits and keeps for the texts of cases.jsonl,
with the embedded tokenizer. A counter that is more than TOLERANCE above what counters.json has for it fails, as does a
text that is refused; one that is as much below is reported, so that the record follows. `make update-counters` records.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CASES, RECORD = HERE / "cases.jsonl", HERE / "counters.json"
TOLERANCE = 0.05
MEMORY_TOLERANCE = 0.15  # Of bytes: what containers reserve ahead is the standard library's.
SLACK = 5  # Counts this small may move by as much.


def measure(weir):
    """{case: {counter: value}}"""
    with tempfile.TemporaryDirectory() as directory:
        out = pathlib.Path(directory) / "out.jsonl"
        command = [weir, "bench", "masks", str(CASES), "--out", str(out), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"weir bench masks ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return {line["id"]: line["counters"] for line in map(json.loads, out.read_text(encoding="utf-8").splitlines())}


def bound(counter, recorded):
    tolerance = MEMORY_TOLERANCE if counter == "memory_bytes" else TOLERANCE
    return max(SLACK, recorded * tolerance)


def compare(measured, record):
    """(what is worse, what is better), a line each."""
    worse, better = [], []
    for case, counters in measured.items():
        recorded = record.get(case, {})
        if recorded.keys() != counters.keys():
            worse.append(f"{case}: the recorded counters are others: {sorted(recorded.keys() ^ counters.keys())}")
            continue
        for counter, value in counters.items():
            line = f"{case}: {counter} {value}, recorded {recorded[counter]}"
            if value > recorded[counter] + bound(counter, recorded[counter]):
                worse.append(line)
            elif value < recorded[counter] - bound(counter, recorded[counter]):
                better.append(line)
    return worse, better


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weir")
    parser.add_argument("--update", action="store_true", help="record the counters")
    options = parser.parse_args()
    measured = measure(options.weir)
    if options.update:
        lines = (f"  {json.dumps(case)}: {json.dumps(counters)}" for case, counters in measured.items())
        RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        return 0
    worse, better = compare(measured, json.loads(RECORD.read_text(encoding="utf-8")))
    for line in worse:
        print(f"WORSE  {line}")
    for line in better:
        print(f"better {line}")
    if worse or better:
        print("`make update-counters` records them")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
