#include "frontend/json_schema/model/constant_sets.h"

#include <algorithm>
#include <bit>
#include <utility>

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

ConstantSets::ConstantSets(Algebra& algebra) : algebra_(algebra), known_(1), number_of_{0} { names_.intern({}); }

void ConstantSets::take_over(ConstantSets& before) {
  maps_ = std::move(before.maps_);
  known_ = std::move(before.known_);
  number_of_ = std::move(before.number_of_);
  names_ = std::move(before.names_);
  part_count_ = before.part_count_;
}

// Adds a set of constants: `known`, which the caller has begun, and `added`.
ConstantSetId ConstantSets::add(std::uint32_t map, Known known, std::span<const ConstantId> added) {
  algebra_.step(added.size());
  if (map >= number_of_.size()) number_of_.resize(map + 1);
  if (number_of_[map] != 0) return ConstantSetId{map};
  std::vector<std::uint32_t> names(names_[known.names].begin(), names_[known.names].end());
  for (const ConstantId id : added) {
    const auto& [is_object, parts] = algebra_.constant(id);
    known.is_of_objects = is_object;
    known.longest = std::max(known.longest, static_cast<std::uint32_t>(parts.size()));
    for (const auto& part : parts) {
      if (is_object) names.push_back(Algebra::raw(part.first));
    }
  }
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  known.names = names_.intern(names).first;
  known.size += static_cast<std::uint32_t>(added.size());
  number_of_[map] = static_cast<std::uint32_t>(known_.size());
  known_.push_back(std::move(known));
  return ConstantSetId{map};
}

ConstantSetId ConstantSets::with(ConstantSetId set, ConstantId constant) {
  const std::uint32_t map = maps_.with(Algebra::raw(set), Algebra::raw(constant), 1);
  if (map == Algebra::raw(set)) return set;
  Known known = this->known(set);
  known.parts.clear();
  known.made_of = set;
  known.added = constant;
  known.is_of_list = false;
  return add(map, std::move(known), {&constant, 1});
}

ConstantSetId ConstantSets::of(std::span<const ConstantId> constants) {
  if (constants.empty()) return ConstantSetId::kEmpty;
  if (constants.size() == 1) return with(ConstantSetId::kEmpty, constants[0]);
  std::vector<NumberMaps::Entry> entries;
  for (const ConstantId id : constants) entries.emplace_back(Algebra::raw(id), 1);
  Known known;
  known.is_of_list = true;
  return add(maps_.of(entries), std::move(known), constants);
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
  for (const auto& [name, value] : parts) {
    if (name == NameId{part}) return value;
  }
  return SetId::kNone;
}

// Also finds and remembers the same for all sets on the way from one for which it is known.
ConstantSets::After ConstantSets::after_part(ConstantSetId set, std::uint32_t part) {
  std::vector<ConstantSetId> open;
  After after;
  for (bool is_known = false; set != ConstantSetId::kEmpty && !is_known; set = known(set).made_of) {
    for (const Part& one : known(set).parts) {
      if (one.of != part) continue;
      after = one.after;
      is_known = true;
    }
    if (!is_known) open.push_back(set);
  }
  for (; !open.empty() && algebra_.step(); open.pop_back()) {
    const bool is_of_list = known(open.back()).is_of_list;
    std::vector<ConstantId> added = is_of_list ? members(open.back()) : std::vector{known(open.back()).added};
    std::erase_if(added, [&](ConstantId constant) { return value_at(constant, part) == SetId::kNone; });
    if (!added.empty() && algebra_.step(added.size())) extend(after, added, part);
    if (algebra_.out_of_steps()) continue;
    known_[number_of_[Algebra::raw(open.back())]].parts.push_back({part, after});
    ++part_count_;
  }
  return after;
}

void ConstantSets::extend(After& after, std::span<const ConstantId> constants, std::uint32_t part) {
  std::vector<NumberMaps::Entry> rests;  // by value
  for (const ConstantId constant : constants) {
    Constant rest = algebra_.constant(constant);
    auto at = rest.parts.begin();
    while (rest.is_object ? at->first != NameId{part} : static_cast<std::uint32_t>(at - rest.parts.begin()) != part)
      ++at;
    const SetId value = at->second;
    rest.parts.erase(at);
    rests.emplace_back(Algebra::raw(value), Algebra::raw(algebra_.constant(std::move(rest))));
  }
  std::ranges::sort(rests);
  std::vector<NumberMaps::Entry> values;  // by rest
  std::vector<SetId> fresh;
  for (std::size_t i = 0; i < rests.size();) {
    const std::uint32_t value = rests[i].first;
    std::vector<ConstantId> added;
    for (; i < rests.size() && rests[i].first == value; ++i) added.push_back(ConstantId{rests[i].second});
    added.erase(std::ranges::unique(added).begin(), added.end());
    const ConstantSetId old{maps_.get(after.rest_of_value, value)};
    const ConstantSetId now = join(old, of(added));
    if (now == old) continue;
    if (old == ConstantSetId::kEmpty) {
      fresh.push_back(SetId{value});
    } else {
      const SetId left = algebra_.without(SetId{maps_.get(after.values_of_rest, Algebra::raw(old))}, {SetId{value}});
      after.values_of_rest = maps_.with(after.values_of_rest, Algebra::raw(old), Algebra::raw(left));
    }
    after.rest_of_value = maps_.with(after.rest_of_value, value, Algebra::raw(now));
    values.emplace_back(Algebra::raw(now), value);
  }
  std::ranges::sort(values);
  for (std::size_t i = 0; i < values.size();) {
    const std::uint32_t rest = values[i].first;
    std::vector<SetId> joined{SetId{maps_.get(after.values_of_rest, rest)}};
    for (; i < values.size() && values[i].first == rest; ++i) joined.push_back(SetId{values[i].second});
    after.values_of_rest = maps_.with(after.values_of_rest, rest, Algebra::raw(algebra_.join(std::move(joined))));
  }
  if (!fresh.empty()) after.others = algebra_.without(after.others, std::move(fresh));
}

std::size_t ConstantSets::memory_bytes() const {
  return maps_.memory_bytes() + known_.capacity() * sizeof(Known) + number_of_.capacity() * sizeof(std::uint32_t) +
         part_count_ * 2 * sizeof(Part);
}

}  // namespace weir::frontend::json_schema
