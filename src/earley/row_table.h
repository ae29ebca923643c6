// RowTable: an Earley recogniser whose rows are values, not positions.
//
// WHAT   A row says what the parser may do next: which terminals and token sets it expects, whether the text so far is
//        complete, and, through continuations, what follows once a rule in progress is done. advance(row, terminal)
//        gives the next row. Equal futures are equal rows: the tenth element of an array is the row of the second.
// WHY    Textbook Earley items carry the input position at which they began, so no two rows are ever equal and nothing
//        learnt about one helps with another. Here an item carries a *continuation* in its place: whom to resume when
//        its rule is done. Continuations and rows are hash-consed, and stepping becomes a memo look-up.
// HOW    An item is (dotted rule, continuation). A continuation is a set of items: those waiting, dot moved on already.
//
//        advance(row, t):  move the dot over t in the row's items that expect t; `resolve` each; intern the set.
//        resolve(item):    if the dot stands at the end, the entries of its continuation (which are resolved already);
//                          else the item itself and, where the symbol behind the dot is nullable, the item with the dot
//                          moved over it, resolved (Aycock & Horspool 2002).
//        predict(row):     for each rule behind a dot its productions, whose continuation is the rule's: all items of
//                          the row waiting for it, dot moved on, resolved.
//
//        Resolving what waits is Leo's treatment of right recursion: a waiting item at the end is replaced by whom it
//        would resume, so a chain of completions costs one step, and `L ::= x L` waits for the same continuation at
//        every depth.
//
//        Continuations made by one row may refer to each other in cycles (left recursion refers to itself). They are
//        sorted into strongly connected components and interned component by component, references inside a component
//        written as "member k", so that equal cycles get equal names. One case of bisimilarity beyond that is taken: a
//        continuation that would equal an older one if its references to itself were references to that one, is that
//        one (`E ::= E E | "a"` has one continuation, not one a position).
//        Bounded rules (grammar::Rule::max_tokens). The continuation of a rule that may touch at most n tokens holds
//        *fences*, (k, c): resume c, as long as no more than k tokens begin until then. Predicting such a rule makes a
//        fence of n - 1 around what waits for it, since the token that its first byte is in has begun; a fence on a
//        fence is one, with the smaller number. When a token begins (`begin_token`), every k goes down by one, and what
//        stands behind a fence of 0 is gone. Rules predicted in a row that stands there are predicted anew; those of
//        which a lexeme is in progress have been entered, and their fences go down, too: such a row becomes one whose
//        kernel is its items before those terminals. So bounds are part of rows and continuations, and nothing
//        else. A row or continuation without fences is the same after a token began.
// INVARIANTS  Kernels have no fences, nor has what a fence resumes.
//        Entries of continuations are resolved, sorted and unique, so are kernels. The dot never stands at an end.
// COST   A known step is a binary search among the row's exits. A new row costs its items: kernel, and predictions
//        reachable from it.
// LIMITS row_items (kernel, predictions and entries of continuations made for one row), and what making lazy rules may
//        meet.
// THREADS Not thread-safe; the engine explores under a lock.
// ALTERNATIVES  GLR tables need the whole grammar up front and copy stacks on ambiguity. Naming a continuation by
//        (kernel, symbol), which also avoids cyclic hashing, gives fewer equal rows: after `1 + ` in an expression
//        grammar the continuation of `term` is a new one although its contents are those of the old.
// REFERENCES  Earley (1970); Leo, "A general context-free parsing algorithm running in linear time on every LR(k)
//        grammar without using lookahead" (1991); Aycock & Horspool, "Practical Earley parsing" (2002); Scott,
//        Johnstone, "Recognition is not parsing" (2010) on graph-structured stacks.
#ifndef WEIR_SRC_EARLEY_ROW_TABLE_H_
#define WEIR_SRC_EARLEY_ROW_TABLE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "base/limit.h"
#include "base/word_interner.h"
#include "grammar/cfg.h"
#include "grammar/growth.h"
#include "weir/limits.h"

namespace weir::earley {

enum class RowId : std::uint32_t {
  kNone = UINT32_MAX - 2,  ///< Nothing is left of a row.
  kLimit = UINT32_MAX,     ///< A limit was met; RowTable::limit_hit names it.
};
enum class ContinuationId : std::uint32_t {
  kRoot = 0,           ///< Whom the start symbol resumes: acceptance.
  kNone = UINT32_MAX,  ///< Nothing is left of a continuation.
};

/// A dotted rule and whom to resume behind it.
struct Entry {
  grammar::ItemId item{};
  ContinuationId continuation{};
  friend constexpr auto operator<=>(const Entry&, const Entry&) = default;
};

/// The entry that stands for "the text is complete".
inline constexpr Entry kAccept{grammar::ItemId{UINT32_MAX}, ContinuationId::kRoot};

// Fences are entries whose item is a number with a bit that no item has: items are fewer than Symbol has indices.
inline constexpr std::uint32_t kFenceBit = 0x8000'0000U;

constexpr Entry fence(std::uint32_t tokens, ContinuationId resumed) {
  return {grammar::ItemId{kFenceBit | tokens}, resumed};
}
constexpr bool is_fence(const Entry& entry) {
  return static_cast<std::uint32_t>(entry.item) - kFenceBit <= grammar::kMaxTokenLimit;
}
/// How many tokens may begin until `fence` is passed.
constexpr std::uint32_t fence_tokens(const Entry& fence) { return static_cast<std::uint32_t>(fence.item) & ~kFenceBit; }

class RowTable {
 public:
  /// `grammar` must outlive the table; lazy rules are made in it as rows predict them.
  RowTable(grammar::GrowingCfg& grammar, const Limits& limits);

  /// The row before any text, or kLimit.
  RowId start();

  /// The row behind a terminal. Precondition: `terminal` is one of terminals(row).
  RowId advance(RowId row, std::uint32_t terminal);

  /// The row behind a token of a token set. Precondition: `set` is one of token_sets(row).
  RowId advance_tokens(RowId row, std::uint32_t set);

  /// Whether some item of the row's kernel stands before a rule that follows the text.
  [[nodiscard]] bool follows_text(RowId row) const { return rows_[index(row)].follows_text; }
  /// The part of the text before the row that decides, and the row behind a text with this part.
  /// Precondition: follows_text(row).
  [[nodiscard]] std::string_view deciding_text(RowId row, std::string_view text) const;
  RowId settle(RowId row, std::string_view deciding_text);

  /// The row in whose place a row stands when a token begins: nothing in progress on it, or one of `terminals` and no
  /// others. kNone where nothing is left of it.
  RowId begin_token(RowId row);
  RowId begin_token(RowId row, std::span<const std::uint32_t> terminals);
  /// What no bounded rule holds of the same.
  RowId outside(RowId row);
  RowId outside(RowId row, std::span<const std::uint32_t> terminals);
  /// Whether `terminal` is one of terminals(row).
  [[nodiscard]] bool expects(RowId row, std::uint32_t terminal) const;
  /// Whether some way from the continuation to the end meets no fence.
  bool is_outside(ContinuationId continuation);
  [[nodiscard]] bool has_bounds() const { return has_bounds_; }
  /// The row before the texts of one rule, which may touch `tokens` tokens. Precondition: tokens <= kMaxTokenLimit.
  RowId start_of(grammar::RuleId rule, std::uint32_t tokens);

  /// The row that allows what any of `rows` allows: for readings of a text that have the same lexemes in progress.
  RowId unite(std::span<const RowId> rows);

  /// What may come next: ids of the Cfg, ascending.
  [[nodiscard]] std::span<const std::uint32_t> terminals(RowId row) const;
  [[nodiscard]] std::span<const std::uint32_t> token_sets(RowId row) const;

  /// Whether the text before this row is a string of the language.
  [[nodiscard]] bool accepts(RowId row) const { return rows_[index(row)].accepts; }

  /// For inspection and for searching ways to the end: the items that advance made, and a continuation's entries.
  [[nodiscard]] std::vector<Entry> kernel(RowId row) const;
  [[nodiscard]] std::vector<Entry> entries(ContinuationId continuation) const;
  /// The items that stand behind `terminal`, dot moved on, not resolved. None where it is not expected.
  [[nodiscard]] std::span<const Entry> behind(RowId row, std::uint32_t terminal) const;
  /// Those behind a token of `set`.
  [[nodiscard]] std::span<const Entry> behind_tokens(RowId row, std::uint32_t set) const;

  /// What the last kLimit was about.
  [[nodiscard]] base::Limit limit_hit() const { return limit_hit_; }

  [[nodiscard]] std::uint32_t row_count() const { return static_cast<std::uint32_t>(rows_.size()); }
  [[nodiscard]] std::uint32_t continuation_count() const { return continuations_.size(); }
  [[nodiscard]] std::uint64_t item_count() const { return arcs_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  friend class RowBuilder;

  // The way out of a row by one terminal or token set: the items behind it, and the row, once known.
  struct Exit {
    std::uint32_t first_arc = 0;
    std::uint32_t arc_count = 0;
    RowId row = kUnknownRow;
  };
  struct Row {
    std::uint32_t first_exit = 0;  // exits_ and exit_symbols_: terminals, then token sets
    std::uint32_t terminal_count = 0;
    std::uint32_t token_set_count = 0;
    bool accepts = false;
    bool follows_text = false;
    base::Limit limit = base::Limit::kNone;  // one that was met: the row has no exits and is never handed out
  };
  static constexpr RowId kUnknownRow{UINT32_MAX - 1};
  static constexpr std::uint32_t index(RowId row) { return static_cast<std::uint32_t>(row); }

  // What is known of a continuation in a grammar with bounded rules.
  struct Bounds {
    bool known = false;
    bool fenced = false;    // it holds a fence, or leads to one
    bool outside = false;   // some way from it to the end meets none
    bool ticked = false;    // `next` is known
    ContinuationId next{};  // when a token has begun
  };
  const Bounds& bounds_of(ContinuationId continuation);
  ContinuationId begin_token(ContinuationId continuation);
  template <typename Map>
  RowId map_standing(RowId row, Map map);
  template <typename Map>
  RowId map_begun(RowId row, std::span<const std::uint32_t> terminals, Map map);

  void resolve(Entry entry, std::vector<Entry>& out) const;
  RowId take_exit(std::size_t exit);
  RowId intern_row(std::vector<Entry>& kernel);
  std::size_t find_exit(RowId row, std::uint32_t first, std::uint32_t count, std::uint32_t symbol) const;

  grammar::GrowingCfg& grammar_;
  const grammar::Cfg& cfg_;
  Limits limits_;
  base::Limit limit_hit_ = base::Limit::kNone;
  base::WordInterner kernels_;              // by RowId: item, continuation, ...
  base::WordInterner continuations_;        // by ContinuationId: item, continuation, ...
  base::WordInterner cycles_;               // components with inner references by member; see RowBuilder
  std::vector<std::uint32_t> cycle_first_;  // by id in cycles_: the ContinuationId of member 0
  std::vector<Row> rows_;
  std::vector<Exit> exits_;
  std::vector<std::uint32_t> exit_symbols_;
  std::vector<Entry> arcs_;
  bool has_bounds_ = false;
  std::vector<Bounds> bounds_;  // by ContinuationId
};

}  // namespace weir::earley

#endif  // WEIR_SRC_EARLEY_ROW_TABLE_H_
