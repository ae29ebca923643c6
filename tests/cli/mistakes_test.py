#!/usr/bin/env python3
"""Tests the `weir` command from outside: what users do wrong. Byte order marks, numbers out of range, broken lists, files
that are missing, a full disk, an interrupt, words that are no commands; and what helps: --help and completions.
Usage: mistakes_test.py PATH_TO_WEIR [unittest options]"""

import importlib.util
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import unittest

from command import ROOT, CommandTest, main, weir_path

COMMANDS = ("validate", "mask", "generate", "explain", "check", "convert", "tokenizer", "inspect", "index", "tools", "read",
            "cases")
MARK = "\ufeff"
TOOLS = '[{"type": "function", "function": {"name": "f"}}]'


def describe_command():
    path = ROOT / "tools" / "dist" / "describe_command.py"
    spec = importlib.util.spec_from_file_location("describe_command", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Mistakes(CommandTest):
    def options(self, command):
        return describe_command().options(self.weir(command, "--help")[0])

    def test_lists_of_ids_have_no_empty_place(self):
        grammar, text = self.file("ids.ebnf", "root ::= [^x]*"), self.file("ids.txt", "a")
        commands = [("mask", "--grammar", grammar, "--after-tokens"), ("explain", "--grammar", grammar, "--tokens"),
                    ("tokenizer", text, "--decode")]
        for command in commands:
            for wrong in ("1,,2", ",1", "1,", ",", "1,x", "1;2", "1 2", "-1", "+1", "4294967296", "1.0"):
                out, err = self.weir(*command[:-1], f"{command[-1]}={wrong}", code=2)
                self.assertIn(f"{command[-1]}: `{wrong}` is no list of token ids", out + err)
        self.weir("mask", "--grammar", grammar, "--after-tokens=40,41,40")

    def test_a_byte_order_mark_is_no_part_of_a_file(self):
        """Every file that the command reads, except texts to validate, which count byte for byte."""
        texts = [("a.ebnf", 'root ::= "a"\n'), ("a.gbnf", 'root ::= "a"\n'), ("a.lark", 'start: "a"\n'),
                 ("a.kbnf", "start ::= 'a';\n"), ("a.xgrammar", 'root ::= "a"\n')]
        for name, text in texts:
            path = self.file(name, MARK + text)
            self.assertEqual("", self.weir("check", path)[0], name)
            self.assertEqual("a\n", self.weir("generate", "--grammar", path)[0], name)
        self.assertEqual("", self.weir("check", self.file("a.regex", MARK + "[a-z]"))[0])
        sources = [("--schema", '{"const": 1}'), ("--structural-tag", '{"format": {"type": "regex", "pattern": "1"}}'),
                   ("--response-format", '{"type": "json_schema", "json_schema": {"name": "n", "schema": {"const": 1}}}'),
                   ("--choice", '["1"]'), ("--choice", "1\n"), ("--chunks", '["1"]'), ("--chunks", "1\n"),
                   ("--substring", "1")]
        for option, text in sources:
            plain, marked = self.file("plain", text), self.file("marked", MARK + text)
            self.assertEqual(self.weir("generate", option, plain, "--seed", "3")[0],
                             self.weir("generate", option, marked, "--seed", "3")[0], option)
        self.weir("mask", "--schema", self.file("s.json", MARK + '{"$ref": "urn:t"}'), "--document",
                  "urn:t=" + self.file("t.json", MARK + '{"const": 1}'))
        self.weir("tools", "--style", "hermes", "--tools", self.file("tools.json", MARK + TOOLS))
        tokenizer = json.dumps({"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1}, "unk_token": "a"}})
        self.weir("tokenizer", self.file("tokenizer.json", MARK + tokenizer))
        # Files of cases may have been joined, so a mark may be before any line.
        line = '{"id": "i", "schema": {"const": 1}, "tests": [{"valid": true, "data": 1}]}\n'
        cases = self.file("cases.jsonl", MARK + line + MARK + line)
        self.assertIn("cases 2: passed 2", self.weir("cases", cases)[0])
        self.assertIn("cases 2: passed 2", self.weir("cases", "-", stdin=MARK + line + MARK + line)[0])
        self.weir("bench", "masks", cases)

    def test_every_number_out_of_range_is_refused(self):
        bad = {"N": ["-1", "1.5", "x", "nan", "1e3", "18446744073709551616", "9" * 40, ""],
               "P": ["-0.1", "1.1", "nan", "inf", "x", "1e400", ""], "IDS": ["-1", "x", "4294967296", "1.5", ""],
               "NAME=N": ["nesting", "nesting=", "nesting=-1", "nesting=x", "nesting=4294967296", "nonsense=1",
                          "text_bytes=18446744073709551616", ""]}
        bad["S"] = bad["N"]
        tried = 0
        for command in COMMANDS:
            for option, value, _, _ in self.options(command):
                for number in bad.get(value, []):
                    source = [] if command in ("tokenizer", "cases", "check", "tools") else ["--regex", "a"]
                    files = {"validate": ["-"], "explain": ["--text", "a"], "convert": ["--to", "ebnf"], "cases": ["none"],
                             "check": [self.file("a.ebnf", 'root ::= "a"')],
                             "tools": ["--style", "hermes", "--tools", self.file("tools.json", TOOLS)]}
                    if option == "--tokens":
                        files["explain"] = []
                    out, err = self.weir(command, *source, *files.get(command, []), f"{option}={number}", code=2)
                    self.assertTrue(out == "" and err, (command, option, number))
                    tried += 1
        self.assertGreater(tried, 150)

    def test_a_broken_list_is_no_list_of_lines(self):
        for text in ('["yes","no",]', '["yes"', '  ["yes" "no"]', '["yes"]]', "[yes]", '["a", 1]', "[["):
            for option in ("--choice", "--chunks"):
                _, err = self.weir("generate", option, self.file("list", text), code=2)
                self.assertRegex(err, r"list:1:\d+: error: ", (option, text))
            self.weir("tools", "--style", "hermes", "--tools", self.file("list", text), code=2)
        self.assertEqual("[a\n", self.weir("generate", "--choice", self.file("list", '["[a"]'))[0])
        self.assertEqual("a]\n", self.weir("generate", "--choice", self.file("list", "a]\r\n"))[0])
        self.weir("cases", self.file("c", '{"id": "a", "choice": ["a",], "tests": []}\n'), code=2)
        binary = self.file("list", b"ok\n\0\1\xff\xfe")
        for option in ("--choice", "--chunks"):
            _, err = self.weir("generate", option, binary, code=2)
            self.assertIn("list:2:3: error: the text is not valid UTF-8", err)

    def test_a_file_that_cannot_be_opened_does_not_stop_the_others(self):
        bad = self.file("bad.ebnf", "root ::= b\n")
        odd = self.file("odd.txt", "root ::= b\n")
        out, err = self.weir("check", "/nonexistent/a.ebnf", odd, bad, code=2)
        self.assertIn("bad.ebnf:1:10: error: ", out)
        self.assertIn("/nonexistent/a.ebnf", err)
        self.assertIn("odd.txt", err)
        out, _ = self.weir("check", "--format=json", "/nonexistent/a.ebnf", bad, code=2)
        first, second = [json.loads(line) for line in out.splitlines()]
        self.assertEqual(("/nonexistent/a.ebnf", "input"), (first["file"], first["error"]["code"]))
        self.assertEqual("invalid_argument", second["code"])
        run = json.loads(self.weir("check", "--format=sarif", "/nonexistent/a.ebnf", bad, code=2)[0])["runs"][0]
        self.assertEqual(1, len(run["results"]))
        (invocation,) = run["invocations"]
        self.assertFalse(invocation["executionSuccessful"])
        (notification,) = invocation["toolExecutionNotifications"]
        self.assertIn("/nonexistent/a.ebnf", notification["message"]["text"])
        self.assertEqual("file:///nonexistent/a.ebnf",
                         notification["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
        run = json.loads(self.weir("check", "--format=sarif", bad, "--limit", "nonsense=1", code=2)[0])["runs"][0]
        self.assertIn("nonsense", run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"])
        run = json.loads(self.weir("check", "--format=sarif", bad, code=1)[0])["runs"][0]
        self.assertEqual([{"executionSuccessful": True}], run["invocations"])

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full on this system")
    @unittest.skipUnless(os.path.exists("/dev/zero"), "the system has no file that never ends")
    def test_a_file_that_never_ends_is_refused(self):
        _, errors = self.weir("mask", "--regex", "a", "--tokenizer", "/dev/zero", code=2)
        self.assertIn("more than 256 MiB", errors)

    def test_a_full_disk_is_told(self):
        grammar = self.file("a.ebnf", 'root ::= "a"')
        cases = self.file("c.jsonl", '{"id": "a", "regex": "a", "tests": []}\n')
        tools = self.file("tools.json", TOOLS)
        calls = [["--version"], ["--help"], ["bench", "--version"], ["bench", "--help"], ["bench", "masks", cases]]
        calls += [[command, "--help"] for command in COMMANDS]
        text = self.file("text", "b")
        calls += [["validate", "--grammar", grammar, text], ["mask", "--grammar", grammar],
                  ["generate", "--grammar", grammar], ["generate", "--grammar", grammar, "--count", "5000"],
                  ["explain", "--grammar", grammar, "--text", "b"], ["check", self.file("b.ebnf", "root ::= b")],
                  ["convert", "--grammar", grammar, "--to", "gbnf"], ["tokenizer"], ["tokenizer", "--tokenize", "a"],
                  ["inspect", "--grammar", grammar, "--passes"], ["index", "--regex", "a"],
                  ["tools", "--style", "hermes", "--tools", tools], ["cases", cases], ["cases", cases, "--out", "-"]]
        for more in ([], ["--json"]):
            for arguments in calls:
                if more and (arguments[0] in ("tools", "check", "--version", "--help", "bench") or "--help" in arguments):
                    continue
                with open("/dev/full", "wb") as full:
                    result = subprocess.run([weir_path(), *arguments, *more], stdout=full, stderr=subprocess.PIPE,
                                            stdin=subprocess.DEVNULL, check=False)
                self.assertEqual(result.returncode, 2, arguments)
                self.assertIn(b"cannot write", result.stderr, arguments)

    def test_an_interrupt_leaves_whole_lines(self):
        path = pathlib.Path(self.file("out", ""))
        with path.open("wb") as file, subprocess.Popen([weir_path(), "generate", "--regex", "[a-z]{30}", "--count",
                                                        "1000000"], stdout=file, stderr=subprocess.DEVNULL) as process:
            while path.stat().st_size == 0 and process.poll() is None:  # until the first buffer was written
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            process.wait(timeout=60)
        out = path.read_bytes()
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertTrue(out.endswith(b"\n"))
        self.assertTrue(all(re.fullmatch(rb"[a-z]{30}", line) for line in out.splitlines()))
        self.assertLess(len(out.splitlines()), 1000000)

    def test_a_word_that_is_no_command_is_named(self):
        _, err = self.weir("nosuch", code=2)
        self.assertIn("there is no command `nosuch`", err)
        _, err = self.weir("valdate", "x", code=2)
        self.assertIn("there is no command `valdate`", err)
        self.assertIn("did you mean `validate`?", err)

    def test_an_option_of_another_command_is_known(self):
        for arguments, hint in [
            (["check", "--grammar", "x.ebnf"], "`--grammar` is an option of validate, mask, generate, explain, convert, inspect, "
                                               "index, read; check takes FILE without an option before it"),
            (["cases", "--schema", "x.json"], "cases takes CASES without an option before it"),
            (["check", "--to", "gbnf", "x.ebnf"], "`--to` is an option of convert\n"),
            (["tokenizer", "-o", "x"], "`-o` is an option of convert, index\n"),
            (["mask", "--style", "hermes"], "`--style` is an option of tools, read\n"),
            (["generate", "--schma", "x"], "did you mean `--schema`?"),
            (["generate", "--choice", '["yes", "no"]'], "--choice takes the name of a file"),
            (["index", "--choice", "yes"], "--choice takes the name of a file")]:
            self.assertIn("\n  hint: ", self.weir(*arguments, code=2)[1], arguments)
            self.assertIn(hint, self.weir(*arguments, code=2)[1], arguments)
        out = self.file("out.gbnf", "")
        self.weir("convert", "--regex", "a", "--to", "gbnf", "-o", out)
        self.assertIn("root", pathlib.Path(out).read_text())
        self.assertEqual(("", ""), self.weir("convert", "--regex", "a", "--to", "gbnf", "--json", "-o", out))
        self.assertEqual("gbnf", json.loads(pathlib.Path(out).read_text())["syntax"])

    def test_a_text_in_another_language_is_known(self):
        lark, kbnf = 'start: greeting\ngreeting: "a"\n', "start ::= 'a' b;\nb ::= 'c';\n"
        for text, syntax, name in [(lark, "ebnf", "lark"), (lark, "gbnf", "lark"), (kbnf, "lark", "kbnf"),
                                   ('root ::= "a"\n', "kbnf", "ebnf"), ('root ::= "a"\n', "lark", "ebnf")]:
            path = self.file("text", text)
            for arguments, code in ((["mask", "--grammar", path, "--syntax", syntax], 2), (["check", path, "--syntax", syntax], 1)):
                out, err = self.weir(*arguments, code=code)
                self.assertIn(f"hint: as a grammar in {name} (--syntax) the text has no error", out + err)
        for text in ('{"type": "object"}', '{"properties": {"a": {"type": "string"}}}'):
            self.assertIn("hint: this is JSON", self.weir("mask", "--grammar", self.file("s.json", text), code=2)[1])
        self.assertNotIn("has no error", self.weir("mask", "--grammar", self.file("a.ebnf", 'root ::= "a" (\n'), code=2)[1])

    def test_a_grammar_in_lark_without_a_start_names_its_rules(self):
        for text, hint in [('greeting: "a"\nb: "c" greeting\nX: "d"\n', "its rules are `greeting`, `b`; another rule to start"),
                           ('greeting: "a"\n', "its only rule is `greeting`; another rule to start"),
                           ('strat: "a"\n', "did you mean `strat`?"), ('X: "a"\n', "hint: another rule to start")]:
            _, err = self.weir("mask", "--grammar", self.file("a.lark", text), code=2)
            self.assertIn("there is no rule `start` to start with", err)
            self.assertIn(hint, err)

    def test_keywords_of_a_wrong_type(self):
        for schema in ({"$anchor": 5}, {"$id": []}, {"$defs": []}, {"definitions": 3}, {"$dynamicAnchor": None},
                       {"not": {"$anchor": 4}}, {"$schema": 5}):
            out, _ = self.weir("check", self.file("s.json", json.dumps(schema)), code=1)
            self.assertRegex(out, "error: `.*` of `.*` must be (a string|an object of schemas)")
        for key, value in (("$comment", 5), ("title", {}), ("description", []), ("examples", 3), ("deprecated", "x"),
                           ("readOnly", 1), ("writeOnly", None), ("contentEncoding", 1), ("contentMediaType", 1)):
            out, _ = self.weir("check", self.file("s.json", json.dumps({key: value})))
            self.assertIn(f"warning: `{key}` of `#` has no effect: its value is", out)
            self.weir("mask", "--schema", self.file("s.json", json.dumps({key: value})))
        for key in ("minContains", "minItems"):
            schema = {"type": "array", "contains": {}, key: 1e30}
            out, _ = self.weir("check", self.file("s.json", json.dumps(schema)), code=1)
            self.assertIn("hint: no text has so many", out)
        tools = self.file("t.json", '[{"name": "f", "parameters": {"type": "objec"}}]')
        self.assertIn("did you mean `object`?", self.weir("tools", "--style", "hermes", "--tools", tools, code=2)[1])
        tools = self.file("t.json", '[{"name": "f", "parameters": {"type": "string"}}]')
        self.assertIn("arguments are the members", self.weir("tools", "--style", "hermes", "--tools", tools, code=2)[1])
        out, _ = self.weir("check", self.file("s.json", '{"format": "datetime"}'))
        self.assertIn("it is taken as an annotation; did you mean `date-time`?", out)
        form = self.file("r.json", '{"type": "xml"}')
        self.assertIn("the types are `", self.weir("mask", "--response-format", form, code=2)[1])
        form = self.file("r.json", '{"type": "json"}')
        self.assertIn('any JSON object is {"type": "json_object"}', self.weir("mask", "--response-format", form, code=2)[1])

    def test_an_error_without_a_text_has_no_caret(self):
        _, err = self.weir("mask", "--grammar", self.file("empty.ebnf", ""), code=2)
        self.assertIn("empty.ebnf:1:1: error: the grammar has no rules", err)
        self.assertNotIn("^", err)

    def test_a_long_choice_is_answered(self):
        text = "".join(chr(97 + i * i % 26) for i in range(125_000))
        _, err = self.weir("generate", "--choice", self.file("long.json", json.dumps([text])), code=2)
        self.assertIn("the shortest that was found has 125000 bytes", err)

    def test_options_without_effect_are_refused(self):
        for arguments in (["generate", "--regex", "a", "-0", "--json"], ["mask", "--regex", "a", "--all", "--show", "3"],
                          ["mask", "--regex", "a", "--token", "a", "--all"], ["mask", "--regex", "a", "--token", "a", "--show", "3"],
                          ["inspect", "--regex", "a", "--passes", "--depth", "3"], ["tokenizer", "--rows", "--tokenize", "a"],
                          ["tokenizer", "--special", "--decode", "1"], ["tokenizer", "--decode", "1", "--heal", "a"]):
            _, err = self.weir(*arguments, code=2)
            self.assertRegex(err, "excludes|requires", arguments)
        for arguments in (["read", "--style", "hermes", "--piece", "0", "-"], ["cases", "--first", "0", "-"],
                          ["cases", "--every", "0", "-"], ["index", "--regex", "a", "--max-states", "0"]):
            self.assertIn(f"`0` is not at least 1", self.weir(*arguments, code=2)[1])

    def test_members_with_line_feeds_can_be_told_apart(self):
        out, err = self.weir("generate", "--regex", "a\\nb", "--count", "2")
        self.assertEqual(("a\nb\n" * 2), out)
        self.assertIn("--json or -0 shows where each ends", err)
        self.assertEqual(("a\nb\0" * 2, ""), self.weir("generate", "--regex", "a\\nb", "--count", "2", "-0"))
        for more in (["--count", "1"], ["--count", "2", "--json"], ["--count", "2", "--quiet"]):
            self.assertEqual("", self.weir("generate", "--regex", "a\\nb", *more)[1])
        self.assertEqual("", self.weir("generate", "--regex", "ab", "--count", "2")[1])

    def test_help_begins_with_what_is_required_and_ends_with_an_example(self):
        for command in COMMANDS:
            text, _ = self.weir(command, "--help")
            example = text.rstrip().splitlines()[-1]
            self.assertRegex(example, "^Example: .*weir ")
            line = example.removeprefix("Example: ").replace("weir ", weir_path() + " ", 1)
            done = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, check=False)
            self.assertEqual((0, ""), (done.returncode, done.stderr), example)
            if "[Exactly 1 of" in text:
                self.assertLess(text.index("[Exactly 1 of"), text.index("\nOptions:\n"), command)
            options = text[text.index("\nOptions:\n"):].splitlines()[2:]
            required = [i for i, option in enumerate(options) if " REQUIRED" in option]
            names = [i for i, option in enumerate(options) if option.startswith("  -")]
            self.assertEqual(names[:len(required)], required, command)

    def test_help_is_wrapped_and_tells_no_internals(self):
        for command in COMMANDS:
            text, _ = self.weir(command, "--help")
            self.assertNotIn("{false}", text)
            for line in text.splitlines():
                self.assertLessEqual(len(line), 125, (command, line))
            about = [line for line in text.splitlines() if line.startswith(" " * 30)]
            self.assertTrue(all(len(line) <= 100 for line in about), command)
        for arguments in (["mask", "--json-value", "--no-exponents"],
                          ["tools", "--style", "hermes", "--tools", self.file("t.json", TOOLS), "--one-call"]):
            self.weir(*arguments)

    def test_messages_of_limits_name_them(self):
        deep = self.file("deep.json", '{"not": ' * 30 + "true" + "}" * 30)
        for arguments in (["check", deep, "--limit", "nesting=5"], ["mask", "--schema", deep, "--limit", "nesting=5"]):
            out, err = self.weir(*arguments, code=1 if arguments[0] == "check" else 2)
            self.assertIn("--limit nesting=N", out + err)
        finding = json.loads(self.weir("check", "--format=json", deep, "--limit", "nesting=5", code=1)[0])
        self.assertEqual(("nesting", "raise it with --limit nesting=N"), (finding["limit"], finding["hint"]))
        # A search that meets its limit points at the subschema that it was in.
        ways = [{"oneOf": [{"minimum": i * k, "maximum": i * k + 3, "multipleOf": k} for i in range(1, 7)]} for k in (3, 5, 7)]
        schema = {"type": "object", "properties": {"a": {"type": "integer", "allOf": ways}}, "required": ["a"]}
        path = self.file("search.json", json.dumps(schema))
        pointers = []
        for steps in (12, 20, 40):
            out, _ = self.weir("check", path, "--format=json", "--limit", f"schema_steps={steps}", code=None)
            pointers += [json.loads(line).get("pointer", "") for line in out.splitlines()]
        self.assertTrue(any(pointer.startswith("/properties/a/allOf/") for pointer in pointers), pointers)
        count = self.file("count.ebnf", 'root ::= b "x"\nb ::= "a"{11}\n')
        out, _ = self.weir("check", count, "--limit", "repeat_count=10", code=1)
        self.assertIn("count.ebnf:2:", out)
        self.assertIn("repeat_count", out)
        self.assertNotIn("not defined", out)
        case = {"id": "a", "regex": "(a|b){0,300}c(a|b){0,300}", "tests": [{"valid": True, "text": "ab" * 100 + "c"}]}
        cases = self.file("cases.jsonl", json.dumps(case) + "\n")
        for command in (["cases"], ["bench", "masks"]):
            out, _ = self.weir(*command, cases, "--limit", "lexer_states=5", code=1 if command == ["cases"] else None)
            self.assertIn("limit (lexer_states) in test 1", out)

    def test_explain_names_the_parts_of_a_tag(self):
        tools = json.dumps([{"name": "get_time", "parameters": {"properties": {"zone": {"type": "string"}, "n": {"type": "integer"}}}},
                            {"name": "stop"}])
        path = self.file("tools.json", tools)
        texts = {"hermes": '<tool_call>\n{"name": "get_time", "arguments": {"zone": 5',
                 "qwen_coder": "<tool_call>\n<function=get_time>\n<parameter=n>x",
                 "glm": "<tool_call>get_time\n<arg_key>n</arg_key>\n<arg_value>x"}
        for style, text in texts.items():
            tag = self.file(f"{style}.json", self.weir("tools", "--style", style, "--tools", path)[0])
            out, _ = self.weir("explain", "--structural-tag", tag, "--text", text, code=1)
            self.assertRegex(out, r"within, from the inside out:\n    \S+: tool `get_time`\n")
            self.assertNotRegex(out, r"root|member\.|: arguments|: get_time")
            found = self.weir_json("explain", "--structural-tag", tag, "--text", text, code=1)
            self.assertEqual((found["rules"][0]["name"], found["rules"][0]["pointer"]), ("tool `get_time`", "/0"))
        tag = self.file("tag.json", json.dumps({"format": {"type": "sequence", "elements": [
            {"type": "tag", "begin": "<a>", "content": {"type": "json_schema", "json_schema": {"type": "object"}}, "end": "</a>"},
            {"type": "grammar", "grammar": "root ::= \"(\" root \")\" | \"u\" x\nx ::= \"v\""}]}}))
        found = self.weir_json("explain", "--structural-tag", tag, "--text", '<a>{"b": x', code=1)
        self.assertEqual([(rule["name"], rule["pointer"]) for rule in found["rules"]],
                         [("`json_schema`", "/format/elements/0/content"), ("tag `<a>`", "/format/elements/0")])
        found = self.weir_json("explain", "--structural-tag", tag, "--text", "<a>{}</a>((u!", code=1)
        self.assertEqual([rule["name"] for rule in found["rules"]], ["`grammar`"])
        # A tag that is one terminal.
        tag = self.file("tag.json", '{"format": {"type": "tag", "begin": "<a>", "content": {"type": "regex", "pattern": "[0-9]"}, "end": "</a>"}}')
        found = self.weir_json("explain", "--structural-tag", tag, "--text", "<a>x", code=1)
        self.assertEqual((found["rules"], found["terminals"], found["expected"]["terminals"]), ([], [], []))

    def test_explain_says_that_a_key_repeats(self):
        for schema in ('{"properties": {"a": {}, "b": {}}, "additionalProperties": false}', '{"properties": {"a": {}}}', "{}"):
            path = self.file("s.json", schema)
            for text, at in (('{"a": 1, "a": 2}', 1), ('{"b": {"a": [1]}, "\\u0062": 1}', 1), ('{"a": "\\"{", "a": 2}', 1)):
                out, _ = self.weir("explain", "--schema", path, "--text", text, code=1)
                self.assertIn(f"refused because the object has this key already, at byte {at}", out)
                self.assertNotIn("refused by:", out)
                found = self.weir_json("explain", "--schema", path, "--text", text, code=1)
                self.assertEqual(at, found["repeated_key"]["start"])
        # Where all keys are used no further one may begin, so the comma is refused.
        path = self.file("s.json", '{"properties": {"a": {"minimum": 10}, "b": {}}, "additionalProperties": false}')
        out, _ = self.weir("explain", "--schema", path, "--text", '{"b": 1, "a": 11 , "a": 2}', code=1)
        self.assertIn("refused because the object has this key already, at byte 9", out)
        out, _ = self.weir("explain", "--schema", path, "--text", '{"b": 1, "a": 1, "a": 2}', code=1)
        self.assertNotIn("already", out)
        self.assertIn("minimum", out)
        out, _ = self.weir("explain", "--schema", self.file("s.json", '{"additionalProperties": false}'), "--text",
                           '{"a": 1}', code=1)
        self.assertNotIn("already", out)


class Completions(CommandTest):
    """The completions that packages install are made of what --help says."""

    def setUp(self):
        super().setUp()
        self.folder = pathlib.Path(self.directory.name)
        subprocess.run(["python3", ROOT / "tools" / "dist" / "describe_command.py", weir_path(), self.folder], check=True)

    def complete(self, *words):
        script = self.folder / "completions" / "bash-completion" / "completions" / "weir"
        quoted = " ".join(f"'{word}'" for word in words)
        code = f". {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _weir; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        out = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True).stdout
        return out.split()

    @unittest.skipUnless(shutil.which("bash"), "no bash")
    def test_values_are_offered(self):
        self.assertEqual(["validate"], self.complete("weir", "va"))
        self.assertEqual(["--schema"], self.complete("weir", "mask", "--sche"))
        self.assertEqual(["declared"], self.complete("weir", "mask", "--order", "d"))
        self.assertEqual(["exact", "serving"], self.complete("weir", "mask", "--profile", ""))
        self.assertEqual(["ebnf", "gbnf", "kbnf", "lark", "regex", "xgrammar"], self.complete("weir", "convert", "--to", ""))
        self.assertIn("nesting=", self.complete("weir", "check", "--limit", "n"))
        self.assertIn("hermes", self.complete("weir", "tools", "--style", ""))
        self.assertEqual([], self.complete("weir", "mask", "--grammar", "x"))

    def test_each_shell_has_them(self):
        share = self.folder / "completions"
        self.assertIn("(any declared)", (share / "zsh" / "vendor-completions" / "_weir").read_text())
        self.assertIn("-l order -x -a 'any declared'", (share / "fish" / "vendor_completions.d" / "weir.fish").read_text())

    def test_every_option_is_described(self):
        for command in COMMANDS:
            for option, _, about, _ in describe_command().options(self.weir(command, "--help")[0]):
                self.assertTrue(about, (command, option))


if __name__ == "__main__":
    main()
