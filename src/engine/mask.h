// Masks: which tokens may come next in a state.
//
// HOW    A mask is computed when it is first asked for and remembered with its state; equal masks are stored once. It
//        is put together from parts:
//          wide      for each residual in progress that much of the vocabulary may go on in (inside a string, say), its
//                    ready tokens (TokenFacts) as they are, and a walk of its suffix trie beside the automaton from the
//                    row behind the terminal;
//          narrow    the configuration without its wide residuals: a walk of the vocabulary's trie beside the
//                    automaton, skipping the subtrees of bytes that cannot come, which leaves few nodes;
//          the rest  token terminals add their tokens as a whole, acceptance adds the stop tokens.
//        Where the grammar has greedy terminals, conditions reach over the parts, and all is one walk.
// COST   A known mask: a pointer. A new one: a copy of the ready set and some hundred trie nodes at about two dependent
//        reads each; where a wide residual is met for the first time, its facts (token_facts.h).
#ifndef WEIR_SRC_ENGINE_MASK_H_
#define WEIR_SRC_ENGINE_MASK_H_

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/limit.h"
#include "engine/state_id.h"

namespace weir::vocab {
class TokenTrie;
}

namespace weir::engine {

class Automaton;
struct TokenFacts;

/// Where a token stands: the leading-space rule makes the first token of a text different.
enum class TokenPosition : std::uint8_t { kInside = 0, kFirst = 1 };
inline constexpr std::size_t kTokenPositions = 2;

struct Mask {
  std::vector<std::uint32_t> words;  ///< bitmask_words(vocab_size).
  /// Tokens in `words` that go on behind a place where the text decides (Automaton::follows_text): they are allowed by some
  /// text, and a cursor that has one must look. Ascending; empty in all but a few grammars.
  std::vector<std::uint32_t> undecided = {};
};

/// Keeps each mask once. Not thread-safe; pointers stay valid.
class MaskStore {
 public:
  const Mask* intern(Mask mask);
  [[nodiscard]] std::size_t memory_bytes() const { return memory_bytes_; }

 private:
  std::unordered_multimap<std::uint64_t, std::unique_ptr<const Mask>> masks_;
  std::size_t memory_bytes_ = 0;
};

/// A terminal in progress that much of the vocabulary may go on in.
struct WidePart {
  const TokenFacts* facts = nullptr;
  StateId behind{};  ///< Where the terminal has just ended.
};

/// How to put a state's mask together; made under the automaton's lock.
struct MaskPlan {
  std::vector<WidePart> wide;
  StateId narrow{};  ///< The state without its wide residuals.
};

/// Computes one mask. Used without the automaton's lock: stepping takes it where needed.
class MaskBuilder {
 public:
  MaskBuilder(Automaton& automaton, StateId state, TokenPosition position)
      : automaton_(automaton), state_(state), position_(position) {}

  /// The limit that was met on the way, or kNone.
  base::Limit build();

  std::vector<std::uint32_t> words;
  std::vector<std::uint32_t> undecided;
  std::uint64_t nodes_visited = 0;

 private:
  base::Limit walk(const vocab::TokenTrie& trie, StateId from);
  void add_token_exits();

  Automaton& automaton_;
  StateId state_;
  TokenPosition position_;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MASK_H_
