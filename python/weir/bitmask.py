"""Token bitmasks: one bit for each token, in words of 32 bits, the layout that inference engines and GPU kernels use.

A bitmask is an int32 array of shape (batch, ceil(vocab_size / 32)). Token t of a row is bit t % 32 of word t // 32; 1
means that it may come next.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from weir import _weir

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["allocate_token_bitmask", "apply_token_bitmask_inplace", "bitmask_words"]


def bitmask_words(vocab_size: int) -> int:
    """Returns the number of words of a bitmask's row, ceil(vocab_size / 32). Raises TypeError, ValueError: no size."""
    return (_count("vocab_size", vocab_size) + 31) // 32


def _count(name: str, value: Any) -> int:
    try:
        count = operator.index(value)
    except TypeError:
        raise TypeError(f"`{name}` must be an int, not {type(value).__name__}") from None
    if count < 0:
        raise ValueError(f"`{name}` must not be negative")
    return count


def allocate_token_bitmask(batch_size: int, vocab_size: int) -> npt.NDArray[np.int32]:
    """Makes a bitmask in which all tokens are allowed.

    Returns an int32 array of shape (batch_size, ceil(vocab_size / 32)). torch.from_numpy makes a tensor of it without a
    copy. To copy a bitmask to a GPU asynchronously, use a tensor in pinned memory instead: matchers can fill any int32
    tensor of that shape.
    Raises TypeError: no number. ValueError: a negative or an impossible size.
    """
    import numpy as np  # imported here, because that takes most of the time of importing weir

    return np.full((_count("batch_size", batch_size), bitmask_words(vocab_size)), -1, dtype=np.int32)


def apply_token_bitmask_inplace(logits: Any, bitmask: Any, indices: Sequence[int] | Any = None) -> None:
    """Sets the logits of all tokens that the bitmask does not allow to minus infinity.

    logits: float32 or float16 (numpy), or float32, float16 or bfloat16 (torch); shape (batch, width) or (width,),
        C-contiguous. The width may be larger than the vocabulary (padding); logits after the bitmask's last word are
        set, too.
    bitmask: int32, shape (batch, ceil(vocab_size / 32)) or (ceil(vocab_size / 32),); if the logits are on a GPU, on the
        same GPU.
    indices: the rows to mask, by the same index in both arrays; None: all rows. For logits on a GPU also a tensor on
        the same GPU, which is not checked: rows that do not exist are left out.
    Raises TypeError: wrong dtype or device. ValueError: wrong shape or layout, or read-only. IndexError: no such row.
    Cost: one pass over the logits, which skips words whose tokens are all allowed. Python's lock is released. On a GPU
        one kernel (weir.triton_kernels); the call does not wait for it.
    """
    if getattr(logits, "is_cuda", False):
        from weir.triton_kernels import apply_token_bitmask_inplace_cuda

        apply_token_bitmask_inplace_cuda(logits, bitmask, indices)
    else:
        _weir.apply_token_bitmask_inplace(logits, bitmask, indices)
