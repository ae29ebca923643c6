// Looks at every schema that a schema leads to: whether its keywords have values that mean something, and whether it is
// one that weir can express. What passes has a meaning (schema_meaning.h).
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_SCHEMA_CHECK_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_SCHEMA_CHECK_H_

#include <vector>

#include "frontend/json_schema/source/schema_store.h"
#include "regex/expr/expr.h"
#include "weir/error.h"
#include "weir/json_schema.h"
#include "weir/limits.h"

namespace weir::frontend::json_schema {

/// Errors   kInvalidArgument: a keyword's value is of the wrong kind, or a reference leads nowhere. kSyntax: a pattern.
///          kUnsupported: a pattern that is not regular, a divisor out of range (number_language.h), an unknown format
///          where the options refuse it, a schema that leads back to itself with no item, member or name in between.
///          kLimitExceeded.
/// Cost     Once a schema, and the expressions of its patterns, numbers and formats.
/// `places`: where it is not null, all that was looked at.
struct CheckedSchemas {
  bool follows_items = false;  ///< Some schema has `uniqueItems` or `contains`: what may come depends on items before.
  bool follows_keys = false;   ///< Some schema has `patternProperties` or `propertyNames`: names may run out.
};
Result<CheckedSchemas> check_schemas(SchemaStore& store, SchemaId root, regex::ExprSet& exprs,
                                     const JsonSchemaOptions& options, const Limits& limits,
                                     std::vector<Warning>& warnings, std::vector<SchemaPlace>* places = nullptr);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_SCHEMA_CHECK_H_
