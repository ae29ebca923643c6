// Cursor: the position of one matcher in its output; the matcher's logic without the public facade.
//
// The basic idea: a position is a list of states, and everything else is a question to the last one. So an automaton
// may be dropped: the list is made again from the output.
//
// WHAT   The history of accepted steps with the state after each (history.h). All calls are about the last state.
// HOW    A call steps the automaton from that state, or asks the automaton about it. A step that is accepted is added to
//        the history.
// MEMORY If the automaton takes more memory than it may (SharedAutomaton::is_too_large), or a limit is met that counts
//        what an automaton keeps (lexer_states, regex_nodes), the cursor replays its history on a fresh automaton and moves
//        there. Other cursors of the grammar then lose the old automaton while they wait (AutomatonUse); each replays its
//        history on the current one when its next call begins (settle). If a fresh automaton did not help with a limit,
//        the cursor remembers that until it moves, because another replay would end in the same way. Walks along a text
//        check the memory from time to time, so that a long walk exceeds it by no more than it needs itself.
//        A replay may take as many steps in one call as reading its text (Limits::call_work). What it has done is kept
//        for the next call. Until it is done, a cursor that has an automaton stays on it; one that has none meets the limit.
//        A cursor that could stay, and has no text to read, takes kMaxReplayedBeside steps in each call, until
//        the automaton has grown to kMostTimesBeside times what it may take: then it gives it up.
// EXAMPLE  Cursor A is after `[1,`, cursor C after 25 times `[`; both have states in automaton X. A is in state 20.
//        1. C's call finds X too large (settle, stay_within_memory). move_to_fresh_automaton makes Y, replay_on reads
//           its text on it, and Y is installed. That takes X from A, which waits: nobody keeps X.
//        2. A's next call has no automaton (settle, restore). It reads `[`, `1`, `,` on Y and is in state 44 of Y: the
//           numbers have changed, the masks have not.
//        3. A token of A meets lexer_states. explore asks start_over, which moves A to a new automaton Z, and the token
//           is tried again. If Z has too little room as well, the call reports the limit. `retried_` then has kStep, so
//           the same call at this point does not take the automaton from all others again. A step that is accepted
//           clears it.
//        4. A reads a long text, and Z becomes too large in the middle of it. The part that was read (`walked`) is not
//           in the history yet: stay_within_memory replays the history on the next automaton, then reads `walked`
//           there.
//        5. A has 9,000 tokens, and kMaxReplayedBeside ends a replay after 5,000 of them. `replayed_` keeps their states, A
//           stays on Z, and its next call goes on with the others. If Z had been taken from A, the call would return
//           the limit, and the same call, made again, would go on.
// TEXT   If what may come depends on the text, too (TextState), the cursor takes each step byte by byte, and corrects a
//        state's mask by the text.
// STOP   Masks of states have the bits of the vocabulary's stop tokens. If the cursor has stop tokens of its own, it
//        decides the bits of the tokens of reversed roles (sets/stop_tokens.h) by stepping each of them.
// BUDGET With max_tokens, masks are those of SharedAutomaton::mask_within. A token is accepted if the mask allows it,
//        so that both always agree; bytes are, if the tokens that are left suffice after them.
// BOUNDS A token begins with SharedAutomaton::begin_token, and is refused if the state after it exceeds its bounds.
//        Bytes that accept_bytes adds are read as the end of the token before them: a bounded rule that begins within
//        them has one token of its bound less, however many bytes there are. The state after all of them must fit its
//        bounds.
// THREADS One thread at a time.
#ifndef WEIR_SRC_ENGINE_MATCHER_CURSOR_H_
#define WEIR_SRC_ENGINE_MATCHER_CURSOR_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/answer.h"
#include "base/limit.h"
#include "canonical/canonical_automaton.h"
#include "engine/automaton/automaton_use.h"
#include "engine/automaton/compiled.h"
#include "engine/automaton/text_state.h"
#include "engine/matcher/history.h"
#include "engine/matcher/mask_row.h"
#include "engine/matcher/output_captures.h"
#include "engine/matcher/pending_mask.h"
#include "engine/sets/stop_tokens.h"
#include "weir/matcher.h"

namespace weir::engine {

/// A named part of the grammar, in a form for people.
struct PlaceInGrammar {
  std::string name;
  SourceRange where = {};  ///< Empty if the part is not in the grammar's text.
  friend bool operator==(const PlaceInGrammar&, const PlaceInGrammar&) = default;
};

struct Completion;

class Cursor {
 public:
  /// Precondition: check_matcher_options() has accepted the options; otherwise every step is kBadArgument.
  Cursor(std::shared_ptr<Compiled> compiled, const MatcherOptions& options);

  /// What a call for the next mask has to do.
  enum class MaskWork : std::uint8_t {
    kNone,  ///< The mask is in the row already.
    kCopy,  ///< The mask is known, or the call fails at once.
    kMake,
  };
  /// Returns what fill_row(*row) has to do, or fill_next_token_bitmask if there is no row. Cheap.
  [[nodiscard]] MaskWork mask_work(const MaskRow* row);
  /// Returns what can be done in advance for fill_row(*row), or for fill_next_token_bitmask if there is no row.
  [[nodiscard]] std::optional<PendingMask> pending_mask(const MaskRow* row);
  Step fill_next_token_bitmask(std::span<std::uint32_t> bitmask);
  /// Does the same in a row of a batch's own.
  Step fill_row(MaskRow& row);
  // See weir::GrammarMatcher for what the public functions do.
  std::optional<std::uint64_t> mask_id();
  Step fill_draft_tree_bitmasks(std::span<const std::uint32_t> tokens, std::span<const std::int32_t> parents,
                                std::span<std::uint32_t> bitmasks, std::span<Step> steps);
  Step accept_token(std::uint32_t token);
  Step accept_bytes(std::string_view bytes);
  Step accept_text(std::string_view text);
  Step rollback(std::size_t steps);
  void reset();

  bool is_token_allowed(std::uint32_t token);
  [[nodiscard]] std::size_t step_count() const { return history_.size(); }
  [[nodiscard]] bool is_terminated() const { return history_.is_terminated(); }
  [[nodiscard]] std::span<const std::uint32_t> stop_token_ids() const { return stops_.ids(); }
  /// Returns the tokens that are left of MatcherOptions::max_tokens; no value without one.
  [[nodiscard]] std::optional<std::uint32_t> tokens_left() const { return tokens_left_after(history_.size()); }
  [[nodiscard]] bool is_completed() const { return history_.here().accepts && may_end_canonically(); }

  // cursor_texts.cc
  std::size_t longest_viable_prefix(std::string_view bytes);
  std::string forced_bytes();
  std::vector<std::uint32_t> forced_tokens();
  std::optional<std::string> shortest_completion();
  std::optional<std::vector<CompletionPart>> shortest_completion_parts();

  // cursor_explain.cc
  Expectation expected();
  /// Returns the names and places of Expectation::terminals.
  std::vector<PlaceInGrammar> expected_terminals();
  /// Returns the rules that have begun and not ended, the innermost first, each once. A rule whose end is also the end
  /// of the rule around it is not known any more, since a row stores only what to resume (earley/row_table.h).
  std::vector<PlaceInGrammar> open_rules();
  TokenExplanation explain(std::uint32_t token);
  std::optional<float> temperature();
  // cursor.cc
  [[nodiscard]] std::string text() const { return history_.text(); }
  std::vector<Capture> captures();
  /// A mark of a capture (captures/capture_reading.h). The name is valid as long as the compiled grammar.
  struct NamedMark {
    std::string_view name;
    bool is_begin = false;
    std::size_t at = 0;
  };
  /// Says which marks are certain (captures/certain_captures.h), and appends those after the first `known`. Returns
  /// nullopt on a limit, which limit_message names. Precondition: with kEnds, is_completed().
  std::optional<CertainCaptures::Certain> certain_captures(CertainCaptures::Output output, std::uint32_t known,
                                                           std::vector<NamedMark>& marks);
  /// See OutputCaptures::set_items_to_forget. For tests.
  void set_items_to_forget(std::size_t items) { captures_.set_items_to_forget(items); }
  [[nodiscard]] const History& history() const { return history_; }
  /// Says that the last step will not be taken back by itself. Steps of bytes are then stored together, up to a size.
  void keep_last();

  /// Returns a limit's state if the history cannot be replayed within the limits.
  StateId state_id();
  StateStats state_stats();
  [[nodiscard]] const std::string& limit_message() const { return limit_message_; }

 private:
  History::Point first_point(const MatcherOptions& options);
  [[nodiscard]] History::Point point_at(StateId state, canonical::CanonicalId canonical = {}) const;
  [[nodiscard]] StateId state() const { return history_.here().state; }
  [[nodiscard]] TokenPosition position() const { return history_.position(); }
  [[nodiscard]] std::optional<std::uint32_t> tokens_left_after(std::size_t steps) const {
    if (!max_tokens_.has_value()) return std::nullopt;
    return *max_tokens_ - history_.after(steps).tokens;
  }
  // Canonical mode: the state of the canonical automaton at the cursor, beside state().
  [[nodiscard]] bool is_canonical() const { return canonical::is_available() && canonical_ != nullptr; }
  [[nodiscard]] canonical::CanonicalId canonical_state() const { return history_.here().canonical; }
  // Canonical mode: the number of tokens that may follow; no value if neither the matcher nor a rule has a bound.
  [[nodiscard]] std::optional<std::uint32_t> canonical_tokens_left() const {
    return canonical_tokens_left_after(history_.size());
  }
  [[nodiscard]] std::optional<std::uint32_t> canonical_tokens_left_after(std::size_t steps) const;
  [[nodiscard]] bool may_end_canonically() const { return !is_canonical() || canonical_->may_end(canonical_state()); }
  base::Limit step_canonically(std::uint32_t token, StateId& next, canonical::CanonicalId& after);
  base::Answer is_viable_after(std::uint32_t token, StateId next, canonical::CanonicalId after);
  Step accept_tokens(std::span<const std::uint32_t> tokens);
  std::vector<std::uint32_t> forced_canonical_tokens();
  std::optional<std::vector<CompletionPart>> complete_canonically();
  bool accept_plain_completion();
  bool accept_completion_by_masks();
  bool accept_way_within_budget();
  bool accept_completion_by_search();
  [[nodiscard]] std::string canonical_reason(std::uint32_t token);
  [[nodiscard]] std::string_view bytes_of(std::uint32_t token, TokenPosition position) const;
  [[nodiscard]] SharedAutomaton::Beside beside(std::optional<std::uint32_t> left = {}) { return {stops_, text_, left}; }
  base::Limit look_up_mask(const Mask*& mask, std::span<std::uint32_t> bitmask, MaskRow* row = nullptr);
  base::Limit list_refused(const Mask& mask, std::span<const std::uint32_t> bitmask);
  base::Limit list_reversed();
  base::Answer may_come(std::uint32_t token);
  Completion completion_by_grammar(StateId at);
  std::optional<std::vector<CompletionPart>> complete_step_by_step();
  void step_by_any_byte(StateId& at, std::size_t& size, std::vector<CompletionPart>& way);
  base::Limit follow(const std::vector<CompletionPart>& parts, StateId& at, std::size_t& size,
                     std::vector<CompletionPart>& way);

  struct OpenRule {
    PlaceInGrammar place;
    std::uint32_t max_tokens = 0;
    friend bool operator==(const OpenRule&, const OpenRule&) = default;
  };
  enum class Lexemes : std::uint8_t { kLeftOut, kIncluded };
  std::vector<OpenRule> rules_open_in(StateId at, Lexemes lexemes);
  bool is_refused_by_bound(std::string_view bytes);
  bool is_refused_by_budget(std::uint32_t token);
  std::string bound_reason(std::string_view bytes);

  /// Kinds of calls that explore. A limit met by one kind does not affect another kind, which may explore less.
  enum class Question : std::uint8_t { kStep = 1, kWalk = 2, kMask = 4 };
  template <typename Attempt>
  base::Limit explore(Question question, Attempt attempt);
  bool start_over(base::Limit limit, Question question);
  base::Limit settle();
  base::Limit restore();
  /// Whether the call cannot go on without the replay, or can, so that the next calls may end it.
  enum class Replay : std::uint8_t { kNeeded, kBeside };
  base::Limit move_to_fresh_automaton(std::shared_ptr<SharedAutomaton> left, bool& is_new, Replay replay);
  [[nodiscard]] std::uint64_t steps_of(Replay replay) const;
  base::Limit replay_on(const std::shared_ptr<SharedAutomaton>& automaton, Replay replay);
  void relearn_ways(StateId at, std::size_t steps, StateId next);
  StateId stay_within_memory(StateId at, std::string_view walked);
  void report(base::Limit limit);

  // What is after a token.
  struct After {
    History::Point point;         // its state is kDead if the grammar does not expect the token
    bool is_plain_stop = false;   // then it may come all the same, and ends the output
    std::size_t text_before = 0;  // where its text begins, if that is kept
    [[nodiscard]] bool may_come() const { return point.state != StateId::kDead || is_plain_stop; }
  };
  enum class Text : std::uint8_t { kDropped, kKept };
  base::Limit step_by_token(std::uint32_t token, After& after, Text text = Text::kDropped);
  void add(std::uint32_t token, const After& after);
  base::Limit walk(std::string_view bytes, StateId& last, std::size_t& viable, std::uint64_t steps_for_byte = 0);
  void keep_within_bounds(std::vector<std::uint32_t>& tokens);
  bool completes(const std::vector<CompletionPart>& parts);
  base::Limit walk_forced(std::string& forced);
  void drop_beyond_bounds(std::string& forced);
  Expectation expected_after(std::string_view bytes);

  std::shared_ptr<Compiled> compiled_;
  AutomatonUse automaton_;
  bool is_refused_;  // the options are
  StopTokens stops_;
  std::optional<std::uint32_t> max_tokens_;
  const canonical::CanonicalAutomaton* canonical_;  // null unless in canonical mode
  TextState text_;
  History history_;
  std::uint8_t retried_ = 0;       // the Questions for which a fresh automaton has not helped at this point
  bool fresh_failed_ = false;      // at this point restore() has met a limit on a new automaton
  std::vector<StateId> replayed_;  // the states after the first steps on the automaton
  std::weak_ptr<SharedAutomaton> replayed_on_;  // on which a replay has begun
  OutputCaptures captures_;
  std::string limit_message_;
  std::vector<std::uint32_t> refused_;  // result of list_refused
  std::vector<bool> reversed_allowed_;  // result of list_reversed
};

// Calls `attempt`, which returns the limit that it met, and calls it again if a fresh automaton has more room for it.
template <typename Attempt>
base::Limit Cursor::explore(Question question, Attempt attempt) {
  for (;;) {
    const base::Limit limit = attempt();
    if (limit == base::Limit::kNone) return limit;
    if (start_over(limit, question)) continue;
    report(limit);
    return limit;
  }
}

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MATCHER_CURSOR_H_
