// ReadyGroups: the tokens that stay inside a terminal, grouped by the residual after them.
//
// The basic idea: thousands of tokens lead to a handful of residuals. What depends on the residual alone is decided for
// a group, not for each token.
//
// WHY    Whether a canonical output can continue after a token, and whether an output can end within its budget of tokens
//        (mask/next_states.h), depends on what the grammar may read next. For a token that stays inside a terminal,
//        this is the residual after the token. Very many tokens share few residuals: after nearly every token of a JSON
//        string the residual is the string again.
// HOW    One walk of the vocabulary's trie with derivatives. The result depends on the expression and the vocabulary
//        alone, so the vocabulary keeps it by fingerprint for all its grammars (GroupsStore).
//        A residual may have a *base*: the same expression without its first count, or the residual to which most
//        characters lead. "A string of at most 40 characters" and "a string but none of these keys" have the base "any
//        string". The groups of such a residual have only those tokens that distinguish it from the base: after such a
//        token some short text is a prefix of a member of one of the two and not of the other. For all other tokens the
//        results of the base are used: a text that proves a token viable in the base proves it in the residual, too.
//        Short means a few bytes (TextBound), because most proofs are one byte. The base lists the tokens whose proofs
//        are longer (Unproven::far).
// EXAMPLE  With the embedded tokenizer:
//        1. `[a-z]*"` has two groups. After 2,490 tokens of letters the residual is `[a-z]*"` again, and `live` is a–z
//           and `"`. After `"` it is empty, and nothing is live.
//        2. Which of them are viable where a piece may be cut before a quote? The first group reads `"`: all its tokens
//           at once. `"` cannot be proven inside the terminal. It is in a bulk of Unproven, with the ways in which the
//           terminal may end there (Ending): what follows the terminal decides. If that is `}` and in the same
//           terminal, `\{"[a-z]*"\}`, `"` is in `dead`: the tokenizer writes `"}` as one token.
//        3. `"[a-z]{6,12}"`, after its quote: after tokens of less than 6 letters only letters may come, so no piece
//           can be cut. They are in five bulks, one for each number of letters. If a bulk's representative, say `in`,
//           is not viable in its place whatever the last token is, each of its 276 tokens is looked at alone.
//        4. A JSON string other than `name`, beside its base, any string: the groups have four tokens, `n`, `na`,
//           `name` and `\`, after which a short text may distinguish the two. All others have the results of the base.
// COST   A walk of the nodes that the residual reaches, once for each expression: some milliseconds for a string. With
//        a base, a walk of the nodes above the tokens that are listed.
// THREADS Immutable.
#ifndef WEIR_SRC_ENGINE_FACTS_READY_GROUPS_H_
#define WEIR_SRC_ENGINE_FACTS_READY_GROUPS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/aging_map.h"
#include "base/published_map.h"
#include "base/threads.h"
#include "canonical/canonical_automaton.h"
#include "engine/facts/facts_store.h"
#include "engine/residuals/residual_table.h"
#include "engine/search_bounds.h"
#include "engine/sets/token_view.h"
#include "regex/expr/byte_set.h"
#include "vocab/token_set.h"

namespace weir::engine {

struct ReadyGroup {
  regex::ByteSet live;               ///< The bytes that the residual after these tokens may read.
  std::uint32_t representative = 0;  ///< The least of the tokens.
  vocab::TokenSet tokens;
};

struct ReadyGroups {
  std::vector<ReadyGroup> groups;
  bool are_beside_base = false;  ///< The groups have only tokens that distinguish the root from its base.
  [[nodiscard]] std::size_t memory_bytes() const;
};

/// Returns the groups of the table's root; none if the table is inexact.
std::optional<ReadyGroups> compute_ready_groups(ResidualTable& table, const TokenView& tokens);
/// Does the same without a walk of the trie, given all ready tokens of the root.
std::optional<ReadyGroups> compute_ready_groups(ResidualTable& table, const TokenView& tokens,
                                                std::span<const std::uint32_t> ready);
struct ListedToken {
  std::uint32_t token;
  std::uint32_t residual;  ///< After the token, a number of the table.
};
/// Returns the groups of the listed tokens.
ReadyGroups make_groups(ResidualTable& table, std::span<const ListedToken> listed, const TokenView& tokens);
/// A bound on texts: at most `bytes` bytes and at most `characters` characters. Characters are counted by their first
/// bytes; continuation bytes do not count.
struct TextBound {
  std::uint32_t bytes = 0;
  std::uint32_t characters = 0;
  [[nodiscard]] bool covers(std::string_view text) const;
  friend bool operator==(const TextBound&, const TextBound&) = default;
};
/// Far more than any text that matters here has.
inline constexpr TextBound kAnyText{.bytes = 1 << 20, .characters = 1 << 20};
/// Returns the base of the groups of the table's root, if there is one: the residual in which most texts stay. If only texts
/// within `near` matter, counts that they do not use up are dropped first; then a root without its counts is a base, too.
/// Bases of facts are others (accelerators/bases.h): they keep the suffixes of crossing tokens as well.
std::optional<regex::ExprId> find_base_of_groups(ResidualTable& table, const TokenView& tokens, const TextBound& near);
/// Does the same for a root that is not wide: that residual after the only byte that the root may read, such as a quote.
std::optional<regex::ExprId> find_base_after_byte(ResidualTable& table);
/// Returns the groups of the tokens after which a text within `bound` may distinguish the root from `base`, another
/// residual of the table. Returns none if the table is inexact, or if so much differs that groups of all tokens are
/// less work.
std::optional<ReadyGroups> compute_groups_beside(ResidualTable& table, std::uint32_t base, TextBound bound,
                                                 const TokenView& tokens);

/// The groups of the expressions that grammars of a vocabulary have asked for, and what was found out about them.
class GroupsStore {
 public:
  std::shared_ptr<const ReadyGroups> find(const FactsStore::Key& key);
  std::shared_ptr<const ReadyGroups> insert(const FactsStore::Key& key, ReadyGroups groups);

  /// How a terminal may end after a token: at a boundary, or in a text after one.
  struct Ending {
    canonical::RestId rest;  ///< The texts, not empty, that may follow.
    bool may_text_end;       ///< True if the text may end here.
    friend auto operator<=>(const Ending&, const Ending&) = default;
  };

  /// Those tokens of the groups that are also in a source of canonical rows (canonical::CanonicalAutomaton::RowSource)
  /// and that cannot be shown to be viable inside the terminal.
  struct Unproven {
    /// Tokens that are decided together. All are viable if what follows the terminal may come after one of the endings.
    /// If they are of one group, all are also viable if the state after one of them is viable in `place`.
    struct Bulk {
      std::vector<Ending> endings;
      std::uint32_t representative;
      bool is_one_group;
      canonical::PlaceId place;  ///< If `is_one_group`.
      std::vector<std::uint32_t> tokens;
    };
    std::vector<Bulk> bulks;
    std::vector<std::uint32_t> tokens;
    /// Tokens that are dead inside the terminal, whatever follows it: after them the terminal can neither end nor
    /// continue as the tokenizer would write it.
    std::vector<std::uint32_t> dead;
    std::vector<std::uint32_t> far;  ///< Viable tokens whose proof is a text longer than the bound.
    [[nodiscard]] std::size_t memory_bytes() const;
  };
  std::shared_ptr<const Unproven> find_unproven(const FactsStore::Key& key, std::uint32_t source);
  std::shared_ptr<const Unproven> insert_unproven(const FactsStore::Key& key, std::uint32_t source, Unproven found);

  /// A proof that a token that leads to a place inside a terminal is viable: further tokens of the same piece, then a
  /// boundary, then a text whose last byte completes the proof. It holds wherever the terminal can read `text` after
  /// the token, if the further tokens may follow the token (Fit).
  struct Proof {
    std::vector<std::uint32_t> tokens;
    canonical::PlaceId end;  ///< Where the tokens lead.
    std::string text;        ///< The bytes of the tokens and of the text after the boundary.
  };
  enum class Fit : std::uint8_t { kUnknown, kYes, kNo };
  /// The proofs of a place, and which are known to fit a token.
  struct Proofs {
    std::shared_ptr<const std::vector<Proof>> list;  ///< Null: none.
    std::uint64_t known = 0, fitting = 0;            ///< Bit i: of (*list)[i].
    [[nodiscard]] Fit fit(std::size_t i) const {
      if ((known >> i & 1) == 0) return Fit::kUnknown;
      return (fitting >> i & 1) != 0 ? Fit::kYes : Fit::kNo;
    }
  };
  Proofs proofs(canonical::PlaceId place, std::uint32_t token) const;
  void insert_proof(canonical::PlaceId place, std::uint32_t token, Proof proof);
  /// Stores whether proof `i` of the place fits the token.
  void set_fit(canonical::PlaceId place, std::uint32_t token, std::size_t i, bool fits);

  /// Returns true if some token that begins with `byte` continues the piece at place number `place` of `state`. Calls
  /// `find()` if that is not known.
  template <typename Find>
  bool may_begin(canonical::CanonicalId state, std::size_t place, std::uint8_t byte, Find find) {
    const std::uint64_t key =
        std::uint64_t{place} << 40 | std::uint64_t{byte} << 32 | static_cast<std::uint32_t>(state);
    if (const auto known = beginnings_.find(key)) return *known != 0;
    const bool found = find();
    const MutexLock lock(mutex_);
    if (beginnings_.size() < kMaxBeginnings && !beginnings_.find(key)) beginnings_.insert(key, found ? 1 : 0);
    return found;
  }

 private:
  static constexpr std::size_t kEntryBytes = 128;  // about what an entry of a map takes beside its value
  struct SourceKey {
    FactsStore::Key key;
    std::uint32_t source;
    friend bool operator==(const SourceKey&, const SourceKey&) = default;
  };
  struct SourceKeyHash {
    std::size_t operator()(const SourceKey& key) const {
      constexpr std::uint32_t kOdd = 0x9E3779B9;
      return FactsStore::KeyHash()(key.key) + static_cast<std::size_t>(key.source) * kOdd;
    }
  };
  static std::uint64_t fit_key(canonical::PlaceId place, std::uint32_t token) {
    return (static_cast<std::uint64_t>(place) << 32) | token;
  }

  mutable Mutex mutex_;
  base::AgingMap<FactsStore::Key, std::shared_ptr<const ReadyGroups>, FactsStore::KeyHash> groups_{kMaxGroupsBytes};
  base::AgingMap<SourceKey, std::shared_ptr<const Unproven>, SourceKeyHash> unproven_{kMaxUnprovenBytes};
  base::PublishedMap beginnings_;  // what may_begin() finds
  // By place. Proofs are never removed, because Fits refer to them by number.
  std::unordered_map<std::uint32_t, std::shared_ptr<const std::vector<Proof>>> proofs_;
  std::size_t all_proofs_ = 0;
  struct Fits {
    std::uint64_t known = 0, fitting = 0;  // by proof of the place
  };
  static_assert(kMaxProofsOfPlace <= 64);
  std::unordered_map<std::uint64_t, Fits> fits_;  // by place and token
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_FACTS_READY_GROUPS_H_
