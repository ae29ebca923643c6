"""SentencePiece models, trained here and shipped with mistral-common."""

import itertools
import pathlib

import pytest
import sentencepiece
from weir_tokenizer import TEXTS, Weir, check_decoding, check_pieces, check_tokenization, corpus, random_sequences

# For each name, the options that differ from the trainer's defaults.
VARIANTS = {
    "bpe": {"model_type": "bpe", "byte_fallback": True},
    "bpe-llama": {
        "model_type": "bpe",
        "byte_fallback": True,
        "normalization_rule_name": "identity",
        "remove_extra_whitespaces": False,
        "split_digits": True,
    },
    "bpe-no-prefix": {
        "model_type": "bpe",
        "byte_fallback": True,
        "add_dummy_prefix": False,
        "remove_extra_whitespaces": False,
    },
    "bpe-unknown": {"model_type": "bpe", "character_coverage": 0.98},
    "bpe-user-defined": {
        "model_type": "bpe",
        "byte_fallback": True,
        "remove_extra_whitespaces": False,
        "user_defined_symbols": ["<call>", "</call>", "lazy dog", "    ", "你好"],
    },
    "unigram": {"model_type": "unigram", "byte_fallback": True},
    "unigram-unknown": {"model_type": "unigram", "character_coverage": 0.98},
    "unigram-identity": {
        "model_type": "unigram",
        "byte_fallback": True,
        "normalization_rule_name": "identity",
        "remove_extra_whitespaces": False,
    },
    "unigram-casefold": {"model_type": "unigram", "byte_fallback": True, "normalization_rule_name": "nmt_nfkc_cf"},
    "unigram-suffix": {"model_type": "unigram", "byte_fallback": True, "treat_whitespace_as_suffix": True},
    "unigram-user-defined": {
        "model_type": "unigram",
        "byte_fallback": True,
        "user_defined_symbols": ["<call>", "lazy dog", "lazy", "你好"],
    },
    "char": {"model_type": "char", "character_coverage": 0.99, "user_defined_symbols": ["<call>"]},
    "word": {"model_type": "word"},
    "word-suffix": {"model_type": "word", "treat_whitespace_as_suffix": True},
}

EXTRA_TEXTS = ["<call>x</call>", "a <call> b", "the lazy dog, lazy", "x    y", "你好你好", "  <call>"]


@pytest.fixture(scope="module", params=VARIANTS)
def trained(request, tmp_path_factory):
    prefix = tmp_path_factory.mktemp(request.param) / "trained"
    options = {"vocab_size": 1200, "hard_vocab_limit": False, "minloglevel": 2, "max_sentence_length": 100000}
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(corpus()), model_prefix=str(prefix), **options, **VARIANTS[request.param])
    path = pathlib.Path(f"{prefix}.model")
    return Weir(path), sentencepiece.SentencePieceProcessor(model_file=str(path))


def mistral_models():
    import mistral_common

    return sorted((pathlib.Path(mistral_common.__file__).parent / "data").glob("*.model*"))


@pytest.fixture(scope="module", params=mistral_models(), ids=lambda path: path.name)
def shipped(request):
    return Weir(request.param), sentencepiece.SentencePieceProcessor(model_file=str(request.param))




def check_kinds(weir, original):
    assert len(weir.tokens) == original.vocab_size()
    for token in weir.tokens:
        i = token["id"]
        assert token["name"] == original.id_to_piece(i)
        special = original.is_control(i) or original.is_unknown(i)
        want = "byte" if original.is_byte(i) else "special" if special else "unused" if original.is_unused(i) else "normal"
        assert token["kind"] == want, token


def check_all(weir, original):
    check_kinds(weir, original)
    check_pieces(weir)
    check_tokenization(weir, original.encode)
    check_tokenization(weir, original.encode, EXTRA_TEXTS)
    check_tokenization(weir, original.encode, ["\n".join(TEXTS) * 100])
    check_decoding(weir, original.decode, random_sequences(weir, exclude={original.unk_id()}))


# The expected result of Weir.canonical_support for each shipped model. It reveals changes and new files.
CANONICAL = {
    "tokenizer.model.v1": (0, 1, 0),
    "mistral_instruct_tokenizer_240216.model.v2": (0, 1, 0),
    "mistral_instruct_tokenizer_240323.model.v3": (0, 72, None),
    "mistral_instruct_tokenizer_241114.model.v7": (0, 84, None),
    "mistral_instruct_tokenizer_241114.model.v7m1": (0, 84, None),
}


def test_canonical_support():
    assert {path.name: Weir(path).canonical_support() for path in mistral_models()} == CANONICAL


def test_trained(trained):
    check_all(*trained)


def test_shipped(shipped):
    check_all(*shipped)


def test_tokenization_of_all_short_texts(trained):
    """Every text of up to four parts: a space, a letter, a line feed, and characters that NFKC splits or joins."""
    weir, original = trained
    texts = ["".join(parts) for n in range(1, 5) for parts in itertools.product([" ", "a", "\n", "ﬁ", "é"], repeat=n)]
    check_tokenization(weir, original.encode, texts)
