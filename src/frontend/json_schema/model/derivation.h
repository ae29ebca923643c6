// Derivation: what a formula still asks after one more item or member.
//
// WHAT   For a formula about arrays, the *choices* for its next item; for one about objects and a key, those for the
//        member: pairs of a set that the value must be in, and the formula that the rest must satisfy then. A value v
//        followed by a rest r satisfies the formula iff some choice has v in its set and r in its formula.
// WHY    It is Brzozowski's derivative, of arrays and objects instead of strings: the formulas are the states of an
//        automaton over items and members, made as a text reaches them, and members may come in any order for nothing.
// HOW    Atoms are monotone: an atom that holds for more values asks no more of the rest. So it is enough to choose,
//        for each atom that the value may decide, whether to rely on it; the choices of a disjunction are those of its
//        parts, of a conjunction their products, and choices with one set, or one rest, are joined at once. Branches of
//        a schema that do not speak of this member stay one formula: `anyOf` does not multiply before it must. Products
//        of many factors, such as a list of `if ... then ...` about one member, drop what cannot be, and make choices
//        between scalars disjoint: they are then as many as there are ways to answer, not as combinations of answers.
// KEYS   Keys are told apart as far as the formula can: each name that it lists is a class, and the others are split by
//        its patterns.
// LIMITS schema_steps.
// THREADS As the Algebra.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_DERIVATION_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_DERIVATION_H_

#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend/json_schema/model/algebra.h"

namespace weir::frontend::json_schema {

struct Choice {
  SetId value = SetId::kNone;
  FormulaId rest = FormulaId::kFalse;
  friend bool operator==(const Choice&, const Choice&) = default;
};

/// Keys that a formula cannot tell apart.
struct KeyClass {
  std::optional<NameId> name = {};               ///< This one, or
  regex::ExprId keys = regex::ExprId::kNothing;  ///< these, decoded: no name that the formula lists.
  std::vector<regex::ExprId> patterns = {};      ///< Which patterns of the formula match them; ascending.
  std::uint32_t order = 0;                       ///< PropertyMap::Named::order, the least.
};

class Derivation {
 public:
  /// What is asked of the witness.
  struct Questions {
    /// Writes a kOneOf or kNotOneOf without these, as it is wherever `context` holds.
    std::function<FormulaId(FormulaId f, FormulaId context)> resolve;
    /// False only where there surely is none.
    std::function<bool(SetId)> may_have_member;
    std::function<bool(FormulaId)> may_have_object;
  };
  Derivation(Algebra& algebra, Questions questions) : algebra_(algebra), ask_(std::move(questions)) {}

  /// About what it keeps, in O(1).
  [[nodiscard]] std::size_t memory_bytes() const {
    constexpr std::size_t kNode = 80;  // of a map
    return class_count_ * sizeof(KeyClass) + (goes_on_.size() + accepts_.size()) * kNode;
  }

  /// Whether the array (object) may end.
  bool accepts(FormulaId f);
  /// For the next item.
  std::vector<Choice> next_item(FormulaId f);
  /// For a member with such a key.
  std::vector<Choice> next_member(FormulaId f, const KeyClass& key);

  /// All classes that are not empty, names first; without those that a map forbids all of. Good for every formula that
  /// next_member leaves, too.
  const std::vector<KeyClass>& key_classes(FormulaId f);

  /// A number for each of key_classes(f). Classes of one number have the same next_member().
  std::vector<std::uint32_t> key_kinds(FormulaId f);
  /// Names, and whether a schema's text ranks them (KeyClass::order).
  using Names = std::map<NameId, std::uint32_t>;
  /// Classes by names and patterns; `with_others`: those of no name, too.
  std::vector<KeyClass> split_keys(const Names& names, std::vector<regex::ExprId> patterns, bool with_others);
  /// The class of one name, among `patterns`, which are ascending.
  KeyClass class_of(NameId name, std::span<const regex::ExprId> patterns);

  /// Whether some key of `open` begins with the name and is longer: where the name has been used, what it begins with
  /// may then still be written.
  bool goes_on_behind(regex::ExprId open, NameId name);
  /// The keys that match just these patterns of all; both ascending.
  regex::ExprId matching(const std::vector<regex::ExprId>& matched, const std::vector<regex::ExprId>& all);
  /// Whether some of the keys begins no other. True, too, where that takes too long to see.
  bool has_last_keys(regex::ExprId keys);
  /// Whether some member must, or may have to, break what a map says of members.
  bool may_violate_map(FormulaId f);

  /// The set of a member's value.
  SetId lookup(const PropertyMap& map, const KeyClass& key) const;
  static SetId lookup(const ItemMap& map, std::size_t index) {
    return index < map.prefix.size() ? map.prefix[index] : map.rest;
  }

  /// The formula behind an item whose value has become known, for kUnique and kNotUnique.
  FormulaId with_value(FormulaId f, SetId value);
  /// The same with a value that is not known: what any value would allow.
  FormulaId with_unknown_value(FormulaId f);
  /// Whether with_value would change something.
  bool wants_value(FormulaId f);
  /// Whether two items may have to be equal.
  bool wants_repeat(FormulaId f);
  /// Whether some may have to be equal, and others to differ.
  bool wants_both(FormulaId f);
  /// The sets that a formula asks items about. It holds for an array iff it holds for that with two values exchanged
  /// that are in the same of these sets.
  std::vector<SetId> item_sets(FormulaId f);

 private:
  using Choices = std::vector<Choice>;
  // Of one item or member. Parts that stand in several places of a formula, as a `$ref` in two alternatives does, are
  // looked into once: of n such references one behind the other there would be 2^n.
  struct Next {
    const KeyClass* key;
    std::unordered_map<std::uint32_t, Choices> known = {};  // of combinations, by formula
  };
  // A value that has become known, or has not.
  struct Seen {
    std::optional<SetId> value;
    std::unordered_map<std::uint32_t, FormulaId> known = {};
  };
  FormulaId add_value(FormulaId f, Seen& seen);
  bool find_acceptance(const Formula& node);
  Choices derive(FormulaId f, Next& next);
  Choices derive_combination(FormulaId f, Next& next);
  Choices derive_array_atom(FormulaKind kind, const std::vector<std::uint32_t>& operands, FormulaId self);
  Choices derive_object_atom(FormulaKind kind, const std::vector<std::uint32_t>& operands, FormulaId self,
                             const KeyClass& key);
  Choices derive_conjunction(const std::vector<std::uint32_t>& operands, Next& next);
  Choices product(const Choices& a, const Choices& b);
  void drop_impossible(Choices& choices, bool are_members);
  void tell_apart(Choices& choices);
  void simplify(Choices& choices);
  [[nodiscard]] const PropertyMap* closed_map(FormulaId f) const;
  bool is_empty(regex::ExprId keys);
  std::uint64_t count_keys(regex::ExprId keys);
  bool list_keys(const KeyClass& key, std::vector<KeyClass>& classes);

  /// A class of at most so many keys is listed, so that a grammar can count which of them are left.
  static constexpr std::size_t kListedKeys = 64;

  Algebra& algebra_;
  Questions ask_;
  std::unordered_map<std::uint32_t, std::vector<KeyClass>> key_classes_;
  std::map<std::pair<regex::ExprId, NameId>, bool> goes_on_;
  std::unordered_map<regex::ExprId, bool> has_last_keys_;
  std::unordered_map<regex::ExprId, std::uint64_t> key_counts_;
  std::size_t class_count_ = 0;
  std::vector<KeyClass> unfinished_;                 // what key_classes found when a limit was met
  std::unordered_map<std::uint32_t, bool> accepts_;  // of combinations
  std::unordered_map<std::uint32_t, bool> wants_value_;
  std::unordered_map<std::uint32_t, bool> wants_repeat_;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_DERIVATION_H_
