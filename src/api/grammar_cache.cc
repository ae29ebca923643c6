#include "api/grammar_cache.h"

#include <utility>

#include "engine/compiled.h"

namespace weir {

Result<CompiledGrammar> GrammarCache::get(std::string_view text, const Options& options, const Compile& compile) {
  if (budget_ == 0) return compile();
  const std::size_t hash = std::hash<std::string_view>()(text) ^ options.index();
  std::promise<Result<CompiledGrammar>> promise;
  Entries::iterator mine;
  {
    std::unique_lock lock(mutex_);
    if (const auto known = find(hash, text, options); known != entries_.end()) {
      ++stats_.hits;
      entries_.splice(entries_.begin(), entries_, known);
      const std::shared_future<Result<CompiledGrammar>> compiled = known->compiled;
      lock.unlock();
      return compiled.get();
    }
    ++stats_.misses;
    entries_.push_front({hash, std::string(text), options, promise.get_future().share(), false});
    mine = entries_.begin();
    by_hash_.emplace(hash, mine);
  }
  Result<CompiledGrammar> compiled = compile();
  const std::scoped_lock lock(mutex_);
  promise.set_value(compiled);
  mine->is_ready = true;
  if (compiled) {
    stay_within_budget();
  } else {
    remove(mine);
  }
  return compiled;
}

GrammarCache::Entries::iterator GrammarCache::find(std::size_t hash, std::string_view text, const Options& options) {
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    if (it->second->text == text && it->second->options == options) return it->second;
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
  entries_.erase(entry);
}

std::size_t GrammarCache::memory_bytes() const {
  std::size_t bytes = 0;
  for (const Entry& entry : entries_) {
    bytes += sizeof(Entry) + entry.text.size();
    if (entry.is_ready) bytes += entry.compiled.get()->impl()->memory_bytes();
  }
  return bytes;
}

// What was used last stays, however large it is: its user has it anyway.
void GrammarCache::stay_within_budget() {
  std::size_t bytes = memory_bytes();
  for (auto it = entries_.end(); bytes > budget_ && it != entries_.begin();) {
    --it;
    if (it == entries_.begin()) break;
    if (!it->is_ready) continue;
    bytes -= sizeof(Entry) + it->text.size() + it->compiled.get()->impl()->memory_bytes();
    const auto oldest = it++;
    remove(oldest);
    ++stats_.evictions;
  }
}

void GrammarCache::clear() {
  const std::scoped_lock lock(mutex_);
  for (auto it = entries_.begin(); it != entries_.end();) {
    const auto entry = it++;
    if (entry->is_ready) remove(entry);
  }
}

CacheStats GrammarCache::stats() const {
  const std::scoped_lock lock(mutex_);
  CacheStats stats = stats_;
  stats.entries = entries_.size();
  stats.memory_bytes = memory_bytes();
  return stats;
}

}  // namespace weir
