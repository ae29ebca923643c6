// What a schema says that nobody hears: keywords that are none here, and spellings of patterns that other dialects of
// regular expressions read otherwise.
//
// WHY    JSON Schema ignores what it does not know, and ECMA-262 takes `\Z` for a Z. So such a schema is valid and its
//        texts are not what was meant; a warning says so.
// COST   The members of a schema, and the length of its patterns.
// THREADS Functions of their arguments alone.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_SCHEMA_HABITS_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_SCHEMA_HABITS_H_

#include <string>
#include <string_view>
#include <vector>

#include "frontend/json_schema/schema_store.h"
#include "weir/error.h"

namespace weir::frontend::json_schema {

/// How to say which dialect a schema is written in.
inline constexpr std::string_view kDraftHint = "`$schema` says which dialect it is";

/// Appends warnings about the members of one schema, not of those in it.
void warn_of_habits(const SchemaStore& store, SchemaId schema, std::vector<Warning>& warnings);

/// What may have been meant by a name of a type that is none, as a hint; empty where nothing comes to mind.
std::string hint_for_type(std::string_view name);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_SCHEMA_HABITS_H_
