// CertainCaptures: what all readings of an output agree on, while the output is being written.
//
// WHAT   A reading of the output so far is a list of *marks*: where a capture begins and where it ends, in the order of
//        the text. read() finds the longest list that every reading begins with, and the place before which no reading
//        has a further mark. Longer outputs keep both, and so does CaptureReading's choice for the whole output: what
//        was given is never taken back.
// WHY    A program that reads an output while it is written wants each part as soon as it is certain, and only then.
// HOW    A prefix tree of lists of marks: a list is a node, and what two lists have in common is their lowest common
//        ancestor. A point of the chart (capture_chart.h) has one list, or, if several rules wait for its rule, what
//        theirs have in common (Value). Two ways to the same point allow the same continuations, so the
//        choice between them (CaptureReading) does not depend on what follows and is made at once. Values are computed
//        on demand, from those of the points before, and stored. If rules with different lists wait for a rule, what
//        follows its end in one of them has a list that begins with that one's: the points of the rule then have a second
//        value, for this list before the rule (Base). Where the chart has only moved its last columns, and the same
//        lexemes are in progress, the same marks are certain, and those that may come have moved with the columns.
// COST   Each point is read once, with a lookup, if a deterministic parser could read the grammar; a common ancestor
//        takes O(log marks). Where a rule can begin for several rules that wait, and these have different marks, its points
//        are read once for each of them. The parts of an ambiguous text, and of rules that can derive themselves, are
//        listed again.
// INVARIANTS  Every point has a reading, and every rule that has ended has a production that ends where it does. So
//        a value without a reading (`exists`) is one that is not known yet.
// LIMITS capture_items.
// THREADS As CaptureChart.
// REFERENCES  Myers, An applicative random-access stack, Information Processing Letters 17(5), 1983: jumps_.
#ifndef WEIR_SRC_ENGINE_CAPTURES_CERTAIN_CAPTURES_H_
#define WEIR_SRC_ENGINE_CAPTURES_CERTAIN_CAPTURES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/answer.h"
#include "base/interner.h"
#include "base/limit.h"
#include "engine/captures/capture_chart.h"
#include "engine/captures/capture_reading.h"

namespace weir::engine {

class CertainCaptures {
 public:
  CertainCaptures() { nodes_.intern({}); }

  /// What is certain of the readings of an output.
  struct Certain {
    std::uint32_t marks = 0;  ///< The number of marks.
    std::size_t up_to = 0;    ///< No reading has a further mark before this byte.
  };
  enum class Output : std::uint8_t { kGoesOn, kEnds };

  /// Reads what is certain. With kEnds, the reading is the one that CaptureReading chooses for the whole output.
  /// `reading` is of the chart that all calls are about. Returns the limit that was met, or kNone.
  /// Precondition: with kEnds, the output may end here.
  base::Limit read(CaptureReading& reading, Output output, Certain& certain);
  /// Appends the marks that were certain at the last call of read(), without the first `known`.
  /// Precondition: `known` is not less than forgotten().
  void list(std::uint32_t known, std::vector<CaptureMark>& marks) const;
  /// Lets the chart forget what no later call needs, once that is worth the time, and forgets as much: among others the
  /// marks that were certain at the last call. Must follow a call of read() with kGoesOn. If a limit is met, nothing is
  /// forgotten.
  void forget(CaptureReading& reading, CaptureChart& chart);
  /// The number of marks that cannot be listed any more.
  [[nodiscard]] std::uint32_t forgotten() const { return forgotten_; }

 private:
  enum class NodeId : std::uint32_t {};  // a list of marks; the empty list is 0
  // What the lists of some readings have in common.
  struct Value {
    NodeId node{};
    bool exists = false;  // false: there is no reading
    bool is_one = true;   // true: all have the same list. Else one has a mark after the node's at `bound` or later.
    std::size_t bound = 0;
    friend bool operator==(const Value&, const Value&) = default;
  };
  // The lists before the rule of a point: those of all that waits for the rule, or only this one.
  struct Base {
    bool is_all;
    NodeId node;
  };
  static constexpr Base kAll{true, NodeId{0}};
  // What is to be computed: the value of a point, that of all that waits for a rule in a column, or, of these, that which
  // jumps to `point`.
  struct Task {
    enum class Of : std::uint8_t { kPoint, kWaiting, kBottom };
    Of of = Of::kPoint;
    PointId point{};
    ColumnId column{};
    std::uint32_t rule = 0;
    Base base = kAll;
  };
  // A rule that ends when the rules of a jump end, and the rules after it.
  struct OuterEnd {
    std::uint32_t rule;
    std::uint32_t next;
  };

  // The chart as it was when it was read.
  struct Seen {
    std::size_t changes = 0;
    std::size_t offset = 0;
    std::uint32_t first_column = 0;  // of the current ones
    std::uint32_t first_point = 0;
    bool goes_on = false;  // `certain_` is of this chart, if the output goes on
  };

  base::Limit know(CaptureReading& reading, const std::vector<PointId>& points,
                   const std::vector<CaptureChart::Awaited>& rules);
  void renumber(const CaptureChart::Renumbering& renumbering);
  void forget_marks();
  [[nodiscard]] Certain said(const CaptureChart& chart) const;
  void see(const CaptureChart& chart, bool goes_on);
  void forget_moved(const CaptureChart& chart);

  template <typename Find>
  base::Limit wait_for(CaptureReading& reading, Value& value, const Find& find);
  // Return no if there are tasks now that must be done first.
  base::Answer compute(CaptureReading& reading, const Task& task);
  base::Answer compute_point(CaptureReading& reading, PointId id, Base base);
  base::Answer compute_waiting(CaptureReading& reading, ColumnId column, std::uint32_t rule);
  base::Answer compute_bottom(CaptureReading& reading, const Task& task);
  std::optional<Value> known_bottom(const Task& task);
  base::Limit known_jump(CaptureReading& reading, const CaptureReading::Span& bottom, PointId top, Base base,
                         std::optional<Value>& value);
  base::Limit add_marks(CaptureReading& reading, const CaptureReading::Span& span, Value& value);
  base::Limit add_parts(CaptureReading& reading, PointId id, Value& value);
  std::optional<Value> known_point(PointId id, Base base = kAll);
  std::optional<Value> known_waiting(ColumnId column, std::uint32_t rule);
  base::Limit value_after(CaptureReading& reading, const CaptureReading::Span& span, const Value& before,
                          std::optional<Value>& value);
  base::Limit known_end(CaptureReading& reading, const CaptureReading::Span& span, Base base,
                        std::optional<Value>& value);
  base::Limit outer_ends(CaptureReading& reading, std::uint32_t rule, ColumnId column, std::uint32_t& ends);

  void append(Value& value, const CaptureMark& mark);
  void append_begin(const CaptureReading& reading, std::uint32_t rule, std::size_t at, Value& value);
  void append_end(const CaptureReading& reading, std::uint32_t rule, std::size_t at, Value& value);
  void meet(Value& value, const Value& other) const;

  // Returns the deepest ancestor of at most this depth, or the node. Nothing is between depths unless marks were forgotten.
  [[nodiscard]] std::uint32_t lifted(std::uint32_t node, std::uint32_t depth) const;
  // Returns the ancestor, or the node, whose parent is `above`. Precondition: `above` is an ancestor.
  [[nodiscard]] std::uint32_t child_towards(std::uint32_t node, std::uint32_t above) const;
  [[nodiscard]] std::uint32_t parent(std::uint32_t node) const { return nodes_[node][0]; }

  // Parent, capture and kind of the mark, place. Where marks were forgotten, a node's parent is further up, the mark is the
  // first of these, and there is a fourth word.
  base::WordInterner nodes_;
  std::vector<std::uint32_t> depths_{0};
  std::vector<std::uint32_t> jumps_{0};  // for each node an ancestor, so that any is found in O(log depth) steps
  std::vector<Value> points_;            // by PointId; those that do not exist are not known
  std::unordered_map<std::uint64_t, Value> waiting_;  // by column and rule
  std::vector<std::uint64_t> of_current_;             // its keys with one of the columns of `seen_`
  std::unordered_map<std::uint64_t, Value> after_;    // by point, and the only list before its rule
  std::vector<std::uint64_t> after_of_current_;       // its keys with points of these columns, or later ones
  base::WordInterner bottom_ids_;  // column, rule, and the only list before the rule of the jump's top
  std::vector<Value> bottoms_;     // by these
  Seen seen_;
  std::vector<PointId> in_lexemes_;         // those of `seen_` that wait for lexemes in progress
  std::vector<PointId> before_in_lexemes_;  // scratch
  std::vector<OuterEnd> ends_;
  std::unordered_map<std::uint64_t, std::uint32_t> chains_;  // by column and rule: the first of ends_, or kNoEnd
  std::vector<Task> tasks_;
  std::vector<CaptureMark> marks_;           // scratch
  std::vector<CaptureReading::Span> parts_;  // scratch
  Value certain_;
  std::uint32_t forgotten_ = 0;  // marks
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_CAPTURES_CERTAIN_CAPTURES_H_
