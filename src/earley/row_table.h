// RowTable: an Earley recogniser whose rows are values, independent of input positions.
//
// The basic idea: an item says what the end of its rule resumes, not where in the text the rule began. So positions
// with the same future mostly share a row, and what is found out about a row holds wherever it recurs.
//
// WHAT   A row is an interned Earley set. It says which terminals and token sets may come next, whether the text so far
//        is complete, and, through continuations, what follows when a rule in progress is complete.
//        advance(row, terminal) returns the next row. Positions with the same future mostly get the same row: in an
//        array, the row after the tenth element is the row after the second.
// WHY    Textbook Earley items carry the input position at which they began. So no two rows are ever equal, and results
//        for one row cannot be reused for another. Here an item carries a *continuation* instead: what to resume when
//        its rule is complete. Continuations and rows are hash-consed, and a step becomes a memoised lookup.
// HOW    An item is (dotted rule, continuation). A continuation is a set of items that wait for a rule; their dot is
//        already after that rule.
//
//        advance(row, t):  moves the dot over t in the row's items that expect t, resolves each result and interns the
//                          set as the kernel of the next row.
//        resolve(item):    if the dot is at the end of the rule, gives the entries of the item's continuation, which
//                          are resolved already. Otherwise gives the item and, if the symbol after the dot is nullable,
//                          also resolves the item with the dot moved over it (Aycock & Horspool 2002).
//        predict(row):     for each rule after a dot, adds items for its productions. Their continuation is that of the
//                          rule in this row: all items that wait for the rule, dot moved over it, resolved.
//
//        Resolving the waiting items is Leo's treatment of right recursion: a waiting item whose dot is at the end is
//        replaced by the items that it would resume. So a chain of completions costs one step, and `L ::= x L` waits
//        for the same continuation at every depth.
//
//        Continuations that are created for one row may refer to one another in cycles, as in left recursion. They are
//        divided into strongly connected components, which are interned one by one; a reference within a component is
//        written as "member k". So equal cycles get equal ids. One more case of bisimilarity is detected: if a
//        continuation would equal an older one after its references to itself were replaced by references to the older
//        one, it is identified with the older one. So `E ::= E E | "a"` has one continuation, not one for each
//        position.
//
//        Ambiguity. In an ambiguous grammar many items end at one place and resume overlapping sets of entries: after
//        n letters in `E ::= E E E | E E | "a"`, each continuation has the entries of all older ones. A continuation
//        stores which older ones it includes, and the entries of included ones are not read again (`keep_covering`).
//        So the cost of a row is linear in its items, not in the total of the entries that they resume.
//
//        Bounded rules (grammar::Rule::max_tokens). The continuation of a rule that may touch at most n tokens holds
//        *fences*. A fence (k, c) resumes c, provided that at most k tokens begin before the rule is complete.
//        Predicting such a rule creates a fence with k = n - 1 around the items that wait for it, because the token
//        that contains the rule's first byte has already begun. A fence around a fence is merged into one with the
//        smaller number. When a token begins (`begin_token`), every k decreases by one, and a fence whose k was 0 is
//        removed. If no lexeme is in progress on a row, its predicted rules have not begun and are predicted again. If
//        lexemes are in progress, the rules that contain them have begun, so the fences of these predictions decrease,
//        too: the new row's kernel consists of the items before the terminals in progress. Bounds are stored in rows
//        and continuations only; begin_token() does not change a row or continuation without fences.
//        Frames (grammar::CfgRule::is_frame). A line of a text is read in the same way whatever block it is in, but the rows
//        of its items differ, because their continuations hold all blocks around it. For masks it is therefore noted of a
//        row which *frames* it is within: the row `inner`, the same after the same symbols in any place, whose continuation
//        is the end of the frame (`kLeave`), and the continuation `outer` of the frame itself. The row allows what `inner`
//        allows and, where that leaves the frame, what the entries of `outer` allow. A frame begins with a terminal that
//        only frames expect among the items of a row, and is followed from row to row (frames.cc). A row that is not known
//        to be within frames is just a row; so nothing but the time of masks depends on frames.
// EXAMPLE  list ::= "[" item ("," item)* "]"        The repeat becomes a rule: list.1 ::= "" | "," item list.1
//        item ::= "a" | list                      (`weir inspect --rows --after '[a,a'` prints these rows.)
//        row 0           list ::= • "[" item list.1 "]"   then c0                        c0: the end of the text
//        row 1, after [  list ::= "[" • item list.1 "]"   then c0
//                        predict: `item` and, since `item ::= list •` is at its end, `list` wait for c1
//        row 3, after a  the entries of c1; list.1 is passed over, too, because it is nullable:
//                        list ::= "[" item • list.1 "]"   then c0
//                        list ::= "[" item list.1 • "]"   then c0
//                        predict: list.1 waits for c3, which is the second of these entries
//        row 5, after ,  list.1 ::= "," • item list.1     then c3
//        row 7, after a  list.1 ::= "," item • list.1     then c3,   and the entry of c3
//                        predict: list.1 waits for `list.1 ::= "," item list.1 •   then c3`. The dot is at the end, so
//                        the entry of c3 takes its place: list.1 waits for c3. A comma leads to row 5 again, and so on.
//        In row 1, "[" leads to row 2, `list ::= "[" • item list.1 "]"   then c1`; its "]" resumes c1, that is, row 3.
//        Left recursion `e ::= e "+" e | "a"`: in row 0 e waits for c1 = { e ::= e • "+" e then c0, the same then c1 }.
//        The second entry is interned as "then member 0".
// INVARIANTS  Kernels contain no fences; neither do the continuations that fences resume. Entries of continuations and
//        of kernels are resolved, sorted and unique. The dot of an entry is never at the end of its rule.
// COST   A known step is a binary search among the row's exits. A new row costs time in its items: the kernel and the
//        predictions reachable from it.
// LIMITS row_items (kernel, predictions and entries of continuations created for one row), and the limits that creating
//        lazy rules may exceed (grammar/growth.h).
// THREADS Not thread-safe; the engine explores under a lock.
// ALTERNATIVES  GLR tables need the whole grammar in advance and copy stacks on ambiguity. Identifying a continuation
//        by (kernel, symbol) also avoids cyclic hashing but gives fewer equal rows: after `1 + ` in an expression
//        grammar, the continuation of `term` would get a new id although its contents are those of the old one.
// REFERENCES  Earley (1970); Leo, "A general context-free parsing algorithm running in linear time on every LR(k)
//        grammar without using lookahead" (1991); Aycock & Horspool, "Practical Earley parsing" (2002); Scott,
//        Johnstone, "Recognition is not parsing" (2010) on graph-structured stacks.
#ifndef WEIR_SRC_EARLEY_ROW_TABLE_H_
#define WEIR_SRC_EARLEY_ROW_TABLE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/interner.h"
#include "base/limit.h"
#include "base/limit_id.h"
#include "grammar/cfg.h"
#include "grammar/growth.h"
#include "weir/limits.h"

namespace weir::earley {

/// The last ids stand for limits (base/limit_id.h).
enum class RowId : std::uint32_t {
  kNone = base::kFirstLimitId - 2,  ///< No row: begin_token() or outside() removed all items.
};
enum class ContinuationId : std::uint32_t {
  kRoot = 0,           ///< The continuation of the start symbol: the text is complete.
  kLeave = 1,          ///< In a grammar with frames, the continuation of a frame in inner rows: the frame is complete.
  kNone = UINT32_MAX,  ///< No continuation: begin_token() removed all entries.
};

/// A dotted rule and the continuation to resume at its end.
struct Entry {
  grammar::ItemId item{};
  ContinuationId continuation{};
  friend constexpr auto operator<=>(const Entry&, const Entry&) = default;
};

/// The entry that means "the text is complete".
inline constexpr Entry kAccept{grammar::ItemId{UINT32_MAX}, ContinuationId::kRoot};

/// In an inner row, the entry that means "the frame is complete". It is the only entry of its continuation.
inline constexpr Entry kLeave{grammar::ItemId{UINT32_MAX - 2}, ContinuationId::kLeave};

// A fence is an entry whose item is kFenceBit | tokens. No item id has this bit, because there are fewer items than
// Symbol has indices.
inline constexpr std::uint32_t kFenceBit = 0x8000'0000U;

constexpr Entry fence(std::uint32_t tokens, ContinuationId resumed) {
  return {grammar::ItemId{kFenceBit | tokens}, resumed};
}
constexpr bool is_fence(const Entry& entry) {
  return static_cast<std::uint32_t>(entry.item) - kFenceBit <= grammar::kMaxTokenLimit;
}
/// Returns the number of tokens that may begin before `fence` is resumed.
constexpr std::uint32_t fence_tokens(const Entry& fence) { return static_cast<std::uint32_t>(fence.item) & ~kFenceBit; }

class RowBuilder;

class RowTable {
 public:
  /// `grammar` must outlive the table. Lazy rules are created in it when rows predict them.
  RowTable(grammar::GrowingCfg& grammar, const Limits& limits);
  ~RowTable();
  RowTable(const RowTable&) = delete;
  RowTable& operator=(const RowTable&) = delete;

  // Functions that return a RowId may also return that of a limit.

  /// Returns the row before any text.
  RowId start();

  /// Returns the row after a terminal. Precondition: `terminal` is one of terminals(row).
  RowId advance(RowId row, std::uint32_t terminal);

  /// Returns the row after a token of a token set. Precondition: `set` is one of token_sets(row).
  RowId advance_tokens(RowId row, std::uint32_t set);

  /// Returns true if an item of the row's kernel is before a rule that depends on the text (grammar/growth.h).
  [[nodiscard]] bool follows_text(RowId row) const { return rows_[index(row)].follows_text; }
  /// Returns how far the rows for all texts begin alike (grammar/growth.h); kUnknown if the row does not follow the text.
  [[nodiscard]] grammar::AlikeUntil alike_until(RowId row) const { return rows_[index(row)].alike_until; }
  /// deciding_text(row, text) returns the part of `text`, the text before the row, that those rules depend on.
  /// settle(row, part) returns the row in which each such rule is replaced by its version for that part. Precondition:
  /// follows_text(row).
  [[nodiscard]] std::string_view deciding_text(RowId row, std::string_view text) const;
  RowId settle(RowId row, std::string_view deciding_text);

  /// Returns the row that replaces `row` when a token begins, for the case that no lexeme is in progress on it, or that
  /// lexemes of exactly `terminals` are. kNone if no item remains.
  RowId begin_token(RowId row);
  RowId begin_token(RowId row, std::span<const std::uint32_t> terminals);
  /// Returns the row that has only the items of `row` that are not within a bounded rule, for the same two cases. kNone
  /// if there are none.
  RowId outside(RowId row);
  RowId outside(RowId row, std::span<const std::uint32_t> terminals);
  /// Returns true if `terminal` is one of terminals(row).
  [[nodiscard]] bool expects(RowId row, std::uint32_t terminal) const;
  /// Returns true if the end of the text is reachable from the continuation without a fence.
  bool is_outside(ContinuationId continuation);
  /// Returns true if the grammar has bounded rules.
  [[nodiscard]] bool has_bounds() const { return has_bounds_; }
  /// Returns the row before the texts of `rule` alone, during which at most `tokens` tokens may begin. Precondition:
  /// tokens <= kMaxTokenLimit.
  RowId start_of(grammar::RuleId rule, std::uint32_t tokens);

  // Frames. In a grammar with bounded rules there are none.

  /// Returns true if the grammar has frames.
  [[nodiscard]] bool has_frames() const { return has_frames_; }
  /// A row within a frame: what it allows is what `inner` allows and, where the frame is complete, what entries(outer)
  /// allow.
  struct Inside {
    RowId inner{};
    ContinuationId outer{};
    friend auto operator<=>(const Inside&, const Inside&) = default;
  };
  /// Returns the frames that a row is within: it allows what any of them allows. Empty if the row is not known to be within
  /// frames alone. Valid until another row is made.
  [[nodiscard]] std::span<const Inside> insides(RowId row) const {
    if (!has_frames_) return {};
    return std::span(inside_list_).subspan(insides_[index(row)].first, insides_[index(row)].count);
  }
  /// Returns true if the row is within a frame or predicts one.
  [[nodiscard]] bool is_near_frame(RowId row) const {
    return has_frames_ && (insides_[index(row)].count > 0 || rows_[index(row)].frame_count > 0);
  }
  /// Divides what a row expects with a terminal among the frames that the row is within or predicts: appends to `framed` the
  /// rows before the terminal within each, and to `after` the rows after complete frames. Returns false if the row has
  /// another way to expect the terminal, or a limit was met. Precondition: `terminal` is one of terminals(row).
  bool take_apart(RowId row, std::uint32_t terminal, std::vector<Inside>& framed, std::vector<RowId>& after);
  /// Returns true if a frame is complete at this inner row.
  [[nodiscard]] bool leaves(RowId row) const { return rows_[index(row)].leaves; }
  /// Returns the row with the entries of a continuation.
  RowId row_of(ContinuationId continuation);

  /// Returns the row that allows what any of `rows` allows. Used for several parses of a text that have the same
  /// lexemes in progress.
  RowId unite(std::span<const RowId> rows);

  /// Return the terminals and token sets that may come next: ids of the Cfg, ascending.
  [[nodiscard]] std::span<const std::uint32_t> terminals(RowId row) const;
  [[nodiscard]] std::span<const std::uint32_t> token_sets(RowId row) const;

  /// Returns true if the text before this row is a member of the language.
  [[nodiscard]] bool accepts(RowId row) const { return rows_[index(row)].accepts; }

  /// Return the entries of a row's kernel and of a continuation. Valid until another row is made.
  [[nodiscard]] std::span<const Entry> kernel(RowId row) const { return kernels_[index(row)]; }
  [[nodiscard]] std::span<const Entry> entries(ContinuationId continuation) const {
    return continuations_[static_cast<std::uint32_t>(continuation)];
  }
  /// Returns the row's items that expect `terminal`, with the dot moved over it, not resolved. Precondition: `terminal`
  /// is one of terminals(row); in a grammar with bounded rules it may be any terminal.
  [[nodiscard]] std::span<const Entry> items_after(RowId row, std::uint32_t terminal) const;
  /// Returns the items after a token of `set` in the same way. Precondition: `set` is one of token_sets(row).
  [[nodiscard]] std::span<const Entry> items_after_tokens(RowId row, std::uint32_t set) const;

  [[nodiscard]] std::uint32_t row_count() const { return static_cast<std::uint32_t>(rows_.size()); }
  [[nodiscard]] std::uint32_t continuation_count() const { return continuations_.size(); }
  [[nodiscard]] std::uint64_t item_count() const { return arcs_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  friend class RowBuilder;

  // A transition of a row by one terminal or token set: the items after it, up to those of the next exit, and, once known,
  // the next row. Most exits are never taken.
  struct Exit {
    std::uint32_t first_arc : 31 = 0;
    std::uint32_t is_framed : 1 = 0;  // only frames that the row predicts expect the symbol
    RowId row = kUnknownRow;
  };
  // A frame that a row predicts.
  struct Frame {
    std::uint32_t rule = 0;
    ContinuationId after{};
  };
  struct Row {
    std::uint32_t first_exit = 0;  // index into exits_
    std::uint32_t symbols = 0;     // id in exit_symbols_: what the exits are by, terminals, then token sets
    std::uint32_t terminal_count = 0;
    std::uint32_t token_set_count = 0;
    bool accepts = false;
    bool follows_text = false;
    bool leaves = false;
    std::uint32_t first_frame = 0;  // index into frames_
    std::uint32_t frame_count = 0;
    grammar::AlikeUntil alike_until = grammar::AlikeUntil::kUnknown;
    base::Limit limit = base::Limit::kNone;  // limit exceeded when building; such a row has no exits, is never returned
  };
  static constexpr RowId kUnknownRow{base::kFirstLimitId - 1};
  static constexpr std::uint32_t kMaxArc = UINT32_MAX / 2;  // more than memory has room for
  static constexpr std::uint32_t index(RowId row) { return static_cast<std::uint32_t>(row); }

  // Facts about a continuation in a grammar with bounded rules.
  struct Bounds {
    bool known = false;     // `fenced` and `outside` are known
    bool fenced = false;    // a fence is reachable from it
    bool outside = false;   // the end of the text is reachable from it without a fence
    bool ticked = false;    // `next` is known
    ContinuationId next{};  // the continuation that replaces it when a token begins
  };
  const Bounds& bounds_of(ContinuationId continuation);
  ContinuationId begin_token(ContinuationId continuation);
  template <typename Map>
  RowId map_standing(RowId row, Map map);
  template <typename Map>
  RowId map_begun(RowId row, std::span<const std::uint32_t> terminals, Map map);

  void resolve(Entry entry, std::vector<Entry>& out, std::vector<ContinuationId>* ends = nullptr) const;
  void resume(ContinuationId continuation, std::vector<Entry>& out) const;
  void keep_covering(std::vector<ContinuationId>& continuations);
  void set_included(ContinuationId continuation, std::span<const ContinuationId> included);
  RowId take_exit(RowId row, std::size_t exit);
  void note_insides_after(RowId from, std::size_t exit, RowId row);
  void note_insides_of_union(std::span<const RowId> rows, RowId united);
  bool insides_after(RowId row, std::uint32_t terminal, std::vector<Inside>& out);
  RowId start_of_frame(std::uint32_t rule);
  void note_after_frame(RowId row, std::uint32_t rule, ContinuationId after);
  void set_insides(RowId row, std::vector<Inside> insides);
  RowId intern_row(std::vector<Entry>& kernel);
  RowBuilder& builder();
  [[nodiscard]] std::size_t find_exit(RowId row, std::span<const std::uint32_t> symbols, std::uint32_t symbol) const;
  [[nodiscard]] std::span<const Entry> arcs_of(std::size_t exit) const {
    const std::size_t end = exit + 1 < exits_.size() ? exits_[exit + 1].first_arc : arcs_.size();
    return std::span(arcs_).subspan(exits_[exit].first_arc, end - exits_[exit].first_arc);
  }

  grammar::GrowingCfg& grammar_;
  const grammar::Cfg& cfg_;
  Limits limits_;
  base::Interner<Entry> kernels_;           // by RowId
  base::Interner<Entry> continuations_;     // by ContinuationId
  base::Interner<Entry> cycles_;            // cyclic components, references within them as "member k"; see RowBuilder
  std::vector<std::uint32_t> cycle_first_;  // by id in cycles_: the ContinuationId of member 0
  struct Range {
    std::uint32_t first = 0, count = 0;
  };
  // By ContinuationId: the older continuations that it is known to include, as ranges of included_list_. Not kept in
  // grammars with bounded rules.
  std::vector<Range> included_;
  std::vector<ContinuationId> included_list_;
  std::vector<std::uint32_t>
      covered_in_;  // scratch of keep_covering(): by ContinuationId, the last call that covered it
  std::uint32_t covering_calls_ = 0;
  std::vector<Row> rows_;
  std::vector<Exit> exits_;
  base::WordInterner exit_symbols_;  // many rows expect the same symbols
  std::vector<Entry> arcs_;
  bool has_frames_ = false;
  std::vector<Range> insides_;  // by RowId: ranges of inside_list_; empty if there are no frames
  std::vector<Inside> inside_list_;
  std::vector<Frame> frames_;
  std::unordered_map<std::uint32_t, RowId> starts_;    // by rule: the inner row before a frame
  std::unordered_map<ContinuationId, RowId> rows_of_;  // results of row_of()
  bool has_bounds_ = false;
  std::vector<Bounds> bounds_;  // by ContinuationId
  std::unique_ptr<RowBuilder> builder_;
  // Scratch:
  std::vector<Entry> kernel_;         // of take_exit()
  std::vector<ContinuationId> ends_;  // the same
};

}  // namespace weir::earley

#endif  // WEIR_SRC_EARLEY_ROW_TABLE_H_
