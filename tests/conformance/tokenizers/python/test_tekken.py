"""The tekken files that mistral-common ships."""

import pathlib

import mistral_common
import pytest
from mistral_common.tokens.tokenizers.base import SpecialTokenPolicy
from mistral_common.tokens.tokenizers.tekken import Tekkenizer
from weir_tokenizer import Weir, check_decoding, check_pieces, check_tokenization, random_sequences

FILES = sorted((pathlib.Path(mistral_common.__file__).parent / "data").glob("tekken*.json"))
# The expected result of Weir.canonical_support for each file. It reveals changes and new files.
CANONICAL = {"tekken_240718.json": (0, 33, None), "tekken_240911.json": (0, 33, None)}


@pytest.fixture(scope="module", params=FILES, ids=lambda path: path.name)
def pair(request):
    return Weir(request.param), Tekkenizer.from_file(request.param)


def test_files_are_there():
    assert FILES


def test_vocabulary(pair):
    weir, original = pair
    assert len(weir.tokens) == original.n_words
    special = [token["id"] for token in weir.tokens if token["kind"] != "normal"]
    assert special == list(range(original.num_special_tokens))
    for token in weir.tokens[original.num_special_tokens:]:
        assert token["bytes"] == token["first"] == original.id_to_byte_piece(token["id"], SpecialTokenPolicy.RAISE)
    check_pieces(weir)


def test_tokenization(pair):
    weir, original = pair
    check_tokenization(weir, lambda text: original.encode(text, bos=False, eos=False))


def test_decoding(pair):
    weir, original = pair
    sequences = random_sequences(weir)[:3000]
    check_decoding(weir, lambda ids: original.decode(ids, SpecialTokenPolicy.IGNORE), sequences)


def test_canonical_support():
    assert {path.name: Weir(path).canonical_support() for path in FILES} == CANONICAL
