// Hints for names that schemas misspell: of types, of keywords, of the dialect that is meant.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_MISNOMERS_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_MISNOMERS_H_

#include <string>
#include <string_view>

namespace weir::frontend::json_schema {

/// Tells how to declare the dialect that a schema is written in.
inline constexpr std::string_view kDraftHint = "declare the dialect with `$schema`";

/// Returns true if the names differ in case, `_` and `-` only: `max_length`, `MaxLength`, `max-length`, `maxLength`.
bool have_same_letters(std::string_view a, std::string_view b);

/// A hint for the name of a type that does not exist: the type that was probably meant; empty if none is likely.
std::string hint_for_type(std::string_view name);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_MISNOMERS_H_
