// LexicalFacts: what the tokens of a subtree of the vocabulary's trie do to the lexemes in progress, whatever the row.
//
// The basic idea: under conditions a mask is one walk of the trie, but until a lexeme has ended for good, the lexer and
// the condition alone decide where each byte leads. So states that differ only in their rows share what such a walk
// finds.
//
// WHY    In a Lark grammar of a programming language names may begin at most places of a text, and each place is a row of
//        its own. Half to nine tenths of all nodes were walked again for a row with the same lexemes in progress.
// HOW    A *lexical state* is what a state with one thread in progress says without its rows: the condition and the lexer
//        state of this thread, and the terminals that have ended just now, each with its condition on the text after it.
//        One walk along lexical states lists the tokens of a subtree by the lexical state that they lead to. Where a byte
//        satisfies the condition of a terminal that has ended, the row after this terminal decides: the tokens from that
//        byte on are stored with the lexical state before it. Texts that lead a state to the same lexical state lead it to
//        the same state. So whoever has a row makes one step for each group of texts, and walks these tokens from there.
// COST   A walk of the subtree, once for each lexical state, at a fraction of the price of a walk along states: no rows,
//        no searches whether a thread can finish.
// THREADS Requires the automaton's lock.
#ifndef WEIR_SRC_ENGINE_MASK_LEXICAL_FACTS_H_
#define WEIR_SRC_ENGINE_MASK_LEXICAL_FACTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/interner.h"
#include "engine/facts/suffixes.h"
#include "engine/mask/state_runs.h"
#include "engine/sets/state_id.h"
#include "engine/sets/token_view.h"
#include "lexer/lexer.h"

namespace weir::engine {

class LazyAutomaton;

/// What the tokens below a node do.
struct LexicalTokens {
  /// Texts that lead to one lexical state.
  struct Group {
    std::string_view text;                                    ///< One of them.
    std::vector<std::span<const std::uint32_t>> tokens = {};  ///< That end there.
    Suffixes suffixes = {};                                   ///< Of the tokens that the row decides about.
    std::vector<std::uint32_t> ends = {};  ///< More of them: subtrees, by the node of the first such byte.
  };
  std::vector<Group> groups;
};

class LexicalFacts {
 public:
  explicit LexicalFacts(LazyAutomaton& automaton);

  /// Returns what the tokens below a node of the trie at `position` do in `state`, or null if the state is not lexical or a
  /// limit was met. Precondition: no state follows the text, and there are neither bounds nor frames.
  const LexicalTokens* of(StateId state, TokenPosition position, std::size_t node);

  [[nodiscard]] std::size_t memory_bytes() const;
  [[nodiscard]] std::uint64_t nodes_visited() const { return nodes_visited_; }

 private:
  // Numbers of lexical states, and what a step may say instead.
  static constexpr std::uint32_t kNowhere = 0;
  static constexpr std::uint32_t kRowDecides = 1;
  static constexpr std::uint32_t kUnknown = UINT32_MAX;

  class Steps : public ByteSteps {
   public:
    explicit Steps(LexicalFacts& facts) : facts_(facts) {}
    std::uint32_t step(std::uint32_t from, std::uint8_t byte) override;
    [[nodiscard]] std::size_t count() const override { return facts_.lexical_.size(); }

   private:
    LexicalFacts& facts_;
  };

  std::uint32_t lexical_of(StateId state);
  std::uint32_t step(std::uint32_t from, std::uint8_t byte);
  std::uint32_t compute_step(std::uint32_t from, std::uint8_t byte);
  std::optional<LexicalTokens> compute(std::uint32_t from, const TokenView& tokens, std::size_t node);

  LazyAutomaton& automaton_;
  base::WordInterner lexical_;           // condition, lexer state, and (terminal, condition) of those that have ended
  std::vector<std::uint32_t> of_state_;  // by StateId: its lexical state; kNowhere if it has none
  std::vector<std::uint32_t> steps_;     // by lexical state and byte class
  bool met_limit_ = false;
  Steps by_bytes_;
  StateRuns runs_;
  std::unordered_map<std::uint64_t, LexicalTokens> known_;  // by lexical state, node and position
  std::size_t known_bytes_ = 0;
  std::uint64_t nodes_visited_ = 0;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MASK_LEXICAL_FACTS_H_
