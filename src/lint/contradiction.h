// Finds the keywords that contradict each other in a schema under which no value is valid.
//
// WHAT   A minimal set of constraints: without any one of them, some value would be valid. It need not be the only one.
//        The option `characters` is named beside them if some value is valid without it.
// HOW    Delta debugging: keywords are left out, many at a time and then one by one. If there is still no valid value
//        (witness.h), they are not part of the contradiction and stay out. The search starts with the keywords that
//        apply to the value itself, also through `allOf` and `$ref`. Then each remaining schema of members, items or
//        alternatives is replaced by its own keywords, and the set is reduced again.
// COST   Each trial evaluates the schema, as far as the search for a value needs it. There are at most lint::kMaxTrials
//        trials of at most lint::kSearchSteps steps each. If these are not enough, the set is not minimal, or
//        empty.
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
  std::vector<SchemaId> schemas;  ///< The schemas that contain the constraints, or are constraints as a whole.
  std::vector<ErrorNote> notes;   ///< The constraints, in the order of the text; empty if they were not found.
  std::string reason;             ///< ": `#/a` (1) and `#/b` (2) contradict each other"; empty if there are no notes.
  std::string hint;
  bool is_due_to_characters = false;  ///< The option JsonSchemaOptions::characters is one of the constraints.
  bool is_plain_false = false;        ///< True if the only constraint is `false` or a `not`: then it is intended.
  /// Returns the first note with a range in the loaded text; null if there is none.
  [[nodiscard]] const ErrorNote* first_in_text() const;
};

/// Finds out why no value is valid under all of the schemas together. Preconditions: no value is; check_schemas() has
/// accepted them.
Contradiction find_contradiction(SchemaStore& store, std::vector<SchemaPlace> schemas, regex::ExprSet& exprs,
                                 const JsonSchemaOptions& options, const Limits& limits);

/// Returns the error about a schema under which no value is valid. Error::notes are the constraints, in the order of
/// the text. Precondition: check_schemas() has accepted the schema.
Error contradiction(SchemaStore& store, SchemaId root, regex::ExprSet& exprs, const JsonSchemaOptions& options,
                    const Limits& limits);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_LINT_CONTRADICTION_H_
