// Masks: which tokens may come next in a state.
//
// HOW    A mask is computed when it is first asked for and remembered with its state; equal masks are stored once. Computing is
//        a walk of the vocabulary's byte trie beside the automaton: a forward scan over the flat trie that skips the
//        subtree of a byte that cannot come. Token terminals add their tokens as a whole, acceptance adds the stop tokens.
// COST   A known mask: a pointer. A new one: a node of the trie for every byte sequence that may come, at about two dependent
//        reads a node. Walks share transitions, so the second walk in like states explores nothing.
// ALTERNATIVES  The walk steps whole configurations. Assembling a mask from facts about lexer states, which all rows and grammars
//        of a tokenizer share, visits a fraction of the nodes; MaskBuilder::walk is the one place where that would stand.
#ifndef WEIR_SRC_ENGINE_MASK_H_
#define WEIR_SRC_ENGINE_MASK_H_

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace weir::engine {

class Automaton;
enum class StateId : std::uint32_t;

/// Where a token stands: the leading-space rule makes the first token of a text different.
enum class TokenPosition : std::uint8_t { kInside = 0, kFirst = 1 };
inline constexpr std::size_t kTokenPositions = 2;

struct Mask {
  std::vector<std::uint32_t> words;  ///< bitmask_words(vocab_size).
};

/// Keeps each mask once. Not thread-safe; pointers stay valid.
class MaskStore {
 public:
  const Mask* intern(std::vector<std::uint32_t> words);
  [[nodiscard]] std::size_t memory_bytes() const { return memory_bytes_; }

 private:
  std::unordered_multimap<std::uint64_t, std::unique_ptr<const Mask>> masks_;
  std::size_t memory_bytes_ = 0;
};

/// Computes one mask. Used without the automaton's lock: stepping takes it where needed.
class MaskBuilder {
 public:
  MaskBuilder(Automaton& automaton, StateId state, TokenPosition position)
      : automaton_(automaton), state_(state), position_(position) {}

  /// False when a limit was met on the way.
  bool build();

  std::vector<std::uint32_t> words;
  std::uint64_t nodes_visited = 0;

 private:
  bool walk();
  void add_token_exits();

  Automaton& automaton_;
  StateId state_;
  TokenPosition position_;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MASK_H_
