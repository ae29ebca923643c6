#include "frontend/json_schema/documents.h"

#include <string>
#include <utility>

namespace weir::frontend::json_schema {

namespace {

Dialect to_dialect(JsonSchemaOptions::Draft draft) {
  switch (draft) {
    case JsonSchemaOptions::Draft::k4: return Dialect::kDraft4;
    case JsonSchemaOptions::Draft::k6: return Dialect::kDraft6;
    case JsonSchemaOptions::Draft::k7: return Dialect::kDraft7;
    case JsonSchemaOptions::Draft::k2019_09: return Dialect::k2019_09;
    case JsonSchemaOptions::Draft::k2020_12: return Dialect::k2020_12;
  }
  return Dialect::k2020_12;
}

}  // namespace

LoadOptions load_options(const JsonSchemaOptions& options) {
  return {options.base_uri, to_dialect(options.default_draft)};
}

Result<void> add_documents(SchemaRegistry& registry, const JsonSchemaOptions& options, const Limits& limits) {
  for (const SchemaDocument& document : options.documents) {
    auto done = registry.add(document.uri, document.text, limits);
    if (done) continue;
    Error error = std::move(done.error());
    const LineColumn at = line_column(document.text, error.where.start);
    error.message = "in the document `" + document.uri + "`, at " + std::to_string(at.line) + ":" +
                    std::to_string(at.column) + ": " + error.message;
    error.where = {};
    return tl::unexpected(std::move(error));
  }
  return {};
}

}  // namespace weir::frontend::json_schema
