#include "engine/canonical/ready_groups.h"

#include <algorithm>
#include <unordered_map>

#include "weir/bitmask.h"

namespace weir::engine {

std::size_t ReadyGroups::memory_bytes() const {
  std::size_t bytes = sizeof(ReadyGroups) + groups.capacity() * sizeof(ReadyGroup);
  for (const ReadyGroup& group : groups) {
    bytes += (group.tokens.capacity() + group.bits.capacity()) * sizeof(std::uint32_t);
  }
  return bytes;
}

std::optional<ReadyGroups> compute_ready_groups(ResidualTable& table, const TokenView& tokens) {
  const vocab::TokenTrie& trie = tokens.trie;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_residual;
  std::vector<std::uint32_t> path(trie.max_depth() + 1, table.root());
  const auto nodes = trie.nodes();
  std::uint32_t last = ResidualTable::kDead;  // most tokens lead to the residual of the token before them
  std::vector<std::uint32_t>* group = nullptr;
  for (std::size_t i = 0; i < nodes.size() && !table.is_inexact();) {
    const vocab::TrieNode node = nodes[i];
    const std::uint32_t next = table.step(path[node.depth - 1], static_cast<std::uint8_t>(node.byte));
    if (next == ResidualTable::kDead) {
      i += node.subtree_size;
      continue;
    }
    path[node.depth] = next;
    if (node.tokens != 0) {
      if (next != last) group = &by_residual[last = next];
      for (const std::uint32_t token : trie.tokens_at(node)) group->push_back(token);
    }
    ++i;
  }
  if (table.is_inexact()) return std::nullopt;
  ReadyGroups out;
  for (auto& [residual, listed] : by_residual) {
    ReadyGroup group_of;
    for (unsigned byte = 0; byte < 256; ++byte) {
      const auto b = static_cast<std::uint8_t>(byte);
      if (table.step(residual, b) != ResidualTable::kDead) group_of.live.add(b);
    }
    std::sort(listed.begin(), listed.end());
    group_of.representative = listed.front();
    if (listed.size() > bitmask_words(tokens.vocabulary.size())) {
      group_of.bits.resize(bitmask_words(tokens.vocabulary.size()));
      for (const std::uint32_t token : listed) group_of.bits[token / 32] |= std::uint32_t{1} << (token % 32);
    } else {
      group_of.tokens.assign(listed.begin(), listed.end());
    }
    out.groups.push_back(std::move(group_of));
  }
  if (table.is_inexact()) return std::nullopt;
  // The order of the map is the library's; ours is that of the tokens.
  std::sort(out.groups.begin(), out.groups.end(),
            [](const ReadyGroup& a, const ReadyGroup& b) { return a.representative < b.representative; });
  return out;
}

std::shared_ptr<const ReadyGroups> GroupsStore::find(const FactsStore::Key& key) {
  const std::scoped_lock lock(mutex_);
  const auto known = known_.find(key);
  return known == known_.end() ? nullptr : known->second.groups;
}

std::shared_ptr<const ReadyGroups> GroupsStore::insert(const FactsStore::Key& key, ReadyGroups groups) {
  auto made = std::make_shared<const ReadyGroups>(std::move(groups));
  const std::scoped_lock lock(mutex_);
  count(made->memory_bytes());
  Known& known = known_[key];
  if (known.groups == nullptr) known.groups = std::move(made);
  return known.groups;
}

GroupsStore::Tokens GroupsStore::find_unproven(const FactsStore::Key& key, const Part& part) {
  const std::scoped_lock lock(mutex_);
  const auto known = known_.find(key);
  if (known == known_.end()) return nullptr;
  const auto found = known->second.unproven.find(part);
  return found == known->second.unproven.end() ? nullptr : found->second;
}

GroupsStore::Tokens GroupsStore::insert_unproven(const FactsStore::Key& key, const Part& part,
                                                 std::vector<std::uint32_t> tokens) {
  auto made = std::make_shared<const std::vector<std::uint32_t>>(std::move(tokens));
  const std::scoped_lock lock(mutex_);
  count(made->capacity() * sizeof(std::uint32_t) + sizeof(Part));
  known_[key].unproven.emplace(part, made);
  return made;
}

void GroupsStore::count(std::size_t bytes) {
  bytes_ += bytes;
  if (bytes_ <= kMaxBytes) return;
  known_.clear();
  bytes_ = bytes;
}

}  // namespace weir::engine
