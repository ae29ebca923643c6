#include "frontend/json_schema/model/key_probe.h"

#include <algorithm>
#include <utility>

#include "base/stack.h"
#include "frontend/json_schema/model/formula_walk.h"
#include "frontend/json_schema/model/search_bounds.h"

namespace weir::frontend::json_schema {

KeyProbe::KeyProbe(Algebra& algebra, Witness& witness, FormulaId f)
    : algebra_(algebra), witness_(witness), formula_(f), order_(witness.object_atoms(f).order) {
  const Derivation::KeyClasses classes = witness_.derivation().key_classes(f);
  algebra_.step(classes->size());
  for (const KeyClass& key : *classes) {
    has_patterns_ = has_patterns_ || !key.patterns.empty();
    if (!key.name.has_value()) unlisted_.push_back(key);
  }
  for_each_atom(algebra_, f,
                [&](const Formula& atom) { has_order_ = has_order_ || atom.kind == FormulaKind::kInOrder; });
  if (order_.has_value()) last_first_ = last_first_rank(f, *order_);
  const Witness::ObjectPlan* plan = witness_.object_plan(f);
  if (plan == nullptr) return;
  keep(*plan);
  // kNotObjects is one atom, but the search for further objects makes alternatives of it.
  is_conjunction_ = plan->conjunction == f && !known_.front().atoms.has_constants;
  std::vector<regex::ExprId> open;
  for (const KeyClass& key : unlisted_) {
    if (!may_begin_with(key)) continue;
    open.push_back(key.keys);
    open_classes_.push_back(key);
  }
  open_ = algebra_.exprs().alternation(open);
}

// The languages of the classes here still contain listed names. That does not change the answer: if every key is a
// proper prefix of another one, it is one of infinitely many, and the listed names are finitely many.
bool KeyProbe::may_run_out() {
  if (all_may_come()) return false;
  std::vector<regex::ExprId> patterns;
  for (const KeyClass& key : unlisted_) patterns.insert(patterns.end(), key.patterns.begin(), key.patterns.end());
  std::sort(patterns.begin(), patterns.end());
  patterns.erase(std::unique(patterns.begin(), patterns.end()), patterns.end());
  if (witness_.derivation().allow_longer_keys(patterns)) return false;
  std::vector<regex::ExprId> open;
  for (const KeyClass& key : open_classes_) open.push_back(witness_.derivation().matching(key.patterns, patterns));
  return witness_.derivation().has_last_keys(algebra_.exprs().alternation(open));
}

bool KeyProbe::is_crossed_out(const KeyClass& key) {
  if (!key.name.has_value()) return false;
  if (order_.has_value() && algebra_.rank(*order_, *key.name) != 0) return true;
  if (open_ == regex::ExprId::kNothing) return true;
  return has_patterns_ && !witness_.derivation().is_prefix_of_other(open_, *key.name);
}

bool KeyProbe::crosses_out_all() {
  if (!crosses_out_all_) {
    const Derivation::KeyClasses classes = witness_.derivation().key_classes(formula_);
    crosses_out_all_ = std::ranges::all_of(*classes, [&](const KeyClass& key) { return is_crossed_out(key); });
  }
  return *crosses_out_all_;
}

void KeyProbe::keep(const Witness::ObjectPlan& plan) {
  if (known_.size() < kMaxKnownObjects) known_.push_back(known_of(plan));
}

KeyProbe::Known KeyProbe::known_of(const Witness::ObjectPlan& plan) const {
  Known known;
  known.atoms = witness_.object_atoms(plan.conjunction);
  known.size = plan.size();
  const std::optional<OrderId> order = known.atoms.order;
  const auto rank = [&](NameId name) { return order.has_value() ? algebra_.rank(*order, name) : 0; };
  for (const Witness::Member& member : plan.members) {
    if (!member.key.name.has_value()) {
      known.classes.push_back(member.key.keys);
      continue;
    }
    known.names.push_back(*member.key.name);
    if (const std::uint32_t found = rank(*member.key.name); found != 0) known.ranks.push_back(found);
  }
  for (const NameId name : known.atoms.names) known.required = std::min(known.required, rank(name) - 1);
  std::ranges::sort(known.names);
  std::ranges::sort(known.ranks);
  return known;
}

// Returns the rank of the key in the order of the object; UINT32_MAX if it comes after all names of the order, or if
// there is no order.
std::uint32_t KeyProbe::rank_in(const Known& known, const KeyClass& key) const {
  if (!known.atoms.order.has_value() || !key.name.has_value()) return UINT32_MAX;
  return algebra_.rank(*known.atoms.order, *key.name) - 1;
}

KeyProbe::Answer KeyProbe::answer(const Known& known, const KeyClass& key) {
  if (!algebra_.step()) return Answer::kUnknown;
  // If the formula is this conjunction, a key that it excludes cannot come. Else another conjunction may allow the key.
  const Answer no = is_conjunction_ ? Answer::kNo : Answer::kUnknown;
  const bool has_it = key.name.has_value()
                          ? std::ranges::binary_search(known.names, *key.name)
                          : std::find(known.classes.begin(), known.classes.end(), key.keys) != known.classes.end();
  // In an order, the names of the object that come before the key cannot come after it.
  const std::uint32_t rank = rank_in(known, key);
  if (rank > known.required) return no;
  const bool is_in_order = known.ranks.empty() || rank <= known.ranks.front() - 1;
  if (!is_in_order) return Answer::kUnknown;
  if (has_it) return Answer::kYes;
  if (known.atoms.has_constants) return Answer::kUnknown;  // with one more member it may be an excluded constant
  const auto& lacking = known.atoms.lacking;
  if (key.name.has_value() && std::binary_search(lacking.begin(), lacking.end(), *key.name)) return no;
  if (!witness_.has_member(witness_.value_of(known.atoms, key))) return no;
  return known.size < known.atoms.max ? Answer::kYes : Answer::kUnknown;
}

bool KeyProbe::may_begin_with(const KeyClass& key) {
  const std::uint32_t rank = order_.has_value() && key.name.has_value() ? algebra_.rank(*order_, *key.name) : 0;
  if (rank - 1 > last_first_) return false;
  for (const Known& known : known_) {
    const Answer found = answer(known, key);
    if (found != Answer::kUnknown) return found == Answer::kYes;
  }
  if (!has_mentions_) find_mentions();
  if (key.name.has_value() && is_allowed_by_a_mention(key)) return true;
  if (mentions_decide_) return false;
  if (!key.name.has_value()) return !choices(key).empty();
  if (rank != 0 && ++searches_ > kMaxKnownObjects) {
    if (const Answer found = answer_by_order(*key.name); found != Answer::kUnknown) return found == Answer::kYes;
  }
  if (const std::optional<FormulaId> with_key = this->with_key(formula_, *key.name)) {
    // Beside constants, a search for an object with many keys would look at each of them.
    if (!known_.empty() && known_.front().atoms.has_constants && witness_.object_exists(*with_key)) return true;
    // Prefer an object that the remaining keys can be added to, so that it answers for them as well.
    if (const auto plan = witness_.plan_within_fuel(*with_key, open_names())) {
      keep(*plan);
      return true;
    }
    const Witness::ObjectPlan* plan = witness_.object_plan(*with_key);
    if (plan != nullptr) keep(*plan);
    return plan != nullptr;
  }
  return !choices(key).empty();
}

// Precondition: the name is in order_.
KeyProbe::Answer KeyProbe::answer_by_order(NameId name) {
  const std::vector<NameId>& names = algebra_.names_of(*order_);
  if (first_names_.empty()) {
    ObjectSearch search(algebra_, witness_);
    first_names_ = search.first_names(formula_, names);
  }
  return first_names_[algebra_.rank(*order_, name) - 1];
}

// Returns a position in the order, from 0 on, at which or before which each object of `f` has its first name of the
// order; UINT32_MAX if none is known.
std::uint32_t KeyProbe::last_first_rank(FormulaId f, OrderId order) {
  const Formula node = algebra_.formula(f);
  if (node.kind == FormulaKind::kHas) return algebra_.rank(order, NameId{node.operands[0]}) - 1;
  const bool is_and = node.kind == FormulaKind::kAnd;
  if (!is_and && node.kind != FormulaKind::kOr && node.kind != FormulaKind::kOneOf) return UINT32_MAX;
  if (const auto known = last_first_of_.find(f); known != last_first_of_.end()) return known->second;
  std::uint32_t found = is_and ? UINT32_MAX : 0;
  algebra_.step(node.operands.size());
  for (const std::uint32_t operand : node.operands) {
    const std::uint32_t part = base::with_stack([&] { return last_first_rank(FormulaId{operand}, order); });
    found = is_and ? std::min(found, part) : std::max(found, part);
  }
  last_first_of_.emplace(f, found);
  return found;
}

// Returns the objects of `f` that have the name, and in an order no name before it; nullopt if `f` has orders in its
// parts.
std::optional<FormulaId> KeyProbe::with_key(FormulaId f, NameId name) {
  const FormulaId has = algebra_.has(name);
  if (!has_order_) return algebra_.meet(f, has);
  const std::optional<OrderId> order = witness_.object_atoms(f).order;
  if (!order.has_value()) return std::nullopt;
  const std::uint32_t rank = algebra_.rank(*order, name);
  const auto all = static_cast<std::uint32_t>(algebra_.names_of(*order).size());
  return algebra_.meet({f, has, algebra_.in_order(*order, rank == 0 ? all : rank - 1)});
}

// If formula_ has one disjunction, beside atoms, lists which of its operands mention which names.
void KeyProbe::find_mentions() {
  has_mentions_ = true;
  std::vector<FormulaId> beside;
  std::vector<std::uint32_t> disjuncts;
  std::size_t combinations = 0;
  const auto add = [&](FormulaId f) {
    if (is_combination(algebra_.formula(f).kind)) ++combinations;
    if (algebra_.formula(f).kind == FormulaKind::kOneOf) f = witness_.resolve(f, FormulaId::kTrue);
    const Formula part = algebra_.formula(f);
    if (part.kind == FormulaKind::kOr) {
      disjuncts.assign(part.operands.begin(), part.operands.end());
    } else {
      beside.push_back(f);
    }
  };
  const Formula whole = algebra_.formula(formula_);
  const std::vector<std::uint32_t> operands(whole.operands.begin(), whole.operands.end());
  if (whole.kind == FormulaKind::kAnd) {
    for (const std::uint32_t operand : operands) add(FormulaId{operand});
  } else {
    add(formula_);
  }
  if (combinations != 1 || disjuncts.empty()) return;
  beside_ = algebra_.meet(std::move(beside));
  mentions_decide_ = true;
  alternatives_ = disjuncts.size();
  for (const std::uint32_t operand : disjuncts) {
    const FormulaId disjunct{operand};
    if (mentions_decide_ && witness_.derivation().closed_map(disjunct) == nullptr) {
      const std::optional<OrderId> order = witness_.object_atoms(disjunct).order;  // that of an alternative
      last_first_of_.clear();
      mentions_decide_ = order.has_value() && last_first_rank(disjunct, *order) != UINT32_MAX;
    }
    for_each_atom(algebra_, disjunct, [&](const Formula& atom) {
      if (atom.kind == FormulaKind::kHas) mentions_.push_back({NameId{atom.operands[0]}, disjunct});
      if (atom.kind != FormulaKind::kMembers) return;
      for (const auto& named : algebra_.property_map(PropertyMapId{atom.operands[0]}).names) {
        mentions_.push_back({named.name, disjunct});
      }
    });
  }
  algebra_.step(mentions_.size());
  std::ranges::sort(mentions_, {}, [](const Mention& one) { return std::pair(one.name, one.disjunct); });
}

// A quick yes: returns true if a disjunct that mentions the name allows it at the beginning of an object. Alternatives of
// an `anyOf` mostly have names of their own. One object of a disjunct answers for most of its names.
bool KeyProbe::is_allowed_by_a_mention(const KeyClass& key) {
  for (const Mention& mention : std::ranges::equal_range(mentions_, *key.name, {}, &Mention::name)) {
    if (!algebra_.step()) return false;
    const auto [it, is_new] = objects_.try_emplace(mention.disjunct);
    if (is_new) {
      const Witness::ObjectPlan* plan = witness_.object_plan(algebra_.meet(mention.disjunct, beside_));
      if (plan != nullptr) it->second = known_of(*plan);
    }
    if (it->second.has_value() && answer(*it->second, key) == Answer::kYes) return true;
  }
  for (const Mention& mention : std::ranges::equal_range(mentions_, *key.name, {}, &Mention::name)) {
    if (!algebra_.step()) return false;
    if (!objects_[mention.disjunct].has_value()) continue;
    const std::optional<FormulaId> f = with_key(algebra_.meet(mention.disjunct, beside_), *key.name);
    if (f.has_value() && witness_.object_exists(*f)) return true;
  }
  return false;
}

// Returns the names that every stored object excludes.
std::unordered_set<NameId> KeyProbe::open_names() const {
  std::unordered_set<NameId> names;
  for (const Known& known : known_) {
    const auto& lacking = known.atoms.lacking;
    if (names.empty()) names.insert(lacking.begin(), lacking.end());
    std::erase_if(names, [&](NameId name) { return !std::binary_search(lacking.begin(), lacking.end(), name); });
  }
  return names;
}

// Returns formula_ without the alternatives that do not allow the key as the first one, where they are known: each of n
// keys of n alternatives would otherwise be looked for in all of them.
FormulaId KeyProbe::part_about(const KeyClass& key) {
  if (is_conjunction_ || !key.name.has_value()) return formula_;
  // Where unlisted keys may come, the alternatives are mostly open, and then any of them allows any name.
  if (!has_mentions_ && open_ == regex::ExprId::kNothing) find_mentions();
  if (!mentions_decide_) return formula_;
  std::vector<FormulaId> parts;
  for (const Mention& mention : std::ranges::equal_range(mentions_, *key.name, {}, &Mention::name)) {
    if (!algebra_.step()) return formula_;
    if (parts.empty() || parts.back() != mention.disjunct) parts.push_back(mention.disjunct);
    if (parts.size() * 2 > alternatives_) return formula_;
  }
  return algebra_.meet(algebra_.join(std::move(parts)), beside_);
}

std::vector<Choice> KeyProbe::choices(const KeyClass& key) {
  std::vector<Choice> viable;
  const bool is_ordered = order_.has_value() && key.name.has_value() && algebra_.rank(*order_, *key.name) != 0;
  const bool must_cross_out = !is_ordered && is_crossed_out(key);
  for (const Choice& choice : witness_.derivation().next_member(part_about(key), key)) {
    FormulaId rest = choice.rest;
    if (must_cross_out) rest = algebra_.meet(rest, algebra_.lacks(*key.name));
    if (witness_.has_member(choice.value) && witness_.object_exists(rest)) viable.push_back({choice.value, rest});
    if (algebra_.out_of_steps()) break;
  }
  return viable;
}

}  // namespace weir::frontend::json_schema
