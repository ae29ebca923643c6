// ReadyGroups: the tokens that stay inside a terminal, grouped by the residual after them.
//
// WHY    Whether a canonical output can continue after a token depends on what the grammar may read next. For the tokens
//        that stay inside one terminal that is the residual after the token, and there are few residuals for very many
//        tokens: after nearly every token of a JSON string the residual is the string again.
// HOW    One walk of the vocabulary's trie beside the derivatives. The result depends on the expression and the
//        vocabulary alone, so it is stored by fingerprint for the whole process (GroupsStore).
// COST   A walk of the nodes that the residual reaches, once an expression: about a millisecond for a string.
//        Per group a list, or a bitmask where that is smaller.
// THREADS Immutable.
#ifndef WEIR_SRC_ENGINE_CANONICAL_READY_GROUPS_H_
#define WEIR_SRC_ENGINE_CANONICAL_READY_GROUPS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/mask/facts_store.h"
#include "engine/mask/residual_table.h"
#include "engine/mask/token_view.h"
#include "regex/expr/byte_set.h"

namespace weir::engine {

struct ReadyGroup {
  regex::ByteSet live;                ///< The bytes that the residual after these tokens may read.
  std::uint32_t representative = 0;   ///< One of the tokens.
  std::vector<std::uint32_t> tokens;  ///< Ascending; empty if `bits` is set.
  TokenBits bits;                     ///< The tokens as a bitmask; empty if `tokens` is set.

  /// Calls `use(token)` with each token of the group that is in `within`, a bitmask.
  template <typename Use>
  void for_each_in(std::span<const std::uint32_t> within, Use use) const;
};

struct ReadyGroups {
  std::vector<ReadyGroup> groups;
  [[nodiscard]] std::size_t memory_bytes() const;
};

/// None if the table is inexact.
std::optional<ReadyGroups> compute_ready_groups(ResidualTable& table, const TokenView& tokens);

/// The groups of all expressions that a process has asked for, and what a canonical product found out about them.
class GroupsStore {
 public:
  std::shared_ptr<const ReadyGroups> find(const FactsStore::Key& key);
  std::shared_ptr<const ReadyGroups> insert(const FactsStore::Key& key, ReadyGroups groups);

  /// A part of a canonical row (canonical::CanonicalAutomaton::RowPart): its place and the address of its tokens.
  using Part = std::pair<std::uint32_t, const void*>;
  using Tokens = std::shared_ptr<const std::vector<std::uint32_t>>;
  /// Tokens of the groups that are in the part and cannot be shown to be viable inside of the terminal.
  Tokens find_unproven(const FactsStore::Key& key, const Part& part);
  Tokens insert_unproven(const FactsStore::Key& key, const Part& part, std::vector<std::uint32_t> tokens);

 private:
  // Beyond this all is dropped and computed anew when it is asked for: some thirty wide expressions.
  static constexpr std::size_t kMaxBytes = std::size_t{16} << 20;
  struct KeyOrder {
    bool operator()(const FactsStore::Key& a, const FactsStore::Key& b) const {
      return std::tie(a.expr.low, a.expr.high, a.mode, a.position) <
             std::tie(b.expr.low, b.expr.high, b.mode, b.position);
    }
  };
  struct Known {
    std::shared_ptr<const ReadyGroups> groups;
    std::map<Part, Tokens> unproven;
  };
  void count(std::size_t bytes);

  std::mutex mutex_;
  std::map<FactsStore::Key, Known, KeyOrder> known_;
  std::size_t bytes_ = 0;
};

template <typename Use>
void ReadyGroup::for_each_in(std::span<const std::uint32_t> within, Use use) const {
  for (const std::uint32_t token : tokens) {
    if (((within[token / 32] >> (token % 32)) & 1U) != 0) use(token);
  }
  for (std::size_t i = 0; i < bits.size(); ++i) {
    for (std::uint32_t left = bits[i] & within[i]; left != 0; left &= left - 1) {
      use(static_cast<std::uint32_t>(i * 32) + static_cast<std::uint32_t>(std::countr_zero(left)));
    }
  }
}

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_CANONICAL_READY_GROUPS_H_
