#include "engine/canonical/ready_groups.h"

#include <algorithm>
#include <unordered_map>

#include "weir/bitmask.h"

namespace weir::engine {

std::size_t ReadyGroups::memory_bytes() const {
  std::size_t bytes =
      sizeof(ReadyGroups) + groups.capacity() * sizeof(ReadyGroup) + group_numbers.capacity() * sizeof(std::uint16_t);
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
  constexpr std::size_t kFewTokens = 1'024;
  for (const auto& [residual, listed] : by_residual) out.token_count += listed.size();
  if (out.token_count <= kFewTokens || out.groups.size() >= UINT16_MAX) return out;
  out.group_numbers.resize(tokens.vocabulary.size());
  for (std::size_t i = 0; i < out.groups.size(); ++i) {
    out.groups[i].for_each([&](std::uint32_t token) { out.group_numbers[token] = static_cast<std::uint16_t>(i + 1); });
  }
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

std::shared_ptr<const GroupsStore::Unproven> GroupsStore::find_unproven(const FactsStore::Key& key,
                                                                        std::uint32_t source) {
  const std::scoped_lock lock(mutex_);
  const auto known = known_.find(key);
  if (known == known_.end()) return nullptr;
  const auto found = known->second.unproven.find(source);
  return found == known->second.unproven.end() ? nullptr : found->second;
}

std::shared_ptr<const GroupsStore::Unproven> GroupsStore::insert_unproven(const FactsStore::Key& key,
                                                                          std::uint32_t source, Unproven found) {
  std::size_t bytes = sizeof(Unproven) + found.tokens.capacity() * sizeof(std::uint32_t);
  for (const Unproven::Bulk& bulk : found.bulks) {
    bytes += sizeof(bulk) + bulk.tokens.capacity() * sizeof(std::uint32_t);
  }
  auto made = std::make_shared<const Unproven>(std::move(found));
  const std::scoped_lock lock(mutex_);
  count(bytes);
  known_[key].unproven.emplace(source, made);
  return made;
}

void GroupsStore::count(std::size_t bytes) {
  bytes_ += bytes;
  if (bytes_ <= kMaxBytes) return;
  known_.clear();
  bytes_ = bytes;
}

}  // namespace weir::engine
