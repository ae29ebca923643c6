import copy
import gc
import json
import threading

import numpy as np
import pytest
from conftest import END, TOOL, allowed

import weir


def test_masks_and_steps(matcher):
    m = matcher('root ::= "ab" ("c" | "d")*')
    bitmask = weir.allocate_token_bitmask(2, 7)
    m.fill_next_token_bitmask(bitmask, 1)
    assert allowed(bitmask[1]) == [0, 4] and bitmask[0, 0] == -1
    assert m.is_token_allowed(4) and not m.is_token_allowed(END)
    assert m.accept_token(1) is False and m.step_count == 0
    assert m.accept_token(4) is True and m.is_completed() and not m.is_terminated()
    assert m.accept_string("cd") and m.accept_string(b"c") and not m.accept_string("x")
    assert m.step_count == 3
    m.fill_next_token_bitmask(bitmask)
    assert allowed(bitmask[0]) == [2, 3, END]
    assert m.accept_token(END) and m.is_terminated() and m.step_count == 4
    m.rollback(2)
    assert m.step_count == 2 and not m.is_terminated()
    m.rollback()
    assert m.step_count == 1
    m.reset()
    assert m.step_count == 0 and m.accept_token(4)


def test_forks(matcher):
    m = matcher('root ::= "a" "b"* "c"')
    m.accept_token(0)
    for other in (m.fork(), copy.copy(m)):
        assert other.accept_string("bbc") and other.is_completed()
        assert other.compiled_grammar is m.compiled_grammar
    assert m.step_count == 1 and not m.is_completed() and m.state_id() == m.fork().state_id()


def test_looking_ahead(matcher):
    m = matcher('root ::= "abc" [abcd] "d" | "dddd"')
    assert m.find_jump_forward_string() == b"" and m.forced_tokens() == []
    m.accept_token(3)
    assert m.find_jump_forward_string() == b"ddd" and m.forced_tokens() == [3, 3, 3]
    assert m.shortest_completion() == b"ddd"
    assert m.longest_viable_prefix("ddcc") == m.longest_viable_prefix(b"ddcc") == 2
    tool = matcher('root ::= "a" <|tool|> "b"')
    assert tool.shortest_completion() is None
    assert tool.shortest_completion_parts() == [b"a", TOOL, b"b"]


def test_captures(matcher):
    m = matcher('root ::= @capture(first: "a" @capture(inner: "b"*)) "c" @capture(last: "d"+) "c"')
    assert m.captures() == [] and m.text() == b""
    m.accept_string("abbcd")
    first, inner, last = m.captures()
    assert (first.name, first.start, first.end, first.text, first.complete) == ("first", 0, 3, b"abb", True)
    assert (inner.name, inner.text) == ("inner", b"bb")
    assert (last.name, last.text, last.complete) == ("last", b"d", False)
    assert repr(inner) == "Capture('inner', b'bb')" and repr(last) == "Capture('last', b'd', complete=False)"
    assert m.text() == b"abbcd"
    m = matcher('root ::= @capture(x: "[" root? "]")')
    m.accept_string("[" * 3000)
    assert repr(m.captures()[7]) == f"Capture('x', {b'[' * 100!r}... of 2993 bytes, complete=False)"
    assert len(repr(m.captures())) < 3000 * 200


def test_reasons(matcher):
    m = matcher('root ::= word "d"\nword ::= [ab]')
    assert m.expected().bytes == b"ab" and not m.expected().end and len(m.expected().terminals) == 1
    refused = m.explain(4)
    assert not refused.allowed and refused.bytes_matched == 1 and refused.expected.bytes == b"d"
    assert refused.reason and str(refused) == refused.reason
    assert m.explain(0).allowed and str(m.explain(0)) == "allowed"
    assert m.state_stats().state == m.state_id() and m.state_stats().threads == 1


def test_the_end(matcher):
    m = matcher('root ::= "a"')
    m.accept_token(0)
    m.accept_token(END)
    bitmask = weir.allocate_token_bitmask(1, 7)
    with pytest.raises(weir.TerminatedError):
        m.fill_next_token_bitmask(bitmask)
    assert bitmask[0, 0] == 0
    with pytest.raises(weir.TerminatedError):
        m.accept_token(0)
    with pytest.raises(weir.TerminatedError):
        m.accept_string("a")
    assert m.is_terminated() and m.find_jump_forward_string() == b"" and not m.is_token_allowed(0)


def test_the_beginning_of_a_text():
    info = weir.TokenizerInfo([" a", "<end>"], special_token_ids=[1], stop_token_ids=[1], drops_leading_space=True)
    compiled = weir.GrammarCompiler(info).compile_grammar('root ::= "a"')
    assert weir.GrammarMatcher(compiled).accept_token(0)
    assert not weir.GrammarMatcher(compiled, at_text_start=False).accept_token(0)


def test_limits(letters):
    limits = weir.Limits(completion_bytes=10)
    compiled = weir.GrammarCompiler(letters, limits=limits).compile_grammar('root ::= "a"{20}')
    m = weir.GrammarMatcher(compiled)
    for ask in (m.shortest_completion, m.shortest_completion_parts):
        with pytest.raises(weir.LimitExceededError, match="completion_bytes"):
            ask()
    # What comes after the cut could change the last token.
    assert m.find_jump_forward_string() == b"a" * 10 and m.forced_tokens() == [0] * 9
    few_steps = weir.GrammarCompiler(letters, limits=weir.Limits(call_work=2_000)).compile_regex("a{100000}")
    cut = weir.GrammarMatcher(few_steps).find_jump_forward_string()
    assert 10 < len(cut) < 10_000 and not cut.strip(b"a")
    limits = weir.Limits(capture_items=3)
    compiled = weir.GrammarCompiler(letters, limits=limits).compile_grammar('root ::= @capture(x: "a"+)')
    m = weir.GrammarMatcher(compiled)
    m.accept_string("aa")
    with pytest.raises(weir.LimitExceededError, match="capture_items"):
        m.captures()
    assert m.accept_token(0) and m.step_count == 2


@pytest.mark.parametrize("token_id", [-1, 7, 2**40])
def test_tokens_out_of_range(matcher, token_id):
    m = matcher('root ::= "a"')
    for ask in (m.accept_token, m.is_token_allowed, m.explain):
        with pytest.raises(IndexError, match="7 tokens"):
            ask(token_id)


def test_bad_arguments(matcher):
    m = matcher('root ::= "a"')
    with pytest.raises(ValueError, match="negative"):
        m.rollback(-1)
    with pytest.raises(ValueError, match="more than the matcher has accepted"):
        m.rollback(1)
    with pytest.raises(TypeError, match="str or bytes, not int"):
        m.accept_string(3)
    with pytest.raises(TypeError):
        m.accept_token("a")
    with pytest.raises(TypeError, match="CompiledGrammar, not .*GrammarMatcher"):
        weir.GrammarMatcher(m)


def read_only(bitmask):
    bitmask.flags.writeable = False
    return bitmask


@pytest.mark.parametrize("make, raised, message", [
    (lambda: [0], TypeError, "not list"),
    (lambda: None, TypeError, "not NoneType"),
    (lambda: np.zeros((1, 1), np.int64), TypeError, "int64"),
    (lambda: np.zeros((1, 1), np.uint32), TypeError, "uint32"),
    (lambda: np.zeros((1, 1), np.float32), TypeError, "float32"),
    (lambda: np.zeros((1, 2), np.int32), ValueError, "2 words a row; for the 7 tokens.*needs 1"),
    (lambda: np.zeros((0,), np.int32), ValueError, "0 words"),
    (lambda: np.zeros((1, 1, 1), np.int32), ValueError, "3 dimensions"),
    (lambda: np.zeros((), np.int32), ValueError, "0 dimensions"),
    (lambda: np.zeros((4, 2), np.int32)[:, ::2], ValueError, "contiguous"),
    (lambda: read_only(np.zeros((1, 1), np.int32)), ValueError, "read-only"),
    (lambda: b"\0\0\0\0", ValueError, "read-only"),
    (lambda: np.zeros((0, 1), np.int32), IndexError, "0 rows"),
])
def test_bitmasks_that_cannot_be_filled(matcher, make, raised, message):
    with pytest.raises(raised, match=message):
        matcher('root ::= "a"').fill_next_token_bitmask(make())


def test_rows_that_there_are_not(matcher):
    for index in (-1, 2, 2**40):
        with pytest.raises(IndexError, match="2 rows"):
            matcher('root ::= "a"').fill_next_token_bitmask(np.zeros((2, 1), np.int32), index)


def test_one_row_and_memory_of_other_kinds(matcher):
    m = matcher('root ::= "a"')
    row = np.zeros(1, np.int32)
    m.fill_next_token_bitmask(row)
    assert allowed(row) == [0]
    shared = memoryview(bytearray(4)).cast("i")
    m.fill_next_token_bitmask(shared)
    assert shared[0] == 1


def test_a_matcher_holds_on_to_what_it_needs():
    info = weir.TokenizerInfo(["a"])
    compiler = weir.GrammarCompiler(info)
    m = weir.GrammarMatcher(compiler.compile_grammar('root ::= "a"'))
    del info, compiler
    gc.collect()
    assert m.accept_token(0) and m.is_completed()
    assert m.compiled_grammar.tokenizer_info.vocab_size == 1


def test_a_matcher_in_many_threads(builtin):
    """Calls from several threads take turns. This is not the intended use, but it must not break anything."""
    compiled = weir.GrammarCompiler(builtin).compile_json()
    m = weir.GrammarMatcher(compiled)
    text = b'{"a": [1, 2, {"b": "c"}], "d": null}'
    failures = []

    def work(i):
        bitmask = weir.allocate_token_bitmask(1, builtin.vocab_size)
        own = weir.GrammarMatcher(compiled)
        try:
            for _ in range(20):
                for byte in text:
                    own.fill_next_token_bitmask(bitmask)
                    assert own.accept_string(bytes([byte]))
                    m.fill_next_token_bitmask(bitmask)
                    m.is_completed()
                    m.fork()
                assert own.is_completed()
                own.reset()
                if i == 0:
                    m.accept_string("[")
                    m.rollback(1)
        except BaseException as error:  # noqa: BLE001: the main thread reports it
            failures.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and m.step_count == 0


def test_own_stop_tokens(letters):
    compiled = weir.GrammarCompiler(letters).compile_grammar('root ::= "a"+ "b"?')
    (end,) = letters.stop_token_ids
    plain, matcher = weir.GrammarMatcher(compiled), weir.GrammarMatcher(compiled, stop_token_ids=[2, 1])
    assert plain.stop_token_ids == [end] and matcher.stop_token_ids == [1, 2]
    assert matcher.accept_string("a") and plain.accept_string("a")
    assert [matcher.is_token_allowed(token) for token in (0, 1, 2, end)] == [True, True, True, False]
    assert [plain.is_token_allowed(token) for token in (0, 1, 2, end)] == [True, True, False, True]
    assert matcher.accept_token(1) and matcher.is_terminated() and matcher.text() == b"a"
    assert plain.accept_token(1) and not plain.is_terminated() and plain.text() == b"ab"
    assert matcher.fork().stop_token_ids == [1, 2]
    for stops, error, message in (([], ValueError, "`stop_token_ids` is empty"), ([1, 1], ValueError, "token 1 is listed twice"),
                                  ([1, letters.vocab_size], IndexError, "is out of range"),
                                  ([-1], IndexError, "token -1 is out of range")):
        with pytest.raises(error, match=message):
            weir.GrammarMatcher(compiled, stop_token_ids=stops)


def test_max_tokens(letters, builtin):
    compiled = weir.GrammarCompiler(letters).compile_grammar('root ::= "ab" "cd" | "d"')
    matcher = weir.GrammarMatcher(compiled, max_tokens=2)
    assert not matcher.is_token_allowed(4) and matcher.accept_token(3) and matcher.accept_token(END)
    assert weir.GrammarMatcher(compiled, max_tokens=3).is_token_allowed(4)
    assert "the budget of 2 tokens leaves too few" in weir.GrammarMatcher(compiled, max_tokens=2).explain(0).reason
    with pytest.raises(weir.GrammarError, match="at most 0 tokens .*: the shortest that was found has 1"):
        weir.GrammarMatcher(compiled, max_tokens=0)
    theory = weir.GrammarCompiler(builtin).compile_regex("theory|a")  # two tokens of the tokenizer's: "the" and "ory"
    the = builtin.tokenize("theory")[0]
    assert weir.GrammarMatcher(theory, max_tokens=2, tokenization="canonical").is_token_allowed(the)
    short = weir.GrammarMatcher(theory, max_tokens=1, tokenization="canonical")
    assert "the budget of 1 tokens leaves too few" in short.explain(the).reason
    with pytest.raises(weir.GrammarError, match="at most 1 tokens .*: the shortest that was found has 2"):
        weir.GrammarMatcher(weir.GrammarCompiler(builtin).compile_regex("theory"), max_tokens=1, tokenization="canonical")
    for wrong in (-1, 2**32):
        with pytest.raises(ValueError, match="max_tokens"):
            weir.GrammarMatcher(compiled, max_tokens=wrong)


def test_what_max_tokens_cannot_count_says_what_to_do(letters):
    """The error is not at a place of the grammar, so it shows none."""
    compiler = weir.GrammarCompiler(letters)
    lark = 'start: WORD "d"\nWORD: /[a-c]+/\n%ignore "c"'
    assert weir.GrammarMatcher(compiler.compile_grammar(lark, syntax="lark", exact_splits=True), max_tokens=9)
    for compiled, reason, remedy in (
            (compiler.compile_grammar(lark, syntax="lark"), "competing", "exact_splits"),
            (compiler.compile_grammar("root ::= @max_tokens(3: [ab]+)"), "have a bound on tokens", "either")):
        with pytest.raises(weir.GrammarError, match=reason) as caught:
            weir.GrammarMatcher(compiled, max_tokens=9)
        assert remedy in caught.value.hint and str(caught.value) == f"{caught.value.message}\n  hint: {caught.value.hint}"
        assert caught.value.code == "unsupported" and (caught.value.start, caught.value.end) == (0, 0)


def test_outputs_end_within_max_tokens(builtin):
    schema = {"type": "object", "properties": {"name": {"type": "string"}, "tags": {"type": "array", "items": {
        "enum": ["red", "green", "blue"]}, "minItems": 1}}, "required": ["name", "tags"], "additionalProperties": False}
    compiled = weir.GrammarCompiler(builtin).compile_json_schema(schema)
    bitmask = weir.allocate_token_bitmask(1, builtin.vocab_size)
    dice = np.random.default_rng(3)

    def fits(most):
        try:
            return weir.GrammarMatcher(compiled, max_tokens=most)
        except weir.GrammarError:
            return None

    least = next(most for most in range(100) if fits(most))
    for most in (least, least + 1, least + 2, least + 5, 40, 80):
        for _ in range(5):
            matcher = fits(most)
            while not matcher.is_terminated():
                matcher.fill_next_token_bitmask(bitmask)
                choices = allowed(bitmask[0])
                assert choices, (most, matcher.text())
                assert matcher.accept_token(int(dice.choice(choices)))
            assert matcher.step_count <= most + 1
            assert set(json.loads(matcher.text())) == {"name", "tags"}


@pytest.mark.parametrize("items", [
    {"type": "string"}, {"type": "string", "pattern": "^(ab|c)+$"}, {"anyOf": [{"type": "integer", "minimum": 5}, {"type": "string"}]},
    {"type": "object", "properties": {"a": {"enum": [1, 2]}}, "required": ["a"]}])
def test_masks_after_a_limit_are_those_without(builtin, items):
    """What a call found out before it met a limit is kept only if it is whole: wherever the limit is met, the mask is right."""
    schema = {"type": "array", "items": items, "uniqueItems": True}
    text = '[{"a":1}, {"' if items.get("type") == "object" else '["ab' if "type" in items else '[95'

    def answer(call):
        for _ in range(300):
            try:
                return call()
            except weir.LimitExceededError:
                pass
        return None

    def mask(matcher):
        bitmask = weir.allocate_token_bitmask(1, builtin.vocab_size)
        matcher.fill_next_token_bitmask(bitmask)
        return bitmask.tobytes()

    whole = weir.GrammarMatcher(weir.GrammarCompiler(builtin).compile_json_schema(schema))
    assert whole.accept_string(text)
    expected = mask(whole)
    compared = 0
    for call_work in range(40, 600, 3):
        try:
            compiled = weir.GrammarCompiler(builtin, limits=weir.Limits(call_work=call_work)).compile_json_schema(schema)
        except weir.GrammarError:
            continue
        matcher = weir.GrammarMatcher(compiled)
        if answer(lambda: matcher.accept_string(text)):
            found = answer(lambda: mask(matcher))
            assert found in (expected, None), call_work
            compared += found is not None
    assert compared > 20
