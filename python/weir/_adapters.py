"""Converts the tokenizers of other libraries to TokenizerInfo.

Each library can return the content of a tokenizer's file, in a format that weir reads. So all tokenizers are read by
the same C++ code.
"""

from __future__ import annotations

import base64
import json
import os
import pathlib
import tempfile
from collections.abc import Callable, Sequence
from typing import Any

from weir._weir import TokenizerInfo
from weir.errors import TokenizerError

__all__ = ["from_gguf", "from_huggingface", "from_mistral", "from_sentencepiece", "from_tiktoken",
           "server_tokenizer"]


def _refuse(tokenizer: Any, expected: str) -> TypeError:
    kind = type(tokenizer)
    module = kind.__module__.removesuffix("._weir")
    return TypeError(f"`tokenizer` must be {expected}, not {module}.{kind.__qualname__}")


def from_huggingface(tokenizer: Any, **options: Any) -> TokenizerInfo:
    backend = getattr(tokenizer, "backend_tokenizer", tokenizer)
    if not callable(getattr(backend, "to_str", None)):
        return _from_slow(tokenizer, **options)
    data = _with_decoded_texts(backend).encode()
    info = TokenizerInfo.from_bytes(data, name="tokenizer.json", **options)
    eos = getattr(tokenizer, "eos_token_id", None)
    if options.get("stop_token_ids") is not None or eos is None or eos in info.stop_token_ids:
        return info
    # The end-of-sequence token is in the object's configuration, but the tokenizer's file does not mark it as one.
    options["stop_token_ids"] = [*info.stop_token_ids, eos]
    return TokenizerInfo.from_bytes(data, name="tokenizer.json", **options)


def _with_decoded_texts(backend: Any) -> str:
    """Returns the tokenizer's file. It says of each added token what this version of the library decodes, if that is
    not what weir's reader assumes (src/vocab/readers/tokenizer_json.cc)."""
    text: str = backend.to_str()
    normalizer = getattr(backend, "normalizer", None)
    if normalizer is None or not hasattr(backend, "get_added_tokens_decoder"):
        return text
    decoded = {}
    for token, added in backend.get_added_tokens_decoder().items():
        assumed = normalizer.normalize_str(added.content) if added.normalized else added.content
        if not added.special and backend.id_to_token(token) not in (None, assumed):
            decoded[token] = backend.id_to_token(token)
    if not decoded:
        return text
    file = json.loads(text)
    for added in file["added_tokens"]:
        if added["id"] in decoded:
            added["weir_text"] = decoded[added["id"]]
    return json.dumps(file)


def _from_slow(tokenizer: Any, **options: Any) -> TokenizerInfo:
    """Converts a tokenizer of transformers that is written in Python around an object of tiktoken or sentencepiece.

    The result has the rules of that object if it has the same tokens. A tokenizer that adds tokens to it or numbers
    them otherwise becomes a list of tokens, without rules for cutting a text into them.
    """
    tiktoken = next((each for each in (getattr(tokenizer, name, None) for name in ("tokenizer", "model", "encoder"))
                     if isinstance(getattr(each, "_mergeable_ranks", None), dict)), None)
    sentencepiece = getattr(tokenizer, "sp_model", None)
    convert: Callable[..., TokenizerInfo]
    if tiktoken is not None:
        inner, convert = tiktoken, from_tiktoken
    elif callable(getattr(sentencepiece, "serialized_model_proto", None)):
        inner, convert = sentencepiece, from_sentencepiece
    else:
        raise _refuse(tokenizer, "a tokenizer of transformers (fast, or with tiktoken or sentencepiece inside) or a "
                                 "tokenizers.Tokenizer")
    base = convert(inner)
    places = {token: token for token in range(base.vocab_size)}
    if tiktoken is None:
        places = {token: inner.piece_to_id(piece) for piece, token in tokenizer.get_vocab().items()
                  if inner.id_to_piece(inner.piece_to_id(piece)) == piece}
    tokens = {token: (_text_or_name(base, place), base.token_kind(place) == "special")
              for token, place in places.items()}
    is_same = all(token == place for token, place in places.items()) and len(places) == base.vocab_size
    for token, added in getattr(tokenizer, "added_tokens_decoder", {}).items():
        entry = (str(added).encode(), bool(added.special))
        is_same = is_same and tokens.get(token, (b"", False)) == entry
        tokens[token] = entry
    stops = options.pop("stop_token_ids", None)
    if stops is None:
        eos = getattr(tokenizer, "eos_token_id", None)
        declared = base.stop_token_ids if is_same or tiktoken is not None else []
        stops = sorted({*declared, *([] if eos is None else [eos])})
    if is_same:
        return convert(inner, stop_token_ids=stops, **options)
    width = max(tokens) + 1
    nothing = (b"", True)  # an id without a token
    return TokenizerInfo([tokens.get(token, nothing)[0] for token in range(width)], stop_token_ids=stops,
                         special_token_ids=[token for token in range(width) if tokens.get(token, nothing)[1]],
                         drops_leading_space=base.drops_leading_space, **options)


def from_tiktoken(encoding: Any, **options: Any) -> TokenizerInfo:
    ranks = getattr(encoding, "_mergeable_ranks", None)
    if not isinstance(ranks, dict):
        raise _refuse(encoding, "a tiktoken.Encoding")
    beside = {"pat_str": encoding._pat_str, "special_tokens": encoding._special_tokens}
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "encoding.tiktoken"
        path.write_bytes(b"".join(b"%s %d\n" % (base64.b64encode(token), rank) for token, rank in ranks.items()))
        path.with_suffix(".json").write_text(json.dumps(beside), encoding="utf-8")
        return TokenizerInfo.from_file(path, **options)


def from_sentencepiece(processor: Any, **options: Any) -> TokenizerInfo:
    if not callable(getattr(processor, "serialized_model_proto", None)):
        raise _refuse(processor, "a sentencepiece.SentencePieceProcessor")
    return TokenizerInfo.from_bytes(processor.serialized_model_proto(), name="tokenizer.model", **options)


def from_gguf(path: str | os.PathLike[str], **options: Any) -> TokenizerInfo:
    with open(os.fspath(path), "rb") as file:  # an int would be a file that is open, which would then be closed
        if file.read(4) != b"GGUF":
            raise ValueError(f"{os.fspath(path)!r} is no GGUF file")
    return TokenizerInfo.from_file(path, **options)


def from_mistral(tokenizer: Any, **options: Any) -> TokenizerInfo:
    inner = _inner_mistral(tokenizer)
    if inner is None:
        raise _refuse(tokenizer, "a tokenizer of mistral_common that was read from a file")
    return TokenizerInfo.from_file(inner.file_path, **options)


def _inner_mistral(tokenizer: Any) -> Any:
    """Returns the Tekkenizer or SentencePieceTokenizer, which vLLM, transformers and mistral_common have inside objects
    inside objects; None if there is none."""
    for _ in range(4):
        if getattr(tokenizer, "file_path", None) is not None:
            return tokenizer
        tokenizer = getattr(tokenizer, "instruct_tokenizer", getattr(tokenizer, "tokenizer", None))
    return None


def server_tokenizer(tokenizer: Any, vocab_size: int, *, stop_token_ids: Sequence[int] | None = None) -> TokenizerInfo:
    """Converts the tokenizer object of a serving engine, of whatever library it is, for logits of `vocab_size` columns.

    A tokenizer with more tokens than that loses those from `vocab_size` on; it then is a list of tokens, without rules
    for cutting a text into them.
    Raises TypeError: no tokenizer that weir can read. TokenizerError: weir does not support it.
    """
    convert = from_mistral if _is_mistral(tokenizer) else from_huggingface
    try:
        return convert(tokenizer, stop_token_ids=stop_token_ids, padded_vocab_size=vocab_size)
    except TokenizerError as error:
        if not str(error).startswith("`padded_vocab_size` is "):  # other errors have the same code
            raise
    return _first_tokens(convert(tokenizer, stop_token_ids=stop_token_ids), vocab_size)


def _is_mistral(tokenizer: Any) -> bool:
    """Returns True for a tokenizer of mistral_common, also inside another object."""
    return type(_inner_mistral(tokenizer)).__module__.startswith("mistral_common.")


def _first_tokens(info: TokenizerInfo, size: int) -> TokenizerInfo:
    kinds = [info.token_kind(token) for token in range(size)]
    tokens = [_text_or_name(info, token) for token in range(size)]
    return TokenizerInfo(tokens, special_token_ids=[token for token, kind in enumerate(kinds) if kind == "special"],
                         stop_token_ids=[token for token in info.stop_token_ids if token < size],
                         drops_leading_space=info.drops_leading_space)


def _text_or_name(info: TokenizerInfo, token: int) -> bytes:
    return info.token_name(token).encode() if info.token_kind(token) == "special" else info.token_bytes(token)
