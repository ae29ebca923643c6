// Automaton: the deterministic automaton over bytes that a grammar defines, explored as texts and masks need it.
//
// WHAT   A state is an interned configuration, which is a set of threads. A thread has an Earley row, the lexer state
//        of the lexemes begun on that row, a condition on the rest of the text, and a flag. The flag says that the
//        thread is *fresh*: a lexeme has just ended (or the text begins), so the row is at the current place. Equal
//        configurations have equal ids. Transitions, masks and acceptance are facts about a state; they are computed
//        once and remembered.
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
//        Token terminals: where a fresh row expects a token set, those tokens advance it as a whole.
//        Bounded rules (`max_tokens`): when a token begins, a state is replaced by the one in which each bounded rule
//        in progress has one token less (`begin_token`, a step like that by a byte). After a token only those states
//        are allowed from which tokens lead out of all bounded rules in time (`fits_budget`, budget_search.h). Both
//        answers are remembered in tables by state.
// INVARIANTS  Every state but kDead can be finished, or, in a grammar that keeps endless rules, can go on forever.
//        No two fresh threads of a state have the same condition. Of its other threads no two with the same condition
//        have the same row (except for competing terminals) or the same lexer state. The threads of a configuration are
//        sorted.
// COST   A known step is two dependent reads; where token sets are expected, a known step by a token is a table lookup.
//        A new step steps each thread and takes a lock.
// LIMITS configuration_threads, lookahead_threads, and those of Lexer and RowTable. A step that meets a limit returns
//        that limit's state (state_id.h) and remembers nothing.
// MEMORY Grows only; the owner (Compiled) drops the whole automaton when is_too_large() says so. An automaton may take
//        Limits::state_memory. If it takes more for the histories that were restored on it, it may take twice what these
//        and an empty automaton take: otherwise matchers whose histories exceed the limit together would restore them
//        for one another at every call.
// THREADS Exploring holds one lock. Reading known facts takes no lock: an id is published with release by the table
//        entry that names it.
#ifndef WEIR_SRC_ENGINE_EXPLORE_AUTOMATON_H_
#define WEIR_SRC_ENGINE_EXPLORE_AUTOMATON_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/interner.h"
#include "base/limit.h"
#include "base/published_map.h"
#include "base/segmented_array.h"
#include "base/yielding_mutex.h"
#include "earley/row_table.h"
#include "engine/bounds/budget_search.h"
#include "engine/bounds/continuation_costs.h"
#include "engine/bounds/token_distance.h"
#include "engine/explore/program.h"
#include "engine/explore/state_id.h"
#include "engine/mask/facts_store.h"
#include "engine/mask/mask.h"
#include "engine/mask/mask_builder.h"
#include "engine/mask/token_sets.h"
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
  regex::ExprId rest = regex::ExprId::kAllStrings;         ///< The condition: the rest of the text must be in it.
  lexer::LexerStateId lexer = lexer::LexerStateId::kDead;  ///< Lexemes in progress, and those that may begin here.
  /// 1 if the row is at the current place: a lexeme has just ended, or the text begins. A word, because threads are
  /// interned.
  std::uint32_t fresh = 0;
  friend constexpr auto operator<=>(const Thread&, const Thread&) = default;
};

class CanonicalProduct;

class Automaton {
 public:
  /// `number` distinguishes the automata of one Compiled.
  explicit Automaton(std::shared_ptr<const Program> program, std::uint32_t number = 0);
  ~Automaton();
  Automaton(const Automaton&) = delete;
  Automaton& operator=(const Automaton&) = delete;
  [[nodiscard]] std::uint32_t number() const { return number_; }

  /// Returns the state of the empty text, or a limit's state if even that exceeds a limit.
  StateId start();

  /// Returns the state after one byte: kDead, or a limit's state, if there is none.
  StateId step(StateId state, std::uint8_t byte) {
    const std::uint32_t known = known_step(state, classes_.class_of(byte));
    return known != kUnknown ? StateId{known} : explore(state, classes_.class_of(byte));
  }
  StateId step(StateId state, std::string_view bytes);

  /// Returns the state after a token that begins in `state`: through its bytes as text, and as a whole through token
  /// terminals. `bytes` are the token's bytes at `position` in its role, empty if it has none. keep_within_budget() is
  /// a separate step.
  StateId step_token(StateId state, std::uint32_t token, TokenPosition position, std::string_view bytes,
                     TokenRole role = TokenRole::kOfVocabulary);
  /// Returns the state after a token that begins in `state`, where `by_text` is the state after its bytes as text.
  StateId add_token_exits(StateId state, std::uint32_t token, StateId by_text, TokenRole role);

  /// Returns true if the grammar has bounded rules. Without them the next two functions return `state`.
  [[nodiscard]] bool has_bounds() const { return has_bounds_; }
  /// Returns the state in place of `state` when a token begins: each bounded rule in progress has one token less. kDead
  /// if bounded rules have no token left and nothing else can go on.
  StateId begin_token(StateId state) { return has_bounds_ ? begin_token_known_or_new(state) : state; }
  /// Returns `state` if the bounded rules in progress can be ended within their tokens; otherwise kDead, or a limit's
  /// state.
  StateId keep_within_budget(StateId state) { return has_bounds_ ? within_budget(state) : state; }
  /// The fewest tokens in which a rule can be ended, as far as the search finds out.
  struct TokensNeeded {
    std::optional<std::uint64_t> tokens;     ///< For the shortest text that was found; none if no text was found.
    base::Limit limit = base::Limit::kNone;  ///< The limit that the search met.
    bool is_at_least = false;                ///< `tokens` is only a lower bound: the shortest text is long.
    bool was_cut = false;  ///< Limits::lookahead_threads ended the search for a text within the bound.
  };
  /// Finds the smallest bound on tokens, `least` or more, under which `rule` has a text. Cost: one search for each
  /// bound that is tried, logarithmically many.
  TokensNeeded tokens_needed(grammar::RuleId rule, std::uint32_t least);

  struct MaskResult {
    const Mask* mask = nullptr;  ///< Null when a limit was met. Lives as long as the automaton.
    base::Limit limit = base::Limit::kNone;
  };
  /// Returns the mask of the tokens allowed in `state`.
  MaskResult mask(StateId state, TokenPosition position);
  [[nodiscard]] bool is_mask_known(StateId state, TokenPosition position) const {
    const auto& mask = states_[raw(state)].masks[static_cast<std::size_t>(position)];
    return mask.load(std::memory_order_relaxed) != nullptr;
  }
  /// Returns the mask of those tokens after which at most `left` - 1 tokens suffice to complete the text.
  /// Preconditions of this and the next two: no bounded rules, no conditions.
  MaskResult mask_within(StateId state, TokenPosition position, std::uint32_t left);
  /// Returns `state` if `left` tokens suffice to complete the text from it; otherwise kDead, or a limit's state.
  StateId keep_within(StateId state, TokenPosition position, std::uint32_t left);
  /// Finds the least number of tokens, at most `most`, that suffice from `state`; none if more are needed.
  base::Limit tokens_to_end(StateId state, TokenPosition position, std::uint32_t most,
                            std::optional<std::uint32_t>& tokens);

  // For products with an automaton over tokens (engine/canonical).
  /// Where the tokens of mask(state, position) lead. Preconditions: those of mask_within.
  NextStates::Found next_states(StateId state, TokenPosition position);
  /// Texts of few bytes that complete `state`, at most four. Preconditions: those of mask_within.
  std::vector<std::vector<WayPart>> short_ways(StateId state);
  struct TargetsResult {
    const TokenTargets* targets = nullptr;  ///< Null if a limit was met. Lives as long as the automaton.
    base::Limit limit = base::Limit::kNone;
  };
  /// Where the tokens of mask(state, position) lead. Without token terminals: a token that is taken as a whole is not
  /// listed. Cost: that of a mask that is not known, once a state.
  TargetsResult targets(StateId state, TokenPosition position);
  /// The state of a terminal alone after `bytes`, all of which it reads; kDead if it does not.
  StateId inside_terminal(const TokenTargets::Terminal& terminal, std::string_view bytes);
  /// The state in which the terminal has just ended; nothing else that it may do is in it.
  StateId after_terminal(const TokenTargets::Terminal& terminal);
  /// The bytes that may come in `state`; in a grammar with conditions, those and others.
  base::Limit next_bytes(StateId state, regex::ByteSet& bytes);
  /// Calls `use(table, key)` under the lock with a table of residuals of the terminal, whose root is the terminal's
  /// residual without counts that texts of `bytes` bytes do not come to the end of, and with the root's key in stores.
  template <typename Use>
  void with_residuals(const TokenTargets::Terminal& terminal, std::uint32_t bytes, TokenPosition position, Use&& use) {
    const base::YieldingLock lock(mutex_);
    begin_exploring();
    facts_.with_table(lexer_.exprs().drop_distant_counts(terminal.residual, bytes), lexer_.mode(terminal.terminal),
                      position, std::forward<Use>(use));
  }

  /// Returns the ready tokens of a terminal if they are a short list; null if they are not. The list lives as long as
  /// the automaton.
  const std::vector<std::uint32_t>* few_ready_tokens(const TokenTargets::Terminal& terminal, TokenPosition position);

  /// Returns a number for the mask with id `mask` (or a canonical mask with that number) in which the bits of the tokens
  /// in `flipped` are flipped. Equal numbers mean equal arguments. For matchers with stop tokens of their own.
  std::uint32_t number_of_flipped(std::uint64_t mask, std::span<const std::uint32_t> flipped);

  /// Returns true if the output may end in `state`.
  [[nodiscard]] bool accepts(StateId state) const { return states_[raw(state)].accepts; }
  /// Returns true if some token set is expected in `state`.
  [[nodiscard]] bool has_token_exits(StateId state) const { return states_[raw(state)].has_token_exits; }

  /// Returns true if what may come after `state` depends on the text before it. The caller then replaces `state` by
  /// state_for_text() before going on. The state itself allows what some text before it would allow.
  [[nodiscard]] bool follows_text(StateId state) const { return states_[raw(state)].follows_text; }
  /// Returns the state that replaces `state` after `text`, which is all of the text so far. Precondition:
  /// follows_text(state).
  StateId state_for_text(StateId state, std::string_view text);

  /// Returns true if a condition may refuse a text that grammar and lexemes allow.
  [[nodiscard]] bool has_conditions() const { return has_conditions_; }

  /// Returns the classes of bytes; their representatives stand for all bytes when transitions are walked.
  [[nodiscard]] const regex::ByteClasses& classes() const { return classes_; }
  [[nodiscard]] const Program& program() const { return *program_; }

  /// Returns a lower bound on the cost of a text from `state` to the end: by the grammar alone, without conditions.
  [[nodiscard]] WayCost distance(StateId state);

  /// Returns the threads of a state, for inspection and for the search for completions.
  [[nodiscard]] std::vector<Thread> threads(StateId state) const;

  /// Calls `use(grammar, lexer, rows)` under the lock. For inspection, and for reading captures, which adds lexer
  /// states.
  template <typename Use>
  auto inspect(Use&& use) {
    const base::YieldingLock lock(mutex_);
    if constexpr (std::is_void_v<decltype(use(grammar_, lexer_, rows_))>) {
      use(grammar_, lexer_, rows_);
    } else {
      auto result = use(grammar_, lexer_, rows_);
      publish_memory();
      return result;
    }
  }

  /// Returns the number of threads that wait for the lock.
  [[nodiscard]] std::uint32_t waiting() const { return mutex_.waiting(); }

  /// Calls `use(grammar, lexer, rows, measure)` under the lock. For the search for completions, which adds expressions.
  template <typename Use>
  auto inspect_completions(Use&& use) {
    const base::YieldingLock lock(mutex_);
    auto result = use(grammar_, lexer_, rows_, measure_);
    publish_memory();
    return result;
  }

  /// Returns where the call of this thread has met a limit, to follow that statement in a message: a terminal, and the
  /// schema that it is made for. Empty if that is not known, or if the limit is not about a terminal.
  [[nodiscard]] std::string place_of_work(base::Limit limit);

  /// What calls of warm_up have done with this automaton.
  struct WarmUps {
    std::atomic<std::uint64_t> work = 0;
    std::atomic<bool> is_complete = false;
    std::atomic<std::uint32_t> stops = 0;  // calls of stop_warm_up
  };
  WarmUps& warm_ups() { return warm_ups_; }

  [[nodiscard]] EngineStats stats() const;
  [[nodiscard]] StateStats state_stats(StateId state, TokenPosition position) const;
  /// Returns the bytes in use. Cheap: exploring keeps the sum up to date, except for the last few transitions.
  [[nodiscard]] std::size_t memory_bytes() const;
  /// Returns true if the automaton takes more memory than it may. Cheap.
  [[nodiscard]] bool is_too_large() const { return memory_bytes() > most_bytes_.load(std::memory_order_relaxed); }
  /// Lets the automaton take twice the memory that it takes now: for a cursor that cannot move to another one.
  void allow_twice_its_size();

  /// While one lives, a history is restored on the automaton: what that takes raises the memory that it may take. What
  /// other threads explore in the meantime is counted as well.
  class Restoring {
   public:
    explicit Restoring(Automaton& automaton) : automaton_(automaton) { automaton_.begin_restoring(); }
    ~Restoring() { automaton_.end_restoring(); }
    Restoring(const Restoring&) = delete;
    Restoring& operator=(const Restoring&) = delete;

   private:
    Automaton& automaton_;
  };

  /// The product with the canonical automaton of the program's vocabulary; made at the first call.
  CanonicalProduct& product(const canonical::CanonicalAutomaton& canonical);

 private:
  friend class MaskBuilder;
  friend class BudgetSearch;
  friend class TokenDistance;
  friend class NextStates;
  static constexpr std::uint32_t kUnknown = UINT32_MAX;
  // Adding up the memory takes about as long as computing a transition that makes no new row, so it is not done each
  // time.
  static constexpr std::uint64_t kPublishedEvery = 16;
  using Next = std::atomic<std::uint32_t>;

  // A state is *opened* when a mask's walk leaves it, or when a text leaves it by a second byte. It then has the set of
  // byte classes by which it can be left (`live`) and an entry for each of them; all other bytes lead to kDead, which
  // the set alone says. Most states along a text are left by one byte only; such a state has no table, only that
  // transition (`lone`).
  struct State {
    std::atomic<Next*> next = nullptr;    // by rank in `live`; null until the state is opened
    std::atomic<std::uint64_t> lone = 0;  // while the state is not open: (class + 1) << 32 | the state it leads to
    regex::RankedByteSet live;
    std::atomic<const Mask*> masks[kTokenPositions]{};
    bool accepts = false;
    bool has_token_exits = false;
    bool follows_text = false;
  };

  // Returns the state after a byte class, or kUnknown.
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
  // The functions that follow require the lock. If one returns false or no state, limit_ is the reason.
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
  StateId after_token_set(StateId state, std::uint32_t set);
  bool can_finish_after(const Thread& thread, std::uint32_t set, bool& result);
  bool add_row(earley::RowId row, regex::ExprId rest, std::vector<Thread>& out);
  void add(const Thread& thread, std::vector<Thread>& threads);
  bool keep_finishing(std::vector<Thread>& threads);
  bool can_finish(const Thread& thread, bool& result);
  WayCost distance(const Thread& thread);
  WayCost distance_locked(StateId state);
  enum class Finishing : std::uint8_t { kUnknown, kNo, kYes };
  Finishing& finishing(const Thread& thread);
  bool thread_accepts(const Thread& thread) const;
  StateId begin_token_known_or_new(StateId state);
  StateId begin_token_locked(StateId state);
  StateId within_budget(StateId state);
  bool begin_token(const Thread& thread, std::vector<Thread>& out);
  [[nodiscard]] std::vector<std::uint32_t> terminals_in_progress(const Thread& thread) const;
  bool add_in_place(const Thread& thread, earley::RowId row, std::vector<Thread>& out);
  lexer::LexerStateId row_start(earley::RowId row);
  StateId after_terminal(const Thread& thread, std::uint32_t terminal);
  StateId state_inside(const TokenTargets::Terminal& terminal);
  MaskResult mask_locked(StateId state, TokenPosition position, TokenTargets* targets);
  void publish_memory();
  void begin_restoring();
  void end_restoring();
  void raise_most_bytes(std::size_t bytes);

  std::shared_ptr<const Program> program_;
  std::uint32_t number_;
  regex::ByteClasses classes_;
  bool has_conditions_ = false;  // the grammar has conditions, so a thread may be unable to finish
  bool has_competitors_ = false;
  bool has_bounds_ = false;
  mutable base::YieldingMutex mutex_;
  base::Limit limit_ = base::Limit::kNone;  // met by the current exploring
  lexer::Lexer lexer_;
  grammar::GrowingCfg grammar_;
  earley::RowTable rows_;
  CompletionMeasure measure_;  // filled in when it is first needed
  ContinuationCosts continuation_costs_;
  std::vector<lexer::LexerStateId> row_starts_;  // by RowId; kLimit if not known
  base::Interner<Thread> configurations_;        // sets of threads by StateId
  base::SegmentedArray<State> states_;
  std::vector<std::unique_ptr<Next[]>> next_blocks_;  // the storage of State::next
  std::uint32_t next_left_ = 0;                       // unused entries of the last block
  std::vector<Thread> from_, next_;                   // scratch of explore_locked
  std::unordered_map<std::string, std::uint32_t> deciding_texts_;
  std::unordered_map<std::uint64_t, StateId> after_texts_;  // by state and deciding text
  base::PublishedMap token_steps_;  // the state after (state, token, role, position), if there are token exits
  base::Interner<Thread> finishing_threads_;  // threads whose can_finish is known, one each
  std::vector<Finishing> finishing_;          // by id in finishing_threads_
  base::PublishedMap begun_;                  // by state: its begin_token
  base::PublishedMap verdicts_;               // by state: 1 if it fits its budget, else 0
  BudgetSearch budget_search_;
  TokenDistance token_distance_;
  // By state and position: a number of tokens left from which on the mask is mask(); the least that is known.
  std::unordered_map<std::uint64_t, std::uint32_t> plain_from_;
  std::unordered_map<std::uint64_t, std::unordered_map<std::uint32_t, const Mask*>>
      narrow_;  // by the same; by tokens left
  std::size_t narrow_count_ = 0;
  std::unordered_map<std::uint64_t, std::unique_ptr<const TokenTargets>> targets_;  // by state and position
  std::size_t targets_bytes_ = 0;
  MaskStore masks_;
  base::WordInterner flipped_masks_;  // by number_of_flipped: a mask, and the tokens flipped in it
  FactsCache facts_;
  std::uint64_t transitions_ = 0;
  std::uint64_t masks_computed_ = 0;
  MaskBuilder builder_;
  std::atomic<std::size_t> memory_bytes_ = 0;
  std::atomic<std::size_t> most_bytes_;
  std::size_t empty_bytes_ = 0;     // memory_bytes() before anything was explored
  std::size_t restored_bytes_ = 0;  // what restoring histories took, without those that are being restored
  std::uint32_t restoring_ = 0;     // number of histories that are being restored,
  std::size_t restoring_from_ = 0;  // and memory_bytes() when the first of them began
  WarmUps warm_ups_;
  std::once_flag product_once_;
  std::unique_ptr<CanonicalProduct> product_;
  std::atomic<const CanonicalProduct*> known_product_ = nullptr;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_EXPLORE_AUTOMATON_H_
