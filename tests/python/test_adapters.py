"""Tokenizers from objects of other libraries. The tests of a library that is not installed are skipped."""

import base64
import gc
import json
import os
import pathlib
import types
import weakref

import pytest

import weir
from weir._adapters import server_tokenizer
from weir.integrations._serving import front_end_compiler

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILE = ROOT / "data/default_tokenizer/tokenizer.json"
TEXT = 'The value of {"π": 3.14} is ≈ right.\n\n  tab\t'


def same_tokens(info, encode):
    assert info.tokenize(TEXT) == encode(TEXT)
    assert info.decode(encode(TEXT)).decode() == TEXT


def test_huggingface():
    tokenizers = pytest.importorskip("tokenizers")
    tokenizer = tokenizers.Tokenizer.from_file(str(FILE))
    info = weir.TokenizerInfo.from_huggingface(tokenizer)
    same_tokens(info, lambda text: tokenizer.encode(text, add_special_tokens=False).ids)
    # A wrapper like transformers': it also names the end-of-sequence token.
    wrapper = types.SimpleNamespace(backend_tokenizer=tokenizer, eos_token_id=3)
    assert weir.TokenizerInfo.from_huggingface(wrapper).stop_token_ids == sorted([*info.stop_token_ids, 3])
    assert weir.TokenizerInfo.from_huggingface(wrapper, stop_token_ids=[4]).stop_token_ids == [4]
    assert weir.TokenizerInfo.from_huggingface(wrapper, padded_vocab_size=9000).vocab_size == 9000


@pytest.mark.parametrize("decodes_content", [False, True])
def test_added_tokens_decode_as_the_library_does(decodes_content):
    tokenizers = pytest.importorskip("tokenizers")
    normalizers = tokenizers.normalizers
    letters = {chr(code): code - 32 for code in range(32, 127)} | {"\u2581": 95}
    for normalizer in (normalizers.Lowercase(), normalizers.NFKC(), normalizers.Replace("a", "b"),
                       normalizers.Sequence([normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")])):
        tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=letters, merges=[]))
        tokenizer.normalizer = normalizer
        tokenizer.decoder = tokenizers.decoders.Sequence([
            tokenizers.decoders.Replace("\u2581", " "), tokenizers.decoders.Fuse(),
            tokenizers.decoders.Strip(" ", 1, 0)])
        tokenizer.add_tokens(["<CaLL \ufb01>", tokenizers.AddedToken("<Raw>", normalized=False)])

        class Former:
            """The library before 0.23, which decodes the content."""

            def __getattr__(self, name):
                return getattr(tokenizer, name)

            def id_to_token(self, token):
                added = tokenizer.get_added_tokens_decoder()
                return added[token].content if token in added else tokenizer.id_to_token(token)

        x = tokenizer.token_to_id("x")
        if decodes_content:
            info = weir.TokenizerInfo.from_huggingface(Former())
            assert info.decode([x, 96, x]).decode() == "x<CaLL \ufb01>x"
        else:
            info = weir.TokenizerInfo.from_huggingface(tokenizer)
            assert info.decode([x, 96, x]).decode() == tokenizer.decode([x, 96, x])
            assert weir.TokenizerInfo.from_bytes(tokenizer.to_str().encode()).token_bytes(96) == info.token_bytes(96)
        assert info.decode([x, 97, x]) == b"x<Raw>x" and info.token_name(96) == "<CaLL \ufb01>"


def test_tiktoken():
    tiktoken = pytest.importorskip("tiktoken")
    ranks = {bytes([i]): i for i in range(256)} | {b"th": 256, b"the": 257, b" v": 258}
    encoding = tiktoken.Encoding("small", pat_str=r" ?\w+| ?[^\s\w]+|\s+", mergeable_ranks=ranks,
                                 special_tokens={"<|endoftext|>": 259})
    info = weir.TokenizerInfo.from_tiktoken(encoding)
    same_tokens(info, encoding.encode_ordinary)
    assert info.vocab_size == encoding.n_vocab and info.stop_token_ids == [259]


def test_sentencepiece(processor):
    info = weir.TokenizerInfo.from_sentencepiece(processor)
    same_tokens(info, processor.encode)
    assert info.stop_token_ids == [processor.eos_id()]


class Slow:
    """A wrapper like transformers' around an object of tiktoken or sentencepiece, with added tokens and other ids."""

    def __init__(self, eos_token_id=None, added=None, shift=0, **inner):
        self.eos_token_id, self.added_tokens_decoder, self._shift = eos_token_id, added or {}, shift
        self.__dict__.update(inner)

    def get_vocab(self):
        pieces = {self.sp_model.id_to_piece(place): place + self._shift
                  for place in range(self.sp_model.get_piece_size())}
        return pieces | {str(token): place for place, token in self.added_tokens_decoder.items()}


class Added(str):
    special = True


def test_slow_tokenizers_around_tiktoken():
    tiktoken = pytest.importorskip("tiktoken")
    ranks = {bytes([i]): i for i in range(256)} | {b"th": 256, b"the": 257, b" v": 258}
    encoding = tiktoken.Encoding("small", pat_str=r" ?\w+| ?[^\s\w]+|\s+", mergeable_ranks=ranks,
                                 special_tokens={"<|endoftext|>": 259})
    plain = weir.TokenizerInfo.from_huggingface(Slow(tokenizer=encoding, eos_token_id=259))
    same_tokens(plain, encoding.encode_ordinary)
    assert plain.stop_token_ids == [259]
    added = {259: Added("<|endoftext|>"), 262: Added("<|tool|>")}
    info = weir.TokenizerInfo.from_huggingface(Slow(model=encoding, eos_token_id=262, added=added),
                                               padded_vocab_size=300)
    assert info.vocab_size == 300 and info.stop_token_ids == [259, 262]
    assert info.token_kind(262) == "special" and info.token_name(262) == "<|tool|>"
    assert [info.token_bytes(token) for token in (65, 257, 260, 261)] == [b"A", b"the", b"", b""]


def test_slow_tokenizers_around_sentencepiece(processor):
    size = processor.get_piece_size()
    plain = weir.TokenizerInfo.from_huggingface(Slow(sp_model=processor, eos_token_id=processor.eos_id()))
    same_tokens(plain, processor.encode)
    more = Slow(sp_model=processor, eos_token_id=processor.eos_id(), added={size + 1: Added("<extra>")})
    info = weir.TokenizerInfo.from_huggingface(more, stop_token_ids=[size + 1])
    assert info.vocab_size == size + 2 and info.stop_token_ids == [size + 1]
    assert info.drops_leading_space == plain.drops_leading_space
    shifted = weir.TokenizerInfo.from_huggingface(Slow(sp_model=processor, eos_token_id=7, shift=5))
    assert shifted.stop_token_ids == [7]
    for place in range(size):
        assert info.token_bytes(place) == plain.token_bytes(place) == shifted.token_bytes(place + 5)
    text = "The value"
    assert b"".join(shifted.token_bytes(token + 5) for token in processor.encode(text)).decode().strip() == text


@pytest.fixture
def processor(tmp_path):
    sentencepiece = pytest.importorskip("sentencepiece")
    corpus = tmp_path / "corpus.txt"
    corpus.write_text((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(input=str(corpus), model_prefix=str(tmp_path / "model"), vocab_size=500,
                                             byte_fallback=True, model_type="bpe", hard_vocab_limit=False,
                                             normalization_rule_name="identity", remove_extra_whitespaces=False,
                                             minloglevel=2)
    return sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / "model.model"))


def test_mistral(tmp_path):
    """The tokenizers of mistral_common name the file that they were read from."""
    path = tmp_path / "model.tiktoken"
    path.write_bytes(b"".join(b"%s %d\n" % (base64.b64encode(bytes([i])), i) for i in range(256)))
    inner = types.SimpleNamespace(file_path=path)
    whole = types.SimpleNamespace(instruct_tokenizer=types.SimpleNamespace(tokenizer=inner))
    for tokenizer in (inner, whole, types.SimpleNamespace(tokenizer=whole)):  # the last as in transformers and vLLM
        assert weir.TokenizerInfo.from_mistral(tokenizer).vocab_size == 256


DATA = pathlib.Path(os.environ.get("WEIR_SHARED_DATA", ROOT.parent / "shared/data")) / "tokenizers"


@pytest.mark.skipif(not DATA.is_dir(), reason=f"{DATA} is not there")
def test_real_vocabularies():
    gguf = weir.TokenizerInfo.from_gguf(DATA / "gguf/ggml-vocab-gpt-2.gguf")
    assert gguf.vocab_size == 50257 and gguf.decode(gguf.tokenize(TEXT)).decode() == TEXT
    tiktoken = pytest.importorskip("tiktoken")
    ranks = dict(line.split() for line in (DATA / "cl100k_base.tiktoken").read_bytes().splitlines())
    beside = json.loads((DATA / "cl100k_base.json").read_text(encoding="utf-8"))
    encoding = tiktoken.Encoding("cl100k", pat_str=beside["pat_str"], special_tokens=beside["special_tokens"],
                                 mergeable_ranks={base64.b64decode(token): int(rank) for token, rank in ranks.items()})
    info = weir.TokenizerInfo.from_tiktoken(encoding)
    same_tokens(info, encoding.encode_ordinary)
    assert info.vocab_size == encoding.n_vocab and encoding.eot_token in info.stop_token_ids


def test_gguf(tmp_path):
    (tmp_path / "x.gguf").write_bytes(FILE.read_bytes())
    with pytest.raises(ValueError, match="no GGUF file"):
        weir.TokenizerInfo.from_gguf(tmp_path / "x.gguf")
    with pytest.raises(FileNotFoundError):
        weir.TokenizerInfo.from_gguf(tmp_path / "nothing.gguf")
    (tmp_path / "x.gguf").write_bytes(b"GGUF\3\0\0\0")
    with pytest.raises(weir.TokenizerError):
        weir.TokenizerInfo.from_gguf(tmp_path / "x.gguf")


class Counted:
    """A tokenizer object that counts how often it is read. `model` is that of its tokenizer.json."""

    def __init__(self, model):
        self.reads, self._text = 0, json.dumps({"model": model, "decoder": {"type": "Fuse"}})

    def to_str(self):
        self.reads += 1
        return self._text


def readable():
    return Counted({"type": "BPE", "vocab": {"a": 0, "b": 1, "c": 2}, "merges": []})


def unsupported():
    return Counted({"type": "Foo"})


def test_a_server_reads_a_tokenizer_again_only_to_make_it_narrower():
    for width, reads in ((5, 1), (3, 1), (2, 2)):
        tokenizer = readable()
        info = server_tokenizer(tokenizer, width)
        assert (info.vocab_size, info.token_bytes(1), tokenizer.reads) == (width, b"b", reads)
    for tokenizer, width, stops in ((unsupported(), 2, None), (readable(), 5, [7]), (readable(), 2**32 - 1, None)):
        with pytest.raises(weir.TokenizerError):
            server_tokenizer(tokenizer, width, stop_token_ids=stops)
        assert tokenizer.reads == 1


def test_a_front_end_reads_a_tokenizer_once():
    good, bad = readable(), unsupported()
    assert front_end_compiler(good, 3, needs_tokens=True) is front_end_compiler(good, 3, needs_tokens=True)
    for _ in range(3):
        with pytest.raises(weir.TokenizerError, match="Foo"):
            front_end_compiler(bad, 3, needs_tokens=True)
    assert good.reads == bad.reads == 1
    kept = weakref.ref(bad)
    del bad
    gc.collect()
    assert kept() is None


@pytest.mark.parametrize("name", ["huggingface", "tiktoken", "sentencepiece", "mistral"])
def test_other_objects_are_refused(name):
    with pytest.raises(TypeError, match="must be a.*not builtins.int"):
        getattr(weir.TokenizerInfo, f"from_{name}")(3)
