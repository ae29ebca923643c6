"""tokenizer.json files of each kind, trained here with Hugging Face's tokenizers."""

import json

import pytest
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from weir_tokenizer import Weir, check_decoding, check_pieces, check_tokenization, corpus, random_sequences

SPECIALS = ["<unk>", "<s>", "</s>", "[CLS]", "[SEP]"]
SIZE = 1500
LLAMA3_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
EXTRA_TEXTS = ["a <tool> b", "<tool>x</tool>", "  <tool>  ", "x<tool>y", "wordy word words"]


def with_bytes(tokenizer, score=None):
    """Adds the tokens <0x00> to <0xFF> to a trained model and enables byte fallback."""
    file = json.loads(tokenizer.to_str())
    model = file["model"]
    for byte in range(256):
        name = f"<0x{byte:02X}>"
        if score is None:
            model["vocab"][name] = len(model["vocab"])
        else:
            model["vocab"].append([name, score])
    model["byte_fallback"] = True
    return Tokenizer.from_str(json.dumps(file))


def byte_level(pre_tokenizer, **model):
    tokenizer = Tokenizer(models.BPE(**model))
    tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(
        corpus(), trainers.BpeTrainer(vocab_size=SIZE, special_tokens=SPECIALS, initial_alphabet=alphabet, show_progress=False))
    return tokenizer


def gpt2():
    return byte_level(pre_tokenizers.ByteLevel(add_prefix_space=False))


def gpt2_with_prefix_space():
    return byte_level(pre_tokenizers.ByteLevel(add_prefix_space=True))


def llama3():
    split = pre_tokenizers.Split(Regex(LLAMA3_PATTERN), "isolated")
    rest = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    return byte_level(pre_tokenizers.Sequence([split, rest]), ignore_merges=True)


def qwen():
    tokenizer = llama3()
    tokenizer.normalizer = normalizers.NFC()
    return tokenizer


def starcoder():
    return byte_level(
        pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]))


def with_added_tokens():
    tokenizer = gpt2()
    tokenizer.add_tokens(["<tool>", "</tool>", AddedToken("word", single_word=True), AddedToken(" pad ", lstrip=True)])
    return tokenizer


def llama2():
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    trainer = trainers.BpeTrainer(vocab_size=SIZE, special_tokens=SPECIALS, show_progress=False, limit_alphabet=150, max_token_length=16)
    tokenizer.train_from_iterator(corpus(), trainer)
    return with_bytes(tokenizer)


def gemma():
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True))
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    tokenizer.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    trainer = trainers.BpeTrainer(vocab_size=SIZE, special_tokens=SPECIALS, show_progress=False, limit_alphabet=150, max_token_length=16)
    tokenizer.train_from_iterator(corpus(), trainer)
    return with_bytes(tokenizer)


def metaspace_bpe(scheme):
    def make():
        tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True))
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=scheme)
        tokenizer.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Metaspace(prepend_scheme=scheme)])
        trainer = trainers.BpeTrainer(vocab_size=SIZE, special_tokens=SPECIALS, show_progress=False, limit_alphabet=150)
        tokenizer.train_from_iterator(corpus(), trainer)
        return with_bytes(tokenizer)

    return make


def unigram_corpus():
    """Every fourth line, because training a unigram model is slow. Lines with the name of a special token are left out: the
    trainer would learn the name as a piece, and the library itself has two ids for it then."""
    return [line for line in corpus() if not any(name in line for name in SPECIALS)][::4]


def unigram():
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Metaspace()])
    trainer = trainers.UnigramTrainer(vocab_size=SIZE, special_tokens=SPECIALS, unk_token="<unk>", show_progress=False)
    tokenizer.train_from_iterator(unigram_corpus(), trainer)
    return with_bytes(tokenizer, score=-1e9)


def unigram_unknown():
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=SIZE, special_tokens=SPECIALS, unk_token="<unk>", show_progress=False)
    tokenizer.train_from_iterator([line for line in unigram_corpus() if line.isascii()], trainer)
    return tokenizer


def wordpiece(cleanup=True, **normalizer):
    tokenizer = Tokenizer(models.WordPiece(unk_token="<unk>"))
    tokenizer.normalizer = normalizers.BertNormalizer(**normalizer)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece(cleanup=cleanup)
    trainer = trainers.WordPieceTrainer(vocab_size=SIZE, special_tokens=SPECIALS, show_progress=False, limit_alphabet=200)
    tokenizer.train_from_iterator(corpus(), trainer)
    return tokenizer


def bert():
    return wordpiece()


def bert_cased():
    return wordpiece(cleanup=False, lowercase=False)


MAKERS = {
    "gpt2": gpt2,
    "gpt2-prefix-space": gpt2_with_prefix_space,
    "llama3": llama3,
    "qwen": qwen,
    "starcoder": starcoder,
    "added-tokens": with_added_tokens,
    "llama2": llama2,
    "gemma": gemma,
    "metaspace-always": metaspace_bpe("always"),
    "metaspace-first": metaspace_bpe("first"),
    "metaspace-never": metaspace_bpe("never"),
    "unigram": unigram,
    "unigram-unknown": unigram_unknown,
    "bert": bert,
    "bert-cased": bert_cased,
}


@pytest.fixture(scope="module", params=MAKERS)
def pair(request, tmp_path_factory):
    tokenizer = MAKERS[request.param]()
    path = tmp_path_factory.mktemp(request.param) / "tokenizer.json"
    tokenizer.save(str(path))
    return Weir(path), tokenizer


def test_vocabulary(pair):
    weir, original = pair
    assert len(weir.tokens) == original.get_vocab_size()
    assert [token["name"] for token in weir.tokens] == [original.id_to_token(i) for i in range(len(weir.tokens))]
    assert {token["name"] for token in weir.tokens if token["kind"] == "special"} == set(SPECIALS)
    check_pieces(weir)


def test_tokenization(pair):
    weir, original = pair
    check_tokenization(weir, lambda text: original.encode(text, add_special_tokens=False).ids)
    check_tokenization(weir, lambda text: original.encode(text, add_special_tokens=False).ids, EXTRA_TEXTS)


def test_decoding(pair):
    weir, original = pair
    check_decoding(weir, lambda ids: original.decode(ids, skip_special_tokens=True), random_sequences(weir))
