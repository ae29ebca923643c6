"""Grammar-constrained decoding: which tokens may come next, as an exact bit mask.

    tokenizer_info = weir.TokenizerInfo.from_file("tokenizer.json")
    compiled = weir.GrammarCompiler(tokenizer_info).compile_json_schema({"type": "object"})
    matcher = weir.GrammarMatcher(compiled)
    bitmask = weir.allocate_token_bitmask(1, tokenizer_info.vocab_size)
    while not matcher.is_terminated():
        matcher.fill_next_token_bitmask(bitmask)
        weir.apply_token_bitmask_inplace(logits, bitmask)
        matcher.accept_token(sample(logits))
"""

from weir import grammars, tools
from weir._weir import (
    BatchGrammarMatcher,
    CacheStats,
    CanonicalSupport,
    Capture,
    CompiledGrammar,
    Diagnostic,
    DiagnosticNote,
    EngineStats,
    Expectation,
    Fix,
    Grammar,
    GrammarCompiler,
    GrammarMatcher,
    GrammarWarning,
    Limits,
    MatcherTimings,
    ReplyEvent,
    ReplyParser,
    StateStats,
    TokenExplanation,
    TokenHealing,
    TokenizerInfo,
    WarmUpReport,
    check_grammar,
    check_regex,
    check_response_format,
    check_schema,
    check_structural_tag,
    explain_refusal,
    strict_json_schema,
)
from weir._weir import version as __version__
from weir.bitmask import allocate_token_bitmask, apply_token_bitmask_inplace, bitmask_words
from weir.errors import GrammarError, LimitExceededError, TerminatedError, TokenizerError

__all__ = [
    "BatchGrammarMatcher",
    "CacheStats",
    "CanonicalSupport",
    "Capture",
    "CompiledGrammar",
    "Diagnostic",
    "DiagnosticNote",
    "EngineStats",
    "Expectation",
    "Fix",
    "Grammar",
    "GrammarCompiler",
    "GrammarError",
    "GrammarMatcher",
    "GrammarWarning",
    "LimitExceededError",
    "Limits",
    "MatcherTimings",
    "ReplyEvent",
    "ReplyParser",
    "StateStats",
    "TerminatedError",
    "TokenExplanation",
    "TokenHealing",
    "TokenizerError",
    "TokenizerInfo",
    "WarmUpReport",
    "__version__",
    "allocate_token_bitmask",
    "apply_token_bitmask_inplace",
    "bitmask_words",
    "check_grammar",
    "check_regex",
    "check_response_format",
    "check_schema",
    "check_structural_tag",
    "explain_refusal",
    "strict_json_schema",
    "grammars",
    "tools",
]
