// Warnings about parts of a schema that validators ignore or read differently than their author meant: unknown or
// misspelled keywords, and escapes in patterns that other dialects of regular expressions define and ECMA-262 does not.
//
// WHY    JSON Schema ignores what it does not know, and ECMA-262 takes `\Z` for a Z. Such a schema is valid, but
//        it does not accept what was meant.
// COST   The members of a schema, and the length of its patterns.
// THREADS Functions of their arguments alone.
#ifndef WEIR_SRC_LINT_SCHEMA_STYLE_LINT_H_
#define WEIR_SRC_LINT_SCHEMA_STYLE_LINT_H_

#include <vector>

#include "frontend/json_schema/source/schema_store.h"
#include "weir/error.h"

namespace weir::frontend::json_schema {

/// Appends warnings about the members of one schema, not of those in it.
void warn_of_style(const SchemaStore& store, SchemaId schema, std::vector<Warning>& warnings);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_LINT_SCHEMA_STYLE_LINT_H_
