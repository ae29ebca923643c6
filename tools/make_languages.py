#!/usr/bin/env python3
"""Writes data/languages/sqlite.ebnf and postgresql.ebnf from the parts in data/languages/sql: make_languages.py [--check]

A dialect is the core, the dialect's own rules, a rule for each keyword, a second copy of the rules of expressions, in which any
column may stand, and the rules of names, which are last so that a program can put others in their place. A keyword is a name in upper case without a rule. Its rule matches ASCII letters
in any case: in a regular expression with the flag i, "s" would also match the letter U+017F. A grammar in which two words may
follow each other without a blank is an error.
"""

import argparse
import pathlib
import re
import sys

LANGUAGES = pathlib.Path(__file__).resolve().parent.parent / "data" / "languages"
NOTICE = "# Written by tools/make_languages.py from data/languages/sql.\n\n"


def keyword_rules(text):
    """Returns a rule for each name in upper case that has none."""
    text = re.sub(r"""#.*|"[^"\n]*"|'[^'\n]*'|/[^/\n]+/i?|\[(?:\\.|[^\]\\])*\]""", "", text)
    defined = set(re.findall(r"^(\w+) ::=", text, re.M))
    keywords = sorted(set(re.findall(r"\b[A-Z][A-Z_]*\b", text)) - defined)
    return [
        f"{word} ::= " + "".join("_" if c == "_" else f"[{c}{c.lower()}]" for c in word).replace("_", ' "_" ')
        for word in keywords
    ]


def own_expressions(text):
    """Returns a copy of the rules of expressions for a table that is being defined, whose columns no list has.

    Each name has `own_` before it. A rule is copied if a column can stand in it; those of queries are not, because a
    subquery has tables of its own.
    """
    bodies = dict(re.findall(r"^(\w+) ::= (.*(?:\n +.*)*)", re.sub(r"(?m)^#.*\n", "", text), re.M))
    word = re.compile(r"""("(?:\\.|[^"])*"|'[^'\n]*'|\[(?:\\.|[^\]\\])*\]|/[^/\n]+/i?)|(\w+)""")
    used = {name: {found[1] for found in word.findall(body)} for name, body in bodies.items()}
    references = {"word_ref", "sign_ref"}
    copied, before = set(references), None
    while before != copied:
        before = set(copied)
        copied |= {name for name in used if used[name] & copied and name != "query"}
    reached, left = set(), ["expr", "k_expr"]
    while left:
        name = left.pop()
        if name in copied - references - reached:
            reached.add(name)
            left += used[name]
    copied = reached | references

    def own(match):
        return "own_" + match[0] if match[2] in copied else match[0]

    rules = [f"own_{name} ::= {word.sub(own, body)}" for name, body in bodies.items() if name in reached]
    rules += ['own_word_ref ::= COLUMN_WORD | NAME s? "." s? member', 'own_sign_ref ::= QUOTED (s? "." s? member)?']
    return rules


def grammar(dialect):
    """Returns the text of a dialect's grammar."""
    core, own, names = ((LANGUAGES / "sql" / f"{part}.ebnf").read_text() for part in ("core", dialect, "names"))
    parts = [core, own, "# --- Keywords ---\n", "\n".join(keyword_rules(core + own)) + "\n"]
    parts += ["# --- Expressions of a table that is being defined ---\n", "\n".join(own_expressions(core + own)) + "\n", names]
    return NOTICE + "\n".join(parts)


def words_that_touch(text):
    """Returns where two words may touch, as pairs of a rule and the second word. The text of literals is exempt.

    The ends of an expression are two sets: the kinds of characters, "word" and "sign", that it may begin and end with.
    Both have "" if it may be empty.
    """
    exempt = ("sign_literal", "word_literal")
    bodies = dict(re.findall(r"^(\w+) ::= (.*(?:\n +.*)*)", re.sub(r"(?m)^#.*\n", "", text), re.M))
    token = re.compile(r"\s+|\"(?:\\.|[^\"])*\"|'[^'\n]*'|\[(?:\\.|[^\]\\])*\]|/[^/\n]+/i?|\w+|[()|?*+&~.]")
    ends = {name: (frozenset(), frozenset()) for name in bodies}
    found = set()

    def kinds(characters):
        return frozenset({"word" if re.search(r"^(?!\[\^).*\w", re.sub(r"\\.", "", characters)) else "sign"})

    def sequence(words, rule):
        """Returns the ends of a sequence, and takes its words. Of `a & b` only a counts."""
        first, last = frozenset({""}), frozenset({""})
        while words and words[0] not in "|)":
            item = words.pop(0)
            if item == "&":
                while words and words[0] not in "|)":
                    one(words, words.pop(0), rule)
                break
            begin, end = one(words, item, rule)
            if rule and "word" in last and "word" in begin:
                found.add((rule, item))
            first = first - {""} | begin if "" in first else first
            last = last | (end - {""}) if "" in end else end
        return first, last

    def one(words, item, rule):
        if item == "(":
            begin, end = choice(words, rule)
            words.pop(0)
        elif item in bodies:
            begin, end = ends[item]
        elif item[0] in "\"'":
            written = re.sub(r"\\.", " ", item[1:-1])
            begin, end = (kinds(written[0]), kinds(written[-1])) if written else (frozenset({""}),) * 2
        else:
            begin = end = frozenset({""}) if item == "~" else kinds(item)
        while words and words[0] in "?*+":
            repeat = words.pop(0)
            if rule and repeat != "?" and "word" in end and "word" in begin:
                found.add((rule, item))
            if repeat != "+":
                begin, end = begin | {""}, end | {""}
        return begin, end

    def choice(words, rule):
        first, last = sequence(words, rule)
        while words and words[0] == "|":
            words.pop(0)
            begin, end = sequence(words, rule)
            first, last = first | begin, last | end
        return first, last

    split = {name: [word for word in token.findall(body) if word.strip()] for name, body in bodies.items()}
    before = None
    while before != ends:
        before = dict(ends)
        ends = {name: choice(list(words), None) for name, words in split.items()}
    for name, words in split.items():
        if name == name.lower() and name.removeprefix("own_") not in exempt:
            choice(list(words), name)
    return sorted(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true", help="only say whether the files are up to date")
    check = parser.parse_args().check
    stale = []
    for dialect in ("sqlite", "postgresql"):
        path = LANGUAGES / f"{dialect}.ebnf"
        text = grammar(dialect)
        for rule, word in words_that_touch(text):
            sys.exit(f"{dialect}: in {rule}, {word} may follow a word without a blank")
        if path.exists() and path.read_text() == text:
            continue
        stale.append(path.name)
        if not check:
            path.write_text(text)
    for name in stale:
        print(f"{name}: {'out of date' if check else 'written'}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
