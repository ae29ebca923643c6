// MaskBuilder: computes the set of tokens that may come next in a state.
//
// The basic idea: nearly all allowed tokens stay inside the terminal in progress. Which ones do depends on neither row
// nor grammar, so they are added as a whole, and only the few others are walked.
//
// HOW    A mask is computed when it is first needed and remembered with its state; equal masks are stored once. It is
//        the union of these parts:
//        - terminals: for each residual in progress its ready tokens (TokenFacts); and its crossing tokens, by walking
//          its suffix tries together with the automaton from the row after the terminal. Tokens that go on for long
//          after the terminal's end, as most do after a blank, come from the ready tokens of what follows. If several
//          terminals are at one such residual, as in a schema of many alternatives, what follows is walked once, from
//          the union of the states after them.
//        - token terminals, which add their tokens as a whole, and acceptance, which adds the stop tokens.
//        - residuals whose facts cannot be computed within limits: a walk of the vocabulary's trie together with the
//          automaton, which skips the subtrees of bytes that cannot come.
//        In a grammar with conditions (greedy terminals, look-ahead) the parts depend on each other, and the whole mask
//        is one such walk.
//        A walk takes subtrees as a whole where a state allows all their characters (state_runs.h). Under conditions it
//        shares with other rows what it finds within lexemes (lexical_facts.h).
//        In a grammar with bounded rules, tokens are read from the state in which a token begins, and tokens after
//        which the state does not fit its bounds (BoundSearch) are left out. Ready tokens are added
//        as they are if every residual that they may leave fits the bounds by itself.
//        Frames (earley/row_table.h). What a state allows within a frame is found once for all places of the frame: the
//        tokens that stay in it, its *outline*, and those that leave it, as lists of suffixes. Each list is then read from
//        the row after the frame, which may be within a frame itself; what is found there is kept, too. So in a text with
//        blocks of lines a new mask is mostly made of outlines, one for each block around it (frame_masks.cc).
// COST   For each terminal in progress a lookup, the nodes of its suffix tries that can be reached, and the new
//        transitions among them; the difference between the mask and the ready tokens of one residual; for a residual
//        that occurs for the first time, its facts (token_facts.h).
#ifndef WEIR_SRC_ENGINE_MASK_MASK_BUILDER_H_
#define WEIR_SRC_ENGINE_MASK_MASK_BUILDER_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/answer.h"
#include "base/interner.h"
#include "base/lexeme_mode.h"
#include "base/limit.h"
#include "earley/row_table.h"
#include "engine/explore/token_targets.h"
#include "engine/facts/token_facts.h"
#include "engine/mask/lexical_facts.h"
#include "engine/mask/state_runs.h"
#include "engine/sets/mask.h"
#include "engine/sets/state_id.h"
#include "lexer/lexer.h"
#include "vocab/token_trie.h"

namespace weir::engine {

class BoundSearch;
class LazyAutomaton;
class FactsCache;
struct Thread;

/// Computes masks. Used under the automaton's lock.
class MaskBuilder {
 public:
  MaskBuilder(LazyAutomaton& automaton, FactsCache& facts, BoundSearch& bound_search)
      : automaton_(automaton),
        facts_(facts),
        bound_search_(bound_search),
        steps_(automaton),
        runs_(steps_),
        lexical_facts_(automaton) {}

  /// Computes the mask of a state, for take(). If a limit is met, returns it, and take() must not be called. Appends to
  /// `targets`, if it is not null, where the tokens lead.
  base::Limit build(StateId state, TokenPosition position, TokenTargets* targets = nullptr);
  /// Returns the mask that build() has computed.
  Mask take();

  [[nodiscard]] std::size_t memory_bytes() const {
    return runs_.memory_bytes() + lexical_facts_.memory_bytes() + list_bytes_ + outline_masks_.memory_bytes() +
           unions_.memory_bytes() + outline_ids_.memory_bytes() + outlines_.capacity() * sizeof(Outline) +
           outline_exits_.capacity() * sizeof(OutlineExit) + places_[0].memory_bytes() + places_[1].memory_bytes() +
           list_ids_.memory_bytes();
  }
  /// Returns the number of nodes of tries that all builds have visited.
  [[nodiscard]] std::uint64_t nodes_visited() const { return nodes_visited_ + lexical_facts_.nodes_visited(); }

 private:
  // Where tokens leave a frame (earley/row_table.h): what follows the frame decides about their suffixes. All under one
  // condition on the text after the frame.
  struct FrameExits {
    struct Crossing {  // the crossing tokens of an expression, without ends in their first `from` bytes, or listed ones
      regex::ExprId expr = regex::ExprId::kNothing;
      base::LexemeMode mode{};
      std::uint32_t from = 0;
      std::uint32_t list = 0;  // 0, or a number of list_of()
      friend auto operator<=>(const Crossing&, const Crossing&) = default;
    };
    // The tokens below a node of a trie, except some: suffixes to list.
    struct Below {
      const vocab::TokenTrie* trie = nullptr;
      const std::uint32_t* except = nullptr;  // ascending
      std::uint32_t except_count = 0;
      std::uint32_t node = 0;
    };
    regex::ExprId rest{};
    std::vector<Crossing> crossing = {};
    std::vector<Below> listed = {};  // of the state that is being built
  };
  // What is known of a state, or of some of its tokens. All of it lies in few arrays: there are very many outlines, and all
  // are dropped in one call.
  struct Outline {
    const Mask* mask = nullptr;
    std::uint32_t first_exit = 0;  // index into outline_exits_; those under one condition are adjacent
    std::uint32_t exit_count = 0;
  };
  struct OutlineExit {
    regex::ExprId rest{};
    FrameExits::Crossing of = {};
  };
  // A terminal in progress that may end within a token; `after` is the state after it.
  struct Ended {
    const TokenFacts* facts = nullptr;
    FrameExits::Crossing of = {};
    StateId after{};
  };
  // A subtree of the vocabulary's trie, and the state at it.
  struct Shared {
    StateId state{};
    const LexicalTokens* tokens = nullptr;
  };
  base::Limit add_frames(StateId& state, const FrameExits::Crossing& of, TokenPosition position);
  base::Limit outline(StateId state, const FrameExits::Crossing& of, TokenPosition position, Outline& result);
  base::Limit add_crossing(const FrameExits::Crossing& of, StateId after, TokenPosition position);
  template <typename Use>
  void for_each_frame_exit(StateId state, Use use);
  std::uint32_t list_of(std::span<const FrameExits::Below> places, TokenPosition position);
  std::uint32_t intern_list(std::span<const FrameExits::Below> places, TokenPosition position);
  FrameExits& frame_exits_under(regex::ExprId rest);
  void list_frame_exit(const FrameExits::Crossing& of, StateId state);
  void list_frame_exits_below(const vocab::TokenTrie& trie, std::size_t node, StateId state,
                              std::span<const std::uint32_t> except);
  base::Limit add_terminals(StateId state, TokenPosition position, StateId& to_walk);
  void unite_at_same_residual(std::vector<Ended>& ended);
  void add_ready(const TokenFacts& facts, const TokenTargets::Terminal& terminal);
  base::Limit add_crossing(const TokenFacts& facts, const FrameExits::Crossing& of, StateId after,
                           TokenPosition position);
  base::Answer try_add_after_end(std::uint32_t end, StateId after, TokenPosition position);
  base::Limit walk(const Suffixes& suffixes, StateId from, std::span<const std::uint32_t> except = {});
  base::Limit walk(const vocab::TokenTrie& trie, StateId from, std::span<const std::uint32_t> except = {});
  base::Limit walk_vocabulary(vocab::TokenTrie::Range range, StateId from, TokenPosition position);
  base::Limit walk(const vocab::TokenTrie& trie, vocab::TokenTrie::Range range, StateId from,
                   std::span<const std::uint32_t> except, const vocab::TrieSummary* summary);
  base::Limit add_shared(const Shared& shared, const TokenView& tokens);
  base::Limit add_token_terminals(StateId state, TokenPosition position);
  base::Limit list_targets_of_set(StateId state, std::uint32_t set, const TokenBits& tokens);
  base::Answer surely_fits_ready(const Thread& thread, const lexer::Item& item);

  class Steps : public ByteSteps {
   public:
    explicit Steps(LazyAutomaton& automaton) : automaton_(automaton) {}
    std::uint32_t step(std::uint32_t state, std::uint8_t byte) override;
    [[nodiscard]] bool follows_text(std::uint32_t state) const override;
    [[nodiscard]] std::size_t count() const override;

   private:
    LazyAutomaton& automaton_;
  };

  LazyAutomaton& automaton_;
  FactsCache& facts_;
  BoundSearch& bound_search_;
  Steps steps_;
  StateRuns runs_;
  LexicalFacts lexical_facts_;
  std::vector<Shared> shared_;  // subtrees that a walk has left to add_shared()
  bool may_share_ = false;      // the walk may leave subtrees to it
  MaskUnions unions_;
  MaskDraft draft_;
  std::vector<MaskDraft> spare_drafts_;  // whose memory outlines use, one within another
  TokenBits taken_;                      // scratch of walks: tokens of subtrees that were taken as a whole
  std::vector<std::uint32_t> undecided_;
  std::vector<StateId> path_;
  base::WordInterner outline_ids_;  // of states, positions, and what describes the tokens
  std::vector<Outline> outlines_;   // by id
  std::vector<OutlineExit> outline_exits_;
  MaskStore outline_masks_;
  // By position: sequences of places whose list is known, and by their ids the numbers of the lists. What the places name
  // lives as long as the builder.
  std::array<base::Interner<FrameExits::Below>, kTokenPositions> places_;
  std::array<std::vector<std::uint32_t>, kTokenPositions> lists_of_places_;
  std::vector<Suffixes> lists_;  // by number in list_ids_
  base::WordInterner list_ids_;
  std::size_t list_bytes_ = 0;
  std::vector<FrameExits> frame_exits_;  // of the state that is being built
  TokenPosition position_{};
  TokenTargets* targets_ = nullptr;
  std::uint64_t nodes_visited_ = 0;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MASK_MASK_BUILDER_H_
