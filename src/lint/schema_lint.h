// What of a schema can never be: subschemas that hold no value, and keywords that say nothing where they stand.
//
// WHY    Such a schema is valid and has values, so compiling has no reason to look. But a property that no value fits
//        is one that a model never writes, and nobody asked for that.
// HOW    Each subschema that the schema leads to is asked for a member (witness.h), and so is each branch of `anyOf`
//        and `oneOf` together with the schema around it. `false` and `not` are meant, so nothing is said of them; nor
//        of a schema that holds nothing because another one does of which something is said.
// LIMITS schema_steps and kMaxMade expressions, in all, and at most kMaxFindings subschemas: what takes longer is
//        passed over in silence. Names of constraints that contradict each other are looked for as in contradiction.h.
// COST   A check's, not a compiler's: some ten times that of compiling; where properties are conjunctions of patterns,
//        of which compiling looks at none, up to what the limits allow, some seconds.
// THREADS As the SchemaStore.
#ifndef WEIR_SRC_LINT_SCHEMA_LINT_H_
#define WEIR_SRC_LINT_SCHEMA_LINT_H_

#include <vector>

#include "frontend/json_schema/schema_review.h"
#include "frontend/json_schema/source/schema_store.h"
#include "weir/error.h"
#include "weir/json_schema.h"
#include "weir/limits.h"

namespace weir::frontend::json_schema {

/// Appends warnings about subschemas that hold no value, `dead-schema`. `places`: all that the schema leads to, its
/// root among them, which holds values. Precondition: check_schemas() has found nothing wrong.
void warn_of_unsatisfiable_schemas(SchemaStore& store, const std::vector<SchemaPlace>& places,
                                   const JsonSchemaOptions& options, const Limits& limits,
                                   std::vector<Warning>& warnings);

/// Appends warnings about keywords that need another one beside them, that are of types which `type` leaves out, or
/// that leave no value of a type: `idle-keyword`. (schema_lint.cc)
void warn_of_ineffective_keywords(const SchemaStore& store, const std::vector<SchemaPlace>& places,
                                  std::vector<Warning>& warnings);

/// The review that src/lint has for the JSON Schema front end.
const SchemaReview& schema_review();

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_LINT_SCHEMA_LINT_H_
