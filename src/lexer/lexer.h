// Lexer: which terminals are in progress, and which have just ended, byte by byte.
//
// WHAT   A lexer state is an interned set of (terminal, residual expression): the terminals that the text since some
//        row may still become, each with what is left of it. A step by a byte gives the next state and the terminals
//        that may end behind that byte.
// WHY    Splitting text into lexemes is left to the parser above: a state says "may end here" and goes on as well, so
//        all splits are followed (exact). Maximal munch would lose strings: with A: /a+/, B: /ab/, `A B` accepts aab.
// HOW    Brzozowski derivatives give the residuals; a residual that matches nothing is dropped at once, so a state
//        never leads to a dead end. Modes differ only in what a step does with a residual r that may end:
//          exact   ends, and goes on with r;
//          lazy    ends, and does not go on;
//          greedy  ends, goes on with r, and lays a condition on the text behind the ending: no non-empty prefix of it
//                  may be in r (else the lexeme would have been longer). The condition, a regular language that the
//                  rest of the text must be in, is returned with the ending (`Ending::rest`); the engine follows it;
//          longest, shortest  compete with all others of these two modes in the state. A shortest one that may end
//                  does, and no competitor goes on. A longest one ends and goes on like a greedy one, under a condition
//                  on the next byte alone: it must not be one by which a competitor can go on. So among competitors
//                  there is one split of a text, found without going back. They are compared if they began at one
//                  place, so states that hold some must not be merged.
//        A terminal may also say what must follow it, whatever its mode: that condition is laid, too.
//        A state's steps are remembered in a row with an entry for each byte class that leads anywhere (`live`): most
//        bytes lead nowhere. The row is made when the state is left by a second byte, or `live` is asked for; most
//        states are never left, or by one byte alone, which is remembered by itself.
// INVARIANTS  No terminal matches the empty string. Residuals in a state are never empty. State words are sorted.
// COST   A known step is three dependent reads: the state's table, the edge, and where its endings lie. A new one is a
//        derivative a terminal in the state.
// LIMITS lexer_states, regex_nodes, regex_fuel; see `limit_hit`.
// THREADS Not thread-safe; the engine explores under a lock.
// REFERENCES  Owens, Reppy, Turon, "Regular-expression derivatives re-examined" (2009), section 4.2 on vectors of
//        expressions.
#ifndef WEIR_SRC_LEXER_LEXER_H_
#define WEIR_SRC_LEXER_LEXER_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/limit.h"
#include "base/word_interner.h"
#include "regex/expr/expr.h"
#include "weir/limits.h"

namespace weir::lexer {

enum class Mode : std::uint8_t { kExact, kLazy, kGreedy, kLongest, kShortest };

constexpr bool competes(Mode mode) { return mode == Mode::kLongest || mode == Mode::kShortest; }

struct TerminalSpec {
  regex::ExprId expr = regex::ExprId::kNothing;
  Mode mode = Mode::kExact;
  regex::ExprId follow = regex::ExprId::kAllStrings;  ///< What the text behind a lexeme must be in.
};

/// Names a lexer state of one Lexer.
enum class LexerStateId : std::uint32_t {
  kDead = 0,            ///< Nothing in progress.
  kLimit = UINT32_MAX,  ///< A limit was met; Lexer::limit_hit names it.
};

/// A terminal that may end here.
struct Ending {
  std::uint32_t terminal = 0;
  regex::ExprId rest = regex::ExprId::kAllStrings;  ///< What the text from here to the end must be in.
};

class Lexer {
 public:
  /// Whether add_terminal will be called: every byte is then a class of its own, since no one knows what is to come.
  enum class Terminals : std::uint8_t { kFixed, kGrowing };

  /// Takes over `exprs`; terminals are numbered by their place in `terminals`. `conditions` are others that the user
  /// steps by byte classes.
  Lexer(regex::ExprSet exprs, std::span<const TerminalSpec> terminals, const Limits& limits,
        Terminals growth = Terminals::kFixed, std::span<const regex::ExprId> conditions = {});

  /// Adds a terminal; its number is the next one. Precondition: Terminals::kGrowing.
  void add_terminal(const TerminalSpec& terminal) { terminals_.push_back(terminal); }
  [[nodiscard]] Mode mode(std::uint32_t terminal) const { return terminals_[terminal].mode; }

  /// The state in which all of `terminals` may begin.
  LexerStateId start(std::span<const std::uint32_t> terminals);

  /// The state that is in either. Precondition: they are one state, or none of their terminals competes.
  LexerStateId merge(LexerStateId a, LexerStateId b);

  /// The state with these (terminal, residual) pairs, flat, in any order.
  LexerStateId state_of(std::vector<std::uint32_t> items);

  struct StepResult {
    LexerStateId next = LexerStateId::kDead;
    std::span<const Ending> endings = {};  ///< Valid until the next step.
  };
  /// Precondition: byte_class < classes().count().
  StepResult step(LexerStateId state, std::uint8_t byte_class);

  /// The byte classes by which a step leads anywhere. Empty on a limit.
  const regex::ByteSet& live(LexerStateId state);

  [[nodiscard]] const regex::ByteClasses& classes() const { return classes_; }
  [[nodiscard]] regex::ExprSet& exprs() { return exprs_; }
  [[nodiscard]] const regex::ExprSet& exprs() const { return exprs_; }
  [[nodiscard]] std::uint32_t state_count() const { return states_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const;

  /// (terminal, residual) pairs of a state, flat, ascending.
  [[nodiscard]] std::span<const std::uint32_t> items(LexerStateId state) const {
    return states_[static_cast<std::uint32_t>(state)];
  }

  /// Whether `e` matches nothing. On doubt (out of fuel, too many nodes) records the limit.
  bool is_nothing(regex::ExprId e);

  /// The limit that was met since clear_limit(). Until it is cleared every new step is kLimit.
  [[nodiscard]] base::Limit limit_hit() const { return limit_hit_; }
  void clear_limit() { limit_hit_ = base::Limit::kNone; }

 private:
  struct Edge {
    static constexpr std::uint32_t kUnknown = UINT32_MAX - 1;
    std::uint32_t next = kUnknown;
    std::uint32_t endings = 0;  // into ending_ranges_
  };
  struct State {
    regex::ByteSet live;
    regex::RankedByteSet ranks;
    std::uint32_t first_edge = kNotOpen;
    std::uint8_t lone_class = 0;  // of a state that is not open
    Edge lone_edge;
  };
  static constexpr std::uint32_t kNotOpen = UINT32_MAX;

  LexerStateId intern(std::vector<std::uint32_t>& words);
  bool open(LexerStateId state);
  [[nodiscard]] StepResult result_of(const Edge& edge) const;
  const regex::ByteSet& live_of(regex::ExprId residual);
  Edge compute(LexerStateId state, std::uint8_t byte_class);
  struct Item {
    std::uint32_t terminal = 0;
    regex::ExprId residual = regex::ExprId::kNothing;
    Mode mode = Mode::kExact;
    bool may_end = false;
  };
  std::vector<Item> derive(LexerStateId state, std::uint8_t byte);
  regex::ExprId rest_after(const Item& item, std::span<const Item> items);
  regex::ExprId unless_continued(std::span<const Item> items);

  regex::ExprSet exprs_;
  std::vector<TerminalSpec> terminals_;
  Limits limits_;
  regex::ByteClasses classes_;
  base::WordInterner states_;  // words: terminal, residual, terminal, residual, ...
  std::vector<State> tables_;  // by state
  std::vector<Edge> edges_;    // of open states, by rank in live
  std::unordered_map<regex::ExprId, regex::ByteSet> live_of_;
  std::vector<regex::ExprSet::Branch> branches_;
  base::WordInterner ending_sets_;                                      // words: terminal, rest, ...
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ending_ranges_;  // by ending set, into endings_
  std::vector<Ending> endings_;
  base::Limit limit_hit_ = base::Limit::kNone;
};

}  // namespace weir::lexer

#endif  // WEIR_SRC_LEXER_LEXER_H_
