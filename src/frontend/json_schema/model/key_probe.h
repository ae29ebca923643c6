// KeyProbe: finds the keys that an object may begin with, for all key classes of a formula.
//
// WHY    A rule may offer a key only if the object can be completed after it. A separate search for each of n keys, in
//        formulas of n parts, makes objects with many properties slow.
// HOW    An object that satisfies a conjunction usually satisfies it with one more member, too. It does not if the
//        conjunction excludes the key, if no value is possible for the key, or if the maximum number of members is
//        reached. So the probe stores the objects that searches have found. It searches for a key only if none of these
//        objects shows whether the key may come.
//        In a declared order a key is refused at once if every object has a name before it. Alternatives mostly have names
//        of their own: a key is first searched for in those that mention it. With {"a": 1} or {"b": 1}, both closed, only
//        the first alternative is asked about "a", and only it is followed after "a". If several
//        searches were needed all the same, one pass over the order answers for most other names
//        (ObjectSearch::first_names).
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_KEY_PROBE_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_KEY_PROBE_H_

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/json_schema/model/algebra.h"
#include "frontend/json_schema/model/derivation.h"
#include "frontend/json_schema/model/object_search.h"
#include "frontend/json_schema/model/witness.h"

namespace weir::frontend::json_schema {

class KeyProbe {
 public:
  KeyProbe(Algebra& algebra, Witness& witness, FormulaId f);

  [[nodiscard]] FormulaId formula() const { return formula_; }

  /// Returns true if an object of the formula may begin with a key of this class. Precondition: `key` is one of the
  /// formula's classes (Derivation::key_classes).
  bool may_begin_with(const KeyClass& key);

  /// Returns the choices for a first member with such a key, without those after which the object cannot be completed.
  std::vector<Choice> choices(const KeyClass& key);

  /// Returns true if the rules exclude the key once it has been used. That is so for a listed name unless it is a
  /// proper prefix of an unlisted key that may come: then objects with and without the name share a rule, and the key
  /// guard refuses the repetition.
  bool is_crossed_out(const KeyClass& key);
  /// Returns true if that is so for all classes. Memoised, because the rules after each listed member ask for it.
  bool crosses_out_all();

  /// Returns the unlisted keys that may come.
  [[nodiscard]] regex::ExprId open() const { return open_; }
  /// Returns true if all keys may come but finitely many names.
  [[nodiscard]] bool all_may_come() const { return open_classes_.size() == unlisted_.size(); }
  /// Returns true if an object may use all unlisted keys that begin with some prefix, so that none of them is left.
  /// Also true if the search takes too long.
  bool may_run_out();

 private:
  // An object that a search has found.
  struct Known {
    Witness::ObjectAtoms atoms;           // of the conjunction that it satisfies
    std::vector<NameId> names;            // of members with a listed name, ascending
    std::vector<std::uint32_t> ranks;     // of `names` in the order of `atoms`; ascending, without 0
    std::uint32_t required = UINT32_MAX;  // the first position in the order, from 0 on, that `atoms` require
    std::vector<regex::ExprId> classes;   // KeyClass::keys of the other members
    std::uint64_t size = 0;               // the number of members
  };
  using Answer = ObjectSearch::Answer;

  // Names that a disjunct of formula_ mentions: the disjunct may be the only one that allows them.
  struct Mention {
    NameId name;
    FormulaId disjunct;
  };

  [[nodiscard]] std::uint32_t last_first_rank(FormulaId f, OrderId order);
  [[nodiscard]] std::optional<FormulaId> with_key(FormulaId f, NameId name);
  [[nodiscard]] bool is_allowed_by_a_mention(const KeyClass& key);
  [[nodiscard]] FormulaId part_about(const KeyClass& key);
  void find_mentions();
  void keep(const Witness::ObjectPlan& plan);
  [[nodiscard]] Known known_of(const Witness::ObjectPlan& plan) const;
  [[nodiscard]] Answer answer(const Known& known, const KeyClass& key);
  [[nodiscard]] std::uint32_t rank_in(const Known& known, const KeyClass& key) const;
  [[nodiscard]] std::unordered_set<NameId> open_names() const;
  [[nodiscard]] Answer answer_by_order(NameId name);

  Algebra& algebra_;
  Witness& witness_;
  FormulaId formula_;
  bool has_order_ = false;                 // formula_ has a kInOrder
  std::optional<OrderId> order_;           // that of formula_, if it is a conjunct
  std::uint32_t last_first_ = UINT32_MAX;  // last_first_rank(formula_), if order_ is known
  bool has_mentions_ = false;              // mentions_ has been filled
  bool mentions_decide_ = false;           // a disjunct that does not mention a name does not allow it as the first one
  std::vector<Mention> mentions_;          // ascending by name
  std::size_t alternatives_ = 0;           // disjuncts that mentions_ is about
  FormulaId beside_ = FormulaId::kTrue;    // what formula_ requires beside the disjunction of the mentions
  std::unordered_map<FormulaId, std::optional<Known>> objects_;  // by disjunct: an object of it and beside_, if any
  std::unordered_map<FormulaId, std::uint32_t> last_first_of_;   // memo of last_first_rank()
  std::size_t searches_ = 0;                                     // for keys
  std::vector<Answer> first_names_;                              // by position in order_; empty: not known yet
  bool has_patterns_ = false;
  std::optional<bool> crosses_out_all_;
  // formula_ is a conjunction of atoms that a search leaves as they are. For kNotObjects it chooses a way to differ from
  // each constant, for instance that a name is lacking; other objects of the formula may have it.
  bool is_conjunction_ = false;
  std::vector<Known> known_;
  regex::ExprId open_ = regex::ExprId::kNothing;
  std::vector<KeyClass> unlisted_;      // classes without a name
  std::vector<KeyClass> open_classes_;  // those of unlisted_ that may come
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_KEY_PROBE_H_
