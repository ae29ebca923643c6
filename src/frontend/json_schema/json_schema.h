// The JSON Schema front end: schema text to grammar IR.
//
// HOW    Four steps:
//        1. schema_store.h reads the schema and resolves identifiers and references.
//        2. schema_check.h checks the values of all keywords.
//        3. schema_meaning.h translates keywords into an algebra of sets of JSON values (algebra.h, derivation.h,
//           witness.h). Strings are expressions over decoded strings, from which regex/atoms/json_string.h makes JSON
//           texts; numbers are expressions over JSON texts (number_language.h).
//        4. schema_rules.h makes grammar rules from the sets, each rule when a parser first predicts it.
//        Steps 3 and 4 are lazy: compiling evaluates only as much of the sets as proves that the schema has a member.
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

/// Returns an error if an option is set that has no effect beside the others, such as a pattern of white space without
/// Whitespace::kPattern: its caller expects something else. The defaults of the profiles are not seen as set. Readers of
/// whole texts call it; the options of schemas inside other texts may be changed ones.
std::optional<Error> option_without_effect(const JsonSchemaOptions& options);

/// Returns the error of an option that is given but has an effect only with `needed`, words that name the option `other`.
Error no_effect(std::string_view option, std::string_view other, std::string_view needed);

namespace json_schema {
/// Returns an error if values in this place cannot be written in YAML, or if the module has no YAML.
std::optional<Error> refuse_yaml(Placement placement);
}  // namespace json_schema

/// Adds a rule that matches the JSON texts that are valid under a schema. Returns the rule, or nullopt if the schema is
/// refused; `reading` then has the error.
/// Errors: those of SchemaStore::load, of check_schemas and of Layout::make; kUnsatisfiable if no value is valid;
/// kLimitExceeded. Error::where is a range of `text`.
std::optional<grammar::RuleId> read_json_schema(std::string_view text, const JsonSchemaOptions& options,
                                                json_schema::Placement placement, Reading& reading);

/// Returns true if read_json_schema() accepts the schema. Makes no rules; the grammar of `reading` is of no use then.
bool check_json_schema(std::string_view text, const JsonSchemaOptions& options, json_schema::Placement placement,
                       Reading& reading);

/// Does the same as read_json_schema() for a value that is written between tags (see Argument). Also kUnsatisfiable if
/// the schema has values, but none that `argument` admits.
std::optional<grammar::RuleId> read_argument_schema(std::string_view text, const JsonSchemaOptions& options,
                                                    const json_schema::Argument& argument, Reading& reading);

/// Adds one terminal that matches the strings of a schema written without quotes and escapes, except those that contain
/// `end`; with `on_lines` also with line ends around them (see Argument). The terminal does not include `end`; the caller
/// appends it. Errors: as above; kUnsatisfiable if no value is
/// such a string.
std::optional<grammar::NodeId> read_bare_strings(std::string_view text, const JsonSchemaOptions& options,
                                                 const std::string& end, bool on_lines, Reading& reading);

/// Returns a grammar of the JSON texts that are valid under a schema. Appends to `warnings`; those of `review` as well,
/// unless it is null.
Result<grammar::Grammar> json_schema_grammar(std::string_view text, const JsonSchemaOptions& options,
                                             const Limits& limits, std::vector<Warning>& warnings,
                                             const json_schema::SchemaReview* review = nullptr);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_JSON_SCHEMA_H_
