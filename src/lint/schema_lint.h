// Warns of subschemas under which no value is valid, and of keywords that have no effect. Part of checks only;
// compiling does not run it.
//
// WHY    A schema with such parts is valid and has values, so it compiles. But a model can never write a property that
//        allows no value, and that is hardly intended.
// HOW    Each reachable subschema is searched for a valid value (witness.h), and so is each branch of `anyOf` and
//        `oneOf` together with the schema around it. There are no warnings about `false` and `not`, which are intended,
//        nor about a schema that allows no value because of another one that has been reported.
// LIMITS schema_steps and kMaxExpressions expressions in all, and kMaxFindings subschemas. Subschemas that take longer
//        are skipped without a warning. The constraints that contradict each other are found as in contradiction.h.
// COST   Many times that of compiling, which evaluates only what a text needs. Schemas with conjunctions of patterns
//        may reach the limits, which takes seconds.
// THREADS Same as SchemaStore.
#ifndef WEIR_SRC_LINT_SCHEMA_LINT_H_
#define WEIR_SRC_LINT_SCHEMA_LINT_H_

#include <vector>

#include "frontend/json_schema/schema_review.h"
#include "frontend/json_schema/source/schema_store.h"
#include "weir/error.h"
#include "weir/json_schema.h"
#include "weir/limits.h"

namespace weir::frontend::json_schema {

/// Appends warnings `dead-schema` about subschemas under which no value is valid. `places`: all schemas that are
/// reachable, including the root. Preconditions: check_schemas() has accepted the schema, and some value is valid under
/// the root.
void warn_of_unsatisfiable_schemas(SchemaStore& store, const std::vector<SchemaPlace>& places,
                                   const JsonSchemaOptions& options, const Limits& limits,
                                   std::vector<Warning>& warnings);

/// Appends warnings `idle-keyword` about keywords and `enum` values without effect: keywords that need another one
/// beside them, keywords and values of types that `type` excludes. Also `dead-schema` about bounds that leave no value
/// of a type.
void warn_of_ineffective_keywords(const SchemaStore& store, const std::vector<SchemaPlace>& places,
                                  std::vector<Warning>& warnings);

/// Returns the implementation of SchemaReview.
const SchemaReview& schema_review();

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_LINT_SCHEMA_LINT_H_
