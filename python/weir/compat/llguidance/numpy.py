"""llguidance.numpy: bitmasks of numpy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import weir
from weir.compat.llguidance._bitmasks import (
    apply_token_bitmask_inplace,
    consume_token_par,
    fill_next_token_bitmask,
    fill_next_token_bitmask_par,
    fill_next_token_bitmask_par_with_draft_tokens,
    get_bitmask_shape,
)

__all__ = ["allocate_token_bitmask", "apply_token_bitmask_inplace", "apply_token_bitmask_inplace_kernel",
           "consume_token_par", "fill_next_token_bitmask", "fill_next_token_bitmask_par",
           "fill_next_token_bitmask_par_with_draft_tokens", "get_bitmask_shape"]


def allocate_token_bitmask(batch_size: int, vocab_size: int) -> npt.NDArray[np.int32]:
    return weir.allocate_token_bitmask(batch_size, vocab_size)


apply_token_bitmask_inplace_kernel = apply_token_bitmask_inplace
