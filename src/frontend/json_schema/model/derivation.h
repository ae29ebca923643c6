// Derivation: the derivative of a formula (algebra.h) by one item or member.
//
// WHAT   For a formula about arrays, Derivation returns the *choices* for the next item; for a formula about objects
//        and a key, the choices for a member with that key. A choice is a set for the value and a formula for the rest
//        of the array or object. A value v followed by a rest r satisfies the formula iff for some choice v is in its
//        set and r satisfies its formula.
// WHY    This is Brzozowski's derivative for arrays and objects instead of strings. Formulas are the states of an
//        automaton over items and members that is built as a text reaches them. Members may come in any order at no
//        extra cost.
// HOW    An atom has at most two choices: the value fulfils it, or it is left to the rest. They need not be disjoint,
//        since an atom that the value has fulfilled demands no more of the rest than one that it has not. The choices
//        of a disjunction are the union of those of its operands; those of a conjunction are their product. Choices
//        with the same set, or the same rest, are merged at once. So operands that do not constrain this member stay
//        one formula, and `anyOf` is not multiplied out earlier than necessary. In products of many factors, such as
//        a list of `if ... then ...` about one member, impossible choices are dropped and choices between scalars are
//        made disjoint. Their number is then that of different outcomes, not of combinations.
// KEYS   A KeyClass is a set of keys that the formula does not distinguish: each name that it lists is a class of its
//        own, and all other keys are split by the patterns that they match.
// LIMITS schema_steps.
// THREADS Same as Algebra.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_DERIVATION_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_DERIVATION_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/interner.h"
#include "base/node_bytes.h"
#include "frontend/json_schema/model/algebra.h"

namespace weir::frontend::json_schema {

struct Choice {
  SetId value = SetId::kNone;
  FormulaId rest = FormulaId::kFalse;
  friend bool operator==(const Choice&, const Choice&) = default;
};

/// Keys that a formula does not distinguish: one name, or a language of keys that the formula does not list.
struct KeyClass {
  std::optional<NameId> name = {};               ///< The only key of the class, if present.
  regex::ExprId keys = regex::ExprId::kNothing;  ///< The keys, decoded, if there is no `name`.
  std::vector<regex::ExprId> patterns = {};      ///< The patterns of the formula that match the keys; ascending.
};

class Derivation {
 public:
  /// Callbacks, which Witness implements.
  struct Questions {
    /// Returns a formula without kOneOf and kNotOneOf that is equivalent to `f` wherever `context` holds.
    std::function<FormulaId(FormulaId f, FormulaId context)> resolve;
    /// These return false only if it is certain that there is no member (object).
    std::function<bool(SetId)> may_have_member;
    std::function<bool(FormulaId)> may_have_object;
  };
  Derivation(Algebra& algebra, Questions questions) : algebra_(algebra), ask_(std::move(questions)) {}

  /// Returns the approximate memory in use. O(1).
  [[nodiscard]] std::size_t memory_bytes() const {
    return class_count_ * sizeof(KeyClass) + base::node_bytes(goes_on_) + base::node_bytes(accepts_) +
           base::node_bytes(wants_value_) + base::node_bytes(wants_repeat_) + base::node_bytes(key_classes_) +
           base::node_bytes(text_counts_);
  }

  /// Returns Questions::resolve() of a formula in any context.
  [[nodiscard]] FormulaId resolved(FormulaId f) const { return ask_.resolve(f, FormulaId::kTrue); }

  /// Returns true if the empty array (object) satisfies `f`: the text may end the array (object) here.
  bool accepts(FormulaId f);
  /// Returns the choices for the next item. Precondition: `f` is about arrays.
  std::vector<Choice> next_item(FormulaId f);
  /// Returns the choices for a member with a key of this class. Precondition: `f` is about objects.
  std::vector<Choice> next_member(FormulaId f, const KeyClass& key);

  /// Returns all classes that are not empty, names first. If a conjunct of `f` is a map that allows listed names only,
  /// the names that it allows. The classes are also valid for every rest that next_member returns.
  using KeyClasses = std::shared_ptr<const std::vector<KeyClass>>;
  KeyClasses key_classes(FormulaId f);

  /// Returns a number for each of `classes`, which are those of key_classes(f). Classes with the same number have the same
  /// next_member().
  std::vector<std::uint32_t> key_kinds(FormulaId f, const std::vector<KeyClass>& classes);
  /// Returns a class for each name and, if `with_others`, the classes of all other keys, split by `patterns`. Names and
  /// patterns are ascending and different.
  std::vector<KeyClass> split_keys(const std::vector<NameId>& names, const std::vector<regex::ExprId>& patterns,
                                   bool with_others);
  /// Returns the class of one name, with those of `patterns` that match it. Precondition: `patterns` are ascending.
  KeyClass class_of(NameId name, std::span<const regex::ExprId> patterns);

  /// Returns the number of the texts in a language that are UTF-8, at most kMaxCountedKeys; 0, which means unknown, if
  /// their length is not bounded. Fewer if a limit was met. Cost: a step for each length and residual.
  std::uint64_t count_keys(regex::ExprId keys);
  /// Returns the number of texts in a language, at most kMaxCountedKeys; 0 if it has more than kMaxCountedResiduals
  /// residuals, or if a limit was met. Cost: a step for each residual that no call has counted before.
  std::uint64_t count_texts(regex::ExprId texts);
  /// Returns true if `name` is a proper prefix of some key in `open`. The name must then stay readable after it has
  /// been used, as the beginning of a longer key.
  bool is_prefix_of_other(regex::ExprId open, NameId name);
  /// Returns the keys that match all patterns in `matched` and no other pattern in `all`. Precondition: both ascending.
  regex::ExprId matching(const std::vector<regex::ExprId>& matched, const std::vector<regex::ExprId>& all);
  /// Returns true if some character may be added at the end of any text without changing which of the patterns match.
  /// Then each key is a proper prefix of another one that the same patterns match. May return false although it is so.
  bool allow_longer_keys(std::span<const regex::ExprId> patterns);
  /// Returns true if some of the keys is not a proper prefix of another one. Also true if the search takes too long.
  bool has_last_keys(regex::ExprId keys);
  /// Returns true if `f` may require a member whose value is outside the set that some map has for it (kNotMembers).
  bool may_violate_map(FormulaId f);

  /// Returns a map that is a conjunct of the formula and allows listed names only; null if there is none.
  [[nodiscard]] const PropertyMap* closed_map(FormulaId f) const;

  /// Returns the set that the map has for the value of a member (item).
  SetId lookup(const PropertyMap& map, const KeyClass& key) const;
  static SetId lookup(const SharedItemMap& map, std::size_t index) {
    return index < map.prefix.size() ? map.prefix[index] : map.rest;
  }

  /// next_item() does not know the value of the item, only its set; kUnique and kNotUnique need the value. Returns the
  /// rest `f` of a choice, with `value` added to the values that later items are compared with.
  FormulaId with_value(FormulaId f, SetId value);
  /// The same for an unknown value: the result holds for a rest if it does for some value.
  FormulaId with_unknown_value(FormulaId f);
  /// Returns true if with_value(f, ...) differs from `f`: the formula has kUnique or kNotUnique.
  bool wants_value(FormulaId f);
  /// Returns true if the formula has kNotUnique: two items may have to be equal.
  bool wants_repeat(FormulaId f);
  /// Returns true if the formula has both kUnique and kNotUnique.
  bool wants_both(FormulaId f);
  /// Returns the sets in the formula's atoms about items. If two values are in the same of these sets, the formula does
  /// not distinguish them: exchanging them in an array does not change whether it holds.
  std::vector<SetId> item_sets(FormulaId f);

 private:
  using Choices = std::vector<Choice>;
  // The state of one derivation by an item or member. Combinations are memoised, because one may occur in a formula
  // many times: a chain of n schemas that each refer to the next one in two alternatives has 2^n paths.
  struct Next {
    const KeyClass* key;                                    // null: an item
    std::unordered_map<std::uint32_t, Choices> known = {};  // of combinations, by formula
  };
  // The state of with_value() or, without a value, of with_unknown_value().
  struct Seen {
    std::optional<SetId> value;
    std::unordered_map<std::uint32_t, FormulaId> known = {};
  };
  FormulaId add_value(FormulaId f, Seen& seen);
  bool find_acceptance(const Formula& node);
  Choices derive(FormulaId f, Next& next);
  Choices derive_combination(FormulaId f, Next& next);
  Choices derive_one_of(FormulaId f, FormulaId context, Next& next);
  Choices derive_array_atom(FormulaKind kind, const std::vector<std::uint32_t>& operands, FormulaId self);
  Choices derive_object_atom(FormulaKind kind, const std::vector<std::uint32_t>& operands, FormulaId self,
                             const KeyClass& key);
  Choices derive_constants(const ConstantSets::After& after);
  Choices derive_conjunction(const std::vector<std::uint32_t>& operands, Next& next);
  Choices product(const Choices& a, const Choices& b);
  void split_by_name(std::vector<Choices>& factors);
  void drop_impossible(Choices& choices, bool are_members);
  SetId evaluated(SetId set);
  void make_disjoint(Choices& choices);
  void simplify(Choices& choices);
  // The keys that match these patterns of a list and no other pattern of it, whatever names a formula lists. Each name
  // that a text has used changes the names, but not the patterns.
  struct PatternClass {
    regex::ExprId keys;
    std::vector<regex::ExprId> patterns;             // ascending
    std::uint64_t count = 0;                         // of the keys; 0: unknown, or no bound on their length
    std::optional<std::vector<NameId>> listed = {};  // the keys, if there are at most kMaxListedKeys
  };
  // Returns the classes that are not empty. Precondition: `patterns` are ascending.
  const std::vector<PatternClass>& split_by_patterns(const std::vector<regex::ExprId>& patterns);
  bool is_empty(regex::ExprId keys);
  const regex::ByteSet& neutral_characters(regex::ExprId pattern);
  std::optional<std::vector<NameId>> list_keys(regex::ExprId keys);

  Algebra& algebra_;
  Questions ask_;
  std::unordered_map<std::uint32_t, KeyClasses> key_classes_;
  std::map<std::pair<regex::ExprId, NameId>, bool> goes_on_;
  std::unordered_map<regex::ExprId, bool> has_last_keys_;
  std::unordered_map<regex::ExprId, std::uint64_t> text_counts_;  // results of count_texts()
  std::unordered_map<regex::ExprId, regex::ByteSet> neutral_characters_;
  std::map<std::vector<regex::ExprId>, std::vector<PatternClass>> pattern_classes_;
  // Results of key_classes(), which many formulas of one object have in common. The key is what they are made from: the
  // number of names, the names, whether there are others, the patterns.
  base::WordInterner class_sources_;
  std::vector<KeyClasses> classes_by_source_;
  std::size_t class_count_ = 0;
  // Buffers of key_classes(), which split_keys() must not call.
  std::vector<NameId> key_names_;
  std::vector<regex::ExprId> key_patterns_;
  std::vector<std::uint32_t> key_words_;
  std::vector<PatternClass> unfinished_parts_;       // result of split_by_patterns() if a limit was met
  std::unordered_map<std::uint32_t, bool> accepts_;  // of combinations
  std::unordered_map<std::uint32_t, bool> wants_value_;
  std::unordered_map<std::uint32_t, bool> wants_repeat_;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_DERIVATION_H_
