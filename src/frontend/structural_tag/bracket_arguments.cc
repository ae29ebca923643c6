// Arguments as Gemma 4 writes them: `{key:<|"|>text<|"|>,list:[1,2]}`. Keys are unquoted and in alphabetical order,
// strings have no escapes, and there are no blanks. Numbers, booleans and null are written as in JSON.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "frontend/json_schema/json_schema.h"
#include "frontend/structural_tag/arguments.h"
#include "frontend/structural_tag/formats.h"

namespace weir::frontend::structural_tag {

using grammar::NodeId;

namespace {

constexpr const char* kQuote = "<|\"|>";

// Keys end at the colon; readers of calls count brackets and skip commas and blanks around a key.
bool can_be_bare(std::string_view key) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  return !key.empty() && !is_blank(key.front()) && !is_blank(key.back()) &&
         key.find_first_of(":,{}[]") == std::string_view::npos && key.find(kQuote) == std::string_view::npos;
}

std::string of_types(const std::string& reference, std::string_view types) {
  return R"({"allOf": [{"$ref": ")" + reference + R"("}, {"type": )" + std::string(types) + "}]}";
}

}  // namespace

FormatReader::Node FormatReader::bracket_object(const NestedValue& value, const JsonSchemaOptions& options,
                                                bool any_order) {
  const MemberOrder order{.is_any = any_order, .is_sorted = true, .separator = ","};
  const Node inside = members(*value.schema, order, options, [&](const ListedMember& member) -> Node {
    if (!has_one_schema(member)) return std::nullopt;
    return bracket_member(
        {member.schema, member.key, value.reference + member.pointers.front(), value.level + 1, value.root}, options,
        any_order);
  });
  if (!inside) return std::nullopt;
  const SourceRange where = value.schema->where();
  const NodeId parts[] = {grammar_.add_literal("{", where), *inside, grammar_.add_literal("}", where)};
  return grammar_.add_sequence(parts, where);
}

FormatReader::Node FormatReader::bracket_member(const NestedValue& value, const JsonSchemaOptions& options,
                                                bool any_order) {
  if (!can_be_bare(*value.name)) {
    return input_.fail(
        *value.schema, "the key `" + base::escape_for_display(*value.name) + "` cannot be written in this style",
        "keys stand without quotes: no brackets, commas and colons, and no blanks around", ErrorCode::kUnsupported);
  }
  const Node inside = bracket_value(value, options, any_order);
  if (!inside) return std::nullopt;
  const SourceRange where = value.schema->where();
  const NodeId parts[] = {grammar_.add_literal(std::string(*value.name) + ":", where), *inside};
  return grammar_.add_sequence(parts, where);
}

// Returns the values of a schema, with one alternative for each kind of value.
FormatReader::Node FormatReader::bracket_value(const NestedValue& value, const JsonSchemaOptions& options,
                                               bool any_order) {
  const JsonValue& schema = *value.schema;
  if (is_too_deep(value)) return std::nullopt;
  const SourceRange where = schema.where();
  std::vector<NodeId> ways;
  // Returns false on an error. A kind without values is not an error.
  const auto add_way = [&](Reading& reading, const Node& way) {
    if (way) {
      ways.push_back(*way);
    } else if (reading.errors.front().code != ErrorCode::kUnsatisfiable) {
      for (Error& error : reading.errors)
        input_.fail(schema, std::move(error.message), std::move(error.hint), error.code);
      return false;
    }
    return true;
  };
  if (may_be(schema, "string")) {
    Reading reading{grammar_, input_.reading().limits, input_.reading().review};
    Node text = read_bare_strings(R"({"$ref": ")" + value.reference + "\"}", options, kQuote, reading);
    if (text) {
      const NodeId quote = literals_.add(grammar_, kQuote, where);
      const NodeId parts[] = {quote, *text, quote};
      text = grammar_.add_sequence(parts, where);
    }
    if (!add_way(reading, text)) return std::nullopt;
  }
  JsonSchemaOptions plain = options;
  plain.exponents = false;  // readers take `1e5` for a string
  plain.leading_whitespace = plain.trailing_whitespace = false;
  static constexpr std::array<const char*, 4> kScalars{"number", "integer", "boolean", "null"};
  if (std::any_of(kScalars.begin(), kScalars.end(), [&](const char* type) { return may_be(schema, type); })) {
    Reading reading{grammar_, input_.reading().limits, input_.reading().review};
    const auto rule = read_json_schema(of_types(value.reference, R"(["number", "boolean", "null"])"), plain,
                                       json_schema::Placement::kEmbedded, reading);
    const Node way = rule ? Node(grammar_.add_rule_reference(*rule, where)) : std::nullopt;
    if (!add_way(reading, way)) return std::nullopt;
  }
  const auto objects = container_alternatives(
      value, "object", plain, [&](const NestedValue& one) { return bracket_object(one, options, any_order); });
  if (!objects) return std::nullopt;
  const auto lists = container_alternatives(
      value, "array", plain, [&](const NestedValue& one) { return bracket_list(one, options, any_order); });
  if (!lists) return std::nullopt;
  ways.insert(ways.end(), objects->begin(), objects->end());
  ways.insert(ways.end(), lists->begin(), lists->end());
  return grammar_.add_choice(ways, where);
}

FormatReader::Node FormatReader::bracket_list(const NestedValue& value, const JsonSchemaOptions& options,
                                              bool any_order) {
  const Node inside =
      list_of(value, ",", [&](const NestedValue& item) { return bracket_value(item, options, any_order); });
  if (!inside) return std::nullopt;
  const SourceRange where = value.schema->where();
  const NodeId parts[] = {grammar_.add_literal("[", where), *inside, grammar_.add_literal("]", where)};
  return grammar_.add_sequence(parts, where);
}

}  // namespace weir::frontend::structural_tag
