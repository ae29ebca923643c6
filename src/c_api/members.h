// Written by tools/generate from the structs in include/weir. Do not edit.
// clang-format off
#ifndef WEIR_SRC_C_API_MEMBERS_H_
#define WEIR_SRC_C_API_MEMBERS_H_

#include "c_api/member.h"

namespace weir::c_api {

template <>
struct Of<weir_limits> {
  using Cpp = Limits;
  static const Table table;
};

template <>
struct Of<weir_tokenizer_options> {
  using Cpp = TokenizerOptions;
  static const Table table;
};

template <>
struct Of<weir_vocab_spec> {
  using Cpp = VocabSpec;
  static const Table table;
};

template <>
struct Of<weir_ebnf_options> {
  using Cpp = EbnfOptions;
  static const Table table;
};

template <>
struct Of<weir_named_grammar> {
  using Cpp = NamedGrammar;
  static const Table table;
};

template <>
struct Of<weir_regex_options> {
  using Cpp = RegexOptions;
  static const Table table;
};

template <>
struct Of<weir_schema_document> {
  using Cpp = SchemaDocument;
  static const Table table;
};

template <>
struct Of<weir_json_schema_options> {
  using Cpp = JsonSchemaOptions;
  static const Table table;
};

template <>
struct Of<weir_text_options> {
  using Cpp = GrammarTextOptions;
  static const Table table;
};

template <>
struct Of<weir_structural_tag_options> {
  using Cpp = StructuralTagOptions;
  static const Table table;
};

template <>
struct Of<weir_tool_options> {
  using Cpp = ToolOptions;
  static const Table table;
};

template <>
struct Of<weir_reply_options> {
  using Cpp = ReplyOptions;
  static const Table table;
};

template <>
struct Of<weir_cache_stats> {
  using Cpp = CacheStats;
  static const Table table;
};

template <>
struct Of<weir_engine_stats> {
  using Cpp = EngineStats;
  static const Table table;
};

template <>
struct Of<weir_warm_up_options> {
  using Cpp = WarmUpOptions;
  static const Table table;
};

template <>
struct Of<weir_warm_up_report> {
  using Cpp = WarmUpReport;
  static const Table table;
};

template <>
struct Of<weir_matcher_options> {
  using Cpp = MatcherOptions;
  static const Table table;
};

template <>
struct Of<weir_state_stats> {
  using Cpp = StateStats;
  static const Table table;
};

template <>
struct Of<weir_batch_options> {
  using Cpp = BatchOptions;
  static const Table table;
};

template <>
struct Of<weir_kbnf_options> {
  using Cpp = KbnfOptions;
  static const Table table;
};

template <>
struct Of<weir_render_options> {
  using Cpp = RenderOptions;
  static const Table table;
};

}  // namespace weir::c_api

#endif  // WEIR_SRC_C_API_MEMBERS_H_
