// Arguments whose objects and lists are nested tags, as Cohere's Command writes them: each value is between tags that
// state its key and its kind.
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

}  // namespace

// Returns a node for the values of a schema, with one alternative for each kind of value.
FormatReader::Node FormatReader::nested_value(const NestedValue& value, const JsonSchemaOptions& options,
                                              bool any_order) {
  const JsonValue& schema = *value.schema;
  const SourceRange where = schema.where();
  if (is_too_deep(value)) return std::nullopt;
  std::string begin = "<cofl:value";
  if (value.name) begin += " name=\"" + escaped_attribute(*value.name) + "\"";
  begin += " type=\"";
  std::vector<NodeId> ways;
  const auto add_way = [&](std::string_view kind, NodeId inside) {
    const NodeId parts[] = {literals_.add(grammar_, begin + std::string(kind) + "\">", where), inside,
                            literals_.add(grammar_, kEnd, where)};
    ways.push_back(grammar_.add_sequence(parts, where));
  };
  if (may_be(schema, "string")) {
    const Node inside = scalar_value(value, "\"string\"", options);
    if (!inside) return std::nullopt;
    add_way("raw", *inside);
  }
  const auto objects = container_alternatives(
      value, "object", options, [&](const NestedValue& one) { return nested_object(one, options, any_order); });
  if (!objects) return std::nullopt;
  if (!objects->empty()) add_way("dict", grammar_.add_choice(*objects, where));
  const auto lists = container_alternatives(value, "array", options, [&](const NestedValue& one) {
    return list_of(one, {}, [&](const NestedValue& item) { return nested_value(item, options, any_order); });
  });
  if (!lists) return std::nullopt;
  if (!lists->empty()) add_way("list", grammar_.add_choice(*lists, where));
  if (std::ranges::any_of(kScalars, [&](std::string_view type) { return may_be(schema, type); })) {
    const Node inside = scalar_value(value, R"("number", "boolean", "null")", options);
    if (!inside) return std::nullopt;
    add_way("json", *inside);
  }
  return grammar_.add_choice(ways, where);
}

// Returns a node for the values of the schema that have one of the types: strings without quotes, other values as JSON.
// `types` are names in quotes, separated by commas.
FormatReader::Node FormatReader::scalar_value(const NestedValue& value, const std::string& types,
                                              const JsonSchemaOptions& options) {
  const SourceRange where = value.schema->where();
  const std::string of_types = R"({"allOf": [{"$ref": ")" + value.reference + R"("}, {"type": [)" + types + "]}]}";
  Reading reading{grammar_, input_.reading().limits, input_.reading().review};
  if (types == "\"string\"") {
    if (const auto text = read_bare_strings(of_types, options, std::string(kEnd), reading)) return *text;
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

FormatReader::Node FormatReader::nested_object(const NestedValue& value, const JsonSchemaOptions& options,
                                               bool any_order) {
  return members(*value.schema, {.is_any = any_order}, [&](const json_schema::JsonMember& property) {
    return nested_value(
        {&property.value, property.key, value.reference + fragment_of(property.key), value.level + 1, value.root},
        options, any_order);
  });
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
  for (const json_schema::JsonMember& member : schema.members()) {
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
