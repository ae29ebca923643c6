#!/usr/bin/env python3
"""Tests the `weir` command from outside: exit codes, messages, JSON shapes. Usage: cli_test.py PATH_TO_WEIR [unittest options]"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples"
JSON_GRAMMAR = str(EXAMPLES / "json.ebnf")
EXPRESSION_GRAMMAR = str(EXAMPLES / "expression.ebnf")
WEIR = ""


class CliTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def file(self, name, content):
        path = pathlib.Path(self.directory.name) / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return str(path)

    def weir(self, *arguments, stdin="", code=0, environment=None):
        result = subprocess.run([WEIR, *arguments], input=stdin.encode("utf-8"), capture_output=True, check=False,
                                env={**os.environ, **(environment or {})}, timeout=300)
        out, err = result.stdout.decode("utf-8"), result.stderr.decode("utf-8")
        self.assertEqual(result.returncode, code, f"weir {' '.join(arguments)}\nstdout: {out}\nstderr: {err}")
        return out, err

    def weir_json(self, *arguments, **options):
        return json.loads(self.weir(*arguments, "--json", **options)[0])


class General(CliTest):
    def test_version(self):
        out, _ = self.weir("--version")
        self.assertEqual(out, f"weir {(ROOT / 'VERSION').read_text().strip()}\n")

    def test_help_of_every_command_states_exit_status(self):
        out, _ = self.weir("--help")
        self.assertIn("Exit status", out)
        for command in ("validate", "mask", "generate", "tokenizer", "inspect", "cases"):
            self.assertIn(command, out)
            text, _ = self.weir(command, "--help")
            self.assertIn("Exit status", text)
            self.assertIn("--json", text)
            self.assertIn("--tokenizer", text)
        for experiment in ("masks", "growth", "memory", "threads", "homomorphism"):
            self.assertIn("Exit status", self.weir("bench", experiment, "--help")[0])

    def test_the_dialect_of_a_regex(self):
        self.weir("validate", "--regex", "a{,2}", "-", stdin="a{,2}", code=2)
        self.weir("validate", "--regex", "a{,2}", "--regex-dialect", "ecma", "-", stdin="a{,2}")
        self.weir("validate", "--regex", "a{,2}", "--regex-dialect", "ecma", "-", stdin="aa", code=1)
        self.weir("validate", "--regex", "a++[b&&[^c]]", "--regex-dialect", "rust", "-", stdin="aab")
        self.weir("validate", "--regex", "a", "--regex-dialect", "other", "-", stdin="a", code=2)

    def test_wrong_usage_is_exit_code_2(self):
        self.weir(code=2)
        self.weir("frobnicate", code=2)
        self.weir("validate", "--grammar", JSON_GRAMMAR, code=2)
        self.weir("validate", "-", code=2)
        self.weir("validate", "--grammar", JSON_GRAMMAR, "--regex", "a", "-", code=2)
        self.weir("generate", "--regex", "a", "--steer", "2", code=2)
        self.assertIn("--start", self.weir("mask", "--regex", "a", "--start", "b", code=2)[1])
        self.assertIn("twice", self.weir("validate", "--grammar", "-", "-", stdin='root ::= "a"', code=2)[1])

    def test_counts_are_natural_numbers(self):
        for arguments in (["generate", "--regex", "a", "--count", "-3"], ["mask", "--regex", "a", "--show", "-1"],
                          ["generate", "--regex", "a", "--max-tokens", "x"], ["cases", "none", "--first", "-1"]):
            self.assertIn("natural number", self.weir(*arguments, code=2)[1])

    def test_empty_values_are_refused(self):
        regex = ["mask", "--regex", "a"]
        for arguments in (["mask", "--grammar", ""], [*regex, "--tokenizer", ""], [*regex, "--after-file", ""],
                          [*regex, "--token", ""], [*regex, "--token-text", ""], ["tokenizer", "--decode", ""],
                          ["mask", "--grammar", JSON_GRAMMAR, "--start", ""], ["validate", "--regex", "a", ""]):
            self.assertIn("empty", self.weir(*arguments, code=2)[1], arguments)
        self.assertTrue(self.weir_json("mask", "--regex", "", "--after", "")["may_end"])

    def test_misspelled_arguments_have_a_suggestion(self):
        self.assertIn("did you mean `--grammar`?", self.weir("mask", "--gramar", "x", code=2)[1])
        self.assertIn("did you mean `validate`?", self.weir("valdate", code=2)[1])

    def test_limits(self):
        arguments = ["mask", "--regex", "a{40}b{40}c{40}", "--after", "aaa"]
        _, err = self.weir(*arguments, "--limit", "lexer_states=2", code=2)
        self.assertIn("<after>: at byte 0: limit exceeded", err)
        self.weir(*arguments, "--limit", "lexer_states=2000")
        _, err = self.weir(*arguments, "--limit", "nonsense=1", code=2)
        self.assertIn("completion_bytes", err)
        self.assertIn("lexer_states", self.weir(*arguments, "--limit", "lexer_states=-1", code=2)[1])
        text = self.file("long.txt", "x" + "a" * 5000)
        arguments = ["validate", "--regex", "xa{100000}", text, "--limit", "lexer_states=1000"]
        _, err = self.weir(*arguments, code=2)
        self.assertRegex(err, r"long\.txt: at byte \d+: limit exceeded: .*raise it with --limit lexer_states=N")
        failure = self.weir_json(*arguments, code=2)
        self.assertEqual((failure["file"], failure["error"]["limit"]), (text, "lexer_states"))

    def test_missing_files_are_named(self):
        _, err = self.weir("validate", "--grammar", "/nonexistent/g.ebnf", "-", code=2)
        self.assertIn("/nonexistent/g.ebnf", err)
        _, err = self.weir("validate", "--regex", "a", "/nonexistent/text", code=2)
        self.assertIn("/nonexistent/text", err)
        _, err = self.weir("tokenizer", "/nonexistent/tokenizer.json", code=2)
        self.assertIn("/nonexistent/tokenizer.json", err)

    def test_grammar_errors_point_at_the_place(self):
        path = self.file("bad.ebnf", 'root ::= "a" itme\nitem ::= "b"\n')
        _, err = self.weir("validate", "--grammar", path, "-", code=2)
        self.assertIn("bad.ebnf:1:14", err)
        self.assertIn("`itme`", err)
        self.assertIn("^", err)
        error = self.weir_json("validate", "--grammar", path, "-", code=2)["error"]
        self.assertIn(error["code"], ("invalid_argument", "syntax"))
        self.assertEqual(error["start"], 13)
        self.assertIn("rendered", error)

    def test_warnings_are_printed_once(self):
        path = self.file("unused.ebnf", 'root ::= "a"\nitem ::= "b"\n')
        _, err = self.weir("validate", "--grammar", path, "-", stdin="a")
        self.assertEqual(err.count("warning"), 1)
        self.assertIn("unused.ebnf:2:1", err)
        self.assertEqual(self.weir("validate", "--quiet", "--grammar", path, "-", stdin="a")[1], "")

    def test_regex_errors_point_at_the_place(self):
        _, err = self.weir("mask", "--regex", "a(b", code=2)
        self.assertIn("<regex>:1:", err)

    def test_output_has_no_escape_sequences_when_piped(self):
        out, err = self.weir("validate", "--regex", "a+", "-", stdin="ab", code=1, environment={"TERM": "xterm"})
        self.assertNotIn("\x1b", out + err)


    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full on this system")
    def test_a_full_disk_is_exit_code_2(self):
        cases = self.file("cases.jsonl", '{"id": "a", "regex": "a", "tests": []}\n')
        _, err = self.weir("cases", cases, "--out", "/dev/full", code=2)
        self.assertIn("/dev/full", err)
        with open("/dev/full", "wb") as full:
            for arguments in (("generate", "--regex", "a"), ("mask", "--regex", "a"), ("cases", cases, "--out", "-")):
                result = subprocess.run([WEIR, *arguments], stdout=full, stderr=subprocess.PIPE, check=False)
                self.assertEqual(result.returncode, 2, arguments)
                self.assertIn(b"standard output", result.stderr)



class StructuralTags(CliTest):
    TAG = """{"format": {"type": "triggered_tags", "triggers": ["<f="], "tags": [
        {"begin": "<f=a>", "content": {"type": "json_schema", "json_schema": {"type": "integer"}}, "end": "</f>"}]}}"""

    def test_validate(self):
        tag = self.file("tag.json", self.TAG)
        self.weir("validate", "--structural-tag", tag, "-", stdin="hello <f=a>12</f>")
        self.weir("validate", "--structural-tag", tag, "-", stdin="hello <f=b>", code=1)
        _, err = self.weir("validate", "--structural-tag", self.file("bad.json", self.TAG.replace("integer", "int")), "-",
                           code=2)
        self.assertIn("bad.json:2:", err)
        answer = self.file("format.json", '{"type": "choice", "choice": ["yes", "no"]}')
        self.weir("validate", "--response-format", answer, "-", stdin="no")
        self.weir("validate", "--response-format", answer, "-", stdin="nope", code=1)

    def test_quotations(self):
        text = self.file("text", "to be, or not")
        self.weir("validate", "--substring", text, "-", stdin="be, or")
        self.weir("validate", "--substring", text, "-", stdin="be, o", code=1)
        self.weir("validate", "--substring", text, "--unit", "character", "-", stdin="be, o")
        chunks = self.file("chunks", '["to be", ", or", " not"]')
        self.weir("validate", "--chunks", chunks, "-", stdin=", or not")
        self.weir("validate", "--chunks", chunks, "-", stdin="or not", code=1)

    def test_cases(self):
        lines = [{"structural_tag": json.loads(self.TAG), "tests": [{"text": "a<f=a>1</f>", "valid": True},
                                                                    {"text": "<f=a>x", "valid": False}]},
                 {"response_format": {"type": "json_object"}, "tests": [{"text": "{}", "valid": True},
                                                                        {"text": "[]", "valid": False}]}]
        cases = self.file("cases.jsonl", "\n".join(map(json.dumps, lines)))
        out, _ = self.weir("cases", cases)
        self.assertNotIn("wrong", out)

    def test_tools(self):
        tools = self.file("tools.json", '[{"type": "function", "function": {"name": "f"}}]')
        out, _ = self.weir("tools", "--style", "hermes", "--tools", tools, "--tool-choice", "required")
        tag = self.file("tag.json", out)
        call = '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>'
        self.weir("validate", "--structural-tag", tag, "-", stdin=call)
        self.weir("validate", "--structural-tag", tag, "-", stdin="no call", code=1)
        _, err = self.weir("tools", "--style", "hermes", "--tools", self.file("bad.json", "[{}]"), code=2)
        self.assertIn("bad.json:1:2", err)


class Validate(CliTest):
    def test_accepted(self):
        out, _ = self.weir("validate", "--grammar", JSON_GRAMMAR, "-", stdin='{"a": [1, true]}')
        self.assertEqual(out, "<stdin>: accepted\n")

    def test_captures(self):
        grammar = self.file("call.ebnf", 'root ::= "<" @capture(name: [a-z]+) ">" @capture(body: [0-9]+) "!"')
        arguments = ["validate", "--grammar", grammar, "-", "--captures"]
        out, _ = self.weir(*arguments, stdin="<ab>12!")
        self.assertEqual(out, "<stdin>: accepted\n  name 1-3: `ab`\n  body 4-6: `12`\n")
        out, _ = self.weir(*arguments, stdin="<ab>12", code=1)
        self.assertIn("  body 4-6: `12`, not complete\n", out)
        found = self.weir_json(*arguments, stdin="<ab>x", code=1)["captures"]
        self.assertEqual(found, [{"name": "name", "begin": 1, "end": 3, "text": "ab", "complete": True}])
        out, _ = self.weir(*arguments, "--limit", "capture_items=2", stdin="<ab>12!")
        self.assertIn("no captures: ", out)

    def test_refused_at_line_and_column_with_caret(self):
        out, _ = self.weir("validate", "--grammar", JSON_GRAMMAR, "-", stdin='{\n  "é": 1,\n}', code=1)
        lines = out.split("\n")
        self.assertTrue(lines[0].startswith("<stdin>:3:1: refused: unexpected `}`"), out)
        self.assertEqual(lines[2], "  ^")
        self.assertIn("expected:", out)
        self.assertIn('`"`', out)

    def test_refused_json(self):
        finding = self.weir_json("validate", "--grammar", JSON_GRAMMAR, "-", stdin='[1, x]', code=1)
        self.assertEqual(finding["verdict"], "refused")
        self.assertEqual((finding["offset"], finding["line"], finding["column"]), (4, 1, 5))
        self.assertIn(ord("["), finding["expected"]["bytes"])
        self.assertNotIn(ord("x"), finding["expected"]["bytes"])
        self.assertFalse(finding["expected"]["end"])

    def test_incomplete_has_a_completion(self):
        text = '{"a": [1, {"b": tr'
        finding = self.weir_json("validate", "--grammar", JSON_GRAMMAR, "-", stdin=text, code=1)
        self.assertEqual(finding["verdict"], "incomplete")
        self.assertEqual(finding["offset"], len(text))
        self.assertEqual(finding["completion"], "ue}]}")
        out, _ = self.weir("validate", "--grammar", JSON_GRAMMAR, "-", stdin=text, code=1)
        self.assertIn("`ue}]}`", out)

    def test_characters_that_go_wrong_inside(self):
        path = self.file("text", "a\u4e00".encode("utf-8"))
        out, _ = self.weir("validate", "--regex", "a[你-我]", path, code=1)
        self.assertIn(":1:2: refused: unexpected `一`", out)

    def test_several_files_and_final_line_ends(self):
        good, bad = self.file("good", "aaa"), self.file("line", "aa\n")
        out, _ = self.weir("validate", "--regex", "a+", good, bad, code=1)
        self.assertIn("good: accepted", out)
        self.assertIn("--strip-final-newline", out)
        self.weir("validate", "--regex", "a+", "--strip-final-newline", good, bad)

    def test_a_file_that_cannot_be_read_does_not_end_the_run(self):
        good, bad = self.file("good", "a"), self.file("bad", "b")
        out, err = self.weir("validate", "--regex", "a", "/nonexistent/text", bad, good, code=2)
        self.assertIn("/nonexistent/text", err)
        self.assertIn("good: accepted", out)
        self.assertIn("bad:1:1: refused", out)
        lines = [json.loads(line) for line in
                 self.weir("validate", "--regex", "a", "/nonexistent/text", good, "--json", code=2)[0].splitlines()]
        self.assertEqual(lines[0]["file"], "/nonexistent/text")
        self.assertIn("cannot open", lines[0]["error"]["message"])
        self.assertEqual(lines[1]["verdict"], "accepted")

    def test_special_tokens(self):
        grammar = self.file("tokens.ebnf", 'root ::= "a" <|endoftext|> "b"')
        arguments = ["validate", "--grammar", grammar, "-"]
        self.weir(*arguments, stdin="a<|endoftext|>b", code=1)
        self.weir(*arguments, "--special-tokens", stdin="a<|endoftext|>b")
        refused = self.weir_json(*arguments, "--special-tokens", stdin="a<|endoftext|>c", code=1)
        self.assertEqual(refused["offset"], 14)
        incomplete = self.weir_json(*arguments, "--special-tokens", stdin="a", code=1)
        self.assertEqual(incomplete["completion"], "<|endoftext|>b")

    def test_start_rule(self):
        self.weir("validate", "--grammar", JSON_GRAMMAR, "--start", "number", "-", stdin="-1.5e3")
        self.weir("validate", "--grammar", JSON_GRAMMAR, "--start", "number", "-", stdin="[]", code=1)
        _, err = self.weir("mask", "--grammar", JSON_GRAMMAR, "--start", "number")
        self.assertEqual(err, "")
        _, err = self.weir("validate", "--grammar", JSON_GRAMMAR, "--start", "nubmer", "-", code=2)
        self.assertIn("nubmer", err)

    def test_example_documents(self):
        documents = EXAMPLES / "documents"
        self.weir("validate", "--grammar", JSON_GRAMMAR, *map(str, sorted(documents.glob("*.json"))))
        self.weir("validate", "--grammar", EXPRESSION_GRAMMAR, *map(str, sorted(documents.glob("*.expr"))))

    def test_empty_text_and_binary_text(self):
        self.weir("validate", "--regex", "a*", "-", stdin="")
        self.weir("validate", "--grammar", JSON_GRAMMAR, self.file("binary", b'"\xff"'), code=1)


class Mask(CliTest):
    def test_lists_tokens(self):
        out, _ = self.weir("mask", "--regex", "ab|ac", "--after", "a")
        self.assertIn("2 of 8192 tokens may come next", out)
        mask = self.weir_json("mask", "--regex", "ab|ac", "--after", "a")
        self.assertEqual(mask["allowed"], 2)
        self.assertEqual(sorted(token["text"] for token in mask["tokens"]), ["b", "c"])
        self.assertFalse(mask["may_end"])

    def test_stop_token_and_forced_text(self):
        mask = self.weir_json("mask", "--regex", "forced", "--after", "for")
        self.assertEqual(mask["forced"], "ced")
        mask = self.weir_json("mask", "--regex", "x", "--after", "x")
        self.assertTrue(mask["may_end"])
        self.assertEqual([token["kind"] for token in mask["tokens"]], ["stop"])

    def test_limit_and_all(self):
        self.assertEqual(len(self.weir_json("mask", "--regex", ".*", "--show", "3")["tokens"]), 3)
        everything = self.weir_json("mask", "--regex", ".*", "--all")
        self.assertEqual(len(everything["tokens"]), everything["allowed"])

    def test_explains_a_token(self):
        self.weir("mask", "--regex", "abc", "--token", "a")
        out, _ = self.weir("mask", "--regex", "abc", "--token", "x", code=1)
        self.assertIn("not allowed", out)
        token = self.weir_json("mask", "--regex", "abc", "--token", "<|endoftext|>", code=1)
        self.assertEqual((token["kind"], token["allowed"]), ("stop", False))
        self.assertTrue(token["reason"])
        self.assertEqual(self.weir_json("mask", "--regex", "0", "--token-text", "0")["text"], "0")
        self.weir("mask", "--regex", "abc", "--token", "99999999", code=2)
        self.weir("mask", "--regex", "abc", "--token", "no such token", code=2)

    def test_after_token_terminals(self):
        grammar = self.file("tokens.ebnf", 'root ::= "a" <|endoftext|> "b"')
        a = self.weir_json("tokenizer", "--tokenize", "a")["ids"][0]
        for after in (["--after", "a<|endoftext|>", "--special-tokens"], ["--after-tokens", f"{a},8186"]):
            self.assertEqual(self.weir_json("mask", "--grammar", grammar, *after)["forced"], "b", after)
        out, _ = self.weir("mask", "--grammar", grammar, "--after-tokens", f"{a},{a}", code=1)
        self.assertIn("number 2 of --after-tokens", out)
        self.weir("mask", "--grammar", grammar, "--after-tokens", "99999", code=2)

    def test_a_text_without_tokens_is_explained(self):
        tokenizer = self.file("tokenizer.json", json.dumps(
            {"model": {"type": "WordLevel", "vocab": {"a": 0, "[UNK]": 1}, "unk_token": "[UNK]"}}))
        out, _ = self.weir("mask", "--tokenizer", tokenizer, "--regex", "Q")
        self.assertIn("the tokenizer cannot spell it", out)

    def test_what_a_limit_cuts_says_so(self):
        arguments = ["mask", "--regex", "a{5000}", "--limit", "completion_bytes=100"]
        self.assertIn("cut at 100 bytes", self.weir(*arguments)[0])
        self.assertIn("--limit completion_bytes=N", self.weir_json(*arguments)["forced_limit"])
        _, err = self.weir("generate", *arguments[1:], code=2)
        self.assertIn("--limit completion_bytes=N", err)

    def test_refused_prefix(self):
        out, _ = self.weir("mask", "--regex", "abc", "--after", "ax", code=1)
        self.assertIn("1:2", out)
        refused = self.weir_json("mask", "--regex", "abc", "--after", "ax", code=1)
        self.assertEqual((refused["verdict"], refused["offset"]), ("refused", 1))

    def test_after_file(self):
        path = self.file("after", "a\n")
        self.assertEqual(self.weir_json("mask", "--regex", "a\\nb", "--after-file", path)["forced"], "b")


class Generate(CliTest):
    def test_members_are_members(self):
        members = [json.loads(line) for line in
                   self.weir("generate", "--grammar", JSON_GRAMMAR, "--count", "30", "--json")[0].splitlines()]
        self.assertEqual(len(members), 30)
        for member in members:
            json.loads(member["text"])
            self.assertLessEqual(len(member["tokens"]), 64)
            self.assertLessEqual(member["walked"], len(member["tokens"]))
        self.assertGreater(len({member["text"] for member in members}), 15)

    def test_seed_decides(self):
        arguments = ("generate", "--grammar", EXPRESSION_GRAMMAR, "--count", "5", "--seed")
        self.assertEqual(self.weir(*arguments, "7")[0], self.weir(*arguments, "7")[0])
        self.assertNotEqual(self.weir(*arguments, "7")[0], self.weir(*arguments, "8")[0])

    def test_budget(self):
        for budget in (1, 2, 5):
            members = self.weir("generate", "--grammar", EXPRESSION_GRAMMAR, "--count", "10", "--steer", "0", "--json",
                                "--max-tokens", str(budget))[0].splitlines()
            self.assertTrue(all(len(json.loads(member)["tokens"]) <= budget for member in members))
        _, err = self.weir("generate", "--regex", "[0-9]{500}", "--max-tokens", "4", code=2)
        self.assertIn("no member fits into 4 tokens", err)

    def test_token_terminals_are_drawn(self):
        grammar = self.file("tokens.ebnf", 'root ::= "a" | "b" <|endoftext|> | <[5]> "c"')
        seen = set()
        for line in self.weir("generate", "--grammar", grammar, "--count", "40", "--json")[0].splitlines():
            seen.add(tuple(json.loads(line)["tokens"]))
        self.assertTrue(any(tokens[-1] == 8186 for tokens in seen), seen)
        self.assertTrue(any(tokens[0] == 5 for tokens in seen), seen)

    def test_texts_that_the_tokenizer_cannot_spell_are_named(self):
        tokenizer = self.file("tokenizer.json", json.dumps(
            {"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1, "[UNK]": 2}, "unk_token": "[UNK]"}}))
        _, err = self.weir("generate", "--tokenizer", tokenizer, "--regex", "Q+", code=2)
        self.assertIn("cannot spell `Q`", err)

    def test_zero_terminated(self):
        out, _ = self.weir("generate", "--regex", "a|b", "--count", "3", "-0")
        self.assertEqual(out.count("\0"), 3)


class Tokenizer(CliTest):
    def test_summary(self):
        summary = self.weir_json("tokenizer")
        self.assertEqual(summary["vocab_size"], 8192)
        self.assertEqual(sum(summary["tokens"].values()), 8192)
        self.assertEqual([stop["name"] for stop in summary["stop_tokens"]], ["<|endoftext|>"])
        self.assertGreater(summary["trie"]["nodes"], 8000)
        self.assertIn("byte-level BPE", self.weir("tokenizer")[0])

    def test_round_trip(self):
        text = 'Größe 你好 👩\u200d💻 {"a": 1}\n'
        tokens = self.weir_json("tokenizer", "--tokenize", text)
        self.assertEqual(bytes.fromhex("".join(tokens["hex"])).decode("utf-8"), text)
        decoded = self.weir_json("tokenizer", "--decode", ",".join(map(str, tokens["ids"])))
        self.assertEqual(decoded["text"], text)
        self.weir("tokenizer", "--decode", "8192", code=2)

    def test_reads_its_own_file(self):
        path = str(ROOT / "data" / "default_tokenizer" / "tokenizer.json")
        self.assertEqual(self.weir_json("tokenizer", path)["trie"], self.weir_json("tokenizer")["trie"])

    def test_special_tokens_are_listed(self):
        self.assertIn({"id": 8186, "name": "<|endoftext|>"}, self.weir_json("tokenizer", "--special"))
        self.assertIn("8186  <|endoftext|>", self.weir("tokenizer", "--special")[0])

    def test_broken_file(self):
        self.weir("tokenizer", self.file("broken.json", '{"model": '), code=2)


class Check(CliTest):
    BROKEN = "root ::= itm $\nitem ::= ( \"a\"\n"

    def test_nothing_is_wrong(self):
        self.assertEqual(self.weir("check", JSON_GRAMMAR)[0].count("error"), 0)

    def test_all_errors_of_all_files(self):
        first, second = self.file("你 好.ebnf", self.BROKEN), self.file("b.json", '{"type": "strin"}')
        out, err = self.weir("check", first, second, code=1)
        self.assertEqual(err, "")
        self.assertIn(f"{first}:1:14: error: unexpected character `$`\n  root ::= itm $\n               ^\n", out)
        self.assertIn(f"{first}:2:10: error: `(` without `)`", out)
        self.assertIn(f"{second}:1:10: error: ", out)

    def test_json(self):
        path = self.file("a.ebnf", "root ::= itm\nitem ::= \"a\"\n")
        lines = self.weir("check", "--format=json", path, code=1)[0].splitlines()
        self.assertEqual([json.loads(line) for line in lines], [{
            "file": path, "severity": "error", "code": "invalid_argument", "message": "rule `itm` is not defined",
            "start": 9, "end": 12, "line": 1, "column": 10, "end_line": 1, "end_column": 13,
            "hint": "did you mean `item`?",
            "fix": {"start": 9, "end": 12, "line": 1, "column": 10, "end_line": 1, "end_column": 13,
                    "replacement": "item"}}])

    def test_warnings_are_no_errors_unless_asked(self):
        path = self.file("a.ebnf", 'root ::= [a-z] | "b"\nother ::= "c"\n')
        out, _ = self.weir("check", path)
        self.assertIn("warning: rule `other` is never used", out)
        self.assertIn("note: this one matches all that it does", out)
        self.weir("check", "--werror", path, code=1)
        self.assertNotIn("never used", self.weir("check", "--start", "root", path)[0])

    def test_languages(self):
        self.weir("check", "--regex", "-", stdin="a(b\n", code=1)
        self.weir("check", "--regex", "-", stdin="a(b)\n")
        self.weir("check", "--schema", "-", stdin="{}")
        self.weir("check", "--syntax", "ebnf", "-", stdin='root ::= "a"')
        self.assertIn("does not say its language", self.weir("check", self.file("a.txt", ""), code=2)[1])
        self.weir("check", "--schema", "--regex", "-", stdin="{}", code=2)
        self.weir("check", "--regex", "--regex-dialect", "rust", "-", stdin=r"(?<a>\p{Greek})\z")
        tag = '{"type": "structural_tag", "format": {"type": "json_schema", "json_schema": {"type": "strin"}}}'
        self.assertIn("<stdin>:1:86: error: ", self.weir("check", "--structural-tag", "-", stdin=tag, code=1)[0])
        self.assertIn("`yaml`", self.weir("check", "--response-format", "-", stdin='{"type": "yaml"}', code=1)[0])
        self.weir("check", "--response-format", "-", stdin='{"type": "json_object"}')

    def test_sarif_has_what_the_standard_requires(self):
        path = self.file("a b.ebnf", "root ::= itm\nitem ::= \"a\"\n")
        out, _ = self.weir("check", "--format=sarif", path, self.file("c.ebnf", 'root ::= "a" | "a"'), code=1)
        log = json.loads(out)
        self.assertEqual(log["version"], "2.1.0")
        (run,) = log["runs"]
        self.assertEqual(run["columnKind"], "unicodeCodePoints")
        driver = run["tool"]["driver"]
        self.assertEqual(driver["name"], "weir")
        rules = {rule["id"]: rule["defaultConfiguration"]["level"] for rule in driver["rules"]}
        self.assertEqual(rules, {"invalid_argument": "error", "unreachable-alternative": "warning"})
        error, warning = run["results"]
        for result in run["results"]:
            self.assertIn(result["ruleId"], rules)
            self.assertIn(result["level"], ("error", "warning"))
            self.assertTrue(result["message"]["text"])
            region = result["locations"][0]["physicalLocation"]["region"]
            self.assertTrue(all(isinstance(region[key], int) and region[key] >= 1
                                for key in ("startLine", "startColumn", "endLine", "endColumn")))
        place = error["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        self.assertTrue(place.startswith("file:///") and place.endswith("a%20b.ebnf"))
        (fix,) = error["fixes"]
        (replacement,) = fix["artifactChanges"][0]["replacements"]
        self.assertEqual(replacement["insertedContent"]["text"], "item")
        self.assertEqual(replacement["deletedRegion"]["byteOffset"], 9)
        self.assertTrue(warning["relatedLocations"][0]["message"]["text"])


class Explain(CliTest):
    GRAMMAR = 'root ::= "[" list "]"\nlist ::= item ("," item)*\nitem ::= "a" | "(" list ")"\n'

    def test_where_and_within_which_rules(self):
        path = self.file("g.ebnf", self.GRAMMAR)
        out, _ = self.weir("explain", "--grammar", path, "--text", "[a,(x", code=1)
        self.assertTrue(out.startswith("<text>:1:5: refused: unexpected `x`\n  [a,(x\n      ^\n"), out)
        self.assertIn(f"    {path}:3:1: item\n", out)
        answer = self.weir_json("explain", "--grammar", path, "--text", "[a,(x", code=1)
        self.assertEqual((answer["verdict"], answer["offset"]), ("refused", 4))
        self.assertEqual(answer["expected"]["bytes"], [ord("("), ord("a")])
        names = [rule["name"] for rule in answer["rules"]]
        self.assertIn("item", names)
        self.assertIn("root", names)
        self.assertEqual([(place["line"], place["column"]) for place in answer["terminals"]], [(3, 10), (3, 16)])

    def test_texts_that_are_or_could_be_in_the_language(self):
        path = self.file("g.ebnf", self.GRAMMAR)
        self.assertEqual(self.weir_json("explain", "--grammar", path, "--text", "[a]")["verdict"], "accepted")
        answer = self.weir_json("explain", "--grammar", path, "--file", self.file("t", "[a"), code=1)
        self.assertEqual((answer["verdict"], answer["offset"]), ("incomplete", 2))
        out, _ = self.weir("explain", "--schema", "-", "--text", '{"a": tr', stdin="{}", code=1)
        self.assertIn("incomplete: the text ends too early", out)


class Convert(CliTest):
    def test_gbnf(self):
        path = self.file("g.ebnf", "root ::= /a+/ b_c\nb_c ::= [0-9]\n")
        expected = 'root ::= "a"+ b-c\nb-c ::= [0-9]\n'
        self.assertEqual(self.weir("convert", "--grammar", path, "--to", "gbnf")[0], expected)
        self.assertEqual(self.weir_json("convert", "--grammar", path, "--to", "gbnf"),
                         {"syntax": "gbnf", "text": expected})
        out = self.file("out.gbnf", "")
        self.weir("convert", "--grammar", path, "--to", "gbnf", "--output", out)
        self.assertEqual(pathlib.Path(out).read_text(), expected)

    def test_what_cannot_be_said_is_an_error_at_its_place(self):
        path = self.file("g.ebnf", 'root ::= "a" @greedy([a-z]+)\n')
        _, err = self.weir("convert", "--grammar", path, "--to", "gbnf", code=2)
        self.assertIn("g.ebnf:1:14: error: GBNF has no way to say a greedy terminal", err)
        _, err = self.weir("convert", "--grammar", path, "--to", "abnf", code=2)
        self.assertIn("no grammars can be converted to `abnf`", err)

    def test_each_language(self):
        path = self.file("g.ebnf", 'root ::= "a" [0-9]{2}\n')
        expected = {
            "ebnf": 'root ::= "a" [0-9]{2}\n',
            "xgrammar": 'root ::= "a" [0-9]{2}\n',
            "kbnf": 'start ::= "a" #"[0-9]" #"[0-9]";\n',
            "lark": 'start: "a" /[0-9]/{2}\n',
            "regex": "a[0-9]{2}\n",
        }
        for language, text in expected.items():
            with self.subTest(language):
                self.assertEqual(self.weir("convert", "--grammar", path, "--to", language)[0], text)

    def test_from_a_regular_expression(self):
        out, _ = self.weir("convert", "--regex", "(?i)k[a-z]++1", "--regex-dialect", "python", "--to", "regex")
        self.assertEqual(self.weir("validate", "--regex", out.strip(), "-", stdin="Kab1")[0], "<stdin>: accepted\n")


class Inspect(CliTest):
    def views(self, *arguments):
        return {view["view"]: view["text"] for view in self.weir_json("inspect", *arguments)}

    def test_views(self):
        views = self.views("--grammar", EXPRESSION_GRAMMAR, "--passes", "--terminals", "--rows", "--lexer-states",
                           "--statistics", "--after", "f(x, ", "--state-after", "f(x")
        for name in ("terminals", "rows", "lexer states", "statistics", "state"):
            self.assertTrue(views[name].strip(), name)
        self.assertGreater(sum(name.startswith("pass: ") for name in views), 2)

    def test_errors_of_passes_point_at_the_place(self):
        path = self.file("dead.ebnf", 'root ::= "a"\n  root\n')
        for view in ("--passes", "--terminals"):
            _, err = self.weir("inspect", "--grammar", path, view, code=2)
            self.assertIn("dead.ebnf:1:1: error: no text matches", err)
            self.assertIn("hint: ", err)

    def test_warnings_are_printed_once(self):
        path = self.file("warned.ebnf", 'root ::= "a" | root | <[1]> @lazy("b"*)\nspare ::= "c"\n')
        for views in (["--passes"], ["--terminals"], ["--passes", "--terminals"]):
            _, err = self.weir("inspect", "--grammar", path, *views)
            self.assertEqual(err.count("warning: "), 3, err)
            self.assertEqual(self.weir("inspect", "--grammar", path, "--quiet", *views)[1], "")

    def test_one_reading_of_standard_input_serves_all_views(self):
        self.weir("inspect", "--grammar", "-", "--passes", "--terminals", stdin='root ::= "a"')

    def test_trie(self):
        view = self.views("--trie", "retur")["trie"]
        self.assertIn("`return`", view)
        self.assertNotIn("`the`", view)

    def test_needs_something_to_show(self):
        self.weir("inspect", code=2)
        self.weir("inspect", "--rows", code=2)


class Cases(CliTest):
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


class Bench(CliTest):
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
        self.assertIn("slowest steps", self.weir("bench", "masks", cases)[0])

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
                 {"id": "large", "schema": {"enum": [f"value {i * 7919}" for i in range(300)]},
                  "tests": [{"valid": True, "data": "value 7919"}]}]
        cases = self.file("cases.jsonl", "\n".join(map(json.dumps, lines)) + "\n")
        result = self.weir_json("bench", "memory", cases)
        self.assertEqual((result["cases"], result["refused"]), (2, 1))
        self.assertEqual([case["id"] for case in result["largest"]], ["large", "digits"])
        self.assertGreater(result["resident_bytes"], result["tokenizer_bytes"])
        self.assertGreater(result["peak_resident_bytes"], 0)
        grammar = result["grammar_bytes"]
        self.assertLess(grammar["compiled"]["max"], grammar["explored"]["max"])
        # What weir counts is what malloc has handed out, but for small things.
        self.assertLess(abs(grammar["counted"]["max"] - grammar["explored"]["max"]), 0.5 * grammar["explored"]["max"])
        self.assertIn("tokenizer", self.weir("bench", "memory", cases)[0])

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

    def test_masks_answers_line_by_line(self):
        command = [WEIR, "bench", "masks", "-", "--out", "-", "--json"]
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


if __name__ == "__main__":
    WEIR = os.path.abspath(sys.argv.pop(1))
    unittest.main()
