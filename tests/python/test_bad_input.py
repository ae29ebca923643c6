"""A wrong argument raises an exception that describes it, and changes nothing."""

import gc

import numpy as np
import pytest

import weir
from conftest import END


def never_made(kind):
    return kind.__new__(kind)


@pytest.mark.filterwarnings("ignore:nanobind")
@pytest.mark.parametrize("use", [
    lambda compiler: never_made(weir.GrammarMatcher).is_completed(),
    lambda compiler: never_made(weir.GrammarMatcher).accept_token(0),
    lambda compiler: never_made(weir.TokenizerInfo).vocab_size,
    lambda compiler: never_made(weir.GrammarCompiler).compile_regex("a"),
    lambda compiler: never_made(weir.BatchGrammarMatcher).accept_tokens([], []),
    lambda compiler: weir.GrammarMatcher(never_made(weir.CompiledGrammar)),
    lambda compiler: weir.GrammarCompiler(never_made(weir.TokenizerInfo)),
    lambda compiler: weir.Grammar.concat(never_made(weir.Grammar)),
    lambda compiler: compiler.compile(never_made(weir.Grammar)),
    lambda compiler: weir.BatchGrammarMatcher(1).accept_tokens([never_made(weir.GrammarMatcher)], [0]),
])
def test_objects_without_their_inside(letters, use):
    with pytest.raises(TypeError):
        use(weir.GrammarCompiler(letters))


@pytest.mark.parametrize("kind", [weir.Grammar, weir.CompiledGrammar, weir.Capture, weir.Expectation])
def test_objects_that_only_weir_makes(kind):
    with pytest.raises(TypeError, match="no constructor"):
        kind()


@pytest.mark.parametrize("token_id", [0.0, None, "0", 2**80, [0]])
def test_tokens_that_are_none(matcher, token_id):
    m = matcher('root ::= "a"')
    for call in (m.accept_token, m.is_token_allowed, m.explain):
        with pytest.raises(TypeError):
            call(token_id)
    assert m.accept_token(np.int64(0))


@pytest.mark.parametrize("make, message", [
    (lambda: np.zeros((1, 1), ">i4"), ">i4"),
    (lambda: np.zeros((1, 1), [("a", "i4")]), "<i4"),
    (lambda: np.zeros((1, 1), object), "object"),
])
def test_elements_that_are_no_words(matcher, make, message):
    with pytest.raises(TypeError, match=message):
        matcher('root ::= "a"').fill_next_token_bitmask(make())


def test_layouts_that_are_not_in_order(matcher):
    for bitmask in (np.zeros((3, 1), np.int32)[::-1], np.zeros((1, 3), np.int32)[:, 1:2][:, ::-1][:0]):
        with pytest.raises((ValueError, IndexError)):
            matcher('root ::= "a"').fill_next_token_bitmask(bitmask)
    for logits, bitmask, raised in (
            (np.zeros((1, 32), ">f4"), np.zeros((1, 1), np.int32), TypeError),
            (np.zeros((1, 1, 32), np.float32), np.zeros((1, 1), np.int32), ValueError),
            (np.broadcast_to(np.zeros((1, 32), np.float32), (4, 32)), np.zeros((4, 1), np.int32), ValueError)):
        with pytest.raises(raised, match="`logits`"):
            weir.apply_token_bitmask_inplace(logits, bitmask)


def test_tensors_that_cannot_be_written():
    torch = pytest.importorskip("torch")
    bitmask = torch.zeros((1, 1), dtype=torch.int32)
    for logits, raised, message in (
            (torch.zeros((1, 32), requires_grad=True), ValueError, "gradient"),
            (torch.zeros((1, 32), device="meta"), TypeError, "CPU's memory"),
            (torch.zeros((1, 32)).expand(1, 32).to_sparse(), ValueError, "contiguous")):
        with pytest.raises(raised, match=message):
            weir.apply_token_bitmask_inplace(logits, bitmask)
    with pytest.raises(ValueError, match="contiguous"):
        weir.apply_token_bitmask_inplace(torch.zeros((1, 32)).expand(4, 32), torch.zeros((4, 1), dtype=torch.int32))


def test_a_batch_of_two_vocabularies(matcher):
    wide = weir.GrammarMatcher(weir.GrammarCompiler(weir.TokenizerInfo(["a"] * 40)).compile_regex("a*"))
    narrow = matcher('root ::= "a"')
    for words, tokens in ((1, 40), (2, 7)):
        bitmask = np.full((2, words), 77, np.int32)
        with pytest.raises(ValueError, match=f"for the {tokens} tokens"):
            weir.BatchGrammarMatcher(2).fill_next_token_bitmasks([narrow, wide], bitmask)
        assert (bitmask == 77).all()
    with pytest.raises(ValueError, match="vocabularies of different sizes"):
        weir.BatchGrammarMatcher(2).next_token_bitmasks([narrow, None, wide])


def test_after_the_end(matcher):
    m = matcher('root ::= "a"')
    assert m.accept_token(0) and m.accept_token(END)
    bitmask = np.full((1, 1), 77, np.int32)
    for call in (lambda: m.accept_token(0), lambda: m.accept_token(END), lambda: m.accept_string("a"),
                 lambda: m.fill_next_token_bitmask(bitmask)):
        with pytest.raises(weir.TerminatedError, match="rollback and reset"):
            call()
    assert not m.is_token_allowed(0) and m.forced_tokens() == [] and m.next_token_mask_id() is None
    assert m.fill_draft_tree_bitmasks([0], [-1], bitmask) == [False]
    m.rollback(1)
    assert m.is_completed() and not m.is_terminated()


@pytest.mark.parametrize("make, raised, message", [
    (lambda: weir.TokenizerInfo(["a"], padded_vocab_size=-1), ValueError, "from 0 to 4294967295"),
    (lambda: weir.TokenizerInfo(["a"], padded_vocab_size=2**40), ValueError, "from 0 to 4294967295"),
    (lambda: weir.TokenizerInfo(["a"], stop_token_ids=[-1]), IndexError, "`stop_token_ids` has the id -1"),
    (lambda: weir.TokenizerInfo(["a"], special_token_ids=[3]), weir.TokenizerError, "token 3 is out of range"),
    (lambda: weir.TokenizerInfo([]), weir.TokenizerError, "no tokens"),
    (lambda: weir.TokenizerInfo.deserialize(b"junk"), weir.TokenizerError, "magic"),
    (lambda: weir.allocate_token_bitmask(1, -1), ValueError, "negative"),
    (lambda: weir.Limits(nesting=1.5), ValueError, "nesting"),
])
def test_numbers_that_are_no_counts(make, raised, message):
    with pytest.raises(raised, match=message):
        make()


@pytest.mark.parametrize("call", [
    lambda compiler: compiler.compile_choice("abc"), lambda compiler: compiler.compile_choice([b"a"]),
    lambda compiler: compiler.compile_substring(b"a"), lambda compiler: compiler.compile_regex(b"a"),
    lambda compiler: compiler.compile_json_schema([]), lambda compiler: compiler.compile("a"),
    lambda compiler: compiler.compile_json_schema("{}", order=None),
])
def test_texts_that_are_none(letters, call):
    with pytest.raises((TypeError, ValueError)):
        call(weir.GrammarCompiler(letters))


def test_results_live_on_without_what_they_came_from(letters):
    m = weir.GrammarMatcher(weir.GrammarCompiler(letters).compile_grammar('root ::= @capture(x: "a") "b"'))
    assert m.accept_string("a")
    captures, expected, parts, fork = m.captures(), m.expected(), m.shortest_completion_parts(), m.fork()
    grammar = weir.Grammar.concat(weir.Grammar.from_regex("a"), weir.Grammar.from_regex("b"))
    del m
    gc.collect()
    assert captures[0].text == b"a" and expected.bytes == b"b" and parts == [b"b"] and fork.accept_string("b")
    assert weir.GrammarMatcher(weir.GrammarCompiler(letters).compile(grammar)).accept_string("ab")


@pytest.mark.parametrize("use, message", [
    (lambda compiler: compiler.compile_json_schema({}, profil="serving"), "no option `profil`; did you mean `profile`"),
    (lambda compiler: compiler.compile_json_schema({}, xyz=1), "no option `xyz`$"),
])
def test_options_that_do_not_exist(letters, use, message):
    with pytest.raises(TypeError, match=message):
        use(weir.GrammarCompiler(letters))


@pytest.mark.parametrize("text, hint", [
    ("schema.json", "the name of a file"),
    ("{'type': 'string'}", "double quotes"),
    ('{"enum": [True]}', "`true`, `false` and `null`"),
])
def test_texts_that_are_not_json(letters, text, hint):
    with pytest.raises(weir.GrammarError, match=hint):
        weir.GrammarCompiler(letters).compile_json_schema(text)


def test_bitmasks_with_a_word_for_each_token():
    with pytest.raises(ValueError, match="`bitmask` has 64 words a row, of 32 tokens each; the 64 columns .* need 2"):
        weir.apply_token_bitmask_inplace(np.zeros((1, 64), np.float32), np.zeros((1, 64), np.int32))


def test_folders_are_not_tokenizers(tmp_path):
    with pytest.raises(weir.TokenizerError, match="is a folder"):
        weir.TokenizerInfo.from_file(tmp_path)


def test_what_objects_show(letters, matcher):
    m = matcher('root ::= "a"')
    assert repr(m.expected()) == "<weir.Expectation: terminals [\"a\"], bytes b'a'>"
    assert repr(weir.GrammarCompiler(letters).compile_regex("a")) == (
        f"<weir.CompiledGrammar: compile_regex, for {letters.vocab_size} tokens>")
