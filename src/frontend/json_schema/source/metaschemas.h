// The metaschemas of the dialects (the schemas of schemas), to which a `$ref` may lead.
//
// WHAT   They are equivalent to those published at json-schema.org, and have the same definitions and properties, so
//        that JSON pointers into these work. Annotations are omitted. Where editions of a metaschema differ, the text
//        of the specification decides: `enum` may be empty in draft 6, `writeOnly` must be a boolean in draft 7.
// HOW    They are generated from the table of keywords (keywords.h), which is the only list of keywords by dialect and
//        vocabulary. Each is generated when a reference leads to it.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_METASCHEMAS_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_METASCHEMAS_H_

#include <string>
#include <string_view>

namespace weir::frontend::json_schema {

/// Returns the JSON text of the metaschema that `uri` names: that of a dialect or, from 2019-09 on, of a vocabulary.
/// Empty for other URIs. Precondition: `uri` has no fragment. Its scheme may be http or https for a dialect.
std::string metaschema_text(std::string_view uri);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_METASCHEMAS_H_
