// Hints for misspelled names of types and keywords in schemas, for an undeclared dialect, and for JSON that is not a schema.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_MISNOMERS_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_MISNOMERS_H_

#include <string>
#include <string_view>

#include "base/json/json_value.h"

namespace weir::frontend::json_schema {

/// The hint for a schema that seems to be written in another dialect.
inline constexpr std::string_view kDraftHint = "declare the dialect with `$schema`, or with `default_draft`";
inline constexpr std::string_view kDraftOption = "default_draft";  ///< Error::options of a text with this hint.

/// Returns true if the names differ in case, `_` and `-` only: `max_length`, `MaxLength`, `max-length`, `maxLength`.
bool have_same_letters(std::string_view a, std::string_view b);

/// Returns true if the object names a type of JSON, or several, or has a keyword that restricts values.
bool looks_like_schema(const base::JsonValue& value);

/// What a schema may be wrapped in: {"name": ..., "parameters": {...}} is a tool.
struct Wrapper {
  std::string_view name;     ///< "a tool"; empty for none.
  bool holds_lists = false;  ///< The member with the schema may be a list: {"tools": [...]}.
};
/// Returns the wrapper that has a member of this name, if the member's value is or holds a schema.
Wrapper wrapper_with(std::string_view member);

/// A member of an object that was given as a schema; the schema that is meant is the member's value.
struct Wrapped {
  const base::JsonMember* member = nullptr;  ///< Null if there is none.
  std::string hint = {};
  bool is_known = false;  ///< It is the member of a known wrapper; else it only holds a schema or names a type.
};
/// Finds such a member if no keyword but `type` restricts anything: {"type": "object", "schema": {...}}. A map of names to
/// schemas or types has one, too: {"city": {"type": "string"}, "days": "int"}, if its members that are objects and no
/// keywords hold schemas.
Wrapped wrapped_schema(const base::JsonValue& schema);

/// Returns a hint that names the type that is probably meant by `name`; empty if none is likely, or if `name` is a type.
std::string hint_for_type(std::string_view name);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_MISNOMERS_H_
