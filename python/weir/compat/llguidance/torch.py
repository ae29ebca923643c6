"""llguidance.torch: bitmasks of torch."""

from __future__ import annotations

import torch

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


def allocate_token_bitmask(batch_size: int, vocab_size: int) -> torch.Tensor:
    """Makes a bitmask; if there is a GPU, in pinned memory."""
    return torch.full(get_bitmask_shape(batch_size, vocab_size), -1, dtype=torch.int32,
                      pin_memory=torch.cuda.is_available())


apply_token_bitmask_inplace_kernel = apply_token_bitmask_inplace
