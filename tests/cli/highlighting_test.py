"""The TextMate grammars of tools/editors, on samples: each word has the scope that it should have.

Reads the part of TextMate that they use: `match`, `begin` and `end` with `beginCaptures`, nested `patterns`. Their expressions
are in what Oniguruma and Python's re agree on.
"""

import json
import pathlib
import re
import unittest

DIRECTORY = pathlib.Path(__file__).resolve().parents[2] / "tools" / "editors"


def words(grammar, text):
    """(scope without the language, text) of each stretch that has one; of what nests, the innermost."""
    found = []
    stack = [(None, grammar["patterns"], "")]
    for line in text.splitlines(keepends=True):
        pos = 0
        while pos < len(line):
            end, patterns, scope = stack[-1]
            best = end.search(line, pos) if end else None
            chosen = None
            for pattern in patterns:
                match = re.compile(pattern.get("match", pattern.get("begin"))).search(line, pos)
                if match and match.end() > match.start() and (best is None or match.start() < best.start()):
                    best, chosen = match, pattern
            stop = best.start() if best else len(line)
            if scope and stop > pos:
                found.append((scope, line[pos:stop]))
            if best is None:
                break
            pos = best.end()
            if chosen is None:
                found.append((scope, best.group()))
                stack.pop()
            elif "match" in chosen:
                found.append((chosen["name"], best.group()))
            else:
                found.append((chosen["name"], best.group()))
                stack.append((re.compile(chosen["end"]), chosen.get("patterns", []), chosen["name"]))
    joined = []
    for scope, part in found:
        if joined and joined[-1][0] == scope and not scope.startswith(("keyword", "punctuation")):
            joined[-1] = (scope, joined[-1][1] + part)
        else:
            joined.append((scope, part))
    language = grammar["scopeName"].removeprefix("source")
    return [(scope.removesuffix(language), part) for scope, part in joined]


def load(name):
    return json.loads((DIRECTORY / "syntaxes" / f"{name}.tmLanguage.json").read_text(encoding="utf-8"))


class Highlighting(unittest.TestCase):
    def expect(self, name, text, expected):
        self.assertEqual(words(load(name), text), expected)

    def test_kbnf(self):
        self.expect(
            "kbnf",
            "start ::= \"a\\n\" #e'b*\\\\d' | except!(x, 3)? ; (* end\nof *)\nx = #substrs\"q\" #ex'y' any!;",
            [
                ("entity.name.function.rule", "start"),
                ("keyword.operator.definition", "::="),
                ("string.quoted", '"a'),
                ("constant.character.escape", "\\n"),
                ("string.quoted", '"'),
                ("string.regexp.early", "#e'b*"),
                ("constant.character.escape", "\\\\"),
                ("string.regexp.early", "d'"),
                ("keyword.operator", "|"),
                ("keyword.other.special", "except!"),
                ("punctuation.section.brackets", "("),
                ("variable.other.rule", "x"),
                ("punctuation.separator", ","),
                ("constant.numeric", "3"),
                ("punctuation.section.brackets", ")"),
                ("keyword.operator", "?"),
                ("punctuation.separator", ";"),
                ("comment.block", "(* end\nof *)"),
                ("entity.name.function.rule", "x"),
                ("keyword.operator.definition", "="),
                ("string.quoted.other.substrs", '#substrs"q"'),
                ("string.regexp.complement", "#ex'y'"),
                ("keyword.other.special", "any!"),
                ("punctuation.separator", ";"),
            ],
        )

    def test_what_kbnf_refuses(self):
        scopes = {part: scope for scope, part in words(load("kbnf"), "a ::= #'\\d' #x'b';")}
        self.assertEqual(scopes["\\d"], "invalid.illegal.escape")
        self.assertEqual(scopes["#x"], "invalid.illegal.terminal")

    def test_ebnf(self):
        self.expect(
            "ebnf",
            "root.a ::= \"x\\\"\" [^\\]a-z] /[/]+\\//i{2,3} & ~@lazy(b) <[7]> !<t> # end\nb-c ::= .",
            [
                ("entity.name.function.rule", "root.a"),
                ("keyword.operator.definition", "::="),
                ("string.quoted.double", '"x'),
                ("constant.character.escape", '\\"'),
                ("string.quoted.double", '"'),
                ("constant.other.character-class", "[^"),
                ("constant.character.escape", "\\]"),
                ("constant.other.character-class", "a-z]"),
                ("string.regexp", "/[/]+\\//i"),
                ("keyword.operator.repeat", "{2,3}"),
                ("keyword.operator", "&"),
                ("keyword.operator", "~"),
                ("keyword.other.mode", "@lazy"),
                ("punctuation.section.group", "("),
                ("variable.other.rule", "b"),
                ("punctuation.section.group", ")"),
                ("constant.language.token", "<[7]>!<t>"),
                ("comment.line.number-sign", "# end"),
                ("entity.name.function.rule", "b-c"),
                ("keyword.operator.definition", "::="),
                ("keyword.operator", "."),
            ],
        )

    def test_modes_of_ebnf(self):
        words_cc = DIRECTORY.parents[1] / "src" / "frontend" / "ebnf" / "words.cc"
        modes = re.findall(r'word == "(@\w+)"', words_cc.read_text(encoding="utf-8"))
        self.assertIn("@max_tokens", modes)
        for mode in modes:
            self.assertEqual(words(load("ebnf"), f"{mode}(b)")[0], ("keyword.other.mode", mode))
        self.assertEqual(words(load("ebnf"), "@greed(b)")[0], ("invalid.illegal.mode", "@greed"))

    def test_the_extension_names_files_that_exist(self):
        package = json.loads((DIRECTORY / "package.json").read_text(encoding="utf-8"))
        for grammar in package["contributes"]["grammars"]:
            self.assertEqual(json.loads((DIRECTORY / grammar["path"]).read_text())["scopeName"], grammar["scopeName"])
        for language in package["contributes"]["languages"]:
            json.loads((DIRECTORY / language["configuration"]).read_text())


if __name__ == "__main__":
    unittest.main()
