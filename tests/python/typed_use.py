"""Uses of the package with the types that a type checker must infer. The file is type-checked but not run."""

from typing import assert_type

import numpy as np
import numpy.typing as npt

import weir


def decode(path: str, schema: dict[str, object]) -> bytes:
    info = weir.TokenizerInfo.from_file(path, stop_token_ids=[2])
    compiler = weir.GrammarCompiler(info, limits=weir.Limits(nesting=10))
    try:
        compiled = compiler.compile_json_schema(schema, whitespace="compact", documents={"a": True})
    except weir.GrammarError as error:
        assert_type(error.start, int)
        assert_type(error.pointer, str)
        raise
    assert_type(compiled, weir.CompiledGrammar)
    assert_type(weir.check_schema(schema, order="any"), list[weir.Diagnostic])
    assert_type(weir.explain_refusal(schema, b"[1", order="any"), list[weir.Diagnostic])
    assert_type(weir.check_grammar("", syntax="lark")[0].fix, weir.Fix | None)
    assert_type(compiler.submit_regex("a", ignore_case=True, warm_up=True).result(), weir.CompiledGrammar)
    assert_type(compiler.submit(weir.Grammar.from_regex("a"), warm_up=1000).result(), weir.CompiledGrammar)
    assert_type(compiled.warm_up(work=1000).is_complete, bool)
    assert_type(weir.BatchGrammarMatcher(2, prefetch=True), weir.BatchGrammarMatcher)
    assert_type(weir.BatchGrammarMatcher(2).next_token_bitmasks([None]), npt.NDArray[np.int32])
    assert_type(weir.GrammarMatcher(compiled, measure_time=True).timings().grammar_per_token_s, float)
    assert_type(weir.TokenizerInfo.deserialize(info.serialize()), weir.TokenizerInfo)
    matcher = weir.GrammarMatcher(compiled, at_text_start=False)
    bitmask = weir.allocate_token_bitmask(1, info.vocab_size)
    matcher.fill_next_token_bitmask(bitmask, index=0)
    assert_type(matcher.accept_token(3), bool)
    assert_type(matcher.fork(), weir.GrammarMatcher)
    assert_type(matcher.forced_tokens(), list[int])
    assert_type(matcher.shortest_completion(), bytes | None)
    assert_type(matcher.shortest_completion_parts(), list[bytes | int] | None)
    assert_type(matcher.captures(), list[weir.Capture])
    assert_type(matcher.captures()[0].text, bytes)
    assert_type(matcher.explain(3).expected.terminals, list[str])
    assert_type(matcher.compiled_grammar, weir.CompiledGrammar)
    assert_type(compiled.stats().states, int)
    assert_type(info.stop_token_ids, list[int])
    assert_type(info.find_special_token("x"), int | None)
    assert_type(info.canonical_support(), weir.CanonicalSupport)
    assert_type(info.canonical_support().reason, str)
    assert_type(weir.GrammarMatcher(compiled, stop_token_ids=[1]).stop_token_ids, list[int])
    assert_type(info.heal([1, 2]), weir.TokenHealing)
    assert_type(info.heal([1, 2]).bytes, bytes)
    assert_type(weir.GrammarMatcher(compiled, max_tokens=9), weir.GrammarMatcher)
    canonical = weir.GrammarMatcher(compiled, tokenization="canonical", context=[1, 2])
    assert_type(canonical.accept_text("a"), bool)
    return matcher.find_jump_forward_string()
