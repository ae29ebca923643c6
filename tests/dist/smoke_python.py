"""Tries an installed Python package: its version, masks equal to the record of smoke_command.py and to the hashes that the
native build's test tests/e2e/mask_walk_test.cc compares with, an error with a caret.

Run from a folder that is not the repository, so that the installed package is what is imported.
"""

import importlib.metadata
import json
import pathlib
import sys

import numpy
import weir

HERE = pathlib.Path(__file__).resolve().parent
VERSION = (HERE.parents[1] / "VERSION").read_text(encoding="utf-8").strip()


TESTS = HERE.parent
MASKS = 400  # for each grammar
LONGEST = 80  # tokens; then the walk starts again
WORD = 0xFFFFFFFF


def compile_case(compiler, case):
    """Compiles a line of tests/bench/cases.jsonl, as mask_walk_test.cc does."""
    if "schema" in case:
        return compiler.compile_json_schema(case["schema"])
    if "response_format" in case:
        return compiler.compile_response_format(case["response_format"])
    if "choice" in case:
        return compiler.compile_choice(case["choice"])
    if "substring" in case:
        return compiler.compile_substring(case["substring"], unit="word")
    if "tools" in case:
        return compiler.compile_structural_tag(weir.tools.structural_tag(case["style"], case["tools"]))
    if "regex" in case:
        return compiler.compile_regex(case["regex"], dialect=case.get("dialect", "weir"))
    (key,) = case.keys() & {"grammar", "gbnf", "xgrammar", "kbnf", "lark"}
    return compiler.compile_grammar(case[key], syntax="ebnf" if key == "grammar" else key)


def walk(compiled, case_id):
    """Returns the line of tests/e2e/mask_walks.txt that a random walk through a grammar's masks makes."""
    first, second, seed, tokens = 1, 2, 12345, 0
    matcher = weir.GrammarMatcher(compiled)
    bitmask = weir.allocate_token_bitmask(1, compiled.tokenizer_info.vocab_size)
    for _ in range(MASKS):
        matcher.fill_next_token_bitmask(bitmask)
        words = numpy.asarray(bitmask).view(numpy.uint32)[0]
        allowed = numpy.flatnonzero(numpy.unpackbits(words.view(numpy.uint8), bitorder="little"))
        for word in [*words.tolist(), len(allowed)]:
            first = (first ^ word) * 0x85EBCA6B & WORD
            first ^= first >> 13
            second = (second + word) * 0xC2B2AE35 & WORD
            second ^= second >> 16
        seed = (seed * 1664525 + 1013904223) & WORD
        assert matcher.accept_token(int(allowed[(seed >> 8) % len(allowed)])), case_id
        tokens += 1
        if tokens == LONGEST or matcher.is_terminated():
            matcher.reset()
            tokens = 0
    return f"{MASKS} {first:08x}{second:08x} {case_id}"


def main():
    assert not pathlib.Path(weir.__file__).is_relative_to(HERE.parents[1] / "python"), weir.__file__
    assert importlib.metadata.version("weir") == VERSION
    tokenizer_info = weir.TokenizerInfo.builtin()
    compiled = weir.GrammarCompiler(tokenizer_info).compile_json_schema((HERE / "schema.json").read_text(encoding="utf-8"))
    record = json.loads((HERE / "masks.json").read_text(encoding="utf-8"))
    stop = set(tokenizer_info.stop_token_ids)
    for text, expected in record.items():
        matcher = weir.GrammarMatcher(compiled)
        assert matcher.accept_text(text) if text else True
        bitmask = weir.allocate_token_bitmask(1, tokenizer_info.vocab_size)
        matcher.fill_next_token_bitmask(bitmask)
        bits = numpy.unpackbits(numpy.asarray(bitmask).view(numpy.uint8), bitorder="little")
        allowed = [int(token) for token in numpy.flatnonzero(bits) if int(token) not in stop]
        assert allowed == [token for token in expected if token not in stop], text
    compiler = weir.GrammarCompiler(tokenizer_info)
    cases = [json.loads(line) for line in (TESTS / "bench" / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    walks = (TESTS / "e2e" / "mask_walks.txt").read_text(encoding="utf-8").splitlines()
    assert len(cases) == len(walks) > 0
    for case, expected in zip(cases, walks):
        found = walk(compile_case(compiler, case), case["id"])
        assert found == expected, f"{found} in place of {expected}"
    try:
        weir.GrammarCompiler(tokenizer_info).compile_grammar('root ::= "a" (b')
    except weir.GrammarError as error:
        assert "(` without `)`" in str(error) and "^" in str(error), error
    else:
        raise AssertionError("no error")
    print(f"smoke_python.py: Python {sys.version.split()[0]}, {len(record) + MASKS * len(walks)} masks")


if __name__ == "__main__":
    main()
