// A quick sufficient test that some value is valid under a schema, without a search for one.
//
// WHY    Most schemas, above all those of tools, list the members of an object and the type of each. Such a schema
//        obviously has a valid value. The search for one (witness.h) would spell keys and make the languages of numbers
//        and strings; only rules that a text reaches need those, and in a grammar of five hundred tools a text reaches
//        few.
// COST   Linear in the schema's size.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_PLAIN_SCHEMA_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_PLAIN_SCHEMA_H_

#include <cstddef>
#include <cstdint>

#include "frontend/json_schema/source/json_pointer.h"

namespace weir::frontend::json_schema {

/// Returns true if some value is certainly valid under the schema and has a JSON text under all JsonSchemaOptions.
/// Returns false if that is unknown, or if more than `most` schemas would have to be examined.
/// Precondition: the schema has been checked (schema_check.h).
bool is_obviously_satisfiable(const JsonValue& schema, std::size_t most = SIZE_MAX);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_PLAIN_SCHEMA_H_
