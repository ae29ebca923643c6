"""Grammars in outlines.

    model = outlines.from_transformers(transformers_model, tokenizer)
    generator = outlines.Generator(model, processor=logits_processor(model, outlines.json_schema(schema)))
    text = generator("Write a record.", max_new_tokens=100)

outlines 1.3 chooses among three backends by name and has no registry for others. But a generator takes any logits
processor, and resets it before each call.
"""

from __future__ import annotations

import threading
import weakref
from typing import Any

from outlines.models import LlamaCpp, Transformers
from outlines.types.dsl import CFG, JsonSchema, python_types_to_terms, to_regex
from weir._weir import CompiledGrammar, GrammarCompiler, TokenizerInfo

__all__ = ["compile_output_type", "compiler_of", "logits_processor"]

_compilers: weakref.WeakKeyDictionary[Any, GrammarCompiler] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


def compiler_of(model: Any) -> GrammarCompiler:
    """Returns the compiler for an outlines model; the same for each call with it.

    Raises TypeError: neither outlines.models.Transformers nor LlamaCpp. TokenizerError: weir does not support the
    model's tokenizer. OSError: LlamaCpp's GGUF file does not exist any more.
    Cost: the first call for a model reads its vocabulary.
    """
    if not isinstance(model, (Transformers, LlamaCpp)):
        raise TypeError("weir makes logits processors for outlines' Transformers and LlamaCpp, not for "
                        f"{type(model).__name__}")
    with _lock:
        known = _compilers.get(model)
        if known is None:
            known = GrammarCompiler(_tokenizer_info(model))
            _compilers[model] = known
        return known


def _tokenizer_info(model: Any) -> TokenizerInfo:
    if isinstance(model, Transformers):
        from weir.integrations import transformers

        return transformers.tokenizer_info(model.hf_tokenizer, model.model)
    from weir.integrations import llama_cpp

    return llama_cpp.tokenizer_info(model.model)


def compile_output_type(compiler: GrammarCompiler, output_type: Any) -> CompiledGrammar:
    """Compiles what outlines takes as an output type.

    output_type: a JSON schema (outlines.json_schema, a pydantic model, a dataclass, a TypedDict), which weir reads
        itself, with the profile "serving" and, where there is one, the type's pattern of white space; a grammar
        (outlines.cfg), XGrammar's EBNF if it has `::=`, otherwise Lark, whose schemas have that profile, too; all others
        (int, Literal, Enum, outlines.regex and their combinations) by the regular expression that outlines makes of
        them.
    Raises GrammarError: weir refuses it. TypeError: outlines does not know the type.
    """
    term = python_types_to_terms(output_type)
    if isinstance(term, CFG):
        if "::=" in term.definition:
            return compiler.compile_grammar(term.definition, syntax="xgrammar")
        return compiler.compile_grammar(term.definition, syntax="lark", json_schema={"profile": "serving"})
    if isinstance(term, JsonSchema):
        options: dict[str, Any] = {"profile": "serving"}
        if term.whitespace_pattern:
            options |= {"whitespace": "pattern", "whitespace_pattern": term.whitespace_pattern}
        elif term.whitespace_pattern == "":
            options["whitespace"] = "none"
        return compiler.compile_json_schema(term.schema, **options)
    return compiler.compile_regex(to_regex(term))


def logits_processor(model: Any, output_type: Any) -> Any:
    """Makes a logits processor for outlines.Generator(model, processor=...).

    model: outlines.models.Transformers or LlamaCpp. output_type: as compile_output_type takes it, or a CompiledGrammar
        of compiler_of(model).
    Returns weir.integrations.transformers.GrammarLogitsProcessor or weir.integrations.llama_cpp.GrammarLogitsProcessor.
    Raises as compiler_of and compile_output_type.
    """
    compiler = compiler_of(model)
    compiled = output_type if isinstance(output_type, CompiledGrammar) else compile_output_type(compiler, output_type)
    if isinstance(model, Transformers):
        from weir.integrations import transformers

        return transformers.GrammarLogitsProcessor(compiled)
    from weir.integrations import llama_cpp

    return llama_cpp.GrammarLogitsProcessor(compiled)
