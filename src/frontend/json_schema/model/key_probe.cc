#include "frontend/json_schema/model/key_probe.h"

#include <algorithm>
#include <utility>

#include "frontend/json_schema/model/search_bounds.h"

namespace weir::frontend::json_schema {

KeyProbe::KeyProbe(Algebra& algebra, Witness& witness, FormulaId f, Order order)
    : algebra_(algebra), witness_(witness), formula_(f), order_(order) {
  const Derivation::KeyClasses classes = witness_.derivation().key_classes(f);
  algebra_.step(classes->size());
  for (const KeyClass& key : *classes) {
    has_patterns_ = has_patterns_ || !key.patterns.empty();
    if (!key.name.has_value()) unlisted_.push_back(key);
    if (key.name.has_value() && key.order != 0) ranks_.push_back({*key.name, key.order});
  }
  std::ranges::sort(ranks_, {}, &Ranked::name);
  const Witness::ObjectPlan* plan = witness_.object_plan(f);
  if (plan == nullptr) return;
  is_conjunction_ = plan->conjunction == f;
  keep(*plan);
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
  if (open_classes_.size() == unlisted_.size()) return false;  // all keys may come but finitely many names
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
  if (open_ == regex::ExprId::kNothing) return true;
  return has_patterns_ && !witness_.derivation().is_prefix_of_other(open_, *key.name);
}

void KeyProbe::keep(const Witness::ObjectPlan& plan) {
  if (known_.size() == kMaxKnownObjects) return;
  Known known{witness_.object_atoms(plan.conjunction), {}, {}, plan.members.size()};
  for (const Witness::Member& member : plan.members) {
    if (member.key.name.has_value()) {
      const auto ranked = std::ranges::equal_range(ranks_, *member.key.name, {}, &Ranked::name);
      known.names.push_back({*member.key.name, ranked.empty() ? 0 : ranked.front().rank});
    } else {
      known.classes.push_back(member.key.keys);
    }
  }
  std::ranges::sort(known.names, {}, &Ranked::name);
  known_.push_back(std::move(known));
}

// In declared order, returns true if the object needs no name that is declared before the key.
bool KeyProbe::is_in_order(const Known& known, const KeyClass& key) const {
  if (order_ == Order::kAny) return true;
  return std::none_of(known.names.begin(), known.names.end(), [&](const Ranked& member) {
    return key.name != member.name && member.rank != 0 && (key.order == 0 || member.rank <= key.order);
  });
}

KeyProbe::Answer KeyProbe::answer(const Known& known, const KeyClass& key) {
  if (!algebra_.step()) return Answer::kUnknown;
  if (!is_in_order(known, key)) return Answer::kUnknown;
  const bool has_it = key.name.has_value()
                          ? std::ranges::binary_search(known.names, *key.name, {}, &Ranked::name)
                          : std::find(known.classes.begin(), known.classes.end(), key.keys) != known.classes.end();
  if (has_it) return Answer::kYes;
  // If the formula is this conjunction, a key that it excludes cannot come. Else another conjunction may allow the key.
  const Answer no = is_conjunction_ ? Answer::kNo : Answer::kUnknown;
  const auto& lacking = known.atoms.lacking;
  if (key.name.has_value() && std::binary_search(lacking.begin(), lacking.end(), *key.name)) return no;
  if (!witness_.has_member(witness_.value_of(known.atoms, key))) return no;
  return known.size < known.atoms.max ? Answer::kYes : Answer::kUnknown;
}

bool KeyProbe::may_begin_with(const KeyClass& key) {
  for (const Known& known : known_) {
    const Answer found = answer(known, key);
    if (found != Answer::kUnknown) return found == Answer::kYes;
  }
  if (order_ == Order::kAny && key.name.has_value()) {
    const FormulaId with_key = algebra_.meet(formula_, algebra_.has(*key.name));
    // Prefer an object that the remaining keys can be added to, so that it answers for them as well.
    if (const auto plan = witness_.plan_within_fuel(with_key, open_names())) {
      keep(*plan);
      return true;
    }
    const Witness::ObjectPlan* plan = witness_.object_plan(with_key);
    if (plan != nullptr) keep(*plan);
    return plan != nullptr;
  }
  return !choices(key).empty();
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

// In declared order, excludes from `rest` the key and all names that are declared before it.
FormulaId KeyProbe::without_passed(FormulaId rest, const KeyClass& key) {
  if (order_ == Order::kAny) return rest;
  std::vector<FormulaId> parts{rest};
  for (const auto [name, rank] : ranks_) {
    if (key.order == 0 || rank <= key.order) parts.push_back(algebra_.lacks(name));
  }
  return algebra_.meet(std::move(parts));
}

std::vector<Choice> KeyProbe::choices(const KeyClass& key) {
  std::vector<Choice> viable;
  for (const Choice& choice : witness_.derivation().next_member(formula_, key)) {
    FormulaId rest = without_passed(choice.rest, key);
    if (is_crossed_out(key)) rest = algebra_.meet(rest, algebra_.lacks(*key.name));
    if (witness_.has_member(choice.value) && witness_.object_exists(rest)) viable.push_back({choice.value, rest});
    if (algebra_.out_of_steps()) break;
  }
  return viable;
}

}  // namespace weir::frontend::json_schema
