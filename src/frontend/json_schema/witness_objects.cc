// Objects: plans for conjunctions of atoms, and texts.
#include <algorithm>
#include <map>

#include "frontend/json_schema/object_search.h"
#include "frontend/json_schema/witness.h"

namespace weir::frontend::json_schema {

using regex::ExprId;

std::string Witness::object_text(FormulaId f, const Layout& layout, std::uint32_t depth) {
  const ObjectPlan* found = object_plan(f);
  if (found == nullptr) return {};
  const ObjectPlan plan = *found;
  const std::vector<std::string> keys = spelled_keys(plan.members);
  std::string out;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (out.size() > algebra_.limits().completion_bytes) break;
    if (!out.empty()) out += layout.comma(depth).text;
    out += keys[i] + layout.colon().text + text(plan.members[i].value, layout, depth);
  }
  return out;
}

const Witness::ObjectPlan* Witness::object_plan(FormulaId f) {
  if (f == FormulaId::kFalse) return nullptr;
  return remember(objects_, f, [&](ObjectPlan& plan) {
    ObjectSearch search(algebra_, *this);
    return search.run(f, [&](FormulaId conjunction) { return plan_object(conjunction, plan = ObjectPlan{}); });
  });
}

std::optional<Witness::ObjectPlan> Witness::roomy_plan(FormulaId f, std::unordered_set<NameId> wanted) {
  ObjectPlan plan;
  ObjectSearch search(algebra_, *this);
  search.want(std::move(wanted));
  const bool found =
      search.run(f, [&](FormulaId conjunction) { return plan_object(conjunction, plan = ObjectPlan{}); });
  return found ? std::optional(std::move(plan)) : std::nullopt;
}

Witness::ObjectAtoms Witness::object_atoms(FormulaId conjunction) const {
  ObjectAtoms atoms;
  for (const FormulaId id : atoms_of(conjunction)) {
    const Formula atom = algebra_.formula(id);
    switch (atom.kind) {
      case FormulaKind::kMembers: atoms.maps.push_back(PropertyMapId{atom.operands[0]}); break;
      case FormulaKind::kNotMembers: {
        std::vector<NameId> apart;
        for (const std::uint32_t name : atom.operands.subspan(1)) apart.push_back(NameId{name});
        atoms.violations.emplace_back(PropertyMapId{atom.operands[0]}, std::move(apart));
        break;
      }
      case FormulaKind::kHas: atoms.names.push_back(NameId{atom.operands[0]}); break;
      case FormulaKind::kLacks: atoms.lacking.push_back(NameId{atom.operands[0]}); break;
      case FormulaKind::kMinMembers: atoms.min = atom.operands[0]; break;
      case FormulaKind::kMaxMembers: atoms.max = atom.operands[0]; break;
      default: break;
    }
  }
  // They were in the order of their formulas.
  std::sort(atoms.names.begin(), atoms.names.end());
  std::sort(atoms.lacking.begin(), atoms.lacking.end());
  return atoms;
}

SetId Witness::value_of(const ObjectAtoms& atoms, const KeyClass& key) const {
  std::vector<SetId> sets;
  for (const PropertyMapId map : atoms.maps) sets.push_back(derivation_.lookup(algebra_.property_map(map), key));
  return sets.size() == 1 ? sets[0] : algebra_.meet(std::move(sets));
}

bool Witness::plan_object(FormulaId conjunction, ObjectPlan& plan) {
  plan.conjunction = conjunction;
  if (derivation_.accepts(conjunction)) return true;
  const ObjectAtoms atoms = object_atoms(conjunction);
  if (atoms.names.size() > atoms.max || atoms.min > atoms.max) return false;
  std::vector<ExprId> patterns;
  const auto add_patterns = [&](PropertyMapId map) {
    for (const auto& [pattern, set] : algebra_.property_map(map).patterns) patterns.push_back(pattern);
  };
  for (const PropertyMapId map : atoms.maps) add_patterns(map);
  for (const auto& [map, apart] : atoms.violations) add_patterns(map);
  std::sort(patterns.begin(), patterns.end());
  patterns.erase(std::unique(patterns.begin(), patterns.end()), patterns.end());
  std::vector<Member> members;
  for (const NameId name : atoms.names) {
    if (!algebra_.step() || std::binary_search(atoms.lacking.begin(), atoms.lacking.end(), name)) return false;
    KeyClass key = derivation_.class_of(name, patterns);
    const SetId value = value_of(atoms, key);
    if (!has_member(value)) return false;
    members.push_back({std::move(key), value});
  }
  if (!atoms.violations.empty() || members.size() < atoms.min) {
    const std::vector<KeyClass> classes = derivation_.key_classes(conjunction);
    std::vector<Violation> violations;
    if (!find_breaking_keys(atoms, classes, violations)) return false;
    if (!place_violations(atoms, classes, violations, 0, members)) return false;
  }
  if (!have_keys(members)) return false;
  plan.members = std::move(members);
  return true;
}

// Which classes may break each of the promises, those with the fewest first; empty lists are no use, and false.
bool Witness::find_breaking_keys(const ObjectAtoms& atoms, const std::vector<KeyClass>& classes,
                                 std::vector<Violation>& violations) {
  for (const auto& [map_id, apart] : atoms.violations) {
    const PropertyMap& map = algebra_.property_map(map_id);
    Violation violation;
    for (std::uint32_t i = 0; i < classes.size(); ++i) {
      const KeyClass& key = classes[i];
      if (!algebra_.step()) return false;
      if (key.name.has_value() && (std::binary_search(apart.begin(), apart.end(), *key.name) ||
                                   std::binary_search(atoms.lacking.begin(), atoms.lacking.end(), *key.name))) {
        continue;
      }
      const SetId breaks = algebra_.complement(derivation_.lookup(map, key));
      if (breaks == SetId::kNone || !has_member(algebra_.meet(value_of(atoms, key), breaks))) continue;
      violation.candidates.push_back(i);
      violation.breaks.push_back(breaks);
    }
    if (violation.candidates.empty()) return false;
    violations.push_back(std::move(violation));
  }
  std::stable_sort(violations.begin(), violations.end(),
                   [](const Violation& a, const Violation& b) { return a.candidates.size() < b.candidates.size(); });
  return true;
}

bool Witness::place_violations(const ObjectAtoms& atoms, const std::vector<KeyClass>& classes,
                               const std::vector<Violation>& violations, std::size_t next,
                               std::vector<Member>& members) {
  if (next == violations.size()) return fill_up(atoms, classes, members);
  const Violation& violation = violations[next];
  const auto is_of = [](const Member& member, const KeyClass& key) {
    return member.key.name == key.name && (key.name.has_value() || member.key.keys == key.keys);
  };
  // One member may break several.
  for (std::size_t c = 0; c < violation.candidates.size(); ++c) {
    const KeyClass& key = classes[violation.candidates[c]];
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (!is_of(members[i], key)) continue;
      const SetId old = members[i].value;
      const SetId value = algebra_.meet(old, violation.breaks[c]);
      if (!algebra_.step()) return false;
      if (!has_member(value)) continue;
      members[i].value = value;
      if (place_violations(atoms, classes, violations, next + 1, members)) return true;
      members[i].value = old;
    }
  }
  if (members.size() >= atoms.max) return false;
  for (std::size_t c = 0; c < violation.candidates.size(); ++c) {
    const KeyClass& key = classes[violation.candidates[c]];
    if (!algebra_.step()) return false;
    const bool is_there = std::any_of(members.begin(), members.end(), [&](const Member& m) { return is_of(m, key); });
    if (is_there && key.name.has_value()) continue;
    members.push_back({key, algebra_.meet(value_of(atoms, key), violation.breaks[c])});
    const std::size_t size = members.size();
    if (place_violations(atoms, classes, violations, next + 1, members)) return true;
    members.resize(size - 1);
  }
  return false;
}

bool Witness::fill_up(const ObjectAtoms& atoms, const std::vector<KeyClass>& classes, std::vector<Member>& members) {
  const std::size_t size = members.size();
  for (const KeyClass& key : classes) {
    if (members.size() >= atoms.min) return true;
    if (key.name.has_value()) {
      if (std::binary_search(atoms.lacking.begin(), atoms.lacking.end(), *key.name)) continue;
      if (std::any_of(members.begin(), members.end(), [&](const Member& m) { return m.key.name == key.name; }))
        continue;
    }
    const SetId value = value_of(atoms, key);
    if (!has_member(value)) continue;
    if (key.name.has_value()) {
      members.push_back({key, value});
      continue;
    }
    // As many as the class has, or as are missing.
    Shape keys;
    keys.strings = key.keys;
    const auto taken =
        std::count_if(members.begin(), members.end(), [&](const Member& m) { return m.key.keys == key.keys; });
    const SetId set = algebra_.set(keys);
    std::uint64_t available = static_cast<std::uint64_t>(taken) + atoms.min - members.size();
    while (available > static_cast<std::uint64_t>(taken) && !has_members(set, available)) --available;
    for (std::uint64_t i = static_cast<std::uint64_t>(taken); i < available; ++i) {
      members.push_back({key, value});
      if (!algebra_.step()) return false;
    }
  }
  if (members.size() >= atoms.min) return true;
  members.resize(size);
  return false;
}

// Whether each member of a class can have a key of its own, and each name has a spelling.
bool Witness::have_keys(const std::vector<Member>& members) {
  std::map<ExprId, std::uint64_t> counts;
  for (const Member& member : members) {
    if (!member.key.name.has_value()) {
      ++counts[member.key.keys];
    } else if (!algebra_.has_text(algebra_.literal(*member.key.name))) {
      return false;
    }
  }
  return std::all_of(counts.begin(), counts.end(), [&](const auto& class_and_count) {
    Shape keys;
    keys.strings = class_and_count.first;
    return has_members(algebra_.set(keys), class_and_count.second);
  });
}

// The same for every object that has it.
std::string Witness::spelled_name(NameId name) {
  if (const auto it = spelled_names_.find(name); it != spelled_names_.end()) return it->second;
  const std::string& text = algebra_.name(name);
  const std::string spelled = scalar_text(algebra_.texts(algebra_.exprs().literal(text)));
  if (spelled.empty()) return {};
  plan_bytes_ += sizeof(*spelled_names_.begin()) + spelled.capacity();
  return spelled_names_.emplace(name, spelled).first->second;
}

// Keys as JSON texts, different ones for members of one class. Fewer when a limit was met.
std::vector<std::string> Witness::spelled_keys(const std::vector<Member>& members) {
  std::vector<std::string> spelled;
  std::map<ExprId, SetId> left;
  for (const Member& member : members) {
    std::string text_of_key;
    if (member.key.name.has_value()) {
      text_of_key = spelled_name(*member.key.name);
    } else {
      Shape keys;
      keys.strings = member.key.keys;
      SetId& rest = left.try_emplace(keys.strings, algebra_.set(keys)).first->second;
      if (!has_member(rest)) break;
      text_of_key = text(rest, Layout::compact(), 0);
      rest = algebra_.meet(rest, algebra_.complement(single(rest)));
    }
    if (text_of_key.empty()) break;
    spelled.push_back(std::move(text_of_key));
  }
  return spelled;
}

}  // namespace weir::frontend::json_schema
