// CaptureChart: an Earley chart with origins, from which captures of an output are read.
//
// WHAT   All readings of the output so far, as a graph of *points*. A point is a dotted rule, the column where its rule
//        began, the column where the dot is, and links back to the points before its last symbol. A column is a place
//        in the output together with one condition on what follows (Thread::rest).
// WHY    The automaton forgets where rules began, which is why its states recur; masks do not need it. Captures need
//        it, so a caller who asks for captures pays for a chart, and other callers do not.
// HOW    Textbook Earley over the automaton's own grammar and lexer: lexemes end as their modes say, token terminals
//        take tokens as a whole, and lazy rules are those that the automaton has expanded. A nullable symbol is skipped
//        when it is predicted (Aycock & Horspool 2002). If only one point waits for a rule and nothing follows the rule
//        there, completing the rule jumps to the last of the points that would be completed in turn (Leo 1991), so a
//        right-recursive list takes linear time, as a left-recursive one does. The points that a jump leaves out are
//        added when a reading needs them (`expand`). Rules that follow the text (grammar/growth.h) allow here what any
//        text would allow.
//        Within a long lexeme that may end after each byte, every byte would add the same columns and every one of them
//        would be given up by the next byte. If the lexemes that end are those of the byte before, and none that is in
//        progress began in the last columns, these are moved to the new place (`slides_on`).
// COST   Linear in the text for grammars that a deterministic parser could read; at most cubic for ambiguous ones.
//        Reading more text extends the chart, but for bytes that move its last columns.
//        What no later reading needs can be forgotten (`forget`): then the chart has what is in progress, and what waits for
//        it, of what was read before.
// LIMITS capture_items, and those of Lexer. A chart that has met a limit must not be used again.
// THREADS One thread. The automaton's lock is held while the chart reads, because grammar and lexer grow.
// REFERENCES  Earley (1970); Leo (1991); Aycock & Horspool (2002); see earley/row_table.h.
#ifndef WEIR_SRC_ENGINE_CAPTURES_CAPTURE_CHART_H_
#define WEIR_SRC_ENGINE_CAPTURES_CAPTURE_CHART_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/interner.h"
#include "base/limit.h"
#include "engine/costs/program.h"
#include "engine/search_bounds.h"
#include "grammar/growth.h"
#include "lexer/lexer.h"

namespace weir::engine {

/// A place in the output under one condition. Ids ascend with the place.
enum class ColumnId : std::uint32_t {};
enum class PointId : std::uint32_t {};

/// A key of tables: a column or point, and a rule or list.
template <typename Id, typename With>
constexpr std::uint64_t chart_key(Id id, With with) {
  return (std::uint64_t{static_cast<std::uint32_t>(id)} << 32) | static_cast<std::uint32_t>(with);
}

class CaptureChart {
 public:
  /// The grammar and lexer that the chart reads with: those of one automaton, the same at every call, under its lock.
  struct Parts {
    grammar::GrowingCfg& grammar;
    lexer::Lexer& lexer;
  };
  struct Column {
    std::uint32_t place = 0;  ///< Number of bytes, and of tokens without text, before the column.
    std::size_t offset = 0;   ///< Number of bytes before the column.
    regex::ExprId rest = regex::ExprId::kAllStrings;
    std::uint32_t first_waiting = 0;  // index into waiting_
    std::uint32_t waiting_count = 0;
  };
  struct Point {
    grammar::ItemId item{};
    ColumnId origin{};
    ColumnId column{};
  };
  /// A way to a point: its last symbol began in column `from`.
  struct Link {
    ColumnId from{};
    std::uint32_t next = UINT32_MAX;
    std::uint32_t bottom_rule = UINT32_MAX;  // for a jump: the rule whose completion caused it,
    ColumnId bottom{};                       // and the column where that rule began
  };
  /// A point whose dot is before `symbol`.
  struct Waiting {
    grammar::Symbol symbol;
    PointId point{};
  };

  /// `items_to_forget` is what is_worth_forgetting() is about; 0: it always is.
  explicit CaptureChart(const Program& program, std::size_t items_to_forget = kItemsToForget)
      : program_(program), items_to_forget_(items_to_forget), forget_at_(items_to_forget) {}

  /// Makes the column before any text. Must be called first, once.
  base::Limit begin(const Parts& parts);
  /// Reads text. Precondition, here and below: the automaton allows it.
  base::Limit read(const Parts& parts, std::string_view bytes);
  /// Reads a token, both as text and as a whole.
  base::Limit read_token(const Parts& parts, std::uint32_t token, TokenRole role, std::string_view bytes);

  // For CaptureReading and CertainCaptures.

  [[nodiscard]] const Column& column(ColumnId id) const { return columns_[raw(id)]; }
  /// Returns the first of the columns at the end of what was read.
  [[nodiscard]] std::uint32_t first_current() const { return first_current_; }
  /// Returns a lower bound of the ids of the points in these columns.
  [[nodiscard]] std::uint32_t first_current_point() const { return points_before_step_; }
  /// Returns the number of steps that did more than to move the last columns.
  [[nodiscard]] std::size_t changes() const { return changes_; }
  [[nodiscard]] std::uint32_t column_count() const { return static_cast<std::uint32_t>(columns_.size()); }
  [[nodiscard]] std::size_t offset() const { return offset_; }
  [[nodiscard]] Point point(PointId id) const;
  [[nodiscard]] std::optional<PointId> find(const Point& point) const;
  /// Returns the points of a column that wait for a symbol, that is, all but complete ones, sorted by symbol.
  [[nodiscard]] std::span<const Waiting> waiting(ColumnId column) const;
  [[nodiscard]] std::span<const Waiting> waiting_for(ColumnId column, grammar::Symbol symbol) const;

  static constexpr std::uint32_t kNoLink = UINT32_MAX;
  static constexpr std::uint32_t kForgotten = UINT32_MAX - 1;  // there were links
  [[nodiscard]] std::uint32_t first_link(PointId id) const { return first_links_[static_cast<std::uint32_t>(id)]; }
  [[nodiscard]] const Link& link(std::uint32_t index) const { return links_[index]; }
  static constexpr std::uint32_t kGone = UINT32_MAX;
  /// New ids by the old ones; kGone for what is forgotten.
  struct Renumbering {
    std::vector<std::uint32_t> points;
    std::vector<std::uint32_t> columns;
    void apply(ColumnId& id) const { id = ColumnId{columns[raw(id)]}; }
  };
  /// Returns true if the chart has grown so much that forgetting takes little time beside what was read since.
  [[nodiscard]] bool is_worth_forgetting() const { return items() > forget_at_; }
  /// Puts off the next time until the chart has twice as much, and takes ask_for_past() back.
  void put_off() {
    forget_at_ = items_to_forget_ == 0 ? 0 : std::max(items_to_forget_, 2 * items());
    needs_past_ = false;
  }
  /// A rule that what is in progress will end in the column where it began.
  struct Awaited {
    ColumnId column{};
    std::uint32_t rule = 0;
  };
  /// Lists what later readings need: points of earlier columns, in ascending order, and the rules that what is in progress
  /// will end. Of the points that a jump leads over only the last is needed.
  void list_needed(const grammar::Cfg& cfg, std::vector<PointId>& points, std::vector<Awaited>& rules);
  /// Forgets all points and columns but the current ones and those that list_needed() has listed, and the links of these.
  Renumbering forget(const std::vector<PointId>& points, const std::vector<Awaited>& rules);
  /// Returns true if the end of a rule that began in the column jumps.
  [[nodiscard]] bool jumps(const Awaited& rule) const;
  /// Returns true if the point has its links, or the column all its points: nothing of them was forgotten.
  [[nodiscard]] bool is_whole(PointId id) const { return raw(id) >= first_whole_point_; }
  [[nodiscard]] bool is_whole(ColumnId id) const { return raw(id) >= first_whole_column_; }
  /// Says that something that was forgotten is needed: the chart is to be read again without forgetting. Returns what its
  /// callers return to end the reading, which is no limit that was met: needs_past() is to be asked first.
  base::Limit ask_for_past() {
    needs_past_ = true;
    return base::Limit::kCaptureItems;
  }
  [[nodiscard]] bool needs_past() const { return needs_past_; }

  /// Adds the points that the jumps to this point left out.
  base::Limit expand(const grammar::Cfg& cfg, PointId id);

  /// Lexemes in progress that began in `column`, which is before the current place.
  struct Run {
    ColumnId column{};
    lexer::LexerStateId state{};
    regex::ExprId rest = regex::ExprId::kAllStrings;
  };
  [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }

  /// Returns the point that waits for the rule, if it is the only one and nothing follows the rule in it: the next step
  /// of a jump.
  [[nodiscard]] std::optional<PointId> only_tail(const grammar::Cfg& cfg, std::uint32_t rule, ColumnId column) const;

 private:
  static constexpr std::uint32_t raw(ColumnId id) { return static_cast<std::uint32_t>(id); }
  static constexpr std::uint32_t raw(PointId id) { return static_cast<std::uint32_t>(id); }
  struct Whole {
    std::uint32_t token = 0;
    TokenRole role = TokenRole::kOfVocabulary;
    std::uint32_t first_column = 0, end_column = 0;  // the columns before the token
  };

  // A lexeme that has ended: where it began, its terminal, and the condition on what follows.
  struct Ended {
    ColumnId from{};
    std::uint32_t terminal = 0;
    regex::ExprId rest = regex::ExprId::kAllStrings;
    friend bool operator==(const Ended&, const Ended&) = default;
  };

  [[nodiscard]] std::vector<std::uint32_t> renumbered_columns(const std::vector<PointId>& needed,
                                                              const std::vector<Awaited>& rules) const;
  void keep_points(const std::vector<PointId>& needed, Renumbering& renumbering);
  void keep_columns(const Renumbering& renumbering);
  void keep_tops(const std::vector<Awaited>& rules, const Renumbering& renumbering);
  base::Limit step(const Parts& parts, std::optional<std::uint8_t> byte, const std::optional<Whole>& whole);
  base::Limit step_runs(const Parts& parts, std::uint8_t byte);
  [[nodiscard]] bool slides_on() const;
  void slide();
  [[nodiscard]] bool takes(grammar::Symbol symbol, const Whole& whole) const;
  ColumnId column_under(regex::ExprId rest);
  void scan(ColumnId from, grammar::Symbol symbol, ColumnId to);
  base::Limit close(const Parts& parts);
  base::Limit process(const Parts& parts, PointId id);
  base::Limit predict(const Parts& parts, std::uint32_t rule, ColumnId column);
  void complete(const grammar::Cfg& cfg, std::uint32_t rule, ColumnId origin, ColumnId column);
  std::optional<PointId> top_of_chain(const grammar::Cfg& cfg, std::uint32_t rule, ColumnId column);
  std::pair<PointId, bool> intern(const Point& point);
  PointId add(const Point& point);
  void link(PointId id, const Link& link);
  base::Limit finish_column(const Parts& parts, ColumnId column);
  [[nodiscard]] base::Limit over_limit() const;
  /// Returns the number of points and links.
  [[nodiscard]] std::size_t items() const { return std::size_t{points_.size()} + links_.size(); }

  const Program& program_;
  std::vector<Column> columns_;
  std::uint32_t first_current_ = 0;
  std::uint32_t place_ = 0;
  std::size_t offset_ = 0;
  std::uint32_t points_before_step_ = 0;  // which made the current columns
  std::size_t changes_ = 0;
  std::size_t items_before_step_ = 0;
  base::WordInterner points_;               // item, origin, column
  std::vector<std::uint32_t> first_links_;  // by PointId
  std::vector<Link> links_;
  std::vector<Waiting> waiting_;
  std::vector<Run> runs_;
  std::vector<Run> first_runs_;                      // those that began in the current columns, when they did
  std::vector<Ended> ended_;                         // by the last byte
  std::vector<Ended> made_current_;                  // what made the current columns
  bool may_slide_ = false;                           // nothing else made them
  std::vector<PointId> pending_;                     // points of the current columns that are not processed yet
  std::vector<PointId> current_points_;              // points of the current columns, in the order of adding
  base::WordInterner completed_;                     // rule, origin, column
  base::WordInterner expanded_;                      // rule, origin, column
  std::unordered_map<std::uint64_t, PointId> tops_;  // by column and rule; kNoTop if there is no jump
  std::size_t items_to_forget_;
  std::size_t forget_at_;  // items
  std::uint32_t first_whole_point_ = 0;
  std::uint32_t first_whole_column_ = 0;
  bool needs_past_ = false;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_CAPTURES_CAPTURE_CHART_H_
