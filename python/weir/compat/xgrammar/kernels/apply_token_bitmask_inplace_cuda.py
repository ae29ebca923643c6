"""xgrammar.kernels.apply_token_bitmask_inplace_cuda."""

from __future__ import annotations

from typing import Any

from weir.compat.xgrammar.matcher import apply_token_bitmask_inplace

__all__ = ["apply_token_bitmask_inplace_cuda"]


def apply_token_bitmask_inplace_cuda(logits: Any, bitmask: Any, vocab_size: int | None = None,
                                     indices: Any = None) -> None:
    """Calls apply_token_bitmask_inplace for tensors on a CUDA device."""
    apply_token_bitmask_inplace(logits, bitmask, vocab_size=vocab_size, indices=indices)
