// strict_json_schema: forbids the members and items that a JSON Schema does not list.
#ifndef WEIR_STRICT_SCHEMA_H_
#define WEIR_STRICT_SCHEMA_H_

#include <string>
#include <string_view>

#include "weir/error.h"
#include "weir/export.h"
#include "weir/limits.h"

namespace weir {

/// Returns the text of a schema in strict mode: objects have no other members, and arrays no other items, than those that
/// the schema lists. docs/json_schema.md says which schemas are closed. The meaning is that of XGrammar's `strict_mode`.
/// Errors   kSyntax, with a range of `schema`; kLimitExceeded (text_bytes, nesting, number_digits, schema_steps).
/// Cost     Linear in the text and in the closed copies of what references lead to.
/// Example
///     // {"properties":{"a":{}},"additionalProperties":false}
///     weir::Result<std::string> strict = weir::strict_json_schema(R"({"properties": {"a": {}}})");
WEIR_API Result<std::string> strict_json_schema(std::string_view schema, const Limits& limits = {});

}  // namespace weir

#endif  // WEIR_STRICT_SCHEMA_H_
