#!/usr/bin/env python3
"""Tests the `weir` command from outside: many grammars, and what they cost, with cases and bench.
Usage: measuring_test.py PATH_TO_WEIR [unittest options]"""

import collections
import json
import pathlib
import subprocess
import xml.etree.ElementTree

from command import EXAMPLES, ROOT, CommandTest, main, weir_path


class Cases(CommandTest):
    def setUp(self):
        super().setUp()
        lines = [
            {"id": "digits", "regex": "[0-9]+", "tests": [{"valid": True, "text": "123"}, {"valid": False, "text": "12x"},
                                                          {"valid": False, "text": ""}]},
            {"id": "pair", "grammar": 'root ::= "(" item ")"\nitem ::= "a" | root', "tests": [{"valid": True, "text": "((a))"}]},
            {"id": "other start", "grammar": 'root ::= "a"\nb ::= "b"', "start": "b", "tests": [{"valid": True, "text": "b"}]},
            {"id": "wrong", "regex": "a", "tests": [{"valid": True, "text": "b"}, {"valid": False, "text": "a"}]},
            {"id": "bad", "regex": "(", "tests": []},
            {"id": "unknown", "poem": "x", "tests": []},
        ]
        self.cases = self.file("cases.jsonl", "\n".join(map(json.dumps, lines)) + "\n")

    def test_summary_and_lines(self):
        out = pathlib.Path(self.directory.name) / "out.jsonl"
        summary = self.weir_json("cases", self.cases, "--out", str(out), code=1)
        self.assertEqual((summary["cases"], summary["passed"], summary["refused"]), (6, 3, 2))
        self.assertEqual(summary["refused_by_code"], {"syntax": 1, "unsupported": 1})
        self.assertEqual(summary["tests_by_outcome"], {"ok": 5, "wrong_accept": 1, "wrong_reject": 1})
        self.assertEqual(set(summary["times"]), {"compile", "first mask", "mask", "commit", "mask+commit"})
        lines = {line["id"]: line for line in map(json.loads, out.read_text().splitlines())}
        self.assertEqual(lines["digits"]["tests"], ["ok", "ok", "ok"])
        self.assertEqual(lines["wrong"]["tests"], ["wrong_reject", "wrong_accept"])
        self.assertGreater(lines["digits"]["compile_ns"], 0)
        self.assertGreater(len(lines["pair"]["mask_ns"]), len(lines["pair"]["commit_ns"]))
        self.assertEqual(lines["unknown"]["refused"]["code"], "unsupported")

    def test_tools_and_dialects(self):
        tools = [{"type": "function", "function": {"name": "stop"}}]
        call = '<tool_call>\n{"name": "stop", "arguments": {}}\n</tool_call>'
        lines = [
            {"id": "tools", "tools": tools, "style": "hermes", "tests": [{"valid": True, "text": "Yes. " + call},
                                                                         {"valid": False, "text": call.replace("stop", "go")}]},
            {"id": "ASCII", "regex": r"\d", "dialect": "ecma", "tests": [{"valid": False, "text": "\u0661"}]},
            {"id": "Unicode", "regex": r"\d", "dialect": "rust", "tests": [{"valid": True, "text": "\u0661"}]},
            {"id": "no style", "tools": tools, "tests": []},
            {"id": "unknown style", "tools": tools, "style": "curly", "tests": []},
            {"id": "unknown dialect", "regex": "a", "dialect": "sed", "tests": []},
        ]
        summary = self.weir_json("cases", self.file("more.jsonl", "\n".join(map(json.dumps, lines)) + "\n"), code=1)
        self.assertEqual((summary["passed"], summary["refused_by_code"]), (3, {"invalid_argument": 3}))

    def test_notation(self):
        schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
        lines = [
            {"id": "yaml", "schema": schema, "notation": "yaml", "tests": [{"valid": True, "text": "a: 1"}]},
            {"id": "json", "schema": schema, "tests": [{"valid": False, "text": "a: 1"}, {"valid": True, "text": '{"a": 1}'}]},
            {"id": "unknown notation", "schema": schema, "notation": "toml", "tests": []},
        ]
        path = self.file("notation.jsonl", "\n".join(map(json.dumps, lines)) + "\n")
        summary = self.weir_json("cases", path, code=1)
        self.assertEqual((summary["passed"], summary["refused_by_code"]), (2, {"invalid_argument": 1}))
        self.assertEqual(self.weir_json("cases", path, "--notation", "yaml", "--filter", "json", code=1)["passed"], 0)

    def test_filter_limit_warm(self):
        self.assertEqual(self.weir_json("cases", self.cases, "--filter", "digits", "--warm")["cases"], 1)
        self.assertEqual(self.weir_json("cases", self.cases, "--first", "2")["cases"], 2)
        out, _ = self.weir("cases", self.cases, "--first", "3")
        self.assertIn("mask+commit", out)
        every = self.weir_json("cases", self.cases, "--every", "2", code=1)  # digits, other start, bad
        self.assertEqual((every["cases"], every["refused_by_code"]), (3, {"syntax": 1}))

    def test_example_cases_pass(self):
        self.assertEqual(self.weir_json("cases", str(EXAMPLES / "cases.jsonl"))["passed"], 4)

    def test_nothing_to_run_is_no_success(self):
        self.assertIn("zzz", self.weir("cases", self.cases, "--filter", "zzz", code=2)[1])
        self.assertIn("no case", self.weir("cases", self.file("empty.jsonl", "\n"), code=2)[1])

    def test_a_refused_case_says_why(self):
        lines = [{"id": "rule", "grammar": "root ::= item", "tests": []}, {"id": "member", "gramar": 'root ::= "a"', "tests": []},
                 {"id": "word", "grammar": 'root ::= "a"', "syntax": "larkk", "tests": []},
                 {"id": "type", "schema": {"type": "objec"}, "tests": []}]
        path = self.file("refused.jsonl", "\n".join(map(json.dumps, lines)))
        out, _ = self.weir("cases", path, code=1)
        self.assertIn("  rule: refused as invalid_argument: rule `item` is not defined\n", out)
        self.assertIn("    hint: `gramar`: did you mean `grammar`?\n", out)
        self.assertIn("it is one of: ebnf, gbnf, kbnf, lark, xgrammar\n", out)
        self.assertIn("    hint: did you mean `object`?\n", out)
        summary = self.weir_json("cases", path, code=1)
        self.assertEqual(["rule `item` is not defined", "did you mean `object`?"],
                         [summary["first_failing"][0]["message"], summary["first_failing"][3]["hint"]])

    def test_failing_cases_are_named(self):
        summary = self.weir_json("cases", self.cases, code=1)
        self.assertEqual([case["id"] for case in summary["first_failing"]], ["wrong", "bad", "unknown"])
        out, _ = self.weir("cases", self.cases, code=1)
        self.assertIn("wrong: wrong_reject in test 1", out)
        self.assertIn("bad: refused as syntax", out)
        many = self.file("many.jsonl", "".join(f'{{"id": "c{i}", "regex": "(", "tests": []}}\n' for i in range(13)))
        self.assertIn("and 3 more", self.weir("cases", many, code=1)[0])

    def test_a_case_is_in_one_language(self):
        path = self.file("two.jsonl", '{"id": "a", "regex": "a", "grammar": "root ::= \\"b\\"", "tests": []}\n')
        self.assertEqual(self.weir_json("cases", path, code=1)["refused_by_code"], {"invalid_argument": 1})

    def test_tokens_walk_token_terminals(self):
        case = {"id": "t", "grammar": "root ::= <|endoftext|> <[5]>", "tests": [
            {"valid": True, "tokens": [8186, 5]}, {"valid": False, "tokens": [5]}, {"valid": False, "tokens": [8186]}]}
        self.weir("cases", self.file("tokens.jsonl", json.dumps(case)))
        case["tests"][0]["tokens"] = [-1]
        self.weir("cases", self.file("tokens.jsonl", json.dumps(case)), code=2)

    def test_options_that_may_be_repeated_leave_files_alone(self):
        schema, text = self.file("s.json", '{"$ref": "urn:x"}'), self.file("t.json", "1")
        other = self.file("x.json", '{"type": "integer"}')
        self.weir("validate", "--schema", schema, "--document", f"urn:x={other}", text)
        self.weir("validate", "--schema", schema, "--document", f"urn:y={other}", "--document", f"urn:x={other}", text)
        self.weir("validate", "--regex", "1\n", "--limit", "nesting=10", text, code=1)
        self.weir("validate", "--json-object", text, code=1)
        self.weir("validate", "--json-value", text)

    def test_any_json(self):
        tests = [{"valid": True, "data": {"a": [1]}}, {"valid": True, "text": "[1e5]"}, {"valid": False, "text": "[1"}]
        cases = [{"id": "value", "json_value": True, "tests": tests},
                 {"id": "object", "json_object": True, "tests": [tests[0], {"valid": False, "data": []}]},
                 {"id": "false", "json_value": False, "tests": []}]
        out = str(pathlib.Path(self.directory.name) / "out.jsonl")
        self.weir("cases", self.file("json.jsonl", "\n".join(map(json.dumps, cases))), "--out", out, code=1)
        results = [json.loads(line) for line in pathlib.Path(out).read_text().splitlines()]
        self.assertEqual([line.get("tests") for line in results], [["ok"] * 3, ["ok"] * 2, None])
        self.assertEqual(results[2]["refused"]["code"], "invalid_argument")

    def test_contradictions_are_data(self):
        case = {"id": "none", "schema": {"minLength": 5, "enum": ["a"]}, "tests": []}
        out = str(pathlib.Path(self.directory.name) / "out.jsonl")
        self.weir("cases", self.file("none.jsonl", json.dumps(case)), "--out", out, code=1)
        refused = json.loads(pathlib.Path(out).read_text())["refused"]
        self.assertEqual([note["location"] for note in refused["notes"]], ["#/minLength", "#/enum"])
        self.assertEqual((refused["notes"][0]["start"], refused["notes"][0]["end"]), (refused["start"], refused["end"]))

    def test_malformed_lines_are_named(self):
        path = self.file("bad.jsonl", '{"id": "a", "regex": "a", "tests": []}\n{"tests": 1}\n')
        _, err = self.weir("cases", path, code=2)
        self.assertIn("bad.jsonl:2", err)
        _, err = self.weir("cases", self.file("none.jsonl", "nonsense\n"), code=2)
        self.assertIn("none.jsonl:1", err)

    def test_unknown_members_are_named(self):
        case = {"id": "a", "regex": "a", "why": "w", "tests": [{"valid": True, "text": "a", "comment": 1}]}
        self.weir("cases", self.file("fine.jsonl", json.dumps(case)))
        for wrong, said in [({**case, "strat": "b"}, "unknown member `strat`\n  hint: did you mean `start`?"),
                            ({"regex": "a", "test": []}, "unknown member `test`\n  hint: did you mean `tests`?"),
                            ({"regex": "a", "tests": [{"valid": True, "text": "a", "token": [1]}]}, "`token`")]:
            _, err = self.weir("cases", self.file("wrong.jsonl", json.dumps(case) + "\n" + json.dumps(wrong)), code=2)
            self.assertIn("wrong.jsonl:2: ", err)
            self.assertIn(said, err)


class Bench(CommandTest):
    def test_masks(self):
        lines = [{"id": "digits", "regex": "[0-9]+", "tests": [{"valid": True, "text": "123"}, {"valid": False, "text": "x"}]},
                 {"id": "pairs", "grammar": 'root ::= "(" root? ")"', "tests": [{"valid": True, "text": "((()))"}]},
                 {"id": "nothing", "schema": {"type": "string", "enum": [1]}, "tests": [{"valid": False, "data": 1}]}]
        cases = self.file("cases.jsonl", "\n".join(map(json.dumps, lines)) + "\n")
        out, svg = (str(pathlib.Path(self.directory.name) / name) for name in ("out.jsonl", "plot.svg"))
        result = self.weir_json("bench", "masks", cases, "--out", out, "--svg", svg, "--passes", "2")
        self.assertEqual((result["cases"], result["wrong"], result["tests_by_outcome"]), (3, [], {"ok": 2}))
        results = [json.loads(line) for line in pathlib.Path(out).read_text().splitlines()]
        tests = [test for line in results for test in line.get("tests", ())]
        times = {name: value["count"] for name, value in result["times"].items()}
        tokens = sum(len(test["tokens"]) for test in tests)
        self.assertEqual(times, {"mask": tokens + 2, "commit": tokens, "mask+commit": tokens, "first mask": 2, "compile": 2,
                                 "compile+first mask": 2, "request": 2})
        self.assertEqual(result["counters"]["states"], sum(line["counters"]["states"] for line in results[:2]))
        self.assertEqual(results[2]["refused"]["code"], "unsatisfiable")
        self.assertEqual(len(result["slowest"]), min(10, tokens + 2))
        self.assertEqual(xml.etree.ElementTree.parse(svg).getroot().tag, "{http://www.w3.org/2000/svg}svg")
        out, _ = self.weir("bench", "masks", cases, "--each")
        self.assertIn("slowest steps", out)
        rows = [line for line in out.splitlines() if line.endswith(tuple(f"  {line['id']}" for line in results))]
        self.assertEqual([row.split()[-1] for row in rows], [line["id"].split()[-1] for line in results])
        self.assertTrue(rows[2].lstrip().startswith("refused"))
        self.assertEqual([int(row.split()[-1 - len(line["id"].split())]) for row, line in zip(rows[:2], results)],
                         [line["counters"]["states"] for line in results[:2]])

    def test_growth(self):
        svg = str(pathlib.Path(self.directory.name) / "plot.svg")
        arguments = ["bench", "growth", "--max-tokens", "300", "--max-depth", "40", "--max-members", "30",
                     "--max-properties", "12", "--min-vocabulary", "4000", "--svg", svg]
        curves = {curve["name"]: curve["points"] for curve in self.weir_json(*arguments)["curves"]}
        ends = {name: [point["up_to"] for point in points] for name, points in curves.items()}
        self.assertEqual(ends, {"output length": [10, 20, 50, 100, 200, 300], "nesting depth": [10, 20, 40],
                                "members seen": [10, 20, 30], "properties seen": [10, 12], "vocabulary": [4001, 8001, 8187]})
        self.assertEqual(sum(point["steps"] for point in curves["output length"]), 300)
        for name, points in curves.items():
            self.assertGreater(points[0]["explored"]["states"], 0, name)
            self.assertEqual(points[0]["cold_mask"]["count"], points[0]["steps"], name)
            self.assertEqual(points[0]["warm_mask"]["count"], points[0]["steps"], name)
        self.assertEqual(xml.etree.ElementTree.parse(svg).getroot().tag, "{http://www.w3.org/2000/svg}svg")
        self.assertIn("nesting depth: ", self.weir(*arguments)[0])

    def test_memory(self):
        lines = [{"id": "digits", "regex": "[0-9]+", "tests": [{"valid": True, "text": "123"}]}, {"id": "bad", "regex": "(", "tests": []},
                 {"id": "large", "schema": {"enum": [f"value {i * 7919}" for i in range(3000)]},
                  "tests": [{"valid": True, "data": "value 7919"}]}]
        cases = self.file("cases.jsonl", "\n".join(map(json.dumps, lines)) + "\n")
        result = self.weir_json("bench", "memory", cases, code=1)
        self.assertEqual((result["cases"], result["refused"]), (2, 1))
        self.assertEqual([(case["id"], case["error"]["code"]) for case in result["refused_cases"]], [("bad", "syntax")])
        self.assertEqual([case["id"] for case in result["largest"]], ["large", "digits"])
        self.assertGreater(result["resident_bytes"], result["tokenizer_bytes"])
        self.assertGreater(result["peak_resident_bytes"], 0)
        grammar = result["grammar_bytes"]
        self.assertLess(grammar["compiled"]["max"], grammar["explored"]["max"])
        # What weir counts is what malloc has handed out, but for small things and for what a schema's text says: some 250
        # bytes for each of these values, which themselves take 270.
        self.assertLess(abs(grammar["counted"]["max"] - grammar["explored"]["max"]), 0.6 * grammar["explored"]["max"])
        self.assertIn("cases that did not compile: 1\n  bad: ", self.weir("bench", "memory", cases, code=1)[0])
        self.assertIn("tokenizer", self.weir("bench", "memory", cases, "--first", "1")[0])
        # Matchers at work for half a second: texts that have ended are followed by others, over and over.
        soak = self.weir_json("bench", "memory", cases, "--hours", "0.00014", "--matchers", "3")
        self.assertEqual((soak["matchers"], len(soak["rows"])), (3, 20))
        last = soak["rows"][-1]
        self.assertGreater(last["requests"], 3)
        self.assertGreater(last["steps"], last["requests"])
        self.assertIn(last["grammars"], (1, 2))
        self.assertEqual([row["seconds"] for row in soak["rows"]], sorted(row["seconds"] for row in soak["rows"]))
        self.assertGreater(soak["matcher_bytes"]["p50"], 0)
        # A leaked grammar for each request would be megabytes.
        self.assertLess(soak["heap_at_rest_bytes"], soak["heap_before_bytes"] + 4_000_000)
        nothing = self.file("nothing.jsonl", json.dumps(lines[1]) + "\n")
        self.assertIn("no case of", self.weir("bench", "memory", nothing, "--hours", "1", code=2)[1])

    def test_threads(self):
        lines = [{"id": "object", "schema": {"type": "object"}, "tests": [{"valid": True, "data": {"a": [1, "b"]}}]},
                 {"id": "bad", "regex": "(", "tests": []}]
        cases = self.file("cases.jsonl", "\n".join(map(json.dumps, lines)) + "\n")
        result = self.weir_json("bench", "threads", cases, "--threads", "3", "--rounds", "2")
        self.assertEqual([row["threads"] for row in result["rows"]], [1, 2, 3])
        self.assertTrue(all(row["cold_steps_per_s"] > 0 and row["warm_steps_per_s"] > 0 for row in result["rows"]))
        self.assertEqual(result["refused"], 0)
        self.assertIn("of one", self.weir("bench", "threads", cases, "--threads", "1")[0])
        lines[0]["tests"][0]["data"] = 1
        cases = self.file("cases.jsonl", "\n".join(map(json.dumps, lines)) + "\n")
        self.assertGreater(self.weir_json("bench", "threads", cases, "--threads", "1", code=1)["refused"], 0)

    def test_batch(self):
        lines = [{"id": "object", "schema": {"type": "object"}, "tests": [{"valid": True, "data": {"a": [1, "b"]}}]},
                 {"id": "digits", "regex": "[0-9]+", "tests": [{"valid": True, "text": "123"}, {"valid": True, "text": "4"}]}]
        cases = self.file("cases.jsonl", "\n".join(map(json.dumps, lines)) + "\n")
        chart = self.file("batch.svg", "")
        result = self.weir_json("bench", "batch", cases, "--rows", "5", "--grammars", "1,2,7", "--threads", "3", "--svg", chart)
        self.assertEqual((result["rows"], result["refused"]), (5, 0))
        # Seven grammars are more than the file has.
        self.assertEqual([(row["grammars"], row["threads"]) for row in result["measured"]],
                         [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)])
        for row in result["measured"]:
            self.assertTrue(all(row[side]["masks_per_s"] > 0 and row[side]["call"]["count"] > 0 for side in ("cold", "warm")))
            # A lone thread waits for no lock.
            self.assertTrue(row["threads"] > 1 or row["warm"]["waits_per_call"] < 1, row)
        times = {(row["grammars"], row["threads"]): row["cold_times_one"] for row in result["simulated"]}
        self.assertEqual(list(times), [(1, 8), (1, 32), (2, 8), (2, 32)])
        # Five rows keep at most five threads busy, and a thread more never makes a call slower.
        self.assertTrue(all(1 <= times[grammars, 8] <= times[grammars, 32] + 1e-9 <= 5.1 for grammars in (1, 2)), times)
        with open(chart, encoding="utf-8") as file:
            self.assertIn("<svg", file.read())
        self.assertIn("of one", self.weir("bench", "batch", cases, "--rows", "2", "--threads", "1")[0])
        lines[0]["tests"][0]["data"] = 1
        cases = self.file("cases.jsonl", "\n".join(map(json.dumps, lines)) + "\n")
        self.assertGreater(self.weir_json("bench", "batch", cases, "--rows", "2", "--threads", "1", code=1)["refused"], 0)

    def test_masks_answers_line_by_line(self):
        command = [weir_path(), "bench", "masks", "-", "--out", "-", "--json"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            for id in ("first", "second"):
                line = {"id": id, "regex": "[0-9]+", "tests": [{"valid": True, "text": "123"}]}
                process.stdin.write(json.dumps(line) + "\n")
                process.stdin.flush()
                self.assertEqual(json.loads(process.stdout.readline())["id"], id)
            process.stdin.close()
            self.assertEqual(json.loads(process.stdout.readline())["cases"], 2)
            self.assertEqual(process.wait(), 0)

    def test_masks_reports_wrong_verdicts(self):
        lines = [{"id": "wrong", "regex": "a", "tests": [{"valid": True, "text": "b"}, {"valid": False, "text": "a"}]},
                 {"id": "bad", "regex": "(", "tests": [{"valid": True, "text": "b"}]}]
        cases = self.file("cases.jsonl", "\n".join(map(json.dumps, lines)) + "\n")
        out = str(pathlib.Path(self.directory.name) / "out.jsonl")
        wrong = [{"id": "wrong", "outcome": "wrong_reject in test 1"}, {"id": "bad", "outcome": "refused as syntax"}]
        self.assertEqual(self.weir_json("bench", "masks", cases, code=1)["wrong"], wrong)
        result = self.weir_json("bench", "masks", cases, "--invalid", "--out", out, code=1)
        self.assertEqual(result["wrong"], [*wrong, {"id": "wrong", "outcome": "wrong_accept in test 2"}])
        tests = json.loads(pathlib.Path(out).read_text().splitlines()[0])["tests"]
        self.assertEqual([test["outcome"] for test in tests], ["wrong_reject", "wrong_accept"])

    def test_homomorphism(self):
        svg = pathlib.Path(self.directory.name) / "plot.svg"
        result = self.weir_json("bench", "homomorphism", "--max-pairs", "6", "--candidates", "8", "--svg", str(svg))
        self.assertEqual([run["pairs"] for run in result["growth"]], [1, 2, 3, 4, 5, 6])
        for run in result["split"]:
            self.assertEqual(run["byte_differences"], 0, run["name"])
        self.assertTrue(any(run["refused_at"] for run in result["split"]))
        self.assertEqual(xml.etree.ElementTree.parse(svg).getroot().tag, "{http://www.w3.org/2000/svg}svg")

    def test_canonical(self):
        svg = pathlib.Path(self.directory.name) / "plot.svg"
        arguments = ["bench", "canonical", "--most", "500", "--regex", "[a-e]{1,4}"]
        result = self.weir_json(*arguments, "--svg", str(svg))
        self.assertEqual([run["merges"] for run in result["runs"]], [64, 128, 256, 500])
        for run in result["runs"]:
            self.assertTrue(run["exact"])
            self.assertGreater(run["forbidden_pairs"], 0)
            self.assertLessEqual(run["intervals"]["transitions"], run["algorithm_3"]["transitions"])
        self.assertEqual(xml.etree.ElementTree.parse(svg).getroot().tag, "{http://www.w3.org/2000/svg}svg")
        self.assertIn("never stand side by side", self.weir(*arguments)[0])
        small = self.weir_json(*arguments, "--max-transitions", "60")["runs"]
        self.assertIsNone(small[-1]["direct_merge"])
        self.assertIsNotNone(small[-1]["algorithm_3"])
        self.assertIn("<regex>:1:", self.weir("bench", "canonical", "--regex", "a(", code=2)[1])


class Fidelity(CommandTest):
    """A small world, compared with what follows from the definitions, in Python."""

    SCHEMA = {"properties": {"colour": {"enum": ["red", "reddish", "read"]}}}
    TRAINING = ['{"colour": "red"}', '{"colour": "reddish", "name": "read"}', '{"a": "redder"}']

    def setUp(self):
        super().setUp()
        lines = [{"schema": self.SCHEMA, "tests": []},
                 *({"schema": True, "tests": [{"valid": True, "text": text}]} for text in self.TRAINING[:2]),
                 {"schema": True, "tests": []},
                 {"schema": True, "tests": [{"valid": True, "text": self.TRAINING[2]}]}]
        self.cases = self.file("cases.jsonl", "\n".join(map(json.dumps, lines)) + "\n")

    def ids(self, text):
        return self.weir_json("tokenizer", "--tokenize", text)["ids"]

    def test_by_definition(self):
        file = json.loads((ROOT / "data/default_tokenizer/tokenizer.json").read_text(encoding="utf-8"))
        vocab = {name.replace("\u0120", " "): token for name, token in file["model"]["vocab"].items() if name.isascii()
                 or name[0] == "\u0120"}
        count, pairs = collections.Counter(), collections.defaultdict(collections.Counter)
        for text in [*self.TRAINING, "true", "true", "true"]:  # two thirds of the cases: all but the first and the fourth
            ids = self.ids(text)
            count.update(ids)
            for before, after in zip(ids, ids[1:]):
                pairs[before][after] += 1
        total = count.total()

        def probability(before, token):
            alone = (count[token] + 0.05) / (total + 0.05 * 8192)
            kinds, seen = len(pairs[before]), pairs[before].total()
            return (pairs[before][token] + kinds * alone) / (seen + kinds) if kinds else alone

        context = self.ids('{"colour":')
        texts = [f' "{value}"}}' for value in self.SCHEMA["properties"]["colour"]["enum"]]
        written = {text: self.ids('{"colour":' + text)[len(context):] for text in texts}

        def by_bytes(text, _):
            return [(token, text + name) for name, token in vocab.items()
                    if any(whole.startswith(text + name) for whole in texts)]

        def as_written(text, tokens):
            return [(token, text + name) for name, token in vocab.items()
                    if any(ids[:len(tokens) + 1] == [*tokens, token] for ids in written.values())]

        def sample(allowed):
            """The probability of each text under masks; of all sequences and of the written ones, in the model."""
            masked, own, own_written, stray = (dict.fromkeys(texts, 0.0) for _ in range(4))
            stack = [("", [], 1.0, 1.0)]
            while stack:
                text, tokens, weight, weight_own = stack.pop()
                if text in texts:
                    masked[text] += weight
                    own[text] += weight_own
                    is_written = tokens == written[text]
                    own_written[text] += weight_own if is_written else 0
                    stray[text] += 0 if is_written else weight
                    continue
                choices = allowed(text, tokens)
                odds = [probability((tokens or context)[-1], token) for token, _ in choices]
                for (token, longer), chance in zip(choices, odds):
                    stack.append((longer, [*tokens, token], weight * chance / sum(odds), weight_own * chance))
            return masked, own, own_written, sum(stray.values())

        def distance(masked, own):
            return sum(abs(masked[text] - own[text] / sum(own.values())) for text in texts) / 2

        plain, own, own_written, stray = sample(by_bytes)
        canonical = sample(as_written)[0]
        result = self.weir_json("bench", "fidelity", self.cases)
        found = result["enumerations"]
        self.assertEqual((found["languages"], found["wrong"], result["regexes"]["wrong"]), (1, 0, 0))
        self.assertEqual(result["regexes"]["languages"] + result["regexes"]["too_large"], 12)
        for name, expected in [("plain_distance", distance(plain, own)), ("canonical_distance", distance(canonical, own)),
                               ("canonical_only_distance", distance(
                                   {text: own_written[text] / sum(own_written.values()) for text in texts}, own)),
                               ("plain_other_mass", stray),
                               ("own_other_mass", 1 - sum(own_written.values()) / sum(own.values()))]:
            self.assertAlmostEqual(found[name]["mean"], expected, places=9, msg=name)
        self.assertGreater(stray, 0.001)

    def test_a_language_model(self):
        model = str(ROOT / "data/model")
        result = self.weir_json("bench", "fidelity", self.cases, "--model", model, "--max-nodes", "500")
        self.assertEqual((result["enumerations"]["languages"], result["enumerations"]["wrong"]), (1, 0))
        self.assertGreater(result["regexes"]["too_large"], 0)
        out = self.weir("bench", "fidelity", self.cases, "--each", "--max-nodes", "500")[0]
        self.assertIn("colour of red", out)
        self.assertIn("bigrams of", out)
        self.assertIn("no-model", self.weir("bench", "fidelity", self.cases, "--model", "no-model", code=2)[1])


if __name__ == "__main__":
    main()
