#!/usr/bin/env python3
"""Writes the figures in README.md and docs/comparison.md, from records of bench/compare.

Usage: figures.py [--check]     --check writes nothing; it fails if a page has other figures than its record, or if there is
                                a newer record with all engines of a table.

A table stands between two lines, of which the first says what it is made from:

    <!-- figures: KIND RECORD ENGINE... -->
    <!-- end of figures -->

KIND is `times` (weir beside the engines, over what both did) or `verdicts`.
"""

import datetime
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["README.md", "docs/comparison.md"]
BLOCK = re.compile(r"(<!-- figures: (?P<kind>\w+) (?P<record>\S+) (?P<engines>[\w ]+) -->\n).*?(<!-- end of figures -->)",
                   re.DOTALL)
TIMES = [("mask and commit, p50", "mask+commit", "p50"), ("mask and commit, mean", "mask+commit", "mean"),
         ("mask and commit, p99", "mask+commit", "p99"), ("compile, p50", "compile", "p50"),
         ("compile and first mask, p99", "compile+first mask", "p99"), ("a whole request, mean", "request", "mean")]


def records():
    found = {}
    for path in sorted((ROOT / "bench/record").glob("*/summary.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        if "beside_weir" in data:
            found[path.parent.name] = data
    return found


def shown(nanoseconds):
    """Returns a time with three digits and its unit."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            value = nanoseconds / size
            return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f} {unit}"
    return f"{nanoseconds:.0f} ns"


def times(data, engines):
    rows = ["| weir, the other engine | " + " | ".join(f"{engine} {data['versions'][engine]}" for engine in engines) + " |",
            "|---" * (len(engines) + 1) + "|"]
    for name, time, statistic in TIMES:
        cells = []
        for engine in engines:
            pair = data["beside_weir"][engine][time]
            cells.append(f"{shown(pair['weir'][statistic])}, {shown(pair[engine][statistic])}")
        rows.append(f"| {name} | " + " | ".join(cells) + " |")
    return rows


def verdicts(data, engines):
    """Reads the table of the record's report, which the summary does not have."""
    report = (ROOT / "bench/record" / data["directory"] / "report.md").read_text(encoding="utf-8")
    lines = {match[1]: match[2].split(" | ") for match in re.finditer(r"^\| (\w+) \| (\d+ \| .*\d+ of \d+ .*) \|$", report, re.MULTILINE)}
    rows = ["| | cases | compiled | valid accepted | invalid refused | tokenizer, ms | peak memory, MB |", "|---" * 7 + "|"]
    for engine in engines:
        cases, compiled, _, _, _, valid, invalid, tokenizer, memory = lines[engine]
        version = data["versions"].get(engine, data["commit"][:7])
        rows.append(f"| {engine} {version} | {cases} | {compiled} | {valid} | {invalid} | {tokenizer} | {memory} |")
    return rows


def main():
    known, problems = records(), []
    for name in PAGES:
        path = ROOT / name
        text = path.read_text(encoding="utf-8")

        def table(block, name=name):
            engines = block["engines"].split()
            record = known.get(block["record"])
            if record is None:
                problems.append(f"{name}: there is no record {block['record']}")
                return block[0]
            others = set(engines) - {"weir"}
            newest = max(data["date"] for data in known.values() if others <= data["beside_weir"].keys())
            if record["date"] < newest:
                problems.append(f"{name}: there is a record of {newest} with {', '.join(sorted(others))}")
            rows = (times if block["kind"] == "times" else verdicts)(record | {"directory": block["record"]}, engines)
            date = datetime.date.fromisoformat(record["date"])
            place = "bench/record" if name == "README.md" else "../bench/record"
            source = (f"[Record]({place}/{block['record']}/report.md): {date:%-d %B %Y}, weir at {record['commit'][:7]}, "
                      f"{record['processor']}, Python {record['python']}.")
            return f"{block[1]}\n" + "\n".join(rows) + f"\n\n{source}\n\n{block[5]}"
        made = BLOCK.sub(table, text)
        if made == text:
            continue
        if "--check" in sys.argv:
            problems.append(f"{name}: figures differ from the record's; run tools/docs/figures.py")
        else:
            path.write_text(made, encoding="utf-8")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
