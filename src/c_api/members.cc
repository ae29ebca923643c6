// Written by tools/generate from the structs in include/weir. Do not edit.
// clang-format off
#include "c_api/members.h"

#include "c_api/options.h"

namespace weir::c_api {

namespace {

constexpr Member kLimits[] = {
    WEIR_MEMBER(weir_limits, Limits, text_bytes),
    WEIR_MEMBER(weir_limits, Limits, nesting),
    WEIR_MEMBER(weir_limits, Limits, grammar_symbols),
    WEIR_MEMBER(weir_limits, Limits, repeat_count),
    WEIR_MEMBER(weir_limits, Limits, number_digits),
    WEIR_MEMBER(weir_limits, Limits, schema_steps),
    WEIR_MEMBER(weir_limits, Limits, token_dfa_states),
    WEIR_MEMBER(weir_limits, Limits, token_dfa_transitions),
    WEIR_MEMBER(weir_limits, Limits, call_work),
    WEIR_MEMBER(weir_limits, Limits, regex_nodes),
    WEIR_MEMBER(weir_limits, Limits, regex_fuel),
    WEIR_MEMBER(weir_limits, Limits, lexer_states),
    WEIR_MEMBER(weir_limits, Limits, row_items),
    WEIR_MEMBER(weir_limits, Limits, configuration_threads),
    WEIR_MEMBER(weir_limits, Limits, lookahead_threads),
    WEIR_MEMBER(weir_limits, Limits, capture_items),
    WEIR_MEMBER(weir_limits, Limits, completion_bytes),
    WEIR_MEMBER(weir_limits, Limits, state_memory),
    WEIR_MEMBER(weir_limits, Limits, cache_memory),
};

constexpr Member kTokenizerOptions[] = {
    WEIR_MEMBER(weir_tokenizer_options, TokenizerOptions, stop_token_ids),
    WEIR_MEMBER(weir_tokenizer_options, TokenizerOptions, padded_vocab_size),
};
WEIR_COUNT(weir_tokenizer_options, stop_token_ids, stop_token_count);

constexpr Member kVocabSpec[] = {
    WEIR_MEMBER(weir_vocab_spec, VocabSpec, tokens),
    WEIR_MEMBER(weir_vocab_spec, VocabSpec, special_token_ids),
    WEIR_MEMBER(weir_vocab_spec, VocabSpec, stop_token_ids),
    WEIR_MEMBER(weir_vocab_spec, VocabSpec, drops_leading_space),
    WEIR_MEMBER(weir_vocab_spec, VocabSpec, stop_tokens_by_name),
    WEIR_WORD(weir_vocab_spec, VocabSpec, spelling, TokenSpelling::kByteLevel, "weir_token_spelling"),
};
WEIR_COUNT(weir_vocab_spec, tokens, token_count);
WEIR_COUNT(weir_vocab_spec, special_token_ids, special_token_count);
WEIR_COUNT(weir_vocab_spec, stop_token_ids, stop_token_count);

constexpr Member kEbnfOptions[] = {
    WEIR_MEMBER(weir_ebnf_options, EbnfOptions, start),
};

constexpr Member kNamedGrammar[] = {
    WEIR_MEMBER(weir_named_grammar, NamedGrammar, name),
    WEIR_MEMBER(weir_named_grammar, NamedGrammar, text),
    WEIR_WORD(weir_named_grammar, NamedGrammar, syntax, GrammarSyntax::kLark, "weir_grammar_syntax"),
};

constexpr Member kRegexOptions[] = {
    WEIR_WORD(weir_regex_options, RegexOptions, dialect, RegexDialect::kPcre, "weir_regex_dialect"),
    WEIR_WORD(weir_regex_options, RegexOptions, match, RegexMatch::kSearch, "weir_regex_match"),
    WEIR_MEMBER(weir_regex_options, RegexOptions, ignore_case),
    WEIR_MEMBER(weir_regex_options, RegexOptions, multi_line),
    WEIR_MEMBER(weir_regex_options, RegexOptions, dot_all),
    WEIR_MEMBER(weir_regex_options, RegexOptions, extended),
    WEIR_MEMBER(weir_regex_options, RegexOptions, operators),
};

constexpr Member kSchemaDocument[] = {
    WEIR_MEMBER(weir_schema_document, SchemaDocument, uri),
    WEIR_MEMBER(weir_schema_document, SchemaDocument, text),
};

constexpr Member kJsonSchemaOptions[] = {
    WEIR_WORD(weir_json_schema_options, JsonSchemaOptions, default_draft, JsonSchemaOptions::Draft::k2020_12, "weir_schema_draft"),
    WEIR_WORD(weir_json_schema_options, JsonSchemaOptions, reading, JsonSchemaOptions::Reading::kPractice, "weir_schema_reading"),
    WEIR_MEMBER(weir_json_schema_options, JsonSchemaOptions, base_uri),
    WEIR_STRUCTS(weir_json_schema_options, JsonSchemaOptions, documents, weir_schema_document),
    WEIR_WORD(weir_json_schema_options, JsonSchemaOptions, formats, JsonSchemaOptions::Formats::kAnnotate, "weir_schema_formats"),
    WEIR_WORD(weir_json_schema_options, JsonSchemaOptions, unknown_formats, JsonSchemaOptions::UnknownFormats::kRefuse, "weir_schema_unknown_formats"),
    WEIR_WORD(weir_json_schema_options, JsonSchemaOptions, unknown_keywords, JsonSchemaOptions::UnknownKeywords::kRefuse, "weir_schema_unknown_keywords"),
    WEIR_WORD(weir_json_schema_options, JsonSchemaOptions, notation, JsonSchemaOptions::Notation::kYaml, "weir_schema_notation"),
    WEIR_WORD(weir_json_schema_options, JsonSchemaOptions, whitespace, JsonSchemaOptions::Whitespace::kPattern, "weir_schema_whitespace"),
    WEIR_MEMBER(weir_json_schema_options, JsonSchemaOptions, whitespace_limit),
    WEIR_MEMBER(weir_json_schema_options, JsonSchemaOptions, indent),
    WEIR_MEMBER(weir_json_schema_options, JsonSchemaOptions, whitespace_pattern),
    WEIR_MEMBER(weir_json_schema_options, JsonSchemaOptions, leading_whitespace),
    WEIR_MEMBER(weir_json_schema_options, JsonSchemaOptions, trailing_whitespace),
    WEIR_WORD(weir_json_schema_options, JsonSchemaOptions, order, JsonSchemaOptions::Order::kDeclared, "weir_schema_order"),
    WEIR_WORD(weir_json_schema_options, JsonSchemaOptions, escapes, JsonSchemaOptions::Escapes::kRequired, "weir_schema_escapes"),
    WEIR_MEMBER(weir_json_schema_options, JsonSchemaOptions, lone_surrogates),
    WEIR_MEMBER(weir_json_schema_options, JsonSchemaOptions, characters),
    WEIR_MEMBER(weir_json_schema_options, JsonSchemaOptions, exponents),
    WEIR_MEMBER(weir_json_schema_options, JsonSchemaOptions, scientific_decimals),
    WEIR_WORD(weir_json_schema_options, JsonSchemaOptions, integers, JsonSchemaOptions::Integers::kPlain, "weir_schema_integers"),
    WEIR_WORD(weir_json_schema_options, JsonSchemaOptions, numbers, JsonSchemaOptions::Numbers::kDouble, "weir_schema_numbers"),
    WEIR_MEMBER(weir_json_schema_options, JsonSchemaOptions, number_digits),
};
WEIR_COUNT(weir_json_schema_options, documents, document_count);

constexpr Member kGrammarTextOptions[] = {
    WEIR_WORD(weir_text_options, GrammarTextOptions, syntax, GrammarSyntax::kLark, "weir_grammar_syntax"),
    WEIR_MEMBER(weir_text_options, GrammarTextOptions, start),
    WEIR_MEMBER(weir_text_options, GrammarTextOptions, exact_splits),
    WEIR_MEMBER(weir_text_options, GrammarTextOptions, keep_endless),
    WEIR_STRUCTS(weir_text_options, GrammarTextOptions, grammars, weir_named_grammar),
    WEIR_OPTIONS(weir_text_options, GrammarTextOptions, json_schema, weir_json_schema_options),
    WEIR_MEMBER(weir_text_options, GrammarTextOptions, indenter),
    WEIR_MEMBER(weir_text_options, GrammarTextOptions, language),
};
WEIR_COUNT(weir_text_options, grammars, grammar_count);

constexpr Member kStructuralTagOptions[] = {
    WEIR_OPTIONS(weir_structural_tag_options, StructuralTagOptions, json_schema, weir_json_schema_options),
    WEIR_WORD(weir_structural_tag_options, StructuralTagOptions, grammar_syntax, GrammarSyntax::kLark, "weir_grammar_syntax"),
    WEIR_MEMBER(weir_structural_tag_options, StructuralTagOptions, special_tokens),
};
WEIR_COUNT(weir_structural_tag_options, special_tokens, special_token_count);

constexpr Member kToolOptions[] = {
    WEIR_MEMBER(weir_tool_options, ToolOptions, tool_choice),
    WEIR_MEMBER(weir_tool_options, ToolOptions, parallel_tool_calls),
    WEIR_WORD(weir_tool_options, ToolOptions, reasoning, ToolOptions::Reasoning::kAuto, "weir_tool_reasoning"),
    WEIR_MEMBER(weir_tool_options, ToolOptions, max_reasoning_tokens),
    WEIR_MEMBER(weir_tool_options, ToolOptions, reasoning_closing),
    WEIR_MEMBER(weir_tool_options, ToolOptions, response_format),
    WEIR_WORD(weir_tool_options, ToolOptions, on_bad_tool, ToolOptions::OnBadTool::kDrop, "weir_tool_on_bad_tool"),
};

constexpr Member kReplyOptions[] = {
    WEIR_OPTIONS(weir_reply_options, ReplyOptions, tools, weir_tool_options),
    WEIR_WORD(weir_reply_options, ReplyOptions, mode, ReplyOptions::Mode::kStrict, "weir_reply_mode"),
    WEIR_MEMBER(weir_reply_options, ReplyOptions, values),
};

constexpr Member kCacheStats[] = {
    WEIR_MEMBER(weir_cache_stats, CacheStats, hits),
    WEIR_MEMBER(weir_cache_stats, CacheStats, misses),
    WEIR_MEMBER(weir_cache_stats, CacheStats, evictions),
    WEIR_MEMBER(weir_cache_stats, CacheStats, entries),
    WEIR_MEMBER(weir_cache_stats, CacheStats, memory_bytes),
};

constexpr Member kEngineStats[] = {
    WEIR_MEMBER(weir_engine_stats, EngineStats, states),
    WEIR_MEMBER(weir_engine_stats, EngineStats, transitions),
    WEIR_MEMBER(weir_engine_stats, EngineStats, rows),
    WEIR_MEMBER(weir_engine_stats, EngineStats, row_items),
    WEIR_MEMBER(weir_engine_stats, EngineStats, continuations),
    WEIR_MEMBER(weir_engine_stats, EngineStats, lexer_states),
    WEIR_MEMBER(weir_engine_stats, EngineStats, regex_nodes),
    WEIR_MEMBER(weir_engine_stats, EngineStats, masks),
    WEIR_MEMBER(weir_engine_stats, EngineStats, trie_nodes),
    WEIR_MEMBER(weir_engine_stats, EngineStats, facts),
    WEIR_MEMBER(weir_engine_stats, EngineStats, cache_flushes),
    WEIR_MEMBER(weir_engine_stats, EngineStats, memory_bytes),
};

constexpr Member kWarmUpOptions[] = {
    WEIR_MEMBER(weir_warm_up_options, WarmUpOptions, work),
};

constexpr Member kWarmUpReport[] = {
    WEIR_MEMBER(weir_warm_up_report, WarmUpReport, work),
    WEIR_MEMBER(weir_warm_up_report, WarmUpReport, masks),
    WEIR_MEMBER(weir_warm_up_report, WarmUpReport, is_complete),
};

constexpr Member kMatcherOptions[] = {
    WEIR_MEMBER(weir_matcher_options, MatcherOptions, at_text_start),
    WEIR_WORD(weir_matcher_options, MatcherOptions, tokenization, Tokenization::kCanonical, "weir_tokenization"),
    WEIR_MEMBER(weir_matcher_options, MatcherOptions, context),
    WEIR_MEMBER(weir_matcher_options, MatcherOptions, stop_token_ids),
    WEIR_MEMBER(weir_matcher_options, MatcherOptions, max_tokens),
};
WEIR_COUNT(weir_matcher_options, context, context_count);
WEIR_COUNT(weir_matcher_options, stop_token_ids, stop_token_count);

constexpr Member kStateStats[] = {
    WEIR_MEMBER(weir_state_stats, StateStats, state),
    WEIR_MEMBER(weir_state_stats, StateStats, threads),
    WEIR_MEMBER(weir_state_stats, StateStats, terminals_in_progress),
    WEIR_MEMBER(weir_state_stats, StateStats, byte_classes),
    WEIR_MEMBER(weir_state_stats, StateStats, known_transitions),
    WEIR_MEMBER(weir_state_stats, StateStats, mask_known),
};

constexpr Member kBatchOptions[] = {
    WEIR_MEMBER(weir_batch_options, BatchOptions, threads),
    WEIR_MEMBER(weir_batch_options, BatchOptions, prefetch),
};

constexpr Member kKbnfOptions[] = {
    WEIR_MEMBER(weir_kbnf_options, KbnfOptions, start),
    WEIR_MEMBER(weir_kbnf_options, KbnfOptions, keep_endless),
};

constexpr Member kRenderOptions[] = {
    WEIR_MEMBER(weir_render_options, RenderOptions, colors),
};

}  // namespace

constinit const Table Of<weir_limits>::table = table_of<weir_limits, Limits>(kLimits);
constinit const Table Of<weir_tokenizer_options>::table = table_of<weir_tokenizer_options, TokenizerOptions>(kTokenizerOptions);
constinit const Table Of<weir_vocab_spec>::table = table_of<weir_vocab_spec, VocabSpec>(kVocabSpec);
constinit const Table Of<weir_ebnf_options>::table = table_of<weir_ebnf_options, EbnfOptions>(kEbnfOptions);
constinit const Table Of<weir_named_grammar>::table = item_table_of<weir_named_grammar, NamedGrammar>(kNamedGrammar);
constinit const Table Of<weir_regex_options>::table = table_of<weir_regex_options, RegexOptions>(kRegexOptions);
constinit const Table Of<weir_schema_document>::table = item_table_of<weir_schema_document, SchemaDocument>(kSchemaDocument);
constinit const Table Of<weir_json_schema_options>::table = table_of<weir_json_schema_options, JsonSchemaOptions>(kJsonSchemaOptions);
constinit const Table Of<weir_text_options>::table = table_of<weir_text_options, GrammarTextOptions>(kGrammarTextOptions);
constinit const Table Of<weir_structural_tag_options>::table = table_of<weir_structural_tag_options, StructuralTagOptions>(kStructuralTagOptions);
constinit const Table Of<weir_tool_options>::table = table_of<weir_tool_options, ToolOptions>(kToolOptions);
constinit const Table Of<weir_reply_options>::table = table_of<weir_reply_options, ReplyOptions>(kReplyOptions);
constinit const Table Of<weir_cache_stats>::table = table_of<weir_cache_stats, CacheStats>(kCacheStats);
constinit const Table Of<weir_engine_stats>::table = table_of<weir_engine_stats, EngineStats>(kEngineStats);
constinit const Table Of<weir_warm_up_options>::table = table_of<weir_warm_up_options, WarmUpOptions>(kWarmUpOptions);
constinit const Table Of<weir_warm_up_report>::table = table_of<weir_warm_up_report, WarmUpReport>(kWarmUpReport);
constinit const Table Of<weir_matcher_options>::table = table_of<weir_matcher_options, MatcherOptions>(kMatcherOptions);
constinit const Table Of<weir_state_stats>::table = table_of<weir_state_stats, StateStats>(kStateStats);
constinit const Table Of<weir_batch_options>::table = table_of<weir_batch_options, BatchOptions>(kBatchOptions);
constinit const Table Of<weir_kbnf_options>::table = table_of<weir_kbnf_options, KbnfOptions>(kKbnfOptions);
constinit const Table Of<weir_render_options>::table = table_of<weir_render_options, RenderOptions>(kRenderOptions);

}  // namespace weir::c_api

weir_status weir_limits_init(weir_limits* limits, size_t struct_size) {
  return weir::c_api::init(limits, struct_size);
}
weir_status weir_tokenizer_options_init(weir_tokenizer_options* options, size_t struct_size) {
  return weir::c_api::init(options, struct_size);
}
weir_status weir_vocab_spec_init(weir_vocab_spec* spec, size_t struct_size) {
  return weir::c_api::init(spec, struct_size);
}
weir_status weir_ebnf_options_init(weir_ebnf_options* options, size_t struct_size) {
  return weir::c_api::init(options, struct_size);
}
weir_status weir_regex_options_init(weir_regex_options* options, size_t struct_size) {
  return weir::c_api::init(options, struct_size);
}
weir_status weir_json_schema_options_init(weir_json_schema_options* options, size_t struct_size) {
  return weir::c_api::init(options, struct_size);
}
weir_status weir_text_options_init(weir_text_options* options, size_t struct_size) {
  return weir::c_api::init(options, struct_size);
}
weir_status weir_structural_tag_options_init(weir_structural_tag_options* options, size_t struct_size) {
  return weir::c_api::init(options, struct_size);
}
weir_status weir_tool_options_init(weir_tool_options* options, size_t struct_size) {
  return weir::c_api::init(options, struct_size);
}
weir_status weir_reply_options_init(weir_reply_options* options, size_t struct_size) {
  return weir::c_api::init(options, struct_size);
}
weir_status weir_warm_up_options_init(weir_warm_up_options* options, size_t struct_size) {
  return weir::c_api::init(options, struct_size);
}
weir_status weir_matcher_options_init(weir_matcher_options* options, size_t struct_size) {
  return weir::c_api::init(options, struct_size);
}
weir_status weir_batch_options_init(weir_batch_options* options, size_t struct_size) {
  return weir::c_api::init(options, struct_size);
}
weir_status weir_kbnf_options_init(weir_kbnf_options* options, size_t struct_size) {
  return weir::c_api::init(options, struct_size);
}
weir_status weir_render_options_init(weir_render_options* options, size_t struct_size) {
  return weir::c_api::init(options, struct_size);
}
