#!/usr/bin/env python3
"""Tests the arithmetic of bench/compare: which times are compared, and what the report says of them."""

import json
import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench" / "compare"))
import report  # noqa: E402
import results  # noqa: E402

EXPECTED = {"a": [[True, [1, 2]], [True, [3]], [False, [4]]], "b": [[True, [5]]], "c": [[True, [6]]]}
WEIR = [
    {"id": "a", "compile_ns": 1000, "tests": [
        {"test": 0, "outcome": "ok", "tokens": [1, 2], "mask_ns": [10, 20, 30], "commit_ns": [1, 2]},
        {"test": 1, "outcome": "ok", "tokens": [3], "mask_ns": [40, 50], "commit_ns": [3]}]},
    {"id": "b", "compile_ns": 2000, "tests": [
        {"test": 0, "outcome": "ok", "tokens": [7], "mask_ns": [60, 70], "commit_ns": [4]}]},
    {"id": "c", "refused": {"message": "no"}}]
WEIR_VERDICTS = [{"id": "a", "tests": ["ok", "ok", "wrong_accept"]}, {"id": "b", "tests": ["ok"]}, {"id": "c", "refused": {}}]
OTHER = [
    {"id": "a", "compile_ns": 4000, "tests": [
        {"test": 0, "outcome": "wrong_reject", "mask_ns": [100], "commit_ns": []},
        {"test": 1, "outcome": "ok", "mask_ns": [80, 90], "commit_ns": [6]},
        {"test": 2, "outcome": "ok"}]},
    {"id": "b", "failed": "timeout"},
    {"id": "c", "compile_ns": 5000, "tests": [{"test": 0, "outcome": "ok", "mask_ns": [7, 8], "commit_ns": [9]}]}]
META = {"date": "2026-01-01", "commit": "0", "processor": "p", "load": [0, 0], "vocabulary": "v", "files": ["f"], "every": 1,
        "cases": ["a", "b"], "rows": ["c"], "chunk": 1, "timeout": 1, "memory": 1, "sample": {}, "python": "3",
        "versions": {"other": "1"}, "ready": {"weir": [], "other": [{"ready_ns": 3e6, "call_ns": 50}]},
        "peak_kb": {"weir": 1024, "other": 2048}, "native": True, "weir": {"tokenizer_ns": 2e6}}


class Compare(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)
        for name, lines in {"weir": WEIR, "weir-verdicts": WEIR_VERDICTS, "other": OTHER}.items():
            text = "".join(json.dumps(line) + "\n" for line in lines)
            (self.directory / f"{name}.jsonl").write_text(text, encoding="utf-8")
        (self.directory / "meta.json").write_text(json.dumps(META), encoding="utf-8")
        (self.directory / "expected.json").write_text(json.dumps(EXPECTED), encoding="utf-8")
        self.report = report.Report(self.directory)

    def test_percentiles_are_of_the_nearest_rank(self):
        self.assertEqual(results.summarize(range(1, 1001)), {"count": 1000, "mean": 500.5, "p50": 500, "p90": 900,
                                                            "p99": 990, "p99.9": 999, "max": 1000})
        self.assertEqual(results.summarize([]), {})

    def test_times_of_all_that_an_engine_did(self):
        times = self.report.times("weir")
        self.assertEqual(times["mask"], [10, 20, 30, 40, 50, 60, 70])
        self.assertEqual(times["mask+commit"], [11, 22, 43, 64])
        self.assertEqual(times["first mask"], [10, 60])
        self.assertEqual(times["compile+first mask"], [1010, 2060])
        self.assertEqual(times["request"], [1000 + 60 + 90 + 6, 2000 + 130 + 4])

    def test_beside_one_another_only_what_both_did(self):
        ours, theirs = self.report.beside("other")
        self.assertEqual((ours["mask+commit"], theirs["mask+commit"]), ([43], [86]))
        self.assertEqual((ours["compile"], theirs["compile"]), ([1000], [4000]))
        self.assertEqual((ours["request"], theirs["request"]), ([1093], [4176]))
        self.assertEqual((ours["first mask"], theirs["first mask"]), ([], []))  # Theirs refused the case's first text.

    def test_the_report(self):
        report.write(self.directory)
        text = (self.directory / "report.md").read_text(encoding="utf-8")
        self.assertIn("| weir | 3 | 2 | 1 | 0 | 0 | 3 of 3 | 0 of 1 |", text)
        self.assertIn("| other | 3 | 2 | 0 | 1 | 0 | 2 of 3 | 1 of 1 |", text)
        self.assertIn("into other tokens than tiktoken: 1.", text)
        self.assertIn("= **0.5**", text)
        self.assertIn("| c | refused |", text)
        summary = json.loads((self.directory / "summary.json").read_text(encoding="utf-8"))
        self.assertEqual(summary["beside_weir"]["other"]["compile"]["weir"]["max"], 1000)
        for plot in ("tokens.svg", "requests.svg"):
            self.assertTrue(xml.etree.ElementTree.parse(self.directory / plot).getroot().tag.endswith("svg"))

    def test_warm_up_is_beside_the_compile_of_the_others(self):
        self.assertEqual(self.report.warm_up(), [])
        lines = [{**WEIR[0], "warm_up_ns": 3000000}, {**WEIR[1], "warm_up_ns": 4000000}, WEIR[2]]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (self.directory / "weir.jsonl").write_text(text, encoding="utf-8")
        (self.directory / "meta.json").write_text(json.dumps({**META, "warm_up": 30000}), encoding="utf-8")
        report.write(self.directory)
        text = (self.directory / "report.md").read_text(encoding="utf-8")
        self.assertIn("30,000 steps of work", text)
        self.assertIn("| warm-up (ms) | 2 | 3.50 | 3.00 |", text)
        # b's other engine timed out, and a's took 4,000 ns to compile.
        self.assertIn("| compile + warm-up beside other's compile (ms) | 1 | 3.00 / 0.004 = **750** |", text)


if __name__ == "__main__":
    unittest.main()
