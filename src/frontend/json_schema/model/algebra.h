// Algebra: sets of JSON values with intersection (meet), union (join) and complement. Schemas denote such sets.
//
// WHAT   A *set* (SetId) is one of: a schema in a scope, an intersection, a union, a complement, a *shape*. A shape
//        lists a set by type: the literals null, true and false as bits; numbers and strings as expressions; arrays and
//        objects as *formulas*. A formula is a boolean combination of atoms without negation. Atoms are statements such
//        as "every item is in the map's set for its index" or "some item is not"; the negation of an atom is an atom.
// WHY    The keywords `not`, `oneOf`, `if` and `unevaluated...` need complements, and a grammar without dead ends must
//        know which sets are empty. Formulas without negation can be derived item by item and member by member
//        (derivation.h), and searched for an array or object that satisfies them (witness.h).
// HOW    Sets, formulas and maps are hash-consed, so what was computed for one is found again under its id. Sets are
//        *lazy*: the schema of a property or an item is a SetId that nothing evaluates until shape() is called. So
//        recursive schemas terminate: all sets are boolean combinations of the finitely many schemas that were written.
// COST   Operations are linear in their operands. Unions are not multiplied out here; derivation.h does so where two of
//        them constrain the same item or member.
// LIMITS schema_steps, counted by step().
// REFERENCES  Baazizi, Colazzo, Ghelli, Sartiani, Scherzinger, "Not Elimination and Witness Generation for JSON
//        Schema", VLDB 2022.
// THREADS Same as ExprSet.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_ALGEBRA_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_ALGEBRA_H_

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/interner.h"
#include "base/limit.h"
#include "base/work.h"
#include "frontend/json_schema/model/constant_sets.h"
#include "frontend/json_schema/source/json_pointer.h"
#include "frontend/json_schema/source/schema_store.h"
#include "frontend/json_schema/values/number_language.h"
#include "regex/atoms/json_string.h"
#include "regex/expr/expr.h"
#include "regex/expr/scratch.h"
#include "weir/limits.h"

namespace weir::frontend::json_schema {

enum class FormulaId : std::uint32_t { kFalse = 0, kTrue = 1 };
enum class ItemMapId : std::uint32_t {};
enum class PropertyMapId : std::uint32_t {};
enum class OrderId : std::uint32_t {};

/// A set of JSON values, listed by type.
struct Shape {
  static constexpr std::uint8_t kNull = 1, kTrue = 2, kFalse = 4, kAllLiterals = 7;
  std::uint8_t literals = 0;
  regex::ExprId numbers = regex::ExprId::kNothing;  ///< JSON texts, among NumberLanguage::offered().
  regex::ExprId strings = regex::ExprId::kNothing;  ///< Decoded. Members that are not UTF-8 have no JSON text.
  FormulaId arrays = FormulaId::kFalse;
  FormulaId objects = FormulaId::kFalse;
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// The set of each item by its index: `prefix[i]`, and `rest` after the prefix. `prefix` does not end in `rest`.
struct ItemMap {
  std::vector<SetId> prefix;
  SetId rest = SetId::kAny;
};
/// An item map that an Algebra has interned. The maps for the items after the first, after the second, ... are parts of one
/// list, so that n sets in a row take memory for n.
struct SharedItemMap {
  std::span<const SetId> prefix = {};
  SetId rest = SetId::kAny;
};

/// Returns the order of a name that stands there in the schema's text. Names that a reference there leads to come after
/// it and before what stands later; they are numbered from it on.
constexpr std::uint64_t position_order(std::size_t position) {
  return (static_cast<std::uint64_t>(position) + 1) << 32U;
}

/// The set of a member's value by the member's name: the intersection of the set of the name, if it is listed, and the
/// sets of all patterns that match it. `other` if the name is not listed and no pattern matches.
struct PropertyMap {
  struct Named {
    NameId name{};
    SetId set = SetId::kAny;
    std::uint64_t order = 0;  ///< If declared order counts, position_order() or more; else 0.
    friend auto operator<=>(const Named&, const Named&) = default;
  };
  std::vector<Named> names;                               ///< Ascending by name.
  std::vector<std::pair<regex::ExprId, SetId>> patterns;  ///< Ascending.
  SetId other = SetId::kAny;

  /// Returns the only name whose value the map constrains; null if there is none or it constrains other values, too.
  [[nodiscard]] const Named* only_name() const;
};

enum class FormulaKind : std::uint32_t {
  kFalse,
  kTrue,
  kAnd,       ///< All operands hold. (formulas)
  kOr,        ///< Some operand holds. (formulas)
  kOneOf,     ///< Exactly one operand holds. (formulas) Witness::resolve rewrites it as a disjunction when needed.
  kNotOneOf,  ///< None holds, or several do. (formulas)
  // Arrays.
  kItems,        ///< Every item is in the map's set for its index. (map)
  kNotItems,     ///< Some item is not. (map)
  kMinItems,     ///< (count)
  kMaxItems,     ///< (count)
  kMinContains,  ///< At least `count` items are in the set. (set, count)
  kMaxContains,  ///< At most `count` items are in the set. (set, count)
  kUnique,       ///< All items differ from each other, and all are in the set. (set)
  kNotUnique,    ///< Two items are equal, or one is in the set. (set)
  kNotArrays,    ///< The array is none of these. (constants)
  // Objects.
  kMembers,     ///< Every member's value is in the map's set for its name. (map)
  kNotMembers,  ///< Some member's value is not; members of the listed names do not count. (map, names...)
  kHas,         ///< Some member has this name. (name)
  kLacks,       ///< No member has this name. (name)
  kMinMembers,  ///< (count)
  kMaxMembers,  ///< (count)
  kNotObjects,  ///< The object is none of these. (constants)
  kInOrder,     ///< Only those of the order's names after the first `passed` come, in this order; others come after
                ///< them. (order, passed) Only rules for texts have it; sets of values do not.
};

/// Returns true for the kinds whose operands are formulas.
constexpr bool is_combination(FormulaKind kind) {
  return kind == FormulaKind::kAnd || kind == FormulaKind::kOr || kind == FormulaKind::kOneOf ||
         kind == FormulaKind::kNotOneOf;
}

constexpr bool is_one_of(FormulaKind kind) { return kind == FormulaKind::kOneOf || kind == FormulaKind::kNotOneOf; }

struct Formula {
  FormulaKind kind;
  std::span<const std::uint32_t> operands;  ///< Listed in parentheses at each FormulaKind.
};

/// An array, or an object, of values: constants() are sets of one value each.
struct Constant {
  bool is_object = false;
  std::vector<std::pair<NameId, SetId>> parts = {};  ///< An array's: in order, without names. An object's: ascending.
};

/// What an Algebra has computed: sets, formulas and what they consist of. Valid for each copy of the expressions.
class AlgebraMemo {
 protected:
  using Lengths = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // intervals, ascending

  base::WordInterner sets_;
  std::deque<std::optional<Shape>> shapes_;  // by SetId
  std::vector<SetId> tainted_;               // sets whose shapes were computed after a limit was met
  base::WordInterner formulas_;
  base::WordInterner combinations_;                 // kinds and operands that combine() was asked for
  std::vector<std::optional<FormulaId>> combined_;  // by combination; nullopt if a limit was met
  base::WordInterner shape_combinations_;           // kinds and operands, all of them shapes, of combinations of sets
  std::vector<std::optional<SetId>> combined_shapes_;   // likewise
  std::vector<std::uint32_t> words_;                    // scratch of functions that intern
  std::unordered_map<std::uint32_t, bool> has_member_;  // by expression
  std::unordered_map<regex::ExprId, Lengths> lengths_;  // languages defined by lengths alone, see lengths()
  std::vector<FormulaId> complements_;                  // by FormulaId; kFalse: not computed
  bool keeps_origins_ = false;
  // By shape: the combination of older sets that it was computed from.
  std::unordered_map<std::uint32_t, SetId> origins_;
  base::WordInterner item_map_ids_;
  std::deque<SharedItemMap> item_maps_;
  std::vector<ItemMapId> item_map_tails_;      // by map: that of the items after the first
  std::deque<std::vector<SetId>> item_lists_;  // what the maps are parts of
  base::WordInterner property_map_ids_;
  std::deque<PropertyMap> property_maps_;
  struct NameOrder {
    std::vector<NameId> names;
    std::vector<std::pair<NameId, std::uint32_t>> ranks;  // ascending by name
  };
  base::WordInterner constant_ids_;  // by parts
  std::deque<Constant> constants_;
  std::unordered_map<FormulaId, ConstantId> constant_of_;  // formulas that only one array or object satisfies
  base::WordInterner order_ids_;                           // by names
  std::deque<NameOrder> orders_;
  bool has_declared_order_ = false;
  std::deque<std::string> names_;
  std::size_t name_bytes_ = 0;
  std::unordered_map<std::string_view, NameId> name_ids_;
  std::vector<regex::ExprId> literals_;  // by NameId; kNothing: not made yet
};

class Algebra : private AlgebraMemo {
 public:
  /// Callbacks for what the algebra needs to know of schemas.
  struct Schemas {
    std::function<Shape(SchemaId, ScopeId)> shape;  ///< Returns what a schema asserts; called once for each pair.
    std::function<bool(SchemaId)> is_plain;         ///< Returns true if it obviously has a member (plain_schema.h).
  };

  Algebra(regex::ExprSet& exprs, const NumberSpelling& spelling, const regex::JsonStringOptions& strings,
          const Limits& limits, Schemas schemas);
  /// Takes over what `before` has computed with the same options, of whose expressions `exprs` is a later copy.
  void take_over(Algebra& before) {
    static_cast<AlgebraMemo&>(*this) = std::move(before);
    constant_sets_.take_over(before.constant_sets_);
    numbers_.take_over(before.numbers_);
  }
  Algebra(const Algebra&) = delete;
  Algebra& operator=(const Algebra&) = delete;

  // Sets.

  SetId schema(SchemaId schema, ScopeId scope);
  SetId set(const Shape& shape);
  /// Returns the set as one shape.
  SetId evaluated(SetId a);
  /// Returns the set of this value alone, in all its spellings.
  SetId constant(const JsonValue& value);
  SetId meet(SetId a, SetId b);
  SetId meet(std::span<const SetId> sets) { return combine(SetKind::kMeet, sets); }
  SetId meet(std::initializer_list<SetId> sets) { return meet(std::span(sets.begin(), sets.size())); }
  SetId join(SetId a, SetId b);
  SetId join(std::span<const SetId> sets) { return combine(SetKind::kJoin, sets); }
  SetId join(std::initializer_list<SetId> sets) { return join(std::span(sets.begin(), sets.size())); }
  SetId complement(SetId a);
  /// Returns the values of `a` except those of some sets of one value each. For one value it is less work than to meet
  /// the complement. Precondition: there is a value.
  SetId without(SetId a, std::vector<SetId> values);
  /// Evaluates the set. The reference is valid for the life of the algebra.
  const Shape& shape(SetId set);

  [[nodiscard]] const Shape& any_shape() const { return any_; }
  /// Restricts any_shape() to these strings. Precondition: no set has been evaluated.
  void offer_strings(regex::ExprId strings);
  Shape meet(const Shape& a, const Shape& b);
  Shape meet(std::span<const Shape> shapes);
  Shape join(const Shape& a, const Shape& b) { return join(std::array{a, b}); }
  Shape join(std::span<const Shape> shapes);
  Shape complement(const Shape& a);

  // Formulas. Formula::operands is valid until the next formula is made.

  [[nodiscard]] Formula formula(FormulaId f) const;
  /// Returns true if the formula has atoms about objects. No formula has atoms about both arrays and objects.
  [[nodiscard]] bool is_about_objects(FormulaId f) const;
  FormulaId meet(FormulaId a, FormulaId b);
  FormulaId meet(std::span<const FormulaId> formulas) { return combine(FormulaKind::kAnd, formulas); }
  FormulaId meet(std::initializer_list<FormulaId> formulas) {
    return meet(std::span(formulas.begin(), formulas.size()));
  }
  FormulaId join(FormulaId a, FormulaId b);
  FormulaId join(std::span<const FormulaId> formulas) { return combine(FormulaKind::kOr, formulas); }
  FormulaId join(std::initializer_list<FormulaId> formulas) {
    return join(std::span(formulas.begin(), formulas.size()));
  }
  FormulaId complement(FormulaId f);
  /// Returns complement(f) if it has been computed before, else kFalse.
  [[nodiscard]] FormulaId known_complement(FormulaId f) const {
    return raw(f) < complements_.size() ? complements_[raw(f)] : FormulaId::kFalse;
  }
  /// Returns the formula that exactly one of `formulas` holds.
  FormulaId one_of(const std::vector<FormulaId>& formulas);

  FormulaId items(ItemMap map);
  /// Returns the formula of `kind`, kItems or kNotItems, for the items after the first.
  FormulaId items_after_first(FormulaKind kind, ItemMapId map) { return about_items(kind, item_map_tails_[raw(map)]); }
  FormulaId min_items(std::uint64_t count) { return counted(FormulaKind::kMinItems, count); }
  FormulaId max_items(std::uint64_t count) { return counted(FormulaKind::kMaxItems, count); }
  FormulaId min_contains(SetId set, std::uint64_t count);
  FormulaId max_contains(SetId set, std::uint64_t count);
  FormulaId unique(SetId allowed) { return atom(FormulaKind::kUnique, {raw(allowed)}); }
  FormulaId not_unique(SetId seen) { return atom(FormulaKind::kNotUnique, {raw(seen)}); }
  FormulaId members(PropertyMap map);
  FormulaId not_members(PropertyMap map, std::vector<NameId> apart);
  /// Returns a kNotMembers of a map that constrains one name only as what it requires of that name: the object has it, and
  /// its value is not in the map's set. Else nullopt.
  std::optional<FormulaId> broken_by_one_name(const Formula& f);
  FormulaId has(NameId name) { return atom(FormulaKind::kHas, {raw(name)}); }
  FormulaId lacks(NameId name) { return atom(FormulaKind::kLacks, {raw(name)}); }
  FormulaId min_members(std::uint64_t count) { return counted(FormulaKind::kMinMembers, count); }
  FormulaId max_members(std::uint64_t count) { return counted(FormulaKind::kMaxMembers, count); }

  // Constants. A set of n arrays (objects) is a disjunction of n formulas. Its complement would be a conjunction of n
  // disjunctions, and an item (member) would have choices for each combination of them. So it is one atom, kNotArrays
  // (kNotObjects), whose derivative by an item is that of a set of words: the constants that begin with the item remain.
  // Its operand is a ConstantSetId.

  [[nodiscard]] const Constant& constant(ConstantId id) const { return constants_[raw(id)]; }
  ConstantId constant(Constant constant);
  /// Returns the only array or object that satisfies `f`, if it was made from that constant.
  [[nodiscard]] std::optional<ConstantId> constant_of(FormulaId f) const {
    const auto known = constant_of_.find(f);
    return known == constant_of_.end() ? std::nullopt : std::optional(known->second);
  }
  /// Returns the arrays or objects that satisfy `f`, if it is a disjunction of constants.
  [[nodiscard]] std::optional<std::vector<ConstantId>> constants_of(FormulaId f) const {
    return constants_of(formula(f));
  }
  /// Returns the arrays (objects) that are none of these. Precondition: all are arrays, or all are objects.
  FormulaId none_of(std::vector<ConstantId> constants);
  FormulaId none_of(ConstantSetId constants);
  [[nodiscard]] ConstantSets& constant_sets() { return constant_sets_; }
  /// Returns a formula without kNotObjects that is equivalent to `f`, which is one.
  FormulaId spelled_out(const Formula& f);

  /// Returns the order of these names. They are all different.
  OrderId order(std::vector<NameId> names);
  /// Returns the position of the name in the order, from 1 on; 0 if it does not have the name. O(log names).
  [[nodiscard]] std::uint32_t rank(OrderId order, NameId name) const;
  [[nodiscard]] const std::vector<NameId>& names_of(OrderId order) const { return orders_[raw(order)].names; }
  /// Returns true if some map has an order (PropertyMap::Named::order).
  [[nodiscard]] bool has_declared_order() const { return has_declared_order_; }
  FormulaId in_order(OrderId order, std::uint32_t passed) { return atom(FormulaKind::kInOrder, {raw(order), passed}); }

  [[nodiscard]] const SharedItemMap& item_map(ItemMapId id) const { return item_maps_[raw(id)]; }
  [[nodiscard]] const PropertyMap& property_map(PropertyMapId id) const { return property_maps_[raw(id)]; }

  NameId name(std::string_view text);
  [[nodiscard]] const std::string& name(NameId id) const { return names_[raw(id)]; }
  /// Returns the language of the name alone. Cached, because every formula about objects needs those of all its names.
  regex::ExprId literal(NameId id);

  // Expressions and limits.

  [[nodiscard]] regex::ExprSet& exprs() { return exprs_; }
  [[nodiscard]] NumberLanguage& numbers() { return numbers_; }
  [[nodiscard]] const Limits& limits() const { return limits_; }
  /// Returns true if the set is a schema that obviously has a member. False: unknown.
  [[nodiscard]] bool obviously_has_member(SetId set) const;
  /// Returns whether an intersection has a member, if its operands tell without it being evaluated as a whole: by a
  /// literal or string that all of them have, or since one of them has one string only. Else nullopt.
  std::optional<bool> operands_have_member(SetId set);
  /// Remembers a string of an intersection, which operands_have_member() then tries in others. Precondition: `strings` are
  /// those of the set.
  void note_string(SetId set, regex::ExprId strings);
  /// Returns true if the set has the string.
  bool has_string(SetId set, std::string_view text) { return exprs_.matches(shape(set).strings, text); }
  /// Returns the set's only value, if it is known to be one string of UTF-8.
  std::optional<std::string> only_string(SetId set);
  /// Returns true if the expression matches anything. Returns false and reports a limit if the search runs out.
  bool has_member(regex::ExprId e);
  /// The same for a set of numbers.
  bool has_number(regex::ExprId numbers) { return has_member(numbers_.witnesses(numbers)); }
  /// Returns true if one of the decoded strings has a JSON text.
  bool has_text(regex::ExprId strings);
  /// Returns the strings of `min` to `max` code points; regex::kUnbounded as `max` means no upper bound.
  regex::ExprId lengths(std::uint32_t min, std::uint32_t max);
  /// Returns the intersection of sets of strings.
  regex::ExprId meet_strings(std::span<const regex::ExprId> sets);
  /// Returns the JSON texts of a set of decoded strings.
  regex::ExprId texts(regex::ExprId strings) { return regex::json_string(exprs_, strings, strings_); }
  [[nodiscard]] const regex::JsonStringOptions& string_options() const { return strings_; }

  /// Adds `count` to the steps taken. Returns false if they exceed Limits::schema_steps since the last reset_steps().
  bool step(std::uint64_t count = 1) {
    steps_ += count;
    base::Work::charge(count * base::Work::kSchemaStep);
    return !out_of_steps();
  }
  [[nodiscard]] bool out_of_steps() const {
    return limit_hit() == base::Limit::kCallWork || steps_ > limits_.schema_steps;
  }
  /// Returns all steps ever counted, including those before reset_steps().
  [[nodiscard]] std::uint64_t total_steps() const { return steps_before_ + steps_; }
  /// Sets the step count to 0 and clears limit_hit(). Discards the shapes that were computed after the limit was met.
  void reset_steps();
  /// Returns the limit that was met: by steps, by an operation on expressions, or by the call as a whole. The last is
  /// noted, because a later call starts with new steps but must know that results of this one may be wrong.
  [[nodiscard]] base::Limit limit_hit() const {
    if (base::Work::is_met()) limit_hit_ = base::Limit::kCallWork;
    return steps_ > limits_.schema_steps ? base::Limit::kSchemaSteps : limit_hit_;
  }
  void report_limit(base::Limit limit) { limit_hit_ = base::Work::met_or(limit); }
  /// Returns a set of numbers; if there is none, reports the limit that was met and returns the empty set.
  regex::ExprId numbers_or_limit(const Result<regex::ExprId>& numbers);

  /// Returns a schema of which the set is made, for messages; nullopt if none is found.
  [[nodiscard]] std::optional<SchemaId> schema_of(SetId set) const;
  /// Notes of which sets each shape is made from now on, for text_of().
  void keep_origins() { keeps_origins_ = true; }
  using SchemaText = std::function<std::optional<std::string>(SchemaId)>;
  /// Returns the text of a schema for the set, in which `text_of_schema` writes each schema that the set is made of.
  /// Returns nullopt if that does, and if the set is made of shapes of several values whose origins were not kept, of
  /// schemas in a scope, nested too deep or too long.
  [[nodiscard]] std::optional<std::string> text_of(SetId set, const SchemaText& text_of_schema, unsigned depth = 0);
  /// Returns the schema whose constraints were last looked up, for messages about limits.
  [[nodiscard]] std::optional<SchemaId> last_schema() const { return last_schema_; }

  /// Returns the approximate memory in use, without expressions. O(1).
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
  SetId set_from(const Shape& shape, SetKind how, std::span<const std::uint32_t> operands);
  std::vector<SetId> operands_in_text(SetId set, unsigned depth);
  SetId combine(SetKind kind, std::span<const SetId> sets);
  SetId combine_shapes(SetKind kind, std::span<const std::uint32_t> operands);
  std::vector<SetId> unevaluated_operands(SetId set) const;
  bool have_string(std::span<const SetId> operands, std::string_view text);
  std::optional<Shape> meet_with_string(std::span<const SetId> operands);
  Shape evaluate(SetId set);
  Shape shape_of_constant(const JsonValue& value);
  regex::ExprId lengths(Lengths intervals);
  std::optional<regex::ExprId> with_length(regex::ExprId e, std::uint32_t min, std::uint32_t max);
  regex::ExprId complement_of_strings(regex::ExprId a);

  FormulaId atom(FormulaKind kind, std::initializer_list<std::uint32_t> operands);
  FormulaId intern_formula(FormulaKind kind, std::span<const std::uint32_t> operands);
  FormulaId counted(FormulaKind kind, std::uint64_t count);
  FormulaId combine(FormulaKind kind, std::span<const FormulaId> formulas);
  void flatten(FormulaKind kind, std::span<const FormulaId> formulas, std::vector<FormulaId>& operands) const;
  void flatten(FormulaKind kind, std::vector<FormulaId>& formulas);
  FormulaId combine_operands(FormulaKind kind, std::vector<FormulaId>& operands);
  void absorb(FormulaKind kind, std::vector<FormulaId>& operands) const;
  bool drop_excluded(std::vector<FormulaId>& operands);
  std::optional<FormulaId> narrowed(const std::vector<FormulaId>& operands);
  bool merge_atoms(std::vector<FormulaId>& atoms);
  [[nodiscard]] bool forbids(const Formula& atom, NameId name) const;
  FormulaId formula_of(const Constant& constant);
  std::optional<std::string> value_text(SetId set, unsigned depth);
  std::optional<std::vector<ConstantId>> constants_of(const Formula& f) const;
  FormulaId complement_of_atom(FormulaKind kind, std::vector<std::uint32_t> operands);
  ItemMapId intern(ItemMap map);
  FormulaId about_items(FormulaKind kind, ItemMapId map);
  PropertyMapId intern(PropertyMap map);
  ItemMap meet(const SharedItemMap& a, const SharedItemMap& b);
  std::optional<PropertyMap> meet(const PropertyMap& a, const PropertyMap& b);

  regex::ExprSet& exprs_;
  NumberLanguage numbers_;
  regex::JsonStringOptions strings_;
  Limits limits_;
  Schemas schemas_;
  Shape any_;
  std::uint64_t steps_ = 0;
  std::uint64_t steps_before_ = 0;  // steps before the last reset_steps()
  mutable base::Limit limit_hit_ = base::Limit::kNone;
  std::optional<SchemaId> last_schema_;
  std::string noted_string_;
  bool has_noted_string_ = false;
  ConstantSets constant_sets_{*this};
  // Vectors for the duration of a call.
  regex::ScratchPool<std::uint32_t> free_words_;
  regex::ScratchPool<Shape> free_shapes_;
  regex::ScratchPool<regex::ExprId> free_exprs_;
  regex::ScratchPool<FormulaId> free_formulas_;
  regex::ScratchPool<NameId> free_names_;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_ALGEBRA_H_
