#include "frontend/json_schema/source/documents.h"

#include <string>
#include <utility>
#include <vector>

#include "frontend/json_schema/source/json_pointer.h"
#include "frontend/json_schema/source/uri.h"

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

// Returns the range of the first `$ref` or `$schema` in the text that refers to the URI, resolved against `base`.
SourceRange reference_to(const std::string& uri, std::string_view schema, const JsonSchemaOptions& options,
                         const Limits& limits) {
  const Result<JsonDocument> document = JsonDocument::parse(schema, limits);
  if (!document) return {};
  const Uri base = parse_uri(options.base_uri);
  std::vector<const JsonValue*> open{&document->root()};
  while (!open.empty()) {
    const JsonValue& value = *open.back();
    open.pop_back();
    for (const JsonValue& item : value.items()) open.push_back(&item);
    for (const JsonMember& member : value.members()) {
      open.push_back(&member.value);
      if ((member.key != "$ref" && member.key != "$schema") || !member.value.is(JsonType::kString)) continue;
      Uri target = resolve_uri(base, parse_uri(member.value.string()));
      target.fragment.reset();
      if (to_string(target) == uri) return member.value.where();
    }
  }
  return {};
}

}  // namespace

LoadOptions load_options(const JsonSchemaOptions& options) {
  return {options.base_uri, to_dialect(options.default_draft), options.reading};
}

Result<void> add_documents(SchemaRegistry& registry, const JsonSchemaOptions& options, const Limits& limits,
                           std::string_view schema) {
  for (const SchemaDocument& document : options.documents) {
    auto done = registry.add(document.uri, document.text, limits);
    if (done) continue;
    Error error = std::move(done.error());
    const LineColumn at = line_column(document.text, error.where.start);
    error.message = "in the document `" + document.uri + "`, at " + std::to_string(at.line) + ":" +
                    std::to_string(at.column) + ": " + error.message;
    error.where = reference_to(document.uri, schema, options, limits);
    return tl::unexpected(std::move(error));
  }
  return {};
}

}  // namespace weir::frontend::json_schema
