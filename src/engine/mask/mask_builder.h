// MaskBuilder: which tokens may come next in a state.
//
// HOW    A mask is computed when it is first asked for and remembered with its state; masks that are kept alike are
//        stored once. It is put together from parts:
//          terminals     for each residual in progress its ready tokens (TokenFacts) as they are, and a walk of its
//                        suffix tries beside the automaton from the row behind the terminal; of tokens that go on for
//                        long behind its end, as most do behind a blank, by the ready tokens of what follows;
//          the rest      token terminals add their tokens as a whole, acceptance adds the stop tokens;
//          what is left  residuals whose facts cannot be had within limits: a walk of the vocabulary's trie beside the
//                        automaton, skipping the subtrees of bytes that cannot come.
//        Where the grammar has greedy terminals, conditions reach over the parts, and all is one walk.
//        Where it has bounded rules, tokens are read from the state in which a token begins, and those that leave no
//        room (Automaton::keep_within_budget) are left out. Ready tokens are taken as they are where each of a terminal's
//        residuals leaves room by itself.
// COST   A look-up for each terminal in progress, the nodes of its suffix tries that can be reached, the transitions
//        among them that are new, and what the mask differs by from the ready tokens of one; where a residual is met
//        for the first time, its facts (token_facts.h).
#ifndef WEIR_SRC_ENGINE_MASK_MASK_BUILDER_H_
#define WEIR_SRC_ENGINE_MASK_MASK_BUILDER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "base/limit.h"
#include "engine/explore/state_id.h"
#include "engine/mask/mask.h"
#include "engine/mask/token_targets.h"
#include "engine/mask/token_facts.h"
#include "vocab/token_trie.h"

namespace weir::engine {

class Automaton;
struct Thread;

/// Computes masks. Used under the automaton's lock.
class MaskBuilder {
 public:
  explicit MaskBuilder(Automaton& automaton) : automaton_(automaton) {}

  /// Puts together the mask of a state. Returns the limit that was met; the mask is then not to be taken. Appends to
  /// `targets`, if it is not null, where the tokens lead.
  base::Limit build(StateId state, TokenPosition position, TokenTargets* targets = nullptr);
  Mask take();

  [[nodiscard]] std::uint64_t nodes_visited() const { return nodes_visited_; }  ///< By all builds.

 private:
  base::Limit add_terminals(StateId state, TokenPosition position, StateId& left);
  void add_ready(const TokenFacts& facts, const TokenTargets::Terminal& terminal);
  base::Limit add_crossing(const TokenFacts& facts, StateId behind, TokenPosition position, std::uint32_t from = 0);
  base::Limit add_behind_end(std::uint32_t end, StateId behind, TokenPosition position, bool& is_done);
  base::Limit walk(const Suffixes& suffixes, StateId from, std::span<const std::uint32_t> except = {});
  base::Limit walk(const vocab::TokenTrie& trie, StateId from, std::span<const std::uint32_t> except = {});
  base::Limit walk(const vocab::TokenTrie& trie, std::span<const vocab::TrieNode> nodes, StateId from,
                   std::span<const std::uint32_t> except = {});
  base::Limit add_token_exits(StateId state);
  base::Limit check_budget(StateId state, bool& result);
  bool list_residuals(std::vector<regex::ExprId>& residuals);
  base::Limit check_ready(const Thread& thread, std::uint32_t terminal, regex::ExprId residual, bool& result);

  Automaton& automaton_;
  MaskDraft draft_;
  std::vector<std::uint32_t> undecided_;
  std::vector<StateId> path_;
  TokenTargets* targets_ = nullptr;
  std::uint64_t nodes_visited_ = 0;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MASK_MASK_BUILDER_H_
