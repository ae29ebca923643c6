// Which keywords of a schema that holds no value contradict each other.
//
// WHAT   A smallest set of constraints: without any one of them, some value would be valid. There may be others.
// HOW    Keywords are left out, many at a time and then single ones, and a witness is asked for again; those that are
//        not missed are not to blame. It begins with what is asserted of the value itself, through `allOf` and `$ref`;
//        where a schema of members, items or alternatives is to blame, with what it asserts, in turn.
// COST   A trial reads the schema's meaning anew, as far as it is looked into. There are at most some hundred, of few
//        steps each, whatever Limits say; when that does not suffice, the set is not the smallest, or empty.
#ifndef WEIR_SRC_LINT_CONTRADICTION_H_
#define WEIR_SRC_LINT_CONTRADICTION_H_

#include <string>
#include <vector>

#include "frontend/json_schema/source/schema_store.h"
#include "regex/expr/expr.h"
#include "weir/error.h"
#include "weir/json_schema.h"
#include "weir/limits.h"

namespace weir::frontend::json_schema {

struct Contradiction {
  std::vector<SchemaId> schemas;  ///< That the constraints stand in, or that are constraints as a whole.
  std::vector<ErrorNote> notes;   ///< The constraints, in the order of the text; none where they were not found.
  std::string reason;  ///< ": `#/a` (1) and `#/b` (2) contradict each other"; empty where there are no notes.
  std::string hint;
  bool is_plain_false = false;  ///< The only constraint is `false` or a `not`, so that is what it says.
  /// The first that stands in the loaded text; null where there is none.
  [[nodiscard]] const ErrorNote* first_in_text() const;
};

/// Why no value is valid under all of the schemas. Preconditions: none is; check_schemas() has found nothing wrong.
Contradiction find_contradiction(SchemaStore& store, std::vector<SchemaPlace> schemas, regex::ExprSet& exprs,
                                 const JsonSchemaOptions& options, const Limits& limits);

/// The error about a schema under which no value is valid; Error::notes are the constraints, in the order of the text.
/// Precondition: check_schemas() has found nothing wrong with it.
Error contradiction(SchemaStore& store, SchemaId root, regex::ExprSet& exprs, const JsonSchemaOptions& options,
                    const Limits& limits);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_LINT_CONTRADICTION_H_
