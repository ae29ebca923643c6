// Algebra: sets of JSON values, with union, intersection and complement; what schemas denote.
//
// WHAT   A *set* (SetId) is a schema at a place, an intersection, a union, a complement, or a *shape*. A shape is a set
//        taken apart by type: whether null, true and false are in it, which numbers and strings (as expressions), and
//        which arrays and objects, as *formulas*: positive boolean combinations of atoms such as "every item is in the
//        map's set for its place" or "some member is not", each atom's negation being an atom too.
// WHY    JSON Schema has `not`, `oneOf`, `if` and `unevaluated...`, whose meaning needs complements; and a grammar must
//        know what is empty, or it runs into dead ends. Formulas are positive, so they can be followed item by item and
//        member by member (derivation.h) and asked for a member (witness.h).
// HOW    Everything is hash-consed, so equal sets met again are known. Sets are *lazy*: what stands in a property or an
//        item is a name until someone looks inside with shape(). That is what ends recursion: the sets below are
//        boolean combinations of the schemas that were written, finitely many.
// COST   Operations are linear in their operands, but for products of unions, which derivation.h puts off to the place
//        where two of them speak of the same member.
// LIMITS schema_steps, counted by step().
// REFERENCES  Baazizi, Colazzo, Ghelli, Sartiani, Scherzinger, "Not Elimination and Witness Generation for JSON
//        Schema", VLDB 2022.
// THREADS As the ExprSet.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_ALGEBRA_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_ALGEBRA_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/limit.h"
#include "base/word_interner.h"
#include "frontend/json_schema/source/json_value.h"
#include "frontend/json_schema/source/schema_store.h"
#include "frontend/json_schema/values/number_language.h"
#include "regex/atoms/json_string.h"
#include "regex/expr/expr.h"
#include "weir/limits.h"

namespace weir::frontend::json_schema {

enum class SetId : std::uint32_t { kNone = 0, kAny = 1 };
enum class FormulaId : std::uint32_t { kFalse = 0, kTrue = 1 };
enum class NameId : std::uint32_t {};
enum class ItemMapId : std::uint32_t {};
enum class PropertyMapId : std::uint32_t {};

/// A set by type.
struct Shape {
  static constexpr std::uint8_t kNull = 1, kTrue = 2, kFalse = 4, kAllLiterals = 7;
  std::uint8_t literals = 0;
  regex::ExprId numbers = regex::ExprId::kNothing;  ///< JSON texts, among NumberLanguage::offered().
  regex::ExprId strings = regex::ExprId::kNothing;  ///< Decoded; bytes that are not UTF-8 stand for nothing.
  FormulaId arrays = FormulaId::kFalse;
  FormulaId objects = FormulaId::kFalse;
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// The set of an item by its index. `prefix` does not end in `rest`.
struct ItemMap {
  std::vector<SetId> prefix;
  SetId rest = SetId::kAny;
};

/// The set of a member's value by its name: that of the name, and of all patterns that match; `other` if there is none.
struct PropertyMap {
  struct Named {
    NameId name{};
    SetId set = SetId::kAny;
    std::uint32_t order = 0;  ///< Rank in the schema's text, where declared order counts; else 0.
    friend auto operator<=>(const Named&, const Named&) = default;
  };
  std::vector<Named> names;                               ///< Ascending by name.
  std::vector<std::pair<regex::ExprId, SetId>> patterns;  ///< Ascending.
  SetId other = SetId::kAny;
};

enum class FormulaKind : std::uint32_t {
  kFalse,
  kTrue,
  kAnd,  ///< Of the operands.
  kOr,
  kOneOf,     ///< Of exactly one operand; of all arrays or all objects. Resolved by Witness::resolve when it is looked
              ///< into.
  kNotOneOf,  ///< Of none, or of several.
  // Arrays.
  kItems,        ///< Every item is in the map's set for its index. (map)
  kNotItems,     ///< Some item is not. (map)
  kMinItems,     ///< (count)
  kMaxItems,     ///< (count)
  kMinContains,  ///< At least so many items are in the set. (set, count)
  kMaxContains,  ///< At most so many. (set, count)
  kUnique,       ///< Items differ from each other, and from the members of the set. (set)
  kNotUnique,    ///< Two are equal, or one is a member of the set. (set)
  // Objects.
  kMembers,     ///< Every member's value is in the map's set for its name. (map)
  kNotMembers,  ///< Some member's is not, names listed apart. (map, names...)
  kHas,         ///< There is a member of this name. (name)
  kLacks,       ///< There is none. (name)
  kMinMembers,  ///< (count)
  kMaxMembers,  ///< (count)
};

struct Formula {
  FormulaKind kind;
  std::span<const std::uint32_t> operands;  ///< As the kinds say.
};

class Algebra {
 public:
  /// What is asked of schemas.
  struct Schemas {
    std::function<Shape(SchemaId, ScopeId)> shape;  ///< What one asserts; asked once for each pair.
    std::function<bool(SchemaId)> is_plain;         ///< Whether it plainly has a member (plain_schema.h).
  };

  Algebra(regex::ExprSet& exprs, const NumberSpelling& spelling, const regex::JsonStringOptions& strings,
          const Limits& limits, Schemas schemas);
  Algebra(const Algebra&) = delete;
  Algebra& operator=(const Algebra&) = delete;

  // Sets.

  SetId schema(SchemaId schema, ScopeId scope);
  SetId set(const Shape& shape);
  /// The value alone (and what equals it).
  SetId constant(const JsonValue& value);
  SetId meet(SetId a, SetId b);
  SetId meet(std::vector<SetId> sets);
  SetId join(SetId a, SetId b);
  SetId join(std::vector<SetId> sets);
  SetId complement(SetId a);
  /// Taken apart. The reference is good for the life of the algebra.
  const Shape& shape(SetId set);

  [[nodiscard]] const Shape& any_shape() const { return any_; }
  Shape meet(const Shape& a, const Shape& b);
  Shape meet(const std::vector<Shape>& shapes);
  Shape join(const Shape& a, const Shape& b);
  Shape complement(const Shape& a);

  // Formulas. The reference of Formula::operands is good until the next formula is made.

  [[nodiscard]] Formula formula(FormulaId f) const;
  /// Whether the formula has atoms about objects; it then has none about arrays.
  [[nodiscard]] bool is_about_objects(FormulaId f) const;
  FormulaId meet(FormulaId a, FormulaId b);
  FormulaId meet(std::vector<FormulaId> formulas);
  FormulaId join(FormulaId a, FormulaId b);
  FormulaId join(std::vector<FormulaId> formulas);
  FormulaId complement(FormulaId f);
  /// kFalse where complement() was not asked for yet.
  [[nodiscard]] FormulaId known_complement(FormulaId f) const {
    const auto it = complements_.find(raw(f));
    return it == complements_.end() ? FormulaId::kFalse : it->second;
  }
  /// Exactly one of them holds.
  FormulaId one_of(const std::vector<FormulaId>& formulas);

  FormulaId items(ItemMap map);
  FormulaId not_items(ItemMap map);
  FormulaId min_items(std::uint64_t count) { return counted(FormulaKind::kMinItems, count); }
  FormulaId max_items(std::uint64_t count) { return counted(FormulaKind::kMaxItems, count); }
  FormulaId min_contains(SetId set, std::uint64_t count);
  FormulaId max_contains(SetId set, std::uint64_t count);
  FormulaId unique(SetId seen) { return atom(FormulaKind::kUnique, {raw(seen)}); }
  FormulaId not_unique(SetId seen) { return atom(FormulaKind::kNotUnique, {raw(seen)}); }
  FormulaId members(PropertyMap map);
  FormulaId not_members(PropertyMap map, std::vector<NameId> apart);
  FormulaId has(NameId name) { return atom(FormulaKind::kHas, {raw(name)}); }
  FormulaId lacks(NameId name) { return atom(FormulaKind::kLacks, {raw(name)}); }
  FormulaId min_members(std::uint64_t count) { return counted(FormulaKind::kMinMembers, count); }
  FormulaId max_members(std::uint64_t count) { return counted(FormulaKind::kMaxMembers, count); }

  [[nodiscard]] const ItemMap& item_map(ItemMapId id) const { return item_maps_[raw(id)]; }
  [[nodiscard]] const PropertyMap& property_map(PropertyMapId id) const { return property_maps_[raw(id)]; }

  NameId name(std::string_view text);
  [[nodiscard]] const std::string& name(NameId id) const { return names_[raw(id)]; }
  /// The language of the name alone; made once, for each formula about objects asks for those of all its names.
  regex::ExprId literal(NameId id);

  // What everything is made of.

  [[nodiscard]] regex::ExprSet& exprs() { return exprs_; }
  [[nodiscard]] NumberLanguage& numbers() { return numbers_; }
  [[nodiscard]] const Limits& limits() const { return limits_; }
  /// Whether the set is a schema that plainly has a member. False: nothing is known.
  [[nodiscard]] bool plainly_has_member(SetId set) const;
  /// Whether the expression matches anything. False, and a limit is reported, where that cannot be told.
  bool has_member(regex::ExprId e);
  /// Whether one of the decoded strings has a JSON text.
  bool has_text(regex::ExprId strings);
  /// The strings of `min` to `max` code points; regex::kUnbounded for no most.
  regex::ExprId lengths(std::uint32_t min, std::uint32_t max);
  /// The JSON texts of a set of decoded strings.
  regex::ExprId texts(regex::ExprId strings) { return regex::json_string(exprs_, strings, strings_); }
  [[nodiscard]] const regex::JsonStringOptions& string_options() const { return strings_; }

  /// Counts work against Limits::schema_steps; false when there has been too much since reset_steps().
  bool step(std::uint64_t count = 1) {
    steps_ += count;
    return steps_ <= limits_.schema_steps;
  }
  [[nodiscard]] bool out_of_steps() const { return steps_ > limits_.schema_steps; }
  /// All that was ever counted.
  [[nodiscard]] std::uint64_t total_steps() const { return steps_before_ + steps_; }
  /// Begins to count anew, and forgets a limit that was met with what was found out under it.
  void reset_steps();
  /// The limit that was met, by steps or by an operation on expressions.
  [[nodiscard]] base::Limit limit_hit() const { return out_of_steps() ? base::Limit::kSchemaSteps : limit_hit_; }
  void report_limit(base::Limit limit) { limit_hit_ = limit; }

  /// About what it keeps, in O(1); expressions apart.
  [[nodiscard]] std::size_t memory_bytes() const;
  [[nodiscard]] std::size_t set_count() const { return sets_.size(); }
  [[nodiscard]] std::size_t formula_count() const { return formulas_.size(); }

  template <typename Id>
  static constexpr std::uint32_t raw(Id id) {
    return static_cast<std::uint32_t>(id);
  }

 private:
  enum class SetKind : std::uint32_t { kNone, kAny, kSchema, kMeet, kJoin, kComplement, kShape };

  SetId intern_set(SetKind kind, std::span<const std::uint32_t> operands);
  SetId combine(SetKind kind, std::vector<SetId> sets);
  Shape evaluate(SetId set);
  Shape shape_of_constant(const JsonValue& value);
  using Lengths = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // intervals, ascending
  regex::ExprId lengths(Lengths intervals);
  regex::ExprId meet_strings(regex::ExprId a, regex::ExprId b);
  regex::ExprId complement_of_strings(regex::ExprId a);

  FormulaId atom(FormulaKind kind, std::initializer_list<std::uint32_t> operands);
  FormulaId intern_formula(FormulaKind kind, std::span<const std::uint32_t> operands);
  FormulaId counted(FormulaKind kind, std::uint64_t count);
  FormulaId combine(FormulaKind kind, std::vector<FormulaId> formulas);
  void absorb(FormulaKind kind, std::vector<FormulaId>& operands) const;
  bool merge_atoms(std::vector<FormulaId>& atoms);
  [[nodiscard]] bool forbids(const Formula& atom, NameId name) const;
  FormulaId complement_of_atom(FormulaKind kind, std::vector<std::uint32_t> operands);
  ItemMapId intern(ItemMap map);
  PropertyMapId intern(PropertyMap map);
  ItemMap meet(const ItemMap& a, const ItemMap& b);
  std::optional<PropertyMap> meet(const PropertyMap& a, const PropertyMap& b);

  regex::ExprSet& exprs_;
  NumberLanguage numbers_;
  regex::JsonStringOptions strings_;
  Limits limits_;
  Schemas schemas_;
  Shape any_;
  std::uint64_t steps_ = 0;
  std::uint64_t steps_before_ = 0;  // the last reset_steps()
  base::Limit limit_hit_ = base::Limit::kNone;

  base::WordInterner sets_;
  std::deque<std::optional<Shape>> shapes_;  // by SetId
  std::vector<SetId> tainted_;               // whose shapes were made when a limit had been met
  base::WordInterner formulas_;
  std::unordered_map<std::uint32_t, bool> has_member_;  // by expression
  std::unordered_map<regex::ExprId, Lengths> lengths_;  // languages that are nothing else
  std::unordered_map<std::uint32_t, FormulaId> complements_;
  base::WordInterner item_map_ids_;
  std::deque<ItemMap> item_maps_;
  base::WordInterner property_map_ids_;
  std::deque<PropertyMap> property_maps_;
  std::deque<std::string> names_;
  std::unordered_map<std::string_view, NameId> name_ids_;
  std::vector<regex::ExprId> literals_;  // by NameId; kNothing where it is not made yet
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_ALGEBRA_H_
