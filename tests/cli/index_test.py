#!/usr/bin/env python3
"""Tests `weir index` from outside: the automata over tokens that it writes.
Usage: index_test.py PATH_TO_WEIR [unittest options]"""

import base64
import itertools
import json
import pathlib
import re

from command import EXPRESSION_GRAMMAR, CommandTest, main


def paths(index):
    """A function from a state to its transitions, {token: state}, of either format."""
    if "token_sets" not in index:
        return lambda state: {int(token): to for token, to in index["transitions"][str(state)].items()}
    sets = [[token for i in range(0, len(ranges), 2) for token in range(ranges[i], ranges[i + 1] + 1)]
            for ranges in index["token_sets"]]

    def transitions(state):
        ways = index["transitions"][state]
        found = {}
        for i in range(0, len(ways), 2):
            for token in sets[ways[i]]:
                assert token not in found
                found[token] = ways[i + 1]
        if state in index["final_states"]:
            found.update({token: state for token in index["stop_token_ids"]})
        return found

    return transitions


def sequences(index, tokens, longest):
    """The token sequences that an index accepts, of at most so many bytes."""
    step, found, open_states = paths(index), set(), [(index["initial_state"], (), 0)]
    while open_states:
        state, ids, length = open_states.pop()
        if state in index["final_states"]:
            found.add(ids)
        for token, to in step(state).items():
            if token in index["stop_token_ids"]:
                continue
            if length + len(tokens[token]) <= longest:
                open_states.append((to, (*ids, token), length + len(tokens[token])))
    return found


class Index(CommandTest):
    TOKENS = [b"a", b"b", b"c", b"ab", b"bc", b"abc", b"ca", b"\xc3", b"\xa9", b"\xc3\xa9", b"-"]

    def setUp(self):
        super().setUp()
        lines = [base64.b64encode(token).decode() + f" {i}" for i, token in enumerate(self.TOKENS)]
        self.tokenizer = self.file("small.tiktoken", "\n".join(lines) + "\n")
        self.file("small.json", json.dumps({"pat_str": r"\p{L}+|\P{L}", "special_tokens": {"<|endoftext|>": 11}}))

    def index(self, *arguments, **options):
        return json.loads(self.weir("index", "--tokenizer", self.tokenizer, *arguments, **options)[0])

    def segmentations(self, pattern, longest):
        found = set()
        for count in range(longest + 1):
            for ids in itertools.product(range(len(self.TOKENS)), repeat=count):
                text = b"".join(self.TOKENS[i] for i in ids)
                if len(text) > longest:
                    continue
                try:
                    if re.fullmatch(pattern, text.decode()):
                        found.add(ids)
                except UnicodeDecodeError:
                    pass
        return found

    def tokenized(self, text):
        """By rank, piece by piece: letters together, everything else alone."""
        ids = []
        for piece in re.findall(r"[^\W\d_]+|.", text):
            parts = [bytes([byte]) for byte in piece.encode()]
            while True:
                ranks = [(self.TOKENS.index(parts[i] + parts[i + 1]), i) for i in range(len(parts) - 1)
                         if parts[i] + parts[i + 1] in self.TOKENS]
                if not ranks:
                    break
                i = min(ranks)[1]
                parts[i:i + 2] = [parts[i] + parts[i + 1]]
            ids += [self.TOKENS.index(part) for part in parts]
        return tuple(ids)

    def test_canonical(self):
        # "-" is a piece of its own, so that what stands before it says nothing about what may follow.
        for pattern in ("(ab)*c?", "[abc]{1,4}", "(é|a){1,3}", "(ab?|-b|c-){1,3}"):
            longest = 5 if "*" in pattern else 12
            letters = "abcé-" if "é" in pattern or "-" in pattern else "abc"
            texts = map("".join, itertools.chain.from_iterable(itertools.product(letters, repeat=n) for n in range(7)))
            want = {self.tokenized(text) for text in texts
                    if re.fullmatch(pattern, text) and len(text.encode()) <= longest}
            for form in ("json", "compact"):
                index = self.index("--regex", pattern, "--canonical", "--format", form)
                self.assertEqual(sequences(index, self.TOKENS, longest), want, pattern)

    def test_canonical_refuses_by_name(self):
        vocabulary = {"[UNK]": 0, "a": 1, "##b": 2}
        path = self.file("wordpiece.json", json.dumps(
            {"model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                       "max_input_chars_per_word": 100, "vocab": vocabulary},
             "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": False},
             "pre_tokenizer": {"type": "Whitespace"}}))
        _, error = self.weir("index", "--tokenizer", path, "--regex", "ab", "--canonical", code=2)
        self.assertIn("--canonical: ", error)
        self.assertIn("WordPiece", error)

    def test_both_formats_have_all_segmentations(self):
        for pattern in ("(ab)*c?", "[abc]{1,3}|é", "a|bc|(ca)+"):
            want = self.segmentations(pattern, 5)
            self.assertGreater(len(want), 3)
            full = self.index("--regex", pattern)
            compact = self.index("--regex", pattern, "--format", "compact")
            self.assertEqual(sequences(full, self.TOKENS, 5), want, pattern)
            self.assertEqual(sequences(compact, self.TOKENS, 5), want, pattern)
            self.assertEqual(compact["format"], "weir-token-index")
            for state in range(len(compact["transitions"])):
                self.assertEqual(paths(full)(state), paths(compact)(state))

    def test_every_state_has_a_way_to_the_end(self):
        index = self.index("--regex", "(ab|c){2,4}a?")
        step = paths(index)
        for state in range(len(index["transitions"])):
            self.assertTrue(step(state))

    def test_members(self):
        index = self.index("--regex", "a")
        self.assertEqual((index["initial_state"], index["vocab_size"]), (0, 12))
        self.assertEqual(index["transitions"]["0"], {"0": 1})
        self.assertEqual(index["final_states"], [1])
        bare = self.file("bare.tiktoken", pathlib.Path(self.tokenizer).read_text())
        without = json.loads(self.weir("index", "--tokenizer", bare, "--regex", "a")[0])
        self.assertEqual((without["eos_token_id"], without["stop_token_ids"]), (None, []))
        self.assertEqual(without["transitions"]["1"], {})

    def test_written_to_a_file_it_is_summed_up(self):
        path = pathlib.Path(self.directory.name) / "index.json"
        summary = json.loads(self.weir("index", "--tokenizer", self.tokenizer, "--regex", "(ab)*c", "-o", str(path), "--json")[0])
        index = json.loads(path.read_text())
        self.assertEqual(summary["states"], len(index["transitions"]))
        self.assertEqual(sequences(index, self.TOKENS, 5), self.segmentations("(ab)*c", 5))
        self.assertIn("sets of tokens", self.weir("index", "--regex", "a", "--output", str(path))[0])
        self.assertIn("cannot write", self.weir("index", "--regex", "a", "-o", "/nowhere/index.json", code=2)[1])

    def test_other_languages_that_are_regular(self):
        schema = self.file("schema.json", '{"enum": ["ab", "c"]}')
        quoted = self.file("quoted.tiktoken", pathlib.Path(self.tokenizer).read_text() + "Ig== 11\n")
        index = json.loads(self.weir("index", "--schema", schema, "--whitespace", "none", "--tokenizer", quoted)[0])
        self.assertEqual(sequences(index, [*self.TOKENS, b'"'], 4), {(11, 3, 11), (11, 0, 1, 11), (11, 2, 11)})
        ignoring_case = self.index("--regex", "(?i)AB", "--regex-dialect", "python")
        self.assertEqual(sequences(ignoring_case, self.TOKENS, 2), {(0, 1), (3,)})
        self.assertIn("refer", self.weir("index", "--grammar", EXPRESSION_GRAMMAR, code=2)[1])

    def test_limits(self):
        error = self.weir_json("index", "--tokenizer", self.tokenizer, "--regex", "[ab]{90}", "--max-states", "50",
                               code=2)["error"]
        self.assertEqual((error["code"], error["limit"]), ("limit_exceeded", "token_dfa_states"))
        error = self.weir_json("index", "--regex", ".{1,30}", "--limit", "token_dfa_transitions=10000", code=2)["error"]
        self.assertEqual(error["limit"], "token_dfa_transitions")
        for regex in ("(a|b)*a(a|b){14}", ".{0,1000}"):  # the automaton over bytes; the one over tokens
            error = self.weir_json("index", "--regex", regex, "--limit", "call_work=20000", code=2)["error"]
            self.assertEqual((error["code"], error["limit"]), ("limit_exceeded", "call_work"), regex)

    def test_errors(self):
        self.assertIn("no tokens of the vocabulary spell",
                      self.weir("index", "--tokenizer", self.tokenizer, "--regex", "x", code=2)[1])
        self.assertIn("no text matches", self.weir("index", "--regex", "a(?!)", code=2)[1])
        self.assertIn(":1:2:", self.weir("index", "--regex", "a)", code=2)[1])
        self.assertIn("one of", self.weir("index", "--regex", "a", "--format", "xml", code=2)[1])


if __name__ == "__main__":
    main()
