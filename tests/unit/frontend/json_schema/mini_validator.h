// A small validator over SchemaStore, for tests of resolution: it walks schema and instance side by side, as the
// specification describes it, without formats.
#ifndef WEIR_TESTS_UNIT_FRONTEND_JSON_SCHEMA_MINI_VALIDATOR_H_
#define WEIR_TESTS_UNIT_FRONTEND_JSON_SCHEMA_MINI_VALIDATOR_H_

#include <set>
#include <string>

#include "frontend/json_schema/source/schema_store.h"

namespace weir::frontend::json_schema {

class MiniValidator {
 public:
  explicit MiniValidator(SchemaStore& store) : store_(store) {}

  bool is_valid(SchemaId root, const JsonValue& instance);
  /// The first reference that could not be resolved; empty if there is none.
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  /// A verdict, and the evaluated members and elements, for the unevaluated… keywords.
  struct Outcome {
    bool valid = true;
    std::set<std::string_view> members = {};
    std::set<std::size_t> elements = {};
    void merge(const Outcome& other);
  };

  Outcome check(SchemaId schema, ScopeId scope, const JsonValue& instance);
  Outcome check_child(SchemaId parent, ScopeId scope, const JsonValue& child, const JsonValue& instance);
  void check_references(SchemaId schema, ScopeId scope, const JsonValue& instance, Outcome& out);
  void check_combinations(SchemaId schema, ScopeId scope, const JsonValue& instance, Outcome& out);
  void check_object(SchemaId schema, ScopeId scope, const JsonValue& instance, Outcome& out);
  void check_array(SchemaId schema, ScopeId scope, const JsonValue& instance, Outcome& out);
  void check_contains(SchemaId schema, ScopeId scope, const JsonValue& instance, Outcome& out);
  void check_dependencies(SchemaId schema, ScopeId scope, const JsonValue& instance, Outcome& out);
  void check_unevaluated(SchemaId schema, ScopeId scope, const JsonValue& instance, Outcome& out);
  [[nodiscard]] bool assertions_hold(SchemaId schema, const JsonValue& instance) const;
  [[nodiscard]] bool number_holds(SchemaId schema, const Decimal& number) const;
  [[nodiscard]] bool count_holds(SchemaId schema, Keyword min, Keyword max, std::size_t count) const;

  SchemaStore& store_;
  std::string error_;
  int depth_ = 0;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_TESTS_UNIT_FRONTEND_JSON_SCHEMA_MINI_VALIDATOR_H_
