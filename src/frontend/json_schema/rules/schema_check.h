// check_schemas: checks every schema that is reachable from a root. Its keywords must have valid values, and weir must
// support them. SchemaMeaning (schema_meaning.h) relies on it.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_SCHEMA_CHECK_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_SCHEMA_CHECK_H_

#include <vector>

#include "frontend/json_schema/source/schema_store.h"
#include "regex/expr/expr.h"
#include "weir/error.h"
#include "weir/json_schema.h"
#include "weir/limits.h"

namespace weir::frontend::json_schema {

/// What a check has found out about the schemas together.
struct CheckedSchemas {
  bool follows_items = false;  ///< Some schema has `uniqueItems` or `contains`: an item may depend on earlier ones.
  bool follows_keys = false;   ///< Some schema has `patternProperties` or `propertyNames`: keys may be used up.
};
/// Checks all schemas that are reachable from `root`, each once. Appends to `warnings`. Sets `places` to all schemas
/// that were visited, unless it is null or the check fails.
///
/// Errors   kInvalidArgument: a keyword's value is of the wrong kind, or a reference leads nowhere. kSyntax: a pattern.
///          kUnsupported: a pattern that is not regular, a divisor out of range (number_language.h), an unknown format
///          if the options refuse it, a schema that leads back to itself with no item, member or name in between.
///          kLimitExceeded.
/// Cost     Linear in the schemas, plus making the expressions of their patterns and numbers.
Result<CheckedSchemas> check_schemas(SchemaStore& store, SchemaId root, regex::ExprSet& exprs,
                                     const JsonSchemaOptions& options, const Limits& limits,
                                     std::vector<Warning>& warnings, std::vector<SchemaPlace>* places = nullptr);

/// Checks the schemas that are no part of `reachable`, the places of check_schemas(), but stand there in `$defs`,
/// `definitions` or `contentSchema`. They have no effect, so what would be an error in them is a warning, `unused-schema`.
/// Cost: as check_schemas().
void check_unused_schemas(SchemaStore& store, const std::vector<SchemaPlace>& reachable, regex::ExprSet& exprs,
                          const JsonSchemaOptions& options, const Limits& limits, std::vector<Warning>& warnings);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_SCHEMA_CHECK_H_
