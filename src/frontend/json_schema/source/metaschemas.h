// The metaschemas of the dialects: the schemas of schemas, for a `$ref` that leads to one.
//
// WHAT   They say the same as the ones published at json-schema.org, and a JSON pointer into their definitions and
//        properties finds what it finds there. Annotations are left out. Where editions of one differ the
//        specification's text decides: draft 6's `enum` may be empty, draft 7's `writeOnly` must be a boolean.
// HOW    Written from the table of keywords (keywords.h), so which keyword belongs to which dialect and vocabulary is
//        said once. They are written when a reference asks for one.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_METASCHEMAS_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_METASCHEMAS_H_

#include <string>
#include <string_view>

namespace weir::frontend::json_schema {

/// The metaschema, or from 2019-09 on the metaschema of a vocabulary, that `uri` names: JSON. Empty for other URIs.
/// With http or https, without a fragment.
std::string metaschema_text(std::string_view uri);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_METASCHEMAS_H_
