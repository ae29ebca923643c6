"""Helpers of xgrammar.testing that programs outside xgrammar's tests use."""

from __future__ import annotations

from typing import Any

import weir
from weir.compat.xgrammar.compiler import CompiledGrammar, GrammarCompiler
from weir.compat.xgrammar.grammar import Grammar
from weir.compat.xgrammar.matcher import GrammarMatcher
from weir.compat.xgrammar.tokenizer_info import TokenizerInfo

__all__ = ["CompiledGrammar", "Grammar", "GrammarCompiler", "GrammarMatcher", "TokenizerInfo", "bitmask_to_bool_mask",
           "bool_mask_to_bitmask"]


def _get_matcher_from_grammar(grammar: Grammar | str, **options: Any) -> GrammarMatcher:
    return _get_matcher_from_grammar_and_tokenizer_info(grammar, None, **options)


def _get_matcher_from_grammar_and_tokenizer_info(grammar: Grammar | str, tokenizer_info: TokenizerInfo | None = None,
                                                 **options: Any) -> GrammarMatcher:
    info = tokenizer_info or TokenizerInfo([bytes([byte]) for byte in range(256)], stop_token_ids=[])
    return GrammarMatcher(GrammarCompiler(info).compile_grammar(grammar), **options)


def _is_grammar_accept_string(grammar: Grammar | str, input_str: str | bytes, *, debug_print: bool = False,
                              print_time: bool = False, require_termination: bool = True) -> bool:
    """Returns True if the text is in the grammar; without require_termination, if it is a prefix of such a text."""
    matcher = _get_matcher_from_grammar(grammar)
    return matcher.accept_string(input_str) and (not require_termination or matcher.is_completed())


def _get_masked_tokens_from_bitmask(bitmask: Any, vocab_size: int, index: int = 0) -> list[int]:
    """Returns the tokens that the mask does not allow."""
    allowed = bitmask_to_bool_mask(bitmask, vocab_size)[index]
    return [token for token, is_allowed in enumerate(allowed.tolist()) if not is_allowed]


def _is_single_token_bitmask(bitmask: Any, vocab_size: int, index: int = 0) -> tuple[bool, int]:
    """Returns (True, id) if the mask allows exactly one token, else (False, -1)."""
    tokens = bitmask_to_bool_mask(bitmask, vocab_size)[index].nonzero()[:, 0].tolist()
    return (True, int(tokens[0])) if len(tokens) == 1 else (False, -1)


def bool_mask_to_bitmask(bool_mask: Any) -> Any:
    """Converts a boolean tensor with an element for each token to a bitmask."""
    import torch

    rows, width = bool_mask.shape
    words = weir.bitmask_words(width)
    bits = torch.nn.functional.pad(bool_mask.to(torch.int32), (0, words * 32 - width)).view(rows, words, 32)
    return (bits << torch.arange(32, dtype=torch.int32)).sum(dim=2).to(torch.int32)


def bitmask_to_bool_mask(bit_mask: Any, vocab_size: int | None = None) -> Any:
    """Converts a bitmask to a boolean tensor for `vocab_size` tokens, or for all bits if it is not given."""
    import torch

    bits = (bit_mask.unsqueeze(-1) >> torch.arange(32, dtype=torch.int32)) & 1
    flat = bits.flatten(start_dim=-2).to(torch.bool)
    return flat if vocab_size is None else flat[..., :vocab_size]
