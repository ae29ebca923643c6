#include "frontend/json_schema/model/object_search.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "base/stack.h"
#include "frontend/json_schema/model/search_bounds.h"
#include "frontend/json_schema/model/witness.h"

namespace weir::frontend::json_schema {

namespace {

// Returns true if the map allows any value of a name that it does not list.
bool is_about_names(const PropertyMap& map) { return map.other == SetId::kAny && map.patterns.empty(); }

}  // namespace

ObjectSearch::ObjectSearch(Algebra& algebra, Witness& witness)
    : algebra_(algebra), witness_(witness), tables_(witness.take_tables()) {}

ObjectSearch::~ObjectSearch() { witness_.keep_tables(std::move(tables_)); }

bool ObjectSearch::run(FormulaId f, const std::function<bool(FormulaId)>& try_one) {
  bool is_open = assume(f) || try_next_operand();
  while (is_open && !algebra_.out_of_steps()) {
    if (decide()) {
      is_open = try_next_operand();
      continue;
    }
    const FormulaId conjunction = algebra_.meet(atoms_);
    if (conjunction != FormulaId::kFalse && try_one(conjunction)) return true;
    is_open = try_next_operand();
  }
  return false;
}

std::vector<ObjectSearch::Answer> ObjectSearch::first_names(FormulaId f, const std::vector<NameId>& names) {
  std::vector<Answer> answers(names.size(), Answer::kUnknown);
  Fullest fullest;
  fullest.present.insert(names.begin(), names.end());
  bool is_open = assume(f) && exclude_impossible(fullest);
  for (std::size_t i = 0; i < names.size() && algebra_.limit_hit() == base::Limit::kNone; ++i) {
    if (is_open) update(fullest);
    if (!is_open || names_[names[i]].state.is_lacking) {
      answers[i] = Answer::kNo;
    } else if (fullest.broken == 0 && !fullest.has_other_atoms && min_ <= fullest.present.size() &&
               fullest.present.size() <= max_) {
      answers[i] = Answer::kYes;
    }
    is_open = is_open && assume(algebra_.lacks(names[i]));
  }
  // What a limit has cut short is not known.
  if (algebra_.limit_hit() != base::Limit::kNone) answers.assign(names.size(), Answer::kUnknown);
  return answers;
}

// Excludes the names that can have no value. Returns false on a contradiction.
bool ObjectSearch::exclude_impossible(Fullest& fullest) {
  fullest.present.insert(required_.begin(), required_.end());
  names_.for_each([&](NameId name, const NameEntry& entry) {
    if (!entry.mentioned_in.empty()) fullest.present.insert(name);
  });
  std::vector<NameId> names(fullest.present.begin(), fullest.present.end());
  std::ranges::sort(names);
  for (const NameId name : names) {
    if (!algebra_.step()) return false;
    if (!witness_.has_member(value_in_maps(name)) && !assume(algebra_.lacks(name))) return false;
  }
  fullest.maps = maps_.size();
  return true;
}

// Looks at the names, disjunctions, maps and atoms that have changed since the last call.
void ObjectSearch::update(Fullest& fullest) {
  for (; fullest.atoms < atoms_.size(); ++fullest.atoms) {
    switch (algebra_.formula(atoms_[fullest.atoms]).kind) {
      case FormulaKind::kHas:
      case FormulaKind::kLacks:
      case FormulaKind::kMembers:
      case FormulaKind::kMinMembers:
      case FormulaKind::kMaxMembers:
      case FormulaKind::kInOrder: break;
      default: fullest.has_other_atoms = true; break;
    }
  }
  std::vector<std::uint32_t> unsure;
  for (; fullest.changes < changes_.size(); ++fullest.changes) {
    const NameId name = changes_[fullest.changes].first;
    if (!names_[name].state.is_lacking || fullest.present.erase(name) == 0) continue;
    if (const auto at = fullest.watching.find(name); at != fullest.watching.end()) {
      unsure.insert(unsure.end(), at->second.begin(), at->second.end());
      fullest.watching.erase(at);
    }
  }
  for (; fullest.maps < maps_.size(); ++fullest.maps) {
    const PropertyMap& map = algebra_.property_map(maps_[fullest.maps]);
    algebra_.step(1 + map.names.size());
    const bool agrees =
        is_about_names(map) && std::ranges::all_of(map.names, [&](const PropertyMap::Named& named) {
          return !fullest.present.contains(named.name) || witness_.has_member(value_in_maps(named.name));
        });
    fullest.has_other_atoms = fullest.has_other_atoms || !agrees;
  }
  for (const std::uint32_t disjunction : unsure) watch(fullest, disjunction);
  while (fullest.position.size() < disjunctions_.size()) {
    fullest.position.push_back(0);
    watch(fullest, static_cast<std::uint32_t>(fullest.position.size() - 1));
  }
}

// Finds an operand that requires a name that is present, from the last such operand on.
void ObjectSearch::watch(Fullest& fullest, std::uint32_t disjunction) {
  if (disjunctions_[disjunction].is_satisfied) return;
  const std::span<const std::uint32_t> operands = algebra_.formula(disjunctions_[disjunction].f).operands;
  for (std::size_t& i = fullest.position[disjunction]; i < operands.size() && algebra_.step(); ++i) {
    const Formula operand = algebra_.formula(FormulaId{operands[i]});
    if (operand.kind != FormulaKind::kHas) continue;
    const NameId name{operand.operands[0]};
    if (!fullest.present.contains(name)) continue;
    fullest.watching[name].push_back(disjunction);
    return;
  }
  ++fullest.broken;
}

// Opens a decision on the last disjunction that is not satisfied; returns false if there is none. The last disjunctions
// are those that the latest assumption has added. Deciding them first finds a contradiction with that assumption before
// unrelated decisions are made, which would have to be undone with it.
bool ObjectSearch::decide() {
  while (open_end_ > 0 && disjunctions_[open_end_ - 1].is_satisfied) open_end_ = disjunctions_[open_end_ - 1].open_end;
  if (open_end_ == 0) return false;
  const std::size_t disjunction = open_end_ - 1;
  std::vector<std::pair<std::uint64_t, FormulaId>>& ways = tables_->by_demand;
  ways.clear();
  for (const std::uint32_t way : algebra_.formula(disjunctions_[disjunction].f).operands) {
    if (truth(FormulaId{way}) != Truth::kFalse) ways.emplace_back(demands(FormulaId{way}), FormulaId{way});
  }
  std::ranges::sort(ways);  // operands are ascending
  decisions_.push_back({disjunction, ways_.size(), ways_.size(), mark()});
  for (const auto& [demanded, way] : ways) ways_.push_back(way);
  return true;
}

// Assumes the next operand of the last decision that has one left; returns false if there is none.
bool ObjectSearch::try_next_operand() {
  while (!decisions_.empty()) {
    Decision& decision = decisions_.back();
    rewind(decision.mark);
    if (decision.next > decision.first) ++backtracks_;
    if (!algebra_.step() || (!wanted_.empty() && backtracks_ > kMaxBacktracks)) return false;
    if (decision.next == ways_.size()) {
      ways_.resize(decision.first);
      decisions_.pop_back();
      continue;
    }
    const FormulaId way = ways_[decision.next++];
    disjunctions_[decision.disjunction].is_satisfied = true;
    satisfied_.push_back(static_cast<std::uint32_t>(decision.disjunction));
    if (assume(way)) return true;
  }
  return false;
}

ObjectSearch::Mark ObjectSearch::mark() const {
  return {changes_.size(), atoms_.size(), maps_.size(), required_.size(), disjunctions_.size(), satisfied_.size(),
          open_end_,       min_,          max_};
}

void ObjectSearch::rewind(const Mark& mark) {
  forget_truths();
  for (; changes_.size() > mark.changes; changes_.pop_back())
    names_[changes_.back().first].state = changes_.back().second;
  for (; atoms_.size() > mark.atoms; atoms_.pop_back()) formulas_[atoms_.back()].is_atom = false;
  while (maps_.size() > mark.maps) remove_last_map();
  required_.resize(mark.required);
  for (; satisfied_.size() > mark.satisfied; satisfied_.pop_back()) {
    disjunctions_[satisfied_.back()].is_satisfied = false;
  }
  disjunctions_.resize(mark.disjunctions);
  open_end_ = mark.open_end;
  min_ = mark.min;
  max_ = mark.max;
}

// Adds `f` and everything that unit propagation derives from it. Returns false on a contradiction.
bool ObjectSearch::assume(FormulaId f) {
  pending_.assign(1, f);
  one_ofs_.clear();
  to_look_at_.clear();
  to_check_.clear();
  for (;;) {
    while (!pending_.empty()) {
      const FormulaId next = pending_.back();
      pending_.pop_back();
      if (!algebra_.step() || !add(next)) return false;
    }
    if (!propagate()) return false;
    if (!pending_.empty()) continue;
    // Resolved last, because atoms that are known by then may exclude that two operands hold together.
    if (one_ofs_.empty()) return true;
    const FormulaId one_of = one_ofs_.back();
    one_ofs_.pop_back();
    std::vector<FormulaId> context;
    std::ranges::copy_if(atoms_, std::back_inserter(context), [&](FormulaId atom) {
      return algebra_.formula(atom).kind != FormulaKind::kInOrder;  // see Derivation::derive_conjunction()
    });
    pending_.push_back(witness_.resolve(one_of, algebra_.meet(context)));
  }
}

bool ObjectSearch::add(FormulaId f) {
  const Formula node = algebra_.formula(f);
  switch (node.kind) {
    case FormulaKind::kFalse: return false;
    case FormulaKind::kTrue: return true;
    case FormulaKind::kAnd:
      for (const std::uint32_t operand : node.operands) pending_.push_back(FormulaId{operand});
      return true;
    case FormulaKind::kOr: add_disjunction(f); return true;
    case FormulaKind::kOneOf:
    case FormulaKind::kNotOneOf: one_ofs_.push_back(f); return true;
    case FormulaKind::kNotObjects: pending_.push_back(algebra_.spelled_out(node)); return true;
    default: break;
  }
  if (is_atom(algebra_.known_complement(f))) return false;
  if (std::exchange(formulas_[f].is_atom, true)) return true;
  forget_truths();
  atoms_.push_back(f);
  if (!add_atom(node)) return false;
  // A map of one name can only be broken by that name's value; the other conditions on the value then count at once.
  if (const auto broken = algebra_.broken_by_one_name(algebra_.formula(f))) pending_.push_back(*broken);
  return true;
}

bool ObjectSearch::add_atom(const Formula& atom) {
  const std::uint32_t operand = atom.operands[0];
  switch (atom.kind) {
    case FormulaKind::kHas: return require(NameId{operand});
    case FormulaKind::kLacks: {
      NameState& state = change(NameId{operand});
      state.is_lacking = true;
      return !state.is_required;
    }
    case FormulaKind::kInOrder: {
      const auto passed = std::span(algebra_.names_of(OrderId{operand})).first(atom.operands[1]);
      bool is_required = false;
      for (const NameId name : passed) {
        NameState& state = change(name);
        state.is_lacking = true;
        is_required = is_required || state.is_required;
      }
      return algebra_.step(passed.size()) && !is_required;
    }
    case FormulaKind::kMembers: return add_map(PropertyMapId{operand});
    case FormulaKind::kMinMembers: min_ = std::max<std::uint64_t>(min_, operand); return min_ <= max_;
    case FormulaKind::kMaxMembers:
      max_ = std::min<std::uint64_t>(max_, operand);
      return min_ <= max_ && required_.size() <= max_;
    default: return true;
  }
}

bool ObjectSearch::require(NameId name) {
  NameState& state = change(name);
  if (state.is_lacking) return false;
  if (state.is_required) return true;
  state.is_required = true;
  state.value = value_in_maps(name);
  required_.push_back(name);
  to_check_.push_back(name);
  return required_.size() <= max_;
}

SetId ObjectSearch::value_in_maps(NameId name) {
  std::vector<SetId>& sets = tables_->sets;
  sets.clear();
  for (const PropertyMapId map : wide_maps_) sets.push_back(value_in(map, name));
  if (const NameEntry* const entry = names_.find(name)) {
    for (const PropertyMapId map : entry->maps) sets.push_back(value_in(map, name));
  }
  algebra_.step(sets.size());
  return sets.size() == 1 ? sets[0] : algebra_.meet(sets);
}

void ObjectSearch::remove_last_map() {
  const PropertyMap& map = algebra_.property_map(maps_.back());
  if (is_about_names(map)) {
    for (const PropertyMap::Named& named : map.names) names_[named.name].maps.pop_back();
  } else {
    wide_maps_.pop_back();
  }
  maps_.pop_back();
}

bool ObjectSearch::add_map(PropertyMapId id) {
  maps_.push_back(id);
  const PropertyMap& map = algebra_.property_map(id);
  if (is_about_names(map)) {
    algebra_.step(map.names.size());
    for (const PropertyMap::Named& named : map.names) names_[named.name].maps.push_back(id);
  } else {
    wide_maps_.push_back(id);
  }
  const auto narrow = [&](NameId name, SetId set) {
    if (set == SetId::kAny) return;
    NameState& state = change(name);
    state.value = algebra_.meet(state.value, set);
    to_check_.push_back(name);
  };
  if (is_about_names(map) && map.names.size() < required_.size()) {
    for (const PropertyMap::Named& named : map.names) {
      const NameEntry* const entry = names_.find(named.name);
      if (entry != nullptr && entry->state.is_required) narrow(named.name, named.set);
    }
  } else {
    for (const NameId name : required_) narrow(name, value_in(id, name));
  }
  return true;
}

SetId ObjectSearch::value_in(PropertyMapId id, NameId name) {
  const PropertyMap& map = algebra_.property_map(id);
  if (map.patterns.empty()) return witness_.derivation().lookup(map, {.name = name});
  std::vector<regex::ExprId> patterns;
  for (const auto& [pattern, set] : map.patterns) patterns.push_back(pattern);
  return witness_.derivation().lookup(map, witness_.derivation().class_of(name, patterns));
}

ObjectSearch::NameState& ObjectSearch::change(NameId name) {
  NameEntry& entry = names_[name];
  changes_.emplace_back(name, entry.state);
  to_look_at_.insert(to_look_at_.end(), entry.mentioned_in.begin(), entry.mentioned_in.end());
  return entry.state;
}

bool ObjectSearch::propagate() {
  while (!to_look_at_.empty()) {
    const std::uint32_t disjunction = to_look_at_.back();
    to_look_at_.pop_back();
    if (!look_at(disjunction)) return false;
    if (!pending_.empty()) return true;
  }
  return check_values();
}

bool ObjectSearch::check_values() {
  for (; !to_check_.empty(); to_check_.pop_back()) {
    if (!witness_.has_member(names_[to_check_.back()].state.value)) return false;
  }
  return true;
}

bool ObjectSearch::look_at(std::uint32_t i) {
  if (i >= disjunctions_.size() || disjunctions_[i].is_satisfied) return true;
  std::size_t open = 0;
  FormulaId way{};
  bool is_true = false;
  const auto operands = algebra_.formula(disjunctions_[i].f).operands;
  algebra_.step(operands.size());
  for (const std::uint32_t operand : operands) {
    const Truth known = truth(FormulaId{operand});
    is_true = known == Truth::kTrue;
    if (is_true) break;
    if (known == Truth::kFalse) continue;
    way = FormulaId{operand};
    if (++open > 1) return true;
  }
  if (!is_true && open == 0) return false;
  disjunctions_[i].is_satisfied = true;
  satisfied_.push_back(i);
  if (!is_true) pending_.push_back(way);
  return true;
}

// Nested formulas are memoised: one may occur in many places, such as a schema that several alternatives refer to.
ObjectSearch::Truth ObjectSearch::truth(FormulaId f, std::uint32_t depth) {
  const FormulaKind kind = algebra_.formula(f).kind;
  if (depth < kMinKnownDepth || (kind != FormulaKind::kAnd && kind != FormulaKind::kOr)) return find_truth(f, depth);
  FormulaEntry& entry = formulas_[f];
  if (entry.at == changed_) return entry.truth;
  entry.truth = base::with_stack([&] { return find_truth(f, depth); });
  entry.at = changed_;
  return entry.truth;
}

ObjectSearch::Truth ObjectSearch::find_truth(FormulaId f, std::uint32_t depth) {
  const Formula node = algebra_.formula(f);
  const auto state_of = [&] {
    const NameEntry* const entry = names_.find(NameId{node.operands[0]});
    return entry == nullptr ? NameState{} : entry->state;
  };
  const auto by = [](bool is_true, bool is_false) {
    return is_true ? Truth::kTrue : is_false ? Truth::kFalse : Truth::kOpen;
  };
  switch (node.kind) {
    case FormulaKind::kFalse: return Truth::kFalse;
    case FormulaKind::kTrue: return Truth::kTrue;
    case FormulaKind::kHas: {
      const NameState state = state_of();
      return by(state.is_required, state.is_lacking);
    }
    case FormulaKind::kLacks: {
      const NameState state = state_of();
      return by(state.is_lacking, state.is_required);
    }
    case FormulaKind::kAnd:
    case FormulaKind::kOr: {
      // One operand with the deciding value decides; otherwise all operands must be known.
      const Truth deciding = node.kind == FormulaKind::kAnd ? Truth::kFalse : Truth::kTrue;
      bool is_open = false;
      for (const std::uint32_t operand : node.operands) {
        const Truth part = truth(FormulaId{operand}, depth + 1);
        if (part == deciding) return deciding;
        is_open = is_open || part == Truth::kOpen;
      }
      if (is_open) return Truth::kOpen;
      return deciding == Truth::kFalse ? Truth::kTrue : Truth::kFalse;
    }
    default: return by(is_atom(f), is_atom(algebra_.known_complement(f)));
  }
}

// Estimates how many members an operand adds to the object; lower is tried first. Excluding a wanted name costs more
// than any member.
std::uint64_t ObjectSearch::demands(FormulaId f) {
  if (truth(f) == Truth::kTrue) return 0;
  const Formula node = algebra_.formula(f);
  switch (node.kind) {
    case FormulaKind::kAnd: {
      std::uint64_t sum = 0;
      for (const std::uint32_t operand : node.operands) sum += demands(FormulaId{operand});
      return sum;
    }
    case FormulaKind::kHas: return wanted_.contains(NameId{node.operands[0]}) ? 0 : 2;
    case FormulaKind::kLacks: return wanted_.contains(NameId{node.operands[0]}) ? 4 : 0;
    case FormulaKind::kMinMembers: return 2;
    case FormulaKind::kNotMembers: return 3;
    case FormulaKind::kOr:
    case FormulaKind::kOneOf:
    case FormulaKind::kNotOneOf: return 1;
    default: return 0;
  }
}

void ObjectSearch::add_disjunction(FormulaId f) {
  const auto i = static_cast<std::uint32_t>(disjunctions_.size());
  disjunctions_.push_back({f, false, open_end_});
  open_end_ = disjunctions_.size();
  note_names(f, i);
  to_look_at_.push_back(i);
}

// Registers a disjunction under all names that occur in it at any depth: a change of their state may decide it.
void ObjectSearch::note_names(FormulaId f, std::uint32_t disjunction) {
  open_.assign(1, f);
  std::unordered_set<FormulaId> seen;  // combinations within operands; the operands themselves are all different
  while (!open_.empty()) {
    const FormulaId whole = open_.back();
    open_.pop_back();
    for (const std::uint32_t operand : algebra_.formula(whole).operands) {
      const Formula node = algebra_.formula(FormulaId{operand});
      if (node.kind == FormulaKind::kAnd || node.kind == FormulaKind::kOr) {
        if (whole == f || seen.insert(FormulaId{operand}).second) open_.push_back(FormulaId{operand});
      } else if (node.kind == FormulaKind::kHas || node.kind == FormulaKind::kLacks) {
        std::vector<std::uint32_t>& mentions = names_[NameId{node.operands[0]}].mentioned_in;
        if (mentions.empty() || mentions.back() != disjunction) mentions.push_back(disjunction);
      }
    }
  }
}

}  // namespace weir::frontend::json_schema
