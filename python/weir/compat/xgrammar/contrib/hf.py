"""xgrammar.contrib.hf: the processor for transformers' generate()."""

from __future__ import annotations

from weir.compat.xgrammar.compiler import CompiledGrammar
from weir.integrations.transformers import GrammarLogitsProcessor

__all__ = ["LogitsProcessor"]


class LogitsProcessor(GrammarLogitsProcessor):
    """weir.integrations.transformers.GrammarLogitsProcessor of xgrammar's compiled grammars, one or one for each
    prompt."""

    def __init__(self, compiled_grammar: CompiledGrammar | list[CompiledGrammar]) -> None:
        grammars = [compiled_grammar] if isinstance(compiled_grammar, CompiledGrammar) else compiled_grammar
        super().__init__([grammar.compiled for grammar in grammars], at_text_start=False)
