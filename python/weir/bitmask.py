"""Token bitmasks: one bit a token, in words of 32, the layout that inference engines and their GPU kernels share.

A bitmask is an int32 array of shape (batch, ceil(vocab_size / 32)). Token t of a row is bit t % 32 of word t // 32; 1
means that it may come next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from weir import _weir

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["allocate_token_bitmask", "apply_token_bitmask_inplace", "bitmask_words"]


def bitmask_words(vocab_size: int) -> int:
    """Words of a bitmask's row: ceil(vocab_size / 32). ValueError: the size is negative."""
    if vocab_size < 0:
        raise ValueError("`vocab_size` must not be negative")
    return (vocab_size + 31) // 32


def allocate_token_bitmask(batch_size: int, vocab_size: int) -> npt.NDArray[np.int32]:
    """A bitmask in which everything is allowed, until a matcher fills its row.

    Returns int32 of shape (batch_size, ceil(vocab_size / 32)). torch.from_numpy makes a tensor of it without a copy; to
    copy it to a GPU without waiting, fill a tensor in pinned memory instead: any int32 tensor of that shape will do.
    """
    import numpy as np  # here, for it is most of the time that importing weir would take

    if batch_size < 0:
        raise ValueError("`batch_size` must not be negative")
    return np.full((batch_size, bitmask_words(vocab_size)), -1, dtype=np.int32)


def apply_token_bitmask_inplace(logits: Any, bitmask: Any, indices: Sequence[int] | None = None) -> None:
    """Sets to minus infinity the logits of all tokens that the bitmask does not allow.

    logits: float32 or float16 of numpy, float32, float16 or bfloat16 of torch; shape (batch, width) or (width,),
        C-contiguous. The width may be larger than the vocabulary (padding); logits behind the bitmask's last word are
        set, too.
    bitmask: int32, shape (batch, ceil(vocab_size / 32)) or (ceil(vocab_size / 32),); for logits on a GPU on the same
        one.
    indices: the rows to mask, the same in both; None: all.
    Raises TypeError: dtype, device. ValueError: shape, layout, read-only. IndexError: a row.
    Cost: one pass over the logits, less where whole words are allowed. Python's lock is released. On a GPU one kernel
        (weir.triton_kernels), not waited for.
    """
    if getattr(logits, "is_cuda", False):
        from weir.triton_kernels import apply_token_bitmask_inplace_cuda

        apply_token_bitmask_inplace_cuda(logits, bitmask, indices)
    else:
        _weir.apply_token_bitmask_inplace(logits, bitmask, indices)
