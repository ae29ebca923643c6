#!/usr/bin/env python3
"""Tests the `weir` command from outside: usage, options, limits; structural tags and response formats.
Usage: usage_test.py PATH_TO_WEIR [unittest options]"""

import json
import os
import re
import subprocess
import unittest

from command import JSON_GRAMMAR, ROOT, CommandTest, main, weir_path


class General(CommandTest):
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

    def test_help_is_text_and_names_the_words_of_an_option(self):
        for command in ("validate", "mask", "generate", "check", "convert", "explain", "inspect", "tools", "read", "cases"):
            text, _ = self.weir(command, "--help")
            self.assertFalse([c for c in text if c != "\n" and not c.isprintable()], command)
        _, errors = self.weir("validate", "--regex", "a", "--regex-dialect", "perl", code=2)
        self.assertIn("there is no `perl`; it is one of: ecma, ecma262, pcre, python, rust, weir", errors)
        _, errors = self.weir("validate", "--json-value", "--escapes", "some", code=2)
        self.assertIn("there is no `some`; it is one of: all, required, short", errors)

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

    def test_a_grammars_language_is_known_by_its_name(self):
        lark, ebnf = 'start: "a" B\nB: /b+/\n', 'root ::= "ab"\n'
        for name, text in [("a.lark", lark), ("a.kbnf", "start ::= 'ab';\n"), ("a.gbnf", ebnf), ("a.ebnf", ebnf),
                           ("a.xgrammar", 'root ::= Regex("a") "b"\n'), ("a.txt", ebnf)]:
            self.weir("validate", "--grammar", self.file(name, text), "-", stdin="ab")
        self.weir("generate", "--grammar", self.file("a.lark", lark), "--max-tokens", "20")
        self.weir("convert", "--grammar", self.file("a.lark", lark), "--to", "ebnf")
        self.weir("validate", "--grammar", self.file("b.lark", ebnf), "-", stdin="ab", code=2)
        self.weir("validate", "--grammar", self.file("b.lark", ebnf), "--syntax", "ebnf", "-", stdin="ab")

    def test_options_of_whitespace_need_their_kind(self):
        schema = self.file("s.json", "{}")
        for arguments, needed in [(["--indent", "3"], "--whitespace indented"),
                                  (["--whitespace-pattern", " "], "--whitespace pattern"),
                                  (["--whitespace", "none", "--whitespace-limit", "4"], "--whitespace bounded"),
                                  (["--whitespace", "pattern"], "needs a --whitespace-pattern")]:
            self.assertIn(needed, self.weir("mask", "--schema", schema, *arguments, code=2)[1])
        for arguments in (["--whitespace", "indented", "--indent", "3"], ["--whitespace-limit", "4"],
                          ["--whitespace", "pattern", "--whitespace-pattern", " ?"]):
            self.weir("mask", "--schema", schema, *arguments)

    def test_errors_of_options_have_no_place_in_a_file(self):
        schema = self.file("s.json", "{}")
        for pattern in ("[", "a"):
            _, err = self.weir("mask", "--schema", schema, "--whitespace", "pattern", "--whitespace-pattern", pattern,
                               code=2)
            self.assertRegex(err, "^weir: (in )?--whitespace-pattern[, ]")
            self.assertNotIn("s.json", err)
        tools = self.file("tools.json", '[{"type": "function", "function": {"name": "f"}}]')
        _, err = self.weir("tools", "--style", "hermes", "--tools", tools, "--tool-choice", "any", code=2)
        self.assertIn("--tool-choice: not of any known form", err)
        self.assertNotIn("tools.json", err)
        _, err = self.weir("tools", "--style", "nope", "--tools", tools, code=2)
        self.assertIn("--style: ", err)
        self.assertNotIn("tools.json", err)
        for option, value, message in (("--reasoning", "whole", ": the style `llama3` has no reasoning"),
                                       ("--max-reasoning-tokens", "5", " has no effect"),
                                       ("--reasoning-closing", "a", " has no effect"),
                                       ("--response-format", '{"type": "jsn"}', ": not of any known form")):
            _, err = self.weir("tools", "--style", "llama3", "--tools", tools, option, value, code=2)
            self.assertIn(option + message, err)
            self.assertNotIn("tools.json", err)
        _, err = self.weir("mask", "--schema", schema, "--document", "urn:x=" + self.file("bad.json", '{\n  a: 1}'),
                           code=2)
        self.assertIn("bad.json:2:3: error: expected a key in quotes\n    a: 1}\n    ^", err)

    def test_a_language_that_there_is_not(self):
        path = self.file("a.txt", "")
        for arguments in (["check", path], ["generate", "--grammar", path]):
            self.assertIn("there is no `foo`; it is one of: ebnf, gbnf, kbnf, lark, xgrammar",
                          self.weir(*arguments, "--syntax", "foo", code=2)[1])

    def test_hints_about_schemas_name_options(self):
        schema = self.file("s.json", '{"items": {"$ref": "urn:x"}}')
        _, err = self.weir("mask", "--schema", schema, code=2)
        self.assertIn("hint: schemas are never fetched: give it with --document URI=FILE\n", err)
        out, _ = self.weir("check", self.file("t.json", '{"prefixItems": [], "items": [{}]}'), code=1)
        self.assertIn("declare the dialect with `$schema`, or with --draft\n", out)
        out, _ = self.weir("check", self.file("t.json", '{"items": [{}]}'))
        self.assertIn("warning: `items` of `#` is a list", out)
        self.assertEqual("", self.weir("check", self.file("t.json", '{"items": [{}]}'), "--draft", "7")[0])
        _, err = self.weir("mask", "--schema", schema, "--whitespace", "pattern", "--whitespace-pattern", "", code=2)
        self.assertIn("empty", err)

    def test_messages_name_options_of_the_command(self):
        kbnf = self.file("g.kbnf", "start ::= 'a' start;")
        out, _ = self.weir("check", kbnf, code=1)
        self.assertIn("with --keep-endless a rule may go on forever", out)
        _, err = self.weir("mask", "--grammar", self.file("g.ebnf", 'root ::= "a"'), "--exact-splits", code=2)
        self.assertIn("--exact-splits has no effect: it is for --syntax = lark", err)
        _, err = self.weir("mask", "--schema", self.file("t.json", "{}"), "--characters", "ab", code=2)
        self.assertIn("--characters must match single characters", err)
        out, _ = self.weir("check", self.file("o.json", '{"propertyOrdering": ["a"]}'))
        self.assertIn("with the option --order members come", out)
        tools = self.file("tools.json", '[{"name": "f"}]')
        for arguments, message in ((["--reasoning-closing", "x"], "--reasoning-closing has no effect: there is no reasoning"),
                                   (["--response-format", "5"], "--response-format: not of any known form"),
                                   (["--tool-choice", '{"type": "function", "function": {"name": "g"}}'],
                                    "--tool-choice: there is no tool `g`")):
            self.assertIn(message, self.weir("tools", "--style", "hermes", "--tools", tools, *arguments, code=2)[1])
        _, err = self.weir("tools", "--style", "phi4_mini", "--tools", tools, "--reasoning", "whole", code=2)
        self.assertIn("--reasoning: the style `phi4_mini` has no reasoning", err)

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
                result = subprocess.run([weir_path(), *arguments], stdout=full, stderr=subprocess.PIPE, check=False)
                self.assertEqual(result.returncode, 2, arguments)
                self.assertIn(b"standard output", result.stderr)


class StructuralTags(CommandTest):
    TAG = """{"format": {"type": "triggered_tags", "triggers": ["<f="], "tags": [
        {"begin": "<f=a>", "content": {"type": "json_schema", "json_schema": {"type": "integer"}}, "end": "</f>"}]}}"""

    def test_validate(self):
        tag = self.file("tag.json", self.TAG)
        self.weir("validate", "--structural-tag", tag, "-", stdin="hello <f=a>12</f>")
        self.weir("validate", "--structural-tag", tag, "-", stdin="hello <f=b>", code=1)
        # Blanks that validating lets stand around a text do not stand within a notation that has none.
        bare = {"format": {"type": "json_schema", "style": "gemma4", "json_schema": {"properties": {"a": {"type": "integer"}}}}}
        bare = self.file("bare.json", json.dumps(bare))
        self.weir("validate", "--structural-tag", bare, "-", stdin="{a:1}")
        for text in ("{a: 1}", "{a:1 }"):
            self.weir("validate", "--structural-tag", bare, "-", stdin=text, code=1)
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

    def test_read(self):
        tools = self.file("tools.json", '[{"type": "function", "function": {"name": "f"}}]')
        reply = 'Hm. <tool_call>{"name": "f", "arguments": {}}</tool_call>'
        out, _ = self.weir("read", "--style", "hermes", "--tools", tools, stdin=reply)
        self.assertEqual(json.loads(out), {"reasoning": None, "content": "Hm. ",
                                           "tool_calls": [{"name": "f", "arguments": {}}]})
        out, _ = self.weir("read", "--style", "hermes", "--tools", tools, "--events", "--piece", "3", stdin=reply)
        events = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([events[0]["start"], events[-1]["end"]], [0, len(reply)])
        self.assertEqual(events[-1]["event"], "call_ends")
        self.assertEqual("".join(event["text"] for event in events if event["event"] == "arguments"), "{}")
        _, err = self.weir("read", "--style", "hermes", "--tools", tools, "--strict", stdin="<tool_call>[", code=2)
        self.assertIn("<stdin>:1:12: error: the reply does not follow its tag: `[`", err)
        _, err = self.weir("read", "--style", "nope", stdin="", code=2)
        self.assertIn("there is no style `nope`", err)
        answer = self.file("format.json", '{"type": "json_object"}')
        out, _ = self.weir("read", "--style", "hermes", "--response-format", answer, "--values", stdin='{"a": 1}')
        self.assertIn('"event": "number"', out)
        _, err = self.weir("read", stdin="", code=2)
        self.assertIn("--style, or what a grammar is read from", err)

    def test_errors_of_a_response_format_have_their_place(self):
        tools = self.file("tools.json", '[{"type": "function", "function": {"name": "f"}}]')
        text = '{"type": "json_schema",\n "json_schema": {"schema": {"type": "array", "items": {"type": "objec"}}}}'
        answer = self.file("answer.json", text)
        marked = ':2:64: error: --response-format: `type` of `#/items` must name types'
        for arguments, name in ((["tools", "--style", "hermes", "--tools", tools, "--response-format", answer], answer),
                                (["read", "--style", "hermes", "--response-format", answer], answer),
                                (["tools", "--style", "hermes", "--tools", tools, "--response-format", text],
                                 "<response_format>")):
            _, err = self.weir(*arguments, stdin="", code=2)
            self.assertIn(name + marked, err)
            self.assertIn("^~~~~~~\n  hint: did you mean `object`?", err)
        _, err = self.weir("tools", "--style", "hermes", "--tools", tools, "--response-format",
                           '{"type": "json_object", "schem": {}}', code=2)
        self.assertIn("<response_format>:1:25: error: ", err)

    def test_a_token_by_id_is_named_as_one(self):
        begin = {"type": "token", "token": 2}
        tag = {"type": "structural_tag", "format": {"type": "tag", "begin": begin, "content": {"type": "any_text"}, "end": ""}}
        out, _ = self.weir("explain", "--structural-tag", self.file("tag.json", json.dumps(tag)), "--text", "x", code=1)
        self.assertIn("expected: <[2]>", out)

    def test_values_are_those_of_json(self):
        format_ = '{"type": "json_schema", "json_schema": {"type": "object"}, "capture": "x"}'
        tag = self.file("tag.json", f'{{"type": "structural_tag", "format": {format_}}}')
        for option in "--structural-tag", "--response-format":
            _, err = self.weir("read", option, tag, "--values", stdin="{}", code=2)
            self.assertIn("--values is for --style, and for texts of JSON", err)
            self.weir("read", option, tag, stdin="{}")

    def test_read_takes_the_options_of_tools(self):
        # --response-format is one of the grammar's options, too.
        options = [set(re.findall(r"--[a-z-]+", self.weir(command, "--help")[0])) for command in ("tools", "read")]
        self.assertEqual(options[0] - options[1], set())
        tools = self.file("tools.json", '[{"type": "web_search"}, {"type": "function", "function": {"name": "f"}}]')
        read = ["read", "--style", "hermes", "--tools", tools]
        self.weir(*read, stdin="Hm.", code=2)
        out, _ = self.weir(*read, "--on-bad-tool", "drop", "--one-call", "--reasoning", "whole", "--max-reasoning-tokens",
                           "5", "--reasoning-closing", "So.", "--response-format", '{"type": "json_object"}',
                           stdin="<think>a</think>{}")
        self.assertEqual(json.loads(out), {"reasoning": "a", "content": "{}", "tool_calls": []})
        template = {"start_anchor": "<a>", "fields": {"content": {"close": "<e>"}, "tool_calls": {
            "open": "<call>", "close": "</call>", "content": "json", "repeats": True,
            "transform": {"type": "function", "function": {"name": "{content.name}", "arguments": "{content.arguments}"}}}}}
        self.weir("read", "--style", self.file("template.json", json.dumps(template)), stdin="x")

    def test_read_names_the_option_that_is_wrong(self):
        tools = self.file("tools.json", '[{"type": "function", "function": {"name": "f"}}]')
        of_style = ["read", "--style", "hermes", "--tools", tools]
        bad = self.file("bad.json", "{")
        schema = self.file("s.json", '{"type": "object"}')
        for arguments, message in (
                (["read", "--style", "herms", "--tools", tools], "--style: there is no style `herms`\n  hint: did you mean `hermes`?"),
                ([*of_style, "--strict", "--tool-choice", "x"], "--tool-choice: not of any known form"),
                ([*of_style, "--strict", "--response-format", bad], "--response-format: not JSON"),
                (["read", "--json-value", "--on-bad-tool", "drop"], "--on-bad-tool is for --style"),
                (["read", "--json-value", "--one-call"], "--one-call is for --style"),
                ([*of_style, "--start", "a"], "--start is for --grammar, and has no effect beside --style"),
                ([*of_style, "--draft", "7"], "--draft is for JSON Schemas, and has no effect beside --style"),
                ([*of_style, "--limit", "text_bytes=1"], "--limit text_bytes=N"),
                ([*of_style, "--limit", "nothing=1"], "--limit nothing=1: it is NAME=N"),
                (["read", "--json-value", "--strict"], "--strict is for --style"),
                (["read", "--json-value", "--reasoning", "whole"], "--reasoning is for --style"),
                (["read", "--json-value", "--tool-choice", "none"], "--tool-choice is for --style"),
                (["read", "--schema", schema, "--notation", "yaml", "--values"], "--values is for --style, and for texts of JSON")):
            _, err = self.weir(*arguments, stdin="Hm.", code=2)
            self.assertIn("weir: ", err)
            self.assertIn(message, err, arguments)
            if "text_bytes=1" not in arguments:
                self.assertNotIn("tools.json", err)
        file = self.file("reply.txt", "Hm.")
        out, _ = self.weir(*of_style, "--limit", "text_bytes=100", file)
        self.assertEqual(json.loads(out)["content"], "Hm.")

    def test_explain_a_text_in_yaml_as_one_that_ends(self):
        for schema, text, refused_by in (
                ({"properties": {"title": {"type": "string"}}}, "title: 123\n", ["#/properties/title/type"]),
                ({"required": ["a"]}, "b: 1\n", ["#/required"]),
                ({"minLength": 3}, "'ab'", ["#/minLength"]),
                ({"properties": {"n": {"maximum": 5}}}, "n: 77\n", ["#/properties/n/maximum"]),
                ({"properties": {"a": {}}, "additionalProperties": False}, "b: 1\n", ["#/additionalProperties"]),
                ({"properties": {"l": {"items": {"minItems": 2}}}}, "x: it's\nl:\n- [1, {a: \"b\"}]\n- - 1\n",
                 ["#/properties/l/items/minItems"]),
                ({"maxProperties": 1}, "---\na:\n  b: 1\n  c: 2\nd:\n...\n", ["#/maxProperties"]),
                # At these line ends there is no whole document, or not the value that is refused.
                ({"properties": {"n": {"type": "integer"}}}, "{x: 1, n: [1,\n 2]}\n", ["#/properties/n/type"]),
                ({"properties": {"n": {"type": "integer"}}}, "t: |\n  a\nn: x\n", ["#/properties/n/type"]),
                ({"properties": {"a": {"type": "boolean"}}}, "a: tru\nb: 1\n", ["#/properties/a/type"]),
                ({"properties": {"a": {}}}, "a: [1,", []),
                ({"properties": {"a": {}}}, "a: &x 1\n", [])):
            file = self.file("schema.json", json.dumps(schema))
            out = self.weir_json("explain", "--schema", file, "--notation", "yaml", "--file", "-", stdin=text, code=1)
            self.assertEqual([one["location"] for one in out["refused_by"]], refused_by, text)

    def test_masks_within_quotes_of_yaml(self):
        for pattern in ("^[a-z]+$", "^[a-z]{2,}$", "^[a-z]{1,300}$"):
            for where, schema in (("", {"type": "object", "propertyNames": {"pattern": pattern}}),
                                  ("a: ", {"type": "object", "required": ["a"], "properties": {"a": {"pattern": pattern}}})):
                file = self.file("s.json", json.dumps(schema))
                for quote, more in (("'", ""), ('"', "\\")):
                    out, _ = self.weir("mask", "--schema", file, "--notation", "yaml", "--after", where + quote, "--all", "--json")
                    first = {token["text"][0] for token in json.loads(out)["tokens"]}
                    self.assertLessEqual(first - set(more), set("abcdefghijklmnopqrstuvwxyz"), (pattern, where, quote))

    def test_an_option_for_another_input_is_an_error(self):
        schema = self.file("s.json", '{"type": "object"}')
        regex, grammar = self.file("a.regex", "a"), self.file("g.ebnf", 'root ::= "a"')
        for arguments, message in (
                (["--schema", schema, "--regex-ignore-case"], "--regex-ignore-case is for --regex"),
                (["--schema", schema, "--unit", "word"], "--unit is for --substring"),
                (["--regex", "a", "--draft", "7"], "--draft is for JSON Schemas"),
                (["--regex", "a", "--profile", "serving"], "--profile is for JSON Schemas"),
                (["--grammar", grammar, "--order", "declared"], "--order is for JSON Schemas"),
                (["--language", "python", "--notation", "yaml"], "--notation is for JSON Schemas")):
            for command in ("validate", "generate", "convert"):
                more = {"validate": ["-"], "generate": [], "convert": ["--to", "ebnf"]}[command]
                _, err = self.weir(command, *arguments, *more, stdin="a", code=2)
                self.assertEqual(err, f"weir: {message}\n")
        for arguments, message in ((["--schema", "--regex-dot-all", schema], "--regex-dot-all is for --regex"),
                                   (["--regex", "--draft", "7", regex], "--draft is for JSON Schemas"),
                                   (["--schema", "--start", "a", schema], "--start is for --syntax"),
                                   (["--syntax", "ebnf", "--draft", "7", grammar], "--draft is for JSON Schemas")):
            _, err = self.weir("check", *arguments, code=2)
            self.assertEqual(err, f"weir: {message}\n")
        for option in (["--indent", "4"], ["--whitespace", "none"], ["--escapes", "short"], ["--no-exponents"]):
            _, err = self.weir("validate", "--schema", schema, "--notation", "yaml", *option, "-", stdin="a: 1", code=2)
            self.assertEqual(err, f"weir: {option[0]} has no effect on texts in YAML (--notation yaml)\n")
        self.weir("validate", "--schema", schema, "--notation", "yaml", "--profile", "serving", "-", stdin="a: 1")
        lark = self.file("g.lark", "start: %json {}")
        self.weir("validate", "--grammar", lark, "--whitespace", "none", "-", stdin="[1]")

    def test_a_number_that_is_too_large(self):
        _, err = self.weir("mask", "--regex", "a", "--max-tokens", "99999999999999", code=2)
        self.assertIn("--max-tokens = 99999999999999: the number is too large", err)
        _, err = self.weir("mask", "--regex", "a", "--max-tokens", "0", code=2)
        self.assertIn("tokens (--max-tokens)", err)

    def test_read_of_a_grammar(self):
        grammar = self.file("g.ebnf", 'root ::= @capture(key: [a-z]+) "=" [0-9]+')
        out, _ = self.weir("read", "--grammar", grammar, stdin="ab=1")
        self.assertEqual(json.loads(out), {"content": "=1", "captures": [{"name": "key", "start": 0, "end": 2, "text": "ab"}]})
        out, _ = self.weir("read", "--grammar", grammar, "--events", "--piece", "1", stdin="ab=1")
        self.assertEqual([json.loads(line)["event"] for line in out.splitlines()],
                         ["capture_begins", "capture", "capture", "capture_ends", "text", "text"])
        _, err = self.weir("read", "--regex", "a", stdin="a", code=2)
        self.assertIn("which parts of a reply to report", err)
        _, err = self.weir("read", "--grammar", grammar, "--style", "hermes", stdin="a", code=2)
        self.assertIn("--style and --grammar exclude each other", err)
        _, err = self.weir("read", "--grammar", grammar, stdin="ab1", code=2)
        self.assertIn("<stdin>:1:3: error: the reply does not follow its grammar", err)

    def test_tools(self):
        tools = self.file("tools.json", '[{"type": "function", "function": {"name": "f"}}]')
        out, _ = self.weir("tools", "--style", "hermes", "--tools", tools, "--tool-choice", "required")
        tag = self.file("tag.json", out)
        call = '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>'
        self.weir("validate", "--structural-tag", tag, "-", stdin=call)
        self.weir("validate", "--structural-tag", tag, "-", stdin="no call", code=1)
        _, err = self.weir("tools", "--style", "hermes", "--tools", self.file("bad.json", "[{}]"), code=2)
        self.assertIn("bad.json:1:2", err)
        answer = self.file("format.json", ' {"type": "json_object"}')
        out, _ = self.weir("tools", "--style", "hermes", "--tools", tools, "--response-format", answer)
        same, _ = self.weir("tools", "--style", "hermes", "--tools", tools, "--response-format", '{"type": "json_object"}')
        self.assertEqual(out, same)


if __name__ == "__main__":
    main()
