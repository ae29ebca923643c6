// SchemaMeaning: what the keywords of one schema assert, as a shape.
//
// WHAT   shape(schema, scope) is the set of values that are valid under the schema. Subschemas in place (`allOf`,
//        `$ref`, `if`, ...) are looked into; those of items and members stay names (algebra.h), so a schema costs its
//        own keywords.
// WHICH  The keywords of the schema's own dialect and vocabularies; what they mean is said beside each, where it is not
//        plain from the specification of its dialect (keywords.h lists these).
//        `unevaluatedItems` and `unevaluatedProperties` (schema_meaning.cc) ask which subschemas in place hold.
//        They become: for each class of indices or names, everything in it satisfies the subschema, or one of those
//        that would evaluate it holds. That is positive, and as large as the schema.
// ERRORS None: check_schemas() has looked at every keyword before. Limits are reported to the algebra.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_SCHEMA_MEANING_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_SCHEMA_MEANING_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/json_schema/model/algebra.h"
#include "frontend/json_schema/source/schema_store.h"
#include "weir/json_schema.h"

namespace weir::frontend::json_schema {

/// The strings in which an ECMA-262 pattern finds a match, decoded. Errors: those of parse_regex.
Result<regex::ExprId> pattern_language(regex::ExprSet& exprs, std::string_view pattern, const Limits& limits);

class Derivation;

class SchemaMeaning {
 public:
  /// Keywords that are taken to be absent; with kSchema, a schema that is taken to be `true`.
  using LeftOut = std::set<std::pair<SchemaId, Keyword>>;

  SchemaMeaning(SchemaStore& store, Algebra& algebra, Derivation& derivation, const JsonSchemaOptions& options,
                const LeftOut* left_out = nullptr)
      : store_(store), algebra_(algebra), derivation_(derivation), options_(options), left_out_(left_out) {}

  Shape shape(SchemaId schema, ScopeId scope);
  /// The set of a schema, as a name unless it only refers to another one, or says no more than which types there are.
  /// Such sets are one wherever they stand: what cannot be told apart is not looked into twice, and keys that lead
  /// there are one.
  SetId set(SchemaId schema, ScopeId scope);
  /// Whether the schema plainly has a member. Asked of schemas within schemas, so it looks at a few only.
  [[nodiscard]] bool is_plain(SchemaId schema) const;

 private:
  using Place = SchemaPlace;
  // Members, or items, that a subschema in place evaluates when its condition holds.
  struct MemberEvaluator {
    FormulaId condition;
    std::vector<NameId> names;
    std::vector<regex::ExprId> patterns;
    bool all;
  };
  struct ItemEvaluator {
    FormulaId condition;
    std::uint64_t prefix;
    bool all;
    SetId contained;
  };

  [[nodiscard]] const JsonValue* find(const Place& at, Keyword keyword) const {
    return is_left_out(at.schema, keyword) ? nullptr : store_.find(at.schema, keyword);
  }
  [[nodiscard]] bool is_left_out(SchemaId schema, Keyword keyword) const {
    return left_out_ != nullptr && left_out_->contains({schema, keyword});
  }
  Place behind_references(Place at);
  Place child(const Place& at, const JsonValue& value);
  SetId child_set(const Place& at, const JsonValue& value);
  Shape child_shape(const Place& at, const JsonValue& value);
  Shape shape_of(const Place& at);
  regex::ExprId strings_of(const Place& at);
  std::optional<Place> followed(const Place& at, Keyword keyword);
  regex::ExprId pattern(std::string_view text);

  Shape keywords(const Place& at);
  void apply_type(const Place& at, Shape& shape);
  void apply_enum(const Place& at, Shape& shape);
  void apply_numbers(const Place& at, Shape& shape);
  void apply_strings(const Place& at, Shape& shape);
  void apply_format(const Place& at, Shape& shape);
  void apply_arrays(const Place& at, Shape& shape);
  void apply_objects(const Place& at, Shape& shape);
  void apply_dependencies(const Place& at, Keyword keyword, std::vector<FormulaId>& parts);
  void apply_combinators(const Place& at, Shape& shape);
  Shape one_of(const std::vector<Shape>& shapes);
  regex::ExprId exactly_one(const std::vector<regex::ExprId>& sets);
  ItemMap item_map(const Place& at);
  regex::ExprId integers(const Place& at);

  // schema_meaning.cc
  void apply_unevaluated(const Place& at, Shape& shape);
  template <typename Use>
  void for_each_in_place(const Place& at, FormulaId Shape::*part, FormulaId condition, const Use& use);
  void member_evaluators(const Place& at, FormulaId condition, bool is_top, std::vector<MemberEvaluator>& out);
  void item_evaluators(const Place& at, FormulaId condition, bool is_top, std::vector<ItemEvaluator>& out);
  FormulaId unevaluated_members(const std::vector<MemberEvaluator>& evaluators, SetId value);
  FormulaId unevaluated_items(const std::vector<ItemEvaluator>& evaluators, SetId value);
  FormulaId unevaluated_items_of(const std::vector<ItemEvaluator>& evaluators, SetId value, std::size_t from);

  SchemaStore& store_;
  Algebra& algebra_;
  Derivation& derivation_;
  const JsonSchemaOptions& options_;
  const LeftOut* left_out_;
  std::set<Place> open_;
  // Of a schema for names the strings alone are asked for. They never depend on its own `propertyNames`, so it may lead
  // back to the schema around it.
  bool of_strings_ = false;
  std::set<Place> strings_open_;
  std::map<Place, regex::ExprId> strings_;
  std::map<std::string, regex::ExprId, std::less<>> patterns_;
  std::map<std::pair<std::string, Dialect>, std::optional<regex::ExprId>> formats_;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_SCHEMA_MEANING_H_
