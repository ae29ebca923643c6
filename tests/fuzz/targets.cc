#include "fuzz/targets.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frontend/languages/tables.h"
#include "frontend/reading.h"
#include "fuzz/c_target.h"
#include "fuzz/exercise.h"
#include "fuzz/oracle_target.h"
#include "fuzz/structured.h"
#include "weir/reply_parser.h"
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

// Reads definitions of tables in SQL or JSON.
void tables(std::string_view data) {
  const bool any_case = data.size() % 2 == 1;
  const Limits limits = small_limits();
  grammar::Grammar scratch(limits.regex_nodes);
  frontend::Reading reading{scratch, limits};
  const std::optional<std::vector<frontend::sql::Table>> found = frontend::sql::read_tables(data, any_case, reading);
  if (!found && reading.errors.empty()) throw Violation("neither tables nor an error");
  for (const Error& error : reading.errors) require_sane(error, data);
  if (!found) return;
  if (found->empty()) throw Violation("no tables");
  for (const frontend::sql::Table& table : *found) {
    if (table.columns.empty() || table.name.text.empty()) throw Violation("a table without a name or columns");
    for (const frontend::sql::Name& column : table.columns) {
      if (column.text.empty()) throw Violation("a column without a name");
    }
  }
}

struct ReadReply {
  std::string events;
  std::string snapshot;
};

// Reads the reply in pieces of so many bytes. Deltas of one kind are joined, so that events do not depend on the pieces.
ReadReply read_reply(ReplyParser& parser, std::string_view reply, std::size_t piece) {
  parser.reset();
  ReadReply out;
  std::size_t end = 0;
  ReplyEventKind last = ReplyEventKind::kMarkup;
  const auto take = [&](const Result<std::vector<ReplyEvent>>& events) {
    if (!events) return require_sane(events.error(), reply);
    for (const ReplyEvent& event : *events) {
      if (event.start != end || event.end < event.start) throw Violation("the ranges of events have a gap");
      end = event.end;
      const bool is_delta = event.kind == ReplyEventKind::kText || event.kind == ReplyEventKind::kReasoning ||
                            event.kind == ReplyEventKind::kArguments || event.kind == ReplyEventKind::kMarkup;
      if (!is_delta || event.kind != last) out.events += "\n" + std::string(to_string(event.kind)) + " ";
      out.events += event.name + event.text;
      last = event.kind;
    }
  };
  for (std::size_t at = 0; at < reply.size(); at += piece) take(parser.feed(reply.substr(at, piece)));
  const Result<std::vector<ReplyEvent>> finished = parser.finish();  // of a tag that is not complete, an error
  take(finished);
  if (finished && end != parser.size()) throw Violation("the ranges of events are not the whole reply");
  out.snapshot = parser.snapshot();
  return out;
}

// The first byte chooses the style, the second one the mode.
void replies(std::string_view data) {
  if (data.size() < 2) return;
  constexpr std::string_view kTools =
      R"([{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}, "n": {"type": "integer"},
      "o": {"type": "object", "properties": {"k": {"type": "array"}}}}, "required": ["a"]}}, {"name": "g"}])";
  const auto styles = tool_styles();
  const auto flags = static_cast<unsigned char>(data[1]);
  ReplyOptions options;
  options.mode = (flags & 1U) != 0 ? ReplyOptions::Mode::kStrict : ReplyOptions::Mode::kTolerant;
  options.values = (flags & 2U) != 0;
  if ((flags & 4U) != 0) options.tools.response_format = R"({"type": "json_object"})";
  auto parser = ReplyParser::create(styles[static_cast<unsigned char>(data[0]) % styles.size()], kTools, options);
  if (!parser) return require_sane(parser.error(), kTools);
  const std::string_view reply = data.substr(2);
  const ReadReply whole = read_reply(*parser, reply, reply.size() + 1);
  // A piece that the tag refuses is refused whole, so that other pieces are read.
  if (options.mode == ReplyOptions::Mode::kTolerant) {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{7}}) {
      const ReadReply cut = read_reply(*parser, reply, piece);
      if (!options.values && cut.events != whole.events)
        throw Violation("other events in pieces: " + cut.events + "\nwhole: " + whole.events);
      if (cut.snapshot != whole.snapshot)
        throw Violation("another reply in pieces: " + cut.snapshot + " " + whole.snapshot);
    }
  }
  if (!Grammar::from_json_schema(R"({"const": )" + whole.snapshot + "}")) throw Violation("no JSON: " + whole.snapshot);
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
    Target{"tables", "tables", tables},
    Target{"replies", "replies", replies},
    Target{"structured_schema", "structured", structured_schema},
    Target{"tokenizer", "tokenizer", tokenizer},
    Target{"serialized", "serialized", serialized},
    Target{"oracle", "structured", compare_with_oracle},
    Target{"c_calls", "c_calls", call_c_functions},
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

}  // namespace weir::fuzz
