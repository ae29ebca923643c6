"""xgrammar.GrammarCompiler and CompiledGrammar."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import weir
from weir._arguments import expect
from weir.compat.xgrammar._serialization import compiled_form, dump, load, read_compiled
from weir.compat.xgrammar.exception import DeserializeFormatError, runtime_errors
from weir.compat.xgrammar.grammar import Grammar, StructuralTagItem, schema_text_and_options
from weir.compat.xgrammar.structural_tag import StructuralTag
from weir.compat.xgrammar.tokenizer_info import TokenizerInfo, with_stop_tokens

__all__ = ["CompiledGrammar", "Grammar", "GrammarCompiler", "StructuralTag", "StructuralTagItem", "TokenizerInfo"]

_Compile = Callable[[weir.GrammarCompiler], weir.CompiledGrammar]


class CompiledGrammar:
    """A weir.CompiledGrammar, `compiled`, with xgrammar's names. A pickle contains what it was made from."""

    def __init__(self, compiled: weir.CompiledGrammar, tokenizer_info: TokenizerInfo) -> None:
        self.compiled = compiled
        self._tokenizer_info = tokenizer_info

    @property
    def tokenizer_info(self) -> TokenizerInfo:
        return self._tokenizer_info

    @property
    def grammar(self) -> Grammar:
        """The grammar that was compiled, read again from its text."""
        _, (_, limits, (method, arguments, options)) = self.compiled.__reduce__()
        if method == "compile":
            return Grammar(arguments[0])
        read = "from_text" if method == "compile_grammar" else method.replace("compile_", "from_")
        with runtime_errors():
            grammar = getattr(weir.Grammar, read)(*arguments, **options, limits=limits)
        return Grammar(grammar, tag=arguments[0] if method == "compile_structural_tag" else None)

    @property
    def memory_size_bytes(self) -> int:
        """The memory of what has been explored so far, in bytes. It grows as outputs reach new states."""
        return self.compiled.stats().memory_bytes

    def with_stop_tokens(self, stop_token_ids: list[int]) -> CompiledGrammar:
        """Returns the same grammar for the same tokens with other stop tokens."""
        info = with_stop_tokens(self._tokenizer_info, stop_token_ids)
        load, (_, limits, recipe) = self.compiled.__reduce__()
        return CompiledGrammar(load(info.info, limits, recipe), info)

    def serialize_json(self) -> str:
        """Returns a JSON form of the grammar for this version of weir, with a digest of the tokenizer."""
        return dump("compiled_grammar", {"grammar": compiled_form(self.compiled),
                                         "tokenizer": self._tokenizer_info.digest})

    @staticmethod
    def deserialize_json(json_str: str, tokenizer_info: TokenizerInfo) -> CompiledGrammar:
        """Raises InvalidJSONError, DeserializeVersionError, DeserializeFormatError (also for another tokenizer)."""
        form = load("compiled_grammar", json_str)
        if form.get("tokenizer") != tokenizer_info.digest:
            raise DeserializeFormatError("it was compiled for another tokenizer")
        return CompiledGrammar(read_compiled(tokenizer_info.info, form.get("grammar")), tokenizer_info)


class GrammarCompiler:
    """A weir.GrammarCompiler with xgrammar's names. Its methods raise GrammarError, a RuntimeError.

    max_threads: ignored; compiling is cheap, and masks are made when they are needed.
    cache_limit_bytes: -1 is weir's default, Limits.cache_memory.
    """

    def __init__(self, tokenizer_info: TokenizerInfo, *, max_threads: int = 8, cache_enabled: bool = True,
                 cache_limit_bytes: int = -1) -> None:
        expect(tokenizer_info, "tokenizer_info", TokenizerInfo)
        limits = weir.Limits()
        if not cache_enabled:
            limits = weir.Limits(cache_memory=0)
        elif cache_limit_bytes >= 0:
            limits = weir.Limits(cache_memory=cache_limit_bytes)
        self._tokenizer_info = tokenizer_info
        self._compiler = weir.GrammarCompiler(tokenizer_info.info, limits=limits)
        self._cache_limit_bytes = cache_limit_bytes

    def compile_json_schema(self, schema: Any, **options: Any) -> CompiledGrammar:
        """The options are those of Grammar.from_json_schema."""
        with runtime_errors():
            text, given = schema_text_and_options(schema, **options)
        return self._made(lambda compiler: compiler.compile_json_schema(text, **given))

    def compile_builtin_json_grammar(self) -> CompiledGrammar:
        return self.compile_grammar(Grammar.builtin_json_grammar())

    def compile_regex(self, regex: str) -> CompiledGrammar:
        return self.compile_grammar(Grammar.from_regex(regex))

    def compile_grammar(self, grammar: str | Grammar, *, root_rule_name: str = "root") -> CompiledGrammar:
        expect(grammar, "grammar", str, Grammar)
        read = Grammar.from_ebnf(grammar, root_rule_name=root_rule_name) if isinstance(grammar, str) else grammar
        return self._made(read.compile_with)

    def compile_lark(self, lark_string: str, **options: Any) -> CompiledGrammar:
        return self.compile_grammar(Grammar.from_lark(lark_string, **options))

    def compile_structural_tag(self, *arguments: Any, **options: Any) -> CompiledGrammar:
        return self.compile_grammar(Grammar.from_structural_tag(*arguments, **options))

    def clear_cache(self) -> None:
        self._compiler.clear_cache()

    def get_cache_size_bytes(self) -> int:
        return self._compiler.cache_stats().memory_bytes

    @property
    def cache_limit_bytes(self) -> int:
        return self._cache_limit_bytes

    def _made(self, compile: _Compile) -> CompiledGrammar:
        with runtime_errors():
            return CompiledGrammar(compile(self._compiler), self._tokenizer_info)
