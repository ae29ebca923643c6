#include "frontend/structural_tag/formats.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/stack.h"
#include "base/utf8.h"
#include "frontend/dispatch.h"
#include "frontend/json_schema/rules/schema_rules.h"
#include "frontend/regex/regex.h"
#include "frontend/text.h"
#include "grammar/json_contents.h"
#include "grammar/suggest.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::frontend::structural_tag {

using grammar::NodeId;
using regex::ExprId;

struct FormatReader::Format {
  std::string_view name;
  Node (FormatReader::*read)(const Object&);
};

const std::vector<FormatReader::Format>& FormatReader::formats() {
  static const std::vector<Format> all{
      {"const_string", &FormatReader::const_string},
      {"json_schema", &FormatReader::json_schema},
      {"any_text", &FormatReader::any_text},
      {"grammar", &FormatReader::grammar_format},
      {"language", &FormatReader::language},
      {"regex", &FormatReader::regex_format},
      {"sequence", &FormatReader::sequence},
      {"or", &FormatReader::alternatives},
      {"optional", &FormatReader::optional},
      {"plus", &FormatReader::plus},
      {"star", &FormatReader::star},
      {"repeat", &FormatReader::repeat},
      {"tag", &FormatReader::tag},
      {"triggered_tags", &FormatReader::triggered_tags},
      {"tags_with_separator", &FormatReader::tags_with_separator},
      {"dispatch", &FormatReader::dispatch},
      {"token", &FormatReader::token},
      {"exclude_token", &FormatReader::exclude_token},
      {"any_tokens", &FormatReader::any_tokens},
      {"token_triggered_tags", &FormatReader::token_triggered_tags},
      {"token_dispatch", &FormatReader::token_dispatch},
      {"qwen_xml_parameter", &FormatReader::qwen_xml_parameter},
  };
  return all;
}

FormatReader::FormatReader(Input& input, const StructuralTagOptions& options)
    : input_(input), options_(options), grammar_(input.reading().grammar), literals_(options.special_tokens) {}

FormatReader::Node FormatReader::read(const JsonValue& value) {
  if (!value.is(JsonType::kObject)) {
    return input_.fail(value, "a format must be an object, not of type " + std::string(to_string(value.type())));
  }
  const JsonValue* type = input_.need({value, "a format"}, "type", JsonType::kString);
  if (type == nullptr) return std::nullopt;
  std::vector<std::string_view> names;
  for (const Format& format : formats()) {
    names.push_back(format.name);
    if (format.name != type->string()) continue;
    const std::string name = "`" + std::string(format.name) + "`";
    const Object object{value, name};
    const std::size_t before = input_.reading().errors.size();
    Node node = base::with_stack([&] { return (this->*format.read)(object); });
    const std::string capture = format.read == &FormatReader::tag ? "" : capture_of(object, "capture");
    if (input_.reading().errors.size() != before || !node) return std::nullopt;
    return captured(*node, capture, value.where());
  }
  return input_.fail(*type, "there is no format `" + base::escape_for_display(type->string()) + "`",
                     grammar::did_you_mean(names, type->string()));
}

NodeId FormatReader::rule(std::string name, NodeId body, SourceRange where, std::string capture) {
  grammar::Rule rule;
  rule.name = std::move(name);
  rule.body = body;
  rule.where = where;
  rule.defined = true;
  rule.generated = true;
  rule.capture = std::move(capture);
  return grammar_.add_rule_reference(grammar_.add_rule(std::move(rule)), where);
}

// Returns the name in `member`, under which a format or its free text is reported; empty if there is none.
std::string FormatReader::capture_of(const Object& format, std::string_view member) {
  const JsonValue* capture = input_.find(format, member, JsonType::kString);
  if (capture == nullptr) return {};
  if (capture->string().empty()) input_.fail(*capture, "a capture needs a name");
  return std::string(capture->string());
}

NodeId FormatReader::captured(NodeId text, const std::string& capture, SourceRange where) {
  return capture.empty() ? text : rule(capture, text, where, capture);
}

FormatReader::Node FormatReader::const_string(const Object& format) {
  input_.has_only(format, {"type", "value", "text", "capture"});
  const std::optional<std::string> value = input_.need_string(format, "value");
  if (!value) return std::nullopt;
  check_is_text(format, "value", *value);
  const Node node = literals_.add(grammar_, *value, format.value.where());
  if (grammar_.node(*node).kind == grammar::NodeKind::kTerminal) {
    keep_end_apart(*node);
  } else {
    for (const NodeId part : grammar_.children_of(grammar_.node(*node))) keep_end_apart(part);
  }
  return node;
}

// Keeps the end of the tag from beginning in a terminal and being complete in what follows.
void FormatReader::keep_end_apart(NodeId node) {
  if (ends_.strings.empty() || grammar_.node(node).kind != grammar::NodeKind::kTerminal) return;
  grammar_.free_texts.push_back({{node}, ends_.strings});
}

FormatReader::Node FormatReader::any_text(const Object& format) {
  input_.has_only(format, {"type", "excludes", "max_chars", "max_tokens", "capture"});
  const std::optional<std::vector<std::string>> excluded = input_.strings(format, "excludes");
  const std::optional<std::uint32_t> most =
      input_.count(format, "max_chars", input_.reading().limits.repeat_count, regex::kUnbounded);
  const std::optional<std::uint32_t> tokens =
      input_.count(format, "max_tokens", grammar::kMaxTokenLimit, grammar::kNoTokenLimit);
  if (!excluded || !most || !tokens) return std::nullopt;
  const NodeId text = text_only(ends_.strings, *excluded, format.value.where(), *most);
  if (*tokens == grammar::kNoTokenLimit) return text;
  grammar::Rule rule;
  rule.name = "text";
  rule.body = text;
  rule.where = format.value.where();
  rule.defined = true;
  rule.generated = true;
  rule.max_tokens = *tokens;
  return grammar_.add_rule_reference(grammar_.add_rule(std::move(rule)), format.value.where());
}

NodeId FormatReader::text_only(const std::vector<std::string>& ends, const std::vector<std::string>& excluded,
                               SourceRange where, std::uint32_t most) {
  regex::ExprSet& exprs = grammar_.exprs;
  std::vector<std::string> all = ends;
  all.insert(all.end(), excluded.begin(), excluded.end());
  std::sort(all.begin(), all.end());
  ExprId text = text_without(exprs, all);
  if (most != regex::kUnbounded) {
    text = exprs.intersection(text, exprs.repeat(regex::any_code_point(exprs), 0, most));
  }
  const NodeId node = grammar_.add_terminal({text, base::LexemeMode::kExact, "text", where});
  grammar_.free_texts.push_back({{node}, ends, excluded});
  return node;
}

NodeId FormatReader::text_up_to(std::string_view begin, const std::string& end, SourceRange where) {
  const NodeId parts[] = {literals_.add(grammar_, begin, where), text_only({end}, {}, where),
                          literals_.add(grammar_, end, where)};
  return grammar_.add_sequence(parts, where);
}

FormatReader::Node FormatReader::grammar_format(const Object& format) {
  input_.has_only(format, {"type", "grammar", "syntax", "start", "escapes", "text",
                           &format.value == &input_.root() ? "reasoning" : "capture"});
  const JsonValue* text = input_.need(format, "grammar", JsonType::kString);
  const JsonValue* syntax = input_.find(format, "syntax", JsonType::kString);
  const JsonValue* start = input_.find(format, "start", JsonType::kString);
  std::optional<GrammarSyntax> known = options_.grammar_syntax;
  if (syntax != nullptr) known = syntax_named(syntax->string());
  if (!known) {
    return input_.fail(*syntax, "`" + base::escape_for_display(syntax->string()) + "` is no language of grammars",
                       "known are " + syntax_names());
  }
  const JsonValue* escapes = input_.find(format, "escapes", JsonType::kString);
  if (escapes != nullptr && escapes->string() != "json" && escapes->string() != "python") {
    return input_.fail(*escapes, "`escapes` is `json` or `python`");
  }
  const std::optional<bool> is_text = input_.flag(format, "text", false);
  if (text == nullptr || !is_text) return std::nullopt;
  const grammar::JsonContents added(grammar_);
  const Node node = grammar_text(*text, *known, start != nullptr ? std::string(start->string()) : "", *is_text);
  if (!node || escapes == nullptr) return node;
  JsonSchemaOptions strings = options_.json_schema;
  // Python reads these as JSON does, but not all others.
  if (escapes->string() == "python") strings.escapes = JsonSchemaOptions::Escapes::kRequired;
  const std::string_view reason = added.write(grammar_, json_schema::string_spelling(strings));
  if (reason.empty()) return node;
  Error error{ErrorCode::kUnsupported, "the grammar cannot be written within a string: " + std::string(reason)};
  input_.fail_within(*text, std::move(error));
  return std::nullopt;
}

// A grammar by name. Errors of the tables refer to the string with them, others to the name.
FormatReader::Node FormatReader::language(const Object& format) {
  input_.has_only(format, {"type", "name", "tables", "start", "capture"});
  const JsonValue* name = input_.need(format, "name", JsonType::kString);
  const JsonValue* tables = input_.find(format, "tables", JsonType::kString);
  const JsonValue* start = input_.find(format, "start", JsonType::kString);
  if (name == nullptr) return std::nullopt;
  GrammarTextOptions options;
  options.language = name->string();
  if (options.language.empty()) return input_.fail(*name, "the name of a language cannot be empty");
  if (start != nullptr) options.start = start->string();
  const PlacedParts placed(grammar_, format.value);
  return read_grammar(tables != nullptr ? *tables : *name, tables != nullptr ? tables->string() : "", options);
}

FormatReader::Node FormatReader::grammar_text(const JsonValue& text, GrammarSyntax syntax, const std::string& start,
                                              bool is_text) {
  GrammarTextOptions options;
  options.syntax = syntax;
  options.start = start;
  if (syntax == GrammarSyntax::kLark) options.json_schema = options_.json_schema;
  const PlacedParts placed(grammar_, text);
  const std::size_t first_set = grammar_.token_sets.size();
  const Node node = read_grammar(text, text.string(), options);
  if (!node || !is_text) return node;
  bool has_tokens = false;
  for (const grammar::TokenSet& set : std::span(grammar_.token_sets).subspan(first_set)) {
    if (set.mark != grammar::LineMark::kNone) continue;
    has_tokens = true;
    input_.fail_within(text,
                       {ErrorCode::kUnsupported,
                        "the grammar must be one of text, and `" + base::escape_for_display(set.name) + "` is no text",
                        set.where, "those who write tools do not decide on control tokens"});
  }
  return has_tokens ? std::nullopt : node;
}

FormatReader::Node FormatReader::read_grammar(const JsonValue& text, std::string_view grammar,
                                              const GrammarTextOptions& options) {
  Reading& outer = input_.reading();
  Reading reading{outer.grammar, outer.limits, outer.review};
  const auto rule = read_text(grammar, options, reading);
  for (Warning& warning : reading.warnings) input_.warn_within(text, std::move(warning));
  for (Error& error : reading.errors) input_.fail_within(text, std::move(error));
  if (!rule) return std::nullopt;
  return grammar_.add_rule_reference(*rule, text.where());
}

FormatReader::Node FormatReader::regex_format(const Object& format) {
  input_.has_only(format, {"type", "pattern", "capture"});
  const JsonValue* pattern = input_.need(format, "pattern", JsonType::kString);
  return pattern != nullptr ? regex(*pattern) : std::nullopt;
}

FormatReader::Node FormatReader::regex(const JsonValue& pattern) {
  Reading& outer = input_.reading();
  const PlacedParts placed(grammar_, pattern);
  Reading reading{outer.grammar, outer.limits, outer.review};
  const auto rule = read_regex(pattern.string(), {.dialect = regex::Dialect::kEcma262}, reading);
  for (Error& error : reading.errors) input_.fail_within(pattern, std::move(error));
  if (!rule) return std::nullopt;
  const NodeId terminal = grammar_.rule(*rule).body;  // the rule is not needed, and messages then show the pattern
  keep_end_apart(terminal);
  return terminal;
}

std::optional<std::vector<NodeId>> FormatReader::elements(const Object& format) {
  input_.has_only(format, {"type", "elements", "capture"});
  const JsonValue* array = input_.need(format, "elements", JsonType::kArray);
  if (array == nullptr) return std::nullopt;
  if (array->items().empty()) return input_.fail(*array, "`elements` must not be empty");
  std::vector<NodeId> nodes;
  for (const JsonValue& item : array->items()) {
    if (const Node node = read(item)) nodes.push_back(*node);
  }
  if (nodes.size() != array->items().size()) return std::nullopt;
  return nodes;
}

FormatReader::Node FormatReader::sequence(const Object& format) {
  const auto nodes = elements(format);
  if (!nodes) return std::nullopt;
  return grammar_.add_sequence(*nodes, format.value.where());
}

FormatReader::Node FormatReader::alternatives(const Object& format) {
  const auto nodes = elements(format);
  if (!nodes) return std::nullopt;
  return grammar_.add_choice(*nodes, format.value.where());
}

FormatReader::Node FormatReader::plus(const Object& format) { return repeated(format, 1, regex::kUnbounded); }
FormatReader::Node FormatReader::star(const Object& format) { return repeated(format, 0, regex::kUnbounded); }

FormatReader::Node FormatReader::repeated(const Object& format, std::uint32_t min, std::uint32_t max) {
  input_.has_only(format, {"type", "content", "capture"});
  const JsonValue* content = input_.need(format, "content", JsonType::kObject);
  const Node node = content != nullptr ? read(*content) : std::nullopt;
  if (!node) return std::nullopt;
  return grammar_.add_repeat(*node, min, max, format.value.where());
}

FormatReader::Node FormatReader::repeat(const Object& format) {
  input_.has_only(format, {"type", "min", "max", "content", "capture"});
  const std::uint32_t most = input_.reading().limits.repeat_count;
  const JsonValue* least_value = input_.need(format, "min", JsonType::kNumber);
  const JsonValue* most_value = input_.need(format, "max", JsonType::kNumber);
  const JsonValue* content = input_.need(format, "content", JsonType::kObject);
  const Node node = content != nullptr ? read(*content) : std::nullopt;
  if (least_value == nullptr || most_value == nullptr || !node) return std::nullopt;
  const std::optional<std::uint32_t> min = input_.count(format, "min", most, 0);
  const bool is_unbounded = input_.text_of(*most_value) == "-1";
  const std::optional<std::uint32_t> max =
      is_unbounded ? std::optional(regex::kUnbounded) : input_.count(format, "max", most, 0);
  if (!min || !max) return std::nullopt;
  if (*min > *max) return input_.fail(*least_value, "`min` is greater than `max`");
  return grammar_.add_repeat(*node, *min, *max, format.value.where());
}

}  // namespace weir::frontend::structural_tag
