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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "frontend/json_schema/model/algebra.h"
#include "frontend/json_schema/model/search_bounds.h"

namespace weir::frontend::json_schema {

class Witness;

/// A table from ids to entries that keeps its memory when it is cleared.
template <typename Id, typename Entry>
class ReusedTable {
 public:
  /// Returns the entry of an id, which is new if it has none. Entries stay where they are.
  Entry& operator[](Id id) {
    std::size_t slot = slot_of(id);
    if (slots_[slot] == 0) {
      if (4 * (used_ + 1) > 3 * slots_.size()) {
        grow();
        slot = slot_of(id);
      }
      if (used_ == entries_.size()) entries_.emplace_back();
      entries_[used_].first = id;
      slots_[slot] = static_cast<std::uint32_t>(++used_);
    }
    return entries_[slots_[slot] - 1].second;
  }
  /// Returns the entry of an id; null if it has none.
  [[nodiscard]] const Entry* find(Id id) const {
    const std::uint32_t entry = slots_[slot_of(id)];
    return entry == 0 ? nullptr : &entries_[entry - 1].second;
  }
  template <typename Use>
  void for_each(const Use& use) const {
    for (std::size_t i = 0; i < used_; ++i) use(entries_[i].first, entries_[i].second);
  }
  void clear() {
    for (; used_ > 0; --used_) entries_[used_ - 1].second.clear();
    std::ranges::fill(slots_, 0);
  }
  [[nodiscard]] std::size_t capacity() const { return entries_.size(); }

 private:
  static constexpr std::size_t kFewestSlots = 16;

  [[nodiscard]] std::size_t slot_of(Id id) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = base::hash_mix(0, static_cast<std::uint32_t>(id)) >> 16U & mask;
    while (slots_[slot] != 0 && entries_[slots_[slot] - 1].first != id) slot = (slot + 1) & mask;
    return slot;
  }
  void grow() {
    std::ranges::fill(slots_, 0);
    slots_.resize(2 * slots_.size());
    for (std::size_t i = 0; i < used_; ++i) slots_[slot_of(entries_[i].first)] = static_cast<std::uint32_t>(i + 1);
  }

  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(kFewestSlots);  // 0: free; else an entry's index + 1
  std::deque<std::pair<Id, Entry>> entries_;
  std::size_t used_ = 0;
};

class ObjectSearch {
 public:
  ObjectSearch(Algebra& algebra, Witness& witness);
  ~ObjectSearch();
  ObjectSearch(const ObjectSearch&) = delete;
  ObjectSearch& operator=(const ObjectSearch&) = delete;

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
    std::size_t first = 0;  // of ways_: the operands to try, in this order, are those from here on
    std::size_t next = 0;   // of ways_: the next one to try
    Mark mark;
  };
  struct NameEntry {
    NameState state;
    std::vector<PropertyMapId> maps;          // those of maps_ that are about listed names only, and list this one
    std::vector<std::uint32_t> mentioned_in;  // disjunctions; some may have been rewound
    void clear() {
      state = {};
      maps.clear();
      mentioned_in.clear();
    }
  };
  // A formula is an atom that holds; of nested formulas truth() is memoised, valid while changed_ is `at`.
  struct FormulaEntry {
    bool is_atom = false;
    Truth truth = Truth::kOpen;
    std::uint64_t at = 0;
    void clear() { *this = {}; }
  };

 public:
  /// The containers of a search. A Witness keeps them for later ones, because a new mask makes hundreds of searches, most
  /// of them short.
  struct Tables {
    ReusedTable<NameId, NameEntry> names;
    ReusedTable<FormulaId, FormulaEntry> formulas;
    std::vector<std::pair<NameId, NameState>> changes;
    std::vector<FormulaId> atoms, pending, open, one_ofs, ways;
    std::vector<PropertyMapId> maps, wide_maps;
    std::vector<NameId> required, to_check;
    std::vector<Disjunction> disjunctions;
    std::vector<std::uint32_t> satisfied, to_look_at;
    std::vector<Decision> decisions;
    std::vector<SetId> sets;
    std::vector<std::pair<std::uint64_t, FormulaId>> by_demand;

    void clear() {
      names.clear();
      formulas.clear();
      const auto clear_all = [](auto&... lists) { (lists.clear(), ...); };
      clear_all(changes, atoms, pending, open, one_ofs, ways, maps, wide_maps, required, to_check, disjunctions,
                satisfied, to_look_at, decisions, sets, by_demand);
    }
    /// Returns true if they are worth keeping: those of a large search take long to clear.
    [[nodiscard]] bool are_small() const {
      return names.capacity() <= kMaxKeptEntries && formulas.capacity() <= kMaxKeptEntries;
    }
  };

 private:
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
  [[nodiscard]] bool is_atom(FormulaId f) const {
    const FormulaEntry* const entry = formulas_.find(f);
    return entry != nullptr && entry->is_atom;
  }
  void forget_truths() { ++changed_; }
  [[nodiscard]] Mark mark() const;
  void rewind(const Mark& mark);
  bool decide();
  bool try_next_operand();

  Algebra& algebra_;
  Witness& witness_;
  std::unique_ptr<Tables> tables_;
  ReusedTable<NameId, NameEntry>& names_ = tables_->names;
  ReusedTable<FormulaId, FormulaEntry>& formulas_ = tables_->formulas;
  std::vector<std::pair<NameId, NameState>>& changes_ = tables_->changes;  // old states in names_, for rewind()
  std::vector<FormulaId>& atoms_ = tables_->atoms;
  std::vector<PropertyMapId>& maps_ = tables_->maps;
  std::vector<PropertyMapId>& wide_maps_ = tables_->wide_maps;  // those of maps_ that are not in names_
  std::vector<NameId>& required_ = tables_->required;
  std::vector<Disjunction>& disjunctions_ = tables_->disjunctions;
  std::vector<std::uint32_t>& satisfied_ = tables_->satisfied;
  std::size_t open_end_ = 0;  // all disjunctions from this index on are satisfied
  std::uint64_t min_ = 0;
  std::uint64_t max_ = UINT64_MAX;
  // Work lists of assume(), and the stack of decisions.
  std::vector<FormulaId>& pending_ = tables_->pending;
  std::vector<FormulaId>& open_ = tables_->open;  // scratch of note_names()
  std::vector<FormulaId>& one_ofs_ = tables_->one_ofs;
  std::vector<std::uint32_t>& to_look_at_ = tables_->to_look_at;
  std::vector<NameId>& to_check_ = tables_->to_check;
  std::vector<Decision>& decisions_ = tables_->decisions;
  std::vector<FormulaId>& ways_ = tables_->ways;
  std::uint64_t changed_ = 1;  // see FormulaEntry
  std::unordered_set<NameId> wanted_;
  std::size_t backtracks_ = 0;  // the number of backtracks
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_OBJECT_SEARCH_H_
