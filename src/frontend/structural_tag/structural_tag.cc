#include "frontend/structural_tag/structural_tag.h"

#include <utility>

#include "base/utf8.h"
#include "frontend/json_schema/json_schema.h"
#include "frontend/json_schema/source/json_pointer.h"
#include "frontend/structural_tag/formats.h"
#include "frontend/structural_tag/input.h"

namespace weir::frontend {

namespace {

using namespace structural_tag;  // NOLINT(google-build-using-namespace): this file is its facade

FormatReader::Node read_root(Input& input, FormatReader& formats) {
  const JsonValue& root = input.root();
  if (root.is(JsonType::kArray)) return formats.struct_tags(root);
  const Object object{root, "a structural tag"};
  if (!root.is(JsonType::kObject)) {
    return input.fail(root, "a structural tag must be an object", "a list is one of llguidance's StructTag");
  }
  return formats.structural_tag(object);
}

}  // namespace

std::optional<grammar::RuleId> read_structural_tag(std::string_view text, const StructuralTagOptions& options,
                                                   Reading& reading) {
  if (std::optional<Error> useless = option_without_effect(options.json_schema))
    return reading.fail(*std::move(useless));
  return read_tag_document(text, reading, [&](Input& input) {
    FormatReader formats(input, options);
    return read_root(input, formats);
  });
}

std::string structural_tag::in_argument(std::string_view tool, std::string_view path) {
  constexpr std::string_view kProperties = "/properties/";
  std::string out = "tool `" + base::escape_for_display(tool) + "`";
  if (path.starts_with(kProperties)) {
    path.remove_prefix(kProperties.size() - 1);
    path = path.substr(0, path.find('/', 1));
    const auto key = json_schema::parse_pointer(path);
    if (key && key->size() == 1) out += ", argument `" + base::escape_for_display(key->front()) + "`";
  }
  return out + ": ";
}

void structural_tag::lead_to_tool(Error& error, std::string_view tool, std::string_view pointer) {
  const std::size_t at = error.pointer.find(kSchemaMember);
  const bool is_in_schema = at != std::string::npos;
  const std::string path = is_in_schema ? error.pointer.substr(at + kSchemaMember.size()) : "";
  error.message = in_argument(tool, path) + error.message;
  error.pointer = std::string(pointer) + (is_in_schema ? "/parameters" + path : "/name");
}

void structural_tag::lead_to_tool_at(std::string_view text, Error& error) {
  if (!error.pointer.empty() || error.where.start == 0) return;
  Limits limits;
  limits.nesting = limits.number_digits = UINT32_MAX;
  const Result<base::JsonDocument> document = base::JsonDocument::parse(text, limits);
  if (!document) return;
  const std::string pointer = json_schema::pointer_at(document->root(), error.where);
  const auto tokens = json_schema::parse_pointer(pointer);
  const JsonValue* value = &document->root();
  for (std::size_t i = 0; tokens && value != nullptr; ++i) {
    const JsonValue* tool = value->find("tool");
    const JsonValue* name = tool == nullptr ? nullptr : tool->find("name");
    const JsonValue* origin = tool == nullptr ? nullptr : tool->find("pointer");
    if (name != nullptr && origin != nullptr && name->is(JsonType::kString) && origin->is(JsonType::kString)) {
      error.pointer = pointer;
      return lead_to_tool(error, name->string(), origin->string());
    }
    if (i == tokens->size()) return;
    value = json_schema::step_pointer(*value, (*tokens)[i]);
  }
}

}  // namespace weir::frontend
