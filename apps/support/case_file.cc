#include "case_file.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "command.h"
#include "grammar/suggest.h"
#include "inputs.h"
#include "option_checks.h"
#include "schema_input.h"
#include "string_list.h"
#include "text.h"
#include "words.h"

namespace weir::cli {

namespace {

// A kind of input: the member of a line that holds it, and its language. A grammar is in the member `grammar`, or in
// one with the name of its language. If a line has both, `grammar` is read; the other, for other programs, is ignored.
struct InputKind {
  std::string key;
  InputLanguage language;
  GrammarSyntax syntax = GrammarSyntax::kEbnf;
};

constexpr std::string_view kGrammarKey = "grammar";
constexpr std::string_view kLanguageKey = "language";  // a grammar by name

const std::vector<InputKind>& input_kinds() {
  static const std::vector<InputKind> kinds = [] {
    std::vector<InputKind> out{{std::string(kGrammarKey), InputLanguage::kGrammar}};
    for (const auto& [name, syntax] : words_of<GrammarSyntax>()) out.push_back({name, InputLanguage::kGrammar, syntax});
    out.insert(out.end(), {{std::string(kLanguageKey), InputLanguage::kGrammar},
                           {"regex", InputLanguage::kRegex},
                           {"schema", InputLanguage::kSchema},
                           {"structural_tag", InputLanguage::kStructuralTag},
                           {"tools", InputLanguage::kTools},
                           {"response_format", InputLanguage::kResponseFormat},
                           {"json_value", InputLanguage::kJsonValue},
                           {"json_object", InputLanguage::kJsonObject},
                           {"choice", InputLanguage::kChoice},
                           {"substring", InputLanguage::kSubstring}});
    return out;
  }();
  return kinds;
}

InputError bad_line(const std::string& path, std::size_t line_number, const std::string& message) {
  return InputError(fmt::format("{}:{}: {}", path, line_number, message));
}

tl::unexpected<Error> bad_input(ErrorCode code, std::string message, std::string hint = "") {
  Error error;
  error.code = code;
  error.message = std::move(message);
  error.hint = std::move(hint);
  return tl::unexpected(std::move(error));
}

Result<InputKind> kind_of(const Json& line) {
  const InputKind* found = nullptr;
  for (const InputKind& kind : input_kinds()) {
    if (!line.contains(kind.key)) continue;
    if (found != nullptr && found->key == kGrammarKey && kind.language == InputLanguage::kGrammar) continue;
    if (found != nullptr) {
      return bad_input(ErrorCode::kInvalidArgument,
                       fmt::format("a case is in one language, and this one has `{}` and `{}`", found->key, kind.key));
    }
    found = &kind;
  }
  if (found != nullptr) return *found;
  std::string message = "no known kind of input; known are";
  std::vector<std::string_view> keys;
  for (const InputKind& kind : input_kinds()) {
    message += fmt::format(" `{}`", kind.key);
    keys.push_back(kind.key);
  }
  for (const auto& [key, value] : line.items()) {
    const std::string hint = grammar::did_you_mean(keys, key);
    if (!hint.empty()) return bad_input(ErrorCode::kUnsupported, message, fmt::format("`{}`: {}", escape(key), hint));
  }
  return bad_input(ErrorCode::kUnsupported, message);
}

// Stores the value of the member `key`, which holds the input. `written` is the value as written in the file: inputs
// that are JSON are copied from it, because their numbers may have more digits than a double, and the order of members
// matters. Returns what is wrong with the value; empty if nothing is.
std::string read_value(const std::string& key, const Json& value, std::string_view written, GrammarText& out) {
  const auto read_strings = [&] {
    std::optional<std::vector<std::string>> strings = strings_of(value);
    if (strings) out.strings = *std::move(strings);
    return strings.has_value();
  };
  switch (out.language) {
    case InputLanguage::kSchema:
    case InputLanguage::kStructuralTag:
    case InputLanguage::kResponseFormat:
    case InputLanguage::kTools: out.text = written; return "";
    case InputLanguage::kJsonValue:
    case InputLanguage::kJsonObject: return value == true ? "" : fmt::format("`{}` must be true", key);
    case InputLanguage::kChoice: return read_strings() ? "" : fmt::format("`{}` must be an array of strings", key);
    case InputLanguage::kSubstring:
      if (!value.is_array()) break;
      out.language = InputLanguage::kChunks;
      return read_strings() ? "" : fmt::format("chunks of a `{}` must be strings", key);
    case InputLanguage::kGrammar:
    case InputLanguage::kRegex:
    case InputLanguage::kChunks: break;
  }
  if (!value.is_string()) return fmt::format("`{}` must be a string", key);
  (key == kLanguageKey ? out.text_options.language : out.text) = value.get<std::string>();
  return "";
}

// Sets `out` to the value that has this name. Returns the names if there is none, else "".
template <typename Value>
std::string set_word(Value& out, const std::string& name, const std::map<std::string, Value>& words) {
  const auto known = words.find(name);
  if (known == words.end()) return listed(words);
  out = known->second;
  return "";
}

// A member of a line that says how the input in another member is read. Beside other inputs it has no effect.
struct Setting {
  const char* key;
  InputLanguage of;
  std::string (*set)(GrammarText& out, const std::string& value);  // returns "", or the allowed values
};
constexpr Setting kSettings[] = {
    {"start", InputLanguage::kGrammar,
     [](GrammarText& out, const std::string& value) {
       out.text_options.start = value;
       return std::string();
     }},
    {"tables", InputLanguage::kGrammar,
     [](GrammarText& out, const std::string& value) {
       if (!out.text_options.language.empty()) out.text = value;
       return std::string();
     }},
    {"syntax", InputLanguage::kGrammar,
     [](GrammarText& out, const std::string& value) {
       return set_word(out.text_options.syntax, value, words_of<GrammarSyntax>());
     }},
    {"dialect", InputLanguage::kRegex,
     [](GrammarText& out, const std::string& value) {
       return set_word(out.regex_options.dialect, value, words_of<RegexDialect>());
     }},
    {"unit", InputLanguage::kSubstring,
     [](GrammarText& out, const std::string& value) { return set_word(out.unit, value, words_of<SubstringUnit>()); }},
    {"notation", InputLanguage::kSchema,
     [](GrammarText& out, const std::string& value) {
       return set_word(out.notation.emplace(), value, words_of<JsonSchemaOptions::Notation>());
     }},
    {"style", InputLanguage::kTools,
     [](GrammarText& out, const std::string& value) {
       out.style = value;
       return std::string();
     }},
};

Result<GrammarText> parse_input(const Json& line, std::string_view text) {
  const Result<InputKind> kind = kind_of(line);
  if (!kind) return tl::unexpected(kind.error());
  GrammarText input{.language = kind->language};
  input.text_options.syntax = kind->syntax;
  const std::string wrong = read_value(kind->key, line[kind->key], member_text(text, kind->key).value_or(""), input);
  if (!wrong.empty()) return bad_input(ErrorCode::kInvalidArgument, wrong);
  for (const Setting& setting : kSettings) {
    const auto value = line.find(setting.key);
    if (setting.of != input.language || value == line.end()) continue;
    if (!value->is_string()) {
      return bad_input(ErrorCode::kInvalidArgument, fmt::format("`{}` must be a string", setting.key));
    }
    const std::string name = value->get<std::string>();
    const std::string allowed = setting.set(input, name);
    if (allowed.empty()) continue;
    // A grammar in an unknown language is an unknown kind of input.
    const bool is_syntax = setting.of == InputLanguage::kGrammar;
    return bad_input(is_syntax ? ErrorCode::kUnsupported : ErrorCode::kInvalidArgument,
                     fmt::format("`{}` is no {}; it is one of: {}", name, setting.key, allowed));
  }
  if (input.language == InputLanguage::kTools && !line.contains("style")) {
    return bad_input(ErrorCode::kInvalidArgument, "`tools` needs a `style`, a string");
  }
  return input;
}

std::optional<std::vector<std::uint32_t>> read_tokens(const Json& array) {
  if (!array.is_array()) return std::nullopt;
  std::vector<std::uint32_t> tokens;
  for (const Json& id : array) {
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() > UINT32_MAX) return std::nullopt;
    tokens.push_back(id.get<std::uint32_t>());
  }
  return tokens;
}

// The known members of tests, and members that are comments.
constexpr std::array kMembersOfTests = std::to_array<std::string_view>({"valid", "text", "data", "tokens", "why"});
constexpr std::array kCommentMembers = std::to_array<std::string_view>({"comment", "description", "meta", "why"});

// Throws an InputError for an unknown member, so that a misspelled member is not silently ignored.
void check_members(const std::string& path, std::size_t line_number, const Json& object,
                   std::vector<std::string_view> known) {
  if (!object.is_object()) return;
  for (const auto& [key, value] : object.items()) {
    if (std::ranges::find(known, key) != known.end() ||
        std::ranges::find(kCommentMembers, key) != kCommentMembers.end())
      continue;
    const std::string hint = grammar::did_you_mean(known, key);
    throw bad_line(path, line_number,
                   fmt::format("unknown member `{}`{}", escape(key), hint.empty() ? "" : "\n  hint: " + hint));
  }
}

// `text` is the test as written in the file. `data` is read from it, because `test` holds numbers as doubles, which may
// have fewer digits.
CaseTest parse_test(const std::string& path, std::size_t line_number, const Json& test, std::string_view text) {
  check_members(path, line_number, test, {kMembersOfTests.begin(), kMembersOfTests.end()});
  const bool has_verdict = test.is_object() && test.contains("valid") && test["valid"].is_boolean();
  const bool has_text = has_verdict && test.contains("text") && test["text"].is_string();
  if (has_verdict && test.contains("tokens")) {
    CaseTest out{test["valid"].get<bool>(), "", read_tokens(test["tokens"])};
    if (!out.tokens) throw bad_line(path, line_number, "`tokens` must be an array of token ids");
    return out;
  }
  if (!has_text && !(has_verdict && test.contains("data"))) {
    throw bad_line(path, line_number,
                   "a test must have `valid` (true or false) and `text` (a string), `data` or `tokens`");
  }
  return {test["valid"].get<bool>(),
          has_text ? test["text"].get<std::string>() : python_text(*member_text(text, "data")), std::nullopt};
}

Case parse_case(const std::string& path, std::size_t line_number, std::string_view text) {
  text = without_byte_order_mark(text);  // files with one may have been joined, so it may be before any line
  const Json line = Json::parse(text, nullptr, false);
  if (!line.is_object()) throw bad_line(path, line_number, "not a JSON object");
  std::vector<std::string_view> known{"id", "tests"};
  for (const Setting& setting : kSettings) known.push_back(setting.key);
  for (const InputKind& kind : input_kinds()) known.emplace_back(kind.key);
  const auto id = line.find("id");
  const auto tests = line.find("tests");
  Result<GrammarText> input = parse_input(line, text);
  if (input || tests == line.end()) check_members(path, line_number, line, known);
  if (tests == line.end() || !tests->is_array()) throw bad_line(path, line_number, "`tests` must be an array");
  Case out{id != line.end() && id->is_string() ? id->get<std::string>() : fmt::format("line {}", line_number),
           std::move(input),
           {}};
  const std::vector<std::string_view> texts = element_texts(*member_text(text, "tests"));
  for (std::size_t i = 0; i < tests->size(); ++i) {
    out.tests.push_back(parse_test(path, line_number, (*tests)[i], texts[i]));
  }
  return out;
}

std::vector<std::string> split_lines(std::string_view content) {
  std::vector<std::string> lines;
  while (!content.empty()) {
    const std::size_t end = std::min(content.find('\n'), content.size());
    lines.emplace_back(content.substr(0, end));
    content.remove_prefix(std::min(end + 1, content.size()));
  }
  return lines;
}

}  // namespace

Result<Grammar> read_grammar(const Case& of, const JsonSchemaOptions& schema, const Limits& limits) {
  return of.input.and_then([&](const GrammarText& input) { return read_grammar(input, schema, limits); });
}

Result<std::vector<std::uint32_t>> tokens_of(const CaseTest& test, const TokenizerInfo& tokenizer) {
  if (test.tokens) return *test.tokens;
  return tokenizer.tokenize(test.text);
}

void add_case_options(CLI::App& app, CaseSelection& selection) {
  app.add_option("CASES", selection.path, "File of cases, a JSON object a line; - is standard input")->required();
  app.add_option("--filter", selection.filter, "Only cases whose id contains this")->type_name("TEXT");
  require_positive(app.add_option("--every", selection.every, "Of those the first, and then each Nth")->type_name("N"));
  require_positive(app.add_option("--first", selection.first, "Only the first so many of them")->type_name("N"));
}

CaseFile::CaseFile(const CaseSelection& selection) : selection_(selection) {
  if (selection.path != "-") lines_ = split_lines(read_file(selection.path));
}

bool CaseFile::has_line() {
  if (at_ == lines_.size() && selection_.path == "-") {
    if (std::string line; std::getline(std::cin, line)) lines_.push_back(std::move(line));
  }
  return at_ < lines_.size();
}

std::optional<Case> CaseFile::next() {
  while ((selection_.first == 0 || selected_ < selection_.first) && has_line()) {
    const std::string& line = lines_[at_++];
    if (line.empty()) continue;
    Case parsed = parse_case(selection_.path, at_, line);
    if (parsed.id.find(selection_.filter) == std::string::npos) continue;
    if (matching_++ % selection_.every != 0) continue;
    ++selected_;
    return parsed;
  }
  if (selected_ == 0) {
    throw InputError(selection_.filter.empty() ? fmt::format("{}: there is no case in it", selection_.path)
                                               : fmt::format("{}: no case has an id with `{}` in it", selection_.path,
                                                             escape(selection_.filter)));
  }
  return std::nullopt;
}

void CaseFile::rewind() {
  at_ = 0;
  matching_ = selected_ = 0;
}

std::uint64_t CaseFile::position() const { return selection_.first != 0 ? selected_ : at_; }

std::uint64_t CaseFile::size() const {
  if (selection_.path == "-") return selection_.first;
  return selection_.first != 0 ? std::min<std::uint64_t>(selection_.first, lines_.size()) : lines_.size();
}

}  // namespace weir::cli
