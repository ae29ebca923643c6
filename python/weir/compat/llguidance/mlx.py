"""llguidance.mlx: bitmasks of numpy, and logits of mlx."""

from __future__ import annotations

from typing import Any

import mlx.core as mx
import numpy as np
import numpy.typing as npt

from weir.compat.llguidance.numpy import allocate_token_bitmask, fill_next_token_bitmask, get_bitmask_shape

__all__ = ["allocate_token_bitmask", "apply_token_bitmask", "fill_next_token_bitmask", "get_bitmask_shape"]


def apply_token_bitmask(logits: Any, mask_np: npt.NDArray[np.int32]) -> Any:
    """Returns the logits, of shape (batch, width) or (width,), with minus infinity for each token that is not allowed,
    in two dimensions. Raises ValueError: the numbers of rows differ."""
    logits = logits if logits.ndim == 2 else mx.expand_dims(logits, 0)
    words = np.atleast_2d(mask_np)
    batch, width = logits.shape
    if words.shape[0] != batch:
        raise ValueError(f"`logits` has {batch} rows, `mask_np` {words.shape[0]}")
    bits = np.unpackbits(np.ascontiguousarray(words, dtype="<i4").view(np.uint8), axis=1, bitorder="little")[:, :width]
    allowed = np.zeros((batch, width), dtype=bool)  # logits may be wider than the vocabulary
    allowed[:, :bits.shape[1]] = bits
    return mx.where(mx.array(allowed), logits, mx.array(-float("inf"), dtype=logits.dtype))
