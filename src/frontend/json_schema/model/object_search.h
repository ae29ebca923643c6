// ObjectSearch: the disjunctive form of a formula about objects, conjunction by conjunction, as far as it is asked for.
//
// WHAT   Gives conjunctions of atoms that each imply the formula, until one is taken; every object that satisfies the
//        formula satisfies one of them.
// WHY    A list of `if ... then ...`, or of alternatives that each require names, has exponentially many conjunctions.
//        Nearly all of them contradict themselves, and a choice made early shows in what is left of later ones.
// HOW    As satisfiability solvers do it: what is known of names (required, lacking, the set of the value) decides
//        parts of the disjunctions that are open; one with a single way left is no choice. Otherwise the way that asks
//        for least is tried first, and taken back when it leads nowhere. A required name whose value's set is empty is
//        such an end.
// COST   Without choices to take back: linear in the formula. Satisfiability in general.
// LIMITS schema_steps.
// REFERENCES  Davis, Logemann, Loveland, "A machine program for theorem-proving", 1962.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_OBJECT_SEARCH_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_OBJECT_SEARCH_H_

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "frontend/json_schema/model/algebra.h"

namespace weir::frontend::json_schema {

class Witness;

class ObjectSearch {
 public:
  ObjectSearch(Algebra& algebra, Witness& witness) : algebra_(algebra), witness_(witness) {}

  /// Before run(): names that objects should leave room for. Of ways, those that exclude them come last; and where the
  /// search has to take back more than a few, it ends with nothing found.
  void want(std::unordered_set<NameId> names) { wanted_ = std::move(names); }

  /// Whether `try_one` returned true for some conjunction; to be called once. False, too, when a limit was met.
  bool run(FormulaId f, const std::function<bool(FormulaId)>& try_one);

 private:
  enum class Truth : std::uint8_t { kFalse, kTrue, kOpen };
  struct NameState {
    bool is_required = false;
    bool is_lacking = false;
    SetId value = SetId::kAny;  // of a required name, by the maps so far
  };
  struct Disjunction {
    FormulaId f{};
    bool is_satisfied = false;
    std::size_t open_end = 0;  // all from there to this one were satisfied before
  };
  // How long everything was when a way was taken.
  struct Mark {
    std::size_t changes = 0;
    std::size_t atoms = 0;
    std::size_t maps = 0;
    std::size_t required = 0;
    std::size_t disjunctions = 0;
    std::size_t satisfied = 0;
    std::size_t open_end = 0;
    std::uint64_t min = 0;
    std::uint64_t max = UINT64_MAX;
  };
  struct Decision {
    std::size_t disjunction = 0;
    std::vector<FormulaId> ways;
    std::size_t next = 0;
    Mark mark;
  };

  // These return false on a contradiction.
  bool assume(FormulaId f);
  bool add(FormulaId f);
  bool add_atom(const Formula& atom);
  bool require(NameId name);
  bool add_map(PropertyMapId map);
  bool propagate();
  bool look_at(std::uint32_t disjunction);
  bool check_values();

  void add_disjunction(FormulaId f);
  void note_names(FormulaId f, std::uint32_t disjunction);
  [[nodiscard]] Truth truth(FormulaId f, std::uint32_t depth = 0);
  [[nodiscard]] Truth find_truth(FormulaId f, std::uint32_t depth);
  [[nodiscard]] std::uint64_t demands(FormulaId f);
  [[nodiscard]] SetId value_in(PropertyMapId map, NameId name);
  NameState& change(NameId name);
  void forget_truths() { ++changed_; }
  [[nodiscard]] Mark mark() const;
  void rewind(const Mark& mark);
  bool decide();
  bool take_next_way();

  Algebra& algebra_;
  Witness& witness_;
  std::unordered_map<NameId, NameState> names_;
  std::vector<std::pair<NameId, NameState>> changes_;  // what names_ was
  std::vector<FormulaId> atoms_;
  std::unordered_set<FormulaId> is_atom_;
  std::vector<PropertyMapId> maps_;
  std::vector<NameId> required_;
  std::vector<Disjunction> disjunctions_;
  std::vector<std::uint32_t> satisfied_;
  std::unordered_map<NameId, std::vector<std::uint32_t>> mentioned_in_;  // disjunctions, perhaps taken back
  std::size_t open_end_ = 0;                                             // all from here on are satisfied
  std::uint64_t min_ = 0;
  std::uint64_t max_ = UINT64_MAX;
  // Work in progress.
  std::vector<FormulaId> pending_;
  std::vector<FormulaId> one_ofs_;
  std::vector<std::uint32_t> to_look_at_;
  std::vector<NameId> to_check_;
  std::vector<Decision> decisions_;
  // Of parts that lie deep; good while nothing has changed since.
  std::unordered_map<std::uint32_t, std::pair<std::uint64_t, Truth>> truths_;
  std::uint64_t changed_ = 0;
  std::unordered_set<NameId> wanted_;
  std::size_t taken_back_ = 0;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_OBJECT_SEARCH_H_
