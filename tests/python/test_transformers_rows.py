"""The adapter of transformers without transformers and torch: arrays of numpy with the few operations of torch that it uses.
Whatever a row contains, a mask allows a token of it. test_transformers.py has the libraries themselves."""

import importlib
import itertools
import math
import sys
import types
import warnings

import numpy as np
import pytest

import weir

CPU = types.SimpleNamespace(type="cpu")


class Tensor(np.ndarray):
    """An array with torch's names for what the adapter does with tensors."""

    device = property(lambda self: CPU)

    def clone(self, memory_format=None):
        return np.array(self).view(Tensor)

    def contiguous(self):
        return np.ascontiguousarray(self).view(Tensor)

    def any(self, dim=None):
        return np.asarray(self).any(axis=dim).view(Tensor) if dim is not None else np.asarray(self).any()

    def sum(self, dim=None):
        return np.asarray(self).sum(axis=dim).view(Tensor)

    def to(self, kind):
        return self.astype(kind)

    def view(self, *shape):
        return super().view(*shape) if isinstance(shape[0], type) else self.reshape(shape)

    def nonzero(self):
        return np.argwhere(np.asarray(self)).view(Tensor)

    def repeat_interleave(self, count, dim):
        return np.repeat(np.asarray(self), count, axis=dim).view(Tensor)


def tensor(values, dtype=None, device=None):
    return np.array(values, dtype=dtype).view(Tensor)


@pytest.fixture
def adapter(monkeypatch):
    torch = types.ModuleType("torch")
    torch.Tensor, torch.tensor, torch.contiguous_format = Tensor, tensor, None
    torch.int32, torch.bool, torch.long = np.int32, np.bool_, np.int64
    torch.zeros = lambda shape, dtype=np.float32: np.zeros(shape, dtype).view(Tensor)
    torch.empty = lambda shape, dtype=np.float32: np.empty(shape, dtype).view(Tensor)
    torch.arange = lambda end, dtype=np.int64: np.arange(end, dtype=dtype).view(Tensor)
    torch.equal = np.array_equal
    transformers = types.ModuleType("transformers")
    transformers.LogitsProcessor = transformers.StoppingCriteria = object
    name = "weir.integrations.transformers"
    for module, fake in (("torch", torch), ("transformers", transformers)):
        monkeypatch.setitem(sys.modules, module, fake)
    monkeypatch.delitem(sys.modules, name, raising=False)
    yield importlib.import_module(name)
    sys.modules.pop(name, None)


GRAMMARS = ['root ::= "a" "ü"', 'root ::= "ab"', "root ::= [ab]*", 'root ::= "a" | "b" "ü"', 'root ::= ""']


@pytest.mark.parametrize("stops", [[], [3]])
@pytest.mark.parametrize("has_criterion", [False, True])
def test_no_row_is_left_unmasked_or_empty(adapter, stops, has_criterion):
    """All rows of up to two tokens: allowed ones, refused ones, dead ends, rows after their end, and rows of two grammars."""
    info = weir.TokenizerInfo(["a", "b", "x", "</s>"][:3 + len(stops)], special_token_ids=stops, stop_token_ids=stops)
    compiler = weir.GrammarCompiler(info)
    width = info.vocab_size
    seen = set()
    for grammar, length in itertools.product(GRAMMARS, range(3)):
        compiled = compiler.compile_grammar(grammar)
        for row in itertools.product(range(width), repeat=length):
            for grammars in ([compiled], [compiled, None]):
                processor = adapter.GrammarLogitsProcessor(grammars)
                if has_criterion:
                    processor.stopping_criteria()
                elif not stops:
                    with pytest.raises(ValueError, match="stop token"):
                        processor(tensor([[0]] * len(grammars)), adapter.torch.zeros((len(grammars), width)))
                    continue
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", RuntimeWarning)
                    for end in range(length + 1):
                        ids = tensor([[0, *row[:end]]] * len(grammars))
                        try:
                            scores = processor(ids, adapter.torch.zeros((len(grammars), width)))
                        except ValueError as error:  # a dead end, after which nothing can end the row
                            assert not stops and str(error).startswith("row 0, after b")
                            seen.add("dead end")
                            break
                        first = np.asarray(scores)[0].tolist()
                        assert set(first) == {0.0, -math.inf}, (grammar, row[:end])
                        if len(grammars) == 2:
                            assert np.asarray(scores)[1].tolist() == [0.0] * width
                        seen.add("masked")
    assert seen == (set() if not stops and not has_criterion else {"masked"} if stops else {"masked", "dead end"})
