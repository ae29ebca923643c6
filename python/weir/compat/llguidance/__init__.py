"""llguidance's interface, implemented with weir: `import weir.compat.llguidance as llguidance`.

It has the part that programs call: LLTokenizer, LLMatcher, LLExecutor, LLInterpreter, StructTag, grammar_from, the
compilers of grammars, and the modules numpy, torch, mlx, hf, tiktoken, llamacpp and gbnf_to_lark. docs/compat.md lists
the differences.
"""

from weir import __version__
from weir.compat.llguidance._compilers import JsonCompiler, LarkCompiler, RegexCompiler
from weir.compat.llguidance._grammars import GrammarFormat, grammar_from
from weir.compat.llguidance._interpreter import LLInterpreter
from weir.compat.llguidance._matcher import LLExecutor, LLMatcher
from weir.compat.llguidance._struct_tag import StructTag
from weir.compat.llguidance._tokenizer import LLTokenizer, TokenizerWrapper
from weir.compat.llguidance.gbnf_to_lark import regex_to_lark

__all__ = ["GrammarFormat", "JsonCompiler", "LLExecutor", "LLInterpreter", "LLMatcher", "LLTokenizer", "LarkCompiler",
           "RegexCompiler", "StructTag", "TokenizerWrapper", "__version__", "get_version", "grammar_from",
           "regex_to_lark"]


def get_version() -> str:
    """Returns weir's name and version."""
    return f"weir@{__version__}"
