"""Canonical matchers. Masks and outputs are compared with the tokenizer's tokenizations of whole texts."""

import json
from random import Random

import pytest
from conftest import allowed

import weir

WORDS = ["the", "theory", "theories", "then", "there is", "null", "number", "\u00e9t\u00e9", "12345", "a  b", "a\n\n b"]


@pytest.fixture(scope="module")
def compiler(builtin):
    return weir.GrammarCompiler(builtin)


def next_tokens(texts, info, before):
    """Returns the tokens that follow `before` in the tokenizations of the texts, and None if one of them ends there."""
    found = set()
    for text in texts:
        ids = info.tokenize(text)
        if ids[:len(before)] == before:
            found.add(ids[len(before)] if len(ids) > len(before) else None)
    return found


def mask(matcher, info):
    bitmask = weir.allocate_token_bitmask(1, info.vocab_size)
    matcher.fill_next_token_bitmask(bitmask)
    stops = set(info.stop_token_ids)
    return {None if token in stops else token for token in allowed(bitmask[0])}


def test_masks_are_the_prefixes_of_tokenizations(builtin, compiler):
    compiled = compiler.compile_choice(WORDS)
    matcher = weir.GrammarMatcher(compiled, tokenization="canonical")
    seen = 0
    for word in WORDS:
        matcher.reset()
        for i, token in enumerate([*builtin.tokenize(word), None]):
            before = builtin.tokenize(word)[:i]
            assert mask(matcher, builtin) == next_tokens(WORDS, builtin, before), (word, before)
            seen += 1
            if token is not None:
                assert matcher.accept_token(token)
        assert matcher.is_completed() and matcher.text() == word.encode()
    assert seen > 2 * len(WORDS)
    plain = weir.GrammarMatcher(compiled)
    matcher.reset()
    assert mask(matcher, builtin) < mask(plain, builtin)


def test_other_segmentations_are_refused(builtin, compiler):
    matcher = weir.GrammarMatcher(compiler.compile_choice(["the"]), tokenization="canonical")
    letters = [builtin.tokenize(letter)[0] for letter in "the"]
    assert len(builtin.tokenize("the")) == 1
    assert matcher.accept_token(letters[0]) is False and matcher.step_count == 0
    explanation = matcher.explain(letters[0])
    assert not explanation.allowed and "the tokenizer writes" in explanation.reason
    anything = weir.GrammarMatcher(compiler.compile_regex("[a-z]*"), tokenization="canonical")
    assert anything.accept_token(letters[0]) and not anything.accept_token(letters[1])
    assert anything.explain(letters[1]).reason == "the tokenizer writes `t` `h` as `th`"
    assert weir.GrammarMatcher(compiler.compile_choice(["the"]), tokenization="any").accept_token(letters[0])


def test_walks_by_masks_are_tokenizations(builtin, compiler):
    compiled = compiler.compile_json_schema({
        "type": "object", "required": ["name", "n"], "additionalProperties": False,
        "properties": {"name": {"enum": ["null", "nullable", "\u00e4rger"]}, "n": {"type": ["integer", "null"]}}})
    matcher = weir.GrammarMatcher(compiled, tokenization="canonical")
    for seed in range(40):
        matcher.reset()
        tokens, state = [], seed
        while True:
            choices = sorted(mask(matcher, builtin), key=lambda token: -1 if token is None else token)
            assert choices, builtin.decode(tokens)
            state = (state * 1103515245 + 12345) % 2**31
            token = choices[state // 7 % len(choices)]
            if token is None:
                break
            assert matcher.accept_token(token)
            tokens.append(token)
            assert len(tokens) < 200
        text = builtin.decode(tokens)
        assert builtin.tokenize(text) == tokens
        assert set(json.loads(text)) == {"name", "n"}


def test_rollback_and_forks(builtin, compiler):
    matcher = weir.GrammarMatcher(compiler.compile_choice(WORDS), tokenization="canonical")
    first = mask(matcher, builtin)
    assert matcher.accept_text("theories")
    other = matcher.fork()
    matcher.rollback(matcher.step_count)
    assert mask(matcher, builtin) == first
    assert other.is_completed() and not other.accept_token(builtin.tokenize("!")[0])


def test_texts(builtin, compiler):
    matcher = weir.GrammarMatcher(compiler.compile_choice(WORDS), tokenization="canonical")
    assert matcher.accept_text("theorists") is False and matcher.step_count == 0
    assert matcher.accept_text(b"theories") is True
    assert matcher.step_count == len(builtin.tokenize("theories")) and matcher.is_completed()
    with pytest.raises(ValueError, match="accept_text"):
        matcher.accept_string("s")
    with pytest.raises(TypeError):
        matcher.accept_text(1)
    plain = weir.GrammarMatcher(compiler.compile_choice(WORDS))
    assert plain.accept_text("the") and plain.step_count == 1 and plain.accept_string("ory")


def test_a_text_without_tokens(letters):
    matcher = weir.GrammarMatcher(weir.GrammarCompiler(letters).compile_regex("."))
    with pytest.raises(weir.TokenizerError):
        matcher.accept_text("\u00e9")
    assert matcher.step_count == 0


def test_forced_tokens_are_exact(builtin, compiler):
    matcher = weir.GrammarMatcher(compiler.compile_choice(["theories of everything"]), tokenization="canonical")
    assert matcher.forced_tokens() == builtin.tokenize("theories of everything")
    assert matcher.shortest_completion() == b"theories of everything"


def test_context(builtin, compiler):
    compiled = compiler.compile_choice(["he", "!"])
    t, mark = builtin.tokenize("t")[0], builtin.tokenize("!")[0]
    alone = weir.GrammarMatcher(compiled, tokenization="canonical")
    assert mask(alone, builtin) == {builtin.tokenize("he")[0], mark}
    after = weir.GrammarMatcher(compiled, tokenization="canonical", context=[t], at_text_start=False)
    assert mask(after, builtin) == {mark}
    assert weir.GrammarMatcher(compiled, context=[t, t]).accept_string("he")  # "any" tokenization ignores the context


def test_rules_with_bounds(builtin, compiler):
    compiled = compiler.compile_grammar('root ::= @max_tokens(2: [a-z]+) "."')
    matcher = weir.GrammarMatcher(compiled, tokenization="canonical")
    assert matcher.accept_text("the.") and matcher.is_completed()
    matcher.reset()
    assert len(builtin.tokenize("itepass")) == 3 and not matcher.accept_text("itepass.")


def test_what_is_refused(builtin, letters, compiler):
    compiled = compiler.compile_regex("[a-z]*")
    t, h = builtin.tokenize("t")[0], builtin.tokenize("h")[0]
    with pytest.raises(ValueError, match="`context`, index 1"):
        weir.GrammarMatcher(compiled, tokenization="canonical", context=[t, h])
    with pytest.raises(IndexError):
        weir.GrammarMatcher(compiled, tokenization="canonical", context=[builtin.vocab_size])
    with pytest.raises(ValueError, match='one of "any", "canonical"'):
        weir.GrammarMatcher(compiled, tokenization="Canonical")
    with pytest.raises(TypeError):
        weir.GrammarMatcher(compiled, True, False, "canonical")
    # The tokens `ite` `pass` are two, but the tokenizer writes three.
    bounded = compiler.compile_grammar('root ::= @max_tokens(2: "itepass")')
    with pytest.raises(weir.GrammarError, match="bounds of rules on tokens") as caught:
        weir.GrammarMatcher(bounded, tokenization="canonical")
    assert caught.value.code == "unsatisfiable"
    with pytest.raises(weir.GrammarError, match="after the context") as nothing:
        weir.GrammarMatcher(compiler.compile_choice(["he"]), tokenization="canonical", context=[t])
    assert nothing.value.code == "unsatisfiable"
    with pytest.raises(weir.TokenizerError) as refused:
        weir.GrammarMatcher(weir.GrammarCompiler(letters).compile_regex("a"), tokenization="canonical")
    assert refused.value.code == "unsupported" and str(refused.value).startswith(letters.canonical_support().reason)


def test_no_matcher_without_a_text():
    vocab = {piece: token for token, piece in enumerate(["\u2581", "a", *(f"<0x{byte:02X}>" for byte in range(256))])}
    replace = {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"}
    back = {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "}
    info = weir.TokenizerInfo.from_bytes(json.dumps({
        "added_tokens": [], "normalizer": replace, "pre_tokenizer": None,
        "decoder": {"type": "Sequence", "decoders": [back, {"type": "ByteFallback"}, {"type": "Fuse"}]},
        "model": {"type": "BPE", "vocab": vocab, "merges": [], "byte_fallback": True},
    }).encode())
    compiler = weir.GrammarCompiler(info)
    symbol = compiler.compile_choice(["a\u2581a"])  # no tokenization decodes to the symbol
    assert weir.GrammarMatcher(symbol).accept_string("a\u2581a")
    for more in ({}, {"at_text_start": False}, {"context": [1]}):
        with pytest.raises(weir.GrammarError, match="no text of the (language|grammar)") as nothing:
            weir.GrammarMatcher(symbol, tokenization="canonical", **more)
        assert nothing.value.code == "unsatisfiable"
    assert weir.GrammarMatcher(compiler.compile_choice(["a\u2581a", "a a"]), tokenization="canonical").forced_tokens() \
        == [1, 0, 1]


def test_no_matcher_for_a_space_that_is_not_given_back():
    tokens = ["\u2581", "a", "\u2581a"]
    info = weir.TokenizerInfo.from_bytes(json.dumps({
        "added_tokens": [], "normalizer": None,
        "pre_tokenizer": {"type": "Metaspace", "prepend_scheme": "first"},
        "decoder": {"type": "Metaspace", "prepend_scheme": "first"},
        "model": {"type": "BPE", "vocab": {piece: token for token, piece in enumerate(tokens)}, "merges": ["\u2581 a"]},
    }).encode())
    compiler = weir.GrammarCompiler(info)
    assert info.decode(info.tokenize(" a")) == b"a"  # no space is put in front of a text that has one
    with pytest.raises(weir.GrammarError, match="no text of the (language|grammar)"):
        weir.GrammarMatcher(compiler.compile_choice([" a"]), tokenization="canonical")
    either = weir.GrammarMatcher(compiler.compile_choice([" a", "a"]), tokenization="canonical")
    assert either.forced_tokens() == info.tokenize("a")
    assert weir.GrammarMatcher(compiler.compile_choice([" a"]), tokenization="canonical", at_text_start=False)


def test_support(builtin, letters):
    yes, no = builtin.canonical_support(), letters.canonical_support()
    assert yes and yes.supported and yes.reason == "" and repr(yes) == "<weir.CanonicalSupport: yes>"
    assert not no and not no.supported and "longest match" in no.reason and "longest match" in repr(no)
    bytes_and_more = weir.TokenizerInfo([bytes([byte]) for byte in range(256)] + ["th", "the"])
    assert bytes_and_more.canonical_support()
    unigram = weir.TokenizerInfo.from_bytes(json.dumps({
        "version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": None, "post_processor": None,
        "decoder": {"type": "ByteLevel"},
        "model": {"type": "Unigram", "unk_id": None, "vocab": [["a", -1.0], ["b", -1.5], ["ab", -2.0]]},
    }).encode())
    assert "Unigram" in unigram.canonical_support().reason


def test_healing(builtin, compiler, letters):
    """The tokens that remain are a prefix of the tokenization of every text that begins with the prompt."""
    texts = ["The answer is ", "The answer is", "The ans", "a\n", "", "\u00e9t", "12"]
    endings = ["yes", " no", "!", "wer", "\n\n", "1", "\u00e9", "", "\n x", "s"]
    for text in texts:
        prompt = builtin.tokenize(text)
        healing = builtin.heal(prompt)
        kept = prompt[:len(prompt) - healing.tokens]
        assert builtin.decode(kept) + healing.bytes == text.encode()
        assert all(builtin.tokenize(text + ending)[:len(kept)] == kept for ending in endings), text
    blank = builtin.heal(builtin.tokenize("The answer is "))
    assert (blank.tokens, blank.bytes, repr(blank)) == (1, b" ", "<weir.TokenHealing: 1 tokens, b' '>")

    prompt = builtin.tokenize("The answer is ")
    answers = weir.Grammar.concat(weir.Grammar.from_choice([" "]), weir.Grammar.from_choice(["yes", "no"]))
    matcher = weir.GrammarMatcher(compiler.compile(answers), tokenization="canonical", context=prompt[:-1])
    assert mask(matcher, builtin) == {builtin.tokenize("is" + answer)[1] for answer in (" yes", " no")}

    # Characters that are split over tokens are taken back whole, so a grammar can begin with them.
    prompt = builtin.tokenize("\u65e5\u672c")
    healing = builtin.heal(prompt)
    assert healing.bytes.decode() == "\u672c"
    begun = weir.Grammar.concat(weir.Grammar.from_choice([healing.bytes.decode()]), weir.Grammar.from_choice(["!"]))
    matcher = weir.GrammarMatcher(compiler.compile(begun), tokenization="canonical",
                                  context=prompt[:len(prompt) - healing.tokens])
    assert matcher.accept_text("\u672c!") and matcher.is_completed()

    t, h = builtin.tokenize("t")[0], builtin.tokenize("h")[0]
    with pytest.raises(ValueError, match="index 1"):
        builtin.heal([t, h])
    with pytest.raises(IndexError):
        builtin.heal([builtin.vocab_size])
    with pytest.raises(weir.TokenizerError):
        letters.heal([])


OBJECTS = [
    {"type": "object", "minProperties": 3, "additionalProperties": {"type": "integer"}},
    {"type": "object", "minProperties": 4, "propertyNames": {"pattern": "^[a-c]{1,2}$"}, "additionalProperties": {"enum": [1]}},
    {"type": "object", "minProperties": 3, "required": ["zzz"]},
    {"type": "object", "additionalProperties": {"type": "object", "minProperties": 2, "additionalProperties": {"type": "boolean"}}},
]
BEGUN = ['{"a": 1, "', '{"a": 1, "a', '{"": 1, "', '{"": 1', '{"a": 1, "aa": 1, "a', '{"ab": 1, "ab', '{"ab ', '{"a ": 1, "a',
         '{"a": 1, "\\u0061', '{"": 1, "a": 1', '{"x": {"": true, "', '{"x": {"": true', '{"1": 1, "1']


@pytest.mark.parametrize("schema", OBJECTS)
def test_completions_do_not_repeat_keys(builtin, compiler, schema):
    """Decisions that depend on the text so far, such as used keys, also hold for the completion."""
    matcher = weir.GrammarMatcher(compiler.compile_json_schema(schema), tokenization="canonical")

    def distinct(members):
        assert len({name for name, _ in members}) == len(members)
        return dict(members)

    completed = 0
    for begun in BEGUN:
        matcher.reset()
        if not matcher.accept_text(begun):
            continue  # the schema does not allow it
        tokens = builtin.tokenize(begun)
        text = begun.encode() + matcher.shortest_completion()
        value = json.loads(text, object_pairs_hook=distinct)
        assert len(value) >= schema.get("minProperties", 0), text
        whole = builtin.tokenize(text)
        assert whole[:len(tokens)] == tokens
        assert all(matcher.accept_token(token) for token in whole[len(tokens):]) and matcher.is_completed()
        completed += 1
    assert completed >= 3


def test_completions_where_the_shortest_changes_tokens(builtin, compiler):
    """The tokenizer does not write a token for a blank and then one for a quote: it writes both as one token."""
    matcher = weir.GrammarMatcher(compiler.compile_json_schema({"type": "string"}), tokenization="canonical")
    found = 0
    for word in ["a", "the", "theory of", "x1", "\u00e9t\u00e9", "a  b"]:
        for end in [" ", "  ", "\\", ".", "("]:
            tokens = builtin.tokenize(f'"{word}{end}')
            matcher.reset()
            if not all(matcher.accept_token(token) for token in tokens):
                continue
            completion = matcher.shortest_completion()
            text = f'"{word}{end}'.encode() + completion
            json.loads(text)
            assert builtin.tokenize(text)[:len(tokens)] == tokens
            found += builtin.tokenize(f'"{word}{end}"')[:len(tokens)] != tokens
    assert found >= 6


@pytest.mark.parametrize("rest", ["!", "e"])
def test_a_token_of_a_set_may_begin_text_too(builtin, compiler, rest):
    [th] = builtin.tokenize("th")
    assert len(builtin.tokenize("the")) == 1
    compiled = compiler.compile_grammar(f'root ::= "the" | word | <[{th}]> "{rest}"\nword ::= [0-9A-Z]+')
    matcher = weir.GrammarMatcher(compiled, tokenization="canonical")
    may_come = mask(matcher, builtin)
    for token in range(builtin.vocab_size):
        assert matcher.fork().accept_token(token) == (token in may_come), builtin.decode([token])


def random_tokenizer(tokenizers, random):
    """Returns a small BPE with a random layout and random added tokens."""
    normalizers, decoders, pre_tokenizers = tokenizers.normalizers, tokenizers.decoders, tokenizers.pre_tokenizers
    layout = random.choice(["llama", "metaspace", "replace", "byte level", "nfc"])
    letters = {"byte level": "ab\u0120", "nfc": "ae\u00e9 "}.get(layout, "ab\u2581")
    tokens, merges = list(letters), []
    for _ in range(random.randint(0, 6)):
        pair = random.choice(tokens), random.choice(tokens)
        if "".join(pair) not in tokens and len("".join(pair)) < 5:
            tokens.append("".join(pair))
            merges.append(pair)
    bytes_by_name = {"byte level": sorted(pre_tokenizers.ByteLevel.alphabet()), "nfc": []}.get(
        layout, [f"<0x{byte:02X}>" for byte in range(256)])
    vocab = {token: place for place, token in enumerate(dict.fromkeys([*tokens, *bytes_by_name]))}
    model = tokenizers.models.BPE(vocab=vocab, merges=merges, byte_fallback=letters[-1] == "\u2581")
    tokenizer = tokenizers.Tokenizer(model)
    scheme = random.choice(["first", "always", "never"])
    replace = normalizers.Replace(" ", "\u2581")
    back = [decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse()]
    if layout == "llama":
        tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("\u2581"), replace])
        tokenizer.decoder = decoders.Sequence([*back, decoders.Strip(" ", 1, 0)])
    elif layout == "replace":
        tokenizer.normalizer, tokenizer.decoder = replace, decoders.Sequence(back)
    elif layout == "metaspace":
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=scheme, split=random.random() < .5)
        tokenizer.decoder = decoders.Sequence([decoders.Metaspace(prepend_scheme=scheme), *back[1:]])
    elif layout == "byte level":
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=random.random() < .3,
                                                           use_regex=random.random() < .5)
        tokenizer.decoder = decoders.ByteLevel()
    else:
        tokenizer.normalizer, tokenizer.decoder = normalizers.NFC(), decoders.Fuse()
    for _ in range(random.choice([0, 1, 2])):
        content = "".join(random.choices(["a", "b", " ", "\u2581", "e\u0301", "\u0120"], k=random.randint(1, 3)))
        flags = {flag: True for flag in ("lstrip", "rstrip", "single_word", "special") if random.random() < .06}
        tokenizer.add_tokens([tokenizers.AddedToken(content, normalized=random.random() < .5, **flags)])
    return tokenizer


@pytest.mark.parametrize("seed", range(120))
def test_added_tokens_and_spaces_are_as_in_the_library(seed):
    tokenizers = pytest.importorskip("tokenizers")
    random = Random(seed)
    tokenizer = random_tokenizer(tokenizers, random)
    info = weir.TokenizerInfo.from_huggingface(tokenizer)
    of_text = [token for token in range(info.vocab_size) if info.token_kind(token) in ("normal", "byte")]
    for _ in range(10):
        tokens = random.choices(of_text, k=random.randint(1, 4))
        decoded = tokenizer.decode(tokens, skip_special_tokens=False)
        assert "\ufffd" in decoded or info.decode(tokens).decode() == decoded
    if not info.canonical_support():
        return
    compiler = weir.GrammarCompiler(info)
    for _ in range(10):
        text = "".join(random.choices(["a", "b", " ", "e\u0301", "\u00e9", "x"], k=random.randint(1, 6)))
        tokens = tokenizer.encode(text, add_special_tokens=False).ids
        if any(info.token_kind(token) == "special" for token in tokens):
            continue  # weir reads the names of special tokens as text
        compiled = compiler.compile_choice([text])
        if info.decode(tokens) != text.encode():  # it is no text that the tokenizer gives back
            with pytest.raises(weir.GrammarError, match="no text of the (language|grammar)"):
                weir.GrammarMatcher(compiled, tokenization="canonical")
            continue
        matcher = weir.GrammarMatcher(compiled, tokenization="canonical")
        for token in tokens:
            assert mask(matcher, info) == {token} and matcher.accept_token(token)
        assert matcher.is_completed()
