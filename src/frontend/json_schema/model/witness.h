// Witness: decides whether a set or a formula (algebra.h) has a member, and finds a short one.
//
// The basic idea: a smallest member of a set contains no other member of that set. So while a set is searched it may be
// assumed to be empty, and recursion ends.
//
// WHAT   Finds a value in a set, or an array or object that satisfies a formula, or proves that none exists. A member
//        that was found is stored as a *plan*: the sets from which its items or members are taken.
// WHY    A grammar may offer only what can be completed, and short texts of rules complete an output.
// HOW    A set has a member if one part of its shape has. Literals, numbers and strings are decided by their
//        expressions. For arrays and objects, the conjunctions of the formula's disjunctive normal form are tried one
//        at a time until one has a plan.
//        Recursion: while a set is being searched, it is assumed to be empty. That is sound, because a smallest member
//        of a set contains no other member of the same set. A negative result that depends on such an assumption is not
//        stored; a positive one is, since its plan refers only to members that were found before.
//        Most schemas obviously have a member (plain_schema.h). They are searched only when a text of a member is
//        needed. These searches terminate as well: is_obviously_satisfiable() only descends the schema's text.
//        Objects: a plan takes the required names first; then, for each kNotMembers, a member that violates the map,
//        either one already there or a new one; then further names up to the minimum count. Arrays: each required item
//        is put at the first index where it fits; if that fails, a depth-first search along the derivation
//        (derivation.h) follows. If values must differ, they are taken from lists (value_list.h); of many items it is
//        enough that there are as many values. Where that fails, several candidates are tried for each item. For n items,
//        n candidates each suffice, since the other items use at most n - 1 of them.
//        Texts: of each set the length and the beginning are stored, so the length of a text that holds a value twice at
//        each of many levels costs a step for each level. Writing a text costs what is written of it.
// EXAMPLE  A: objects that require a member b in B. B: objects that require a member a in A. Neither has a member.
//        1. has_member(A) opens A at depth 1. A plan needs a member of B, which is opened at depth 2. That needs a
//           member of A, which is open, so it is assumed to be empty: the answer is no, and assumed_depth_ is 1.
//        2. B has no plan. assumed_depth_ is less than 2, the depth of B: its no relies on the emptiness of a set that
//           is not decided. It is not stored (kUnknown), because if A turned out to have another member, such as
//           `{"x":1}`, then B would have `{"a":{"x":1}}`. assumed_depth_ stays 1 for the search of A.
//        3. A has no plan. assumed_depth_ is 1, the depth of A: its no relies on the emptiness of A alone, which is
//           sound. kNo is stored, and the search around A learns of no assumption (it gets its own assumed_depth_
//           back).
//        4. has_member(B) is now decided without assumptions: A is kNo, so B is.
//        may_have() is for those who must not lose a choice in step 2: asked about B, it returns true, since its no is
//        not sure.
// LIMITS schema_steps, nesting (of values), regex_fuel.
// THREADS Same as Algebra.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_WITNESS_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_WITNESS_H_

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/cut_text.h"
#include "frontend/json_schema/model/algebra.h"
#include "frontend/json_schema/model/derivation.h"
#include "frontend/json_schema/model/object_search.h"
#include "frontend/json_schema/model/value_list.h"
#include "frontend/json_schema/values/layout.h"
#include "frontend/json_schema/values/yaml_text.h"

namespace weir::frontend::json_schema {

class Witness {
 public:
  explicit Witness(Algebra& algebra)
      : algebra_(algebra),
        derivation_(algebra, {[this](FormulaId f, FormulaId context) { return resolve(f, context); },
                              [this](SetId set) { return may_have([&] { return has_member(set); }); },
                              [this](FormulaId f) { return may_have([&] { return object_exists(f); }); }}) {}
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;

  [[nodiscard]] Derivation& derivation() { return derivation_; }

  /// Returns empty containers for a search, which come back with keep_tables().
  [[nodiscard]] std::unique_ptr<ObjectSearch::Tables> take_tables();
  void keep_tables(std::unique_ptr<ObjectSearch::Tables> tables);

  /// Returns the approximate memory in use. O(1).
  [[nodiscard]] std::size_t memory_bytes() const {
    return derivation_.memory_bytes() + plan_bytes_ + sets_.capacity() * sizeof(SetState);
  }

  /// Returns a disjunction that is equivalent to `f` wherever `context` holds. Precondition: `f` is a kOneOf or
  /// kNotOneOf.
  FormulaId resolve(FormulaId f, FormulaId context);

  /// These return true if a member is found, or is obvious. False if there is none, if the answer depends on an
  /// assumption of a search in progress (see HOW), or if a limit was met (Algebra::limit_hit).
  bool has_member(SetId set);
  bool array_exists(FormulaId f) { return array_plan(f) != nullptr; }
  bool object_exists(FormulaId f) { return object_plan(f) != nullptr; }

  /// Returns the objects of `f` whose members come in the declared order (declared_order.h), if declared order counts;
  /// else `f`. Memoised.
  FormulaId in_declared_order(FormulaId f);

  /// Returns a short text of a member, in JSON, or in YAML if the layout is that; written at `depth` of a document. This
  /// and the next two write the first `most` bytes; the length of a longer text is counted, or estimated from above.
  /// Precondition: has_member(set).
  base::CutText text(SetId set, const Layout& layout, std::uint32_t depth, std::size_t most);
  /// Returns the items (members) of a short array (object), written at `depth`, with separators and without brackets.
  /// Precondition: it exists.
  base::CutText array_text(FormulaId f, const Layout& layout, std::uint32_t depth, std::size_t most);
  base::CutText object_text(FormulaId f, const Layout& layout, std::uint32_t depth, std::size_t most);
  /// Returns the short text of a name; empty if a limit was met. Memoised: the same names occur in many objects.
  std::string spelled_name(NameId name, const Layout& layout);

  /// Consecutive items of an array that are taken from a set.
  struct Items {
    SetId set;
    std::uint64_t count = 1;
    bool differ = false;  ///< They must differ, from each other and from other such items. There are enough values.
  };
  using ArrayPlan = std::vector<Items>;  ///< In order.
  /// A plan as it is stored. The plans of an array and of its later items share the sets that `prefixItems` lists.
  struct StoredPlan {
    std::span<const SetId> first = {};  ///< One item of each; then
    ArrayPlan then = {};
    [[nodiscard]] ArrayPlan items() const {
      ArrayPlan all;
      for (const SetId set : first) all.push_back({set});
      all.insert(all.end(), then.begin(), then.end());
      return all;
    }
  };
  /// Returns a plan, or null if there is none. The plan is short, mostly as short as the counts allow.
  const StoredPlan* array_plan(FormulaId f);
  /// For an array whose items must differ: returns true if at least `more` values remain for it besides those that its
  /// minimum number of items takes. A quick test that makes no plan; false if the answer is not obvious.
  bool has_values_to_spare(FormulaId f, std::uint64_t more);
  /// Returns true if `Items::differ` items of a plan can be chosen without any `more` values. A sufficient test.
  bool can_do_without(const ArrayPlan& plan, std::uint64_t more);
  /// `rest` is the formula that remains after an item. If it requires two equal items and no two later items can be
  /// equal, one of the two is the item itself: returns the values that it may have. Else nullopt.
  std::optional<SetId> values_to_repeat(FormulaId rest);
  /// Members of an object that have keys of one class, each with a value in the set. Members with the same unnamed class
  /// have different keys.
  struct Member {
    KeyClass key;
    SetId value;
    std::uint64_t count = 1;
  };
  struct ObjectPlan {
    FormulaId conjunction = FormulaId::kTrue;  ///< A conjunction of atoms that implies the formula; the members
                                               ///< satisfy it.
    std::vector<Member> members;
    /// Returns the number of members.
    [[nodiscard]] std::uint64_t size() const {
      std::uint64_t count = 0;
      for (const Member& member : members) count += member.count;
      return count;
    }
  };
  /// Returns a plan, or null if there is none. The plan is as short as the counts allow.
  const ObjectPlan* object_plan(FormulaId f);
  /// Returns a plan whose conjunction excludes few of the `wanted` names. The search stops after a few backtracks
  /// (ObjectSearch::want) and then returns nullopt, even if there is a plan.
  std::optional<ObjectPlan> plan_within_fuel(FormulaId f, std::unordered_set<NameId> wanted);
  /// The atoms of a conjunction about objects, by kind.
  struct ObjectAtoms {
    std::vector<PropertyMapId> maps = {};                                        ///< kMembers.
    std::vector<std::pair<PropertyMapId, std::vector<NameId>>> violations = {};  ///< kNotMembers.
    std::vector<NameId> names = {};                                              ///< kHas; ascending.
    std::vector<NameId> lacking = {};   ///< kLacks, and the names that kInOrder has passed; ascending.
    std::optional<OrderId> order = {};  ///< kInOrder.
    bool has_constants = false;         ///< kNotObjects.
    std::uint64_t min = 0;
    std::uint64_t max = UINT64_MAX;
  };
  [[nodiscard]] ObjectAtoms object_atoms(FormulaId conjunction) const;
  /// Returns the set that the maps allow for the value of a member with such a key.
  [[nodiscard]] SetId value_of(const ObjectAtoms& atoms, const KeyClass& key) const;
  /// Returns the number of the set's members, at most `most`. Returns fewer if a limit was met.
  std::uint64_t count_members(SetId set, std::uint64_t most);
  bool has_members(SetId set, std::uint64_t count) { return count_members(set, count) == count; }
  /// Returns the set of one short member alone. Precondition: has_member(set).
  SetId single(SetId set);

 private:
  // kOpen: the search is in progress. kPlain: it obviously has a member, and has not been searched.
  enum class Verdict : std::uint8_t { kUnknown, kOpen, kPlain, kYes, kNo };
  /// The part of a shape in which a member was found.
  enum class Part : std::uint8_t { kNone, kLiteral, kNumber, kString, kArray, kObject };
  struct SetState {
    Verdict verdict = Verdict::kUnknown;
    Part part = Part::kNone;
    std::uint32_t depth = 0;
  };
  struct ArrayAtoms {
    SharedItemMap map;
    bool has_obligation = false;    // has atoms other than kItems, kMinItems, kMaxItems and kUnique
    bool has_alternatives = false;  // has atoms other than these, kMinContains and kMaxContains
    // No array needs more items than max(needed, min): any further item after all prefixes may be removed.
    std::uint64_t needed = 0;
    std::vector<std::pair<SetId, std::uint64_t>> contained;       // kMinContains
    std::vector<std::pair<SetId, std::uint64_t>> most_contained;  // kMaxContains
    bool is_unique = false;
    SetId fresh = SetId::kAny;  // values that no earlier item has (kUnique)
    std::uint64_t min = 0;
    std::uint64_t max = UINT64_MAX;
  };
  static std::size_t bytes_of(const StoredPlan& plan) { return plan.then.capacity() * sizeof(plan.then[0]); }
  static std::size_t bytes_of(const ObjectPlan& plan) { return plan.members.capacity() * sizeof(Member); }
  template <typename Plan>
  struct Memo {
    bool known = false;
    std::optional<Plan> plan;
  };

  // Returns false only if `has` returns false without relying on an assumption that a set is empty, and without having
  // met a limit.
  template <typename Has>
  bool may_have(const Has& has) {
    const std::uint32_t outer = std::exchange(assumed_depth_, UINT32_MAX);
    const bool found = has();
    const bool is_sure = assumed_depth_ == UINT32_MAX && algebra_.limit_hit() == base::Limit::kNone;
    assumed_depth_ = outer;
    return found || !is_sure;
  }

  // A result of resolve(), and the number of pairs of operands that were compared for it; 0 if no two operands can hold
  // together where the context holds.
  struct ResolvedPairs {
    FormulaId context{};
    std::size_t pairs = 0;
  };
  // Names that an alternative requires, and the map of the only ones that it allows, if it has one.
  struct Names {
    std::vector<NameId> required;
    const PropertyMap* allowed = nullptr;
  };
  [[nodiscard]] std::vector<Names> names_of(const std::vector<std::uint32_t>& operands) const;
  static bool lack_common_names(const Names& x, const Names& y);
  FormulaId find_disjunction(FormulaId f, FormulaId context);  // resolve() of what is not known
  std::optional<FormulaId> resolved_for_weaker_context(FormulaId f, FormulaId context, std::size_t pairs);
  using TagValue = std::pair<std::string, std::uint8_t>;
  std::vector<std::vector<std::uint32_t>> with_common_tags(const std::vector<std::uint32_t>& operands,
                                                           FormulaId context);
  enum class Tagged : std::uint8_t { kNo, kYes, kImpossible };
  void find_tags(const std::vector<std::uint32_t>& operands, FormulaId context,
                 std::vector<std::vector<TagValue>>& tags, std::vector<Tagged>& kinds);
  KeyClass key_of(const ObjectAtoms& atoms, NameId name);
  bool list_scalars(const Shape& shape, std::vector<TagValue>& values);
  FormulaId excluding(FormulaId holding, FormulaId other, FormulaId context);
  FormulaId violation(const Formula& broken, const std::vector<PropertyMapId>& kept);
  [[nodiscard]] bool is_empty(SetId set) {
    return !may_have([&] { return has_member(set); });
  }

  bool look_for_member(SetId set);
  Part find_member(SetId set);
  base::CutText container_text(SetId set, const Layout& layout, std::uint32_t depth, std::size_t most);
  base::CutText scalar_text(regex::ExprId texts, std::size_t most);
  [[nodiscard]] std::vector<FormulaId> atoms_of(FormulaId conjunction) const;
  // Returns the plan for `f` from `memo`, or computes it with `find`; null if there is none.
  template <typename Plan, typename Find>
  const Plan* remember(std::unordered_map<std::uint32_t, Memo<Plan>>& memo, FormulaId f, const Find& find) {
    const auto key = static_cast<std::uint32_t>(f);
    if (const auto it = memo.find(key); it != memo.end() && it->second.known) {
      return it->second.plan.has_value() ? &*it->second.plan : nullptr;
    }
    const std::uint32_t outer = std::exchange(assumed_depth_, UINT32_MAX);
    Plan plan;
    const bool found = find(plan);
    const bool is_final = assumed_depth_ == UINT32_MAX && algebra_.limit_hit() == base::Limit::kNone;
    assumed_depth_ = std::min(outer, found ? UINT32_MAX : assumed_depth_);
    if (!found && !is_final) return nullptr;
    Memo<Plan>& slot = memo[key];
    // A nested search may have stored a plan for `f` already. It stays, because the new plan may refer to it.
    if (slot.plan.has_value()) return &*slot.plan;
    slot.known = true;
    if (!found) return nullptr;
    slot.plan = std::move(plan);
    plan_bytes_ += sizeof(slot) + bytes_of(*slot.plan);
    return &*slot.plan;
  }
  // Calls `try_one` with the conjunctions of the disjunctive normal form until it returns true. `pending`: formulas
  // that still have to be split into atoms; `atoms`: those found so far. Returns true if `try_one` did.
  template <typename Try>
  bool any_conjunction(std::vector<FormulaId> pending, std::vector<FormulaId> atoms, const Try& try_one);

  // A formula without its conjuncts kNotArrays and kNotObjects, and the constants of these.
  struct WithoutConstants {
    FormulaId rest;
    ConstantSetId constants;
  };
  WithoutConstants without_constants(FormulaId f);
  bool plan_beside_constants(FormulaId f, ObjectPlan& plan);
  bool plan_beside_constants(FormulaId f, ArrayPlan& plan);
  std::optional<OrderId> order_of_text(FormulaId f, FormulaId conjunction);
  bool plan_object(FormulaId conjunction, ObjectPlan& plan);
  // For a kNotMembers atom: indices of the classes that the violating member may have, and for each its possible
  // values.
  struct Violation {
    std::vector<std::uint32_t> candidates;
    std::vector<SetId> breaks;
  };
  bool find_breaking_keys(const ObjectAtoms& atoms, const std::vector<KeyClass>& classes,
                          std::vector<Violation>& violations);
  bool place_violations(const ObjectAtoms& atoms, const std::vector<KeyClass>& classes,
                        const std::vector<Violation>& violations, std::size_t next, std::vector<Member>& members);
  bool fill_up(const ObjectAtoms& atoms, const std::vector<KeyClass>& classes, std::vector<Member>& members);
  bool plainly_has_members(SetId set, std::uint64_t count, std::uint32_t depth = 0);
  bool has_infinitely_many_texts(regex::ExprId strings);
  bool has_strings_beside(SetId set, SetId fresh);
  std::optional<std::uint32_t> numeral_digits(regex::ExprId texts, std::uint64_t count);
  std::uint64_t count_listed(const Shape& shape);
  std::optional<std::uint64_t> count_integers(regex::ExprId numbers);
  bool have_keys(const std::vector<Member>& members);
  // The keys of one class: those that are left, and the JSON texts of the others.
  struct KeysOfClass {
    KeysOfClass(Algebra& algebra, Witness& witness, SetId keys) : rest(algebra, witness, keys) {}
    ValueList rest;
    std::set<std::string> texts = {};
  };
  using UsedKeys = std::map<regex::ExprId, KeysOfClass>;
  struct Around {
    std::string comma, colon;
  };
  std::string unused_key(regex::ExprId keys, UsedKeys& used, const Layout& layout);
  bool add_numeral_members(const Member& member, std::uint64_t from, const base::CutText& value, const Around& around,
                           UsedKeys& used, base::CutText& out);

  bool plan_array(FormulaId conjunction, StoredPlan& stored);
  bool have_members(std::span<const SetId> sets);
  ArrayAtoms array_atoms(FormulaId conjunction);
  bool has_enough_values(const ArrayAtoms& atoms);
  enum class Share : std::uint8_t { kNo, kYes };
  bool place_items(const ArrayAtoms& atoms, Share share, ArrayPlan& plan);
  bool place_distinct(const ArrayAtoms& atoms, ArrayPlan& plan);
  std::optional<ArrayPlan> distinct_groups(const ArrayAtoms& atoms, std::uint64_t more);
  struct Numerals {
    regex::ExprId texts;  // those that they are among
    std::uint32_t digits;
    bool are_strings;
  };
  std::optional<Numerals> numerals_of(SetId set, std::uint64_t count);
  void add_numerals(const Items& items, const Layout& layout, std::uint32_t depth, std::uint64_t& number,
                    base::CutText& out);
  void add_different_items(const Items& items, const Layout& layout, std::uint32_t depth, DifferentValues& values,
                           base::CutText& out);
  static void add_unwritten_items(std::uint64_t count, std::uint64_t bytes, base::CutText& out);
  bool place_in_groups(const ArrayAtoms& atoms, ArrayPlan& plan);
  bool contains_too_many(const ArrayAtoms& atoms);
  bool fits_max_items(const ArrayAtoms& atoms);
  template <typename IsViable>
  std::vector<SetId> repeatable_items(FormulaId rest, const IsViable& is_viable);
  bool search_array(FormulaId f, std::uint64_t longest, std::unordered_map<std::uint32_t, std::uint64_t>& failed,
                    bool& was_cut, ArrayPlan& plan);

  Algebra& algebra_;
  Derivation derivation_;
  std::map<std::pair<FormulaId, FormulaId>, std::optional<FormulaId>> resolved_;  // nullopt while it is being computed
  std::unordered_map<FormulaId, std::vector<ResolvedPairs>> resolved_pairs_;
  std::vector<SetState> sets_;
  std::unordered_map<std::uint32_t, Memo<StoredPlan>> arrays_;
  std::unordered_map<const SetId*, const SetId*> members_from_;  // see have_members()
  std::unordered_map<std::uint32_t, Memo<ObjectPlan>> objects_;
  std::unordered_map<FormulaId, FormulaId> ordered_;  // results of in_declared_order()
  std::unordered_map<regex::ExprId, std::string> scalar_texts_;
  // By set, depth as far as the layout depends on it, and whether the layout is Layout::compact(). The beginnings of
  // longer texts.
  std::map<std::tuple<SetId, std::uint32_t, bool>, base::CutText> container_texts_;
  std::unordered_map<NameId, std::string> spelled_names_;
  std::unordered_map<regex::ExprId, bool> infinite_;  // by strings: whether has_strings_beside() found infinitely many
  std::size_t plan_bytes_ = 0;                        // of plans and texts
  std::vector<std::unique_ptr<ObjectSearch::Tables>> free_tables_;
  std::uint32_t depth_ = 0;
  std::uint32_t plain_arrays_ = 0;  // plans of arrays that plainly_has_members() is waiting for
  // Least depth (SetState::depth) of a set that the search in progress has assumed to be empty; UINT32_MAX if none.
  std::uint32_t assumed_depth_ = UINT32_MAX;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_WITNESS_H_
