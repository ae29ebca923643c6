// Finds the schemas that the objects and lists among a schema's values follow, for styles with their own notation for
// objects and lists. These are the schemas with a `type` that are reached through `$ref`, `anyOf`, `oneOf` or an
// `allOf` of one schema.
//
// WHY    For other values no keywords need to be understood: the JSON Schema front end intersects the schema with their
//        types. For objects and lists the members and items are needed, each with its own schema.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "frontend/json_schema/json_schema.h"
#include "frontend/json_schema/source/json_pointer.h"
#include "frontend/structural_tag/arguments.h"
#include "frontend/structural_tag/formats.h"

namespace weir::frontend::structural_tag {

using grammar::NodeId;

namespace {

constexpr std::size_t kMaxSteps = 64;     // from a schema to one with a `type`
constexpr std::size_t kMaxBranches = 32;  // of `oneOf`, which are compared in pairs

// Returns the only member that constrains values; null if there are none or several.
const base::JsonMember* only_claim(const JsonValue& schema) {
  static constexpr std::array<std::string_view, 10> kSilent{"title",       "description", "default",  "examples",
                                                            "$comment",    "deprecated",  "readOnly", "writeOnly",
                                                            "definitions", "$defs"};
  const base::JsonMember* found = nullptr;
  for (const base::JsonMember& member : schema.members()) {
    if (std::ranges::find(kSilent, member.key) != kSilent.end()) continue;
    if (found != nullptr) return nullptr;
    found = &member;
  }
  return found;
}

enum class Members : std::uint8_t { kKeywords, kNames };

// Returns true if an inner schema has an `$id`, which changes what `#` means in it.
bool has_inner_resource(const JsonValue& value, Members members, bool is_root) {
  static constexpr std::array<std::string_view, 4> kValues{"enum", "const", "default", "examples"};
  static constexpr std::array<std::string_view, 6> kOfNames{
      "properties", "$defs", "definitions", "patternProperties", "dependentSchemas", "dependencies"};
  for (const JsonValue& item : value.items()) {
    if (has_inner_resource(item, Members::kKeywords, false)) return true;
  }
  for (const base::JsonMember& member : value.members()) {
    Members inner = Members::kKeywords;
    if (members == Members::kKeywords) {
      if (std::ranges::find(kValues, member.key) != kValues.end()) continue;
      const bool is_id = member.key == "$id" || member.key == "id";
      if (is_id && !is_root && member.value.is(JsonType::kString)) return true;
      if (std::ranges::find(kOfNames, member.key) != kOfNames.end()) inner = Members::kNames;
    }
    if (has_inner_resource(member.value, inner, false)) return true;
  }
  return false;
}

}  // namespace

bool may_be(const JsonValue& schema, std::string_view type) {
  const JsonValue* given = schema.find("type");
  if (given == nullptr) return true;
  if (given->is(JsonType::kString)) return given->string() == type;
  return std::ranges::any_of(given->items(), [&](const JsonValue& one) { return one.string() == type; });
}

// If an inner schema has an `$id`, references are not followed.
const JsonValue* reference_root(const JsonValue& schema) {
  return has_inner_resource(schema, Members::kKeywords, true) ? nullptr : &schema;
}

std::optional<FormatReader::NestedValue> FormatReader::target_of(const NestedValue& value, const JsonValue& reference) {
  if (value.root == nullptr || !reference.is(JsonType::kString) || !reference.string().starts_with('#')) {
    return std::nullopt;
  }
  const auto pointer = json_schema::percent_decode(reference.string().substr(1));
  if (!pointer || (!pointer->empty() && pointer->front() != '/')) return std::nullopt;  // the name of an anchor
  const auto tokens = json_schema::parse_pointer(*pointer);
  const JsonValue* schema = tokens ? json_schema::find_pointer(*value.root, *tokens) : nullptr;
  if (schema == nullptr) return std::nullopt;
  NestedValue target = value;
  target.schema = schema;
  target.reference = std::string(kArgumentsDocument) + "#" + as_fragment(*pointer);
  return target;
}

// Returns true if a value of the type may be valid under all of the schemas, as far as is known.
bool FormatReader::has_values(std::initializer_list<std::string_view> references, std::string_view type,
                              const JsonSchemaOptions& options) {
  std::string schema = R"({"allOf": [{"type": ")" + std::string(type) + "\"}";
  for (const std::string_view reference : references) schema += R"(, {"$ref": ")" + std::string(reference) + "\"}";
  grammar::Grammar scratch(input_.reading().limits.regex_nodes);
  Reading reading{scratch, input_.reading().limits, input_.reading().review};
  const auto rule = read_json_schema(schema + "]}", options, json_schema::Placement::kEmbedded, reading);
  return rule || reading.errors.front().code != ErrorCode::kUnsatisfiable;
}

// Returns true if no value of the type is valid under two of the schemas, so that `oneOf` of them equals `anyOf`.
bool FormatReader::are_disjoint(std::span<const NestedValue> branches, std::string_view type,
                                const JsonSchemaOptions& options) {
  std::vector<const NestedValue*> of_type;
  for (const NestedValue& branch : branches) {
    if (may_be(*branch.schema, type)) of_type.push_back(&branch);
  }
  if (of_type.size() > kMaxBranches) return false;
  for (std::size_t i = 0; i < of_type.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (has_values({of_type[i]->reference, of_type[j]->reference}, type, options)) return false;
    }
  }
  return true;
}

// Returns schemas whose union has the same values as this schema without a type; none if it cannot be read in this way.
std::vector<FormatReader::NestedValue> FormatReader::branches_of(const NestedValue& value, std::string_view type,
                                                                 const JsonSchemaOptions& options) {
  std::vector<NestedValue> branches;
  const base::JsonMember* claim = only_claim(*value.schema);
  if (claim == nullptr) return branches;
  if (claim->key == "$ref") {
    if (auto target = target_of(value, claim->value)) branches.push_back(*std::move(target));
    return branches;
  }
  const auto listed = claim->value.items();
  const bool is_read = claim->key == "anyOf" || claim->key == "oneOf" || (claim->key == "allOf" && listed.size() == 1);
  if (!is_read) return branches;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    NestedValue branch = value;
    branch.schema = &listed[i];
    branch.reference += "/" + std::string(claim->key) + "/" + std::to_string(i);
    branches.push_back(std::move(branch));
  }
  if (claim->key == "oneOf" && !are_disjoint(branches, type, options)) branches.clear();
  return branches;
}

bool FormatReader::add_shapes(const NestedValue& value, std::string_view type, const JsonSchemaOptions& options,
                              Shapes& out) {
  const JsonValue& schema = *value.schema;
  if (schema.find("type") != nullptr) {
    const bool is_new = std::ranges::none_of(out.found, [&](const NestedValue& s) { return s.schema == &schema; });
    if (is_new && may_be(schema, type)) out.found.push_back(value);
    return true;
  }
  if (std::ranges::find(out.settled, &schema) != out.settled.end()) return true;
  const bool is_on_the_way = std::ranges::find(out.way, &schema) != out.way.end();
  const std::vector<NestedValue> branches =
      is_on_the_way || out.way.size() == kMaxSteps ? std::vector<NestedValue>() : branches_of(value, type, options);
  if (branches.empty()) {
    if (!has_values({value.reference}, type, options)) return true;
    input_.fail(
        schema, "a value that may be an " + std::string(type) + " needs a `type` in this style",
        "give it a `type`, or only one of `$ref` to a part of the arguments' schema, `anyOf`, `oneOf` of disjoint "
        "schemas, and `allOf` of one schema, that leads to schemas with a `type`",
        ErrorCode::kUnsupported);
    return false;
  }
  out.way.push_back(&schema);
  for (const NestedValue& branch : branches) {
    if (!add_shapes(branch, type, options, out)) return false;
  }
  out.way.pop_back();
  out.settled.push_back(&schema);
  return true;
}

// A schema elsewhere becomes a rule, because it may be recursive and used several times.
std::optional<std::vector<NodeId>> FormatReader::container_alternatives(
    const NestedValue& value, std::string_view type, const JsonSchemaOptions& options,
    const std::function<Node(const NestedValue&)>& node_of) {
  Shapes shapes;
  if (!add_shapes(value, type, options, shapes)) return std::nullopt;
  std::vector<NodeId> ways;
  for (const NestedValue& shape : shapes.found) {
    const SourceRange where = shape.schema->where();
    if (shape.schema == value.schema) {
      const Node inside = node_of(shape);
      if (!inside) return std::nullopt;
      ways.push_back(*inside);
      continue;
    }
    const auto key = std::pair(shape.schema, std::string(type));
    auto known = containers_.find(key);
    if (known == containers_.end()) {
      const grammar::RuleId made =
          grammar_.add_rule({.name = std::string(type), .where = where, .defined = true, .generated = true});
      known = containers_.emplace(key, made).first;
      const Node inside = node_of(shape);
      if (!inside) return std::nullopt;
      grammar_.rule(made).body = *inside;
    }
    ways.push_back(grammar_.add_rule_reference(known->second, where));
  }
  return ways;
}

}  // namespace weir::frontend::structural_tag
