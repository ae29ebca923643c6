// FactsStore: the token facts of a vocabulary, shared by all grammars; FactsCache: an automaton's way to them.
//
// WHY    What the inside of a JSON string means for 200,000 tokens is worked out once a process, not once a grammar.
// HOW    The store finds facts by fingerprint (regex/expr/fingerprint.h), so expressions of different grammars meet. It
//        stands in the vocabulary (vocabulary_store.h). A cache remembers by id what its automaton has asked for:
//        nearly all questions end there.
//        A string with few characters left is what takes longest, since most tokens are too long for it, and each
//        number of characters is a residual of its own; so these are worked out ahead (`prepare`), once a vocabulary,
//        and kept.
//        That something cannot be had is remembered by the cache that asked, not by the store.
// LIMITS kYoungBytes, beside what is worked out ahead, some megabytes. Facts are young when they come, and when they
//        are found. When the young ones are more than that they become the old ones, and those that were old are
//        forgotten: what has not been asked for meanwhile. Facts in use live on with the automata that use them.
// THREADS The store may be used from many threads; facts are computed outside its lock, so two threads may compute the
//        same, and the first to be done is believed. A cache is not thread-safe.
#ifndef WEIR_SRC_ENGINE_MASK_FACTS_STORE_H_
#define WEIR_SRC_ENGINE_MASK_FACTS_STORE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/mask/residual_table.h"
#include "engine/mask/token_facts.h"
#include "lexer/lexer.h"
#include "regex/expr/fingerprint.h"
#include "vocab/vocabulary.h"

namespace weir::engine {

class FactsStore {
 public:
  /// Fingerprints are keyed at random.
  FactsStore();

  struct Key {
    regex::Fingerprint expr;
    lexer::Mode mode;
    TokenPosition position;
    friend bool operator==(const Key&, const Key&) = default;
  };
  /// Works out what is asked for by most schemas and takes milliseconds: does so once for the vocabulary that the store
  /// stands in, and is at once done where that is small. May be called from many threads.
  void prepare(const vocab::Vocabulary& vocabulary);

  /// Null where nothing is known.
  std::shared_ptr<const TokenFacts> find(const Key& key);
  /// Returns what is known from now on.
  std::shared_ptr<const TokenFacts> insert(const Key& key, std::shared_ptr<const TokenFacts> facts);

  [[nodiscard]] const regex::FingerprintKey& key() const { return key_; }

  /// What a table of residuals is kept in, lent for as long as the loan lives; what the owner had last, if it is there.
  class Loan {
   public:
    Loan(FactsStore& store, std::uint64_t owner) : store_(store), storage_(store.lend(owner)) {}
    ~Loan() { store_.take_back(std::move(storage_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ResidualTable::Storage& operator*() const { return *storage_; }

   private:
    FactsStore& store_;
    std::unique_ptr<ResidualTable::Storage> storage_;
  };
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  static constexpr std::size_t kYoungBytes = std::size_t{12} << 20;
  static constexpr std::size_t kEntryBytes = 256;  // about what an entry costs beside its facts
  static constexpr std::size_t kMinSlots = 64;
  [[nodiscard]] static std::size_t bytes_of(const TokenFacts& facts) { return kEntryBytes + facts.memory_bytes(); }
  // What is kept for tables to come: as much as most need, for as many threads as explore at once.
  static constexpr std::size_t kMaxStorages = 8;
  static constexpr std::size_t kMaxStorageBytes = std::size_t{6} << 20;  // of all together
  struct Entry {
    Key key;
    std::shared_ptr<const TokenFacts> facts;  // null: the slot is free
    bool is_young = true;
    bool is_kept = false;  // whatever its age: prepared
  };
  Entry& slot_of(const Key& key);
  void make_young(Entry& entry);
  void keep_all();
  void rebuild(std::size_t slots);
  void forget_old();
  std::unique_ptr<ResidualTable::Storage> lend(std::uint64_t owner);
  void take_back(std::unique_ptr<ResidualTable::Storage> storage);
  [[nodiscard]] std::size_t storage_bytes() const;

  regex::FingerprintKey key_;
  std::once_flag prepared_;
  mutable std::mutex mutex_;
  // By hash, at most half full, so that a question misses the cache about once.
  std::vector<Entry> entries_;
  std::size_t entry_count_ = 0;
  std::vector<std::unique_ptr<ResidualTable::Storage>> storages_;
  std::size_t young_bytes_ = 0;
  std::size_t old_bytes_ = 0;
  std::size_t kept_bytes_ = 0;  // neither young nor old
};

class FactsCache {
 public:
  /// All must outlive it.
  FactsCache(const vocab::Vocabulary& vocabulary, regex::ExprSet& exprs, std::uint32_t fuel);

  /// The facts of a residual; null where they cannot be had within limits. They live as long as the cache.
  const TokenFacts* of(regex::ExprId residual, lexer::Mode mode, TokenPosition position);

  /// Calls `use(table, key)` with a table of residuals for `residual`, and with its key in stores.
  template <typename Use>
  void with_table(regex::ExprId residual, lexer::Mode mode, TokenPosition position, Use&& use) {
    const FactsStore::Key key{fingerprints_.of(exprs_, residual), mode, position};
    const FactsStore::Loan storage(store_, owner(mode));
    ResidualTable table(*storage, owner(mode), exprs_, {residual, mode}, fuel_);
    use(table, key);
  }

  /// Nodes of tries visited for facts that were not in the store.
  [[nodiscard]] std::uint64_t nodes_visited() const { return nodes_visited_; }
  [[nodiscard]] std::size_t memory_bytes() const {
    return fingerprints_.memory_bytes() + (known_[0].size() + known_[1].size()) * kKnownBytes + computed_bytes_;
  }

 private:
  static constexpr std::size_t kKnownBytes = 48;  // about what a remembered answer costs
  using Facts = std::shared_ptr<const TokenFacts>;
  Facts look_up(regex::ExprId residual, lexer::Mode mode, const TokenView& tokens);
  std::optional<TokenFacts> difference(ResidualTable& table, const TokenView& tokens, lexer::Mode mode,
                                       const Base& base);
  Facts base_facts(regex::ExprId residual, lexer::Mode mode, const TokenView& tokens, bool may_compute);
  Facts keep(const FactsStore::Key& key, std::optional<TokenFacts> facts);
  [[nodiscard]] std::uint64_t owner(lexer::Mode mode) const {
    return (number_ << 8) | static_cast<std::uint64_t>(mode);
  }

  std::uint64_t number_;  // no other cache's; not 0
  const vocab::Vocabulary& vocabulary_;
  FactsStore& store_;
  regex::ExprSet& exprs_;
  std::uint32_t fuel_;
  regex::Fingerprints fingerprints_;
  std::array<std::unordered_map<std::uint64_t, Facts>, kTokenPositions> known_;  // by residual and mode
  std::uint64_t nodes_visited_ = 0;
  std::size_t computed_bytes_ = 0;  // of facts that were not in the store: others are counted there
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MASK_FACTS_STORE_H_
