// Arguments whose objects and lists are nested tags. A tag states the key and the kind of its value, as Cohere's
// Command writes them, or it is named by the key, as MiniMax-M3 writes them.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "frontend/json_schema/json_schema.h"
#include "frontend/structural_tag/arguments.h"
#include "frontend/structural_tag/formats.h"
#include "regex/expr/expr.h"

namespace weir::frontend::structural_tag {

using grammar::NodeId;

namespace {

constexpr std::string_view kEnd = "</cofl:value>";
constexpr std::string_view kTypedScalars = R"("number", "boolean", "null")";
/// Begins every tag that is named by a key. No string contains it.
constexpr std::string_view kNamespace = "]<]minimax[>[";
/// The name of the tags of a list's items.
constexpr std::string_view kItem = "item";
constexpr std::uint32_t kMaxLevels = 64;
constexpr std::array<std::string_view, 4> kScalars{"integer", "number", "boolean", "null"};

std::string escaped_attribute(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

bool has_listed_members(const JsonValue& schema) {
  const JsonValue* properties = schema.find("properties");
  return properties != nullptr && !properties->members().empty();
}

}  // namespace

FormatReader::Node FormatReader::nested_arguments(const JsonValue& schema, const NestedStyle& style) {
  const NestedValue all{&schema, std::nullopt, std::string(kArgumentsDocument) + "#", 0, reference_root(schema)};
  const SourceRange where = schema.where();
  const auto after_blanks = [&](const Node& value) -> Node {
    if (!value) return value;
    const NodeId parts[] = {blanks(where), *value};
    return grammar_.add_sequence(parts, where);
  };
  const Node listed = members(
      schema, {.is_any = style.any_order}, style.options,
      [&](const ListedMember& member) { return after_blanks(nested_member(all, member, 0, style)); },
      [&](const FurtherMembers& others) { return after_blanks(further_nested(all, others, 0, style)); });
  if (!listed || (style.is_named && !has_listed_members(schema))) return listed;
  const NodeId parts[] = {*listed, blanks(where)};
  return grammar_.add_sequence(parts, where);
}

// Returns a node for the values of a schema between their tags, with one alternative for each kind of value.
FormatReader::Node FormatReader::nested_value(const NestedValue& value, const NestedStyle& style) {
  if (is_too_deep(value)) return std::nullopt;
  return style.is_named ? named_value(value, style) : typed_value(value, style);
}

FormatReader::Node FormatReader::typed_value(const NestedValue& value, const NestedStyle& style) {
  const JsonValue& schema = *value.schema;
  const SourceRange where = schema.where();
  std::vector<NodeId> begin;
  std::string text = "<cofl:value";
  if (value.name) text += " name=\"" + escaped_attribute(*value.name) + "\"";
  if (value.names) {
    begin = {literals_.add(grammar_, text + " name=\"", where), *value.names};
    text = "\"";
  }
  begin.push_back(literals_.add(grammar_, text + " type=\"", where));
  if (schema.is(JsonType::kBoolean) || schema.members().empty()) {
    if (schema.is(JsonType::kBoolean) && !schema.boolean()) return grammar_.add_choice({}, where);
    if (value.names) {
      const Node rest = any_typed_value(schema);
      if (!rest) return rest;
      begin.push_back(*rest);
      return grammar_.add_sequence(begin, where);
    }
  }
  std::vector<NodeId> ways;
  const auto add_way = [&](std::string_view kind, NodeId inside) {
    const NodeId parts[] = {literals_.add(grammar_, std::string(kind) + "\">", where), inside,
                            literals_.add(grammar_, kEnd, where)};
    ways.push_back(grammar_.add_sequence(parts, where));
  };
  if (may_be(schema, "string")) {
    const Node inside = scalar_value(value, "\"string\"", kEnd, style.options);
    if (!inside) return std::nullopt;
    add_way("raw", *inside);
  }
  const auto objects = container_alternatives(value, "object", style.options,
                                              [&](const NestedValue& one) { return nested_object(one, style); });
  if (!objects) return std::nullopt;
  if (!objects->empty()) add_way("dict", grammar_.add_choice(*objects, where));
  const auto lists = container_alternatives(value, "array", style.options,
                                            [&](const NestedValue& one) { return nested_list(one, style); });
  if (!lists) return std::nullopt;
  if (!lists->empty()) add_way("list", grammar_.add_choice(*lists, where));
  if (std::ranges::any_of(kScalars, [&](std::string_view type) { return may_be(schema, type); })) {
    const Node inside = scalar_value(value, kTypedScalars, kEnd, style.options);
    if (!inside) return std::nullopt;
    add_way("json", *inside);
  }
  begin.push_back(grammar_.add_choice(ways, where));
  return grammar_.add_sequence(begin, where);
}

FormatReader::Node FormatReader::named_value(const NestedValue& value, const NestedStyle& style) {
  const JsonValue& schema = *value.schema;
  const SourceRange where = schema.where();
  const std::string name(value.name.value_or(kItem));
  if (name.empty() || std::ranges::any_of(name, [](char c) { return c == '<' || c == '>' || (c >= 0 && c <= ' '); })) {
    return input_.fail(schema, "the key `" + base::escape_for_display(name) + "` cannot be written in this style",
                       "a key becomes the name of a tag, which cannot contain `<`, `>`, blanks or control characters",
                       ErrorCode::kUnsupported);
  }
  std::vector<NodeId> ways;
  if (may_be(schema, "string")) {
    const Node inside = scalar_value(value, "\"string\"", kNamespace, style.options);
    if (!inside) return std::nullopt;
    ways.push_back(*inside);
  }
  if (std::ranges::any_of(kScalars, [&](std::string_view type) { return may_be(schema, type); })) {
    const Node inside = scalar_value(value, kTypedScalars, kNamespace, style.options);
    if (!inside) return std::nullopt;
    ways.push_back(*inside);
  }
  const auto objects = container_alternatives(value, "object", style.options,
                                              [&](const NestedValue& one) { return nested_object(one, style); });
  if (!objects) return std::nullopt;
  const auto lists = container_alternatives(value, "array", style.options,
                                            [&](const NestedValue& one) { return nested_list(one, style); });
  if (!lists) return std::nullopt;
  ways.insert(ways.end(), objects->begin(), objects->end());
  ways.insert(ways.end(), lists->begin(), lists->end());
  const NodeId parts[] = {literals_.add(grammar_, std::string(kNamespace) + "<" + name + ">", where),
                          grammar_.add_choice(ways, where),
                          literals_.add(grammar_, std::string(kNamespace) + "</" + name + ">", where)};
  return grammar_.add_sequence(parts, where);
}

// Returns a node for the values of the schema that have one of the types: strings without quotes that do not contain
// `end`, other values as JSON. `types` are names in quotes, separated by commas.
FormatReader::Node FormatReader::scalar_value(const NestedValue& value, std::string_view types, std::string_view end,
                                              const JsonSchemaOptions& options) {
  const SourceRange where = value.schema->where();
  const std::string of_types =
      R"({"allOf": [{"$ref": ")" + value.reference + R"("}, {"type": [)" + std::string(types) + "]}]}";
  Reading reading{grammar_, input_.reading().limits, input_.reading().review};
  if (types == "\"string\"") {
    if (const auto text = read_bare_strings(of_types, options, std::string(end), reading)) return *text;
  } else {
    const auto rule = read_json_schema(of_types, options, json_schema::Placement::kEmbedded, reading);
    if (rule) return grammar_.add_rule_reference(*rule, where);
  }
  // The schema may have no values of this type.
  if (reading.errors.front().code == ErrorCode::kUnsatisfiable) return grammar_.add_choice({}, where);
  for (Error& error : reading.errors) {
    input_.fail(*value.schema, std::move(error.message), std::move(error.hint), error.code);
  }
  return std::nullopt;
}

// Returns true if the values of the member depend on one schema only. Otherwise adds an error: styles with their own
// nesting cannot combine schemas.
bool FormatReader::has_one_schema(const ListedMember& member) {
  if (member.pointers.size() == 1) return true;
  input_.fail(*member.schema, "`patternProperties` also applies to this argument, which is not supported in this style",
              "", ErrorCode::kUnsupported);
  return false;
}

// Returns a node for a member of an object that is at nesting level `level`.
FormatReader::Node FormatReader::nested_member(const NestedValue& object, const ListedMember& member,
                                               std::uint32_t level, const NestedStyle& style) {
  if (!has_one_schema(member)) return std::nullopt;
  return nested_value({member.schema, member.key, object.reference + member.pointers.front(), level, object.root},
                      style);
}

FormatReader::Node FormatReader::further_nested(const NestedValue& object, const FurtherMembers& others,
                                                std::uint32_t level, const NestedStyle& style) {
  const JsonValue& schema = *object.schema;
  const JsonValue* patterns = schema.find("patternProperties");
  const JsonValue& at = patterns != nullptr ? *patterns : *schema.find("additionalProperties");
  if (style.is_named || others.schema == nullptr) {
    return input_.fail(at,
                       style.is_named ? "arguments that `properties` does not list are not supported in this style"
                                      : "a key that matches several patterns is not supported in this style",
                       "", ErrorCode::kUnsupported);
  }
  const Node key = further_key(schema, others.keys, style.options);
  if (!key) return key;
  return nested_value(
      {others.schema, std::nullopt, object.reference + others.pointers.front(), level, object.root, key}, style);
}

FormatReader::Node FormatReader::nested_object(const NestedValue& value, const NestedStyle& style) {
  const SourceRange where = value.schema->where();
  const auto placed = [&](const Node& member) -> Node {
    if (!member || !style.is_named) return member;
    const NodeId parts[] = {blanks(where), *member};
    return grammar_.add_sequence(parts, where);
  };
  const Node inside = members(
      *value.schema, {.is_any = style.any_order}, style.options,
      [&](const ListedMember& member) { return placed(nested_member(value, member, value.level + 1, style)); },
      [&](const FurtherMembers& others) { return placed(further_nested(value, others, value.level + 1, style)); });
  if (!inside || !style.is_named || !has_listed_members(*value.schema)) return inside;
  const NodeId parts[] = {*inside, blanks(where)};
  return grammar_.add_sequence(parts, where);
}

FormatReader::Node FormatReader::nested_list(const NestedValue& value, const NestedStyle& style) {
  const SourceRange where = value.schema->where();
  const Node items = list_of(value, {}, [&](const NestedValue& item) -> Node {
    const Node one = nested_value(item, style);
    if (!one || !style.is_named) return one;
    const NodeId parts[] = {blanks(where), *one};
    return grammar_.add_sequence(parts, where);
  });
  if (!items || !style.is_named) return items;
  const NodeId parts[] = {*items, blanks(where)};
  return grammar_.add_sequence(parts, where);
}

// Returns a node for any value, without the text of its first tag up to `type="`. Errors point to `at`.
FormatReader::Node FormatReader::any_typed_value(const JsonValue& at) {
  const SourceRange where = at.where();
  if (any_typed_value_) return grammar_.add_rule_reference(*any_typed_value_, where);
  any_typed_value_ = grammar_.add_rule({.name = "any_value", .where = where, .defined = true, .generated = true});
  const NodeId self = grammar_.add_rule_reference(*any_typed_value_, where);
  const NodeId end = literals_.add(grammar_, kEnd, where);
  const auto list = [&](std::initializer_list<NodeId> item) {
    return grammar_.add_repeat(grammar_.add_sequence(item, where), 0, regex::kUnbounded, where);
  };
  Reading reading{grammar_, input_.reading().limits, input_.reading().review};
  const JsonSchemaOptions& options = options_.json_schema;
  const Node key =
      read_bare_strings(R"({"type": "string", "pattern": )" + std::string(kWritableKeys) + "}", options, "<", reading);
  const Node text = read_bare_strings(R"({"type": "string"})", options, std::string(kEnd), reading);
  const auto scalar = read_json_schema(R"({"type": [)" + std::string(kTypedScalars) + "]}", options,
                                       json_schema::Placement::kEmbedded, reading);
  if (!key || !text || !scalar) {  // a limit
    for (Error& error : reading.errors) input_.fail(at, std::move(error.message), std::move(error.hint), error.code);
    return std::nullopt;
  }
  const std::pair<std::string_view, NodeId> kinds[] = {
      {"raw", *text},
      {"json", grammar_.add_rule_reference(*scalar, where)},
      {"dict", list({literals_.add(grammar_, "<cofl:value name=\"", where), *key,
                     literals_.add(grammar_, "\" type=\"", where), self})},
      {"list", list({literals_.add(grammar_, "<cofl:value type=\"", where), self})}};
  std::vector<NodeId> ways;
  for (const auto& [kind, inside] : kinds) {
    const NodeId parts[] = {literals_.add(grammar_, std::string(kind) + "\">", where), inside, end};
    ways.push_back(grammar_.add_sequence(parts, where));
  }
  grammar_.rule(*any_typed_value_).body = grammar_.add_choice(ways, where);
  return self;
}

bool FormatReader::is_too_deep(const NestedValue& value) {
  if (value.level <= kMaxLevels) return false;
  input_.fail(*value.schema, "values are nested more than " + std::to_string(kMaxLevels) + " deep", "",
              ErrorCode::kUnsupported);
  return true;
}

FormatReader::Node FormatReader::list_of(const NestedValue& value, std::string_view separator,
                                         const std::function<Node(const NestedValue&)>& node_of) {
  static constexpr std::array<std::string_view, 8> kKnown{"type",     "items", "minItems",    "maxItems",
                                                          "examples", "title", "description", "default"};
  const JsonValue& schema = *value.schema;
  for (const base::JsonMember& member : schema.members()) {
    if (std::find(kKnown.begin(), kKnown.end(), member.key) != kKnown.end()) continue;
    return input_.fail(member.value,
                       "`" + base::escape_for_display(member.key) + "` of a list is not supported in this style",
                       "the style `json` supports it", ErrorCode::kUnsupported);
  }
  const JsonValue* items = schema.find("items");
  if (items == nullptr || !items->is(JsonType::kObject)) {
    return input_.fail(schema, "a list without `items` is not supported in this style", "", ErrorCode::kUnsupported);
  }
  const auto count = [&](std::string_view key, std::uint32_t other) {
    const JsonValue* given = schema.find(key);
    const std::optional<std::uint64_t> number =
        given != nullptr && given->is(JsonType::kNumber) ? given->number().to_uint64() : std::nullopt;
    return number ? static_cast<std::uint32_t>(std::min<std::uint64_t>(*number, regex::kUnbounded - 1)) : other;
  };
  const std::uint32_t least = count("minItems", 0);
  const std::uint32_t most = count("maxItems", regex::kUnbounded);
  if (least > most) return grammar_.add_choice({}, schema.where());
  if (std::max(least, most == regex::kUnbounded ? 0 : most) > input_.reading().limits.repeat_count) {
    return input_.fail(schema, "a list of so many items is not supported in this style", "", ErrorCode::kUnsupported);
  }
  const Node item = node_of({items, std::nullopt, value.reference + "/items", value.level + 1, value.root});
  if (!item) return std::nullopt;
  const SourceRange where = schema.where();
  if (separator.empty() || most == 0) return grammar_.add_repeat(*item, least, most, where);
  const NodeId next[] = {grammar_.add_literal(separator, where), *item};
  const NodeId more = grammar_.add_repeat(grammar_.add_sequence(next, where), least == 0 ? 0 : least - 1,
                                          most == regex::kUnbounded ? most : most - 1, where);
  const NodeId some[] = {*item, more};
  const NodeId all = grammar_.add_sequence(some, where);
  return least == 0 ? grammar_.add_repeat(all, 0, 1, where) : all;
}

}  // namespace weir::frontend::structural_tag
