// NextStates: the states that the allowed tokens of a state lead to, each with its tokens.
//
// WHY    Whether a token fits a budget depends on the state after it. Very many tokens lead to few states: nearly every
//        token of a JSON string leads into the string again. So states are tested, not tokens.
// HOW    A mask's parts (TokenTargets) list the tokens that leave a terminal with their states. The tokens that stay
//        inside a terminal are grouped by the residual after them (ReadyGroups). The groups of an expression are
//        computed once for a vocabulary. A string of at most n characters has those of any string, without tokens that
//        are too long for it. A string that is none of some keys has those of any string, except for the tokens along
//        the keys. Equal lists of tokens are stored once: far from its end, a bounded string has the same at every place.
//        A token that stays inside a terminal may also be read otherwise: the terminal ends within it, and what follows
//        reads the rest. Most terminals cannot go on with a byte that may follow them. For the others, such as a key
//        of YAML, which may contain a colon and has one after it, a walk of the vocabulary's trie finds these tokens,
//        and they are listed once more, with the state of all readings.
// LIMITS One token stands for a group: if a string of at most n characters is left, then in the state of the group's
//        first token another number of characters may be left than after another token. This does not change how many
//        tokens end it.
// COST   A mask and its targets; once for each residual, its groups; once for each wide expression, a walk of the trie. For
//        a terminal that can go on with what may follow it, a walk of the subtrees with such bytes.
// THREADS Used under the automaton's lock.
#ifndef WEIR_SRC_ENGINE_MASK_NEXT_STATES_H_
#define WEIR_SRC_ENGINE_MASK_NEXT_STATES_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/flat_table.h"
#include "base/limit.h"
#include "engine/explore/token_targets.h"
#include "engine/facts/ready_groups.h"
#include "engine/sets/mask.h"
#include "engine/sets/state_id.h"
#include "engine/sets/token_view.h"
#include "lexer/lexer.h"
#include "regex/expr/byte_set.h"
#include "regex/expr/expr.h"
#include "vocab/token_set.h"

namespace weir::engine {

class LazyAutomaton;
class FactsCache;
class MaskTable;

/// Tokens that lead to one state.
struct NextState {
  StateId state{};
  TokenPosition position = TokenPosition::kInside;  ///< That of the token after them.
  const vocab::TokenSet* tokens = nullptr;          ///< Lives as long as the NextStates.
};

class NextStates {
 public:
  NextStates(LazyAutomaton& automaton, MaskTable& masks, FactsCache& facts)
      : automaton_(automaton), masks_(masks), facts_(facts) {}

  struct Found {
    const std::vector<NextState>* next = nullptr;  ///< Null if a limit was met. Lives as long as the object.
    base::Limit limit = base::Limit::kNone;
  };
  /// Returns the states that the tokens allowed in `state` at `position` lead to. A token may be listed with several
  /// states; the state after it is then the union of their threads. Afterwards the mask of the state is known.
  Found of(StateId state, TokenPosition position);

  [[nodiscard]] std::size_t memory_bytes() const { return bytes_ + list_slots_.memory_bytes(); }

 private:
  // Tokens that stay inside a terminal and have the same residual after them.
  struct Group {
    regex::ExprId residual{};  // after the first of them
    const vocab::TokenSet* tokens = nullptr;
  };
  void add_listed(StateId from, const TokenTargets& targets, TokenPosition position, std::vector<NextState>& next);
  base::Limit add_terminal(const TokenTargets::Terminal& terminal, TokenPosition position,
                           std::vector<NextState>& next);
  base::Limit add_ended(const TokenTargets::Terminal& terminal, TokenPosition position, std::vector<NextState>& next);
  base::Limit walk_ended(const TokenTargets::Terminal& terminal, const TokenView& tokens, const regex::ByteSet& bytes,
                         std::vector<NextState>& next);
  const regex::ByteSet& bytes_after_ends(regex::ExprId residual);
  const std::vector<Group>* groups_inside(const TokenTargets::Terminal& terminal, TokenPosition position);
  bool group_wide(regex::ExprId residual, base::LexemeMode mode, const TokenView& tokens, TokenBits allowed,
                  std::vector<Group>& groups);
  std::shared_ptr<const ReadyGroups> groups_of(regex::ExprId residual, base::LexemeMode mode, const TokenView& tokens);
  regex::ExprId after(regex::ExprId residual, std::string_view text);
  const vocab::TokenSet* keep(vocab::TokenSet tokens);

  LazyAutomaton& automaton_;
  MaskTable& masks_;
  FactsCache& facts_;
  std::unordered_map<std::uint64_t, std::vector<NextState>> known_;      // by state and position
  std::unordered_map<std::uint64_t, std::vector<Group>> groups_;         // by residual, mode and position
  std::unordered_map<regex::ExprId, const regex::ByteSet*> after_ends_;  // by residual: bytes_after_ends
  std::deque<regex::ByteSet> byte_sets_;
  std::deque<vocab::TokenSet> lists_;
  base::FlatTable<base::NumberSlot> list_slots_;  // the numbers of `lists_`
  std::size_t bytes_ = 0;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MASK_NEXT_STATES_H_
