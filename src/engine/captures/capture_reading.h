// CaptureReading: the captures of one reading of an output, chosen from a chart.
//
// WHAT   Of the derivations that a CaptureChart holds, one, always the same for the same grammar and text; its spans of
//        rules with a capture's name, in the order in which they begin, an outer one before those inside it.
// WHICH  Where the output may end here, it is read as ended; else as a beginning. From the start rule on down,
//          - of a rule's alternatives that read its text the first as written is taken; but no text at all is read
//            without captures where it can be;
//          - of an alternative's parts each, from the first on, is as long as it can be. Parts are the symbols that
//            hold captures and what stands between two of them, taken together;
//          - a repeat is read turn by turn, each as long as it can be;
//          - of rules that can derive themselves, with the fewest such steps;
//          - in a beginning, a part that is still open counts as longer than any that has ended. A capture is open once
//            some of its text has come; of rules that begin at the same place with one another, again the fewest steps.
//        Choosing by parts with captures makes the choice the same whatever the passes do to the parts without.
// HOW    Points lead back to those before them, all of which are reachable from the rule's beginning. So what is
//        collected from a rule's last point backwards is all ways through an alternative, and any choice forwards in it
//        succeeds. Only rules that hold captures are looked into. No recursion: a stack of rules still to be read.
// COST   For unambiguous grammars the size of the derivation down to the captures. What a reading visits counts as
//        capture_items, so that a grammar with exponentially many captures of nothing meets a limit.
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

#include "base/limit.h"
#include "engine/captures/capture_chart.h"
#include "engine/captures/capture_cycles.h"
#include "grammar/cfg.h"
#include "weir/matcher.h"

namespace weir::engine {

class CaptureReading {
 public:
  /// `grammar` and `lexer` are what the chart was read with, and `text` is what it has read; the automaton's lock is
  /// held.
  CaptureReading(CaptureChart& chart, const grammar::Cfg& grammar, lexer::Lexer& lexer, std::string_view text,
                 const CaptureCycles& cycles, std::uint32_t limit)
      : chart_(chart), cfg_(grammar), lexer_(lexer), text_(text), cycles_(cycles), limit_(limit) {}

  /// Appends the captures. Returns the limit that was met.
  base::Limit read(std::vector<Capture>& captures);

 private:
  // A rule of the reading, to be looked into.
  struct Span {
    std::uint32_t rule = 0;
    ColumnId from{};
    ColumnId to{};  // of one that is closed
    bool is_open = false;
  };
  using Points = std::unordered_set<std::uint32_t>;
  // Whether a rule within a span may be read over all of that span.
  using MayFill = std::function<bool(std::uint32_t rule)>;
  // All ways through an alternative, point by point.
  struct Ways {
    std::unordered_map<std::uint32_t, std::vector<PointId>> after;
    PointId begin{};
  };
  struct OpenRule {
    std::uint32_t level = 0;           // of the search from what is in progress
    std::vector<PointId> points = {};  // that its open part stands behind
  };

  base::Limit report(const Span& span, std::vector<Capture>& captures);
  std::optional<Span> closed_root() const;
  void find_open();
  void open_at(PointId waiting, std::uint32_t level, std::vector<std::pair<std::uint32_t, ColumnId>>& queue);
  base::Limit choose(const Span& span, std::vector<Span>& parts);
  base::Limit choose_closed(const Span& span, const MayFill& may_fill, std::vector<Span>& parts, bool& found);
  base::Limit choose_open(const Span& span, std::vector<Span>& parts);
  base::Limit rank(const Span& span);
  base::Limit collect(const std::vector<PointId>& ends, const Span& span, const MayFill& may_fill,
                      std::optional<Ways>& ways);
  void follow(const Ways& ways, const Points& open_ends, std::vector<Span>& parts) const;
  [[nodiscard]] bool holds_capture(grammar::Symbol symbol) const {
    return symbol.kind() == grammar::Symbol::Kind::kRule && cfg_.rules[symbol.index()].holds_capture;
  }
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
  // By rule: ranks of the rules of one cycle over one span.
  std::map<std::uint32_t, std::uint32_t> ranks_;
  std::optional<Span> ranked_;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_CAPTURES_CAPTURE_READING_H_
