// What JsonSchemaOptions say of where a schema comes from and what it may refer to, as a SchemaStore takes it.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_DOCUMENTS_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_DOCUMENTS_H_

#include <string_view>

#include "frontend/json_schema/source/schema_store.h"
#include "weir/error.h"
#include "weir/json_schema.h"
#include "weir/limits.h"

namespace weir::frontend::json_schema {

LoadOptions load_options(const JsonSchemaOptions& options);

/// Adds JsonSchemaOptions::documents. Errors: those of SchemaRegistry::add; the message names the document and the
/// place in it, and Error::where is the first reference of `schema` to it, or empty.
Result<void> add_documents(SchemaRegistry& registry, const JsonSchemaOptions& options, const Limits& limits,
                           std::string_view schema);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_DOCUMENTS_H_
