// FactsStore: the token facts of a vocabulary, shared by all its grammars. FactsCache: one automaton's access to them.
//
// WHY    The facts about the inside of a JSON string for 200,000 tokens are computed once a process, not once a
//        grammar.
// HOW    The store finds facts by fingerprint (regex/expr/fingerprint.h), so equal expressions of different grammars
//        share them. It belongs to the vocabulary (vocabulary_store.h). A cache remembers by expression id what
//        its automaton has looked up; nearly all lookups end there.
//        Facts of any JSON string, from which most others differ, are computed ahead (`prepare`).
//        If facts cannot be computed within limits, the cache remembers that; the store does not.
// LIMITS kMaxFactsBytes; facts that were not found lately are dropped. Automata keep the facts that they use alive.
// THREADS The store may be used from many threads. Facts are computed outside its lock, so two threads may compute the
//        same facts; the first result is kept. A cache is not thread-safe.
#ifndef WEIR_SRC_ENGINE_FACTS_FACTS_STORE_H_
#define WEIR_SRC_ENGINE_FACTS_FACTS_STORE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/aging_map.h"
#include "base/threads.h"
#include "engine/accelerators.h"
#include "engine/accelerators/token_kinds.h"
#include "engine/facts/token_facts.h"
#include "engine/residuals/residual_table.h"
#include "engine/search_bounds.h"
#include "lexer/lexer.h"
#include "regex/expr/fingerprint.h"
#include "vocab/vocabulary.h"

namespace weir::engine {

class FactsStore {
 public:
  /// Makes an empty store with a random key for fingerprints.
  FactsStore();

  struct Key {
    regex::Fingerprint expr;
    base::LexemeMode mode;
    TokenPosition position;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return key.expr.low + static_cast<std::size_t>(key.mode) * 2 + static_cast<std::size_t>(key.position);
    }
  };
  /// Computes what most schemas need: the facts of any JSON string and, with threads, the kinds of characters. Does so
  /// once for `vocabulary`, which is the one the store is attached to, and does nothing for a small vocabulary. May be
  /// called from many threads.
  void prepare(const vocab::Vocabulary& vocabulary);

  /// The kinds of characters of the vocabulary's tokens; null before prepare(), for a small vocabulary, and without
  /// threads.
  [[nodiscard]] const TokenKinds* kinds() const {
    return accelerators_.has(Accelerator::kTokenKinds) ? kinds_.get() : nullptr;
  }

  /// Returns the facts of a key, or null if the store has none.
  std::shared_ptr<const TokenFacts> find(const Key& key);
  /// Adds facts, unless the key has some already. Returns the facts that the store now has.
  std::shared_ptr<const TokenFacts> insert(const Key& key, std::shared_ptr<const TokenFacts> facts);

  [[nodiscard]] const regex::FingerprintKey& key() const { return key_; }

  /// To measure what an accelerator buys: facts are found without it. To be called before the store is used.
  void leave_out(Accelerator one) { accelerators_ = accelerators_.without(one); }
  [[nodiscard]] const Accelerators& accelerators() const { return accelerators_; }

  /// RAII lease of a residual table's storage: the one that `owner` used last, if it is free.
  class Lease {
   public:
    Lease(FactsStore& store, std::uint64_t owner) : store_(store), storage_(store.lease(owner)) {}
    ~Lease() { store_.give_back(std::move(storage_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ResidualTable::Storage& operator*() const { return *storage_; }

   private:
    FactsStore& store_;
    std::unique_ptr<ResidualTable::Storage> storage_;
  };
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  static constexpr std::size_t kEntryBytes = 256;  // about what an entry takes in addition to its facts
  std::unique_ptr<ResidualTable::Storage> lease(std::uint64_t owner);
  void give_back(std::unique_ptr<ResidualTable::Storage> storage);
  [[nodiscard]] std::size_t storage_bytes() const;

  Accelerators accelerators_;
  regex::FingerprintKey key_;
  std::once_flag prepared_;
  std::shared_ptr<const TokenKinds> kinds_;  // not unique_ptr: without threads nothing that destroys them is linked
  mutable Mutex mutex_;
  base::AgingMap<Key, std::shared_ptr<const TokenFacts>, KeyHash> facts_{kMaxFactsBytes};
  std::vector<std::unique_ptr<ResidualTable::Storage>> storages_;
};

class FactsCache {
 public:
  /// All arguments must outlive the cache.
  FactsCache(const vocab::Vocabulary& vocabulary, regex::ExprSet& exprs, std::uint32_t fuel);

  /// Returns the facts of a residual, or null if they cannot be computed within limits. They live as long as the cache.
  const TokenFacts* of(regex::ExprId residual, base::LexemeMode mode, TokenPosition position);

  /// Calls `use(table, key)` with a table of residuals for `residual`, and with its key in stores.
  template <typename Use>
  void with_table(regex::ExprId residual, base::LexemeMode mode, TokenPosition position, Use&& use) {
    const FactsStore::Key key = key_of(residual, mode, position);
    const FactsStore::Lease storage(store_, owner(mode));
    ResidualTable table(*storage, owner(mode), exprs_, {residual, mode}, fuel_, store_.accelerators());
    use(table, key);
  }

  [[nodiscard]] const Accelerators& accelerators() const { return store_.accelerators(); }
  /// Returns the number of trie nodes visited to compute facts that the store did not have.
  [[nodiscard]] std::uint64_t nodes_visited() const { return nodes_visited_; }
  /// Returns the number of residuals whose facts were computed because the store did not have them.
  [[nodiscard]] std::uint64_t computed() const { return computed_; }
  [[nodiscard]] std::size_t memory_bytes() const {
    return fingerprints_.memory_bytes() + (known_[0].size() + known_[1].size()) * kKnownBytes + computed_bytes_;
  }

 private:
  static constexpr std::size_t kKnownBytes = 48;  // about what a remembered lookup takes
  using Facts = std::shared_ptr<const TokenFacts>;
  FactsStore::Key key_of(regex::ExprId residual, base::LexemeMode mode, TokenPosition position) {
    FactsStore::Key key{fingerprints_.of(exprs_, residual), mode, position};
    if (!accelerators().has(Accelerator::kSharedFacts)) key.expr.low += number_;
    return key;
  }
  Facts look_up(regex::ExprId residual, base::LexemeMode mode, const TokenView& tokens);
  std::optional<TokenFacts> difference(ResidualTable& table, const TokenView& tokens, base::LexemeMode mode,
                                       const Base& base);
  Facts base_facts(regex::ExprId residual, base::LexemeMode mode, const TokenView& tokens);
  Facts keep(const FactsStore::Key& key, std::optional<TokenFacts> facts);
  [[nodiscard]] std::uint64_t owner(base::LexemeMode mode) const {
    return (number_ << 8) | static_cast<std::uint64_t>(mode);
  }

  std::uint64_t number_;  // unique among caches; not 0
  const vocab::Vocabulary& vocabulary_;
  FactsStore& store_;
  regex::ExprSet& exprs_;
  std::uint32_t fuel_;
  regex::Fingerprints fingerprints_;
  std::array<std::unordered_map<std::uint64_t, Facts>, kTokenPositions> known_;  // by residual and mode
  std::uint64_t nodes_visited_ = 0;
  std::uint64_t computed_ = 0;
  std::size_t computed_bytes_ = 0;  // of facts that this cache computed; facts found in the store are not counted
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_FACTS_FACTS_STORE_H_
