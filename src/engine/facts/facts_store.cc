#include "engine/facts/facts_store.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <random>
#include <utility>
#include <vector>

#include "base/threads.h"
#include "base/work.h"
#include "engine/facts/vocabulary_store.h"
#include "engine/search_bounds.h"
#include "regex/analysis/text_horizon.h"
#include "regex/atoms/json_string.h"
#include "regex/unicode/utf8_ranges.h"
#include "weir/limits.h"

namespace weir::engine {

namespace {

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

FactsStore::FactsStore() {
  storages_.reserve(kMaxTableStorages);  // a lease returns its storage without an allocation
  std::random_device random;
  for (std::uint64_t& word : key_) word = (std::uint64_t{random()} << 32) | random();
}

void FactsStore::prepare(const vocab::Vocabulary& vocabulary) {
  if (vocabulary.size() < kMinPreparedVocabulary) return;
  std::call_once(prepared_, [&] {
    if constexpr (WEIR_HAS_THREADS != 0) kinds_ = std::make_shared<const TokenKinds>(vocabulary);
    const Limits limits;
    regex::ExprSet exprs(limits.regex_nodes);
    FactsCache cache(vocabulary, exprs, limits.regex_fuel);
    const regex::ExprId character = regex::any_code_point(exprs);
    const regex::ExprId any_string = regex::json_string_tail(exprs, exprs.repeat(character, 0, regex::kUnbounded), {});
    (void)cache.of(any_string, base::LexemeMode::kExact, TokenPosition::kInside);
  });
}

std::shared_ptr<const TokenFacts> FactsStore::find(const Key& key) {
  const MutexLock lock(mutex_);
  const auto* found = facts_.find(key);
  return found == nullptr ? nullptr : *found;
}

std::shared_ptr<const TokenFacts> FactsStore::insert(const Key& key, std::shared_ptr<const TokenFacts> facts) {
  const MutexLock lock(mutex_);
  if (const auto* known = facts_.find(key)) return *known;
  const std::size_t bytes = kEntryBytes + facts->memory_bytes();
  return facts_.insert(key, std::move(facts), bytes);
}

std::unique_ptr<ResidualTable::Storage> FactsStore::lease(std::uint64_t owner) {
  const MutexLock lock(mutex_);
  if (storages_.empty()) return std::make_unique<ResidualTable::Storage>();
  const auto own = std::ranges::find(storages_, owner, [](const auto& storage) { return storage->owner(); });
  if (own != storages_.end()) std::iter_swap(own, storages_.end() - 1);
  std::unique_ptr<ResidualTable::Storage> storage = std::move(storages_.back());
  storages_.pop_back();
  return storage;
}

void FactsStore::give_back(std::unique_ptr<ResidualTable::Storage> storage) {
  const MutexLock lock(mutex_);
  if (storages_.size() >= kMaxTableStorages || storage_bytes() + storage->memory_bytes() > kMaxTableStorageBytes)
    return;
  storages_.push_back(std::move(storage));
}

std::size_t FactsStore::storage_bytes() const {
  std::size_t bytes = 0;
  for (const auto& storage : storages_) bytes += storage->memory_bytes();
  return bytes;
}

std::size_t FactsStore::memory_bytes() const {
  const MutexLock lock(mutex_);
  std::size_t bytes = facts_.memory_bytes() + storage_bytes();
  if constexpr (WEIR_HAS_THREADS != 0) bytes += kinds_ == nullptr ? 0 : kinds_->memory_bytes();
  return bytes;
}

FactsCache::FactsCache(const vocab::Vocabulary& vocabulary, regex::ExprSet& exprs, std::uint32_t fuel)
    : number_(next_number()),
      vocabulary_(vocabulary),
      store_(vocabulary.extension<VocabularyStore>().facts),
      exprs_(exprs),
      fuel_(fuel),
      fingerprints_(store_.key(), number_) {}

const TokenFacts* FactsCache::of(regex::ExprId residual, base::LexemeMode mode, TokenPosition position) {
  const std::uint64_t key = (static_cast<std::uint64_t>(residual) << 8) | static_cast<std::uint64_t>(mode);
  const auto [it, is_new] = known_[static_cast<std::size_t>(position)].try_emplace(key);
  if (is_new) {
    const TokenView tokens(vocabulary_, position);
    it->second = look_up(regex::drop_distant_counts(exprs_, residual, tokens.trie.max_depth()), mode, tokens);
    if (it->second == nullptr && base::Work::is_met()) {  // another call may compute them
      known_[static_cast<std::size_t>(position)].erase(it);
      return nullptr;
    }
  }
  return it->second.get();
}

FactsCache::Facts FactsCache::look_up(regex::ExprId residual, base::LexemeMode mode, const TokenView& tokens) {
  const FactsStore::Key key = key_of(residual, mode, tokens.position);
  if (Facts known = store_.find(key)) return known;
  const FactsStore::Lease storage(store_, owner(mode));
  ResidualTable table(*storage, owner(mode), exprs_, {residual, mode}, fuel_, store_.accelerators());
  std::optional<TokenFacts> facts;
  if (!is_wide(table, table.root(), tokens)) {
    facts = compute_narrow_facts(table, tokens);
  } else {
    BaseSearch search(table);
    std::vector<Base> tried;
    for (const BaseKind& kind : kBases) {
      if (!accelerators().has(kind.accelerator)) continue;
      const Base base = (search.*kind.find)();
      if (std::ranges::find(tried, base) != tried.end()) continue;  // its difference was too large
      facts = difference(table, tokens, mode, base);
      if (facts.has_value()) break;
      tried.push_back(base);
    }
    if (!facts.has_value()) facts = compute_wide_facts(table, tokens, store_.kinds());
  }
  return keep(key, std::move(facts));
}

std::optional<TokenFacts> FactsCache::difference(ResidualTable& table, const TokenView& tokens, base::LexemeMode mode,
                                                 const Base& base) {
  if (base.residual == ResidualTable::kDead) return std::nullopt;  // there is no base
  Facts known = base_facts(table.expr(base.residual), mode, tokens);
  return known == nullptr ? std::nullopt : compute_difference(table, tokens, base, std::move(known));
}

// Returns the facts of a wide residual if they have no base themselves: bases are never chained.
FactsCache::Facts FactsCache::base_facts(regex::ExprId residual, base::LexemeMode mode, const TokenView& tokens) {
  const FactsStore::Key key = key_of(residual, mode, tokens.position);
  if (Facts known = store_.find(key)) return known->base_facts == nullptr && known->ready != nullptr ? known : nullptr;
  const FactsStore::Lease storage(store_, owner(mode));
  ResidualTable table(*storage, owner(mode), exprs_, {residual, mode}, fuel_, store_.accelerators());
  return is_wide(table, table.root(), tokens) ? keep(key, compute_wide_facts(table, tokens, store_.kinds())) : nullptr;
}

// Facts that could not be computed are not put into the store: another grammar's limits may allow them.
FactsCache::Facts FactsCache::keep(const FactsStore::Key& key, std::optional<TokenFacts> facts) {
  if (!facts.has_value()) return nullptr;
  nodes_visited_ += facts->nodes_visited;
  ++computed_;
  computed_bytes_ += facts->memory_bytes();
  return store_.insert(key, std::make_shared<const TokenFacts>(*std::move(facts)));
}

}  // namespace weir::engine
