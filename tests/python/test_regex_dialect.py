"""Compares the Python dialect with Python's own `re`: random patterns on all short texts."""

import itertools
import random
import re
import warnings

import pytest

import weir

ALPHABET = "ab\n"
TEXTS = ["".join(t) for n in range(4) for t in itertools.product(ALPHABET, repeat=n)]
ODD_TEXTS = [
    *TEXTS, "\r", "\v", "\x1c", "\x85", "\xa0", "\u2028", "é", "É", "ſ", "s", "S", "k", "K", "\u212a", "i", "I", "İ", "ı",
    "ß", "ẞ", "ﬅ", "ﬆ", "٣", "²", "\u0301", "_", "-", "1", "A", "B", "ab ", "[", "]", ":", "a]", "{", "a{1, 2}", "a{}",
    "\x07", "\x08", "\0", "\t", "8", "\x0b", " ", "#", "aaaa", "aab", "abab", "\ufeff", "x",
]
PATTERNS = [
    r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", r"(?a)\w", r"(?a:\s)", r"(?a)\d", r"(?u:\w)", r"\b\w", r"\B", r"a\B",
    r"\Ba", r".", r"(?s).", r"a$", r"a$\n", r"a\Z", r"a\Z\n", r"\Aa", r"(?m)^a$", r"(?m)a\n^", r"(?m)^", r"(?m)a$\n",
    r"(?i)s", r"(?i)k", r"(?i)i", r"(?i)ß", r"(?i)ﬅ", r"(?i)[i]", r"(?i)[^i]", r"(?i)[h-j]", r"(?ia)k", r"(?i)é",
    r"(?ia)é", r"(?i:a)b", r"(?i)\w", r"(?x) a b # c", "(?x)a\u2028", r"(?x)a\ b", r"[]a]+", r"[^]a]", r"[[a]", r"[[:a]",
    r"a]", r"]", r"{", r"a{}", r"a{,2}", r"a{1, 2}", r"a{,}", r"a{2}", r"a{1,2}b", r"\0", r"\01", r"\101", r"[\1]", r"\x41",
    r"\u0041", r"\U00000041", r"\a", r"[\b]", r"\n", r"\v", r"a++b", r"a*+b", r"a?+a", r"(?:ab)++", r"a{1,2}+a", r"(?>a|ab)b",
    r"(?>ab|a)b", r"(?>a+)b", r"(?>a*?)a", r"(?P<n>a)b", r"(?#c)a", r"a||b", r"(?<=a)b", r"(?<!a)b", r"(?=a)\w",
    r"\é", r"\-", r"[a\-z]", r"[\w-]", r"(?-i:a)b", r"(?s-m:.)",
]


def pattern(rng, size):
    if size <= 1:
        atom = rng.choice(["a", "b", "[ab]", "[^a]", ".", r"\n", r"\w", r"\W", "^", "$", r"\b", r"\B", r"\Z", "(?m:^)", "(?m:$)",
                           "ab"])
        return atom + (rng.choice(QUANTIFIERS) if rng.random() < 0.3 and atom[-1] not in "^$)BbZ" else "")
    left = rng.randint(1, size - 1)
    kind = rng.randrange(7)
    if kind == 0:
        return f"(?:{pattern(rng, left)}|{pattern(rng, size - left)})"
    if kind == 1:
        return f"(?:{pattern(rng, size - 1)}){rng.choice(QUANTIFIERS)}"
    if kind == 2:
        return f"(?>{pattern(rng, size - 1)})"
    if kind == 3:
        return f"{rng.choice(['(?=', '(?!'])}{pattern(rng, left)}){pattern(rng, size - left)}"
    return pattern(rng, left) + pattern(rng, size - left)


QUANTIFIERS = ["*", "+", "?", "*?", "+?", "??", "*+", "++", "?+", "{2}", "{1,2}", "{1,2}+", "{,2}"]


@pytest.fixture(scope="module")
def compiler():
    return weir.GrammarCompiler(weir.TokenizerInfo.builtin())


def accepts(grammar, text):
    matcher = weir.GrammarMatcher(grammar)
    return matcher.accept_string(text) and matcher.is_completed()


def compare(compiler, text, subjects):
    """Returns the number of compared subjects: 0 for a pattern that Python does not have or weir refuses."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            theirs = re.compile(text)
        except (re.error, OverflowError):
            return 0
    try:
        ours = compiler.compile_regex(text, dialect="python")
    except weir.GrammarError as error:
        if error.code == "unsatisfiable":
            assert not any(theirs.fullmatch(subject) for subject in subjects), text
            return len(subjects)
        assert error.code == "unsupported", f"{text!r}: {error}"
        return 0
    for subject in subjects:
        assert accepts(ours, subject) == bool(theirs.fullmatch(subject)), f"{text!r} on {subject!r}"
    return len(subjects)


def test_each_construct(compiler):
    compared = [text for text in PATTERNS if compare(compiler, text, ODD_TEXTS)]
    assert len(compared) > len(PATTERNS) - 10


def test_random_patterns(compiler):
    rng = random.Random(5)
    assert sum(compare(compiler, pattern(rng, 1 + i % 6), TEXTS) for i in range(600)) > 300 * len(TEXTS)


@pytest.mark.parametrize("text", [r"(a)\1", r"(?P<n>a)(?P=n)", r"(a)?(?(1)b|c)", r"(?>a|a*b)", r"\N{DIGIT ONE}"])
def test_what_is_no_language_is_refused(compiler, text):
    with pytest.raises(weir.GrammarError) as error:
        compiler.compile_regex(text, dialect="python")
    assert error.value.code == "unsupported"
