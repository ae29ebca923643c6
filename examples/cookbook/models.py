"""Two language models for the cookbook's programs. Yours takes their place.

SmallModel is the Llama of data/model, which writes JSON for a schema and a text. EchoModel is no neural network: it
continues a text as the texts do that it was given. Programs about other things than JSON use it, so that they need no
download; it makes the mistakes that its texts contain.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

import weir

Array = npt.NDArray[np.float32]
MODEL = pathlib.Path(__file__).resolve().parents[2] / "data/model"


class SmallModel:
    """A Llama in numpy. Keys and values of the last sequences are kept, so that a longer one costs only its new tokens."""

    SEQUENCES = 16  # so many are kept

    def __init__(self, directory: pathlib.Path = MODEL) -> None:
        self.tokenizer_info = weir.TokenizerInfo.from_file(directory / "tokenizer.json")
        config = json.loads((directory / "config.json").read_text())
        self._heads, self._size = config["num_attention_heads"], config["head_dim"]
        self._epsilon = config["rms_norm_eps"]
        self._layers = config["num_hidden_layers"]
        self._weights = _read_safetensors(directory / "model.safetensors")
        exponents = np.arange(0, self._size, 2, dtype=np.float64) / self._size
        self._frequencies = config["rope_parameters"]["rope_theta"] ** -exponents
        self._known: list[tuple[list[int], list[Array], list[Array]]] = []  # tokens, keys and values of each layer
        self.calls = 0  # how often the model was asked

    def prompt(self, schema: object, text: str = "") -> list[int]:
        """Returns the tokens of a prompt: the schema, and the text whose content the document is to have."""
        def special(name: str) -> int:
            token = self.tokenizer_info.find_special_token(name)
            assert token is not None, name
            return token
        tokens = [special("<|text|>"), *self.tokenizer_info.tokenize(text)] if text else []
        compact = json.dumps(schema, separators=(",", ":"))
        return [*tokens, special("<|schema|>"), *self.tokenizer_info.tokenize(compact), special("<|json|>")]

    def logits(self, token_ids: Sequence[int]) -> Array:
        self.calls += 1
        empty = [np.zeros((0, self._heads, self._size), dtype=np.float32)] * self._layers
        shared = 0
        known: tuple[list[int], list[Array], list[Array]] = ([], empty, empty)
        for sequence in self._known:
            same = _common_prefix(sequence[0], token_ids[:-1])
            if same > shared:
                shared, known = same, sequence
        new = list(token_ids[shared:])
        keys_of, values_of = [], []
        weight = self._weights
        x = weight["model.embed_tokens.weight"][new]
        positions = np.arange(shared, len(token_ids))
        future = positions[:, None] < np.arange(len(token_ids))[None, :]  # a token does not attend to later ones
        for layer in range(self._layers):
            prefix = f"model.layers.{layer}."
            y = self._norm(x, weight[prefix + "input_layernorm.weight"])
            query, key, value = ((y @ weight[f"{prefix}self_attn.{name}_proj.weight"].T)
                                 .reshape(len(new), self._heads, self._size) for name in "qkv")
            keys = np.concatenate([known[1][layer][:shared], self._rotated(key, positions)])
            values = np.concatenate([known[2][layer][:shared], value])
            keys_of.append(keys)
            values_of.append(values)
            scores = np.einsum("qhd,khd->hqk", self._rotated(query, positions), keys) / np.sqrt(self._size)
            scores = np.where(future, -np.inf, scores)
            scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
            scores /= scores.sum(axis=-1, keepdims=True)
            seen = np.einsum("hqk,khd->qhd", scores, values).reshape(len(new), -1)
            x = x + seen @ weight[prefix + "self_attn.o_proj.weight"].T
            y = self._norm(x, weight[prefix + "post_attention_layernorm.weight"])
            gate = y @ weight[prefix + "mlp.gate_proj.weight"].T
            up = y @ weight[prefix + "mlp.up_proj.weight"].T
            x = x + (gate / (1 + np.exp(-gate)) * up) @ weight[prefix + "mlp.down_proj.weight"].T
        # A sequence that was continued is replaced; of the others, the oldest is forgotten.
        self._known = [sequence for sequence in self._known if sequence is not known or shared < len(known[0])]
        self._known = [*self._known[1 - self.SEQUENCES:], (list(token_ids), keys_of, values_of)]
        last = self._norm(x[-1], weight["model.norm.weight"])
        return np.asarray(weight["model.embed_tokens.weight"] @ last, dtype=np.float32)

    def _norm(self, x: Array, weight: Array) -> Array:
        mean = np.mean(x * x, axis=-1, keepdims=True)
        return np.asarray(x / np.sqrt(mean + self._epsilon) * weight, dtype=np.float32)

    def _rotated(self, x: Array, positions: npt.NDArray[np.int64]) -> Array:
        angles = positions[:, None, None] * self._frequencies
        cosine, sine = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
        first, second = x[..., :self._size // 2], x[..., self._size // 2:]
        return np.concatenate([first * cosine - second * sine, second * cosine + first * sine], axis=-1)


class EchoModel:
    """Continues a text as the `texts` continue after the same bytes: the more of the text's end is found there, the likelier
    is what follows. If several texts have the same bytes, the first is the likeliest. At the end of a text comes a stop token."""

    REACH = 60  # so many bytes of the text's end are looked for

    def __init__(self, texts: Sequence[str], tokenizer_info: weir.TokenizerInfo | None = None) -> None:
        self.tokenizer_info = tokenizer_info or weir.TokenizerInfo.builtin()
        info = self.tokenizer_info
        self._texts = [text.encode() for text in texts]
        usual = (token for token in range(info.vocab_size) if info.token_kind(token) == "normal")
        self._tokens = {info.token_bytes(token): token for token in usual}
        self._longest = max(map(len, self._tokens))

    def prompt(self, text: str) -> list[int]:
        return self.tokenizer_info.tokenize(text)

    def logits(self, token_ids: Sequence[int]) -> Array:
        logits = np.full(self.tokenizer_info.vocab_size, -10, dtype=np.float32)
        end = self.tokenizer_info.decode(token_ids[-self.REACH:])[-self.REACH:]
        for length in range(len(end) + 1):  # a longer match overwrites shorter ones
            found = False
            for rank, text in enumerate(self._texts):
                at = text.find(end[len(end) - length:])
                while at >= 0:
                    found = True
                    self._continue(logits, text, at + length, length - 0.2 * min(rank, 4))
                    at = text.find(end[len(end) - length:], at + 1)
            if not found:
                break
        return logits

    def _continue(self, logits: Array, text: bytes, at: int, score: float) -> None:
        if at == len(text):
            logits[self.tokenizer_info.stop_token_ids] = score + 0.5  # the end is preferred to a text that continues
        for size in range(1, min(self._longest, len(text) - at) + 1):
            token = self._tokens.get(text[at:at + size])
            if token is not None:  # of tokens with the same text before them, the longest
                logits[token] = max(logits[token], score + 0.01 * size)


def _common_prefix(a: Sequence[int], b: Sequence[int]) -> int:
    """Returns how many first items are the same."""
    return next((at for at, (one, other) in enumerate(zip(a, b)) if one != other), min(len(a), len(b)))


def _read_safetensors(path: pathlib.Path) -> dict[str, Array]:
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + size])
    header.pop("__metadata__", None)
    tensors = {}
    for name, tensor in header.items():
        if tensor["dtype"] != "F16":
            raise ValueError(f"{path}: {name} is not of 16-bit floats")
        begin, end = (8 + size + offset for offset in tensor["data_offsets"])
        tensors[name] = np.frombuffer(data[begin:end], dtype="<f2").astype(np.float32).reshape(tensor["shape"])
    return tensors
