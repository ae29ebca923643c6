// offered_strings: the strings that the option `characters` allows.
//
// WHAT   Under `characters` = `[ -~]` a string has printable ASCII alone. Strings that the schema lists in `const` and
//        `enum` are allowed beside these, whatever they are made of: {"enum": ["größe"]} is not left without a value.
// HOW    All sets of strings are subsets of this one (Algebra::any_shape()), as all numbers are among those offered. So
//        a complement is again a set of such strings, and a search for a value finds no other.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_CHARACTERS_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_CHARACTERS_H_

#include <span>

#include "base/json/json_value.h"
#include "regex/expr/expr.h"
#include "weir/error.h"
#include "weir/json_schema.h"
#include "weir/limits.h"

namespace weir::frontend::json_schema {

/// Returns the strings that `options.characters` allows, and those that the documents list. Without that option, all.
/// Errors: those of parse_regex; kInvalidArgument if the pattern matches other texts than single characters, or none.
/// Error::where is empty, because the pattern is no part of the schema.
Result<regex::ExprId> offered_strings(regex::ExprSet& exprs, const JsonSchemaOptions& options,
                                      std::span<const base::JsonDocument* const> documents, const Limits& limits);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_CHARACTERS_H_
