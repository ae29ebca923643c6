// LazyAutomaton: the states of the automaton that a grammar defines, and the steps between them.
//
// The basic idea: a state is the whole configuration of the parser, interned. So whatever is found out about a state is
// found out once, and a position in an output is a number.
//
// WHAT   A state is an interned configuration, which is a set of threads. A thread has an Earley row, the lexer state
//        of the lexemes begun on that row, a condition on the rest of the text, and a flag. The flag says that the
//        thread is *fresh*: a lexeme has just ended (or the text begins), so the row is at the current place. Equal
//        configurations have equal ids. Transitions and acceptance are facts about a state; they are computed once and
//        remembered.
// WHY    One integer says everything about the future: a matcher is a vector of states, rollback truncates it, fork
//        copies it.
// HOW    Stepping a byte steps each thread's lexer state. Where a terminal may end, a fresh thread on the next row is
//        added. Threads are then merged until nothing changes: lexemes in progress on one row, by merging their lexer
//        states; rows of fresh threads, and rows with equal lexemes in progress, by uniting them (`unite_rows`). So
//        many readings of a text are one thread.
//        A condition (`rest`) comes from greedy terminals and from look-ahead: the text from here on must be in a
//        regular language. It steps by derivatives. With conditions a thread may have no way to finish, although the
//        grammar and the conditions each have one: at once, or after a greedy lexeme that is still in progress. So in a
//        grammar with conditions a thread is kept only if a search finds a way to the end (`can_finish`, remembered),
//        and there are no dead ends. Lexemes of competing terminals that began at different places stay different
//        threads.
//        Without conditions every thread can finish, because rules and residuals are productive, and no search is
//        needed.
//        Token terminals: where a fresh row expects one, its tokens advance the row as a whole.
//        Bounded rules (`max_tokens`): when a token begins, a state is replaced by the one in which each bounded rule
//        in progress has one token less (`begin_token`, a step like that by a byte). After a token only those states
//        are allowed from which tokens lead out of all bounded rules in time (bound_search.h).
// INVARIANTS  Every state but kDead can be finished, or, in a grammar that keeps endless rules, can go on forever.
//        No two fresh threads of a state have the same condition. No two of its other threads with the same condition
//        have the same row (except for competing terminals) or the same lexer state. The threads of a configuration are
//        sorted.
// COST   A known step is two dependent reads, and one of a set of bytes that many states share. A new step steps each thread.
// LIMITS configuration_threads, lookahead_threads, and those of Lexer and RowTable. A step that meets a limit returns
//        that limit's state (state_id.h) and remembers nothing.
// THREADS Exploring requires a lock, which SharedAutomaton holds. What is known of a state takes none: the
//         table entry that names an id publishes it with release.
#ifndef WEIR_SRC_ENGINE_EXPLORE_LAZY_AUTOMATON_H_
#define WEIR_SRC_ENGINE_EXPLORE_LAZY_AUTOMATON_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/answer.h"
#include "base/interner.h"
#include "base/limit.h"
#include "base/published_map.h"
#include "base/segmented_array.h"
#include "earley/row_table.h"
#include "engine/costs/completion_measure.h"
#include "engine/costs/continuation_costs.h"
#include "engine/costs/program.h"
#include "engine/explore/token_targets.h"
#include "engine/sets/mask.h"
#include "engine/sets/state_id.h"
#include "engine/sets/token_view.h"
#include "grammar/growth.h"
#include "lexer/lexer.h"

namespace weir::engine {

/// One reading of the text so far.
struct Thread {
  earley::RowId row{};
  regex::ExprId rest = regex::ExprId::kAllStrings;         ///< The condition: the rest of the text must be in it.
  lexer::LexerStateId lexer = lexer::LexerStateId::kDead;  ///< Lexemes in progress, and those that may begin here.
  /// 1 if the row is at the current place: a lexeme has just ended, or the text begins. A word, because threads are
  /// interned.
  std::uint32_t fresh = 0;
  friend constexpr auto operator<=>(const Thread&, const Thread&) = default;
};

class LazyAutomaton {
 public:
  explicit LazyAutomaton(std::shared_ptr<const Program> program);
  LazyAutomaton(const LazyAutomaton&) = delete;
  LazyAutomaton& operator=(const LazyAutomaton&) = delete;

  [[nodiscard]] const Program& program() const { return *program_; }
  /// Returns the classes of bytes; their representatives stand for all bytes when transitions are walked.
  [[nodiscard]] const regex::ByteClasses& classes() const { return classes_; }
  /// Returns true if a condition may refuse a text that grammar and lexemes allow.
  [[nodiscard]] bool has_conditions() const { return has_conditions_; }
  /// Returns true if masks are one walk: their parts depend on each other.
  [[nodiscard]] bool has_one_walk() const { return has_conditions_ && !is_separable_; }
  /// Returns true if the grammar has bounded rules.
  [[nodiscard]] bool has_bounds() const { return has_bounds_; }

  // What is known of states. Requires no lock.
  static constexpr std::uint32_t kUnknown = UINT32_MAX;
  /// Returns the state after a byte class, or kUnknown.
  [[nodiscard]] std::uint32_t known_step(StateId from, std::uint8_t cls) const {
    const State& state = states_[raw(from)];
    const Next* next = state.next.load(std::memory_order_acquire);
    const regex::RankedByteSet* live = state.live.load(std::memory_order_acquire);  // not null if `next` is not
    if (live != nullptr && !live->contains(cls)) return raw(StateId::kDead);
    if (next != nullptr) return next[live->rank(cls)].load(std::memory_order_acquire);
    const std::uint64_t lone = state.lone.load(std::memory_order_acquire);
    return lone >> 32 == cls + 1U ? static_cast<std::uint32_t>(lone) : kUnknown;
  }
  [[nodiscard]] std::optional<std::uint32_t> known_begin_token(StateId state) const { return begun_.find(raw(state)); }
  /// Returns true if the output may end in `state`.
  [[nodiscard]] bool accepts(StateId state) const { return states_[raw(state)].accepts; }
  /// Returns true if a token terminal is expected in `state`.
  [[nodiscard]] bool expects_token_terminals(StateId state) const {
    return states_[raw(state)].expects_token_terminals;
  }
  /// Returns true if what may come after `state` depends on the text before it.
  [[nodiscard]] bool follows_text(StateId state) const { return states_[raw(state)].follows_text; }
  /// Returns true if follows_text(state), and the states for all texts begin alike (grammar/growth.h).
  [[nodiscard]] bool begins_alike(StateId state) const { return states_[raw(state)].begins_alike; }
  /// Returns true if what was read since a state that begins alike is allowed after any text. False may also mean unknown.
  /// Precondition: no lexeme that began there has ended.
  [[nodiscard]] bool is_alike(StateId state);
  /// Returns true if a lexeme has just ended in `state`, or the text begins there.
  [[nodiscard]] bool ends_lexeme(StateId state) const { return states_[raw(state)].ends_lexeme; }
  /// Where MaskTable stores the mask of a state.
  [[nodiscard]] std::atomic<const Mask*>& mask_slot(StateId state, TokenPosition position) {
    return states_[raw(state)].masks[static_cast<std::size_t>(position)];
  }
  [[nodiscard]] const std::atomic<const Mask*>& mask_slot(StateId state, TokenPosition position) const {
    return states_[raw(state)].masks[static_cast<std::size_t>(position)];
  }

  // What follows requires the lock. A function that returns a state may return that of a limit.

  /// Returns the state of the empty text.
  StateId start();
  enum class Leaving : std::uint8_t { kByOne, kByAll };  // whether a state will be left by other bytes, too
  StateId explore(StateId state, std::uint8_t cls, Leaving leaving);
  /// Returns the state after one byte of a walk that tries many.
  StateId step(StateId state, std::uint8_t byte) {
    const std::uint32_t known = known_step(state, classes_.class_of(byte));
    return known != kUnknown ? StateId{known} : explore(state, classes_.class_of(byte), Leaving::kByAll);
  }
  /// Returns the state that replaces `state` after `text`, which is all of the text so far. Precondition:
  /// follows_text(state).
  StateId state_for_text(StateId state, std::string_view text);
  /// Returns the state in place of `state` when a token begins: each bounded rule in progress has one token less. kDead
  /// if bounded rules have no token left and nothing else can go on.
  StateId begin_token(StateId state);
  /// Returns the state after a token of `set` that is taken as a whole, where `state` expects the set.
  StateId after_token_set(StateId state, std::uint32_t set);
  /// Returns the state after a token that begins in `state`, where `by_text` is the state after its bytes as text.
  StateId add_token_terminals(StateId state, std::uint32_t token, StateId by_text, TokenRole role);
  /// Returns the state in which `terminal`, which is in progress on `row`, has just ended; nothing else is in it.
  StateId after_terminal(earley::RowId row, std::uint32_t terminal);
  /// Returns the state in which the terminal alone is in progress, with this residual; if it may end, it has ended, too.
  StateId state_inside(const TokenTargets::Terminal& terminal);
  /// What of a state is within a frame (earley/row_table.h): a state within the frame alone, which does not know what
  /// surrounds it, and the row after the frame.
  struct Framed {
    StateId inner{};
    earley::RowId outer{};
  };
  /// Takes a state apart: appends what is within frames to `framed`, and the states of what follows complete frames to
  /// `after`. Returns the state of the rest.
  StateId take_apart(StateId state, std::vector<Framed>& framed, std::vector<StateId>& after);
  /// Returns the state at the beginning of a row under a condition.
  StateId state_at(earley::RowId row, regex::ExprId rest);
  /// Returns true if a frame is complete in `state`.
  [[nodiscard]] bool leaves(StateId state) const { return states_[raw(state)].leaves; }

  /// Returns the state of the texts of `rule` alone, during which at most `tokens` tokens may begin.
  StateId start_of(grammar::RuleId rule, std::uint32_t tokens);
  /// Returns the state with these threads.
  StateId intern(std::vector<Thread>& threads);

  /// Adds the bytes that may come in `state`; in a grammar with conditions, those and others.
  base::Limit add_next_bytes(StateId state, regex::ByteSet& bytes);
  /// Returns whether the end can be reached after a token of `set`, which `thread` expects.
  base::Answer can_finish_after(const Thread& thread, std::uint32_t set);
  /// Returns whether the end of the text can be reached from a thread that is outside of all bounded rules.
  base::Answer finishes_outside(StateId state);
  /// Returns true if a lexeme is in progress or may begin. Precondition: `state` is not a limit's.
  [[nodiscard]] bool goes_on(StateId state) const;
  [[nodiscard]] std::vector<Thread> threads(StateId state) const;
  /// Returns a lower bound on the cost of a text from `state` to the end: by the grammar alone, without conditions.
  [[nodiscard]] WayCost distance(StateId state);

  // The parts of which threads are made.
  [[nodiscard]] lexer::Lexer& lexer() { return lexer_; }
  [[nodiscard]] const lexer::Lexer& lexer() const { return lexer_; }
  [[nodiscard]] regex::ExprSet& exprs() { return lexer_.exprs(); }
  [[nodiscard]] grammar::GrowingCfg& grammar() { return grammar_; }
  [[nodiscard]] earley::RowTable& rows() { return rows_; }
  [[nodiscard]] const earley::RowTable& rows() const { return rows_; }
  [[nodiscard]] CompletionMeasure& measure() { return measure_; }
  [[nodiscard]] ContinuationCosts& continuation_costs() { return continuation_costs_; }
  /// To be called before measure() is used, and again when the grammar has grown.
  void update_measure() { measure_.update(grammar_, lexer_.exprs(), *program_); }

  /// Returns the number of states, kDead and those of limits included.
  [[nodiscard]] std::size_t state_count() const { return states_.size(); }
  [[nodiscard]] std::uint64_t transitions() const { return transitions_; }  ///< Computed so far.
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  using Next = std::atomic<std::uint32_t>;

  // A state is *opened* when a mask's walk leaves it, or when a text leaves it by a second byte. It then has the set of
  // byte classes by which it can be left (`live`); all other bytes lead to kDead, which the set alone says. Most states, those
  // of a walk too, are left by one live byte only; such a state has no table, only that transition (`lone`).
  struct State {
    std::atomic<const regex::RankedByteSet*> live = nullptr;  // null until the state is opened
    std::atomic<Next*> next = nullptr;    // by rank in `live`; null until there is a second transition
    std::atomic<std::uint64_t> lone = 0;  // the first: (class + 1) << 32 | the state it leads to
    std::atomic<const Mask*> masks[kTokenPositions]{};
    bool accepts = false;
    bool expects_token_terminals = false;
    bool follows_text = false;
    bool begins_alike = false;
    bool ends_lexeme = false;
    bool leaves = false;
  };

  base::Limit open(StateId state);
  void set_next(StateId from, std::uint8_t cls, StateId to);
  Next* allocate_next(std::uint32_t count);
  base::Limit merge_threads(std::vector<Thread>& threads);
  base::Limit unite_rows(std::vector<Thread>& threads);
  base::Limit step_thread(const Thread& thread, std::uint8_t cls, std::vector<Thread>& out);
  template <typename Wanted>
  base::Limit step_thread_by_tokens(const Thread& thread, Wanted wanted, std::vector<Thread>& out);
  base::Limit take_apart(const Thread& thread, std::vector<Framed>& framed, std::vector<StateId>& after,
                         std::vector<Thread>& others);
  base::Limit add_row(earley::RowId row, regex::ExprId rest, std::vector<Thread>& out);
  base::Limit add(const Thread& thread, std::vector<Thread>& threads);
  base::Limit keep_finishing(std::vector<Thread>& threads);
  StateId state_of_finishing(std::vector<Thread>& threads);
  class Finish;
  base::Answer can_finish(const Thread& thread);
  [[nodiscard]] std::uint64_t visit_work() const;
  WayCost distance(const Thread& thread);
  enum class Finishing : std::uint8_t { kUnknown, kNo, kYes };
  Finishing& finishing(const Thread& thread);
  [[nodiscard]] bool thread_accepts(const Thread& thread) const;
  base::Limit begin_token(const Thread& thread, std::vector<Thread>& out);
  [[nodiscard]] std::vector<std::uint32_t> terminals_in_progress(const Thread& thread) const;
  base::Limit add_in_place(const Thread& thread, earley::RowId row, std::vector<Thread>& out);
  lexer::LexerStateId row_start(earley::RowId row, regex::ExprId rest);
  regex::ExprId texts_under(regex::ExprId condition, regex::ExprId terminal);
  [[nodiscard]] regex::ExprId follow_of(std::uint32_t terminal) const;

  std::shared_ptr<const Program> program_;
  regex::ByteClasses classes_;
  bool has_conditions_ = false;  // the grammar has conditions, so a thread may be unable to finish
  bool is_separable_ = false;    // Program::is_separable
  bool has_competitors_ = false;
  bool has_bounds_ = false;
  lexer::Lexer lexer_;
  grammar::GrowingCfg grammar_;
  earley::RowTable rows_;
  CompletionMeasure measure_;  // filled in when it is first needed
  ContinuationCosts continuation_costs_;
  std::vector<lexer::LexerStateId> row_starts_;  // by RowId; a limit's if not known
  // With separable conditions: row_start() by condition and row, and texts_under() by condition and terminal.
  std::unordered_map<std::uint64_t, lexer::LexerStateId> starts_under_;
  std::unordered_map<std::uint64_t, regex::ExprId> texts_under_;
  base::Interner<Thread> configurations_;  // sets of threads by StateId
  base::SegmentedArray<State> states_;
  std::map<regex::ByteSet, regex::RankedByteSet> live_sets_;  // of opened states
  std::vector<std::unique_ptr<Next[]>> next_blocks_;          // the storage of State::next
  std::uint32_t next_left_ = 0;                               // unused entries of the last block
  std::vector<Thread> from_, next_;                           // scratch of explore()
  struct TextHash {
    using is_transparent = void;  // finds a std::string_view, too
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> deciding_texts_;
  std::size_t deciding_bytes_ = 0;                          // of these texts
  std::unordered_map<std::uint64_t, StateId> after_texts_;  // by state and deciding text
  base::Interner<Thread> finishing_threads_;                // threads whose can_finish is known, one each
  std::vector<Finishing> finishing_;                        // by id in finishing_threads_
  base::PublishedMap begun_;                                // by state: its begin_token
  std::uint64_t transitions_ = 0;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_EXPLORE_LAZY_AUTOMATON_H_
