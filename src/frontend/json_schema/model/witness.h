// Witness: whether a set or a formula has a member, and one.
//
// WHAT   Finds for a set a value that is in it, for a formula an array or object that satisfies it; or shows that there
//        is none. What has been found is kept, as a plan: which sets the items or members are to be taken from.
// WHY    A grammar offers only what can be finished. And a short text of a rule is what completes an output.
// HOW    By the parts: literals, numbers and strings by their expressions; arrays and objects by a plan for one
//        conjunction of their formula's disjunctive form, of which only as much is made as it takes to find one that
//        works. A set that is asked for while it is looked into is taken to be empty: a value has a finite depth, so
//        the smallest member needs no other member of the same set in it. What was denied on that ground alone is not
//        kept; what was found is, since a plan refers to plans made before.
//        Of most schemas it is plain that they have a member (plain_schema.h): those are looked into only for a text of
//        one. Plainness goes down the schema's text, so there, too, this ends.
//        Objects: required names first; then members that break a universal promise, each with the names at hand or a
//        new one; then names up to the least count. Arrays: each promised item where it fits first; if that does not
//        work out, a search along the derivation (derivation.h). Where values must differ, candidates are tried: of n
//        items none needs more than n, since one of n candidates is not taken by the others.
// LIMITS schema_steps, nesting (of values), regex_fuel.
// THREADS As the Algebra.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_WITNESS_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_WITNESS_H_

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "frontend/json_schema/model/algebra.h"
#include "frontend/json_schema/model/derivation.h"
#include "frontend/json_schema/rules/layout.h"

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

  /// About what it keeps, in O(1).
  [[nodiscard]] std::size_t memory_bytes() const {
    return derivation_.memory_bytes() + plan_bytes_ + sets_.capacity() * sizeof(SetState);
  }

  /// A kOneOf or kNotOneOf as disjunction, as it is wherever `context` holds.
  FormulaId resolve(FormulaId f, FormulaId context);

  bool has_member(SetId set);
  bool array_exists(FormulaId f) { return array_plan(f) != nullptr; }
  bool object_exists(FormulaId f) { return object_plan(f) != nullptr; }

  /// The JSON text of a member, a short one, at `depth` of a document. Precondition: has_member(set).
  std::string text(SetId set, const Layout& layout, std::uint32_t depth);
  /// The items (members) of a short array (object), which stand at `depth`, and what separates them. Precondition: it
  /// exists.
  std::string array_text(FormulaId f, const Layout& layout, std::uint32_t depth);
  std::string object_text(FormulaId f, const Layout& layout, std::uint32_t depth);

  /// Sets that an array's items are taken from, in order, each so many times.
  using ArrayPlan = std::vector<std::pair<SetId, std::uint64_t>>;
  /// Null if there is none. The plan is short, mostly as short as the counts allow.
  const ArrayPlan* array_plan(FormulaId f);
  /// Whether an array of the formula can take its items, which differ, from so many values more than it needs; false
  /// where that is not seen at a glance. Without a plan, which names each of the items.
  bool has_values_to_spare(FormulaId f, std::uint64_t more);
  /// Behind an item with this rest: which values it must be one of, where two items must be equal and no other two can
  /// be.
  std::optional<SetId> values_to_repeat(FormulaId rest);
  /// Members of an object, each with what its value is taken from. Those of one class have different keys.
  struct Member {
    KeyClass key;
    SetId value;
  };
  struct ObjectPlan {
    FormulaId conjunction = FormulaId::kTrue;  ///< Of atoms; implies the formula, and the members satisfy it.
    std::vector<Member> members;
  };
  /// Null if there is none. The plan is as short as the counts allow.
  const ObjectPlan* object_plan(FormulaId f);
  /// A plan that leaves room for as many of the names as is easily seen, if there is one.
  std::optional<ObjectPlan> plan_within_budget(FormulaId f, std::unordered_set<NameId> wanted);
  /// The atoms of a conjunction about objects.
  struct ObjectAtoms {
    std::vector<PropertyMapId> maps = {};
    std::vector<std::pair<PropertyMapId, std::vector<NameId>>> violations = {};
    std::vector<NameId> names = {};    ///< Ascending.
    std::vector<NameId> lacking = {};  ///< Ascending.
    std::uint64_t min = 0;
    std::uint64_t max = UINT64_MAX;
  };
  [[nodiscard]] ObjectAtoms object_atoms(FormulaId conjunction) const;
  /// What the maps say of a member's value.
  [[nodiscard]] SetId value_of(const ObjectAtoms& atoms, const KeyClass& key) const;
  /// Whether the set has as many members, or more.
  bool has_members(SetId set, std::uint64_t count);
  /// The set of one member. Precondition: has_member(set).
  SetId single(SetId set);

 private:
  // kPlain: yes, and it has not been looked into.
  enum class Verdict : std::uint8_t { kUnknown, kOpen, kPlain, kYes, kNo };
  /// Which part of a shape a member was found in.
  enum class Part : std::uint8_t { kNone, kLiteral, kNumber, kString, kArray, kObject };
  struct SetState {
    Verdict verdict = Verdict::kUnknown;
    Part part = Part::kNone;
    std::uint32_t depth = 0;
  };
  struct ArrayAtoms {
    ItemMap map;
    bool has_obligation = false;    // something else than a least count
    bool has_alternatives = false;  // something else than that and members of sets
    // No array needs more items than these or `min`: any other behind all prefixes may be left out.
    std::uint64_t needed = 0;
    std::vector<std::pair<SetId, std::uint64_t>> contained;
    bool is_unique = false;
    SetId seen = SetId::kNone;
    std::uint64_t min = 0;
    std::uint64_t max = UINT64_MAX;
  };
  static std::size_t bytes_of(const ArrayPlan& plan) { return plan.capacity() * sizeof(plan[0]); }
  static std::size_t bytes_of(const ObjectPlan& plan) { return plan.members.capacity() * sizeof(Member); }
  template <typename Plan>
  struct Memo {
    bool known = false;
    std::optional<Plan> plan;
  };

  // False only if `has` says so without having taken a set to be empty, and without having met a limit.
  template <typename Has>
  bool may_have(const Has& has) {
    const std::uint32_t outer = std::exchange(assumed_, UINT32_MAX);
    const bool found = has();
    const bool is_sure = assumed_ == UINT32_MAX && algebra_.limit_hit() == base::Limit::kNone;
    assumed_ = outer;
    return found || !is_sure;
  }

  // witness.cc
  struct ResolvedPairs {
    FormulaId context{};
    std::size_t pairs = 0;
  };
  std::optional<FormulaId> resolved_for_less(FormulaId f, FormulaId context, std::size_t pairs);
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
  std::string scalar_text(regex::ExprId texts);
  [[nodiscard]] std::vector<FormulaId> atoms_of(FormulaId conjunction) const;
  // The plan for `f`, from `memo` or by `find`.
  template <typename Plan, typename Find>
  const Plan* remember(std::unordered_map<std::uint32_t, Memo<Plan>>& memo, FormulaId f, const Find& find) {
    const auto key = static_cast<std::uint32_t>(f);
    if (const auto it = memo.find(key); it != memo.end() && it->second.known) {
      return it->second.plan.has_value() ? &*it->second.plan : nullptr;
    }
    const std::uint32_t outer = std::exchange(assumed_, UINT32_MAX);
    Plan plan;
    const bool found = find(plan);
    const bool is_final = assumed_ == UINT32_MAX && algebra_.limit_hit() == base::Limit::kNone;
    assumed_ = std::min(outer, found ? UINT32_MAX : assumed_);
    if (!found && !is_final) return nullptr;
    Memo<Plan>& slot = memo[key];
    // A plan that was found while this one was looked for stays: this one may refer to it.
    if (slot.plan.has_value()) return &*slot.plan;
    slot.known = true;
    if (!found) return nullptr;
    slot.plan = std::move(plan);
    plan_bytes_ += sizeof(slot) + bytes_of(*slot.plan);
    return &*slot.plan;
  }
  // Calls try_one with conjunctions of atoms until it returns true.
  template <typename Try>
  bool any_conjunction(std::vector<FormulaId> pending, std::vector<FormulaId> atoms, const Try& try_one);

  // witness.cc
  bool plan_object(FormulaId conjunction, ObjectPlan& plan);
  // A broken promise: which classes may have the member that breaks it, and with which values.
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
  bool has_numerals(regex::ExprId texts, std::uint64_t count);
  bool have_keys(const std::vector<Member>& members);
  std::string spelled_name(NameId name);
  std::vector<std::string> spelled_keys(const std::vector<Member>& members);

  // witness.cc
  bool plan_array(FormulaId conjunction, ArrayPlan& plan);
  ArrayAtoms array_atoms(FormulaId conjunction);
  bool has_values_enough(const ArrayAtoms& atoms);
  enum class Share : std::uint8_t { kNo, kYes };
  bool place_items(const ArrayAtoms& atoms, Share share, ArrayPlan& plan);
  bool fits_budget(const ArrayAtoms& atoms);
  template <typename IsViable>
  std::vector<SetId> repeatable_items(FormulaId rest, const IsViable& is_viable);
  bool search_array(FormulaId f, std::uint64_t longest, std::unordered_map<std::uint32_t, std::uint64_t>& failed,
                    bool& was_cut, ArrayPlan& plan);

  Algebra& algebra_;
  Derivation derivation_;
  std::map<std::pair<FormulaId, FormulaId>, std::optional<FormulaId>> resolved_;  // no value while it is looked for
  std::unordered_map<FormulaId, std::vector<ResolvedPairs>> resolved_pairs_;
  std::vector<SetState> sets_;
  std::unordered_map<std::uint32_t, Memo<ArrayPlan>> arrays_;
  std::unordered_map<std::uint32_t, Memo<ObjectPlan>> objects_;
  std::unordered_map<regex::ExprId, std::string> scalar_texts_;
  std::unordered_map<NameId, std::string> spelled_names_;
  std::size_t plan_bytes_ = 0;  // of plans and texts
  std::uint32_t depth_ = 0;
  std::uint32_t assumed_ = UINT32_MAX;  // the least depth of a set that was taken to be empty
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_WITNESS_H_
