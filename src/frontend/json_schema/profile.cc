// The named settings of JsonSchemaOptions, and which options go together.
#include "frontend/json_schema/json_schema.h"
#include "weir/json_schema.h"

namespace weir {

namespace {

constexpr std::uint32_t kServingBlanks = 8;

}  // namespace

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
  options.whitespace_limit = kServingBlanks;
  options.escapes = JsonSchemaOptions::Escapes::kRequired;
  options.exponents = false;
  options.integers = JsonSchemaOptions::Integers::kPlain;
  options.numbers = JsonSchemaOptions::Numbers::kDouble;
  options.number_digits = 20;
  return options;
}

std::optional<Error> frontend::option_without_effect(const JsonSchemaOptions& options) {
  using Options = JsonSchemaOptions;
  const Options exact;
  const auto refused = [](std::string_view name, std::string_view needed) {
    const std::string quoted = "`" + std::string(name) + "`";
    return Error{ErrorCode::kInvalidArgument,
                 quoted + " has no effect: it is for " + std::string(needed),
                 {},
                 "leave " + quoted + " out, or change the other option",
                 {}};
  };
  const Options::Whitespace blanks = options.whitespace;
  if (!options.whitespace_pattern.empty() && blanks != Options::Whitespace::kPattern) {
    return refused("whitespace_pattern", "`whitespace` = pattern");
  }
  if (options.whitespace_limit != exact.whitespace_limit && options.whitespace_limit != kServingBlanks &&
      blanks != Options::Whitespace::kBounded) {
    return refused("whitespace_limit", "`whitespace` = bounded");
  }
  if (options.indent != exact.indent && blanks != Options::Whitespace::kIndented) {
    return refused("indent", "`whitespace` = indented");
  }
  const bool has_no_blanks = blanks == Options::Whitespace::kNone || blanks == Options::Whitespace::kCompact ||
                             blanks == Options::Whitespace::kIndented;
  if (has_no_blanks && (options.leading_whitespace || options.trailing_whitespace)) {
    return refused(options.leading_whitespace ? "leading_whitespace" : "trailing_whitespace",
                   "`whitespace` = bounded, unbounded or pattern");
  }
  if (options.scientific_decimals != exact.scientific_decimals && !options.exponents) {
    return refused("scientific_decimals", "numbers with exponents");
  }
  return std::nullopt;
}

}  // namespace weir
