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

namespace {

// Groups tokens by residual. `residuals` lists them, ascending by token.
ReadyGroups make_groups(ResidualTable& table, std::span<const std::pair<std::uint32_t, std::uint32_t>> residuals,
                        const TokenView& tokens) {
  ReadyGroups out;
  out.token_count = residuals.size();
  std::unordered_map<std::uint32_t, std::uint32_t> numbers;  // of groups, by residual
  const std::size_t words = bitmask_words(tokens.vocabulary.size());
  std::vector<std::uint32_t> sizes;
  std::uint32_t last = ResidualTable::kDead;  // most tokens lead to the residual of the token before them
  std::uint32_t number = 0;
  const auto number_of = [&](std::uint32_t residual) {
    if (residual == last) return number;
    last = residual;
    return number = numbers.try_emplace(residual, static_cast<std::uint32_t>(numbers.size())).first->second;
  };
  for (const auto& [token, residual] : residuals) {
    const std::uint32_t group = number_of(residual);
    if (group == out.groups.size()) {
      out.groups.emplace_back().representative = token;
      sizes.push_back(0);
      for (unsigned byte = 0; byte < 256; ++byte) {
        const auto b = static_cast<std::uint8_t>(byte);
        if (table.step(residual, b) != ResidualTable::kDead) out.groups.back().live.add(b);
      }
    }
    ++sizes[group];
  }
  constexpr std::size_t kFewTokens = 1'024;
  const bool are_numbered = out.token_count > kFewTokens && out.groups.size() < UINT16_MAX;
  if (are_numbered) out.group_numbers.resize(tokens.vocabulary.size());
  for (const auto& [token, residual] : residuals) {
    const std::uint32_t group = number_of(residual);
    ReadyGroup& to = out.groups[group];
    if (are_numbered) out.group_numbers[token] = static_cast<std::uint16_t>(group + 1);
    if (sizes[group] <= words) {
      to.tokens.push_back(token);
      continue;
    }
    if (to.bits.empty()) to.bits.resize(words);
    to.bits[token / 32] |= std::uint32_t{1} << (token % 32);
  }
  return out;
}

using Listed = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// Each token is listed once.
void sort_by_token(Listed& listed, std::size_t vocab_size) {
  constexpr std::size_t kFew = 16;  // of the vocabulary's tokens one in so many
  if (listed.size() < vocab_size / kFew) {
    std::sort(listed.begin(), listed.end());
    return;
  }
  std::vector<std::uint32_t> residual_of(vocab_size, ResidualTable::kDead);
  for (const auto& [token, residual] : listed) residual_of[token] = residual;
  listed.clear();
  for (std::uint32_t token = 0; token < vocab_size; ++token) {
    if (residual_of[token] != ResidualTable::kDead) listed.emplace_back(token, residual_of[token]);
  }
}

}  // namespace

std::optional<ReadyGroups> compute_ready_groups(ResidualTable& table, const TokenView& tokens) {
  const vocab::TokenTrie& trie = tokens.trie;
  Listed listed;
  std::vector<std::uint32_t> path(trie.max_depth() + 1, table.root());
  const auto nodes = trie.nodes();
  for (std::size_t i = 0; i < nodes.size() && !table.is_inexact();) {
    const vocab::TrieNode node = nodes[i];
    const std::uint32_t next = table.step(path[node.depth - 1], static_cast<std::uint8_t>(node.byte));
    if (next == ResidualTable::kDead) {
      i += node.subtree_size;
      continue;
    }
    path[node.depth] = next;
    if (node.tokens != 0) {
      for (const std::uint32_t token : trie.tokens_at(node)) listed.emplace_back(token, next);
    }
    ++i;
  }
  sort_by_token(listed, tokens.vocabulary.size());
  ReadyGroups out = make_groups(table, listed, tokens);
  if (table.is_inexact()) return std::nullopt;
  return out;
}

std::optional<ReadyGroups> compute_groups_beside(ResidualTable& table, std::uint32_t base, const TokenView& tokens) {
  // Beyond this a walk of its own costs little more.
  constexpr std::size_t kMaxNodes = 32'768;
  const vocab::TokenTrie& trie = tokens.trie;
  std::vector<std::uint32_t> path(trie.max_depth() + 1, table.root());
  std::vector<std::uint32_t> beside(trie.max_depth() + 1, base);
  const auto nodes = trie.nodes();
  Listed listed;
  std::size_t visited = 0;
  for (std::size_t i = 0; i < nodes.size() && !table.is_inexact();) {
    const vocab::TrieNode node = nodes[i];
    if (++visited > kMaxNodes) return std::nullopt;
    const auto byte = static_cast<std::uint8_t>(node.byte);
    const std::uint32_t next = table.step(path[node.depth - 1], byte);
    const std::uint32_t other = beside[node.depth - 1] == ResidualTable::kDead
                                    ? ResidualTable::kDead
                                    : table.step(beside[node.depth - 1], byte);
    if (next == ResidualTable::kDead || next == other) {
      i += node.subtree_size;
      continue;
    }
    path[node.depth] = next;
    beside[node.depth] = other;
    if (node.tokens != 0) {
      for (const std::uint32_t token : trie.tokens_at(node)) listed.emplace_back(token, next);
    }
    ++i;
  }
  std::sort(listed.begin(), listed.end());
  ReadyGroups out = make_groups(table, listed, tokens);
  if (table.is_inexact()) return std::nullopt;
  return out;
}

std::shared_ptr<const ReadyGroups> GroupsStore::find(const FactsStore::Key& key) {
  const MutexLock lock(mutex_);
  const auto known = known_.find(key);
  return known == known_.end() ? nullptr : known->second.groups;
}

std::shared_ptr<const ReadyGroups> GroupsStore::insert(const FactsStore::Key& key, ReadyGroups groups) {
  auto made = std::make_shared<const ReadyGroups>(std::move(groups));
  const MutexLock lock(mutex_);
  count(made->memory_bytes());
  Known& known = known_[key];
  if (known.groups == nullptr) known.groups = std::move(made);
  return known.groups;
}

std::shared_ptr<const GroupsStore::Unproven> GroupsStore::find_unproven(const FactsStore::Key& key,
                                                                        std::uint32_t source) {
  const MutexLock lock(mutex_);
  const auto known = known_.find(key);
  if (known == known_.end()) return nullptr;
  const auto found = known->second.unproven.find(source);
  return found == known->second.unproven.end() ? nullptr : found->second;
}

std::shared_ptr<const GroupsStore::Unproven> GroupsStore::insert_unproven(const FactsStore::Key& key,
                                                                          std::uint32_t source, Unproven found) {
  std::size_t bytes = sizeof(Unproven) + (found.tokens.capacity() + found.dead.capacity()) * sizeof(std::uint32_t);
  for (const Unproven::Bulk& bulk : found.bulks) {
    bytes += sizeof(bulk) + bulk.tokens.capacity() * sizeof(std::uint32_t) + bulk.endings.capacity() * sizeof(Ending);
  }
  auto made = std::make_shared<const Unproven>(std::move(found));
  const MutexLock lock(mutex_);
  count(bytes);
  known_[key].unproven.emplace(source, made);
  return made;
}

GroupsStore::Witnesses GroupsStore::witnesses(canonical::PlaceId place, std::uint32_t token) const {
  const MutexLock lock(mutex_);
  const auto known = witnesses_.find(static_cast<std::uint32_t>(place));
  if (known == witnesses_.end()) return {};
  const auto fits = fits_.find(fit_key(place, token));
  if (fits == fits_.end()) return {.list = known->second};
  return {.list = known->second, .known = fits->second.known, .fitting = fits->second.fitting};
}

void GroupsStore::insert_witness(canonical::PlaceId place, std::uint32_t token, Witness witness) {
  std::size_t number = 0;
  {
    const MutexLock lock(mutex_);
    if (all_witnesses_ == kMaxAllWitnesses) return;
    auto& known = witnesses_[static_cast<std::uint32_t>(place)];
    number = known == nullptr ? 0 : known->size();
    if (number == kMaxWitnesses) return;
    std::vector<Witness> list = known == nullptr ? std::vector<Witness>() : *known;
    list.push_back(std::move(witness));
    known = std::make_shared<const std::vector<Witness>>(std::move(list));
    ++all_witnesses_;
  }
  set_fit(place, token, number, true);
}

void GroupsStore::set_fit(canonical::PlaceId place, std::uint32_t token, std::size_t i, bool fits) {
  const MutexLock lock(mutex_);
  if (fits_.size() == kMaxFits) fits_.clear();
  Fits& known = fits_[fit_key(place, token)];
  known.known |= std::uint64_t{1} << i;
  if (fits) known.fitting |= std::uint64_t{1} << i;
}

void GroupsStore::count(std::size_t bytes) {
  bytes_ += bytes;
  if (bytes_ <= kMaxBytes) return;
  known_.clear();
  bytes_ = bytes;
}

}  // namespace weir::engine
