#include "frontend/json_schema/model/constant_sets.h"

#include <algorithm>
#include <bit>
#include <map>

#include "frontend/json_schema/model/algebra.h"

namespace weir::frontend::json_schema {

std::uint32_t NumberMaps::height_of(std::uint32_t key) {
  return (static_cast<std::uint32_t>(std::bit_width(key | 1U)) - 1) / kBits;
}

std::uint32_t NumberMaps::get(std::uint32_t map, std::uint32_t key) const {
  if (map == 0 || height_of(key) > nodes_[map][0]) return 0;
  for (;;) {
    const auto words = nodes_[map];
    const std::uint32_t bit = 1U << ((key >> (words[0] * kBits)) % kWays);
    if ((words[1] & bit) == 0) return 0;
    const std::uint32_t child = words[2 + static_cast<std::size_t>(std::popcount(words[1] & (bit - 1)))];
    if (words[0] == 0) return child;
    map = child;
  }
}

std::uint32_t NumberMaps::with(std::uint32_t map, std::uint32_t key, std::uint32_t value) {
  std::uint32_t height = map == 0 ? height_of(key) : nodes_[map][0];
  for (; height < height_of(key); ++height) {
    const std::uint32_t lower[kWays] = {map};
    map = intern(height + 1, lower);
  }
  return put(map, height, key, value);
}

std::uint32_t NumberMaps::put(std::uint32_t node, std::uint32_t height, std::uint32_t key, std::uint32_t value) {
  std::uint32_t children[kWays] = {};
  if (node != 0) {
    const auto words = nodes_[node];
    for (std::uint32_t i = 0, next = 2; i < kWays; ++i) {
      if ((words[1] >> i & 1U) != 0) children[i] = words[next++];
    }
  }
  std::uint32_t& child = children[(key >> (height * kBits)) % kWays];
  child = height == 0 ? value : put(child, height - 1, key, value);
  return intern(height, children);
}

std::uint32_t NumberMaps::of(std::span<const Entry> entries) {
  return entries.empty() ? 0 : build(entries, height_of(entries.back().first));
}

std::uint32_t NumberMaps::build(std::span<const Entry> entries, std::uint32_t height) {
  std::uint32_t children[kWays] = {};
  for (std::size_t i = 0, end = 0; i < entries.size(); i = end) {
    const auto digit = [&](const Entry& entry) { return (entry.first >> (height * kBits)) % kWays; };
    while (end < entries.size() && digit(entries[end]) == digit(entries[i])) ++end;
    children[digit(entries[i])] = height == 0 ? entries[i].second : build(entries.subspan(i, end - i), height - 1);
  }
  return intern(height, children);
}

std::uint32_t NumberMaps::intern(std::uint32_t height, const std::uint32_t (&children)[kWays]) {
  std::uint32_t words[kWays + 2] = {height};
  std::uint32_t size = 2;
  for (std::uint32_t i = 0; i < kWays; ++i) {
    if (children[i] == 0) continue;
    words[1] |= 1U << i;
    words[size++] = children[i];
  }
  return size == 2 ? 0 : nodes_.intern(std::span(words, size)).first;
}

std::vector<NumberMaps::Entry> NumberMaps::entries(std::uint32_t map) const {
  std::vector<Entry> found;
  const auto visit = [&](const auto& self, std::uint32_t node, std::uint32_t key) -> void {
    const auto words = nodes_[node];
    for (std::uint32_t i = 0, next = 2; i < kWays; ++i) {
      if ((words[1] >> i & 1U) == 0) continue;
      const std::uint32_t below = key * kWays + i;
      if (words[0] == 0) {
        found.emplace_back(below, words[next++]);
      } else {
        self(self, words[next++], below);
      }
    }
  };
  if (map != 0) visit(visit, map, 0);
  return found;
}

ConstantSetId ConstantSets::with(ConstantSetId set, ConstantId constant) {
  algebra_.step();
  const ConstantSetId id{maps_.with(Algebra::raw(set), Algebra::raw(constant), 1)};
  if (known_.contains(id)) return id;
  Known known = known_.at(set);
  known.made_of = set;
  known.added = constant;
  known.is_of_list = false;
  ++known.size;
  const auto& [is_object, parts] = algebra_.constant(constant);
  known.is_of_objects = is_object;
  known.longest = std::max(known.longest, static_cast<std::uint32_t>(parts.size()));
  const auto is_known = [&](const auto& part) { return std::ranges::binary_search(*known.names, part.first); };
  if (is_object && !std::ranges::all_of(parts, is_known)) {
    std::vector<NameId> names = *known.names;
    for (const auto& part : parts) names.push_back(part.first);
    std::ranges::sort(names);
    names.erase(std::ranges::unique(names).begin(), names.end());
    known.names = std::make_shared<const std::vector<NameId>>(std::move(names));
  }
  known_.emplace(id, std::move(known));
  return id;
}

ConstantSetId ConstantSets::of(std::span<const ConstantId> constants) {
  if (constants.size() < 2) {
    return constants.empty() ? ConstantSetId::kEmpty : with(ConstantSetId::kEmpty, constants[0]);
  }
  algebra_.step(constants.size());
  std::vector<NumberMaps::Entry> entries;
  std::vector<NameId> names;
  Known known{.size = static_cast<std::uint32_t>(constants.size()), .is_of_list = true};
  for (const ConstantId id : constants) {
    entries.emplace_back(Algebra::raw(id), 1);
    const auto& [is_object, parts] = algebra_.constant(id);
    known.is_of_objects = is_object;
    known.longest = std::max(known.longest, static_cast<std::uint32_t>(parts.size()));
    for (const auto& part : parts) names.push_back(part.first);
  }
  if (known.is_of_objects) {
    std::ranges::sort(names);
    names.erase(std::ranges::unique(names).begin(), names.end());
    known.names = std::make_shared<const std::vector<NameId>>(std::move(names));
  }
  const ConstantSetId id{maps_.of(entries)};
  known_.try_emplace(id, std::move(known));
  return id;
}

ConstantSetId ConstantSets::join(ConstantSetId a, ConstantSetId b) {
  if (a == ConstantSetId::kEmpty) return b;
  if (size(a) < size(b)) std::swap(a, b);
  for (const ConstantId constant : members(b)) a = with(a, constant);
  return a;
}

std::vector<ConstantId> ConstantSets::members(ConstantSetId set) const {
  std::vector<ConstantId> found;
  for (const auto& [id, is_member] : maps_.entries(Algebra::raw(set))) found.push_back(ConstantId{id});
  return found;
}

bool ConstantSets::contains(ConstantSetId set, ConstantId constant) const {
  return maps_.get(Algebra::raw(set), Algebra::raw(constant)) != 0;
}

// Returns the constant's value at a name or an index, or kNone.
SetId ConstantSets::value_at(ConstantId constant, std::uint32_t part) const {
  const auto& [is_object, parts] = algebra_.constant(constant);
  if (!is_object) return part < parts.size() ? parts[part].second : SetId::kNone;
  const auto found = std::ranges::find(parts, NameId{part}, [](const auto& one) { return one.first; });
  return found == parts.end() ? SetId::kNone : found->second;
}

// Returns what add() makes of `none` for the members that have the part, and remembers it for all sets on the way from a
// known one.
template <typename Result, typename Add>
Result ConstantSets::extend(std::unordered_map<Part, Result, PartHash>& memo, Part part, Result none, const Add& add) {
  std::vector<ConstantSetId> open;
  ConstantSetId set = part.set;
  Result result = std::move(none);
  for (; set != ConstantSetId::kEmpty; set = known_.at(set).made_of) {
    if (const auto known = memo.find({set, part.of}); known != memo.end()) {
      result = known->second;
      break;
    }
    open.push_back(set);
  }
  for (; !open.empty() && algebra_.step(); open.pop_back()) {
    const Known known = known_.at(open.back());
    std::vector<ConstantId> added = known.is_of_list ? members(open.back()) : std::vector{known.added};
    std::erase_if(added, [&](ConstantId constant) { return value_at(constant, part.of) == SetId::kNone; });
    if (!added.empty() && algebra_.step(added.size())) add(result, added);
    if (!algebra_.out_of_steps()) memo.emplace(Part{open.back(), part.of}, result);
  }
  return result;
}

ConstantSets::After ConstantSets::after(ConstantSetId set, NameId name) { return after_part(set, Algebra::raw(name)); }
ConstantSets::After ConstantSets::after_first(ConstantSetId set) { return after_part(set, 0); }

ConstantSets::After ConstantSets::after_part(ConstantSetId set, std::uint32_t part) {
  return extend(after_, {set, part}, After{SetId::kAny},
                [&](After& after, std::span<const ConstantId> constants) { add(after, constants, part); });
}

void ConstantSets::add(After& after, std::span<const ConstantId> constants, std::uint32_t part) {
  std::map<SetId, std::vector<ConstantId>> rests;
  for (const ConstantId constant : constants) {
    Constant rest = algebra_.constant(constant);
    const auto at = rest.is_object ? std::ranges::find(rest.parts, NameId{part}, [](const auto& p) { return p.first; })
                                   : rest.parts.begin();
    const SetId value = at->second;
    rest.parts.erase(at);
    rests[value].push_back(algebra_.constant(std::move(rest)));
  }
  const auto values_of = [&](ConstantSetId rest) { return SetId{maps_.get(after.values_of_rest, Algebra::raw(rest))}; };
  const auto set_values = [&](ConstantSetId rest, SetId values) {
    after.values_of_rest = maps_.with(after.values_of_rest, Algebra::raw(rest), Algebra::raw(values));
  };
  std::map<ConstantSetId, std::vector<SetId>> values;
  std::vector<SetId> fresh;
  for (auto& [value, added] : rests) {
    const ConstantSetId old{maps_.get(after.rest_of_value, Algebra::raw(value))};
    std::ranges::sort(added);
    added.erase(std::ranges::unique(added).begin(), added.end());
    const ConstantSetId now = join(old, of(added));
    if (now == old) continue;
    if (old == ConstantSetId::kEmpty) {
      fresh.push_back(value);
    } else {
      set_values(old, algebra_.without(values_of(old), {value}));
    }
    after.rest_of_value = maps_.with(after.rest_of_value, Algebra::raw(value), Algebra::raw(now));
    values[now].push_back(value);
  }
  for (auto& [rest, list] : values) {
    list.push_back(values_of(rest));
    set_values(rest, algebra_.join(std::move(list)));
  }
  if (!fresh.empty()) after.others = algebra_.without(after.others, std::move(fresh));
}

SetId ConstantSets::others_at(ConstantSetId set, NameId name) { return others_at(set, Algebra::raw(name)); }

SetId ConstantSets::others_at(ConstantSetId set, std::uint32_t index) {
  return extend(others_, {set, index}, SetId::kAny, [&](SetId& others, std::span<const ConstantId> constants) {
    std::vector<SetId> values;
    for (const ConstantId constant : constants) values.push_back(value_at(constant, index));
    others = algebra_.without(others, std::move(values));
  });
}

std::size_t ConstantSets::memory_bytes() const {
  constexpr std::size_t kNode = 40;  // of a hash map, besides the entry
  return maps_.memory_bytes() + known_.size() * (sizeof(Known) + kNode) + after_.size() * (sizeof(After) + kNode) +
         others_.size() * (sizeof(SetId) + kNode);
}

}  // namespace weir::frontend::json_schema
