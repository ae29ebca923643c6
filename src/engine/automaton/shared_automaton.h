// SharedAutomaton: a LazyAutomaton, the masks of its states, and what else matchers ask about them, shared by threads.
//
// WHAT   A state says everything about the future. So a matcher is a list of states, rollback truncates it, and a fork
//        copies it. Steps, masks and acceptance are facts about a state; they are computed once and remembered.
// HOW    LazyAutomaton finds states and steps, MaskTable masks, BoundSearch which states fit the bounds of rules,
//        TokenDistance which fit a matcher's budget. SharedAutomaton calls them under its lock, answers without it what is
//        known, and counts the memory.
// COST   A known step is two dependent reads, a known mask one. Where token terminals are expected, a known step by a
//        token is a table lookup.
// MEMORY Grows only; the owner (Compiled) drops the whole automaton when is_too_large() says so. An automaton may take
//        Limits::state_memory. If it takes more for the histories that were restored on it, it may take twice what these
//        and an empty automaton take: otherwise matchers whose histories exceed the limit together would restore them
//        for one another at every call.
// THREADS Exploring holds one lock. Reading known facts takes no lock: an id is published with release by the table
//        entry that names it.
#ifndef WEIR_SRC_ENGINE_AUTOMATON_SHARED_AUTOMATON_H_
#define WEIR_SRC_ENGINE_AUTOMATON_SHARED_AUTOMATON_H_

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
#include "base/yielding_mutex.h"
#include "engine/automaton/text_state.h"
#include "engine/explore/lazy_automaton.h"
#include "engine/explore/token_targets.h"
#include "engine/facts/facts_store.h"
#include "engine/mask/bound_search.h"
#include "engine/mask/mask_table.h"
#include "engine/mask/token_distance.h"
#include "engine/sets/stop_tokens.h"
#include "engine/sets/token_terminals.h"
#include "regex/analysis/text_horizon.h"
#include "weir/compiler.h"
#include "weir/matcher.h"

namespace weir::engine {

/// What is built on the states of an automaton, once for all cursors. Its memory counts as the automaton's.
class Companion {
 public:
  Companion() = default;
  virtual ~Companion() = default;
  Companion(const Companion&) = delete;
  Companion& operator=(const Companion&) = delete;
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
};

class SharedAutomaton {
 public:
  /// `number` distinguishes the automata of one Compiled.
  explicit SharedAutomaton(std::shared_ptr<const Program> program, std::uint32_t number = 0);
  ~SharedAutomaton();
  SharedAutomaton(const SharedAutomaton&) = delete;
  SharedAutomaton& operator=(const SharedAutomaton&) = delete;
  [[nodiscard]] std::uint32_t number() const { return number_; }

  /// Returns the state of the empty text, or a limit's state if even that exceeds a limit.
  StateId start();

  /// Returns the state after one byte: kDead, or a limit's state, if there is none.
  StateId step(StateId state, std::uint8_t byte) {
    const std::uint8_t byte_class = lazy_automaton_.classes().class_of(byte);
    const std::uint32_t known = lazy_automaton_.known_step(state, byte_class);
    return known != LazyAutomaton::kUnknown ? StateId{known} : explore(state, byte_class);
  }
  StateId step(StateId state, std::string_view bytes);
  /// Do the same beside a text, which reads the bytes: its guard may refuse one, and if the next state depends on the
  /// text before it, the text decides at once. All text of an output is read through here.
  StateId step(StateId state, std::uint8_t byte, TextState& text);
  StateId step(StateId state, std::string_view bytes, TextState& text);

  /// Returns the state after a token that begins in `state`: through its bytes as text, and as a whole through token
  /// terminals. `bytes` are the token's bytes at `position` in its role, empty if it has none. keep_within_bounds() is
  /// a separate step.
  StateId step_token(StateId state, std::uint32_t token, TokenPosition position, std::string_view bytes,
                     TokenRole role = TokenRole::kOfVocabulary);
  /// What decides about a matcher's next token besides the state.
  struct Beside {
    const StopTokens& stops;
    TextState& text;
    std::optional<std::uint32_t> left = {};  ///< If there is a budget: how many tokens may come.
  };
  /// Returns the state after a token that is not taken as a stop token, if all but canonical mode allows it: the
  /// grammar, the bounds of its rules, the text, the budget. Otherwise kDead, or a limit's state. A text that is
  /// replayed was allowed before, so bounds are not asked. The text has then read the token's bytes, or some of them if
  /// the result is kDead or a limit's.
  StateId step_token(StateId state, std::uint32_t token, TokenPosition position, const Beside& beside);

  /// Returns true if the grammar has bounded rules. Without them the next two functions return `state`.
  [[nodiscard]] bool has_bounds() const { return lazy_automaton_.has_bounds(); }
  /// Returns the state in place of `state` when a token begins: each bounded rule in progress has one token less. kDead
  /// if bounded rules have no token left and nothing else can go on.
  StateId begin_token(StateId state) { return has_bounds() ? begin_token_known_or_new(state) : state; }
  /// Returns `state` if the bounded rules in progress can be ended within their tokens; otherwise kDead, or a limit's
  /// state.
  StateId keep_within_bounds(StateId state) { return has_bounds() ? within_bounds(state) : state; }
  /// The fewest tokens in which a rule can be ended, as far as the search finds out.
  struct TokensNeeded {
    std::optional<std::uint64_t> tokens = {};  ///< For the shortest text that was found; none if no text was found.
    base::Limit limit = base::Limit::kNone;    ///< The limit that the search met.
    bool is_at_least = false;                  ///< The text is long: it takes at least so many.
    bool is_shortest = false;                  ///< No other text takes fewer tokens.
    bool was_cut = false;  ///< Limits::lookahead_threads ended the search for a text within the bound.
  };
  /// Finds the smallest bound on tokens, `least` or more, under which `rule` has a text. Cost: one search for each
  /// bound that is tried, logarithmically many.
  TokensNeeded tokens_needed(grammar::RuleId rule, std::uint32_t least);

  /// Returns the mask of the tokens allowed in `state`.
  MaskResult mask(StateId state, TokenPosition position);
  [[nodiscard]] bool is_mask_known(StateId state, TokenPosition position) const {
    return masks_.known(state, position) != nullptr;
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
  /// Where the tokens of mask(state, position) lead. Cost: that of a mask that is not known, once a state.
  TargetsResult targets(StateId state, TokenPosition position);
  /// The state of a terminal alone after `bytes`, all of which it reads; kDead if it does not.
  StateId inside_terminal(const TokenTargets::Terminal& terminal, std::string_view bytes);
  /// The state in which the terminal has just ended; nothing else that it may do is in it.
  StateId after_terminal(const TokenTargets::Terminal& terminal);
  /// The bytes that may come in `state`; in a grammar with conditions, those and others.
  base::Limit next_bytes(StateId state, regex::ByteSet& bytes);
  /// Calls `use(table, key)` under the lock with a table of the terminal's residuals and the key of its root in stores.
  /// The root is the terminal's residual without the counts that texts of `bytes` bytes cannot use up.
  template <typename Use>
  void with_residuals(const TokenTargets::Terminal& terminal, std::uint32_t bytes, TokenPosition position, Use&& use) {
    const base::YieldingLock lock(mutex_);
    facts_.with_table(regex::drop_distant_counts(lazy_automaton_.exprs(), terminal.residual, bytes),
                      lazy_automaton_.lexer().mode(terminal.terminal), position, std::forward<Use>(use));
  }

  /// Returns the ready tokens of a terminal if they are a short list; null if they are not. The list lives as long as
  /// the automaton.
  const std::vector<std::uint32_t>* few_ready_tokens(const TokenTargets::Terminal& terminal, TokenPosition position);

  /// Returns a number for the mask with id `mask` (or a canonical mask with that number) in which the bits of the tokens
  /// in `flipped` are flipped. Equal numbers mean equal arguments. For matchers with stop tokens of their own.
  std::uint32_t number_of_flipped(std::uint64_t mask, std::span<const std::uint32_t> flipped);

  /// Returns true if the output may end in `state`.
  [[nodiscard]] bool accepts(StateId state) const { return lazy_automaton_.accepts(state); }
  /// Returns true if a token terminal is expected in `state`.
  [[nodiscard]] bool expects_token_terminals(StateId state) const {
    return lazy_automaton_.expects_token_terminals(state);
  }

  /// Returns true if what may come after `state` depends on the text before it. The caller then replaces `state` by
  /// state_for_text() before going on. The state itself allows what some text before it would allow.
  [[nodiscard]] bool follows_text(StateId state) const { return lazy_automaton_.follows_text(state); }
  /// Returns the state that replaces `state` after `text`, which is all of the text so far. Precondition:
  /// follows_text(state).
  StateId state_for_text(StateId state, std::string_view text);

  /// Returns true if a condition may refuse a text that grammar and lexemes allow.
  [[nodiscard]] bool has_conditions() const { return lazy_automaton_.has_conditions(); }

  /// Returns the classes of bytes; their representatives stand for all bytes when transitions are walked.
  [[nodiscard]] const regex::ByteClasses& classes() const { return lazy_automaton_.classes(); }
  [[nodiscard]] const Program& program() const { return lazy_automaton_.program(); }

  /// Returns a lower bound on the cost of a text from `state` to the end: by the grammar alone, without conditions.
  [[nodiscard]] WayCost distance(StateId state);

  /// Returns the threads of a state, for inspection and for the search for completions.
  [[nodiscard]] std::vector<Thread> threads(StateId state) const;

  /// Calls `use(grammar, lexer, rows)` under the lock. For inspection, and for reading captures, which adds lexer
  /// states: without new ones the memory that is published stays as it was, because its sum takes longer than a byte.
  template <typename Use>
  auto inspect(Use&& use) {
    const base::YieldingLock lock(mutex_);
    const std::uint32_t lexer_states = lazy_automaton_.lexer().state_count();
    if constexpr (std::is_void_v<decltype(use(lazy_automaton_.grammar(), lazy_automaton_.lexer(),
                                              lazy_automaton_.rows()))>) {
      use(lazy_automaton_.grammar(), lazy_automaton_.lexer(), lazy_automaton_.rows());
    } else {
      auto result = use(lazy_automaton_.grammar(), lazy_automaton_.lexer(), lazy_automaton_.rows());
      if (lazy_automaton_.lexer().state_count() != lexer_states) publish_memory();
      return result;
    }
  }

  /// Returns the number of threads that wait for the lock.
  [[nodiscard]] std::uint32_t waiting() const { return mutex_.waiting(); }

  /// Calls `use(grammar, lexer, rows, measure)` under the lock. For the search for completions, which adds expressions.
  template <typename Use>
  auto inspect_completions(Use&& use) {
    const base::YieldingLock lock(mutex_);
    auto result =
        use(lazy_automaton_.grammar(), lazy_automaton_.lexer(), lazy_automaton_.rows(), lazy_automaton_.measure());
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
  /// Returns true if the automaton takes more than `times` the memory that it may take. Cheap.
  [[nodiscard]] bool is_too_large(std::size_t times = 1) const {
    return memory_bytes() / times > most_bytes_.load(std::memory_order_relaxed);
  }
  /// Lets the automaton take twice the memory that it takes now: for a cursor that cannot move to another one.
  void allow_twice_its_size();

  /// While one lives, a history is restored on the automaton: what that takes raises the memory that it may take. What
  /// other threads explore in the meantime is counted as well.
  class Restoring {
   public:
    explicit Restoring(SharedAutomaton& automaton) : automaton_(automaton) { automaton_.begin_restoring(); }
    ~Restoring() { automaton_.end_restoring(); }
    Restoring(const Restoring&) = delete;
    Restoring& operator=(const Restoring&) = delete;

   private:
    SharedAutomaton& automaton_;
  };

  /// Returns the automaton's one companion, which the first call makes. Any thread may call it.
  template <typename Make>
  Companion& companion(const Make& make) {
    std::call_once(companion_once_, [&] {
      companion_ = make();
      known_companion_.store(companion_.get(), std::memory_order_release);
    });
    return *companion_;
  }

 private:
  // Holds the lock for a question that may explore. At its end the memory is published.
  class Exploring {
   public:
    explicit Exploring(SharedAutomaton& automaton) : lock_(automaton.mutex_), automaton_(automaton) {}
    ~Exploring() { automaton_.publish_memory(); }
    Exploring(const Exploring&) = delete;
    Exploring& operator=(const Exploring&) = delete;

   private:
    base::YieldingLock lock_;
    SharedAutomaton& automaton_;
  };
  StateId explore(StateId state, std::uint8_t byte_class);
  StateId add_token_terminals(StateId state, std::uint32_t token, StateId by_text, TokenRole role);
  StateId step_token_beside_text(StateId state, std::uint32_t token, std::string_view bytes, TokenRole role,
                                 TextState& text);
  StateId begin_token_known_or_new(StateId state);
  StateId within_bounds(StateId state);
  void publish_memory();
  void begin_restoring();
  void end_restoring();
  void raise_most_bytes(std::size_t bytes);

  std::uint32_t number_;
  mutable base::YieldingMutex mutex_;
  LazyAutomaton lazy_automaton_;
  FactsCache facts_;
  BoundSearch bound_search_;
  MaskTable masks_;
  TokenDistance token_distance_;
  base::PublishedMap token_steps_;  // the state after (state, token, role, position), if token terminals are expected
  // By state and position: a number of tokens left from which on the mask is mask(); the least that is known.
  std::unordered_map<std::uint64_t, std::uint32_t> plain_from_;
  // By state and position, then by tokens left: the masks that lack tokens because of the budget.
  std::unordered_map<std::uint64_t, std::unordered_map<std::uint32_t, const Mask*>> narrow_;
  std::size_t narrow_count_ = 0;
  std::unordered_map<std::uint64_t, std::unique_ptr<const TokenTargets>> targets_;  // by state and position
  std::size_t targets_bytes_ = 0;
  base::WordInterner flipped_masks_;  // by number_of_flipped: a mask, and the tokens flipped in it
  std::atomic<std::size_t> memory_bytes_ = 0;
  std::atomic<std::size_t> most_bytes_;
  std::size_t empty_bytes_ = 0;     // memory_bytes() before anything was explored
  std::size_t restored_bytes_ = 0;  // what restoring histories took, without those that are being restored
  std::uint32_t restoring_ = 0;     // number of histories that are being restored,
  std::size_t restoring_from_ = 0;  // and memory_bytes() when the first of them began
  WarmUps warm_ups_;
  std::once_flag companion_once_;
  std::unique_ptr<Companion> companion_;
  std::atomic<const Companion*> known_companion_ = nullptr;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_AUTOMATON_SHARED_AUTOMATON_H_
