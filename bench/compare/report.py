#!/usr/bin/env python3
"""Makes report.md, summary.json and plots of a comparison's results: report.py DIRECTORY [--to DIRECTORY]"""

import argparse
import json
import pathlib

import charts
from results import MEASURES, Results, read_lines, summarize, with_verdicts

COLUMNS = ["mean", "p50", "p90", "p99", "p99.9", "max"]


def number(value):
    """Formats a number with three digits and separated thousands."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"


def ratio(value):
    """Formats a ratio with at least two digits."""
    if value >= 10:
        return f"{value:,.0f}"
    if value >= 1:
        return f"{value:.1f}"
    return f"{value:.2g}" if value >= 0.0001 else "<0.0001"


def table(heading, rows):
    lines = ["| " + " | ".join(heading) + " |", "|" + "---|" * len(heading)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows] + [""]


def unit(measure):
    return "µs" if MEASURES.get(measure) == 1e3 else "ms"


def timed_row(measure, summary):
    if not summary:
        return [f"{measure} ({unit(measure)})", "0", *[""] * len(COLUMNS)]
    return [f"{measure} ({unit(measure)})", f"{summary['count']:,}",
            *(number(summary[column] / MEASURES.get(measure, 1e6)) for column in COLUMNS)]


class Report:
    def __init__(self, directory):
        self.meta = json.loads((directory / "meta.json").read_text(encoding="utf-8"))
        expected = json.loads((directory / "expected.json").read_text(encoding="utf-8"))
        self.engines = {}
        for name in self.meta["ready"]:
            lines = read_lines(directory / f"{name}.jsonl")
            if name == "weir":
                lines = with_verdicts(lines, read_lines(directory / "weir-verdicts.jsonl"))
            self.engines[name] = Results(lines, expected)
        self.cases, self.rows = set(self.meta["cases"]), self.meta["rows"]

    def times(self, name, cases=None, texts=None):
        engine = self.engines[name]
        return engine.times(self.cases if cases is None else cases, engine.accepted() if texts is None else texts)

    def beside(self, name):
        """Returns (weir's times, the engine's times) of the cases that both compile and the texts that both accept."""
        weir, engine = self.engines["weir"], self.engines[name]
        cases = self.cases & weir.compiled() & engine.compiled()
        texts = weir.accepted() & engine.accepted()
        return weir.times(cases, texts), engine.times(cases, texts)

    def pairs(self):
        return [name for name in self.engines if name != "weir"] if "weir" in self.engines else []

    # --- Parts of the text ---

    def introduction(self):
        meta = self.meta
        versions = ", ".join(f"{name} {version}" for name, version in meta["versions"].items())
        samples = "".join(f" {name} does each {every}th of them." for name, every in meta["sample"].items())
        calls = [ready[0]["call_ns"] for ready in meta["ready"].values() if ready]
        lines = [
            "# Masks beside other engines", "",
            f"{meta['date']}, weir at {meta['commit']}; {versions}; Python {meta['python']}.",
            f"Processor: {meta['processor']}. Load when it began and ended: {meta['load'][0]}, {meta['load'][1]}.",
            f"Tokenizer: {meta['vocabulary']}. Cases: {len(self.cases):,}"
            + (f", from {', '.join(meta['files'])}" if meta["files"] else "")
            + (f", each {meta['every']}th" if meta["every"] > 1 else "")
            + (f"; and {len(self.rows)} that stand below one by one." if self.rows else ".") + samples, "",
            "One process an engine, one core, one cold pass over the cases in the same order and tokens. Engines take turns of "
            f"{meta['chunk']} cases, and one runs at a time. A case has {meta['timeout']:g} s of its time, and an engine {meta['memory']} GiB.",
            "Time in which other programs had the processor is not counted."]
        measured = "weir is measured natively, by `weir bench masks`; the others" if meta["native"] else "All"
        if "weir" in self.engines:
            lines.append(f"{measured} are measured through their Python packages"
                         + (f", where timing a call that does nothing takes {max(calls)} ns." if calls else "."))
        if self.meta.get("warm_up"):
            lines.append(f"Before a case's texts weir explores likely states, {self.meta['warm_up']:,} steps of work; no time but the row "
                         "warm-up has that in it.")
        return lines + [""]

    def warm_up(self):
        """Returns a table of weir's time before the first mask, warm-up included, beside the others' compile."""
        if not self.meta.get("warm_up") or "weir" not in self.engines:
            return []
        weir = self.engines["weir"]
        rows = [timed_row("warm-up", summarize([line["warm_up_ns"] for line in weir.by_case.values() if "warm_up_ns" in line]))]
        for name in self.pairs():
            both = [case for case in self.cases & self.engines[name].compiled() if "warm_up_ns" in weir.by_case.get(case, {})]
            ours = summarize([weir.by_case[case]["compile_ns"] + weir.by_case[case]["warm_up_ns"] for case in both])
            theirs = summarize([self.engines[name].by_case[case]["compile_ns"] for case in both])
            cells = [f"{number(ours[c] / 1e6)} / {number(theirs[c] / 1e6)} = **{ratio(ours[c] / theirs[c])}**" for c in COLUMNS] if both else []
            rows.append([f"compile + warm-up beside {name}'s compile (ms)", f"{len(both):,}", *cells])
        return ["## Warm-up", "", *table(["", "count", *COLUMNS], rows)]

    def verdicts(self):
        rows = []
        for name, engine in self.engines.items():
            failures, verdicts = engine.failures(), engine.verdicts()
            judged = {valid: sum(count for (v, _), count in verdicts.items() if v == valid) for valid in (True, False)}
            ready = self.meta["ready"][name]
            start = ready[0]["ready_ns"] if ready else self.meta["weir"]["tokenizer_ns"]
            rows.append([name, f"{len(engine.by_case):,}", f"{len(engine.compiled()):,}", str(failures["refused"]),
                         str(failures["timeout"]), str(failures["memory"] + failures["crash"]),
                         f"{verdicts[True, 'ok']:,} of {judged[True]:,}", f"{verdicts[False, 'ok']:,} of {judged[False]:,}",
                         f"{start / 1e6:,.0f}", f"{self.meta['peak_kb'][name] / 1024:,.0f}"])
        lines = ["## Verdicts", "", "Of the texts of cases that compiled: valid ones accepted, invalid ones refused.", ""]
        lines += table(["", "cases", "compiled", "refused", "timeouts", "memory, crash", "valid accepted", "invalid refused",
                        "tokenizer (ms)", "peak memory (MB)"], rows)
        other = {name: engine.other_tokens() for name, engine in self.engines.items()}
        if "weir" in other and self.meta["native"]:
            lines += [f"Texts that weir cuts into other tokens than tiktoken: {other['weir']}.", ""]
        return lines

    def glance(self):
        """Returns a table of the most important ratios."""
        chosen = {"mask+commit": ["mean", "p50", "p99", "p99.9", "max"], "compile": ["p50", "p99"],
                  "compile+first mask": ["p99"], "request": ["mean", "p99"]}
        rows = {(measure, column): [f"{measure}, {column}"] for measure, columns in chosen.items() for column in columns}
        for name in self.pairs():
            ours, theirs = self.beside(name)
            for measure, column in rows:
                a, b = summarize(ours[measure]), summarize(theirs[measure])
                rows[measure, column].append(ratio(a[column] / b[column]) if a else "")
        return ["## At a glance", "", "weir's time as a part of theirs, over what both did.", "",
                *table(["", *self.pairs()], rows.values())]

    def alone(self):
        lines = ["## Each engine, over all that it did", "",
                 "Of cases that compiled and valid texts that were accepted. request: compile, and all masks and commits of a case.", ""]
        for measure in MEASURES:
            heading = [f"{measure} ({unit(measure)})", "count", *COLUMNS]
            rows = []
            for name in self.engines:
                row = timed_row(measure, summarize(self.times(name)[measure]))
                rows.append([name, *row[1:]])
            lines += table(heading, rows)
        return lines

    def together(self):
        lines = []
        for name in self.pairs():
            ours, theirs = self.beside(name)
            lines += [f"## weir and {name}, on what both did", "",
                      "Cases that both compiled, texts that both accepted; weir's time, theirs, and weir's as a part of theirs.", ""]
            rows = []
            for measure, nanoseconds in MEASURES.items():
                a, b = summarize(ours[measure]), summarize(theirs[measure])
                if not a:
                    continue
                cells = [f"{number(a[c] / nanoseconds)} / {number(b[c] / nanoseconds)} = **{ratio(a[c] / b[c])}**"
                         for c in COLUMNS]
                rows.append([f"{measure} ({unit(measure)})", f"{a['count']:,}", *cells])
            lines += table(["", "count", *COLUMNS], rows)
        return lines

    def row_cell(self, name, case):
        engine = self.engines[name]
        line = engine.by_case.get(case)
        if line is None:
            return "not run"
        if "compile_ns" not in line:
            return "refused" if "refused" in line else line["failed"]
        times = engine.times({case}, engine.accepted())
        wrong = sum(test["outcome"] != "ok" for test in line["tests"])
        if not times["mask+commit"]:
            return f"{number(line['compile_ns'] / 1e6)}; no text accepted"
        steps = summarize(times["mask+commit"])
        return (f"{number(line['compile_ns'] / 1e6)}; {number(steps['p50'] / 1e3)}, {number(steps['p99'] / 1e3)}, "
                f"{number(steps['max'] / 1e3)}" + (f"; {wrong} wrong" if wrong else ""))

    def case_by_case(self):
        if not self.rows:
            return []
        rows = [[case.replace("|", "\\|"), *(self.row_cell(name, case) for name in self.engines)] for case in self.rows]
        return ["## Case by case", "",
                "Compile in ms; p50, p99 and max of mask + commit in µs; how many verdicts are wrong.", "",
                *table(["", *self.engines], rows)]

    def plots(self, to):
        all_times = {name: self.times(name) for name in self.engines}

        def panel(measure):
            series = [(name, times[measure]) for name, times in all_times.items() if times[measure]]
            return (measure, "microseconds" if unit(measure) == "µs" else "milliseconds", MEASURES[measure], series)

        for file, measures in {"tokens.svg": ["mask+commit", "mask", "commit"],
                               "requests.svg": ["compile", "compile+first mask", "request"]}.items():
            caption = f"{len(self.cases):,} cases, one cold pass; each engine over all that it did"
            (to / file).write_text(charts.quantiles([panel(measure) for measure in measures], caption), encoding="utf-8")
        return ["## Plots", "", "![Times of a token](tokens.svg)", "", "![Times of a request](requests.svg)", ""]

    def summary(self):
        """Returns the content of report.md as data, without the list of cases."""
        out = {key: value for key, value in self.meta.items() if key != "cases"}
        out["alone"] = {name: {m: summarize(t) for m, t in self.times(name).items()} for name in self.engines}
        out["beside_weir"] = {}
        for name in self.pairs():
            ours, theirs = self.beside(name)
            out["beside_weir"][name] = {m: {"weir": summarize(ours[m]), name: summarize(theirs[m])} for m in MEASURES}
        return out


def write(directory, to=None):
    to = to or directory
    to.mkdir(parents=True, exist_ok=True)
    report = Report(directory)
    lines = [*report.introduction(), *report.verdicts()]
    if report.cases:
        lines += [*report.glance(), *report.warm_up(), *report.together(), *report.alone()]
    lines += report.case_by_case()
    if report.cases:
        lines += report.plots(to)
    (to / "report.md").write_text("\n".join(lines).rstrip("\n") + "\n", encoding="utf-8")
    (to / "summary.json").write_text(json.dumps(report.summary(), indent=1) + "\n", encoding="utf-8")
    print(f"{to / 'report.md'} is written")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--to", type=pathlib.Path)
    arguments = parser.parse_args()
    write(arguments.directory, arguments.to)
