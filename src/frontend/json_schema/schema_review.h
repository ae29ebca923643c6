// SchemaReview: diagnostics about schemas, for the front end that reads them.
//
// WHY    Diagnostics need the algebra of schemas, and the front end needs their texts for its errors. No rule and no
//        mask depends on what a review says, so the front end knows this interface alone; src/lint implements it.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_SCHEMA_REVIEW_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_SCHEMA_REVIEW_H_

#include <vector>

#include "frontend/json_schema/source/schema_store.h"
#include "regex/expr/expr.h"
#include "weir/error.h"
#include "weir/json_schema.h"
#include "weir/limits.h"

namespace weir::frontend::json_schema {

class SchemaReview {
 public:
  virtual ~SchemaReview() = default;
  /// Warns of names and patterns that probably mean something else than their author thinks. `places` are the schemas
  /// that the root leads to. Precondition here and below: check_schemas() has accepted the schema.
  virtual void warn_of_style(const SchemaStore& store, const std::vector<SchemaPlace>& places,
                             std::vector<Warning>& warnings) const = 0;
  /// Warns of subschemas that no value satisfies, and of keywords without effect.
  virtual void warn_of_content(SchemaStore& store, const std::vector<SchemaPlace>& places,
                               const JsonSchemaOptions& options, const Limits& limits,
                               std::vector<Warning>& warnings) const = 0;
  /// The error for a schema that no value satisfies: it names the keywords that contradict each other.
  [[nodiscard]] virtual Error unsatisfiable(SchemaStore& store, SchemaId root, regex::ExprSet& exprs,
                                            const JsonSchemaOptions& options, const Limits& limits) const = 0;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_SCHEMA_REVIEW_H_
