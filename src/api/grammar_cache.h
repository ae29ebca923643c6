// GrammarCache: a cache of compiled grammars by their source, which drops the least recently used ones.
//
// WHY    A server compiles the same schemas again and again. A compiled grammar from the cache brings the states and
//        masks that other requests have explored.
// HOW    The key is the whole source, text and options; the hash only finds candidates. A thread that needs a grammar that
//        another thread is compiling waits for it. Errors are not cached.
// LIMITS Limits::cache_memory. Grammars grow while they are used, so their sizes have to be updated: a grammar's when
//        it is found, and those of a few others, in turn, when one is added. Updating all of them would make each
//        compile slower the more grammars are cached. A dropped grammar stays alive as long as its matchers. The last
//        one used is never dropped.
// THREADS May be used from many threads.
#ifndef WEIR_SRC_API_GRAMMAR_CACHE_H_
#define WEIR_SRC_API_GRAMMAR_CACHE_H_

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <unordered_map>

#include "base/threads.h"
#include "input/source.h"
#include "weir/compiler.h"

namespace weir {

class GrammarCache {
 public:
  using Compile = std::function<Result<CompiledGrammar>()>;

  explicit GrammarCache(const Limits& limits) : limits_(limits), budget_(limits.cache_memory) {}

  /// Returns the cached result of `compile` for a source; calls `compile`, as one call under Limits::call_work, if there
  /// is none.
  Result<CompiledGrammar> get(const input::GrammarSource& source, const Compile& compile);
  void clear();
  [[nodiscard]] CacheStats stats() const;

 private:
  // What the threads that want one grammar share: one compiles it, the others wait.
  struct Pending {
    std::optional<Result<CompiledGrammar>> compiled;
    bool has_failed = false;  // memory was exhausted while compiling
  };
  class Attempt;
  struct Entry {
    std::size_t hash;
    input::GrammarSource source;
    std::shared_ptr<Pending> pending;
    bool is_ready = false;
    std::size_t bytes = 0;  // at the last count
  };
  using Entries = std::list<Entry>;  // the most recently used one first

  Entries::iterator find(std::size_t hash, const input::GrammarSource& source);
  void remove(Entries::iterator entry);
  [[nodiscard]] static std::size_t memory_bytes(const Entry& entry);
  void count(Entry& entry);
  void count_some();
  void stay_within_budget();

  const Limits limits_;
  const std::size_t budget_;
  mutable Mutex mutex_;
  Condition changed_;  // some Pending changed
  Entries entries_;
  std::size_t bytes_ = 0;  // sum over all entries, as last counted
  Entries::iterator next_to_count_ = entries_.end();
  std::unordered_multimap<std::size_t, Entries::iterator> by_hash_;
  CacheStats stats_;
};

}  // namespace weir

#endif  // WEIR_SRC_API_GRAMMAR_CACHE_H_
