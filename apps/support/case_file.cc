#include "case_file.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "command.h"
#include "grammar/suggest.h"
#include "inputs.h"
#include "schema_input.h"
#include "string_list.h"
#include "text.h"
#include "weir/tools.h"

namespace weir::cli {

namespace {

using Language = CaseInput::Language;

// A kind of input: the member of a line that holds it, and its language. A grammar is in the member `grammar`, or in
// one with the name of its language. If a line has both, `grammar` is read; the other, for other programs, is ignored.
struct InputKind {
  const char* key;
  Language language;
  GrammarSyntax syntax = GrammarSyntax::kEbnf;
  [[nodiscard]] constexpr bool is_grammar() const { return language == Language::kGrammar; }
};
constexpr InputKind kInputKinds[] = {{"grammar", Language::kGrammar},
                                     {"ebnf", Language::kGrammar, GrammarSyntax::kEbnf},
                                     {"gbnf", Language::kGrammar, GrammarSyntax::kGbnf},
                                     {"xgrammar", Language::kGrammar, GrammarSyntax::kXgrammar},
                                     {"kbnf", Language::kGrammar, GrammarSyntax::kKbnf},
                                     {"lark", Language::kGrammar, GrammarSyntax::kLark},
                                     {"regex", Language::kRegex},
                                     {"schema", Language::kSchema},
                                     {"structural_tag", Language::kStructuralTag},
                                     {"tools", Language::kTools},
                                     {"response_format", Language::kResponseFormat},
                                     {"json_value", Language::kJson},
                                     {"json_object", Language::kJsonObject},
                                     {"choice", Language::kChoice},
                                     {"substring", Language::kSubstring}};

InputError bad_line(const std::string& path, std::size_t line_number, const std::string& message) {
  return InputError(fmt::format("{}:{}: {}", path, line_number, message));
}

tl::unexpected<Error> bad_input(ErrorCode code, std::string message) {
  Error error;
  error.code = code;
  error.message = std::move(message);
  return tl::unexpected(std::move(error));
}

Result<CaseInput> parse_input(const Json& line, std::string_view text) {
  const InputKind* found = nullptr;
  for (const InputKind& kind : kInputKinds) {
    if (!line.contains(kind.key)) continue;
    if (found != nullptr && found->is_grammar() && kind.is_grammar() && found->key == kInputKinds[0].key) continue;
    if (found != nullptr) {
      return bad_input(ErrorCode::kInvalidArgument,
                       fmt::format("a case is in one language, and this one has `{}` and `{}`", found->key, kind.key));
    }
    found = &kind;
  }
  if (found == nullptr) {
    std::string message = "no known kind of input; known are";
    for (const InputKind& kind : kInputKinds) message += fmt::format(" `{}`", kind.key);
    return bad_input(ErrorCode::kUnsupported, message);
  }
  // JSON is copied from the text of the line, because its numbers may have more digits than a double and the order of
  // members matters.
  if (found->language == Language::kSchema || found->language == Language::kStructuralTag ||
      found->language == Language::kResponseFormat) {
    return CaseInput{found->language, std::string(*member_text(text, found->key))};
  }
  CaseInput input{found->language, ""};
  if (found->language == Language::kTools) {
    const auto style = line.find("style");
    if (style == line.end() || !style->is_string()) {
      return bad_input(ErrorCode::kInvalidArgument, "`tools` needs a `style`, a string");
    }
    input.text = std::string(*member_text(text, found->key));
    input.style = style->get<std::string>();
    return input;
  }
  if (found->language == Language::kJson || found->language == Language::kJsonObject) {
    if (line[found->key] == true) return input;
    return bad_input(ErrorCode::kInvalidArgument, fmt::format("`{}` must be true", found->key));
  }
  if (found->language == Language::kChoice) {
    std::optional<std::vector<std::string>> strings = strings_of(line["choice"]);
    if (!strings) return bad_input(ErrorCode::kInvalidArgument, "`choice` must be an array of strings");
    input.choice = std::move(*strings);
    return input;
  }
  if (found->language == Language::kSubstring && line["substring"].is_array()) {
    std::optional<std::vector<std::string>> chunks = strings_of(line["substring"]);
    if (!chunks) return bad_input(ErrorCode::kInvalidArgument, "chunks of a `substring` must be strings");
    input.choice = std::move(*chunks);
    input.has_chunks = true;
    return input;
  }
  if (const auto unit = line.find("unit"); unit != line.end() && found->language == Language::kSubstring) {
    const bool character = *unit == "character";
    if (!character && *unit != "word") return bad_input(ErrorCode::kInvalidArgument, "`unit` is `character` or `word`");
    if (character) input.unit = SubstringUnit::kCharacter;
  }
  if (const auto dialect = line.find("dialect"); dialect != line.end() && found->language == Language::kRegex) {
    const auto known = regex_dialects().find(dialect->is_string() ? dialect->get<std::string>() : "");
    if (known == regex_dialects().end()) {
      return bad_input(ErrorCode::kInvalidArgument, "`dialect` is weir, ecma, rust, python or pcre");
    }
    input.dialect = known->second;
  }
  input.options.syntax = found->syntax;
  std::string syntax;
  for (const auto& [key, to] :
       {std::pair{found->key, &input.text}, std::pair{"start", &input.options.start}, std::pair{"syntax", &syntax}}) {
    const auto value = line.find(key);
    if (value == line.end()) continue;
    if (!value->is_string()) return bad_input(ErrorCode::kInvalidArgument, fmt::format("`{}` must be a string", key));
    *to = value->get<std::string>();
  }
  if (syntax.empty()) return input;
  const std::optional<GrammarSyntax> named = syntax_named(syntax);
  if (!named) return bad_input(ErrorCode::kUnsupported, fmt::format("`{}` is no language of grammars", syntax));
  input.options.syntax = *named;
  return input;
}

std::optional<std::vector<std::uint32_t>> tokens_of(const Json& array) {
  if (!array.is_array()) return std::nullopt;
  std::vector<std::uint32_t> tokens;
  for (const Json& id : array) {
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() > UINT32_MAX) return std::nullopt;
    tokens.push_back(id.get<std::uint32_t>());
  }
  return tokens;
}

// The known members of tests and cases, and members that are comments.
constexpr std::array kMembersOfTests = std::to_array<std::string_view>({"valid", "text", "data", "tokens", "why"});
constexpr std::array kMembersOfCases =
    std::to_array<std::string_view>({"id", "tests", "start", "syntax", "dialect", "unit", "style"});
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
    CaseTest out{test["valid"].get<bool>(), "", tokens_of(test["tokens"])};
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
  const Json line = Json::parse(text, nullptr, false);
  if (!line.is_object()) throw bad_line(path, line_number, "not a JSON object");
  std::vector<std::string_view> known(kMembersOfCases.begin(), kMembersOfCases.end());
  for (const InputKind& kind : kInputKinds) known.emplace_back(kind.key);
  const auto id = line.find("id");
  const auto tests = line.find("tests");
  Result<CaseInput> input = parse_input(line, text);
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

Result<Grammar> read_grammar(const CaseInput& input, const JsonSchemaOptions& schema, const Limits& limits) {
  switch (input.language) {
    case Language::kGrammar: {
      GrammarTextOptions of_text = input.options;
      of_text.json_schema = schema;
      return Grammar::from_text(input.text, of_text, limits);
    }
    case Language::kRegex: return Grammar::from_regex(input.text, {.dialect = input.dialect}, limits);
    case Language::kJson: return Grammar::json(schema, limits);
    case Language::kJsonObject: return Grammar::json_object(schema, limits);
    case Language::kTools:
      return structural_tag_for_tools(input.style, input.text, {}, limits).and_then([&](const std::string& tag) {
        return Grammar::from_structural_tag(tag, {.json_schema = schema}, limits);
      });
    case Language::kStructuralTag: return Grammar::from_structural_tag(input.text, {.json_schema = schema}, limits);
    case Language::kResponseFormat: return Grammar::from_response_format(input.text, {.json_schema = schema}, limits);
    case Language::kChoice: return Grammar::from_choice(input.choice, limits);
    case Language::kSubstring:
      if (input.has_chunks) return Grammar::from_substring_chunks(input.choice, limits);
      return Grammar::from_substring(input.text, input.unit, limits);
    case Language::kSchema: break;
  }
  return Grammar::from_json_schema(input.text, schema, limits);
}

void add_case_options(CLI::App& app, CaseSelection& selection) {
  app.add_option("CASES", selection.path, "File of cases, a JSON object a line; - is standard input")->required();
  app.add_option("--filter", selection.filter, "Only cases whose id contains this")->type_name("TEXT");
  app.add_option("--every", selection.every, "Of those the first, and then each Nth")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  app.add_option("--first", selection.first, "Only the first so many of them")->type_name("N");
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
