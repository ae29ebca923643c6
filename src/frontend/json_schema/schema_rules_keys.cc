// The rules of members: which keys may come, and what they leave.
#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "frontend/json_schema/schema_rules.h"

namespace weir::frontend::json_schema {

using regex::ExprId;

// What was asked of a formula last is mostly asked again, for the next of its keys: an object of n names has n rules
// behind keys, and a probe looks at all of them.
KeyProbe& SchemaRules::probe_of(FormulaId f) {
  if (!probe_.has_value() || probe_->formula() != f) probe_.emplace(algebra_, witness_, f, order_);
  return *probe_;
}

// Whether the member behind a comma depends on the keys so far: without a guard, where the rules would let one come
// again; else where the keys that begin in some way can all have been used.
bool SchemaRules::asks_for_used_keys(FormulaId f) {
  KeyProbe& probe = probe_of(f);
  if (placement_ == Placement::kWholeText) return probe.may_run_out();
  const std::vector<KeyClass> classes = witness_.derivation().key_classes(f);
  return std::any_of(classes.begin(), classes.end(), [&](const KeyClass& key) { return !probe.is_crossed_out(key); });
}

// The rule for a member behind these keys. They are lacking from here on; where a guard refuses them, only those of
// them that nothing offered goes on behind, so that texts share rules.
std::uint32_t SchemaRules::settle_member(const Rule& made, std::vector<NameId> used) {
  const FormulaId all{made.id};
  FormulaId f = all;
  for (bool is_done = false; !is_done;) {
    std::vector<NameId> lacking = used;
    if (placement_ == Placement::kWholeText) {
      lacking = used_up(f, used);
      std::erase_if(used,
                    [&](NameId name) { return std::find(lacking.begin(), lacking.end(), name) != lacking.end(); });
    }
    // What one of them was the only way on behind may be used up by now, too.
    is_done = lacking.empty() || used.empty() || placement_ == Placement::kEmbedded;
    std::vector<FormulaId> parts{f};
    for (const NameId name : lacking) parts.push_back(algebra_.lacks(name));
    f = algebra_.meet(std::move(parts));
  }
  // Behind the key the formula goes on that knows nothing of them, for the next comma looks back again: then texts
  // share what comes behind. Not where a promise is to be broken: that some key is left to break it with is told by
  // those lacking.
  const bool may_forget = f != all && f != FormulaId::kFalse && !witness_.derivation().breaks_promises(all);
  return handle(Kind::kMember, static_cast<std::uint32_t>(f), made.depth, may_forget ? made.id : 0);
}

// Those of the used names that no key that may come goes on behind.
std::vector<NameId> SchemaRules::used_up(FormulaId f, const std::vector<NameId>& used) {
  KeyProbe& probe = probe_of(f);
  const std::vector<KeyClass> classes = witness_.derivation().key_classes(f);
  std::vector<NameId> found;
  for (const NameId name : used) {
    if (witness_.derivation().goes_on_behind(probe.open(), name)) continue;
    const std::string& text = algebra_.name(name);
    const bool goes_on = std::any_of(classes.begin(), classes.end(), [&](const KeyClass& key) {
      return key.name.has_value() && *key.name != name && algebra_.name(*key.name).starts_with(text) &&
             probe.may_begin_with(key);
    });
    if (!goes_on) found.push_back(name);
    if (!algebra_.step(1 + classes.size())) break;
  }
  return found;
}

const std::vector<SchemaRules::Key>& SchemaRules::keys_of(FormulaId f) {
  const auto [it, is_new] = keys_.try_emplace(static_cast<std::uint32_t>(f));
  if (!is_new) return it->second;
  KeyProbe& probe = probe_of(f);
  const std::vector<KeyClass> classes = witness_.derivation().key_classes(f);
  // Keys that lead to the same are one terminal. A name that is crossed out, or whose rank decides, leads to its own.
  const std::vector<std::uint32_t> kinds = witness_.derivation().key_kinds(f);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> groups;
  for (std::uint32_t i = 0; i < classes.size(); ++i) {
    const bool is_own = probe.is_crossed_out(classes[i]) || classes[i].order != 0;
    groups[{kinds[i], is_own ? i : UINT32_MAX}].push_back(i);
  }
  std::vector<std::vector<std::uint32_t>> in_order;
  for (auto& [kind, group] : groups) in_order.push_back(std::move(group));
  std::sort(in_order.begin(), in_order.end());
  std::vector<Key> keys;
  for (const std::vector<std::uint32_t>& group : in_order) {
    if (algebra_.out_of_steps()) break;
    if (!probe.may_begin_with(classes[group.front()])) continue;
    Key key = key_of(classes, group);
    // A key with a lone surrogate may have no spelling.
    if (key.texts != ExprId::kNothing) keys.push_back(std::move(key));
  }
  key_count_ += keys.size();
  return keys_[static_cast<std::uint32_t>(f)] = std::move(keys);
}

SchemaRules::Key SchemaRules::key_of(const std::vector<KeyClass>& classes, const std::vector<std::uint32_t>& group) {
  Key key;
  key.index = group.front();
  std::vector<ExprId> languages;
  std::size_t named = 0;
  constexpr std::size_t kShownNames = 4;
  for (const std::uint32_t i : group) {
    const KeyClass& one = classes[i];
    languages.push_back(one.name.has_value() ? algebra_.literal(*one.name) : one.keys);
    if (!one.name.has_value() || ++named > kShownNames) continue;
    if (!key.name.empty()) key.name += ", ";
    key.name += "\"" + base::escape_for_display(algebra_.name(*one.name), 40) + "\"";
  }
  if (named > kShownNames) key.name += ", ...";
  if (named < group.size()) key.name += key.name.empty() ? "key" : " or another key";
  const ExprId strings = exprs_.alternation(languages);
  if (algebra_.has_text(strings)) key.texts = algebra_.texts(strings);
  return key;
}

void SchemaRules::make_member(const Rule& made, grammar::GrowingCfg& out) {
  const FormulaId f{made.id};
  const FormulaId behind = made.key == 0 ? f : FormulaId{made.key};
  const Layout::Piece colon = layout_.colon();
  const std::vector<Key> keys = keys_of(f);
  const std::vector<std::uint32_t> classes = behind == f ? std::vector<std::uint32_t>{} : classes_in(behind, f);
  for (const Key& key : keys) {
    const std::uint32_t index = behind == f ? key.index : classes[key.index];
    out.produce(std::vector{terminal({exprs_.concat(key.texts, colon.texts), {}}, out, key.name),
                            lazy(Kind::kBehindKey, static_cast<std::uint32_t>(behind), made.depth, out, index)});
  }
}

// For each class of keys of `f`, which is `all` but for some names that are lacking, its class in `all`.
std::vector<std::uint32_t> SchemaRules::classes_in(FormulaId all, FormulaId f) {
  std::unordered_map<NameId, std::uint32_t> named;
  std::map<std::vector<ExprId>, std::uint32_t> unnamed;  // by patterns
  const std::vector<KeyClass> classes = witness_.derivation().key_classes(all);
  for (std::uint32_t i = 0; i < classes.size(); ++i) {
    if (classes[i].name.has_value()) {
      named.emplace(*classes[i].name, i);
    } else {
      unnamed.emplace(classes[i].patterns, i);
    }
  }
  std::vector<std::uint32_t> found;
  for (const KeyClass& key : witness_.derivation().key_classes(f)) {
    const auto name = key.name.has_value() ? named.find(*key.name) : named.end();
    const auto pattern = unnamed.find(key.patterns);
    found.push_back(name != named.end() ? name->second : pattern != unnamed.end() ? pattern->second : 0);
  }
  return found;
}

std::vector<Choice> SchemaRules::choices_behind(FormulaId f, std::uint32_t key) {
  KeyProbe& probe = probe_of(f);
  const std::vector<KeyClass>& classes = witness_.derivation().key_classes(f);
  return key < classes.size() ? probe.choices(KeyClass(classes[key])) : std::vector<Choice>{};
}

void SchemaRules::make_behind_key(const Rule& made, grammar::GrowingCfg& out) {
  for (const Choice& choice : choices_behind(FormulaId{made.id}, made.key)) {
    out.produce(std::vector{lazy(Kind::kValue, static_cast<std::uint32_t>(choice.value), made.depth, out),
                            lazy(Kind::kMembers, static_cast<std::uint32_t>(choice.rest), made.depth, out)});
  }
}

}  // namespace weir::frontend::json_schema
