// The JSON Schema front end: schema text to grammar IR.
//
// HOW    Four steps, each a module: schemas and references are resolved (schema_store.h) and checked (schema_check.h);
//        keywords get their meaning (schema_meaning.h) in an algebra of sets of values (algebra.h, derivation.h,
//        witness.h), where strings and numbers are expressions over JSON texts (regex/atoms/json_string.h,
//        number_language.h); rules are made of it (schema_rules.h) when a parser predicts them. All but the first step
//        is lazy: compiling looks at the keywords, and at as much of the sets as shows that the schema has a member.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_JSON_SCHEMA_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_JSON_SCHEMA_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/json_schema/rules/placement.h"
#include "frontend/reading.h"
#include "grammar/ir.h"
#include "weir/error.h"
#include "weir/json_schema.h"
#include "weir/limits.h"

namespace weir::frontend {

/// Adds a rule for the JSON texts that are valid under a schema.
/// Errors: those of SchemaStore::load, of check_schemas and of Layout::make; kUnsatisfiable when there is none;
/// kLimitExceeded. Error::where is a range of `text`.
std::optional<grammar::RuleId> read_json_schema(std::string_view text, const JsonSchemaOptions& options,
                                                json_schema::Placement placement, Reading& reading);

/// The same for values as they stand between tags. Also kUnsatisfiable where the schema has values, but none of these.
std::optional<grammar::RuleId> read_argument_schema(std::string_view text, const JsonSchemaOptions& options,
                                                    const json_schema::Argument& argument, Reading& reading);

/// The strings of a schema as they are, without quotes and escapes, none of which holds `end`: one terminal. What ends
/// them is up to the caller. Errors: as above; kUnsatisfiable where no value is such a string.
std::optional<grammar::NodeId> read_bare_strings(std::string_view text, const JsonSchemaOptions& options,
                                                 const std::string& end, Reading& reading);

/// The texts of read_json_schema as a grammar of their own. Warnings are appended.
Result<grammar::Grammar> json_schema_grammar(std::string_view text, const JsonSchemaOptions& options,
                                             const Limits& limits, std::vector<Warning>& warnings,
                                             const json_schema::SchemaReview* review = nullptr);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_JSON_SCHEMA_H_
