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

}  // namespace weir::frontend
