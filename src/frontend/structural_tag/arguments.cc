#include "frontend/structural_tag/arguments.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "frontend/json_schema/json_schema.h"
#include "frontend/json_schema/source/json_pointer.h"
#include "frontend/structural_tag/formats.h"
#include "regex/expr/expr.h"

namespace weir::frontend::structural_tag {

using grammar::NodeId;

namespace {

constexpr std::uint32_t kMaxBlanks = 8;  // between arguments

struct NamedStyle {
  std::string_view name;
  ArgumentStyle style;
};
constexpr std::array kStyles{
    NamedStyle{"qwen_xml", {.before_key = "<parameter=", .after_key = ">", .end = "</parameter>", .on_lines = true}},
    NamedStyle{"minimax_xml", {.before_key = "<parameter name=\"", .after_key = "\">", .end = "</parameter>"}},
    NamedStyle{
        "glm_xml",
        {.before_key = "<arg_key>", .after_key = "</arg_key>", .end = "</arg_value>", .to_value = "<arg_value>"}},
    NamedStyle{"deepseek_xml",
               {.before_key = "<｜DSML｜parameter name=\"",
                .after_key = "\" string=\"false\">",
                .end = "</｜DSML｜parameter>",
                .after_string_key = "\" string=\"true\">"}},
    NamedStyle{"deepseek_v4_1_xml",
               {.before_key = "<｜DSML｜ parameter name=\"",
                .after_key = "\" string=\"false\">",
                .end = "</｜DSML｜ parameter>",
                .after_string_key = "\" string=\"true\">"}},
    NamedStyle{"kimi_k3_xml",
               {.before_key = "<|open|>argument key=\"",
                .after_key = "\" type=\"",
                .end = "<|close|>argument<|sep|>",
                .after_type = "\"<|sep|>"}},
    NamedStyle{"cohere_xml", {.nesting = ArgumentStyle::Nesting::kTags}},
    NamedStyle{"gemma4", {.nesting = ArgumentStyle::Nesting::kBrackets}},
};
/// Each set of arguments read so far needs a rule: 2^n rules for n arguments in any order.
constexpr std::size_t kMaxInAnyOrder = 12;

std::string attribute_text(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

std::string in_lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

}  // namespace

std::string as_fragment(std::string_view pointer) {
  std::string out;
  for (const char c : pointer) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '/';
    if (is_plain) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += {'%', "0123456789ABCDEF"[byte >> 4], "0123456789ABCDEF"[byte & 15]};
    }
  }
  return out;
}

std::string fragment_of(std::string_view key) {
  std::string pointer = "/properties";
  json_schema::append_to_pointer(pointer, key);
  return as_fragment(pointer);
}

std::optional<ArgumentStyle> argument_style(std::string_view name) {
  for (const NamedStyle& known : kStyles) {
    if (known.name == name) return known.style;
  }
  return std::nullopt;
}

// Returns a node for the properties of the schema, each between its tags, in listed or in any order.
FormatReader::Node FormatReader::arguments(const JsonValue& schema, const ArgumentStyle& style,
                                           const JsonSchemaOptions& options, bool any_order) {
  if (schema.is(JsonType::kBoolean) && schema.boolean()) {  // as {}: a function without parameters has no arguments
    const bool in_brackets = style.nesting == ArgumentStyle::Nesting::kBrackets;
    return in_brackets ? grammar_.add_literal("{}", schema.where()) : blanks(schema.where());
  }
  if (!schema.is(JsonType::kObject)) return input_.fail(schema, "the schema of arguments must be an object or true");
  {
    // First the whole schema is checked, so that errors have positions in this text.
    grammar::Grammar scratch(input_.reading().limits.regex_nodes);
    Reading reading{scratch, input_.reading().limits, input_.reading().review, input_.reading().is_check};
    const bool is_good =
        read_json_schema(input_.text_of(schema), options, json_schema::Placement::kEmbedded, reading).has_value();
    for (Error& error : reading.errors) input_.fail_within(schema, std::move(error));
    if (!is_good) return std::nullopt;
    for (Warning& warning : reading.warnings) input_.warn_within(schema, std::move(warning));
  }
  const JsonSchemaOptions in_document = with_document(schema, options);
  if (style.nesting == ArgumentStyle::Nesting::kBrackets) {
    return bracket_object({&schema, std::nullopt, std::string(kArgumentsDocument) + "#", 0, reference_root(schema)},
                          in_document, any_order);
  }
  const bool in_tags = style.nesting == ArgumentStyle::Nesting::kTags;
  const JsonValue* root = in_tags ? reference_root(schema) : nullptr;
  const Node listed = members(schema, {.is_any = any_order}, [&](const json_schema::JsonMember& property) {
    if (!in_tags) return argument(schema, property, style, in_document);
    const std::string reference = std::string(kArgumentsDocument) + "#" + fragment_of(property.key);
    const Node value = nested_value({&property.value, property.key, reference, 0, root}, in_document, any_order);
    if (!value) return value;
    const NodeId parts[] = {blanks(schema.where()), *value};
    return Node(grammar_.add_sequence(parts, schema.where()));
  });
  if (!listed) return std::nullopt;
  const NodeId parts[] = {*listed, blanks(schema.where())};
  return grammar_.add_sequence(parts, schema.where());
}

JsonSchemaOptions FormatReader::with_document(const JsonValue& schema, const JsonSchemaOptions& options) const {
  JsonSchemaOptions extended = options;
  extended.documents.push_back({std::string(kArgumentsDocument), std::string(input_.text_of(schema))});
  return extended;
}

FormatReader::Node FormatReader::members(const JsonValue& schema, const MemberOrder& order,
                                         const std::function<Node(const json_schema::JsonMember&)>& node_of) {
  static constexpr std::array<std::string_view, 14> kKnown{"type",    "properties",  "required", "additionalProperties",
                                                           "title",   "description", "$defs",    "definitions",
                                                           "$schema", "$id",         "$comment", "examples",
                                                           "default", "strict"};
  for (const json_schema::JsonMember& member : schema.members()) {
    if (std::find(kKnown.begin(), kKnown.end(), member.key) != kKnown.end()) continue;
    return input_.fail(member.value,
                       "`" + base::escape_for_display(member.key) +
                           "` constrains several arguments at once, which this style does not support",
                       "the style `json` supports it", ErrorCode::kUnsupported);
  }
  const JsonValue* more = schema.find("additionalProperties");
  if (more != nullptr && (!more->is(JsonType::kBoolean) || more->boolean())) {
    return input_.fail(*more, "arguments that `properties` does not list are not supported in this style", "",
                       ErrorCode::kUnsupported);
  }
  const JsonValue* required = schema.find("required");
  const JsonValue* properties = schema.find("properties");
  const auto is_required = [&](std::string_view key) {
    if (required == nullptr) return false;
    const auto items = required->items();
    return std::any_of(items.begin(), items.end(), [&](const JsonValue& item) { return item.string() == key; });
  };
  std::vector<const json_schema::JsonMember*> listed;
  if (properties != nullptr) {
    for (const json_schema::JsonMember& property : properties->members()) listed.push_back(&property);
  }
  if (order.is_sorted) {
    std::ranges::stable_sort(listed, {},
                             [](const json_schema::JsonMember* property) { return in_lower_case(property->key); });
  }
  std::vector<ArgumentPart> given;
  bool good = true;
  for (const json_schema::JsonMember* property : listed) {
    const Node one = node_of(*property);
    good &= one.has_value();
    if (one) given.push_back({*one, is_required(property->key)});
  }
  if (required != nullptr) {
    for (const JsonValue& key : required->items()) {
      if (properties != nullptr && properties->find(key.string()) != nullptr) continue;
      input_.fail(key, "a required argument is not among `properties`");
      good = false;
    }
  }
  if (!good) return std::nullopt;
  if (!order.is_any) return in_order(given, order.separator, schema.where());
  if (given.size() > kMaxInAnyOrder) {
    return input_.fail(schema, "more than " + std::to_string(kMaxInAnyOrder) + " arguments in any order",
                       "leave out `any_order`: they are then written in the order of `properties`",
                       ErrorCode::kUnsupported);
  }
  return in_any_order(given, order.separator, schema.where());
}

// Built from the end: `behind` may follow a member and begins with the separator; `all` is what may come if there was
// no member yet.
NodeId FormatReader::in_order(std::span<const ArgumentPart> parts, std::string_view separator, SourceRange where) {
  NodeId behind = NodeId::kEmpty;
  NodeId all = NodeId::kEmpty;
  for (std::size_t i = parts.size(); i-- > 0;) {
    const NodeId first[] = {parts[i].node, behind};
    const NodeId ways[] = {grammar_.add_sequence(first, where), all};
    all = parts[i].is_required ? ways[0] : grammar_.add_choice(ways, where);
    const NodeId next[] = {grammar_.add_literal(separator, where), parts[i].node};
    const NodeId member = grammar_.add_sequence(next, where);
    const NodeId rest[] = {parts[i].is_required ? member : grammar_.add_repeat(member, 0, 1, where), behind};
    behind = grammar_.add_sequence(rest, where);
  }
  return all;
}

// Makes a rule for each set of arguments that have been read: it allows each of the others, or the end if all required
// ones are in the set.
NodeId FormatReader::in_any_order(std::span<const ArgumentPart> parts, std::string_view separator, SourceRange where) {
  const std::size_t sets = std::size_t{1} << parts.size();
  const auto first = static_cast<std::uint32_t>(grammar_.rules.size());
  for (std::size_t seen = 0; seen < sets; ++seen) {
    grammar_.add_rule({.name = "arguments", .where = where, .defined = true, .generated = true});
  }
  for (std::size_t seen = 0; seen < sets; ++seen) {
    std::vector<NodeId> ways;
    bool may_end = true;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if ((seen >> i & 1U) != 0) continue;
      may_end = may_end && !parts[i].is_required;
      const grammar::RuleId behind{first + static_cast<std::uint32_t>(seen | (std::size_t{1} << i))};
      const NodeId way[] = {grammar_.add_literal(seen == 0 ? "" : separator, where), parts[i].node,
                            grammar_.add_rule_reference(behind, where)};
      ways.push_back(grammar_.add_sequence(way, where));
    }
    if (may_end) ways.push_back(NodeId::kEmpty);
    grammar_.rules[first + seen].body = grammar_.add_choice(ways, where);
  }
  return grammar_.add_rule_reference(grammar::RuleId{first}, where);
}

NodeId FormatReader::blanks(SourceRange where) {
  regex::ByteSet set;
  for (const char c : {' ', '\t', '\n', '\r'}) set.add(static_cast<std::uint8_t>(c));
  const regex::ExprId some = grammar_.exprs.repeat(grammar_.exprs.byte_set(set), 0, kMaxBlanks);
  return grammar_.add_terminal({some, grammar::MatchMode::kExact, "blanks", where});
}

// Returns the values of a schema (given as text) followed by their end. If the end contains special tokens, it is a
// node of its own.
FormatReader::Node FormatReader::value_and_end(const std::string& schema, const json_schema::Argument& argument,
                                               const JsonSchemaOptions& options, Reading& reading) {
  using Values = json_schema::Argument::Values;
  const SourceRange where{0, schema.size()};
  const auto pieces = literals_.split(argument.end);
  if (std::ranges::none_of(pieces, &Literals::Piece::is_token)) {
    const auto rule = read_argument_schema(schema, options, argument, reading);
    return rule ? Node(grammar_.add_rule_reference(*rule, where)) : std::nullopt;
  }
  std::vector<NodeId> ways;
  const auto is_settled = [&](const Reading& kind, const Node& way) {
    if (way) ways.push_back(*way);
    if (way || kind.errors.front().code == ErrorCode::kUnsatisfiable) return true;
    reading.errors = kind.errors;
    return false;
  };
  if (argument.values != Values::kOthers) {
    Reading strings{grammar_, reading.limits, reading.review};
    Node text = read_bare_strings(schema, options, argument.end, strings);
    if (text && argument.on_lines) {
      const NodeId line = grammar_.add_repeat(grammar_.add_literal("\n", where), 0, 1, where);
      const NodeId parts[] = {line, *text, line};
      text = grammar_.add_sequence(parts, where);
    }
    if (!is_settled(strings, text)) return std::nullopt;
  }
  if (argument.values != Values::kStrings) {
    JsonSchemaOptions with_blanks = options;
    with_blanks.leading_whitespace = with_blanks.trailing_whitespace = true;
    Reading others{grammar_, reading.limits, reading.review};
    const auto rule = read_json_schema(
        R"({"allOf": [)" + schema + R"(, {"type": ["number", "boolean", "null", "object", "array"]}]})", with_blanks,
        json_schema::Placement::kEmbedded, others);
    if (!is_settled(others, rule ? Node(grammar_.add_rule_reference(*rule, where)) : std::nullopt)) return std::nullopt;
  }
  if (ways.empty()) {
    return reading.fail({ErrorCode::kUnsatisfiable, "no value can stand before `" + argument.end + "`", where});
  }
  const NodeId parts[] = {grammar_.add_choice(ways, where), literals_.add(grammar_, argument.end, where)};
  return grammar_.add_sequence(parts, where);
}

FormatReader::Node FormatReader::argument(const JsonValue& schema, const json_schema::JsonMember& property,
                                          const ArgumentStyle& style, const JsonSchemaOptions& options) {
  const std::string_view key = property.key;
  using Values = json_schema::Argument::Values;
  const SourceRange where = schema.where();
  const std::string reference = R"({"$ref": ")" + std::string(kArgumentsDocument) + "#" + fragment_of(key) + "\"}";
  const bool has_types = !style.after_type.empty();
  std::vector<NodeId> ways;
  const auto add_way = [&](std::string_view after_key, Values values, const std::string& type = {}) {
    Reading reading{grammar_, input_.reading().limits, input_.reading().review};
    const std::string of_type =
        type.empty() ? reference : R"({"allOf": [)" + reference + R"(, {"type": ")" + type + "\"}]}";
    const Node value = value_and_end(of_type, {std::string(style.end), values, style.on_lines}, options, reading);
    if (!value) {
      const bool is_other_kind = has_types || !ways.empty() || values == Values::kStrings;
      if (is_other_kind && reading.errors.front().code == ErrorCode::kUnsatisfiable) return true;
      for (Error& error : reading.errors)
        input_.fail(schema, std::move(error.message), std::move(error.hint), error.code);
      return false;
    }
    std::string begin = std::string(style.before_key);
    begin += has_types ? attribute_text(key) : std::string(key);
    begin.append(after_key).append(type).append(style.after_type);
    std::vector<NodeId> parts{blanks(where), literals_.add(grammar_, begin, where)};
    if (!style.to_value.empty()) {
      parts.push_back(blanks(where));
      parts.push_back(literals_.add(grammar_, style.to_value, where));
    }
    parts.push_back(*value);
    ways.push_back(grammar_.add_sequence(parts, where));
    return true;
  };
  if (has_types) {
    for (const char* type : {"string", "number", "boolean", "null", "object", "array"}) {
      const Values values = std::string_view(type) == "string" ? Values::kStrings : Values::kOthers;
      if (!add_way(style.after_key, values, type)) return std::nullopt;
    }
    if (ways.empty()) return input_.fail(schema, "no value can stand before `" + std::string(style.end) + "`");
    return grammar_.add_choice(ways, where);
  }
  const bool split = !style.after_string_key.empty();
  if (split && !add_way(style.after_string_key, Values::kStrings)) return std::nullopt;
  if (!add_way(style.after_key, split ? Values::kOthers : Values::kAll)) return std::nullopt;
  if (ways.empty()) return input_.fail(schema, "no value can stand before `" + std::string(style.end) + "`");
  return grammar_.add_choice(ways, where);
}

}  // namespace weir::frontend::structural_tag
