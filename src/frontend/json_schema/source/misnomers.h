// Hints for misspelled names of types and keywords in schemas, and for an undeclared dialect.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_MISNOMERS_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_MISNOMERS_H_

#include <string>
#include <string_view>

namespace weir::frontend::json_schema {

/// The hint for a schema that seems to be written in another dialect.
inline constexpr std::string_view kDraftHint = "declare the dialect with `$schema`";

/// Returns true if the names differ in case, `_` and `-` only: `max_length`, `MaxLength`, `max-length`, `maxLength`.
bool have_same_letters(std::string_view a, std::string_view b);

/// Returns a hint that names the type that is probably meant by `name`, which is not a type; empty if none is likely.
std::string hint_for_type(std::string_view name);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_MISNOMERS_H_
