#!/usr/bin/env python3
"""Tests the `weir` command from outside: grammars and tokenizers, with check, convert, inspect and tokenizer.
Usage: grammars_test.py PATH_TO_WEIR [unittest options]"""

import json
import pathlib

from command import EXPRESSION_GRAMMAR, JSON_GRAMMAR, ROOT, CommandTest, main


class Check(CommandTest):
    BROKEN = "root ::= itm $\nitem ::= ( \"a\"\n"

    def test_terminals_that_leave_no_text_are_an_error(self):
        path = self.file("ab.lark", "start: A B\nA: /a+/\nB: /ab/\n")
        out, _ = self.weir("check", "--format=json", path, code=1)
        self.assertIn("unsatisfiable", [json.loads(line)["code"] for line in out.splitlines()])
        self.assertIn("error: no text satisfies the grammar", self.weir("check", path, code=1)[0])
        self.assertEqual(self.weir("check", "--exact-splits", path)[0], "")
        # What a tokenizer lacks is no error of the grammar's.
        self.assertEqual(self.weir("check", self.file("t.lark", "start: <|no_such_token|>\n"))[0], "")

    def test_rules_without_an_end_may_be_kept(self):
        path = self.file("e.kbnf", 'start ::= "a" | loop;\nloop ::= "b" loop;\n')
        self.assertIn("warning: rule `loop` derives no finite string", self.weir("check", path)[0])
        self.assertEqual(self.weir("check", "--keep-endless", path)[0], "")

    def test_indenter(self):
        path = self.file("i.lark", 'start: (line | block)+\nline: "p" END\nblock: "i" ":" END _IN (line | block)+ _OUT\n'
                                   '%declare _IN _OUT\nEND: /(\\n[ \\t]*)+/\n')
        indenter = '{"newline": "END", "indent": "_IN", "dedent": "_OUT", "open": [], "close": []}'
        for text, code in (("i:\n  p\np\n", 0), ("i:\n  p\n p\n", 1)):
            self.weir("validate", "--grammar", path, "--indenter", indenter, "-", stdin=text, code=code)
        self.assertIn("no terminal `_NEWLINE`", self.weir("check", path, code=1)[0])
        _, err = self.weir("validate", "--grammar", path, "--indenter", '{"newlin": "END"}', "-", stdin="", code=2)
        self.assertEqual(err, "weir: in the option --indenter: unknown member `newlin` of `%indent`\n  hint: did you mean `newline`?\n")
        _, err = self.weir("validate", "--regex", "p", "--indenter", indenter, "-", stdin="", code=2)
        self.assertIn("--indenter is for --grammar", err)

    def test_options_of_schemas_apply_to_those_in_lark(self):
        path = self.file("s.lark", 'start: %json {"properties": {"b": {}, "a": {}}}\n')
        out, _ = self.weir("explain", "--grammar", path, "--text", '{"a":1,"b":1}')
        self.assertIn("accepted", out)
        for options in (["--order", "declared"], ["--profile", "serving"]):
            out, _ = self.weir("explain", "--grammar", path, "--text", '{"a":1,"b":1}', *options, code=1)
            self.assertIn("refused", out)

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

    def test_rules_without_an_end(self):
        path = self.file("e.kbnf", 'start ::= "a" | loop;\nloop ::= "b" loop;\n')
        out, _ = self.weir("check", path)
        self.assertIn("warning: rule `loop` derives no finite string", out)
        self.assertIn("with --keep-endless a rule may go on forever", out)
        self.assertEqual(self.weir("check", "--keep-endless", path)[0], "")
        all_of_it = self.file("all.kbnf", 'start ::= "b" start;\n')
        self.assertIn("with --keep-endless", self.weir("check", all_of_it, code=1)[0])
        self.assertEqual(self.weir("check", "--keep-endless", all_of_it)[0], "")
        empty = self.file("empty.kbnf", "start ::= start;\n")
        self.assertNotIn("keep-endless", self.weir("check", empty, code=1)[0])

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


class ByName(CommandTest):
    TABLES = "CREATE TABLE users (id INTEGER, name TEXT);\n"

    def test_tables_decide_which_names_there_are(self):
        tables, query = self.file("shop.sql", self.TABLES), self.file("q.sql", "SELECT u.name FROM users u")
        self.assertIn("accepted", self.weir("validate", "--language", "sqlite", "--tables", tables, query)[0])
        other = self.file("other.sql", "SELECT u.age FROM users u")
        self.assertIn("accepted", self.weir("validate", "--language", "sqlite", other)[0])
        self.assertIn("1:10: refused", self.weir("validate", "--language", "sqlite", "--tables", tables, other, code=1)[0])
        out, _ = self.weir("mask", "--language", "postgresql", "--tables", tables, "--after", "INSERT INTO users (", "--token", "x", code=1)
        self.assertIn("not allowed", out)
        out, _ = self.weir("generate", "--language", "sqlite", "--start", "query", "--count", "2", "--json")
        self.assertEqual(len(out.splitlines()), 2)

    def test_mistakes(self):
        _, err = self.weir("generate", "--language", "sqlit", code=2)
        self.assertEqual(err, "weir: --language: there is no language `sqlit`\n  hint: did you mean `sqlite`?\n")
        _, err = self.weir("generate", "--language", "cobol", code=2)
        self.assertEqual(err, "weir: --language: there is no language `cobol`\n"
                              "  hint: the languages are `postgresql`, `python`, `sqlite`\n")
        _, err = self.weir("generate", "--language", "sqlite", "--tables", self.file("t.sql", "CREATE TABLE t (a\n"), code=2)
        self.assertIn("t.sql:1:16: error: this bracket is not closed\n  CREATE TABLE t (a\n                 ^\n", err)
        self.weir("generate", "--tables", self.file("t.sql", self.TABLES), "--regex", "a", code=2)
        _, err = self.weir("generate", "--language", "sqlite", "--exact-splits", code=2)
        self.assertIn("the option --exact-splits has no effect", err)
        _, err = self.weir("generate", "--language", "python", "--tables", self.file("t.sql", self.TABLES), code=2)
        self.assertEqual(err, "weir: --language: the language `python` has no tables\n")
        _, err = self.weir("generate", "--language", "sqlite", "--tables", self.file("empty.sql", ""), code=2)
        self.assertIn("empty.sql` is empty", err)

    def test_tables_with_a_byte_order_mark(self):
        for text in (self.TABLES, '{"users": ["id", "name"]}'):
            tables = self.file("t.sql", "\ufeff" + text)
            self.weir("validate", "--language", "sqlite", "--tables", tables, "-", stdin="SELECT name FROM users")
            self.weir("validate", "--language", "sqlite", "--tables", tables, "-", stdin="SELECT name FROM nobody", code=1)
        twice = self.file("twice.json", '{"a": ["x"], "a": ["y"]}')
        _, err = self.weir("generate", "--language", "sqlite", "--tables", twice, code=2)
        self.assertIn("twice.json:1:14: error: a table is listed twice", err)

    def test_cases(self):
        line = {"id": "a", "language": "sqlite", "tables": self.TABLES,
                "tests": [{"valid": True, "text": "SELECT name FROM users"}, {"valid": False, "text": "SELECT name FROM t"}]}
        out, _ = self.weir("cases", self.file("c.jsonl", json.dumps(line) + "\n"), "--json")
        self.assertEqual(json.loads(out.splitlines()[-1])["tests_by_outcome"], {"ok": 2})


class Convert(CommandTest):
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
        self.assertIn("there is no `abnf`; it is one of: ebnf, gbnf, kbnf, lark, regex, xgrammar", err)
        lark = self.file("g.lark", "start: A A B\nA: /a|ab+c/\nB: /b*c/\n")
        for language, first in (("ebnf", "root ::= "), ("lark", "start: ")):
            arguments = ("convert", "--grammar", lark, "--syntax", "lark", "--to", language)
            _, err = self.weir(*arguments, code=2)
            self.assertIn("competes with others", err)
            self.assertIn("hint: with the option --exact-splits", err)
            self.assertTrue(self.weir(*arguments, "--exact-splits")[0].startswith(first))

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


class Inspect(CommandTest):
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


class Tokenizer(CommandTest):
    def test_summary(self):
        summary = self.weir_json("tokenizer")
        self.assertEqual(summary["vocab_size"], 8192)
        self.assertEqual(sum(summary["tokens"].values()), 8192)
        self.assertEqual([stop["name"] for stop in summary["stop_tokens"]], ["<|endoftext|>"])
        self.assertGreater(summary["trie"]["nodes"], 8000)
        self.assertIn("byte-level BPE", self.weir("tokenizer")[0])

    def test_canonical_support(self):
        canonical = self.weir_json("tokenizer")["canonical"]
        self.assertTrue(canonical["supported"])
        self.assertEqual(canonical["written_tokens"] + canonical["unwritten_tokens"],
                         self.weir_json("tokenizer")["tokens"]["text"])
        self.assertGreater(canonical["hypotheses"], 1)
        self.assertTrue(7000 < canonical["merges"] < 20000)
        out, _ = self.weir("tokenizer")
        self.assertIn("canonical mode: supported", out)
        self.assertIn("classes of characters", out)

    def test_rows(self):
        self.assertNotIn("rows", self.weir_json("tokenizer")["canonical"])
        rows = self.weir_json("tokenizer", "--rows")["canonical"]["rows"]
        self.assertEqual(rows["tokens"], self.weir_json("tokenizer")["canonical"]["written_tokens"])
        self.assertAlmostEqual(rows["mean"], rows["forbidden_pairs"] / rows["tokens"])
        self.assertTrue(rows["p50"] <= rows["p99"] <= rows["max"] < rows["tokens"])
        # bench canonical finds the same pairs by the literal algorithm.
        literal = self.weir_json("bench", "canonical", "--least", "7930", "--regex", "a")["runs"][-1]
        self.assertTrue(literal["exact"])
        self.assertEqual((literal["forbidden_pairs"], literal["fused_states"]), (rows["forbidden_pairs"], rows["different"]))
        self.assertIn(f"{rows['different']} different ones", self.weir("tokenizer", "--rows")[0])

    def test_healing(self):
        prompt = "<|endoftext|>The answer is "
        ids = [self.weir_json("tokenizer", "--special")[0]["id"], *self.weir_json("tokenizer", "--tokenize", prompt[13:])["ids"]]
        healing = self.weir_json("tokenizer", "--heal", prompt)
        self.assertEqual(healing, {"kept": ids[:-1], "tokens": 1, "text": " ", "hex": "20"})
        self.assertIn("begin with ` `", self.weir("tokenizer", "--heal", prompt)[0])
        self.assertEqual(self.weir_json("tokenizer", "--heal", "<|endoftext|>")["tokens"], 0)
        self.assertIn("no text", self.weir("tokenizer", "--heal", "<|endoftext|>")[0])
        tokenizer = self.file("unigram.json", json.dumps(
            {"model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["a", -1], ["b", -2]]}}))
        self.assertIn("Unigram", self.weir("tokenizer", tokenizer, "--heal", "a", code=2)[1])

    def test_what_has_no_canonical_mode_is_named(self):
        tokenizer = self.file("unigram.json", json.dumps(
            {"model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["a", -1], ["b", -2]]}}))
        canonical = self.weir_json("tokenizer", tokenizer)["canonical"]
        self.assertFalse(canonical["supported"])
        self.assertIn("Unigram", canonical["reason"])
        self.assertIn("canonical mode: not supported", self.weir("tokenizer", tokenizer)[0])

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


if __name__ == "__main__":
    main()
