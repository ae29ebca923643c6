"""Tensors of torch. Skipped if torch is not installed; the kernel for CUDA devices is skipped if there is no device."""

import os
import pathlib
import subprocess
import sys

import pytest

import weir

torch = pytest.importorskip("torch")


def reference(logits, bitmask):
    tokens = torch.arange(logits.shape[1])
    words = torch.nn.functional.pad(bitmask, (0, max(0, (logits.shape[1] + 31) // 32 - bitmask.shape[1])))
    bits = (words[:, tokens // 32] >> (tokens % 32)) & 1
    return logits.masked_fill(bits == 0, -torch.inf)


def random_case(batch, width, words, dtype):
    generator = torch.Generator().manual_seed(width)
    bitmask = torch.randint(-(2**31), 2**31, (batch, words), generator=generator).to(torch.int32)
    return torch.randn((batch, width), generator=generator).to(dtype), bitmask


def test_bitmasks_are_filled(matcher):
    m = matcher('root ::= "ab"')
    for bitmask in (torch.zeros((2, 1), dtype=torch.int32), torch.from_numpy(weir.allocate_token_bitmask(2, 7))):
        m.fill_next_token_bitmask(bitmask, 1)
        assert bitmask[1, 0] == 0b10001
    with pytest.raises(TypeError, match="int64"):
        m.fill_next_token_bitmask(torch.zeros((2, 1), dtype=torch.int64))
    with pytest.raises(ValueError, match="contiguous"):
        m.fill_next_token_bitmask(torch.zeros((2, 2), dtype=torch.int32)[:, ::2])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("width, words", [(97, 4), (128, 4), (150, 4)])
def test_masking(dtype, width, words):
    logits, bitmask = random_case(4, width, words, dtype)
    expected = reference(logits, bitmask)
    masked = logits.clone()
    weir.apply_token_bitmask_inplace(masked, bitmask)
    assert torch.equal(masked, expected)
    some = logits.clone()
    weir.apply_token_bitmask_inplace(some, bitmask.numpy(), [3])
    assert torch.equal(some[3], expected[3]) and torch.equal(some[:3], logits[:3])
    with pytest.raises(TypeError, match="float64"):
        weir.apply_token_bitmask_inplace(logits.double(), bitmask)


# In older versions of torch, tensors have no exchange API for C programs. Their attributes give the same data.
WITHOUT_EXCHANGE = """
import sys
import torch
if hasattr(torch.Tensor, "__dlpack_c_exchange_api__"):
    del torch.Tensor.__dlpack_c_exchange_api__
import weir
sys.path.insert(0, sys.argv[1])
from test_torch import random_case, reference
for dtype in (torch.float32, torch.float16, torch.bfloat16):
    logits, bitmask = random_case(3, 97, 4, dtype)
    expected = reference(logits, bitmask)
    weir.apply_token_bitmask_inplace(logits, bitmask)
    assert torch.equal(logits, expected)
    weir.apply_token_bitmask_inplace(logits[0], bitmask[0])
for wrong in (torch.zeros(2, 2, 2), torch.zeros(4, 8)[:, ::2], torch.zeros(4, 4, requires_grad=True)):
    try:
        weir.apply_token_bitmask_inplace(wrong, torch.zeros(4, 1, dtype=torch.int32))
        raise AssertionError(wrong)
    except ValueError:
        pass
"""


def test_tensors_without_the_exchange_in_c():
    here = str(pathlib.Path(__file__).parent)
    done = subprocess.run([sys.executable, "-c", WITHOUT_EXCHANGE, here], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_views_subclasses_and_layouts():
    class Named(torch.Tensor):
        pass

    logits, bitmask = random_case(4, 97, 4, torch.float32)
    expected = reference(logits, bitmask)
    parts = torch.zeros((6, 97))
    parts[1:5] = logits
    weir.apply_token_bitmask_inplace(parts[1:5], bitmask)
    assert torch.equal(parts[1:5], expected) and not parts[0].any() and not parts[5].any()
    masked = logits.clone().as_subclass(Named)
    weir.apply_token_bitmask_inplace(masked, bitmask)
    assert torch.equal(masked.as_subclass(torch.Tensor), expected)
    for wrong, message in ((logits.t().contiguous().t(), "contiguous"), (logits.reshape(2, 2, 97), "3 dimensions"),
                           (torch.zeros((4, 194))[:, ::2], "contiguous")):
        with pytest.raises(ValueError, match=message):
            weir.apply_token_bitmask_inplace(wrong, bitmask)


# Triton runs its programs on the CPU if TRITON_INTERPRET is set before it is imported.
ON_THE_CPU = """
import sys
import torch
from weir.triton_kernels import apply_token_bitmask_inplace_cuda
sys.path.insert(0, sys.argv[1])
from test_torch import random_case, reference
for dtype in (torch.float32, torch.float16, torch.bfloat16):
    for batch, width, words in ((1, 97, 4), (3, 5000, 157), (2, 9000, 200)):
        logits, bitmask = random_case(batch, width, words, dtype)
        expected = reference(logits, bitmask)
        masked = logits.clone()
        apply_token_bitmask_inplace_cuda(masked, bitmask)
        assert torch.equal(masked, expected)
        last = logits.clone()
        apply_token_bitmask_inplace_cuda(last, bitmask, [batch - 1])
        assert torch.equal(last[-1], expected[-1]) and torch.equal(last[:-1], logits[:-1])
        for kind in (torch.int32, torch.int64):  # a tensor on the same device; rows that do not exist are left out
            last = logits.clone()
            apply_token_bitmask_inplace_cuda(last, bitmask, torch.tensor([batch, batch - 1, -1], dtype=kind))
            assert torch.equal(last[-1], expected[-1]) and torch.equal(last[:-1], logits[:-1])
try:
    apply_token_bitmask_inplace_cuda(logits, bitmask, torch.tensor([0.0]))
    raise AssertionError("indices of floats")
except TypeError:
    pass
"""


def test_the_kernel_for_gpus_in_tritons_interpreter():
    pytest.importorskip("triton")
    here = str(pathlib.Path(__file__).parent)
    done = subprocess.run([sys.executable, "-c", ON_THE_CPU, here], env={**os.environ, "TRITON_INTERPRET": "1"},
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("batch, width, words", [(1, 97, 4), (3, 128256, 4008), (5, 10000, 300)])
def test_masking_on_a_gpu(dtype, batch, width, words):
    logits, bitmask = random_case(batch, width, words, dtype)
    expected = reference(logits, bitmask)
    masked = logits.cuda()
    weir.apply_token_bitmask_inplace(masked, bitmask.cuda())
    assert torch.equal(masked.cpu(), expected)
    last = logits.cuda()
    weir.apply_token_bitmask_inplace(last, bitmask.cuda(), [batch - 1])
    assert torch.equal(last.cpu()[-1], expected[-1]) and torch.equal(last.cpu()[:-1], logits[:-1])
    with pytest.raises(TypeError, match="on cpu"):
        weir.apply_token_bitmask_inplace(masked, bitmask)
    with pytest.raises(IndexError):
        weir.apply_token_bitmask_inplace(masked, bitmask.cuda(), [batch])
