// The named settings of JsonSchemaOptions.
#include "weir/json_schema.h"

namespace weir {

Result<JsonSchemaOptions> schema_profile(std::string_view name) {
  JsonSchemaOptions options;
  if (name == "exact") return options;
  if (name != "serving") {
    return tl::unexpected(Error{ErrorCode::kInvalidArgument,
                                "no profile is named `" + std::string(name) + "`",
                                {},
                                "the profiles are `exact` and `serving`",
                                {}});
  }
  options.order = JsonSchemaOptions::Order::kDeclared;
  options.whitespace_limit = 8;
  options.escapes = JsonSchemaOptions::Escapes::kRequired;
  options.exponents = false;
  options.integers = JsonSchemaOptions::Integers::kPlain;
  options.numbers = JsonSchemaOptions::Numbers::kDouble;
  options.number_digits = 20;
  return options;
}

}  // namespace weir
