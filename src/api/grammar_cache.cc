#include "api/grammar_cache.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "api/search_bounds.h"
#include "base/build_call.h"
#include "engine/automaton/compiled.h"

namespace weir {

using input::GrammarSource;

namespace {

std::size_t hash_of(const GrammarSource& source) {
  constexpr std::size_t kOdd = 0x9E3779B9;
  std::size_t hash = source.kind.index();
  for (const std::string& text : source.texts) hash = hash * kOdd + std::hash<std::string>()(text);
  return hash;
}

// Returns a copy of a result. tl::expected's copy constructor is noexcept, so the error, whose copy may throw, is copied
// first.
Result<CompiledGrammar> copy_of(const Result<CompiledGrammar>& result) {
  if (result) return *result;
  Error error = result.error();
  return tl::unexpected(std::move(error));
}

}  // namespace

// Removes the entry if its compilation throws std::bad_alloc, so that no thread waits for it forever.
class GrammarCache::Attempt {
 public:
  Attempt(GrammarCache& cache, Entries::iterator entry) : cache_(cache), entry_(entry) {}
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;
  ~Attempt() {
    if (ended_) return;
    const MutexLock lock(cache_.mutex_);
    entry_->pending->has_failed = true;
    cache_.changed_.notify_all();
    cache_.remove(entry_);
  }
  void end() { ended_ = true; }

 private:
  GrammarCache& cache_;
  Entries::iterator entry_;
  bool ended_ = false;
};

Result<CompiledGrammar> GrammarCache::get(const GrammarSource& source, const Compile& compile) {
  if (budget_ == 0) return base::build_call(limits_, compile);
  const std::size_t hash = hash_of(source);
  Entries::iterator mine;
  std::optional<Attempt> attempt;
  {
    MutexLock lock(mutex_);
    if (const auto known = find(hash, source); known != entries_.end()) {
      ++stats_.hits;
      if (known->is_ready) count(*known);
      if (next_to_count_ == known) ++next_to_count_;
      entries_.splice(entries_.begin(), entries_, known);
      const std::shared_ptr<Pending> pending = known->pending;
      changed_.wait(lock, [&] { return pending->compiled.has_value() || pending->has_failed; });
      if (pending->compiled.has_value()) return copy_of(*pending->compiled);
      lock.unlock();
      return base::build_call(limits_, compile);  // the other thread ran out of memory; there may be enough now
    }
    ++stats_.misses;
    entries_.push_front({hash, source, std::make_shared<Pending>(), false});
    mine = entries_.begin();
    attempt.emplace(*this, mine);
    by_hash_.emplace(hash, mine);
  }
  Result<CompiledGrammar> compiled = base::build_call(limits_, compile);
  const MutexLock lock(mutex_);
  mine->pending->compiled = copy_of(compiled);
  attempt->end();
  changed_.notify_all();
  mine->is_ready = true;
  if (compiled) {
    count(*mine);
    count_some();
    stay_within_budget();
  } else {
    remove(mine);
  }
  return compiled;
}

GrammarCache::Entries::iterator GrammarCache::find(std::size_t hash, const GrammarSource& source) {
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    if (it->second->source == source) return it->second;
  }
  return entries_.end();
}

void GrammarCache::remove(Entries::iterator entry) {
  const auto [begin, end] = by_hash_.equal_range(entry->hash);
  for (auto it = begin; it != end; ++it) {
    if (it->second != entry) continue;
    by_hash_.erase(it);
    break;
  }
  bytes_ -= entry->bytes;
  if (next_to_count_ == entry) ++next_to_count_;
  entries_.erase(entry);
}

std::size_t GrammarCache::memory_bytes(const Entry& entry) {
  const std::size_t explored = entry.is_ready ? (*entry.pending->compiled)->impl()->memory_bytes() : 0;
  return sizeof(Entry) + entry.source.bytes + explored;
}

void GrammarCache::count(Entry& entry) {
  bytes_ -= entry.bytes;
  entry.bytes = memory_bytes(entry);
  bytes_ += entry.bytes;
}

// Updates the sizes of the next few entries.
void GrammarCache::count_some() {
  for (std::size_t i = 0; i < std::min(kCountedEntries, entries_.size()); ++i) {
    if (next_to_count_ == entries_.end()) next_to_count_ = entries_.begin();
    count(*next_to_count_++);
  }
}

// Drops the least recently used entries until the others are within the budget. The most recently used one stays,
// however large it is: its user holds it anyway.
void GrammarCache::stay_within_budget() {
  for (auto it = entries_.end(); bytes_ > budget_ && it != entries_.begin();) {
    const auto entry = --it;
    if (entry == entries_.begin()) break;
    if (!entry->is_ready) continue;
    ++it;
    remove(entry);
    ++stats_.evictions;
  }
}

void GrammarCache::clear() {
  const MutexLock lock(mutex_);
  for (auto it = entries_.begin(); it != entries_.end();) {
    const auto entry = it++;
    if (entry->is_ready) remove(entry);
  }
}

CacheStats GrammarCache::stats() const {
  const MutexLock lock(mutex_);
  CacheStats stats = stats_;
  stats.entries = entries_.size();
  for (const Entry& entry : entries_) stats.memory_bytes += memory_bytes(entry);
  return stats;
}

}  // namespace weir
