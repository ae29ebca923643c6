// Automaton: the deterministic automaton over bytes that a grammar defines, explored as it is walked.
//
// WHAT   A state is an interned configuration: a set of threads, each an Earley row, the lexer state of the lexemes
//        begun on it, whether a lexeme ended right here (so that the row itself stands here), and a condition on the
//        rest of the text. Equal configurations have equal ids. Transitions, masks and acceptance are facts about a
//        state, computed once and remembered.
// WHY    One integer says everything about the future: a matcher is a cursor, rollback truncates it, fork copies it.
// HOW    Stepping a byte: each thread's lexer state steps; where a terminal may end, a thread on the row behind it is
//        added. Threads are merged until nothing more falls together: lexemes in progress on one row, by merging their
//        lexer states; rows that stand here, and rows with equal lexemes in progress, by uniting them (`unite_rows`):
//        many readings of a text are one thread.
//        A condition (`rest`) comes from greedy terminals and from look-ahead: the text from here on must be in a
//        regular language. It steps by derivatives. A thread could then be stuck, now or behind a greedy lexeme still
//        in progress, although grammar and conditions each have a way on. So where a grammar has conditions a thread is
//        kept only if a way to the end is found by search (`can_finish`, remembered), and there are no dead ends.
//        Lexemes of competing terminals that began at different places stay different threads. Without conditions every
//        thread can finish, because rules and residuals are productive, and nothing is searched. Token terminals: where
//        a row stands here that expects a token set, those tokens lead on as a whole.
//        Bounded rules: when a token begins, a state becomes the one with a token less for each such rule in progress
//        (`begin_token`, a step like that by a byte), and behind a token only those states are allowed from which
//        tokens lead out of all of them in time (`fits_budget`, budget_search.h). Both are remembered beside the states.
// INVARIANTS  Every state but kDead has a way to finish, or, in a grammar that keeps endless rules, to go on forever.
//        Of a state's threads that stand here no two have one rest; of the others no two with one rest have one row
//        (but for competing terminals) or one lexer state. Words of a configuration: 4 a thread, sorted by row, then
//        rest.
// COST   A known step is two dependent reads; a known step by a token where token sets are expected, a table look-up. A
//        new one steps each thread; it takes a lock.
// LIMITS configuration_threads, lookahead_threads, and those of Lexer and RowTable. A step that meets one returns that
//        limit's state (state_id.h) and remembers nothing.
// THREADS Exploring is under one lock; reading what is known takes none: ids are published with release by the table
//        entry that names them. Memory only grows; the owner (Compiled) drops the whole automaton when it is over its
//        budget.
#ifndef WEIR_SRC_ENGINE_EXPLORE_AUTOMATON_H_
#define WEIR_SRC_ENGINE_EXPLORE_AUTOMATON_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/limit.h"
#include "base/published_map.h"
#include "base/segmented_array.h"
#include "base/word_interner.h"
#include "earley/row_table.h"
#include "engine/bounds/budget_search.h"
#include "engine/bounds/continuation_costs.h"
#include "engine/explore/program.h"
#include "engine/explore/state_id.h"
#include "engine/mask/facts_store.h"
#include "engine/mask/mask.h"
#include "engine/mask/mask_builder.h"
#include "engine/mask/token_targets.h"
#include "engine/matcher/completion_measure.h"
#include "grammar/growth.h"
#include "lexer/lexer.h"
#include "weir/compiler.h"
#include "weir/matcher.h"

namespace weir::canonical {
class CanonicalAutomaton;
}

namespace weir::engine {

/// One reading of the text so far.
struct Thread {
  earley::RowId row{};
  regex::ExprId rest = regex::ExprId::kAllStrings;         ///< What the text from here to the end must be in.
  lexer::LexerStateId lexer = lexer::LexerStateId::kDead;  ///< Lexemes in progress, and those that may begin here.
  bool fresh = false;  ///< The row stands here: a lexeme has just ended, or the text begins.
  friend constexpr auto operator<=>(const Thread&, const Thread&) = default;
};

class CanonicalProduct;

class Automaton {
 public:
  /// `number` tells the automata of one Compiled apart.
  explicit Automaton(std::shared_ptr<const Program> program, std::uint32_t number = 0);
  ~Automaton();
  Automaton(const Automaton&) = delete;
  Automaton& operator=(const Automaton&) = delete;
  [[nodiscard]] std::uint32_t number() const { return number_; }

  /// The state before any text; a limit's when even that is too large.
  StateId start();

  StateId step(StateId state, std::uint8_t byte) {
    const std::uint32_t known = known_step(state, classes_.class_of(byte));
    return known != kUnknown ? StateId{known} : explore(state, classes_.class_of(byte));
  }
  StateId step(StateId state, std::string_view bytes);

  /// The state behind a token that begins in `state`: its bytes (`bytes`, those it has at `position`; empty for none)
  /// as text, or as a whole by a token terminal. Whether it fits_budget() is another question.
  StateId step_token(StateId state, std::uint32_t token, TokenPosition position, std::string_view bytes);
  /// The state behind a token, where `by_text` is the one behind its bytes as text.
  StateId add_token_exits(StateId state, std::uint32_t token, StateId by_text);

  /// Whether the grammar has bounded rules. Without any the next two have nothing to do.
  [[nodiscard]] bool has_bounds() const { return has_bounds_; }
  /// `state` when a token begins there: kDead where bounded rules in progress may not go on, and nothing else does.
  StateId begin_token(StateId state) { return has_bounds_ ? begin_token_known_or_new(state) : state; }
  /// `state`, or kDead where the bounded rules in progress cannot be ended within their tokens, or a limit's.
  StateId keep_within_budget(StateId state) { return has_bounds_ ? find_room(state) : state; }
  /// The fewest tokens found to end a rule of the grammar in, at least `least`; none where no text does.
  struct TokensNeeded {
    std::optional<std::uint64_t> tokens;     ///< Of the shortest text found; none: none was found.
    base::Limit limit = base::Limit::kNone;  ///< That was met on the way.
    bool is_at_least = false;                ///< The text is long: it takes that many tokens or more.
    bool was_cut = false;  ///< Limits::lookahead_threads ended the search for a text within the bound.
  };
  TokensNeeded tokens_needed(grammar::RuleId rule, std::uint32_t least);

  struct MaskResult {
    const Mask* mask = nullptr;  ///< Null when a limit was met. Lives as long as the automaton.
    base::Limit limit = base::Limit::kNone;
  };
  /// The tokens allowed in `state`.
  MaskResult mask(StateId state, TokenPosition position);

  // For products with an automaton over tokens (engine/canonical).
  struct TargetsResult {
    const TokenTargets* targets = nullptr;  ///< Null if a limit was met. Lives as long as the automaton.
    base::Limit limit = base::Limit::kNone;
  };
  /// Where the tokens of mask(state, position) lead. Without token terminals: a token that is taken as a whole is not
  /// listed. Cost: that of a mask that is not known, once a state.
  TargetsResult targets(StateId state, TokenPosition position);
  /// The state of a terminal alone after `bytes`, all of which it reads; kDead if it does not.
  StateId inside_terminal(const TokenTargets::Terminal& terminal, std::string_view bytes);
  /// The bytes that may come in `state`; in a grammar with conditions, those and others.
  base::Limit next_bytes(StateId state, regex::ByteSet& bytes);
  /// Calls `use(table, key)` under the lock with a table of residuals of the terminal, whose root is the terminal's
  /// residual without counts that texts of `bytes` bytes do not come to the end of, and with the root's key in stores.
  template <typename Use>
  void with_residuals(const TokenTargets::Terminal& terminal, std::uint32_t bytes, TokenPosition position, Use&& use) {
    const std::scoped_lock lock(mutex_);
    begin_exploring();
    facts_.with_table(lexer_.exprs().drop_distant_counts(terminal.residual, bytes), lexer_.mode(terminal.terminal),
                      position, std::forward<Use>(use));
  }

  [[nodiscard]] bool accepts(StateId state) const { return states_[raw(state)].accepts; }
  /// Whether some token set is expected in `state`.
  [[nodiscard]] bool has_token_exits(StateId state) const { return states_[raw(state)].has_token_exits; }

  /// Whether `state` is to be replaced by behind_text() before one goes on: what may come depends on the text before
  /// it. Without that the state allows what any text would allow.
  [[nodiscard]] bool follows_text(StateId state) const { return states_[raw(state)].follows_text; }
  /// The state in the place of `state` behind `text`, all of the text so far. Precondition: follows_text(state).
  StateId behind_text(StateId state, std::string_view text);

  /// Whether a text that grammar and lexemes allow may still be refused by a condition.
  [[nodiscard]] bool has_conditions() const { return may_strand_; }

  /// The classes of bytes, representatives for walking all ways on.
  [[nodiscard]] const regex::ByteClasses& classes() const { return classes_; }
  [[nodiscard]] const Program& program() const { return *program_; }

  /// How far the end of a text is from `state` at least: by the grammar alone, without conditions.
  [[nodiscard]] WayCost distance(StateId state);

  /// Threads of a state, for inspection and for searching ways to the end.
  [[nodiscard]] std::vector<Thread> threads(StateId state) const;

  /// Calls `use(grammar, lexer, rows)` under the lock; for inspection, and for reading captures, which adds lexer
  /// states.
  template <typename Use>
  auto inspect(Use&& use) {
    const std::scoped_lock lock(mutex_);
    if constexpr (std::is_void_v<decltype(use(grammar_, lexer_, rows_))>) {
      use(grammar_, lexer_, rows_);
    } else {
      auto result = use(grammar_, lexer_, rows_);
      publish_memory();
      return result;
    }
  }

  /// Calls `use(grammar, lexer, rows, measure)`: for looking for completions, which adds expressions.
  template <typename Use>
  auto inspect_completions(Use&& use) {
    const std::scoped_lock lock(mutex_);
    auto result = use(grammar_, lexer_, rows_, measure_);
    publish_memory();
    return result;
  }

  [[nodiscard]] EngineStats stats() const;
  [[nodiscard]] StateStats state_stats(StateId state, TokenPosition position) const;
  /// Cheap: kept up to date by exploring, but for the last few transitions.
  [[nodiscard]] std::size_t memory_bytes() const;

  /// The product with the canonical automaton of the program's vocabulary; made at the first call.
  CanonicalProduct& product(const canonical::CanonicalAutomaton& canonical);

 private:
  friend class MaskBuilder;
  friend class BudgetSearch;
  static constexpr std::uint32_t kUnknown = UINT32_MAX;
  // To add up what a new transition may have added to takes about as long as to make one that is no new row's.
  static constexpr std::uint64_t kPublishedEvery = 16;
  using Next = std::atomic<std::uint32_t>;

  // A state is opened when a mask's walk leaves it, or a text does by a second byte: it then has the byte classes by
  // which it may be left, and an entry for each of them. Nearly all bytes lead nowhere, and that is read off the set.
  // Most states on a text's way are left by one byte alone, which is remembered by itself.
  struct State {
    std::atomic<Next*> next = nullptr;  // by rank in live, kUnknown where not explored; null until the state is opened
    std::atomic<std::uint64_t> lone = 0;  // of a state that is not open: class + 1, and where it leads
    regex::RankedByteSet live;
    std::atomic<const Mask*> masks[kTokenPositions]{};
    bool accepts = false;
    bool has_token_exits = false;
    bool follows_text = false;
  };

  // The state behind a byte class, or kUnknown.
  [[nodiscard]] std::uint32_t known_step(StateId from, std::uint8_t cls) const {
    const State& state = states_[raw(from)];
    const Next* next = state.next.load(std::memory_order_acquire);
    if (next == nullptr) {
      const std::uint64_t lone = state.lone.load(std::memory_order_acquire);
      return lone >> 32 == cls + 1U ? static_cast<std::uint32_t>(lone) : kUnknown;
    }
    if (!state.live.contains(cls)) return raw(StateId::kDead);
    return next[state.live.rank(cls)].load(std::memory_order_acquire);
  }
  StateId explore(StateId state, std::uint8_t cls);
  // The rest hold the lock. Where one returns false or no state, limit_ says why.
  StateId step_locked(StateId state, std::uint8_t byte) {
    const std::uint32_t known = known_step(state, classes_.class_of(byte));
    return known != kUnknown ? StateId{known} : explore_locked(state, classes_.class_of(byte), Leaving::kByAll);
  }
  enum class Leaving : std::uint8_t { kByOne, kByAll };
  StateId explore_locked(StateId state, std::uint8_t cls, Leaving leaving);
  [[nodiscard]] bool goes_on(StateId state) const;
  bool open(StateId state);
  Next* allocate_next(std::uint32_t count);
  void begin_exploring();
  bool fail(base::Limit limit);
  bool check_lexer();
  [[nodiscard]] StateId met() const { return limit_state(limit_); }
  StateId intern(std::vector<Thread>& threads);
  bool merge_threads(std::vector<Thread>& threads);
  bool unite_rows(std::vector<Thread>& threads);
  std::vector<Thread> read_threads(StateId state) const;
  void read_threads(StateId state, std::vector<Thread>& threads) const;
  bool step_thread(const Thread& thread, std::uint8_t cls, std::vector<Thread>& out);
  template <typename Wanted>
  bool step_thread_by_tokens(const Thread& thread, Wanted wanted, std::vector<Thread>& out);
  StateId behind_token_set(StateId state, std::uint32_t set);
  bool finishes_behind(const Thread& thread, std::uint32_t set, bool& result);
  bool add_row(earley::RowId row, regex::ExprId rest, std::vector<Thread>& out);
  void add(const Thread& thread, std::vector<Thread>& threads);
  bool keep_finishing(std::vector<Thread>& threads);
  bool can_finish(const Thread& thread, bool& result);
  WayCost distance(const Thread& thread);
  enum class Finishing : std::uint8_t { kUnknown, kNo, kYes };
  Finishing& finishing(const Thread& thread);
  bool thread_accepts(const Thread& thread) const;
  StateId begin_token_known_or_new(StateId state);
  StateId begin_token_locked(StateId state);
  StateId find_room(StateId state);
  bool begin_token(const Thread& thread, std::vector<Thread>& out);
  [[nodiscard]] std::vector<std::uint32_t> terminals_in_progress(const Thread& thread) const;
  bool add_in_place(const Thread& thread, earley::RowId row, std::vector<Thread>& out);
  lexer::LexerStateId row_start(earley::RowId row);
  StateId behind_terminal(const Thread& thread, std::uint32_t terminal);
  void publish_memory();

  std::shared_ptr<const Program> program_;
  std::uint32_t number_;
  regex::ByteClasses classes_;
  bool may_strand_ = false;  // the grammar has conditions: not every thread can finish
  bool has_competitors_ = false;
  bool has_bounds_ = false;
  mutable std::mutex mutex_;
  base::Limit limit_ = base::Limit::kNone;  // met by the exploring under way
  lexer::Lexer lexer_;
  grammar::GrowingCfg grammar_;
  earley::RowTable rows_;
  CompletionMeasure measure_;  // made when it is first needed
  ContinuationCosts ways_on_;
  std::vector<lexer::LexerStateId> row_starts_;  // by RowId; kLimit where not known
  base::WordInterner configurations_;            // word sequences by StateId
  base::SegmentedArray<State> states_;
  std::vector<std::unique_ptr<Next[]>> next_blocks_;  // what State::next points into
  std::uint32_t next_left_ = 0;                       // in the last block
  std::vector<Thread> from_;                          // while exploring
  std::unordered_map<std::string, std::uint32_t> deciding_texts_;
  std::unordered_map<std::uint64_t, StateId> behind_texts_;  // by state and deciding text
  base::PublishedMap token_steps_;        // states behind (state, token, position), for states with token exits
  base::WordInterner finishing_threads_;  // threads whose can_finish is known; 4 words each
  std::vector<Finishing> finishing_;      // by id in finishing_threads_
  base::PublishedMap begun_;              // by state: it when a token begins
  base::PublishedMap verdicts_;           // by state: whether it has room
  BudgetSearch budget_search_;
  std::unordered_map<std::uint64_t, std::unique_ptr<const TokenTargets>> targets_;  // by state and position
  std::size_t targets_bytes_ = 0;
  MaskStore masks_;
  FactsCache facts_;
  std::uint64_t transitions_ = 0;
  std::uint64_t masks_computed_ = 0;
  MaskBuilder builder_;
  std::atomic<std::size_t> memory_bytes_ = 0;
  std::once_flag product_once_;
  std::unique_ptr<CanonicalProduct> product_;
  std::atomic<const CanonicalProduct*> known_product_ = nullptr;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_EXPLORE_AUTOMATON_H_
