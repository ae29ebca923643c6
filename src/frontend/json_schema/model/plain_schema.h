// Schemas of which it is plain that some value is valid, without looking for one.
//
// WHY    Most schemas, those of tools above all, say of an object which members it may have, and of each a type. That
//        such a schema has a value is seen from it; the search for one (witness.h) spells keys and makes the languages
//        of numbers and strings, which is work that only the rules that a text reaches need. Five hundred tools in a
//        grammar have few that do.
// COST   The schema's size.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_PLAIN_SCHEMA_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_PLAIN_SCHEMA_H_

#include <cstddef>
#include <cstdint>

#include "frontend/json_schema/source/json_value.h"

namespace weir::frontend::json_schema {

/// True: some value is valid under the schema, and has a spelling in any. False: nothing is known, or more than `most`
/// schemas would have to be looked at. Precondition: the schema has been checked (schema_check.h).
bool is_plainly_satisfiable(const JsonValue& schema, std::size_t most = SIZE_MAX);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_PLAIN_SCHEMA_H_
