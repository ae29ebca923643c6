// The named settings of JsonSchemaOptions, and which options go together.
#include "frontend/json_schema/json_schema.h"
#include "weir/json_schema.h"

namespace weir {

namespace {

// Blanks in one place: enough for a line end and the indentation of three levels, and few enough that a model which goes on
// with blanks soon has to write something else.
constexpr std::uint32_t kServingBlanks = 8;
// Digits of a number: as many as the largest integer of 64 bits has, which is more than a double holds.
constexpr std::uint32_t kServingDigits = 20;

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
  options.reading = JsonSchemaOptions::Reading::kPractice;
  options.order = JsonSchemaOptions::Order::kDeclared;
  options.whitespace_limit = kServingBlanks;
  options.escapes = JsonSchemaOptions::Escapes::kRequired;
  options.exponents = false;
  options.integers = JsonSchemaOptions::Integers::kPlain;
  options.numbers = JsonSchemaOptions::Numbers::kDouble;
  options.number_digits = kServingDigits;
  return options;
}

}  // namespace weir

namespace weir::frontend {

Error no_effect(std::string_view option, std::string_view other, std::string_view needed) {
  Error error{ErrorCode::kInvalidArgument,
              "`" + std::string(option) + "` has no effect: it is for " + std::string(needed),
              {},
              "leave it out"};
  error.options = std::string(option) + " " + std::string(other);
  return error;
}

std::optional<Error> option_without_effect(const JsonSchemaOptions& options) {
  using Whitespace = JsonSchemaOptions::Whitespace;
  const JsonSchemaOptions exact;
  const Whitespace blanks = options.whitespace;
  const bool has_limit =
      options.whitespace_limit != exact.whitespace_limit && options.whitespace_limit != kServingBlanks;
  const bool has_blanks =
      blanks == Whitespace::kBounded || blanks == Whitespace::kUnbounded || blanks == Whitespace::kPattern;
  if (!options.whitespace_pattern.empty() && blanks != Whitespace::kPattern) {
    return no_effect("whitespace_pattern", "whitespace", "`whitespace` = pattern");
  }
  if (has_limit && blanks != Whitespace::kBounded)
    return no_effect("whitespace_limit", "whitespace", "`whitespace` = bounded");
  if (options.indent != exact.indent && blanks != Whitespace::kIndented) {
    return no_effect("indent", "whitespace", "`whitespace` = indented");
  }
  if (!has_blanks && (options.leading_whitespace || options.trailing_whitespace)) {
    return no_effect(options.leading_whitespace ? "leading_whitespace" : "trailing_whitespace", "whitespace",
                     "a `whitespace` with blanks");
  }
  if (options.scientific_decimals != exact.scientific_decimals && !options.exponents) {
    return no_effect("scientific_decimals", "exponents", "numbers with `exponents`");
  }
  if (options.lone_surrogates && options.notation == JsonSchemaOptions::Notation::kYaml) {
    return no_effect("lone_surrogates", "notation", "`notation` = json");
  }
  if (options.lone_surrogates && !options.characters.empty()) {
    return no_effect("lone_surrogates", "characters", "strings of any `characters`");
  }
  return std::nullopt;
}

}  // namespace weir::frontend
