"""xgrammar's interface, implemented with weir: `import weir.compat.xgrammar as xgr`.

Names, arguments and defaults are xgrammar's. Functions and options without a counterpart raise NotImplementedError. The
masks are exact, so they differ from xgrammar's where those are not. docs/compat.md lists the other differences. """

from typing import Any

from weir.compat.xgrammar import (
    builtin_structural_tag,
    config,
    exception,
    openai_tool_call_schema,
    structural_tag,
    testing,
)
from weir.compat.xgrammar.builtin_structural_tag import (
    get_builtin_structural_tag,
    get_model_structural_tag,
    normalize_tool_choice,
    register_model_structural_tag,
)
from weir.compat.xgrammar.compiler import CompiledGrammar, GrammarCompiler
from weir.compat.xgrammar.config import (
    get_max_recursion_depth,
    get_serialization_version,
    max_recursion_depth,
    set_max_recursion_depth,
)
from weir.compat.xgrammar.exception import (
    DeserializeFormatError,
    DeserializeVersionError,
    InvalidJSONError,
    InvalidStructuralTagError,
)
from weir.compat.xgrammar.grammar import Grammar, StructuralTagItem
from weir.compat.xgrammar.matcher import (
    BatchGrammarMatcher,
    GrammarMatcher,
    allocate_token_bitmask,
    apply_token_bitmask_inplace,
    get_bitmask_shape,
    reset_token_bitmask,
)
from weir.compat.xgrammar.structural_tag import StructuralTag
from weir.compat.xgrammar.tokenizer_info import TokenizerInfo, VocabType

__all__ = [
    "BatchGrammarMatcher",
    "CompiledGrammar",
    "DeserializeFormatError",
    "DeserializeVersionError",
    "Grammar",
    "GrammarCompiler",
    "GrammarMatcher",
    "InvalidJSONError",
    "InvalidStructuralTagError",
    "StructuralTag",
    "StructuralTagItem",
    "TokenizerInfo",
    "VocabType",
    "allocate_token_bitmask",
    "apply_token_bitmask_inplace",
    "builtin_structural_tag",
    "config",
    "exception",
    "get_bitmask_shape",
    "get_builtin_structural_tag",
    "get_max_recursion_depth",
    "get_model_structural_tag",
    "get_serialization_version",
    "max_recursion_depth",
    "normalize_tool_choice",
    "openai_tool_call_schema",
    "register_model_structural_tag",
    "reset_token_bitmask",
    "set_max_recursion_depth",
    "structural_tag",
    "testing",
]


def __getattr__(name: str) -> Any:
    if name == "bitmask_dtype":
        import torch  # imported here, because grammars do not need it

        return torch.int32
    if name == "hf":
        from weir.compat.xgrammar.contrib import hf  # as above

        return hf
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
