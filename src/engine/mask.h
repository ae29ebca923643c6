// Masks: which tokens may come next in a state.
//
// HOW    A mask is computed when it is first asked for and remembered with its state; masks that are kept alike are
//        stored once. It is put together from parts:
//          terminals     for each residual in progress its ready tokens (TokenFacts) as they are, and a walk of its suffix
//                        tries beside the automaton from the row behind the terminal;
//          the rest      token terminals add their tokens as a whole, acceptance adds the stop tokens;
//          what is left  residuals whose facts cannot be had within limits: a walk of the vocabulary's trie beside the
//                        automaton, skipping the subtrees of bytes that cannot come.
//        Where the grammar has greedy terminals, conditions reach over the parts, and all is one walk.
//
//        Most masks allow few tokens, or nearly those of a string's inside. So a mask is kept as how it differs from
//        nothing, or from the ready tokens of a residual, which all masks share that have it.
// COST   A known mask: writing it out. A new one: a look-up for each terminal in progress, the nodes of its suffix tries that
//        can be reached, the transitions among them that are new, and two passes over the bitmask; where a residual is met
//        for the first time, its facts (token_facts.h).
#ifndef WEIR_SRC_ENGINE_MASK_H_
#define WEIR_SRC_ENGINE_MASK_H_

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/limit.h"
#include "engine/state_id.h"
#include "vocab/token_trie.h"

namespace weir::engine {

class Automaton;
struct TokenFacts;

/// Where a token stands: the leading-space rule makes the first token of a text different.
enum class TokenPosition : std::uint8_t { kInside = 0, kFirst = 1 };
inline constexpr std::size_t kTokenPositions = 2;

/// A set of tokens as a bitmask of bitmask_words(vocab_size) words.
using TokenBits = std::vector<std::uint32_t>;

struct Mask {
  /// The tokens of `most` (none if it is null), less `cleared`, and with `added`; both lists ascending.
  std::shared_ptr<const TokenBits> most;
  std::vector<std::uint32_t> added = {};
  std::vector<std::uint32_t> cleared = {};
  /// Allowed tokens that go on behind a place where the text decides (Automaton::follows_text): they are allowed by some
  /// text, and a cursor that has one must look. Ascending; empty in all but a few grammars.
  std::vector<std::uint32_t> undecided = {};

  std::uint32_t id = 0;  ///< In its store.

  /// Writes the mask over `bitmask`.
  void write(std::span<std::uint32_t> bitmask) const;
  [[nodiscard]] bool contains(std::uint32_t token) const;
};

/// Keeps each mask once. Not thread-safe; pointers stay valid.
class MaskStore {
 public:
  /// The mask of these tokens. `like`: tokens that are nearly the same, or null.
  const Mask* intern(std::span<const std::uint32_t> words, std::shared_ptr<const TokenBits> like,
                     std::vector<std::uint32_t> undecided);
  [[nodiscard]] std::size_t memory_bytes() const { return memory_bytes_ + nothing_.size() * sizeof(std::uint32_t); }

 private:
  std::unordered_multimap<std::uint64_t, std::unique_ptr<const Mask>> masks_;
  TokenBits nothing_;  // a bitmask without tokens
  std::size_t memory_bytes_ = 0;
};

/// Computes masks. Used under the automaton's lock.
class MaskBuilder {
 public:
  explicit MaskBuilder(Automaton& automaton) : automaton_(automaton) {}

  /// The limit that was met on the way, or kNone; then the results are as below.
  base::Limit build(StateId state, TokenPosition position);

  [[nodiscard]] const TokenBits& words() const { return words_; }
  /// What the words may be stored as differing from; null for nothing.
  [[nodiscard]] const std::shared_ptr<const TokenBits>& like() const { return like_; }
  [[nodiscard]] std::vector<std::uint32_t>& undecided() { return undecided_; }
  [[nodiscard]] std::uint64_t nodes_visited() const { return nodes_visited_; }  ///< By all builds.

 private:
  base::Limit add_terminals(StateId state, TokenPosition position, StateId& left);
  void add_ready(const TokenFacts& facts);
  base::Limit add_crossing(const TokenFacts& facts, StateId behind, TokenPosition position);
  base::Limit walk(const vocab::TokenTrie& trie, StateId from, std::span<const std::uint32_t> except = {});
  base::Limit walk(const vocab::TokenTrie& trie, std::span<const vocab::TrieNode> nodes, StateId from,
                   std::span<const std::uint32_t> except = {});
  base::Limit add_token_exits(StateId state);

  Automaton& automaton_;
  TokenBits words_;
  std::shared_ptr<const TokenBits> like_;
  std::vector<std::uint32_t> undecided_;
  std::vector<StateId> path_;
  std::uint64_t nodes_visited_ = 0;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MASK_H_
