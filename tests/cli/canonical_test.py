#!/usr/bin/env python3
"""Tests the `weir` command from outside: --canonical, with the embedded tokenizer and with one that is not supported.
Usage: canonical_test.py PATH_TO_WEIR [unittest options]"""

import json

from command import EXAMPLES, JSON_GRAMMAR, CommandTest, main

UNIGRAM = json.dumps({
    "version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": None, "post_processor": None,
    "decoder": {"type": "ByteLevel"},
    "model": {"type": "Unigram", "unk_id": None, "vocab": [[letter, -1.0] for letter in "ab"] + [["ab", -2.0]]}})
REASON = "the tokenizer writes `t` `h` as `th`"


class Canonical(CommandTest):
    def ids(self, text):
        return self.weir_json("tokenizer", "--tokenize", text)["ids"]

    def listed(self, *ids):
        return ",".join(str(token) for token in ids)


class Mask(Canonical):
    def test_tokens_that_the_tokenizer_writes(self):
        plain = self.weir_json("mask", "--regex", "theory", "--all")
        canonical = self.weir_json("mask", "--regex", "theory", "--all", "--canonical")
        self.assertGreater(plain["allowed"], 1)
        self.assertEqual([token["id"] for token in canonical["tokens"]], self.ids("theory")[:1])

    def test_the_text_before_the_mask_is_read_as_its_tokens(self):
        text = '{"name": [1'
        mask = self.weir_json("mask", "--grammar", JSON_GRAMMAR, "--canonical", "--after", text, "--all")
        ids = self.ids(text)
        tokens = self.weir_json("mask", "--grammar", JSON_GRAMMAR, "--canonical", "--after-tokens",
                                self.listed(*ids), "--all")
        self.assertEqual(mask, tokens)
        comma = self.ids(text + ", 2]}")[len(ids)]
        self.assertIn(comma, [token["id"] for token in mask["tokens"]])

    def test_a_text_that_ends_inside_of_a_token(self):
        arguments = ["mask", "--regex", '"name": null', "--canonical", "--after", '"na']
        out, _ = self.weir(*arguments, code=1)
        self.assertIn("<after>:1:2: error: the token that begins here is refused: ", out)
        self.assertIn("hint: ", out)
        found = self.weir_json(*arguments, code=1)
        self.assertEqual((found["verdict"], found["offset"]), ("refused", 1))
        self.assertIn("`na`", found["reason"])

    def test_a_text_that_the_grammar_refuses(self):
        found = self.weir_json("mask", "--regex", "ab", "--canonical", "--after", "ax", code=1)
        self.assertEqual((found["verdict"], found["offset"]), ("refused", 1))
        self.assertIn("expected", found)

    def test_why_a_token_may_not_come(self):
        out, _ = self.weir("mask", "--regex", "[a-z]+", "--canonical", "--after", "t", "--token-text", "h", code=1)
        self.assertIn(REASON, out)
        self.assertNotIn("expected", out)
        out, _ = self.weir("mask", "--regex", "[a-z]+", "--canonical", "--after", "t", "--token-text", "!", code=1)
        self.assertIn("after 0 of its bytes, expected: ", out)
        t, h = self.ids("t") + self.ids("h")
        out, _ = self.weir("mask", "--regex", "[a-z]+", "--canonical", "--after-tokens", f"{t},{h}", code=1)
        self.assertEqual(out, f"number 2 of --after-tokens, {h}, is refused: {REASON}\n")

    def test_context(self):
        for context in ("t", "a ", "!", "the"):
            before = self.ids(context)
            written = [self.ids(context + text) for text in ("he", "!", " he")]
            expected = {ids[len(before)] for ids in written if ids[:len(before)] == before}
            found = self.weir_json("mask", "--regex", "he|!| he", "--canonical", "--context", context, "--all")
            self.assertEqual({token["id"] for token in found["tokens"]}, expected, context)
        _, err = self.weir("mask", "--regex", "he", "--context", "t", code=2)
        self.assertIn("--canonical", err)


class Generate(Canonical):
    def test_members_have_the_tokens_of_their_texts(self):
        schema = self.file("s.json", json.dumps({"type": "object", "properties": {
            "name": {"enum": ["null", "nullable", "\u00e4rger"]}, "n": {"type": "array", "items": {"type": "null"}}}}))
        special = self.file("a.ebnf", 'root ::= "the" ("ory" | "n" | " end")* "."')
        for source in (["--schema", schema], ["--grammar", special], ["--grammar", JSON_GRAMMAR],
                       ["--grammar", str(EXAMPLES / "expression.ebnf")]):
            out, _ = self.weir("generate", *source, "--canonical", "--count", "30", "--seed", "5", "--json")
            members = [json.loads(line) for line in out.splitlines()]
            self.assertEqual(len(members), 30)
            for member in members:
                if member["text"] is not None:
                    self.assertEqual(member["tokens"], self.ids(member["text"]), member)
        self.assertEqual(out, self.weir("generate", *source, "--canonical", "--count", "30", "--seed", "5", "--json")[0])

    def test_members_after_a_context(self):
        out, _ = self.weir("generate", "--regex", "[a-z ]{1,12}", "--canonical", "--context", "the th", "--count", "10",
                           "--json")
        for line in out.splitlines():
            member = json.loads(line)
            self.assertEqual(self.ids("the th") + member["tokens"], self.ids("the th" + member["text"]))


class Validate(Canonical):
    def test_texts(self):
        self.weir("validate", "--regex", "theory", "--canonical", "-", stdin="theory")
        out, _ = self.weir("validate", "--regex", "theory", "--canonical", "-", stdin="theor", code=1)
        self.assertIn("a short completion is `y`", out)
        out, _ = self.weir("validate", "--regex", "theory", "--canonical", "-", stdin="theo_", code=1)
        self.assertIn("unexpected `_`", out)

    def test_a_text_that_would_be_written_otherwise_after_its_context(self):
        arguments = ["validate", "--regex", "he|!", "--canonical", "--context", "t", "-"]
        out, _ = self.weir(*arguments, stdin="he", code=1)
        self.assertTrue(out.startswith("<stdin>:1:1: refused: the tokenizer writes "), out)
        found = self.weir_json(*arguments, stdin="he", code=1)
        self.assertEqual((found["verdict"], found["offset"]), ("refused", 0))
        self.assertTrue(found["reason"].startswith("the tokenizer writes "))
        self.weir(*arguments, stdin="!")


class Explain(Canonical):
    def test_tokens(self):
        t, h, the = self.ids("t") + self.ids("h") + self.ids("the")
        arguments = ["explain", "--regex", "[a-z]+", "--tokens"]
        self.assertIn("accepted", self.weir(*arguments, f"{t},{h}")[0])
        out, _ = self.weir(*arguments, f"{t},{h}", "--canonical", code=1)
        self.assertIn(f"<tokens>:1:2: refused: token 2 of 2, `h` ({h}), is refused: {REASON}\n  th\n   ^\n", out)
        found = self.weir_json(*arguments, f"{t},{h}", "--canonical", code=1)
        self.assertEqual((found["verdict"], found["offset"]), ("refused", 1))
        self.assertIn(REASON, found["reason"])
        self.assertIn("accepted", self.weir(*arguments, str(the), "--canonical")[0])
        found = self.weir_json("explain", "--regex", "the", "--tokens", self.listed(*self.ids("thermal")), code=1)
        self.assertEqual((found["verdict"], found["offset"]), ("refused", 3))
        self.weir(*arguments, "999999", code=2)

    def test_texts(self):
        self.assertIn("accepted", self.weir("explain", "--regex", "he", "--canonical", "--text", "he")[0])
        out, _ = self.weir("explain", "--regex", "he|!", "--canonical", "--context", "t", "--text", "he", code=1)
        self.assertIn("<text>:1:1: refused: the tokenizer writes ", out)


class Cases(Canonical):
    def test_texts_are_walked_in_canonical_masks(self):
        t, h = self.ids("t") + self.ids("h")
        path = self.file("c.jsonl", "\n".join(json.dumps(case) for case in [
            {"id": "a", "regex": "th[a-z]*", "tests": [{"valid": True, "text": "theory"}, {"valid": False, "text": "to"}]},
            {"id": "b", "regex": "th", "tests": [{"valid": False, "tokens": [t, h]}]}]))
        self.assertEqual(self.weir_json("cases", path, "--canonical")["passed"], 2)
        self.assertEqual(self.weir_json("cases", path, code=1)["passed"], 1)

    def test_a_grammar_with_bounds(self):
        path = self.file("c.jsonl", "\n".join(json.dumps(case) for case in [
            {"id": "a", "grammar": "root ::= @max_tokens(2: [a-z]+)",
             "tests": [{"valid": True, "text": "the"}, {"valid": False, "text": "itepass"}]},
            {"id": "b", "grammar": 'root ::= @max_tokens(2: "itepass")', "tests": [{"valid": True, "text": "itepass"}]}]))
        result = self.weir_json("cases", path, "--canonical", code=1)
        self.assertEqual((result["passed"], result["refused_by_code"]), (1, {"unsatisfiable": 1}))


class Refused(Canonical):
    def test_a_tokenizer_that_is_not_supported(self):
        unigram = self.file("unigram.json", UNIGRAM)
        regex = ["--regex", "a", "--tokenizer", unigram, "--canonical"]
        cases = self.file("c.jsonl", json.dumps({"id": "a", "regex": "a", "tests": []}))
        for command in (["mask", *regex], ["generate", *regex], ["validate", *regex, "-"],
                        ["explain", *regex, "--text", "a"], ["cases", cases, "--tokenizer", unigram, "--canonical"]):
            _, err = self.weir(*command, stdin="a", code=2)
            self.assertIn("Unigram", err, command)

    def test_a_context_after_which_nothing_may_come(self):
        for command in (["mask"], ["generate"], ["validate", "-"], ["explain", "--text", "he"]):
            _, err = self.weir(*command, "--regex", "he", "--canonical", "--context", "t", stdin="he", code=2)
            self.assertIn("--canonical: after the context the tokenizer writes no text", err, command)

    def test_check(self):
        good = self.file("good.ebnf", 'root ::= "a"')
        bounded = self.file("bounded.ebnf", 'root ::= @max_tokens(2: "itepass")')
        wrong = self.file("wrong.ebnf", "root ::= other")
        pattern = self.file("a.regex", "a+\n")
        schema = self.file("s.json", '{"type": "null"}')
        self.weir("check", "--canonical", good, pattern, schema)
        self.weir("check", good, bounded)
        self.assertIn("max_tokens", self.weir("check", "--canonical", bounded, code=1)[0])
        out, _ = self.weir("check", "--canonical", "--format", "json", wrong, code=1)
        self.assertEqual([json.loads(line)["code"] for line in out.splitlines()], ["invalid_argument"])
        unigram = self.file("unigram.json", UNIGRAM)
        out, _ = self.weir("check", "--canonical", "--tokenizer", unigram, "--format", "json", good, code=1)
        finding = json.loads(out)
        self.assertEqual((finding["code"], finding["severity"]), ("unsupported", "error"))
        self.assertIn("Unigram", finding["message"])
        self.assertIn("--canonical", self.weir("check", "--tokenizer", unigram, good, code=2)[1])

    def test_a_grammar_without_texts_that_the_tokenizer_gives_back(self):
        letters = self.file("letters.json", json.dumps({
            "version": "1.0", "added_tokens": [], "normalizer": None, "post_processor": None,
            "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
            "decoder": {"type": "ByteLevel"},
            "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                      "end_of_word_suffix": None, "fuse_unk": False, "vocab": {"a": 0, "b": 1, "ab": 2},
                      "merges": ["a b"]}}))
        some = self.file("some.ebnf", 'root ::= "abc" | "abab"')
        none = self.file("none.ebnf", 'root ::= "abc"')
        out, _ = self.weir("check", "--canonical", "--tokenizer", letters, some, none, code=1)
        self.assertIn("none.ebnf:1:1: error: the tokenizer gives back no text of the grammar", out)
        self.assertNotIn("some.ebnf", out)
        mask = self.weir_json("mask", "--canonical", "--tokenizer", letters, "--grammar", some)
        self.assertEqual([token["text"] for token in mask["tokens"]], ["ab"])
        _, err = self.weir("generate", "--canonical", "--tokenizer", letters, "--grammar", none, code=2)
        self.assertIn("gives back no text", err)


if __name__ == "__main__":
    main()
