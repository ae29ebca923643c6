#include "c_api/options.h"

#include <algorithm>
#include <type_traits>

namespace weir::c_api {

namespace {

// Stores the enumerator with this number in `out`; returns false if there is none. In C and in C++ the enumerators are
// numbered from 0.
template <typename Enum>
bool to_enum(std::int32_t number, Enum last, Enum& out) {
  if (number < 0 || number > static_cast<std::int32_t>(last)) return false;
  out = static_cast<Enum>(number);
  return true;
}

// Stores the syntax with this number in `out`; returns false if there is none.
bool to_enum(std::int32_t number, GrammarSyntax& out) {
  return to_enum(number, static_cast<GrammarSyntax>(UINT8_MAX), out) && !to_string(out).empty();  // a syntax has a name
}

// Calls visit(member of c, member of cpp) for each limit.
template <typename C, typename Cpp, typename Visit>
void for_each_pair_of_limits(C& c, Cpp& cpp, const Visit& visit) {
  visit(c.text_bytes, cpp.text_bytes);
  visit(c.schema_steps, cpp.schema_steps);
  visit(c.call_work, cpp.call_work);
  visit(c.state_memory, cpp.state_memory);
  visit(c.cache_memory, cpp.cache_memory);
  visit(c.token_dfa_transitions, cpp.token_dfa_transitions);
  visit(c.nesting, cpp.nesting);
  visit(c.grammar_symbols, cpp.grammar_symbols);
  visit(c.repeat_count, cpp.repeat_count);
  visit(c.number_digits, cpp.number_digits);
  visit(c.regex_nodes, cpp.regex_nodes);
  visit(c.regex_fuel, cpp.regex_fuel);
  visit(c.lexer_states, cpp.lexer_states);
  visit(c.row_items, cpp.row_items);
  visit(c.configuration_threads, cpp.configuration_threads);
  visit(c.lookahead_threads, cpp.lookahead_threads);
  visit(c.completion_bytes, cpp.completion_bytes);
  visit(c.capture_items, cpp.capture_items);
  visit(c.token_dfa_states, cpp.token_dfa_states);
}

weir_kbnf_options kbnf_defaults() { return {0, {"start", 5}, KbnfOptions().keep_endless}; }

weir_warm_up_options warm_up_defaults() { return {0, WarmUpOptions().work}; }

weir_batch_options batch_defaults() { return {0, BatchOptions().threads, BatchOptions().prefetch}; }

weir_structural_tag_options structural_tag_defaults() {
  weir_structural_tag_options out{};
  out.grammar_syntax = WEIR_SYNTAX_XGRAMMAR;
  return out;
}

weir_ebnf_options ebnf_defaults() { return {0, {"root", 4}}; }

// Calls number(c, cpp) for each number and flag of the options, and choice(c, cpp, last, message) for each enumeration:
// `last` is its last enumerator, `message` the error for a number that no enumerator has.
template <typename C, typename Cpp, typename Number, typename Choice>
void for_each_schema_option(C& c, Cpp& cpp, const Number& number, const Choice& choice) {
  using Options = JsonSchemaOptions;
  choice(c.default_draft, cpp.default_draft, Options::Draft::k2020_12, "`default_draft` is no weir_schema_draft");
  choice(c.formats, cpp.formats, Options::Formats::kAnnotate, "`formats` is no weir_schema_formats");
  choice(c.unknown_formats, cpp.unknown_formats, Options::UnknownFormats::kRefuse,
         "`unknown_formats` is no weir_schema_unknown_formats");
  choice(c.whitespace, cpp.whitespace, Options::Whitespace::kPattern, "`whitespace` is no weir_schema_whitespace");
  choice(c.order, cpp.order, Options::Order::kDeclared, "`order` is no weir_schema_order");
  choice(c.escapes, cpp.escapes, Options::Escapes::kRequired, "`escapes` is no weir_schema_escapes");
  choice(c.integers, cpp.integers, Options::Integers::kPlain, "`integers` is no weir_schema_integers");
  choice(c.numbers, cpp.numbers, Options::Numbers::kDouble, "`numbers` is no weir_schema_numbers");
  number(c.whitespace_limit, cpp.whitespace_limit);
  number(c.indent, cpp.indent);
  number(c.scientific_decimals, cpp.scientific_decimals);
  number(c.leading_whitespace, cpp.leading_whitespace);
  number(c.trailing_whitespace, cpp.trailing_whitespace);
  number(c.lone_surrogates, cpp.lone_surrogates);
  number(c.exponents, cpp.exponents);
  number(c.number_digits, cpp.number_digits);
}

weir_json_schema_options to_c(const JsonSchemaOptions& from) {
  weir_json_schema_options out{};
  for_each_schema_option(
      out, from, [](auto& to, const auto& value) { to = value; },
      [](auto& to, const auto& value, auto, const char*) { to = static_cast<std::int32_t>(value); });
  return out;
}

weir_tool_options tool_defaults() {
  weir_tool_options out{};
  out.tool_choice = {"\"auto\"", 6};
  out.parallel_tool_calls = ToolOptions().parallel_tool_calls;
  return out;
}

weir_matcher_options matcher_defaults() {
  const MatcherOptions from;
  weir_matcher_options out{};
  out.at_text_start = from.at_text_start;
  out.tokenization = static_cast<std::int32_t>(from.tokenization);
  return out;
}

std::vector<std::uint32_t> to_vector(const std::uint32_t* ids, std::size_t count) {
  return count == 0 ? std::vector<std::uint32_t>() : std::vector<std::uint32_t>(ids, ids + count);
}

constexpr std::string_view kUnreadable =
    "`struct_size` is too small or too large, or fields are set that this library lacks";

// No vocabulary has more tokens; TokenizerInfo::from_vocab refuses fewer already.
constexpr std::size_t kMostTokens = 1U << 24;

}  // namespace

weir_limits to_c(const Limits& from) noexcept {
  weir_limits out{};
  for_each_pair_of_limits(out, from, [](auto& to, const auto& value) { to = value; });
  return out;
}

Result<Limits> to_limits(const weir_limits* given) {
  weir_limits from = to_c(Limits());
  if (!read_struct(given, from)) return bad(kUnreadable);
  if (std::max({from.text_bytes, from.state_memory, from.cache_memory}) > SIZE_MAX)
    return bad("a limit is more than memory can have");
  Limits out;
  for_each_pair_of_limits(from, out,
                          [](const auto& value, auto& to) { to = static_cast<std::decay_t<decltype(to)>>(value); });
  return out;
}

Result<TokenizerOptions> to_tokenizer_options(const weir_tokenizer_options* given) {
  weir_tokenizer_options from{};
  if (!read_struct(given, from)) return bad(kUnreadable);
  if (!is_valid(from.stop_token_ids, from.stop_token_count)) return is_no_array("`stop_token_ids`");
  return TokenizerOptions{to_vector(from.stop_token_ids, from.stop_token_count), from.padded_vocab_size};
}

Result<VocabSpec> to_vocab_spec(const weir_vocab_spec* given) {
  weir_vocab_spec from{};
  if (given == nullptr) return bad("`spec` is NULL");
  if (!read_struct(given, from)) return bad(kUnreadable);
  if (!is_valid(from.tokens, from.token_count)) return is_no_array("`tokens`");
  if (!is_valid(from.special_token_ids, from.special_token_count)) return is_no_array("`special_token_ids`");
  if (!is_valid(from.stop_token_ids, from.stop_token_count)) return is_no_array("`stop_token_ids`");
  if (from.token_count > kMostTokens) return bad("there are too many `tokens`");
  VocabSpec out;
  out.tokens.reserve(from.token_count);
  for (std::size_t i = 0; i < from.token_count; ++i) {
    if (!is_valid(from.tokens[i])) return is_no_array("token " + std::to_string(i));
    out.tokens.emplace_back(to_view(from.tokens[i]));
  }
  out.special_token_ids = to_vector(from.special_token_ids, from.special_token_count);
  out.stop_token_ids = to_vector(from.stop_token_ids, from.stop_token_count);
  out.drops_leading_space = from.drops_leading_space;
  out.stop_tokens_by_name = from.stop_tokens_by_name;
  if (!to_enum(from.spelling, TokenSpelling::kByteLevel, out.spelling))
    return bad("`spelling` is no weir_token_spelling");
  return out;
}

Result<EbnfOptions> to_ebnf_options(const weir_ebnf_options* given) {
  weir_ebnf_options from = ebnf_defaults();
  if (!read_struct(given, from)) return bad(kUnreadable);
  if (!is_valid(from.start)) return is_no_array("`start`");
  return EbnfOptions{std::string(to_view(from.start))};
}

Result<GrammarTextOptions> to_text_options(const weir_text_options* given) {
  weir_text_options from{};
  if (!read_struct(given, from)) return bad(kUnreadable);
  GrammarTextOptions out;
  if (!to_enum(from.syntax, out.syntax)) return bad("`syntax` is no weir_grammar_syntax");
  if (!is_valid(from.start)) return is_no_array("`start`");
  if (!is_valid(from.grammars, from.grammar_count)) return is_no_array("`grammars`");
  for (std::size_t i = 0; i < from.grammar_count; ++i) {
    const weir_named_grammar& grammar = from.grammars[i];
    if (!is_valid(grammar.name) || !is_valid(grammar.text)) return is_no_array("a text of `grammars`");
    NamedGrammar named{std::string(to_view(grammar.name)), std::string(to_view(grammar.text)), {}};
    if (!to_enum(grammar.syntax, named.syntax)) return bad("`syntax` is no weir_grammar_syntax");
    out.grammars.push_back(std::move(named));
  }
  out.start = to_view(from.start);
  out.exact_splits = from.exact_splits;
  out.keep_endless = from.keep_endless;
  return to_json_schema_options(from.json_schema).map([&](JsonSchemaOptions schema) {
    out.json_schema = std::move(schema);
    return std::move(out);
  });
}

Result<RegexOptions> to_regex_options(const weir_regex_options* given) {
  weir_regex_options from{};
  if (!read_struct(given, from)) return bad(kUnreadable);
  RegexOptions out;
  if (!to_enum(from.dialect, RegexDialect::kPcre, out.dialect)) return bad("`dialect` is no weir_regex_dialect");
  if (!to_enum(from.match, RegexMatch::kSearch, out.match)) return bad("`match` is no weir_regex_match");
  out.ignore_case = from.ignore_case;
  out.multi_line = from.multi_line;
  out.dot_all = from.dot_all;
  out.extended = from.extended;
  out.operators = from.operators;
  return out;
}

Result<JsonSchemaOptions> to_json_schema_options(const weir_json_schema_options* given) {
  weir_json_schema_options from = to_c(JsonSchemaOptions());
  if (!read_struct(given, from)) return bad(kUnreadable);
  JsonSchemaOptions out;
  const char* wrong = nullptr;
  for_each_schema_option(
      from, out, [](const auto& value, auto& to) { to = value; },
      [&](std::int32_t value, auto& to, auto last, const char* message) {
        if (!to_enum(value, last, to) && wrong == nullptr) wrong = message;
      });
  if (wrong != nullptr) return bad(wrong);
  if (!is_valid(from.base_uri)) return is_no_array("`base_uri`");
  if (!is_valid(from.whitespace_pattern)) return is_no_array("`whitespace_pattern`");
  if (!is_valid(from.documents, from.document_count)) return is_no_array("`documents`");
  for (std::size_t i = 0; i < from.document_count; ++i) {
    const weir_schema_document& document = from.documents[i];
    if (!is_valid(document.uri) || !is_valid(document.text)) return is_no_array("a text of `documents`");
    out.documents.push_back({std::string(to_view(document.uri)), std::string(to_view(document.text))});
  }
  out.base_uri = to_view(from.base_uri);
  out.whitespace_pattern = to_view(from.whitespace_pattern);
  return out;
}

Result<StructuralTagOptions> to_structural_tag_options(const weir_structural_tag_options* given) {
  weir_structural_tag_options from = structural_tag_defaults();
  if (!read_struct(given, from)) return bad(kUnreadable);
  StructuralTagOptions out;
  if (!to_enum(from.grammar_syntax, out.grammar_syntax)) return bad("`grammar_syntax` is no weir_grammar_syntax");
  if (!is_valid(from.special_tokens, from.special_token_count)) return is_no_array("`special_tokens`");
  for (std::size_t i = 0; i < from.special_token_count; ++i) {
    if (!is_valid(from.special_tokens[i])) return is_no_array("a name of `special_tokens`");
    out.special_tokens.emplace_back(to_view(from.special_tokens[i]));
  }
  return to_json_schema_options(from.json_schema).map([&](JsonSchemaOptions schema) {
    out.json_schema = std::move(schema);
    return std::move(out);
  });
}

Result<ToolOptions> to_tool_options(const weir_tool_options* given) {
  weir_tool_options from = tool_defaults();
  if (!read_struct(given, from)) return bad(kUnreadable);
  ToolOptions out;
  if (!to_enum(from.reasoning, ToolOptions::Reasoning::kBegun, out.reasoning))
    return bad("`reasoning` is no weir_tool_reasoning");
  if (!is_valid(from.tool_choice)) return is_no_array("`tool_choice`");
  out.tool_choice = to_view(from.tool_choice);
  out.parallel_tool_calls = from.parallel_tool_calls;
  return out;
}

Result<GrammarSyntax> to_syntax(std::int32_t number) {
  GrammarSyntax out{};
  if (!to_enum(number, out)) return bad("a number is no weir_grammar_syntax");
  return out;
}

Result<KbnfOptions> to_kbnf_options(const weir_kbnf_options* given) {
  weir_kbnf_options from = kbnf_defaults();
  if (!read_struct(given, from)) return bad(kUnreadable);
  if (!is_valid(from.start)) return is_no_array("`start`");
  return KbnfOptions{std::string(to_view(from.start)), from.keep_endless};
}

Result<WarmUpOptions> to_warm_up_options(const weir_warm_up_options* given) {
  weir_warm_up_options from = warm_up_defaults();
  if (!read_struct(given, from)) return bad(kUnreadable);
  return WarmUpOptions{.work = from.work};
}

Result<BatchOptions> to_batch_options(const weir_batch_options* given) {
  weir_batch_options from = batch_defaults();
  if (!read_struct(given, from)) return bad(kUnreadable);
  return BatchOptions{.threads = from.threads, .prefetch = from.prefetch};
}

Result<MatcherOptions> to_matcher_options(const weir_matcher_options* given) {
  weir_matcher_options from = matcher_defaults();
  if (!read_struct(given, from)) return bad(kUnreadable);
  if (!is_valid(from.context, from.context_count)) return is_no_array("`context`");
  if (!is_valid(from.stop_token_ids, from.stop_token_count)) return is_no_array("`stop_token_ids`");
  MatcherOptions out{.at_text_start = from.at_text_start, .context = to_vector(from.context, from.context_count)};
  if (!to_enum(from.tokenization, Tokenization::kCanonical, out.tokenization)) {
    return bad("`tokenization` is no weir_tokenization");
  }
  if (from.max_tokens != 0) out.max_tokens = from.max_tokens;
  if (from.stop_token_count != 0) out.stop_token_ids = to_vector(from.stop_token_ids, from.stop_token_count);
  return out;
}

Result<std::vector<std::string>> to_strings(const weir_text* strings, std::size_t count, const Limits& limits) {
  if (!is_valid(strings, count)) return is_no_array("`strings`");
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_valid(strings[i])) return is_no_array("one of `strings`");
    if (strings[i].size > limits.text_bytes - bytes) {
      return tl::unexpected(Error{ErrorCode::kLimitExceeded,
                                  "the strings are longer than " + std::to_string(limits.text_bytes) + " bytes",
                                  {},
                                  {},
                                  "text_bytes",
                                  {}});
    }
    bytes += strings[i].size;
  }
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) out.emplace_back(to_view(strings[i]));
  return out;
}

Result<SubstringUnit> to_unit(weir_text text, std::int32_t unit) {
  SubstringUnit out{};
  if (!is_valid(text)) return is_no_array("the text");
  if (!to_enum(unit, SubstringUnit::kWord, out)) return bad("`unit` is no weir_substring_unit");
  return out;
}

}  // namespace weir::c_api

using namespace weir::c_api;  // NOLINT(google-build-using-namespace): it implements that namespace's C functions

weir_status weir_limits_init(weir_limits* limits, size_t struct_size) {
  return write_struct(to_c(weir::Limits()), struct_size, limits);
}
weir_status weir_tokenizer_options_init(weir_tokenizer_options* options, size_t struct_size) {
  return write_struct(weir_tokenizer_options{}, struct_size, options);
}
weir_status weir_vocab_spec_init(weir_vocab_spec* spec, size_t struct_size) {
  return write_struct(weir_vocab_spec{}, struct_size, spec);
}
weir_status weir_ebnf_options_init(weir_ebnf_options* options, size_t struct_size) {
  return write_struct(ebnf_defaults(), struct_size, options);
}
weir_status weir_text_options_init(weir_text_options* options, size_t struct_size) {
  return write_struct(weir_text_options{}, struct_size, options);
}
weir_status weir_regex_options_init(weir_regex_options* options, size_t struct_size) {
  return write_struct(weir_regex_options{}, struct_size, options);
}
weir_status weir_json_schema_options_init(weir_json_schema_options* options, size_t struct_size) {
  return write_struct(to_c(weir::JsonSchemaOptions()), struct_size, options);
}
weir_status weir_schema_profile(weir_text name, weir_json_schema_options* options, size_t struct_size) {
  if (!is_valid(name)) return WEIR_INVALID_ARGUMENT;
  const weir::Result<weir::JsonSchemaOptions> found = weir::schema_profile(to_view(name));
  return found ? write_struct(to_c(*found), struct_size, options) : WEIR_INVALID_ARGUMENT;
}
weir_status weir_structural_tag_options_init(weir_structural_tag_options* options, size_t struct_size) {
  return write_struct(structural_tag_defaults(), struct_size, options);
}
weir_status weir_tool_options_init(weir_tool_options* options, size_t struct_size) {
  return write_struct(tool_defaults(), struct_size, options);
}
weir_status weir_kbnf_options_init(weir_kbnf_options* options, size_t struct_size) {
  return write_struct(kbnf_defaults(), struct_size, options);
}
weir_status weir_warm_up_options_init(weir_warm_up_options* options, size_t struct_size) {
  return write_struct(warm_up_defaults(), struct_size, options);
}
weir_status weir_batch_options_init(weir_batch_options* options, size_t struct_size) {
  return write_struct(batch_defaults(), struct_size, options);
}
weir_status weir_render_options_init(weir_render_options* options, size_t struct_size) {
  return write_struct(weir_render_options{}, struct_size, options);
}
weir_status weir_matcher_options_init(weir_matcher_options* options, size_t struct_size) {
  return write_struct(matcher_defaults(), struct_size, options);
}
