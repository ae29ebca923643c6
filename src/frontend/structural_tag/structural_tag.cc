#include "frontend/structural_tag/structural_tag.h"

#include <utility>

#include "frontend/json_schema/json_schema.h"
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

}  // namespace weir::frontend
