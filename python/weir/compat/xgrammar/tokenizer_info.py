"""xgrammar.TokenizerInfo, made from a list of encoded tokens or a transformers tokenizer."""

from __future__ import annotations

import enum
import json
from collections.abc import Sequence
from typing import Any, Literal

import weir
from weir._arguments import expect, shown
from weir.compat._checks import from_json
from weir.compat.xgrammar._serialization import (
    dump,
    load,
    read_tokenizer,
    tokenizer_digest,
    tokenizer_form,
)
from weir.compat.xgrammar.exception import DeserializeFormatError

__all__ = ["TokenizerInfo", "VocabType"]


class VocabType(enum.Enum):
    """The encoding of the tokens in a list."""

    RAW = 0  #: As their bytes; a str is its UTF-8.
    BYTE_FALLBACK = 1  #: SentencePiece: "▁" is a space, "<0x0A>" a byte.
    BYTE_LEVEL = 2  #: As GPT-2 writes them, a character for each byte.


# weir's names of the encodings.
_SPELLINGS: dict[VocabType, Literal["bytes", "byte_fallback", "byte_level"]] = {
    VocabType.RAW: "bytes", VocabType.BYTE_FALLBACK: "byte_fallback", VocabType.BYTE_LEVEL: "byte_level"}


class TokenizerInfo:
    """A weir.TokenizerInfo, `info`, with xgrammar's names.

    vocab_size: the width of the model's logits; tokens from this id on are dropped.
    stop_token_ids: the stop tokens, which never match as text; None: the tokens with the usual names.
    """

    def __init__(self, encoded_vocab: Sequence[bytes | str], vocab_type: VocabType = VocabType.RAW, *,
                 vocab_size: int | None = None, stop_token_ids: list[int] | int | None = None,
                 add_prefix_space: bool = False) -> None:
        expect(vocab_type, "vocab_type", VocabType)
        if isinstance(encoded_vocab, (str, bytes, dict, set, frozenset)):  # those have no order that is one of ids
            raise TypeError(f"`encoded_vocab` must be a list of tokens, not {shown(encoded_vocab)}")
        stops = [stop_token_ids] if isinstance(stop_token_ids, int) else list(stop_token_ids or ())
        info = weir.TokenizerInfo(list(encoded_vocab)[:vocab_size], spelling=_SPELLINGS[vocab_type], stop_token_ids=stops,
                                  stop_tokens_by_name=stop_token_ids is None, padded_vocab_size=vocab_size or 0)
        self._set(info, vocab_type, add_prefix_space)

    @staticmethod
    def from_huggingface(tokenizer: Any, *, vocab_size: int | None = None,
                         stop_token_ids: list[int] | int | None = None) -> TokenizerInfo:
        """Converts a fast tokenizer of transformers. Raises TypeError, weir.TokenizerError."""
        stops = [stop_token_ids] if isinstance(stop_token_ids, int) else stop_token_ids
        info = weir.TokenizerInfo.from_huggingface(tokenizer, stop_token_ids=stops)
        if vocab_size is not None and vocab_size >= info.vocab_size:
            info = weir.TokenizerInfo.from_huggingface(tokenizer, stop_token_ids=stops, padded_vocab_size=vocab_size)
        elif vocab_size is not None:
            info = _first_tokens(info, vocab_size)
        return _wrap(info, _vocab_type(info), info.drops_leading_space)

    @staticmethod
    def _detect_metadata_from_hf(backend_str: str) -> dict[str, Any]:
        """Returns the encoding of the tokens and the rule for leading spaces of a tokenizer.json, given as text.

        Raises weir.TokenizerError.
        """
        info = weir.TokenizerInfo.from_bytes(backend_str.encode(), name="tokenizer.json")
        return {"vocab_type": _vocab_type(info), "add_prefix_space": info.drops_leading_space}

    def _set(self, info: weir.TokenizerInfo, vocab_type: VocabType, add_prefix_space: bool) -> None:
        self.info = info
        self._vocab_type = vocab_type
        self._add_prefix_space = add_prefix_space
        self._digest: str | None = None

    @property
    def digest(self) -> str:
        """A digest that identifies the tokenizer; computed once."""
        if self._digest is None:
            self._digest = tokenizer_digest(self.info)
        return self._digest

    @property
    def vocab_type(self) -> VocabType:
        return self._vocab_type

    @property
    def vocab_size(self) -> int:
        return self.info.vocab_size

    @property
    def add_prefix_space(self) -> bool:
        return self._add_prefix_space

    @property
    def prepend_space_in_tokenization(self) -> bool:
        return self._add_prefix_space

    @property
    def decoded_vocab(self) -> list[bytes]:
        return [_text_or_name(self.info, token) for token in range(self.info.vocab_size)]

    @property
    def stop_token_ids(self) -> list[int]:
        return self.info.stop_token_ids

    @property
    def special_token_ids(self) -> list[int]:
        """The tokens that never match as text, except stop tokens."""
        stops = set(self.info.stop_token_ids)
        return [token for token in range(self.info.vocab_size)
                if token not in stops and not self.info.token_bytes(token)]

    def dump_metadata(self) -> str:
        """Returns the constructor's arguments except the tokens, in xgrammar's JSON format."""
        return json.dumps({"vocab_type": self._vocab_type.value, "vocab_size": self.vocab_size,
                           "add_prefix_space": self._add_prefix_space, "stop_token_ids": self.stop_token_ids},
                          separators=(",", ":"))

    @staticmethod
    def from_vocab_and_metadata(encoded_vocab: list[bytes | str], metadata: str) -> TokenizerInfo:
        """Raises RuntimeError: `metadata` is not valid."""
        try:
            given = from_json(metadata)
            return TokenizerInfo(encoded_vocab, VocabType(given["vocab_type"]), vocab_size=given["vocab_size"],
                                 stop_token_ids=given["stop_token_ids"], add_prefix_space=given["add_prefix_space"])
        except (KeyError, TypeError, ValueError) as error:
            raise RuntimeError(f"no metadata of a tokenizer: {error}") from error

    def serialize_json(self) -> str:
        """Returns a JSON form of the tokenizer for this version of weir."""
        return dump("tokenizer_info", {"vocab_type": self._vocab_type.value, "add_prefix_space": self._add_prefix_space,
                                       "data": tokenizer_form(self.info)})

    @staticmethod
    def deserialize_json(json_string: str) -> TokenizerInfo:
        """Raises InvalidJSONError, DeserializeVersionError, DeserializeFormatError."""
        form = load("tokenizer_info", json_string)
        try:
            vocab_type, add_prefix_space = VocabType(form.get("vocab_type")), bool(form.get("add_prefix_space"))
        except ValueError as error:
            raise DeserializeFormatError(str(error)) from None
        return _wrap(read_tokenizer(form.get("data")), vocab_type, add_prefix_space)


def _vocab_type(info: weir.TokenizerInfo) -> VocabType:
    if info.kind == "byte-level BPE":
        return VocabType.BYTE_LEVEL
    has_bytes = any(info.token_kind(token) == "byte" for token in range(info.vocab_size))
    return VocabType.BYTE_FALLBACK if has_bytes else VocabType.RAW


def _wrap(info: weir.TokenizerInfo, vocab_type: VocabType, add_prefix_space: bool) -> TokenizerInfo:
    made = TokenizerInfo.__new__(TokenizerInfo)
    made._set(info, vocab_type, add_prefix_space)
    return made


def with_stop_tokens(tokenizer_info: TokenizerInfo, stop_token_ids: Sequence[int]) -> TokenizerInfo:
    """Returns a tokenizer of the same tokens with other stop tokens."""
    info = tokenizer_info.info
    return _wrap(_first_tokens(info, info.vocab_size, stop_token_ids), tokenizer_info.vocab_type,
                 tokenizer_info.add_prefix_space)


def _text_or_name(info: weir.TokenizerInfo, token: int) -> bytes:
    if info.token_kind(token) == "special":
        return info.token_name(token).encode()
    return info.token_bytes(token)


def _first_tokens(info: weir.TokenizerInfo, size: int,
                  stop_token_ids: Sequence[int] | None = None) -> weir.TokenizerInfo:
    stops = info.stop_token_ids if stop_token_ids is None else stop_token_ids
    return weir.TokenizerInfo([_text_or_name(info, token) for token in range(size)],
                              special_token_ids=[token for token in range(size) if info.token_kind(token) == "special"],
                              stop_token_ids=[token for token in stops if token < size],
                              drops_leading_space=info.drops_leading_space)
