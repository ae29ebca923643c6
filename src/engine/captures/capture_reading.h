// CaptureReading: chooses one reading of an output from a chart, and lists its captures.
//
// WHAT   Chooses one of the derivations that a CaptureChart holds, always the same for the same grammar and text. Lists
//        the spans of its rules that have a capture name, in the order in which they begin, outer ones before inner
//        ones.
// WHICH  If the output may end here, it is read as complete; otherwise as a beginning. From the start rule downwards:
//        - If several alternatives of a rule match its text, the first in the grammar's text is taken. The empty text
//          is read without captures if that is possible.
//        - Each part of an alternative, from the first on, is as long as possible. Parts are the symbols that hold
//          captures, and everything between two of them, taken together.
//        - A repeat is read turn by turn, each turn as long as possible.
//        - If a rule can derive itself, the reading with the fewest such steps is taken.
//        - In a beginning, a part that is still open counts as longer than any that has ended. A capture is open once
//          some of its text has been read. If rules begin with one another at the same place, the reading with the
//          fewest steps is taken here, too.
//        Since only parts with captures are compared, the choice does not depend on what the passes do to other parts.
// HOW    Points link back to the points before them, and all of these can be reached from the rule's beginning. So the
//        points found backwards from a rule's last point are all ways through an alternative, and any choice made
//        forwards among them succeeds. Only rules that hold captures are looked into. A stack has the rules that are
//        still to be read; nothing is recursive.
// COST   For unambiguous grammars the size of the derivation down to the captures. What a reading visits counts as
//        capture_items, so a grammar with exponentially many empty captures meets a limit.
#ifndef WEIR_SRC_ENGINE_CAPTURES_CAPTURE_READING_H_
#define WEIR_SRC_ENGINE_CAPTURES_CAPTURE_READING_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/answer.h"
#include "base/limit.h"
#include "engine/captures/capture_chart.h"
#include "engine/costs/capture_cycles.h"
#include "grammar/cfg.h"
#include "weir/matcher.h"

namespace weir::engine {

/// Where a capture begins or ends.
struct CaptureMark {
  std::uint32_t capture = 0;  ///< An index into Cfg::captures.
  bool is_second = false;     ///< True for the second part of a capture with parts.
  bool is_begin = false;
  std::size_t at = 0;  ///< The number of bytes before it.
  friend bool operator==(const CaptureMark&, const CaptureMark&) = default;
};

class CaptureReading {
 public:
  // A rule of the reading and the columns where it begins and ends.
  struct Span {
    std::uint32_t rule = 0;
    ColumnId from{};
    ColumnId to{};  // not for an open span
    bool is_open = false;
  };

  /// `grammar` and `lexer` are those that the chart was read with, and `text` is the text that it has read. The
  /// automaton's lock must be held.
  CaptureReading(CaptureChart& chart, const grammar::Cfg& grammar, lexer::Lexer& lexer, std::string_view text,
                 const CaptureCycles& cycles, std::uint32_t limit)
      : chart_(chart), cfg_(grammar), lexer_(lexer), text_(text), cycles_(cycles), limit_(limit) {}

  /// Appends the captures. Returns the limit that was met, or kNone.
  base::Limit read(std::vector<Capture>& captures);

  // For CertainCaptures.

  /// Returns the start rule over all of the output, if the output may end here.
  [[nodiscard]] std::optional<Span> closed_root() const;
  /// Appends the marks of a span that is not open, in order.
  base::Limit list_marks(const Span& whole, std::vector<CaptureMark>& marks);
  /// Appends the parts of the way from the beginning of an alternative to the point. Precondition: the dot is not at the
  /// beginning.
  base::Limit list_parts(PointId end, std::vector<Span>& parts);
  /// Appends the points that wait for the terminals in progress, in their order.
  void add_points_of(const CaptureChart::Run& run, std::vector<PointId>& points) const;
  /// Counts items. Returns the limit that was met, or kNone.
  base::Limit visit(std::size_t items);
  [[nodiscard]] const CaptureChart& chart() const { return chart_; }
  /// See CaptureChart::ask_for_past.
  base::Limit ask_for_past() { return chart_.ask_for_past(); }
  [[nodiscard]] const grammar::Cfg& cfg() const { return cfg_; }
  [[nodiscard]] const CaptureCycles& cycles() const { return cycles_; }
  [[nodiscard]] bool holds_capture(grammar::Symbol symbol) const {
    return symbol.kind() == grammar::Symbol::Kind::kRule && cfg_.rules[symbol.index()].holds_capture;
  }

 private:
  using Points = std::unordered_set<std::uint32_t>;
  // Returns true if a rule inside a span may be read over all of that span.
  using MayFill = std::function<bool(std::uint32_t rule)>;
  // All ways through an alternative: for each point the points after it.
  struct Ways {
    std::unordered_map<std::uint32_t, std::vector<PointId>> after;
    PointId begin{};
  };
  struct OpenRule {
    std::uint32_t level = 0;           // steps from what is in progress, in the search
    std::vector<PointId> points = {};  // the points before its open part
  };

  base::Limit report(const Span& span, std::vector<Capture>& captures);
  base::Limit divide(const Span& span, std::size_t& second);
  void find_open();
  void open_at(PointId waiting, std::uint32_t level, std::vector<std::pair<std::uint32_t, ColumnId>>& queue);
  base::Limit choose(const Span& span, std::vector<Span>& parts);
  base::Answer choose_closed(const Span& span, const MayFill& may_fill, std::vector<Span>& parts);
  base::Limit choose_open(const Span& span, std::vector<Span>& parts);
  base::Limit rank(const Span& span);
  base::Limit collect(const std::vector<PointId>& ends, const Span& span, const MayFill& may_fill,
                      std::optional<Ways>& ways);
  void follow(const Ways& ways, const Points& open_ends, std::vector<Span>& parts) const;
  [[nodiscard]] grammar::Symbol symbol_at(PointId id) const { return cfg_.symbol(chart_.point(id).item); }
  [[nodiscard]] PointId furthest(const std::vector<PointId>& points) const;
  [[nodiscard]] bool is_current(ColumnId column) const {
    return static_cast<std::uint32_t>(column) >= chart_.first_current();
  }

  CaptureChart& chart_;
  const grammar::Cfg& cfg_;
  lexer::Lexer& lexer_;
  std::string_view text_;
  const CaptureCycles& cycles_;
  std::uint32_t limit_;
  std::uint32_t visited_ = 0;
  std::map<std::pair<std::uint32_t, ColumnId>, OpenRule> open_;  // by rule and where it began
  // For the rules of one cycle over one span: how many steps of the cycle each needs; by rule.
  std::map<std::uint32_t, std::uint32_t> ranks_;
  std::optional<Span> ranked_;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_CAPTURES_CAPTURE_READING_H_
