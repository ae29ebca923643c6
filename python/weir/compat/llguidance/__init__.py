"""llguidance's interface, implemented with weir: `import weir.compat.llguidance as llguidance`.

It has the part that inference engines call: LLTokenizer, LLMatcher, LLExecutor, LLInterpreter, StructTag, grammar_from,
and the modules numpy, torch, mlx, hf, tiktoken, llamacpp and gbnf_to_lark. docs/compat.md lists the differences.
"""

from weir.compat.llguidance._grammars import GrammarFormat, grammar_from
from weir.compat.llguidance._interpreter import LLInterpreter
from weir.compat.llguidance._matcher import LLExecutor, LLMatcher
from weir.compat.llguidance._struct_tag import StructTag
from weir.compat.llguidance._tokenizer import LLTokenizer, TokenizerWrapper
from weir.compat.llguidance.gbnf_to_lark import regex_to_lark

__all__ = ["GrammarFormat", "LLExecutor", "LLInterpreter", "LLMatcher", "LLTokenizer", "StructTag", "TokenizerWrapper",
           "grammar_from", "regex_to_lark"]
