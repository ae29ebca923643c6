"""Real vocabularies in GGUF files. Each is read a second time here and rebuilt in the model's original library.

The data is not part of the repository; see gguf_conformance_test.cc.
"""

import os
import pathlib
import struct

import pytest
import sentencepiece
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers
from weir_tokenizer import REPOSITORY, Weir, check_decoding, check_pieces, check_tokenization, random_sequences

DATA = pathlib.Path(os.environ.get("WEIR_SHARED_DATA", REPOSITORY.parent / "shared" / "data")) / "tokenizers" / "gguf"
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
SPACE = "\u2581"

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
LLAMA3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN2 = LLAMA3.replace("{1,3}", "")


def read_metadata(path):
    """Returns all key-value pairs of a GGUF file."""
    data = path.read_bytes()
    scalars = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
    at = 24

    def scalar(code):
        nonlocal at
        value, = struct.unpack_from("<" + code, data, at)
        at += struct.calcsize("<" + code)
        return value

    def value(kind):
        nonlocal at
        if kind == 8:
            length = scalar("Q")
            at += length
            return data[at - length:at].decode("utf-8")
        if kind == 9:
            element, count = scalar("I"), scalar("Q")
            return [value(element) for _ in range(count)]
        return scalar(scalars[kind])

    pairs = {}
    for _ in range(struct.unpack_from("<Q", data, 16)[0]):
        key = value(8)
        pairs[key.removeprefix("tokenizer.ggml.")] = value(scalar("I"))
    return pairs


def merge_bpe(file, **options):
    merges = []
    for merge in file["merges"]:
        cut = merge.index(" ", 1)
        merges.append((merge[:cut], merge[cut + 1:]))
    tokenizer = Tokenizer(models.BPE({text: i for i, text in enumerate(file["tokens"])}, merges, **options))
    tokenizer.add_tokens([text for text, kind in zip(file["tokens"], file["token_type"]) if kind == USER_DEFINED])
    return tokenizer


def byte_level(*patterns, **options):
    def make(file):
        tokenizer = merge_bpe(file, **options)
        splits = [pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in patterns]
        rest = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([*splits, rest])
        tokenizer.decoder = decoders.ByteLevel()
        return hugging_face(tokenizer)

    return make


def gemma(file):
    tokenizer = merge_bpe(file, unk_token="<unk>", byte_fallback=True, fuse_unk=True)
    tokenizer.normalizer = normalizers.Replace(" ", SPACE)
    tokenizer.decoder = decoders.Sequence([decoders.Replace(SPACE, " "), decoders.ByteFallback(), decoders.Fuse()])
    return hugging_face(tokenizer)


def bert(file):
    special = {i for i, kind in enumerate(file["token_type"]) if kind == CONTROL}
    names = [
        text if i in special else text[1:] if text.startswith(SPACE) else "##" + text for i, text in enumerate(file["tokens"])
    ]
    tokenizer = Tokenizer(models.WordPiece({text: i for i, text in enumerate(names)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    encode, decode = hugging_face(tokenizer)
    # A text that begins inside a word gets the mark "##" there; a GGUF file has no such mark.
    return encode, lambda ids: decode(ids).removeprefix("##")


def hugging_face(tokenizer):
    return lambda text: tokenizer.encode(text, add_special_tokens=False).ids, lambda ids: tokenizer.decode(ids)


def varint(value):
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def sentencepiece_bpe(file):
    """Writes the vocabulary as a SentencePiece model: BPE with byte fallback, one dummy prefix, no other rules."""
    model = b""
    unknown = file["unknown_token_id"]
    for i, (text, score, kind) in enumerate(zip(file["tokens"], file["scores"], file["token_type"])):
        # A SentencePiece model has exactly one unknown piece, so the other unknown tokens become control pieces.
        kind = UNKNOWN if i == unknown else CONTROL if kind == UNKNOWN else kind
        raw = text.encode("utf-8")
        piece = b"\x0a" + varint(len(raw)) + raw + b"\x15" + struct.pack("<f", score) + b"\x18" + varint(kind)
        model += b"\x0a" + varint(len(piece)) + piece
    trainer = b"\x18\x02" + varint(35 << 3) + b"\x01"
    rules = b"\x18\x01\x20\x00\x28\x01"
    model += b"\x12" + varint(len(trainer)) + trainer + b"\x1a" + varint(len(rules)) + rules
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    space = file["tokens"].index("<0x20>")
    # llama.cpp also drops a first space that is a byte token; SentencePiece drops only one that is written "\u2581".
    return processor.encode, lambda ids: processor.decode(ids)[1 if ids[0] == space else 0:]


MAKERS = {
    "llama-spm": sentencepiece_bpe,
    "phi-3": sentencepiece_bpe,
    "llama-bpe": byte_level(LLAMA3, ignore_merges=True),
    "qwen2": byte_level(QWEN2),
    "gpt-2": byte_level(GPT2),
    "gemma-4": gemma,
    "bert-bge": bert,
}


@pytest.fixture(scope="module", params=MAKERS)
def pair(request):
    path = DATA / f"ggml-vocab-{request.param}.gguf"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    return Weir(path), MAKERS[request.param](read_metadata(path))


def test_tokenization(pair):
    weir, (encode, _) = pair
    check_tokenization(weir, encode)


def test_decoding(pair):
    weir, (_, decode) = pair
    check_pieces(weir)
    sequences = random_sequences(weir, specials=False)
    # All random sequences, and every 97th of the sequences that cover each token.
    check_decoding(weir, decode, sequences[:400] + sequences[400::97])
