#!/usr/bin/env python3
"""Writes the tokenizer files of tests/fuzz/corpus/tokenizer: the smallest of each kind that weir reads.

    tests/fuzz/make_tokenizer_corpus.py
"""

import base64
import json
import pathlib
import struct

OUT = pathlib.Path(__file__).parent / "corpus" / "tokenizer"


def gguf():
    def text(value):
        data = value.encode()
        return struct.pack("<Q", len(data)) + data

    def pair(key, kind, payload):
        return text(key) + struct.pack("<I", kind) + payload

    tokens = ["<unk>", "<s>", "</s>", "<0x0A>", "\u2581", "a", "b", "\u2581a", "ab"]
    kinds = [2, 3, 3, 6, 1, 1, 1, 1, 1]
    scores = [0.0, 0.0, 0.0, 0.0, -1.0, -2.0, -3.0, -4.0, -5.0]
    pairs = [
        pair("general.architecture", 8, text("llama")),
        pair("tokenizer.ggml.model", 8, text("llama")),
        pair("tokenizer.ggml.tokens", 9, struct.pack("<IQ", 8, len(tokens)) + b"".join(map(text, tokens))),
        pair("tokenizer.ggml.scores", 9, struct.pack("<IQ", 6, len(scores)) + struct.pack(f"<{len(scores)}f", *scores)),
        pair("tokenizer.ggml.token_type", 9,
             struct.pack("<IQ", 5, len(kinds)) + struct.pack(f"<{len(kinds)}i", *kinds)),
        pair("tokenizer.ggml.eos_token_id", 4, struct.pack("<I", 2)),
    ]
    return b"GGUF" + struct.pack("<IQQ", 3, 0, len(pairs)) + b"".join(pairs)


def protobuf(*fields):
    """Fields as (number, value): bytes are written with their length, integers as varints, floats as four bytes."""
    def varint(value):
        out = b""
        while value >= 0x80:
            out += bytes([value & 0x7F | 0x80])
            value >>= 7
        return out + bytes([value])

    out = b""
    for number, value in fields:
        if isinstance(value, bytes):
            out += varint(number << 3 | 2) + varint(len(value)) + value
        elif isinstance(value, float):
            out += varint(number << 3 | 5) + struct.pack("<f", value)
        else:
            out += varint(number << 3) + varint(value)
    return out


def sentencepiece(kind):
    pieces = [("<unk>", 0.0, 2), ("<s>", 0.0, 3), ("</s>", 0.0, 3), ("<0x0A>", 0.0, 6), ("\u2581", -1.0, 1),
              ("a", -2.0, 1), ("b", -3.0, 1), ("\u2581a", -4.0, 1), ("ab", -5.0, 1)]
    model = [(1, protobuf((1, piece.encode()), (2, score), (3, of))) for piece, score, of in pieces]
    return protobuf(*model, (2, protobuf((3, kind))), (3, protobuf((1, b"identity"), (3, 1))))


def tokenizer_json():
    vocabulary = {"a": 0, "b": 1, "ab": 2, "\u0120": 3, "\u0120a": 4, "\u010a": 5}
    return json.dumps({
        "version": "1.0",
        "added_tokens": [{"id": 6, "content": "<|end|>", "special": True}],
        "normalizer": {"type": "NFC"},
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
        "decoder": {"type": "ByteLevel"},
        "model": {"type": "BPE", "vocab": vocabulary, "merges": ["a b", "\u0120 a"]},
    }).encode()


def normalizers():
    def replaced(pattern, content):
        return {"type": "Replace", "pattern": pattern, "content": content}

    return json.dumps({
        "version": "1.0",
        "added_tokens": [{"id": 0, "content": "[UNK]", "special": True, "lstrip": True, "normalized": False}],
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "NFKD"}, {"type": "StripAccents"}, {"type": "Lowercase"}, {"type": "NFC"},
            {"type": "Strip", "strip_left": True, "strip_right": False}, replaced({"Regex": " {2,}"}, " "),
            replaced({"String": "ab"}, "b"), {"type": "Prepend", "prepend": "a"}]},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": "\\p{N}{1,3}"}, "behavior": "Isolated", "invert": False},
            {"type": "Digits", "individual_digits": True}, {"type": "Punctuation", "behavior": "Isolated"},
            {"type": "Whitespace"}]},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": False},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "max_input_chars_per_word": 100,
                  "continuing_subword_prefix": "##", "vocab": {"[UNK]": 0, "a": 1, "##b": 2, "b": 3, "##a": 4, "1": 5}},
    }).encode()


def byte_fallback():
    vocabulary = {"<unk>": 0, "\u2581": 1, "a": 2, "b": 3, "ab": 4, "\u2581a": 5}
    for byte in range(256):
        vocabulary[f"<0x{byte:02X}>"] = len(vocabulary)
    steps = [{"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "}, {"type": "ByteFallback"},
             {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]
    return json.dumps({
        "version": "1.0",
        "added_tokens": [{"id": 0, "content": "<unk>", "special": True}],
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "Prepend", "prepend": "\u2581"},
            {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"}]},
        "pre_tokenizer": None,
        "decoder": {"type": "Sequence", "decoders": steps},
        "model": {"type": "BPE", "unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True, "vocab": vocabulary,
                  "merges": ["a b", "\u2581 a"]},
    }).encode()


def tiktoken():
    tokens = [b"a", b"b", b"ab", b" ", b"\n", b" a", b"\xe4\xbd"]
    return b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens))


def tekken():
    vocabulary = [{"rank": rank, "token_bytes": base64.b64encode(bytes([rank])).decode(), "token_str": None}
                  for rank in range(256)]
    return json.dumps({
        "config": {"pattern": "\\p{L}+|[^\\p{L}]", "num_vocab_tokens": 256, "default_vocab_size": 258,
                   "default_num_special_tokens": 2, "version": "v3"},
        "vocab": vocabulary,
        "special_tokens": [{"rank": 0, "token_str": "<unk>"}, {"rank": 1, "token_str": "</s>"}],
    }).encode()


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    for name, data in (("gguf", gguf()), ("sentencepiece_unigram", sentencepiece(1)),
                       ("sentencepiece_bpe", sentencepiece(2)),
                       ("tokenizer_json", tokenizer_json()), ("normalizers", normalizers()),
                       ("byte_fallback", byte_fallback()), ("tiktoken", tiktoken()), ("tekken", tekken())):
        (OUT / name).write_bytes(data)


if __name__ == "__main__":
    main()
