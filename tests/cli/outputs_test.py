#!/usr/bin/env python3
"""Tests the `weir` command from outside: texts and tokens, with validate, explain, mask and generate.
Usage: outputs_test.py PATH_TO_WEIR [unittest options]"""

import json
import os

from command import EXAMPLES, EXPRESSION_GRAMMAR, JSON_GRAMMAR, CommandTest, main


class Validate(CommandTest):
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


class Explain(CommandTest):
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

    def refused_by(self, schema, text):
        path = self.file("s.json", json.dumps(schema))
        answer = self.weir_json("explain", "--schema", path, "--text", text, code=1)
        return answer["places"][0]["pointer"], [by["location"] for by in answer["refused_by"]]

    def test_which_keywords_of_a_schema_refuse(self):
        age = {"type": "object", "properties": {"age": {"type": "integer", "minimum": 10, "maximum": 90}},
               "required": ["name"], "additionalProperties": {"type": "string", "maxLength": 2}}
        self.assertEqual(self.refused_by(age, '{"age": 120'), ("/age", ["#/properties/age/maximum"]))
        self.assertEqual(self.refused_by(age, '{"age": 1}'), ("/age", ["#/properties/age/minimum"]))
        self.assertEqual(self.refused_by(age, '{"age": 12}'), ("", ["#/required"]))
        self.assertEqual(self.refused_by(age, '{"age": true'), ("/age", ["#/properties/age/type"]))
        self.assertEqual(self.refused_by(age, '{"a/b": "abc"'), ("/a~1b", ["#/additionalProperties/maxLength"]))
        self.assertEqual(self.refused_by({"additionalProperties": False, "properties": {"a": {}}}, '{"a": 1, "b": 2}'),
                         ("", ["#/additionalProperties"]))
        items = {"type": "array", "items": {"enum": ["a", "b"]}, "uniqueItems": True}
        self.assertEqual(self.refused_by(items, '["a", "a"]'), ("/1", ["#/uniqueItems"]))

    def test_a_number_string_or_key_that_is_whole(self):
        # No number of the range begins with 5, but what refuses 5 is the minimum.
        narrow = {"properties": {"a": {"type": "integer", "minimum": 10, "maximum": 14}}}
        self.assertEqual(self.refused_by(narrow, '{"a": 5, "b": 1}'), ("/a", ["#/properties/a/minimum"]))
        self.assertEqual(self.refused_by(narrow, '{"a": 5'), ("/a", ["#/properties/a/minimum", "#/properties/a/maximum"]))
        self.assertEqual(self.refused_by(narrow["properties"]["a"], "5"), ("", ["#/minimum"]))
        self.assertEqual(self.refused_by({"items": {"maximum": 5}}, "[9"), ("/0", ["#/items/maximum"]))
        self.assertEqual(self.refused_by({"items": {"maximum": 5}}, "[9]"), ("/0", ["#/items/maximum"]))
        either = {"properties": {"a": {}, "b": {}, "c": {}}, "additionalProperties": False, "required": ["a"],
                  "oneOf": [{"required": ["b"]}, {"required": ["c"]}]}
        self.assertEqual(self.refused_by(either, '{"a": 1, "b": 2, "c": 3}'), ("", ["#/oneOf"]))
        self.assertEqual(self.refused_by(either, '{"a": 1, "b": 2, "d": 3}'), ("", ["#/additionalProperties"]))

    def test_branches_that_share_a_definition(self):
        words = {"$defs": {"word": {"enum": ["on", "off"]}}, "oneOf": [{"$ref": "#/$defs/word"},
                                                                       {"type": "array", "items": {"$ref": "#/$defs/word"}}]}
        self.assertEqual(self.refused_by(words, '["on", "no"]'), ("/1", ["#/$defs/word/enum"]))
        self.assertEqual(self.refused_by(words, "{}"), ("", ["#/$defs/word/enum", "#/oneOf/1/type"]))
        texts = {"oneOf": [{"const": "a"}, {"const": "b"}]}
        self.assertEqual(self.refused_by(texts, '"c"'), ("", ["#/oneOf/0/const", "#/oneOf/1/const"]))
        tree = {"$ref": "#/$defs/node", "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}}}
        self.assertEqual(self.refused_by(tree, '{"next": 1}'), ("/next", ["#/$defs/node/type"]))
        # Beside a `$ref` of draft 7 other keywords are ignored, and would count without it.
        old = {"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": {"type": "string", "$ref": "#/x"}},
               "x": {"properties": {"b": {}}, "additionalProperties": False}}
        self.assertEqual(self.refused_by(old, '{"a": {"c": 1}}'), ("/a", ["#/x/additionalProperties"]))
        choice = {"if": {"required": ["a"]}, "then": {"required": ["b"]}, "properties": {"a": {}}}
        self.assertEqual(self.refused_by(choice, '{"a": 1}'), ("", ["#/then/required"]))

    def test_a_large_schema(self):
        big = {"properties": {f"p{i}": {"description": "x" * 1000, "type": "string"} for i in range(150)}, "type": "object",
               "additionalProperties": {"$ref": "#"}}
        self.assertEqual(self.refused_by(big, '{"q": {"q": {"p7": 1}}}'), ("/q/q/p7", ["#/properties/p7/type"]))

    def test_keywords_after_references_and_in_branches_refuse(self):
        branches = {"anyOf": [{"maxLength": 2, "type": "string"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {"type": "null"}}}
        self.assertEqual(self.refused_by(branches, '"abc"'), ("", ["#/anyOf/0/maxLength", "#/$defs/a/type"]))
        lists = {"prefixItems": [{"type": "null"}], "items": {"patternProperties": {"^x": {"const": 1}}}, "maxItems": 2}
        self.assertEqual(self.refused_by(lists, '[null, {"xy": 2}]'), ("/1/xy", ["#/items/patternProperties/^x/const"]))
        one_of = {"properties": {"a": {"minItems": 1, "type": "array"}}, "oneOf": [{"required": ["b"]}, {"required": ["c"]}]}
        self.assertEqual(self.refused_by(one_of, '{"b": 1, "a": []}'), ("/a", ["#/properties/a/minItems"]))
        self.assertEqual(self.refused_by(lists, '[null, 1, 2]'), ("", ["#/maxItems"]))
        closed = {"type": "object", "properties": {"a": {}, "side": {}}, "additionalProperties": False}
        never = {**closed, "not": {"required": ["side"]}}
        self.assertEqual(self.refused_by(never, '{"side": 1}'), ("", ["#/not"]))
        self.assertEqual(self.refused_by(never, '{"si'), ("", ["#/additionalProperties", "#/not"]))
        self.assertEqual(self.refused_by({**closed, "required": ["side"]}, '{"a": 1}'), ("", ["#/required"]))

    def test_where_a_text_is_refused_in_the_words_of_its_schema(self):
        path = self.file("s.json", '{"properties": {"age": {"type": ["integer", "null"], "maximum": 9}}}')
        out, _ = self.weir("explain", "--schema", path, "--text", '{"age": 12}', code=1)
        self.assertTrue(out.endswith(f"""
  at `/age`, of which the schema says:
    {path}:1:24: #/properties/age (integer or null)
  refused by:
    {path}:1:65: #/properties/age/maximum (9)
  within, from the inside out:
    {path}:1:1: #
"""), out)
        out, _ = self.weir("explain", "--schema", path, "--text", '{"a": 01}', code=1)
        self.assertIn("refused whatever the schema says", out)
        # After a reference to a document there is no place to point at.
        other = self.file("t.json", '{"type": "string"}')
        out, _ = self.weir("explain", "--schema", self.file("r.json", '{"$ref": "urn:t"}'), "--document",
                           f"urn:t={other}", "--text", "1", code=1)
        self.assertIn("    urn:t# (string)\n  refused by:\n", out)
        self.assertIn('r.json:1:10: #/$ref ("urn:t")', out)


class Mask(CommandTest):
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

    def test_a_mask_without_tokens_says_why(self):
        stop = self.weir_json("mask", "--regex", "a", "--after", "a", "--all")["tokens"][0]["id"]
        out, _ = self.weir("mask", "--regex", "a*", "--after-tokens", str(stop))
        self.assertEqual(out, "0 of 8192 tokens may come next; the text may end here\nexpected: the end\n"
                              "A stop token has ended the text.\n")
        found = self.weir_json("mask", "--regex", "a*", "--after-tokens", str(stop))
        self.assertEqual((found["allowed"], found["may_end"]), (0, True))

    def test_after_token_terminals(self):
        grammar = self.file("tokens.ebnf", 'root ::= "a" <|endoftext|> "b"')
        a = self.weir_json("tokenizer", "--tokenize", "a")["ids"][0]
        for after in (["--after", "a<|endoftext|>", "--special-tokens"], ["--after-tokens", f"{a},8186"]):
            self.assertEqual(self.weir_json("mask", "--grammar", grammar, *after)["forced"], "b", after)
        out, _ = self.weir("mask", "--grammar", grammar, "--after-tokens", f"{a},{a}", code=1)
        self.assertIn("number 2 of --after-tokens", out)
        refused = self.weir_json("mask", "--grammar", grammar, "--after-tokens", f"{a},{a}", code=1)
        self.assertEqual([refused["verdict"], refused["number"], refused["token"]], ["refused", 2, a])
        self.weir("mask", "--grammar", grammar, "--after-tokens", "99999", code=2)

    def test_a_text_without_tokens_is_explained(self):
        tokenizer = self.file("tokenizer.json", json.dumps(
            {"model": {"type": "WordLevel", "vocab": {"a": 0, "[UNK]": 1}, "unk_token": "[UNK]"}}))
        out, _ = self.weir("mask", "--tokenizer", tokenizer, "--regex", "Q")
        self.assertIn("the tokenizer cannot spell what the grammar allows", out)

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


class Generate(CommandTest):
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
        many = self.file("many.json", '{"type": "array", "minItems": 1000000}')
        _, err = self.weir("generate", "--schema", many, "--max-tokens", "50", code=2)
        self.assertIn("no member fits into 50 tokens (--max-tokens): the shortest that was found has ", err)
        _, err = self.weir("generate", "--regex", "[0-9]{500}", "--max-tokens", "4", code=2)
        self.assertIn("no member fits into 4 tokens", err)

    # A completion of thousands of tokens was looked for after each token: this took 17 s, now 0.4.
    def test_a_long_text(self):
        schema = self.file("long.json", json.dumps({"type": "array", "minItems": 2000, "items": {
            "type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}, "additionalProperties": False}}))
        for steer in ("0", "1"):
            before = os.times()
            out, _ = self.weir("generate", "--schema", schema, "--max-tokens", "12100", "--steer", steer, "--json")
            self.assertLess(os.times().children_user - before.children_user, 5)
            member = json.loads(out)
            self.assertLessEqual(len(member["tokens"]), 12100)
            self.assertGreaterEqual(len(json.loads(member["text"])), 2000)

    # Searches for a shortest way to the end that went on without end.
    def test_a_way_to_the_end_that_is_hard_to_find(self):
        decimals = self.file("decimals.json", '{"type": "number", "multipleOf": 0.0012345678}')
        out, _ = self.weir("validate", "--schema", decimals, self.file("ten", "10"), code=1)
        self.assertIn("a short completion is `4938263`", out)  # the nearest multiple is known
        words = self.file("words.json", json.dumps({"type": "array", "uniqueItems": True, "minItems": 150, "items": {
            "enum": [f"e{i}" for i in range(150)]}}))
        out, _ = self.weir("validate", "--schema", words, self.file("open", "["), code=1)
        self.assertIn("no completion was found: the limit `call_work` was exceeded", out)
        twice = self.file("twice.json",
                          '{"type": "object", "not": {"patternProperties": {"^.$": {"uniqueItems": true}}}}')
        member = json.loads(self.weir("generate", "--schema", twice, "--max-tokens", "80", "--json")[0])
        self.assertLessEqual(len(member["tokens"]), 80)
        lists = [value for key, value in json.loads(member["text"]).items() if len(key) == 1 and isinstance(value, list)]
        self.assertTrue(any(value.count(item) > 1 for value in lists for item in value), member["text"])

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

    def test_a_grammar_without_an_end(self):
        path = self.file("e.kbnf", 'start ::= #"[a-z]" start;\n')
        arguments = ("generate", "--grammar", path, "--syntax", "kbnf", "--keep-endless", "--json", "--count", "3")
        for budget in (1, 20):
            for line in self.weir(*arguments, "--max-tokens", str(budget))[0].splitlines():
                member = json.loads(line)
                self.assertEqual((len(member["tokens"]), member["walked"]), (budget, budget))
                self.assertRegex(member["text"], "^[a-z]+$")
        # Where some texts end, those are drawn.
        path = self.file("both.kbnf", 'start ::= "a" | loop;\nloop ::= "b" loop;\n')
        out, _ = self.weir("generate", "--grammar", path, "--syntax", "kbnf", "--keep-endless", "--count", "20")
        self.assertEqual(set(out.splitlines()), {"a"})

    def test_zero_terminated(self):
        out, _ = self.weir("generate", "--regex", "a|b", "--count", "3", "-0")
        self.assertEqual(out.count("\0"), 3)


if __name__ == "__main__":
    main()
