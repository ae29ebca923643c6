// Which keywords of a schema that holds no value contradict each other.
//
// WHAT   A smallest set of constraints: without any one of them, some value would be valid. There may be others.
// HOW    Keywords are left out, many at a time and then single ones, and a witness is asked for again; those that are
//        not missed are not to blame. It begins with what is asserted of the value itself, through `allOf` and `$ref`;
//        where a schema of members, items or alternatives is to blame, with what it asserts, in turn.
// COST   A trial reads the schema's meaning anew, as far as it is looked into. There are at most some hundred, of few
//        steps each, whatever Limits say; when that does not suffice, the set is not the smallest, or empty.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_CONTRADICTION_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_CONTRADICTION_H_

#include "frontend/json_schema/schema_store.h"
#include "regex/expr.h"
#include "weir/error.h"
#include "weir/json_schema.h"
#include "weir/limits.h"

namespace weir::frontend::json_schema {

/// The error about a schema under which no value is valid; Error::notes are the constraints, in the order of the text.
/// Precondition: check_schemas() has found nothing wrong with it.
Error contradiction(SchemaStore& store, SchemaId root, regex::ExprSet& exprs, const JsonSchemaOptions& options,
                    const Limits& limits);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_CONTRADICTION_H_
