// Warnings about parts of a schema that validators ignore or read differently than their author meant: unknown or
// misspelled keywords, and escapes in patterns that other dialects of regular expressions define and ECMA-262 does not.
//
// WHY    JSON Schema ignores unknown keywords, and in ECMA-262 `\Z` matches the letter Z. Such a schema is valid, but
//        it accepts other values than its author meant.
// COST   Linear in the members of a schema and the length of its patterns.
// THREADS Pure functions.
#ifndef WEIR_SRC_LINT_SCHEMA_STYLE_LINT_H_
#define WEIR_SRC_LINT_SCHEMA_STYLE_LINT_H_

#include <vector>

#include "frontend/json_schema/source/schema_store.h"
#include "weir/error.h"

namespace weir::frontend::json_schema {

/// Appends warnings about the members of one schema, without its subschemas.
void warn_of_style(const SchemaStore& store, SchemaId schema, std::vector<Warning>& warnings);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_LINT_SCHEMA_STYLE_LINT_H_
