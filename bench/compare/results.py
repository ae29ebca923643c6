"""The results of a comparison: verdicts, and times of selected texts."""

import collections
import json
import math

# The measures, and the number of nanoseconds in the unit in which each is shown.
MEASURES = {"mask+commit": 1e3, "mask": 1e3, "commit": 1e3, "first mask": 1e3, "compile": 1e6, "compile+first mask": 1e6,
            "request": 1e6}
SHARES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99.9": 0.999}


def read_lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


class Results:
    """The results of one engine. `expected` has for each case the verdict and the tokens of each test."""

    def __init__(self, lines, expected):
        self.by_case = {line["id"]: line for line in lines}
        self.expected = expected

    def compiled(self):
        return {case for case, line in self.by_case.items() if "compile_ns" in line}

    def accepted(self):
        """Returns the valid texts that were accepted, as (case, test)."""
        return {(case, test["test"]) for case, line in self.by_case.items() for test in line.get("tests", ())
                if "mask_ns" in test and test["outcome"] == "ok"}

    def times(self, cases, texts):
        """Returns {measure: times} of these cases and texts."""
        times = {measure: [] for measure in MEASURES}
        for case in self.by_case:
            line = self.by_case[case]
            if case not in cases or "compile_ns" not in line:
                continue
            compile_ns = line["compile_ns"]
            times["compile"].append(compile_ns)
            walked = [test for test in line["tests"] if "mask_ns" in test]
            chosen = [test for test in walked if (case, test["test"]) in texts]
            # The first mask of a case is that of its first text, even if the text was refused later.
            if chosen and chosen[0] is walked[0]:
                times["first mask"].append(chosen[0]["mask_ns"][0])
                times["compile+first mask"].append(compile_ns + chosen[0]["mask_ns"][0])
            for test in chosen:
                times["mask"] += test["mask_ns"]
                times["commit"] += test["commit_ns"]
                times["mask+commit"] += map(sum, zip(test["mask_ns"], test["commit_ns"]))
            if chosen:
                times["request"].append(compile_ns + sum(sum(test["mask_ns"]) + sum(test["commit_ns"]) for test in chosen))
        return times

    def failures(self):
        """Returns {reason: number of cases}; reasons are refused, timeout, memory, crash."""
        counts = collections.Counter()
        for line in self.by_case.values():
            if "refused" in line:
                counts["refused"] += 1
            elif "failed" in line:
                counts[line["failed"]] += 1
        return counts

    def verdicts(self):
        """Returns {(valid, outcome): number of texts} of the cases that compiled."""
        counts = collections.Counter()
        for case, line in self.by_case.items():
            for test in line.get("tests", ()):
                counts[self.expected[case][test["test"]][0], test["outcome"]] += 1
        return counts

    def other_tokens(self):
        """Returns the number of texts that the engine, if it tokenizes them itself, cut into other tokens."""
        return sum(test["tokens"] != self.expected[case][test["test"]][1]
                   for case, line in self.by_case.items() for test in line.get("tests", ()) if "tokens" in test)


def summarize(times):
    """Returns {"count", "mean", percentiles by nearest rank, "max"} in nanoseconds; {} if there are no times."""
    if not times:
        return {}
    ordered = sorted(times)
    out = {"count": len(ordered), "mean": sum(ordered) / len(ordered)}
    for name, share in SHARES.items():
        out[name] = ordered[max(math.ceil(share * len(ordered)), 1) - 1]
    out["max"] = ordered[-1]
    return out


def with_verdicts(lines, verdicts):
    """Adds to weir's lines the outcomes of all texts from the separate run; the timed run has only valid texts."""
    by_case = {line["id"]: line for line in verdicts}
    for line in lines:
        if "tests" not in line or "tests" not in by_case[line["id"]]:
            continue
        timed = {test["test"]: test for test in line["tests"]}
        line["tests"] = [*line["tests"], *({"test": test, "outcome": outcome}
                                           for test, outcome in enumerate(by_case[line["id"]]["tests"]) if test not in timed)]
    return lines
