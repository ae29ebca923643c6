// SchemaReview: the interface through which the front end gets diagnostics about schemas.
//
// WHY    Diagnostics are computed with the algebra of schemas, which belongs to the front end, and the front end
//        reports them as errors and warnings. No rule and no mask depends on them. So the front end knows only this
//        interface, and src/lint, a layer above, implements it.
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
  /// Appends warnings about keywords and patterns that probably do not mean what their author intended. `places` are
  /// all schemas that are reachable from the root. Precondition of all three functions: check_schemas() has accepted
  /// the schema.
  virtual void warn_of_style(const SchemaStore& store, const std::vector<SchemaPlace>& places,
                             std::vector<Warning>& warnings) const = 0;
  /// Appends warnings about subschemas under which no value is valid, and about keywords without effect.
  virtual void warn_of_content(SchemaStore& store, const std::vector<SchemaPlace>& places,
                               const JsonSchemaOptions& options, const Limits& limits,
                               std::vector<Warning>& warnings) const = 0;
  /// Returns the error for a schema under which no value is valid. It names the keywords that contradict each other.
  [[nodiscard]] virtual Error unsatisfiable(SchemaStore& store, SchemaId root, regex::ExprSet& exprs,
                                            const JsonSchemaOptions& options, const Limits& limits) const = 0;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_SCHEMA_REVIEW_H_
