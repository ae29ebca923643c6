// ObjectSearch: enumerates the disjunctive normal form of a formula about objects, one conjunction at a time.
//
// WHAT   Passes conjunctions of atoms to a callback until it accepts one. Each conjunction implies the formula, and
//        every object that satisfies the formula satisfies one of the conjunctions.
// WHY    A list of `if ... then ...`, or of alternatives that each require names, has exponentially many conjunctions.
//        Nearly all of them are contradictory, and an early choice often decides later ones.
// HOW    As in the DPLL procedure of satisfiability solvers. What is known of each name (required, excluded, the set of
//        its value) makes operands of the open disjunctions true or false. If only one operand of a disjunction can
//        still hold, it is assumed (unit propagation). Otherwise the search tries the operand with the fewest demands
//        first, and backtracks on a contradiction, such as a required name whose value's set is empty.
// COST   Linear in the formula without backtracking; exponential in the worst case.
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

  /// Sets the names that the object found should not exclude. Operands that exclude them are tried last, and the search
  /// gives up after a few backtracks. Call it before run().
  void want(std::unordered_set<NameId> names) { wanted_ = std::move(names); }

  /// Runs the search; returns true if `try_one` returned true for some conjunction. Also false if a limit was met. Call
  /// it once.
  bool run(FormulaId f, const std::function<bool(FormulaId)>& try_one);

  enum class Answer : std::uint8_t { kYes, kNo, kUnknown };
  /// For objects of `f` with members in an order of which `names` are left: returns for each name whether an object may
  /// have it as the first of these names. Excludes one name after the other and looks only at what that changes, so all
  /// answers together cost about as much as one search. kYes if the object with all names that are not excluded
  /// satisfies `f`, as under a list of names that require others. Call it instead of run(), once.
  std::vector<Answer> first_names(FormulaId f, const std::vector<NameId>& names);

 private:
  enum class Truth : std::uint8_t { kFalse, kTrue, kOpen };
  struct NameState {
    bool is_required = false;
    bool is_lacking = false;
    SetId value = SetId::kAny;  // for a required name: the set of its value by the maps in maps_
  };
  struct Disjunction {
    FormulaId f{};
    bool is_satisfied = false;
    std::size_t open_end = 0;  // from this index to this disjunction, all were satisfied when it was added
  };
  // The sizes of all containers, and the bounds, when a decision was opened; rewind() restores them.
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
    std::vector<FormulaId> ways;  // operands to try, in this order
    std::size_t next = 0;         // index of the next one in `ways`
    Mark mark;
  };

  // These return false on a contradiction.
  bool assume(FormulaId f);
  bool add(FormulaId f);
  bool add_atom(const Formula& atom);
  bool require(NameId name);
  bool add_map(PropertyMapId map);
  void remove_last_map();
  [[nodiscard]] SetId value_in_maps(NameId name);
  bool propagate();
  bool look_at(std::uint32_t disjunction);
  bool check_values();

  // What first_names() knows of the object with all names that are not excluded.
  struct Fullest {
    std::unordered_map<NameId, std::vector<std::uint32_t>> watching;  // disjunctions that hold because of the name
    std::vector<std::size_t> position;   // by disjunction: the operands before this one do not hold
    std::unordered_set<NameId> present;  // all names that are not excluded
    std::size_t changes = 0;             // of changes_: those that have been looked at
    std::size_t broken = 0;              // disjunctions that it does not satisfy
    std::size_t maps = 0;                // of maps_: those that `present` agrees with
    std::size_t atoms = 0;               // of atoms_: those that have been looked at
    bool has_other_atoms = false;
  };
  bool exclude_impossible(Fullest& fullest);
  void update(Fullest& fullest);
  void watch(Fullest& fullest, std::uint32_t disjunction);

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
  bool try_next_operand();

  Algebra& algebra_;
  Witness& witness_;
  std::unordered_map<NameId, NameState> names_;
  std::vector<std::pair<NameId, NameState>> changes_;  // old values in names_, for rewind()
  std::vector<FormulaId> atoms_;
  std::unordered_set<FormulaId> is_atom_;
  std::vector<PropertyMapId> maps_;
  // Those of maps_ that are about listed names only, by name, and the others: a name asks few of many maps.
  std::unordered_map<NameId, std::vector<PropertyMapId>> maps_of_name_;
  std::vector<PropertyMapId> wide_maps_;
  std::vector<NameId> required_;
  std::vector<Disjunction> disjunctions_;
  std::vector<std::uint32_t> satisfied_;
  std::unordered_map<NameId, std::vector<std::uint32_t>> mentioned_in_;  // disjunctions; some may have been rewound
  std::size_t open_end_ = 0;  // all disjunctions from this index on are satisfied
  std::uint64_t min_ = 0;
  std::uint64_t max_ = UINT64_MAX;
  // Work lists of assume(), and the stack of decisions.
  std::vector<FormulaId> pending_;
  std::vector<FormulaId> open_;  // scratch of note_names()
  std::vector<FormulaId> one_ofs_;
  std::vector<std::uint32_t> to_look_at_;
  std::vector<NameId> to_check_;
  std::vector<Decision> decisions_;
  // Memoised truth() of nested formulas, each valid while changed_ has the value stored with it.
  std::unordered_map<std::uint32_t, std::pair<std::uint64_t, Truth>> truths_;
  std::uint64_t changed_ = 0;
  std::unordered_set<NameId> wanted_;
  std::size_t backtracks_ = 0;  // the number of backtracks
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_OBJECT_SEARCH_H_
