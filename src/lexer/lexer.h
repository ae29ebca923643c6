// Lexer: tracks, byte by byte, which terminals are in progress and which may end.
//
// The basic idea: what a terminal may still match depends on its residual alone. So a set of residuals is a state, and
// its steps are remembered.
//
// WHAT   A lexer state is an interned set of items: the terminals that may match the text since some row, each with its
//        residual after that text. A step by a byte returns the next state and the terminals
//        that may end after the byte.
// WHY    The parser above decides where lexemes end. A step reports that a terminal may end and also continues it, so
//        every split of the text into lexemes is followed. Maximal munch would lose strings: with A: /a+/ and B: /ab/,
//        `A B` accepts aab.
// HOW    Residuals are Brzozowski derivatives. An empty residual is dropped at once, so no state is a dead end. Modes
//        differ only in the treatment of a terminal with a nullable residual r:
//          exact   It ends, and continues with r.
//          lazy    It ends, and does not continue.
//          greedy  It ends, and continues with r. The ending has a condition: no non-empty prefix of the text after it
//                  is in r (otherwise the lexeme would have been longer). A condition is a regular language that the
//                  rest of the text must be in. It is returned as `Ending::rest`, and the engine enforces it.
//          longest, shortest
//                  Terminals of these two modes in a state compete. If a shortest terminal may end, it ends and no
//                  competitor continues. A longest terminal ends and continues like a greedy one, but its condition is
//                  on the next byte only: no competitor can continue with that byte. So competitors have exactly one
//                  split of a text, found without backtracking. Only terminals that began at the same position may
//                  compete, so states that contain competitors must not be merged. For terminals within a JSON
//                  string (regex::json_string_content) the byte is that of the contents, however it is spelled, and they do
//                  not compete with terminals that are spelled otherwise.
//        In every mode, a terminal may have a condition on the text after it (TerminalSpec::follow), which is added.
//        The known steps of a state are stored in a row with an entry for each byte class that leads to another state
//        or an ending (`live`); most bytes do not. The row is created on a step by a second byte class or a call of
//        live(). Most states have at most one known step, which is stored without a row.
// INVARIANTS  No terminal matches the empty string. No residual in a state is empty. The items of a state are sorted.
// COST   A known step: three dependent reads (the state's table, the edge, the range of its endings). A new step: a
//        derivative for each terminal in the state.
// LIMITS lexer_states, regex_nodes, regex_fuel; a function that may meet one returns it, or an id or an Answer that names it.
// THREADS Not thread-safe; the engine explores under a lock.
// REFERENCES  Owens, Reppy, Turon, "Regular-expression derivatives re-examined" (2009), section 4.2 on vectors of
//        expressions.
#ifndef WEIR_SRC_LEXER_LEXER_H_
#define WEIR_SRC_LEXER_LEXER_H_

#include <compare>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/answer.h"
#include "base/interner.h"
#include "base/lexeme_mode.h"
#include "base/limit.h"
#include "base/limit_id.h"
#include "regex/expr/expr.h"
#include "weir/limits.h"

namespace weir::lexer {

struct TerminalSpec {
  regex::ExprId expr = regex::ExprId::kNothing;
  base::LexemeMode mode = base::LexemeMode::kExact;
  regex::ExprId follow = regex::ExprId::kAllStrings;  ///< Language that the text after a lexeme must be in.
};

/// Names a lexer state of one Lexer. The last ids stand for limits (base/limit_id.h).
enum class LexerStateId : std::uint32_t {
  kDead = 0,  ///< No terminal is in progress.
};

/// A terminal in progress.
struct Item {
  std::uint32_t terminal = 0;
  regex::ExprId residual{};
  friend constexpr auto operator<=>(const Item&, const Item&) = default;
};

/// A terminal that may end at a position.
struct Ending {
  std::uint32_t terminal = 0;
  regex::ExprId rest = regex::ExprId::kAllStrings;  ///< Language that the rest of the text must be in.
  friend constexpr auto operator<=>(const Ending&, const Ending&) = default;
};

class Lexer {
 public:
  /// kGrowing if terminals will be added that may distinguish any two bytes. Each byte is then a class of its own.
  enum class Terminals : std::uint8_t { kFixed, kGrowing };

  /// Takes ownership of `exprs`. Terminals are numbered by their index in `terminals`. Byte classes also distinguish
  /// the bytes that the expressions in `conditions` distinguish: the caller can step these by byte class, and may add
  /// terminals that distinguish no others.
  Lexer(regex::ExprSet exprs, std::span<const TerminalSpec> terminals, const Limits& limits,
        Terminals growth = Terminals::kFixed, std::span<const regex::ExprId> conditions = {});

  /// Adds a terminal; its number is the next one. Precondition: Terminals::kGrowing, or it distinguishes no two bytes of a
  /// class.
  void add_terminal(const TerminalSpec& terminal) { terminals_.push_back(terminal); }
  [[nodiscard]] regex::ExprId expr(std::uint32_t terminal) const { return terminals_[terminal].expr; }
  [[nodiscard]] base::LexemeMode mode(std::uint32_t terminal) const { return terminals_[terminal].mode; }

  // Functions that return a state may also return that of a limit. Those that take a state take none of these, but for
  // merge().

  /// Returns the state at a position where any of `terminals` may begin.
  LexerStateId start(std::span<const std::uint32_t> terminals);

  /// Returns the union of two states. Precondition: the states are equal, or none of their terminals competes.
  LexerStateId merge(LexerStateId a, LexerStateId b);

  /// Returns the state with these items, which may be in any order.
  LexerStateId state_of(std::vector<Item> items);

  struct StepResult {
    LexerStateId next = LexerStateId::kDead;
    std::span<const Ending> endings = {};  ///< Valid until the next step.
  };
  /// Steps a state by a byte of `byte_class`. Precondition: byte_class < classes().count().
  StepResult step(LexerStateId state, std::uint8_t byte_class);

  /// Adds to `live` the byte classes after which some terminal has a residual.
  base::Limit add_live(LexerStateId state, regex::ByteSet& live);

  [[nodiscard]] const regex::ByteClasses& classes() const { return classes_; }
  [[nodiscard]] regex::ExprSet& exprs() { return exprs_; }
  [[nodiscard]] const regex::ExprSet& exprs() const { return exprs_; }
  [[nodiscard]] std::uint32_t state_count() const { return states_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const;

  /// Returns the items of a state, ascending. Valid until another state is made.
  [[nodiscard]] std::span<const Item> items(LexerStateId state) const {
    return states_[static_cast<std::uint32_t>(state)];
  }

  /// Returns whether `e` has no member, or the limit on fuel or nodes that kept it from being decided.
  base::Answer is_nothing(regex::ExprId e);

 private:
  struct Edge {
    static constexpr std::uint32_t kUnknown = base::kFirstLimitId - 1;
    std::uint32_t next = kUnknown;
    std::uint32_t endings = 0;  // id in ending_sets_
  };
  struct State {
    regex::ByteSet live;
    regex::RankedByteSet ranks;
    std::uint32_t first_edge = kNotOpen;
    std::uint8_t lone_class = 0;  // byte class of the only known step if there is no row
    Edge lone_edge;
  };
  static constexpr std::uint32_t kNotOpen = UINT32_MAX;

  // A derivative that is kept: states of many items take theirs from derivatives_ (search_bounds.h).
  struct Derivative {
    regex::ExprId of = regex::ExprId::kNothing;
    std::uint8_t byte = 0;
    regex::ExprId to = regex::ExprId::kNothing;
  };

  LexerStateId intern(std::span<const Item> items);
  base::Limit open(LexerStateId state);
  [[nodiscard]] StepResult result_of(const Edge& edge) const;
  base::Limit add_live_of(regex::ExprId residual, regex::ByteSet& live);
  base::Limit add_first_bytes(regex::ExprId e, regex::ByteSet& bytes);
  static Edge edge_of(base::Limit limit) { return {static_cast<std::uint32_t>(base::limit_id<LexerStateId>(limit))}; }
  Edge compute(LexerStateId state, std::uint8_t byte_class);
  struct Derived : Item {
    base::LexemeMode mode = base::LexemeMode::kExact;
    bool may_end = false;
  };
  base::Limit derive(LexerStateId state, std::uint8_t byte);
  regex::ExprId derivative_of_many(regex::ExprId residual, std::uint8_t byte);
  base::Limit rest_after(const Derived& item, regex::ExprId& rest);
  [[nodiscard]] bool are_spelled_alike(const Item& a, const Item& b) const;
  base::Limit unless_continued(const Derived& ended, regex::ExprId& rest);

  regex::ExprSet exprs_;
  std::vector<TerminalSpec> terminals_;
  Limits limits_;
  regex::ByteClasses classes_;
  base::Interner<Item> states_;
  std::vector<State> tables_;  // by state
  std::vector<Edge> edges_;    // rows of open states, each by rank in live
  std::unordered_map<regex::ExprId, regex::ByteSet> live_of_;
  std::vector<regex::ExprSet::Branch> branches_;
  std::vector<Derivative> derivatives_;  // by hash; a later one replaces what has the same place
  base::Interner<Ending> ending_sets_;
  // Scratch of compute():
  std::vector<Derived> derived_;
  std::vector<Item> next_;
  std::vector<Ending> ended_;
};

}  // namespace weir::lexer

#endif  // WEIR_SRC_LEXER_LEXER_H_
