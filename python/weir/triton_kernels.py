"""Masks logits on a CUDA device with Triton. Needs torch and triton, which torch's CUDA builds install.

Each Triton program masks a block of one row: it reads the words of the block and writes minus infinity for each bit
that is not set. Allowed logits are neither read nor written, so the cost of a call is that of storing the masked ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

try:
    import torch
    import triton
    import triton.language as tl
except ImportError as error:
    raise ImportError("masking logits on a CUDA device needs torch and triton") from error

__all__ = ["apply_token_bitmask_inplace_cuda"]

_BLOCK = 4096  # logits per Triton program


@triton.jit
def _mask_rows(logits, bitmask, indices, rows, width, words, logits_stride, bitmask_stride, has_indices: tl.constexpr,
               block: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    if has_indices:
        row = tl.load(indices + row).to(tl.int64)
    # A row that does not exist has no words and no logits. (A condition of the row and one of each token: Triton 3.9's
    # interpreter makes integers of both together.)
    is_row = (row >= 0) & (row < rows)
    words = tl.where(is_row, words, 0)
    width = tl.where(is_row, width, 0)
    token = tl.program_id(1) * block + tl.arange(0, block)
    word = tl.load(bitmask + row * bitmask_stride + token // 32, mask=token // 32 < words, other=0)
    is_masked = ((word >> (token % 32)) & 1) == 0
    tl.store(logits + row * logits_stride + token, -float("inf"), mask=is_masked & (token < width))


def _check(logits: Any, bitmask: Any) -> None:
    if logits.dtype not in (torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(f"`logits` has elements of type {logits.dtype}; float32, float16 or bfloat16 is needed")
    if not isinstance(bitmask, torch.Tensor) or bitmask.dtype != torch.int32:
        raise TypeError("`bitmask` must be an int32 tensor")
    if bitmask.device != logits.device:
        raise TypeError(f"`bitmask` is on {bitmask.device}, `logits` on {logits.device}")
    for name, tensor in (("logits", logits), ("bitmask", bitmask)):
        if tensor.dim() not in (1, 2):
            raise ValueError(f"`{name}` has {tensor.dim()} dimensions; 1 or 2 are needed")
        if not tensor.is_contiguous():
            raise ValueError(f"`{name}` is not contiguous; pass a contiguous tensor")


def apply_token_bitmask_inplace_cuda(logits: Any, bitmask: Any, indices: Sequence[int] | Any = None) -> None:
    """Does what weir.apply_token_bitmask_inplace does, for tensors on a CUDA device. Does not wait for the device.

    indices: also an int32 or int64 tensor of one dimension on that device. It is not copied to the CPU, so a row that
        does not exist is no error; it is left out.
    """
    _check(logits, bitmask)
    logits, bitmask = torch.atleast_2d(logits), torch.atleast_2d(bitmask)
    rows, width = logits.shape
    words = bitmask.shape[1]
    if indices is None and bitmask.shape[0] != rows:
        raise ValueError(f"`logits` has {rows} rows, `bitmask` {bitmask.shape[0]}")
    if (width + 31) // 32 < words:
        raise ValueError(f"`logits` has {width} columns, fewer than the tokens of `bitmask`, {words} words a row")
    both = min(rows, bitmask.shape[0])
    selected = logits  # not read if there are no indices, but it must be a valid pointer
    if isinstance(indices, torch.Tensor) and indices.device == logits.device:
        if indices.dim() != 1 or indices.dtype not in (torch.int32, torch.int64):
            raise TypeError(f"`indices` is a tensor of {indices.dtype} with {indices.dim()} dimensions; int32 or int64 "
                            "with one is needed")
        selected = indices.contiguous()
        rows = len(indices)
    elif indices is not None:
        for row in indices:
            if not 0 <= row < both:
                raise IndexError(f"`indices` has row {row}; there are {both}")
        selected = torch.tensor(indices, dtype=torch.int64).to(logits.device, non_blocking=True)
        rows = len(indices)
    if rows == 0 or width == 0:
        return
    with torch.cuda.device_of(logits):
        _mask_rows[(rows, triton.cdiv(width, _BLOCK))](
            logits, bitmask, selected, both, width, words, logits.stride(0), bitmask.stride(0),
            has_indices=indices is not None, block=_BLOCK)
