// SchemaMeaning: translates the keywords of one schema into a Shape (algebra.h).
//
// WHAT   shape(schema, scope) returns the set of values that are valid under the schema. Subschemas that apply to the
//        same value (`allOf`, `$ref`, `if`, ...; called subschemas *in place*) are translated with it. Subschemas of
//        items and members stay unevaluated sets (SetId), so the cost is that of the schema's own keywords.
// WHICH  The keywords of the schema's dialect and vocabularies. Where a meaning is not obvious from the specification
//        of the dialect (keywords.h lists these), a comment at the code explains it.
//        `unevaluatedItems` and `unevaluatedProperties` depend on which subschemas in place hold. They are translated
//        so: for each class of indices or names, either every value in the class is in the keyword's subschema, or the
//        array or object satisfies a subschema in place that evaluates the class. That needs no negation, and is linear
//        in the schema.
// ERRORS None: check_schemas() has checked every keyword before. Limits that are met are reported to the algebra.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_SCHEMA_MEANING_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_SCHEMA_MEANING_H_

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/json_schema/model/algebra.h"
#include "frontend/json_schema/source/schema_store.h"
#include "weir/json_schema.h"

namespace weir::frontend::json_schema {

/// Returns the language of decoded strings in which an ECMA-262 pattern finds a match somewhere. Errors: those of
/// parse_regex.
Result<regex::ExprId> pattern_language(regex::ExprSet& exprs, std::string_view pattern, const Limits& limits);

class Derivation;

class SchemaMeaning {
 public:
  /// Keywords that are treated as absent. A pair with Keyword::kSchema treats the whole schema as `true`.
  using LeftOut = std::set<std::pair<SchemaId, Keyword>>;

  SchemaMeaning(SchemaStore& store, Algebra& algebra, Derivation& derivation, const JsonSchemaOptions& options,
                const LeftOut* left_out = nullptr)
      : store_(store), algebra_(algebra), derivation_(derivation), options_(options), left_out_(left_out) {}

  /// From now on set() never replaces a schema by a shape, so that the set says where it is written, and
  /// `additionalProperties` is distinguished from its absence even if it allows everything.
  void keep_schemas() { keeps_schemas_ = true; }

  /// Returns the set of values that are valid under the schema.
  Shape shape(SchemaId schema, ScopeId scope);
  /// Returns the same set as a SetId. Mostly that is an unevaluated schema (Algebra::schema). A schema that only refers
  /// to another one yields the set of its target, and one that only says `type` yields a shape: so equal schemas have
  /// equal ids, their sets are evaluated once, and keys that lead to them share rules.
  SetId set(SchemaId schema, ScopeId scope);
  /// Returns true if the schema obviously has a member (plain_schema.h). False: unknown. Looks at a few schemas only,
  /// because callers ask this of schemas within schemas.
  [[nodiscard]] bool is_plain(SchemaId schema) const;

 private:
  using Place = SchemaPlace;
  // Members that a subschema in place evaluates if `condition` holds. ItemEvaluator is the same for items.
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
  Place without_references(Place at);
  Place child(const Place& at, const JsonValue& value);
  SetId child_set(const Place& at, const JsonValue& value);
  SetId written_set(const Place& at, const JsonValue& value);
  Shape child_shape(const Place& at, const JsonValue& value);
  Shape shape_of(const Place& at);
  Shape placed(Shape shape, const JsonValue& value);
  regex::ExprId strings_of(const Place& at);
  std::optional<Place> followed(const Place& at, Keyword keyword);
  regex::ExprId pattern(std::string_view text);

  Shape keywords(const Place& at);
  std::vector<const JsonValue*> find_out_of_place(const Place& at);
  void apply_type(const Place& at, Shape& shape);
  void apply_enum(const Place& at, Shape& shape);
  Shape shape_of_values(std::span<const JsonValue* const> values);
  std::span<const JsonValue> listed_values(const Place& at);
  std::vector<Shape> alternatives(const Place& at, const JsonValue& list, bool differ);
  void apply_numbers(const Place& at, Shape& shape);
  void apply_strings(const Place& at, Shape& shape);
  void apply_format(const Place& at, Shape& shape);
  void apply_arrays(const Place& at, Shape& shape);
  void apply_objects(const Place& at, Shape& shape);
  void apply_dependencies(const Place& at, Keyword keyword, std::vector<FormulaId>& parts);
  void apply_combinators(const Place& at, Shape& shape);
  Shape one_of(const std::vector<Shape>& shapes);
  template <typename Sets>
  regex::ExprId exactly_one(const std::vector<regex::ExprId>& all, Sets&& sets);
  ItemMap item_map(const Place& at);
  regex::ExprId integers(const Place& at);

  // `unevaluatedItems` and `unevaluatedProperties`.
  void apply_unevaluated(const Place& at, Shape& shape);
  template <typename Use>
  void for_each_in_place(const Place& at, FormulaId Shape::*part, FormulaId condition, const Use& use);
  void member_evaluators(const Place& at, FormulaId condition, bool is_top, std::vector<MemberEvaluator>& out);
  void item_evaluators(const Place& at, FormulaId condition, bool is_top, std::vector<ItemEvaluator>& out);
  FormulaId unevaluated_members(const std::vector<MemberEvaluator>& evaluators, SetId value);
  std::vector<std::vector<MemberEvaluator>> by_alternative(const std::vector<MemberEvaluator>& evaluators,
                                                           const std::vector<FormulaId>& alternatives);
  std::optional<FormulaId> close_alternatives(FormulaId objects, const std::vector<MemberEvaluator>& evaluators,
                                              SetId value);
  FormulaId unevaluated_items(const std::vector<ItemEvaluator>& evaluators, SetId value);
  FormulaId unevaluated_items_of(const std::vector<ItemEvaluator>& evaluators, SetId value, std::size_t from);

  SchemaStore& store_;
  Algebra& algebra_;
  Derivation& derivation_;
  const JsonSchemaOptions& options_;
  const LeftOut* left_out_;
  bool keeps_schemas_ = false;
  std::set<Place> open_;
  // The subschemas, and the values of references, of the schema that is evaluated. Their members count at their place
  // although they are written elsewhere.
  std::vector<const JsonValue*> out_of_place_;
  // True while only the strings of a schema are evaluated, for `propertyNames`. Strings never depend on `propertyNames`
  // itself, so there a schema may refer back to the schema that it stands in.
  bool of_strings_ = false;
  std::set<Place> strings_open_;
  std::map<Place, regex::ExprId> strings_;
  std::map<std::string, regex::ExprId, std::less<>> patterns_;
  std::map<std::pair<std::string, Dialect>, std::optional<regex::ExprId>> formats_;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_SCHEMA_MEANING_H_
