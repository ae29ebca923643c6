// Classes of keys: what formulas can tell apart.
#include <algorithm>

#include "base/word_interner.h"
#include "frontend/json_schema/derivation.h"
#include "frontend/json_schema/formula_walk.h"

namespace weir::frontend::json_schema {

using regex::ExprId;

namespace {

constexpr std::uint32_t raw(SetId set) { return static_cast<std::uint32_t>(set); }

}  // namespace

SetId Derivation::lookup(const PropertyMap& map, const KeyClass& key) const {
  bool found = false;
  std::vector<SetId> sets;
  if (key.name.has_value()) {
    const auto at = std::lower_bound(map.names.begin(), map.names.end(), *key.name,
                                     [](const PropertyMap::Named& n, NameId name) { return n.name < name; });
    if (at != map.names.end() && at->name == *key.name) {
      if (map.patterns.empty()) return at->set;
      found = true;
      sets.push_back(at->set);
    }
  }
  for (const auto& [pattern, set] : map.patterns) {
    if (!std::binary_search(key.patterns.begin(), key.patterns.end(), pattern)) continue;
    found = true;
    sets.push_back(set);
  }
  if (!found) return map.other;
  return sets.size() == 1 ? sets[0] : algebra_.meet(std::move(sets));
}

KeyClass Derivation::class_of(NameId name, std::span<const ExprId> patterns) {
  KeyClass key{name, ExprId::kNothing, {}, 0};
  for (const ExprId pattern : patterns) {
    if (algebra_.exprs().matches(pattern, algebra_.name(name))) key.patterns.push_back(pattern);
  }
  return key;
}

// A map that the formula asks of every object, and that names all that may come; null if there is none.
const PropertyMap* Derivation::closed_map(FormulaId f) const {
  const Formula node = algebra_.formula(f);
  const auto closed = [&](const Formula& atom) -> const PropertyMap* {
    if (atom.kind != FormulaKind::kMembers) return nullptr;
    const PropertyMap& map = algebra_.property_map(PropertyMapId{atom.operands[0]});
    return map.other == SetId::kNone && map.patterns.empty() ? &map : nullptr;
  };
  if (node.kind != FormulaKind::kAnd) return closed(node);
  for (const std::uint32_t operand : node.operands) {
    if (const PropertyMap* map = closed(algebra_.formula(FormulaId{operand})); map != nullptr) return map;
  }
  return nullptr;
}

const std::vector<KeyClass>& Derivation::key_classes(FormulaId f) {
  const auto [it, is_new] = key_classes_.try_emplace(static_cast<std::uint32_t>(f));
  if (!is_new) return it->second;
  Names names;
  std::vector<ExprId> patterns;
  const auto add_name = [&](NameId name, std::uint32_t order) {
    std::uint32_t& known = names[name];
    if (order != 0) known = known == 0 ? order : std::min(known, order);
  };
  for_each_atom(algebra_, f, [&](const Formula& atom) {
    if (atom.kind == FormulaKind::kHas || atom.kind == FormulaKind::kLacks) add_name(NameId{atom.operands[0]}, 0);
    if (atom.kind != FormulaKind::kMembers && atom.kind != FormulaKind::kNotMembers) return;
    const PropertyMap& map = algebra_.property_map(PropertyMapId{atom.operands[0]});
    for (const PropertyMap::Named& named : map.names) add_name(named.name, named.order);
    for (const auto& [pattern, set] : map.patterns) patterns.push_back(pattern);
    algebra_.step(map.names.size());
  });
  const PropertyMap* closed = closed_map(f);
  if (closed != nullptr) {
    Names listed;
    for (const PropertyMap::Named& named : closed->names) {
      if (named.set != SetId::kNone) listed[named.name] = names[named.name];
    }
    names = std::move(listed);
  }
  std::vector<KeyClass> classes = split_keys(names, std::move(patterns), closed == nullptr);
  it->second = std::move(classes);
  if (algebra_.limit_hit() == base::Limit::kNone) {
    class_count_ += it->second.size();
    return it->second;
  }
  unfinished_ = std::move(it->second);
  key_classes_.erase(it);
  return unfinished_;
}

std::vector<KeyClass> Derivation::split_keys(const Names& names, std::vector<ExprId> patterns, bool with_others) {
  std::sort(patterns.begin(), patterns.end());
  patterns.erase(std::unique(patterns.begin(), patterns.end()), patterns.end());
  regex::ExprSet& exprs = algebra_.exprs();
  std::vector<KeyClass> classes;
  std::vector<ExprId> literals;
  for (const auto& [name, order] : names) {
    classes.push_back(class_of(name, patterns));
    classes.back().order = order;
    if (with_others) literals.push_back(algebra_.literal(name));
    algebra_.step(1 + patterns.size());
  }
  if (!with_others) return classes;
  std::vector<KeyClass> others{{{}, exprs.complement(exprs.alternation(literals)), {}, 0}};
  for (const ExprId pattern : patterns) {
    std::vector<KeyClass> split;
    for (KeyClass& key : others) {
      KeyClass inside{{}, exprs.intersection(key.keys, pattern), key.patterns, 0};
      const bool overlaps = !is_empty(inside.keys);
      if (overlaps) {
        // Patterns that overlap make as many classes as combinations, each of them a terminal of the lexer.
        constexpr std::uint64_t kStepsAnOverlap = 500;
        algebra_.step(key.patterns.size() * kStepsAnOverlap);
        key.keys = exprs.difference(key.keys, pattern);
        inside.patterns.push_back(pattern);
        split.push_back(std::move(inside));
      }
      if (!overlaps || !is_empty(key.keys)) split.push_back(std::move(key));
      if (!algebra_.step()) break;
    }
    others = std::move(split);
    if (algebra_.out_of_steps()) break;
  }
  for (KeyClass& key : others) {
    // Names that have been used make a class smaller one by one; that it is large is seen without them.
    const bool is_large = exprs.max_length(key.keys) != regex::kUnbounded &&
                          count_keys(matching(key.patterns, patterns)) > kListedKeys + names.size();
    if (!is_large && is_empty(key.keys)) continue;
    if (is_large || !list_keys(key, classes)) classes.push_back(std::move(key));
  }
  return classes;
}

ExprId Derivation::matching(const std::vector<ExprId>& matched, const std::vector<ExprId>& all) {
  regex::ExprSet& exprs = algebra_.exprs();
  std::vector<ExprId> parts;
  for (const ExprId pattern : all) {
    const bool matches = std::binary_search(matched.begin(), matched.end(), pattern);
    parts.push_back(matches ? pattern : exprs.complement(pattern));
  }
  return parts.empty() ? ExprId::kAllStrings : exprs.intersection(parts);
}

// Texts in a language, by the ways through its derivatives: kMostCounted stands for so many or more. 0, which is no
// verdict, where no bound of their length is known.
std::uint64_t Derivation::count_keys(ExprId keys) {
  constexpr std::uint64_t kMostCounted = 1'000'000;
  const auto [known, is_new] = key_counts_.try_emplace(keys, 0);
  if (!is_new) return known->second;
  regex::ExprSet& exprs = algebra_.exprs();
  const ExprId texts = exprs.intersection(keys, algebra_.lengths(0, regex::kUnbounded));
  if (exprs.max_length(texts) == regex::kUnbounded) return 0;
  std::uint64_t count = 0;
  std::vector<regex::ExprSet::Branch> branches;
  for (std::map<ExprId, std::uint64_t> ways{{texts, 1}}; !ways.empty();) {
    std::map<ExprId, std::uint64_t> longer;
    for (const auto& [rest, number] : ways) {
      if (exprs.nullable(rest)) count += number;
      branches.clear();
      exprs.append_branches(rest, branches);
      for (const auto& branch : branches) {
        std::uint64_t& more = longer[branch.to];
        more = std::min(kMostCounted, more + number * branch.bytes.size());
      }
    }
    if (count >= kMostCounted || !algebra_.step(longer.size())) break;
    ways = std::move(longer);
  }
  return known->second = std::min(count, kMostCounted);
}

bool Derivation::is_empty(ExprId keys) { return !algebra_.has_text(keys); }

// The keys of a class one by one, each a class of its own, where there are few.
bool Derivation::list_keys(const KeyClass& key, std::vector<KeyClass>& classes) {
  regex::ExprSet& exprs = algebra_.exprs();
  if (exprs.max_length(key.keys) == regex::kUnbounded) return false;
  std::vector<std::string> listed;
  ExprId left = key.keys;
  while (!is_empty(left)) {
    if (listed.size() == kListedKeys) return false;
    const auto text = exprs.shortest_member(left, algebra_.limits().regex_fuel);
    if (!text.has_value() || !algebra_.step()) return false;
    left = exprs.difference(left, exprs.literal(*text));
    // Bytes that are no text have no JSON string.
    if (!is_empty(exprs.literal(*text))) listed.push_back(*text);
  }
  for (const std::string& text : listed) {
    classes.push_back({algebra_.name(text), ExprId::kNothing, key.patterns, 0});
  }
  return true;
}

bool Derivation::goes_on_behind(ExprId open, NameId name) {
  const auto [known, is_new] = goes_on_.try_emplace({open, name}, false);
  if (!is_new) return known->second;
  regex::ExprSet& exprs = algebra_.exprs();
  ExprId behind = open;
  const std::string& text = algebra_.name(name);
  for (const char c : text) behind = exprs.derivative(behind, static_cast<std::uint8_t>(c));
  const ExprId longer = exprs.difference(behind, ExprId::kEpsilon);
  const bool goes_on = algebra_.has_text(exprs.concat(exprs.literal(text), longer));
  if (algebra_.limit_hit() == base::Limit::kNone) {
    known->second = goes_on;
  } else {
    goes_on_.erase(known);
  }
  return goes_on;
}

bool Derivation::has_last_keys(ExprId keys) {
  const auto [known, is_new] = has_last_keys_.try_emplace(keys, true);
  if (!is_new) return known->second;
  regex::ExprSet& exprs = algebra_.exprs();
  const ExprId texts = exprs.intersection(keys, algebra_.lengths(0, regex::kUnbounded));
  if (exprs.max_length(texts) != regex::kUnbounded) return known->second = !is_empty(texts);
  constexpr std::size_t kMostVisited = 1'000;
  std::unordered_set<ExprId> visited{texts};
  std::vector<ExprId> open{texts};
  while (!open.empty()) {
    const ExprId rest = open.back();
    open.pop_back();
    if (exprs.nullable(rest) && !algebra_.has_member(exprs.difference(rest, ExprId::kEpsilon))) return true;
    std::vector<regex::ExprSet::Branch> branches;
    exprs.append_branches(rest, branches);
    for (const auto& branch : branches) {
      if (visited.insert(branch.to).second) open.push_back(branch.to);
    }
    if (!algebra_.step() || visited.size() > kMostVisited) return true;
  }
  return known->second = false;
}

bool Derivation::breaks_promises(FormulaId f) {
  bool breaks = false;
  for_each_atom(
      algebra_, f, [&](const Formula& atom) { breaks = breaks || atom.kind == FormulaKind::kNotMembers; },
      [&](const Formula& node) {
        breaks = breaks || node.kind == FormulaKind::kOneOf || node.kind == FormulaKind::kNotOneOf;
      });
  return breaks;
}

// What tells classes apart: the patterns that match, the sets that maps have for the name itself, and the name where an
// atom is about it alone.
std::vector<std::uint32_t> Derivation::key_kinds(FormulaId f) {
  std::unordered_map<NameId, std::vector<std::uint32_t>> said;
  bool all_differ = false;  // what has broken a promise is set apart by its name, listed or not
  constexpr std::uint32_t kItself = UINT32_MAX;
  for_each_atom(algebra_, f, [&](const Formula& atom) {
    if (atom.kind == FormulaKind::kHas || atom.kind == FormulaKind::kLacks) said[NameId{atom.operands[0]}] = {kItself};
    if (atom.kind != FormulaKind::kMembers && atom.kind != FormulaKind::kNotMembers) return;
    const bool is_broken = atom.kind == FormulaKind::kNotMembers;
    const PropertyMap& map = algebra_.property_map(PropertyMapId{atom.operands[0]});
    all_differ = all_differ || (is_broken && (map.other != SetId::kAny || !map.patterns.empty()));
    for (const PropertyMap::Named& named : map.names) {
      if (named.set == map.other && map.patterns.empty() && !is_broken) continue;
      if (is_broken && named.set == SetId::kAny) continue;
      std::vector<std::uint32_t>& words = said[named.name];
      if (words == std::vector{kItself}) continue;
      if (is_broken && named.set != SetId::kAny) {
        words = {kItself};
      } else {
        words.insert(words.end(), {atom.operands[0], raw(named.set)});
      }
    }
  });
  std::vector<std::uint32_t> kinds;
  base::WordInterner numbers;
  for (const KeyClass& key : key_classes(f)) {
    std::vector<std::uint32_t> words{static_cast<std::uint32_t>(key.patterns.size())};
    for (const ExprId pattern : key.patterns) words.push_back(static_cast<std::uint32_t>(pattern));
    const auto it = key.name.has_value() ? said.find(*key.name) : said.end();
    if (key.name.has_value() && (all_differ || (it != said.end() && it->second == std::vector{kItself}))) {
      words = {kItself, static_cast<std::uint32_t>(*key.name)};
    } else if (it != said.end()) {
      words.insert(words.end(), it->second.begin(), it->second.end());
    }
    kinds.push_back(numbers.intern(words).first);
  }
  return kinds;
}

}  // namespace weir::frontend::json_schema
