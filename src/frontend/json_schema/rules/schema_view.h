// SchemaView: looks at the values of a schema, one level at a time, for front ends that write them in their own form.
//
// WHAT   The set of a schema's values (algebra.h), and what of it can be written: scalars as JSON, strings without quotes.
//        The members of objects and the items of lists are formulas, with derivatives (derivation.h) and witnesses
//        (witness.h). So whatever a schema of an object says can be said in another notation of objects.
// THREADS Same as Algebra.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_SCHEMA_VIEW_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_SCHEMA_VIEW_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "frontend/json_schema/model/algebra.h"
#include "frontend/json_schema/model/schema_meaning.h"
#include "frontend/json_schema/model/witness.h"
#include "frontend/json_schema/source/schema_store.h"

namespace weir::frontend::json_schema {

class SchemaView {
 public:
  /// Reads a schema that read_json_schema has accepted under the same options, which must outlive the view, as `exprs`
  /// must.
  static Result<std::unique_ptr<SchemaView>> make(std::string_view text, const JsonSchemaOptions& options,
                                                  regex::ExprSet& exprs, const Limits& limits);
  SchemaView(const SchemaView&) = delete;
  SchemaView& operator=(const SchemaView&) = delete;

  [[nodiscard]] Algebra& algebra() { return algebra_; }
  [[nodiscard]] Witness& witness() { return witness_; }
  [[nodiscard]] SetId root() const { return root_; }

  /// Returns the JSON texts of the set's literals and numbers. Appends a description to `name`.
  regex::ExprId scalars(SetId set, std::string& name);
  /// Returns the JSON texts of the set's numbers, or of its strings, likewise.
  regex::ExprId numbers(SetId set, std::string& name);
  regex::ExprId strings(SetId set, std::string& name);
  /// Returns the strings of the set, without quotes and escapes, that do not contain `end`.
  regex::ExprId bare_strings(SetId set, std::string_view end);
  /// Returns the texts without `end`.
  regex::ExprId without(regex::ExprId texts, std::string_view end);

  /// Returns the text of a schema for the set. References in it, if there are any, lead to parts of the schema under the
  /// URI `document`.
  /// Returns nullopt if none can be made: values of a `$dynamicRef` with several targets.
  std::optional<std::string> text_of(SetId set, std::string_view document);
  /// Returns the range in the schema's text that says most about the set: empty if it is not known.
  [[nodiscard]] SourceRange where(SetId set) const;
  /// Returns the JSON Pointer of the value with this range.
  [[nodiscard]] std::string pointer_at(SourceRange where) const;

 private:
  SchemaView(const JsonSchemaOptions& options, regex::ExprSet& exprs, const Limits& limits);

  SchemaRegistry registry_;
  SchemaStore store_;
  Algebra algebra_;
  Witness witness_;
  SchemaMeaning meaning_;
  SchemaId root_schema_{};
  SetId root_ = SetId::kNone;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_SCHEMA_VIEW_H_
