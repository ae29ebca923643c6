#include "fuzz/targets.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/c_target.h"
#include "fuzz/exercise.h"
#include "fuzz/oracle_target.h"
#include "fuzz/structured.h"
#include "weir/weir.h"

namespace weir::fuzz {

namespace {

void use(const Result<Grammar>& grammar, std::string_view text, std::string_view data) {
  if (!grammar) return require_sane(grammar.error(), text);
  exercise(*grammar, text, data);
}

template <GrammarSyntax kSyntax>
void grammar(std::string_view data) {
  const GrammarTextOptions options{.syntax = kSyntax};
  require_sane(check_grammar(data, options, small_limits()), data);
  use(Grammar::from_text(data, options, small_limits()), data, data);
}

void structured_grammar(std::string_view data) {
  const std::string text = grammar_text(data);
  require_sane(check_grammar(text, {}, small_limits()), text);
  use(Grammar::from_ebnf(text, {}, small_limits()), text, data);
}

// The first byte contains the flags.
void regex(std::string_view data) {
  if (data.empty()) return;
  const auto flags = static_cast<unsigned char>(data.front());
  const std::string_view pattern = data.substr(1);
  RegexOptions options;
  options.dialect = (flags & 1U) != 0 ? RegexDialect::kEcma262 : RegexDialect::kWeir;
  if ((flags & 128U) != 0) {
    options.dialect = (flags & 64U) != 0  ? RegexDialect::kPcre
                      : (flags & 1U) != 0 ? RegexDialect::kRust
                                          : RegexDialect::kPython;
  }
  options.match = (flags & 2U) != 0 ? RegexMatch::kSearch : RegexMatch::kFull;
  options.ignore_case = (flags & 4U) != 0;
  options.multi_line = (flags & 8U) != 0;
  options.dot_all = (flags & 16U) != 0;
  options.extended = (flags & 32U) != 0;
  options.operators = (flags & 64U) != 0 && options.dialect == RegexDialect::kWeir;
  require_sane(check_regex(pattern, options, small_limits()), pattern);
  use(Grammar::from_regex(pattern, options, small_limits()), pattern, data);
}

void schema(std::string_view data) {
  require_sane(check_schema(data, {}, small_limits()), data);
  use(Grammar::from_json_schema(data, {}, small_limits()), data, data);
}

void structured_schema(std::string_view data) {
  const std::string text = schema_text(data);
  use(Grammar::from_json_schema(text, {}, small_limits()), text, data);
}

// If the first byte is 'r', the rest is a response format; otherwise it is a structural tag.
void structural_tag(std::string_view data) {
  if (data.empty()) return;
  const std::string_view text = data.substr(1);
  if (data.front() == 'r') return use(Grammar::from_response_format(text, {}, small_limits()), text, data);
  use(Grammar::from_structural_tag(text, {}, small_limits()), text, data);
}

// The first byte chooses the style.
void tools(std::string_view data) {
  if (data.empty()) return;
  const auto styles = tool_styles();
  const std::string_view text = data.substr(1);
  const Result<std::string> tag = structural_tag_for_tools(
      styles[static_cast<unsigned char>(data.front()) % styles.size()], text, {}, small_limits());
  if (!tag) return require_sane(tag.error(), text);
  use(Grammar::from_structural_tag(*tag, {}, small_limits()), *tag, data);
}

void use_tokenizer(const Result<TokenizerInfo>& info, std::string_view data) {
  if (!info) return require_sane(info.error(), data);
  std::vector<std::uint32_t> all;
  for (std::uint32_t id = 0; id < std::min(info->vocab_size(), 300U); ++id) {
    all.push_back(id);
    if (info->token_bytes(id).size() > data.size() * 4 + 16) throw Violation("a token longer than its file");
  }
  static_cast<void>(info->decode(all));
  for (const std::string_view text : {std::string_view("a b  ab\n"), std::string_view("你好"), data.substr(0, 64)}) {
    const Result<std::vector<std::uint32_t>> tokens = info->tokenize(text);
    if (!tokens) require_sane(tokens.error(), text);
  }
  const auto any = GrammarCompiler(*info, small_limits()).compile_regex("(.|\\n)*");
  if (!any) return require_sane(any.error(), "(.|\\n)*");
  GrammarMatcher matcher(*any);
  std::vector<std::uint32_t> words(bitmask_words(info->vocab_size()));
  static_cast<void>(matcher.fill_next_token_bitmask(words));
  if (!info->canonical_support()) return;
  MatcherOptions options;
  options.tokenization = Tokenization::kCanonical;
  Result<GrammarMatcher> canonical = GrammarMatcher::create(*any, options);
  if (!canonical) return require_sane(canonical.error(), "");
  static_cast<void>(canonical->fill_next_token_bitmask(words));
  for (std::uint32_t id = 0; id < std::min(info->vocab_size(), 8U); ++id) {
    const bool allowed = bitmask_get(words, id);
    if (canonical->is_token_allowed(id) != allowed && canonical->limit_message().empty()) {
      throw Violation("the canonical mask and is_token_allowed disagree");
    }
  }
}

// Reads tokenizer files of all kinds; weir detects the kind from the content.
void tokenizer(std::string_view data) { use_tokenizer(TokenizerInfo::from_bytes(data, "file"), data); }

// The data follows a magic number and the right checksum, FNV-1a: few mutations would be read without it.
void serialized(std::string_view data) {
  std::uint64_t sum = 0xCBF29CE484222325ULL;
  for (const char byte : data) sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001B3ULL;
  std::string sealed = "weirtok1";
  for (unsigned i = 0; i < 64; i += 8) sealed += static_cast<char>(sum >> i & 0xFFU);
  sealed += data;
  const Result<TokenizerInfo> info = TokenizerInfo::deserialize(sealed);
  use_tokenizer(info, sealed);
  if (!info) return;
  const Result<TokenizerInfo> again = TokenizerInfo::deserialize(info->serialize());
  if (!again || again->vocab_size() != info->vocab_size()) throw Violation("a tokenizer that is not read again");
  for (std::uint32_t id = 0; id < std::min(info->vocab_size(), 300U); ++id) {
    if (again->token_bytes(id) != info->token_bytes(id)) throw Violation("another token when it is read again");
  }
}

constexpr std::array kTargets{
    Target{"ebnf", "ebnf", grammar<GrammarSyntax::kEbnf>},
    Target{"gbnf", "gbnf", grammar<GrammarSyntax::kGbnf>},
    Target{"xgrammar", "xgrammar", grammar<GrammarSyntax::kXgrammar>},
    Target{"kbnf", "kbnf", grammar<GrammarSyntax::kKbnf>},
    Target{"lark", "lark", grammar<GrammarSyntax::kLark>},
    Target{"structured_grammar", "structured", structured_grammar},
    Target{"regex", "regex", regex},
    Target{"schema", "schema", schema},
    Target{"structural_tag", "structural_tag", structural_tag},
    Target{"tools", "tools", tools},
    Target{"structured_schema", "structured", structured_schema},
    Target{"tokenizer", "tokenizer", tokenizer},
    Target{"serialized", "serialized", serialized},
    Target{"oracle", "structured", compare_with_oracle},
    Target{"c_calls", "c_calls", call_c_functions},
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

}  // namespace weir::fuzz
