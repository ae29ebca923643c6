#include "engine/facts/ready_groups.h"

#include <algorithm>
#include <unordered_map>

#include "base/work.h"
#include "engine/accelerators/bases.h"
#include "engine/accelerators/character_steps.h"
#include "engine/search_bounds.h"
#include "regex/analysis/text_horizon.h"
#include "vocab/trie_summary.h"
#include "weir/bitmask.h"

namespace weir::engine {

using regex::ExprId;

std::size_t ReadyGroups::memory_bytes() const {
  std::size_t bytes = sizeof(ReadyGroups) + groups.capacity() * sizeof(ReadyGroup);
  for (const ReadyGroup& group : groups) bytes += group.tokens.memory_bytes();
  return bytes;
}

bool TextBound::covers(std::string_view text) const {
  if (text.size() > bytes) return false;
  const auto begins_character = [](char c) { return (static_cast<std::uint8_t>(c) & 0xC0U) != 0x80; };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character)) <= characters;
}

ReadyGroups make_groups(ResidualTable& table, std::span<const ListedToken> listed, const TokenView& tokens) {
  constexpr std::uint32_t kNoGroup = UINT32_MAX;
  ReadyGroups out;
  // Numbers of groups, by residual. The table also has residuals of other walks, perhaps thousands.
  std::vector<std::uint32_t> all_numbers;
  std::unordered_map<std::uint32_t, std::uint32_t> few_numbers;
  if (listed.size() > table.size() / 16) all_numbers.assign(table.size(), kNoGroup);
  const auto number_of = [&](std::uint32_t residual) -> std::uint32_t& {
    return all_numbers.empty() ? few_numbers.try_emplace(residual, kNoGroup).first->second : all_numbers[residual];
  };
  std::vector<std::vector<std::uint32_t>> tokens_of;  // by group
  for (const auto& [token, residual] : listed) {
    std::uint32_t& number = number_of(residual);
    if (number == kNoGroup) {
      number = static_cast<std::uint32_t>(out.groups.size());
      tokens_of.emplace_back();
      regex::ByteSet& live = out.groups.emplace_back().live;
      for (unsigned byte = 0; byte < 256; ++byte) {
        const auto b = static_cast<std::uint8_t>(byte);
        if (table.step(residual, b) != ResidualTable::kDead) live.add(b);
      }
    }
    tokens_of[number].push_back(token);
  }
  for (std::size_t i = 0; i < tokens_of.size(); ++i) {
    out.groups[i].representative = *std::min_element(tokens_of[i].begin(), tokens_of[i].end());
    out.groups[i].tokens = vocab::TokenSet(std::move(tokens_of[i]), bitmask_words(tokens.vocabulary.size()));
  }
  return out;
}

std::optional<ReadyGroups> compute_ready_groups(ResidualTable& table, const TokenView& tokens) {
  const vocab::TokenTrie& trie = tokens.trie;
  std::vector<ListedToken> listed;
  std::uint64_t visited = 0;
  const auto step = [&](std::uint32_t& residual, std::uint8_t byte) {
    ++visited;
    residual = table.is_inexact() ? ResidualTable::kDead : table.step(residual, byte);
    return residual != ResidualTable::kDead;
  };
  trie.for_each_read(table.root(), step, [&](std::uint32_t token, std::uint32_t residual) {
    listed.push_back({token, residual});
  });
  ReadyGroups out = make_groups(table, listed, tokens);
  base::Work::charge(visited / base::Work::kTrieNodes);
  if (table.is_inexact()) return std::nullopt;
  return out;
}

std::optional<ReadyGroups> compute_ready_groups(ResidualTable& table, const TokenView& tokens,
                                                std::span<const std::uint32_t> ready) {
  std::vector<ListedToken> listed;
  for (const std::uint32_t token : ready) {
    std::uint32_t residual = table.root();
    for (const char c : tokens.bytes_of(token)) residual = table.step(residual, static_cast<std::uint8_t>(c));
    if (residual != ResidualTable::kDead) listed.push_back({token, residual});
  }
  ReadyGroups out = make_groups(table, listed, tokens);
  base::Work::charge(listed.size());
  if (table.is_inexact()) return std::nullopt;
  return out;
}

std::optional<ExprId> find_base_of_groups(ResidualTable& table, const TokenView& tokens, const TextBound& near) {
  std::uint32_t from = table.root();
  if (near != kAnyText) {
    const regex::Rounds rounds = table.first_rounds();
    if (rounds.max != regex::kUnbounded && rounds.max > near.characters) {
      return regex::with_first_rounds(table.exprs(), table.expr(from), {});
    }
    if (const std::uint32_t uncounted = find_uncounted(table); uncounted != ResidualTable::kDead) from = uncounted;
  }
  if (!is_wide(table, from, tokens)) return std::nullopt;
  const std::uint32_t loop = CharacterSteps(table).usual_loop(from);
  const std::uint32_t base = loop != ResidualTable::kDead ? loop : from;
  return base == table.root() || table.is_inexact() ? std::nullopt : std::optional(table.expr(base));
}

std::optional<ExprId> find_base_after_byte(ResidualTable& table) {
  std::optional<std::uint8_t> first;
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (table.step(table.root(), static_cast<std::uint8_t>(byte)) == ResidualTable::kDead) continue;
    if (first.has_value()) return std::nullopt;
    first = static_cast<std::uint8_t>(byte);
  }
  if (!first.has_value() || table.can_end(table.root())) return std::nullopt;
  const std::uint32_t inside = table.step(table.root(), *first);
  const std::uint32_t loop = CharacterSteps(table).usual_loop(inside);
  if (loop == ResidualTable::kDead || loop == inside || table.is_inexact()) return std::nullopt;
  const char byte = static_cast<char>(*first);
  return table.exprs().concat(table.exprs().literal({&byte, 1}), table.expr(loop));
}

std::optional<ReadyGroups> compute_groups_beside(ResidualTable& table, std::uint32_t base, TextBound bound,
                                                 const TokenView& tokens) {
  const vocab::TokenTrie& trie = tokens.trie;
  struct Beside {
    std::uint32_t residual, of_base;
  };
  std::vector<Beside> path(trie.max_depth() + 1, {table.root(), base});
  // Returns true if no token of the subtree, with a text within `bound` after it, distinguishes residual `a` from `b`.
  const auto are_equal_below = [&](std::uint32_t a, std::uint32_t b, std::size_t node) {
    const regex::EqualPrefix equal = table.equal_prefix_length(a, b);
    const std::uint32_t bytes = tokens.summary.max_bytes(node);
    if (bytes < vocab::kManyCharacters && bytes + bound.bytes <= equal.bytes) return true;
    if (equal.characters <= bound.characters || !tokens.summary.is_text(node)) return false;
    const std::uint32_t characters = tokens.summary.max_characters(node);
    return characters < vocab::kManyCharacters && characters + bound.characters <= equal.characters;
  };
  std::vector<ListedToken> listed;
  std::uint64_t visited = 0;
  trie.scan(
      trie.all(), std::span(path),
      [&](std::size_t i, const vocab::TrieNode& node, const Beside& before, Beside& after) {
        if (table.is_inexact() || visited++ > kMaxNodesBesideBase) return vocab::Scan::kStop;
        const bool is_dead = before.of_base == ResidualTable::kDead;
        if (!is_dead && are_equal_below(before.residual, before.of_base, i)) return vocab::Scan::kPast;
        const auto byte = static_cast<std::uint8_t>(node.byte);
        after = {table.step(before.residual, byte), is_dead ? ResidualTable::kDead : table.step(before.of_base, byte)};
        if (after.residual == ResidualTable::kDead || after.residual == after.of_base) return vocab::Scan::kPast;
        if (node.tokens == 0) return vocab::Scan::kInto;
        const regex::EqualPrefix equal = after.of_base == ResidualTable::kDead
                                             ? regex::EqualPrefix()
                                             : table.equal_prefix_length(after.residual, after.of_base);
        if (equal.bytes < bound.bytes && equal.characters < bound.characters) {
          for (const std::uint32_t token : trie.tokens_at(node)) listed.push_back({token, after.residual});
        }
        return vocab::Scan::kInto;
      });
  ReadyGroups out = make_groups(table, listed, tokens);
  base::Work::charge(visited / base::Work::kTrieNodes);
  out.are_beside_base = true;
  if (table.is_inexact() || visited > kMaxNodesBesideBase) return std::nullopt;
  return out;
}

std::shared_ptr<const ReadyGroups> GroupsStore::find(const FactsStore::Key& key) {
  const MutexLock lock(mutex_);
  const auto* known = groups_.find(key);
  return known == nullptr ? nullptr : *known;
}

std::shared_ptr<const ReadyGroups> GroupsStore::insert(const FactsStore::Key& key, ReadyGroups groups) {
  auto made = std::make_shared<const ReadyGroups>(std::move(groups));
  const std::size_t bytes = kEntryBytes + made->memory_bytes();
  const MutexLock lock(mutex_);
  return groups_.insert(key, std::move(made), bytes);
}

std::size_t GroupsStore::Unproven::memory_bytes() const {
  std::size_t bytes = sizeof(*this) + (tokens.capacity() + dead.capacity() + far.capacity()) * sizeof(std::uint32_t);
  for (const Bulk& bulk : bulks) {
    bytes += sizeof(bulk) + bulk.tokens.capacity() * sizeof(std::uint32_t) + bulk.endings.capacity() * sizeof(Ending);
  }
  return bytes;
}

std::shared_ptr<const GroupsStore::Unproven> GroupsStore::find_unproven(const FactsStore::Key& key,
                                                                        std::uint32_t source) {
  const MutexLock lock(mutex_);
  const auto* known = unproven_.find({key, source});
  return known == nullptr ? nullptr : *known;
}

std::shared_ptr<const GroupsStore::Unproven> GroupsStore::insert_unproven(const FactsStore::Key& key,
                                                                          std::uint32_t source, Unproven found) {
  const std::size_t bytes = kEntryBytes + found.memory_bytes();
  auto made = std::make_shared<const Unproven>(std::move(found));
  const MutexLock lock(mutex_);
  return unproven_.insert({key, source}, std::move(made), bytes);
}

GroupsStore::Proofs GroupsStore::proofs(canonical::PlaceId place, std::uint32_t token) const {
  const MutexLock lock(mutex_);
  const auto known = proofs_.find(static_cast<std::uint32_t>(place));
  if (known == proofs_.end()) return {};
  const auto fits = fits_.find(fit_key(place, token));
  if (fits == fits_.end()) return {.list = known->second};
  return {.list = known->second, .known = fits->second.known, .fitting = fits->second.fitting};
}

void GroupsStore::insert_proof(canonical::PlaceId place, std::uint32_t token, Proof proof) {
  std::size_t number = 0;
  {
    const MutexLock lock(mutex_);
    if (all_proofs_ == kMaxAllProofs) return;
    auto& known = proofs_[static_cast<std::uint32_t>(place)];
    number = known == nullptr ? 0 : known->size();
    if (number == kMaxProofsOfPlace) return;
    std::vector<Proof> list = known == nullptr ? std::vector<Proof>() : *known;
    list.push_back(std::move(proof));
    known = std::make_shared<const std::vector<Proof>>(std::move(list));
    ++all_proofs_;
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

}  // namespace weir::engine
