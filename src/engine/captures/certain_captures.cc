#include "engine/captures/certain_captures.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "grammar/cfg.h"

namespace weir::engine {

using base::Answer;
using base::Limit;
using grammar::Cfg;
using grammar::CfgRule;
using grammar::ItemId;
using grammar::Symbol;

namespace {

constexpr std::uint32_t kNoEnd = UINT32_MAX;
constexpr std::uint32_t kNoNode = UINT32_MAX;
// A fourth word of a node. If it is there, marks before the node are gone; its value does not count.
constexpr std::uint32_t kForgottenMark = 0;
constexpr std::size_t kFewRules = 8;  // are found in a list faster than in a table

template <typename Node>
std::array<std::uint32_t, 3> bottom_key(ColumnId column, std::uint32_t rule, Node list) {
  return {static_cast<std::uint32_t>(column), rule, static_cast<std::uint32_t>(list)};
}

// Returns true if one point waits for the rule in the column, and nothing else does.
bool is_awaited_once(const CaptureReading& reading, Symbol rule, ColumnId column) {
  const bool is_start = column == ColumnId{0} && rule == Symbol::rule(reading.cfg().start);
  return !is_start && reading.chart().waiting_for(column, rule).size() == 1;
}

// Returns true if a symbol before the dot holds captures.
bool has_captures_before(const CaptureReading& reading, ItemId item) {
  while (item != ItemId{0}) {
    item = Cfg::previous(item);
    const Symbol symbol = reading.cfg().symbol(item);
    if (symbol.kind() == Symbol::Kind::kEnd) return false;
    if (reading.holds_capture(symbol)) return true;
  }
  return false;
}

}  // namespace

Limit CertainCaptures::read(CaptureReading& reading, Output output, Certain& certain) {
  const CaptureChart& chart = reading.chart();
  std::swap(in_lexemes_, before_in_lexemes_);
  in_lexemes_.clear();
  for (const CaptureChart::Run& run : chart.runs()) reading.add_points_of(run, in_lexemes_);
  const bool is_same = seen_.goes_on && seen_.changes == chart.changes() && in_lexemes_ == before_in_lexemes_;
  if (seen_.offset != chart.offset()) forget_moved(chart);
  if (output == Output::kGoesOn && is_same) {
    if (!certain_.is_one && certain_.bound == seen_.offset) certain_.bound = chart.offset();
    see(chart, true);
    certain = said(chart);
    return Limit::kNone;
  }
  see(chart, false);
  Value all;
  Limit met = Limit::kNone;
  // Returns false if a limit was met.
  const auto add_point = [&](PointId id) {
    Value value;
    met = wait_for(reading, value, [&](std::optional<Value>& known) {
      known = known_point(id);
      return Limit::kNone;
    });
    if (met != Limit::kNone) return false;
    meet(all, value);
    return true;
  };
  if (output == Output::kGoesOn) {
    for (const PointId point : in_lexemes_) {
      if (!add_point(point)) return met;
    }
    for (std::uint32_t c = chart.first_current(); c < chart.column_count(); ++c) {
      for (const CaptureChart::Waiting& waiting : chart.waiting(ColumnId{c})) {
        if (waiting.symbol.kind() == Symbol::Kind::kTokens && !add_point(waiting.point)) return met;
      }
    }
  }
  if (const std::optional<CaptureReading::Span> root = reading.closed_root()) {
    Value value;
    met = wait_for(reading, value, [&](std::optional<Value>& known) {
      return value_after(reading, *root, {NodeId{0}, true}, known);
    });
    if (met != Limit::kNone) return met;
    meet(all, value);
  }
  certain_ = all;
  seen_.goes_on = output == Output::kGoesOn;
  certain = said(chart);
  return Limit::kNone;
}

CertainCaptures::Certain CertainCaptures::said(const CaptureChart& chart) const {
  return {depths_[static_cast<std::uint32_t>(certain_.node)],
          certain_.is_one ? chart.offset() : std::min(certain_.bound, chart.offset())};
}

void CertainCaptures::see(const CaptureChart& chart, bool goes_on) {
  if (seen_.first_column != chart.first_current()) {
    of_current_.clear();
    after_of_current_.clear();
  }
  seen_ = {chart.changes(), chart.offset(), chart.first_current(), chart.first_current_point(), goes_on};
}

// Forgets the values in the columns that were the last ones, if these have moved: they say where marks are.
void CertainCaptures::forget_moved(const CaptureChart& chart) {
  const bool has_moved =
      seen_.first_column < chart.column_count() && chart.column(ColumnId{seen_.first_column}).offset != seen_.offset;
  if (!has_moved) return;
  if (points_.size() > seen_.first_point) points_.resize(seen_.first_point);
  for (const std::uint64_t key : of_current_) waiting_.erase(key);
  for (const std::uint64_t key : after_of_current_) after_.erase(key);
  of_current_.clear();
  after_of_current_.clear();
}

void CertainCaptures::list(std::uint32_t known, std::vector<CaptureMark>& marks) const {
  const std::size_t first = marks.size();
  for (auto node = static_cast<std::uint32_t>(certain_.node); depths_[node] > known; node = nodes_[node][0]) {
    const auto words = nodes_[node];
    marks.push_back({words[1] >> 2, (words[1] & 2) != 0, (words[1] & 1) != 0, words[2]});
  }
  std::reverse(marks.begin() + static_cast<std::ptrdiff_t>(first), marks.end());
}

// Computes what `find` needs, until it finds a value. `find` adds tasks for what is not known.
template <typename Find>
Limit CertainCaptures::wait_for(CaptureReading& reading, Value& value, const Find& find) {
  tasks_.clear();
  for (;;) {
    std::optional<Value> known;
    if (const Limit met = find(known); met != Limit::kNone) return met;
    if (known) {
      value = *known;
      return Limit::kNone;
    }
    if (tasks_.empty()) return Limit::kCaptureItems;  // INVARIANTS do not hold; this loop must end all the same
    while (!tasks_.empty()) {
      if (const Limit met = reading.visit(1); met != Limit::kNone) return met;
      const Answer done = compute(reading, Task(tasks_.back()));
      if (!done.is_known()) return done.limit();
      if (done.is_yes()) tasks_.pop_back();  // else there are new tasks after it
    }
  }
}

Answer CertainCaptures::compute(CaptureReading& reading, const Task& task) {
  switch (task.of) {
    case Task::Of::kPoint: return compute_point(reading, task.point, task.base);
    case Task::Of::kWaiting: return compute_waiting(reading, task.column, task.rule);
    case Task::Of::kBottom: return compute_bottom(reading, task);
  }
  return false;
}

std::optional<CertainCaptures::Value> CertainCaptures::known_point(PointId id, Base base) {
  const auto index = static_cast<std::uint32_t>(id);
  if (base.is_all && index < points_.size() && points_[index].exists) return points_[index];
  if (!base.is_all) {
    const auto known = after_.find(chart_key(id, base.node));
    if (known != after_.end()) return known->second;
  }
  tasks_.push_back({.of = Task::Of::kPoint, .point = id, .base = base});
  return std::nullopt;
}

std::optional<CertainCaptures::Value> CertainCaptures::known_waiting(ColumnId column, std::uint32_t rule) {
  const auto known = waiting_.find(chart_key(column, rule));
  if (known != waiting_.end()) return known->second;
  tasks_.push_back({.of = Task::Of::kWaiting, .column = column, .rule = rule});
  return std::nullopt;
}

// Finds the value after a rule that has ended, if that before it is `before`. What waits for a rule without text may be
// the very point whose value is being computed, so that is not asked for.
Limit CertainCaptures::value_after(CaptureReading& reading, const CaptureReading::Span& span, const Value& before,
                                   std::optional<Value>& value) {
  if (before.is_one && span.from != span.to) {
    const std::optional<Value> waiting = known_waiting(span.from, span.rule);
    if (!waiting) return Limit::kNone;
    return known_end(reading, span, *waiting == before ? kAll : Base{false, before.node}, value);
  }
  value = before;
  return before.is_one ? add_marks(reading, span, *value) : Limit::kNone;  // else no mark is added
}

// Finds the value after the end of a rule.
Limit CertainCaptures::known_end(CaptureReading& reading, const CaptureReading::Span& span, Base base,
                                 std::optional<Value>& value) {
  const Cfg& cfg = reading.cfg();
  const std::uint32_t capture = cfg.rules[span.rule].capture;
  const bool has_parts = capture != CfgRule::kNoCapture && cfg.captures[capture].parts.exist();
  if (has_parts || span.from == span.to || reading.cycles().is_repeated(span.rule)) {
    value = base.is_all ? known_waiting(span.from, span.rule) : Value{base.node, true};
    return value ? add_marks(reading, span, *value) : Limit::kNone;
  }
  for (const ItemId first : cfg.rules[span.rule].productions) {
    const std::optional<PointId> point = reading.chart().find({cfg.end_of(first), span.from, span.to});
    if (!point) continue;
    value = known_point(*point, base);
    if (value) append_end(reading, span.rule, reading.chart().column(span.to).offset, *value);
    return Limit::kNone;
  }
  return Limit::kNone;
}

// Finds the value after the end of a rule and of all those that end with it, in a jump from `top`.
Limit CertainCaptures::known_jump(CaptureReading& reading, const CaptureReading::Span& bottom, PointId top, Base base,
                                  std::optional<Value>& value) {
  if (!base.is_all) {
    value = known_bottom({Task::Of::kBottom, top, bottom.from, bottom.rule, base});
    if (!value || !value->is_one) return Limit::kNone;
    base.node = value->node;
    value.reset();
  }
  if (const Limit met = known_end(reading, bottom, base, value); met != Limit::kNone) return met;
  std::uint32_t end = kNoEnd;
  if (value) {
    if (const Limit met = outer_ends(reading, bottom.rule, bottom.from, end); met != Limit::kNone) return met;
  }
  for (; end != kNoEnd; end = ends_[end].next) {
    append_end(reading, ends_[end].rule, reading.chart().column(bottom.to).offset, *value);
  }
  return Limit::kNone;
}

// Computes the value of the point that waits for the bottom of a jump, if `task.base` is before the rule of the jump's top.
Answer CertainCaptures::compute_bottom(CaptureReading& reading, const Task& task) {
  const Cfg& cfg = reading.cfg();
  if (!reading.chart().is_whole(task.column)) return reading.ask_for_past();
  const PointId tail = *reading.chart().only_tail(cfg, task.rule, task.column);
  const CaptureChart::Point point = reading.chart().point(tail);
  std::optional<Value> value;
  if (tail == task.point) {
    value = known_point(tail, task.base);
  } else {
    value = known_bottom({Task::Of::kBottom, task.point, point.origin, cfg.rule_of(point.item), task.base});
    if (value && value->is_one) value = known_point(tail, Base{false, value->node});
  }
  if (!value) return false;
  if (bottom_ids_.intern(bottom_key(task.column, task.rule, task.base.node)).second) bottoms_.push_back(*value);
  return true;
}

std::optional<CertainCaptures::Value> CertainCaptures::known_bottom(const Task& task) {
  const auto known = bottom_ids_.find(bottom_key(task.column, task.rule, task.base.node));
  if (known) return bottoms_[*known];
  tasks_.push_back(task);
  return std::nullopt;
}

// Computes the value of a point, if `base` is before its rule.
Answer CertainCaptures::compute_point(CaptureReading& reading, PointId id, Base base) {
  const CaptureChart& chart = reading.chart();
  const Cfg& cfg = reading.cfg();
  if (!chart.is_whole(id)) return reading.ask_for_past();
  const CaptureChart::Point here = chart.point(id);
  const std::uint32_t rule = cfg.rule_of(here.item);
  std::optional<Value> value;
  const std::uint32_t first = chart.first_link(id);
  const auto begin = [&] {
    value = base.is_all ? known_waiting(here.origin, rule) : Value{base.node, true};
    if (value) append_begin(reading, rule, chart.column(here.origin).offset, *value);
  };
  if (first == CaptureChart::kNoLink || !has_captures_before(reading, here.item)) {
    begin();
  } else if (chart.link(first).next != CaptureChart::kNoLink) {
    begin();
    if (value) {
      if (const Limit met = add_parts(reading, id, *value); met != Limit::kNone) return met;
    }
  } else {
    const CaptureChart::Link link = chart.link(first);
    const Symbol last = cfg.symbol(Cfg::previous(here.item));
    const bool is_jump = link.bottom_rule != UINT32_MAX;
    const CaptureReading::Span span{last.index(), link.from, here.column};
    const PointId previous = *chart.find({Cfg::previous(here.item), here.origin, link.from});
    Limit met = Limit::kNone;
    if (!reading.holds_capture(last)) {
      value = known_point(previous, base);
    } else if (is_jump) {
      met = known_jump(reading, {link.bottom_rule, link.bottom, here.column}, previous, base, value);
    } else if (base.is_all && link.from != here.column && is_awaited_once(reading, last, link.from)) {
      met = known_end(reading, span, base, value);
    } else if (const std::optional<Value> before = known_point(previous, base)) {
      met = value_after(reading, span, *before, value);
    }
    if (met != Limit::kNone) return met;
  }
  if (!value) return false;
  const auto index = static_cast<std::uint32_t>(id);
  if (!base.is_all) {
    after_[chart_key(id, base.node)] = *value;
    if (index >= chart.first_current_point()) after_of_current_.push_back(chart_key(id, base.node));
    return true;
  }
  if (index >= points_.size()) points_.resize(std::size_t{index} + 1);  // which doubles what is allocated
  points_[index] = *value;
  return true;
}

// Computes the values of all that waits for the rule in the column, and for the rules that these begin in turn. A rule
// may begin itself, so the values are a greatest fixed point.
Answer CertainCaptures::compute_waiting(CaptureReading& reading, ColumnId column, std::uint32_t rule) {
  const CaptureChart& chart = reading.chart();
  const Cfg& cfg = reading.cfg();
  if (!chart.is_whole(column)) return reading.ask_for_past();
  struct Entry {
    std::size_t to;    // index in `rules`
    std::size_t from;  // index in `rules`, or kOutside
    PointId point{};
    Value value;  // from outside
  };
  constexpr std::size_t kOutside = SIZE_MAX;
  std::vector<std::uint32_t> rules{rule};
  std::unordered_map<std::uint32_t, std::size_t> index_of;  // once there are more than kFewRules
  const auto index_of_rule = [&](std::uint32_t wanted) {
    std::size_t index = rules.size();
    if (rules.size() <= kFewRules) {
      index = static_cast<std::size_t>(std::ranges::find(rules, wanted) - rules.begin());
    } else {
      for (std::size_t i = index_of.size(); i < rules.size(); ++i) index_of[rules[i]] = i;
      if (const auto known = index_of.find(wanted); known != index_of.end()) index = known->second;
    }
    if (index == rules.size()) rules.push_back(wanted);
    return index;
  };
  std::vector<Entry> entries;
  entries.reserve(4);
  const std::size_t tasks = tasks_.size();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (column == ColumnId{0} && rules[i] == static_cast<std::uint32_t>(cfg.start)) {
      entries.push_back({i, kOutside, {}, {NodeId{0}, true}});
    }
    for (const CaptureChart::Waiting& waiting : chart.waiting_for(column, Symbol::rule(grammar::RuleId{rules[i]}))) {
      if (const Limit met = reading.visit(1); met != Limit::kNone) return met;
      const CaptureChart::Point point = chart.point(waiting.point);
      if (point.origin != column) {
        if (const std::optional<Value> value = known_point(waiting.point)) {
          entries.push_back({i, kOutside, waiting.point, *value});
        }
        continue;
      }
      entries.push_back({i, index_of_rule(cfg.rule_of(point.item)), waiting.point, {}});
    }
  }
  if (tasks_.size() != tasks) return false;
  std::vector<Value> values(rules.size());
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
      Value value = entry->value;
      if (entry->from != kOutside) {
        value = values[entry->from];
        if (!value.exists) continue;
        append_begin(reading, rules[entry->from], chart.column(column).offset, value);
        if (has_captures_before(reading, chart.point(entry->point).item)) {
          if (const Limit met = add_parts(reading, entry->point, value); met != Limit::kNone) return met;
        }
      }
      const Value old = values[entry->to];
      meet(values[entry->to], value);
      has_changed |= !(values[entry->to] == old);
    }
  }
  for (std::size_t i = 0; i < rules.size(); ++i) {
    waiting_[chart_key(column, rules[i])] = values[i];
    if (static_cast<std::uint32_t>(column) >= chart.first_current()) of_current_.push_back(chart_key(column, rules[i]));
  }
  return true;
}

// Sets `ends` to the first of the rules that end with the rule in a jump from the column, between the rule and the point
// that is jumped to.
Limit CertainCaptures::outer_ends(CaptureReading& reading, std::uint32_t rule, ColumnId column, std::uint32_t& ends) {
  const CaptureChart& chart = reading.chart();
  struct Visit {
    std::uint64_t key;
    std::uint32_t outer;
  };
  std::vector<Visit> path;
  ends = kNoEnd;
  for (;;) {
    const std::uint64_t key = chart_key(column, rule);
    if (const auto known = chains_.find(key); known != chains_.end()) {
      ends = known->second;
      break;
    }
    if (!chart.is_whole(column)) return reading.ask_for_past();
    const CaptureChart::Point tail = chart.point(*chart.only_tail(reading.cfg(), rule, column));
    const std::uint32_t outer = reading.cfg().symbol(Cfg::next(tail.item)).index();
    const bool jumps_on =
        chains_.contains(chart_key(tail.origin, outer)) || chart.only_tail(reading.cfg(), outer, tail.origin);
    if (!jumps_on) {
      chains_[key] = kNoEnd;
      break;
    }
    path.push_back({key, outer});
    rule = outer;
    column = tail.origin;
  }
  for (auto visit = path.rbegin(); visit != path.rend(); ++visit) {
    if (reading.cfg().rules[visit->outer].capture != CfgRule::kNoCapture) {
      ends_.push_back({visit->outer, ends});
      ends = static_cast<std::uint32_t>(ends_.size() - 1);
    }
    chains_[visit->key] = ends;
  }
  return Limit::kNone;
}

Limit CertainCaptures::add_marks(CaptureReading& reading, const CaptureReading::Span& span, Value& value) {
  marks_.clear();
  const Limit met = reading.list_marks(span, marks_);
  for (const CaptureMark& mark : marks_) append(value, mark);
  return met;
}

Limit CertainCaptures::add_parts(CaptureReading& reading, PointId id, Value& value) {
  parts_.clear();
  if (const Limit met = reading.list_parts(id, parts_); met != Limit::kNone) return met;
  for (const CaptureReading::Span& part : parts_) {
    if (const Limit met = add_marks(reading, part, value); met != Limit::kNone) return met;
  }
  return Limit::kNone;
}

void CertainCaptures::append(Value& value, const CaptureMark& mark) {
  if (!value.is_one) return;
  const std::uint32_t kind = (mark.capture << 2) | (mark.is_second ? 2U : 0U) | (mark.is_begin ? 1U : 0U);
  const std::array words{static_cast<std::uint32_t>(value.node), kind, static_cast<std::uint32_t>(mark.at)};
  const auto [id, is_new] = nodes_.intern(words);
  if (is_new) {
    const std::uint32_t jump = jumps_[words[0]];
    const bool is_long = depths_[words[0]] - depths_[jump] == depths_[jump] - depths_[jumps_[jump]];
    depths_.push_back(depths_[words[0]] + 1);
    jumps_.push_back(is_long ? jumps_[jump] : words[0]);
  }
  value.node = NodeId{id};
}

// It is not known where the first part of a lexeme with parts ends.
void CertainCaptures::append_begin(const CaptureReading& reading, std::uint32_t rule, std::size_t at, Value& value) {
  const std::uint32_t index = reading.cfg().rules[rule].capture;
  if (index == CfgRule::kNoCapture || !value.is_one) return;
  const grammar::CfgCapture& capture = reading.cfg().captures[index];
  if (!capture.name.empty()) append(value, {index, false, true, at});
  if (!capture.parts.exist()) return;
  value.is_one = false;
  value.bound = at;
}

// Precondition: the capture has no parts.
void CertainCaptures::append_end(const CaptureReading& reading, std::uint32_t rule, std::size_t at, Value& value) {
  const std::uint32_t index = reading.cfg().rules[rule].capture;
  if (index != CfgRule::kNoCapture) append(value, {index, false, false, at});
}

std::uint32_t CertainCaptures::lifted(std::uint32_t node, std::uint32_t depth) const {
  while (depths_[node] > depth) node = depths_[jumps_[node]] >= depth ? jumps_[node] : parent(node);
  return node;
}

std::uint32_t CertainCaptures::child_towards(std::uint32_t node, std::uint32_t above) const {
  while (parent(node) != above) node = depths_[jumps_[node]] > depths_[above] ? jumps_[node] : parent(node);
  return node;
}

// Makes `value` what both have in common.
void CertainCaptures::meet(Value& value, const Value& other) const {
  if (!value.exists) value = other;
  if (!other.exists || value == other) return;
  std::size_t bound = std::numeric_limits<std::size_t>::max();
  if (!value.is_one) bound = value.bound;
  if (!other.is_one) bound = std::min(bound, other.bound);
  const auto at = [&](std::uint32_t node) { return std::size_t{nodes_[node][2]}; };
  const auto from_value = static_cast<std::uint32_t>(value.node);
  const auto from_other = static_cast<std::uint32_t>(other.node);
  const std::uint32_t depth = std::min(depths_[from_value], depths_[from_other]);
  std::uint32_t a = lifted(from_value, depth);
  std::uint32_t b = lifted(from_other, depth);
  if (a == b) {  // one list is the beginning of the other
    for (const std::uint32_t node : {from_value, from_other}) {
      if (node != a) bound = std::min(bound, at(child_towards(node, a)));
    }
  } else {
    while (parent(a) != parent(b)) {
      const std::uint32_t of_a = depths_[parent(a)];
      const std::uint32_t of_b = depths_[parent(b)];
      const bool may_jump = jumps_[a] != jumps_[b] && depths_[jumps_[a]] == depths_[jumps_[b]];
      if (of_a >= of_b) a = may_jump && of_a == of_b ? jumps_[a] : parent(a);
      if (of_a <= of_b) b = may_jump && of_a == of_b ? jumps_[b] : parent(b);
    }
    bound = std::min({bound, at(a), at(b)});
    a = parent(a);
  }
  value = {NodeId{a}, true, false, bound};
}

void CertainCaptures::forget(CaptureReading& reading, CaptureChart& chart) {
  if (!chart.is_worth_forgetting()) return;
  std::vector<PointId> points;
  std::vector<CaptureChart::Awaited> rules;
  chart.list_needed(reading.cfg(), points, rules);
  if (know(reading, points, rules) != Limit::kNone) return chart.put_off();
  renumber(chart.forget(points, rules));
  seen_.first_column = chart.first_current();
  seen_.first_point = chart.first_current_point();
  forget_marks();
}

// Computes all that is needed of what is forgotten.
Limit CertainCaptures::know(CaptureReading& reading, const std::vector<PointId>& points,
                            const std::vector<CaptureChart::Awaited>& rules) {
  Value value;
  for (const PointId point : points) {
    const Limit met = wait_for(reading, value, [&](std::optional<Value>& known) {
      known = known_point(point);
      return Limit::kNone;
    });
    if (met != Limit::kNone) return met;
  }
  for (const auto& [column, rule] : rules) {
    const Limit met = wait_for(reading, value, [&](std::optional<Value>& known) {
      known = known_waiting(column, rule);
      return Limit::kNone;
    });
    if (met != Limit::kNone) return met;
    if (!reading.chart().jumps({column, rule})) continue;
    std::uint32_t ends = kNoEnd;
    if (const Limit met = outer_ends(reading, rule, column, ends); met != Limit::kNone) return met;
  }
  return Limit::kNone;
}

void CertainCaptures::renumber(const CaptureChart::Renumbering& renumbering) {
  constexpr std::uint32_t kGone = CaptureChart::kGone;
  std::vector<Value> points;
  for (std::size_t id = 0; id < std::min(points_.size(), renumbering.points.size()); ++id) {
    const std::uint32_t kept = renumbering.points[id];
    if (kept == kGone || !points_[id].exists) continue;
    if (kept >= points.size()) points.resize(kept + 1);
    points[kept] = points_[id];
  }
  points_ = std::move(points);
  const auto keep = [&](auto& values, std::vector<std::uint64_t>& current, const std::vector<std::uint32_t>& new_ids) {
    const auto renumbered = [&](std::uint64_t key) {
      const std::uint32_t id = new_ids[key >> 32];
      return id == kGone ? std::nullopt : std::optional(chart_key(id, static_cast<std::uint32_t>(key)));
    };
    std::unordered_map<std::uint64_t, Value> kept;
    for (const auto& [key, value] : values) {
      if (const auto key_now = renumbered(key)) kept.emplace(*key_now, value);
    }
    values = std::move(kept);
    std::vector<std::uint64_t> kept_current;
    for (const std::uint64_t key : current) {
      if (const auto key_now = renumbered(key)) kept_current.push_back(*key_now);
    }
    current = std::move(kept_current);
  };
  keep(waiting_, of_current_, renumbering.columns);
  keep(after_, after_of_current_, renumbering.points);
  bottom_ids_ = {};
  bottoms_ = {};
  std::vector<OuterEnd> ends;
  std::unordered_map<std::uint32_t, std::uint32_t> new_ends;  // by their old index
  const auto keep_ends = [&](std::uint32_t first) {
    std::vector<std::uint32_t> path;
    for (; first != kNoEnd && !new_ends.contains(first); first = ends_[first].next) path.push_back(first);
    std::uint32_t kept = first == kNoEnd ? kNoEnd : new_ends.at(first);
    for (; !path.empty(); path.pop_back()) {
      ends.push_back({ends_[path.back()].rule, kept});
      new_ends[path.back()] = kept = static_cast<std::uint32_t>(ends.size() - 1);
    }
    return kept;
  };
  std::unordered_map<std::uint64_t, std::uint32_t> chains;
  for (const auto& [key, first] : chains_) {
    const std::uint32_t column = renumbering.columns[key >> 32];
    if (column != kGone) chains[chart_key(column, static_cast<std::uint32_t>(key))] = keep_ends(first);
  }
  chains_ = std::move(chains);
  ends_ = std::move(ends);
  for (PointId& id : in_lexemes_) id = PointId{renumbering.points[static_cast<std::uint32_t>(id)]};
}

// Forgets the marks that are certain, but for nodes that values refer to and those at which the ways to these part.
void CertainCaptures::forget_marks() {
  std::vector<bool> is_used(nodes_.size());
  is_used[0] = true;
  const auto each_value = [&](const auto& visit) {
    visit(certain_.node);
    for (Value& value : points_) visit(value.node);
    for (auto& [key, value] : waiting_) visit(value.node);
    for (auto& [key, value] : after_) visit(value.node);
  };
  each_value([&](NodeId& node) { is_used[static_cast<std::uint32_t>(node)] = true; });
  for (const auto& [key, value] : after_) is_used[static_cast<std::uint32_t>(key)] = true;
  const std::uint32_t certain = depths_[static_cast<std::uint32_t>(certain_.node)];
  // By node: 0 if no used node is at it or after it, 1 if all of them are on one way from it, 2 if it is used itself or
  // their ways part at it.
  std::vector<std::uint8_t> ways(nodes_.size());
  for (auto node = static_cast<std::uint32_t>(nodes_.size()); node-- > 0;) {
    if (is_used[node]) ways[node] = 2;
    if (ways[node] > 0 && node > 0) {
      std::uint8_t& above = ways[parent(node)];
      above = static_cast<std::uint8_t>(std::min(2, above + 1));
    }
  }
  std::vector<std::uint32_t> new_ids(nodes_.size());
  // By node: the first node after the last one that is kept, on the way to the node.
  std::vector<std::uint32_t> first_left_out(nodes_.size(), kNoNode);
  base::WordInterner nodes;
  std::vector<std::uint32_t> depths;
  std::vector<std::uint32_t> jumps;
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
    if (ways[node] == 0) continue;
    const std::uint32_t above = node == 0 ? 0 : parent(node);
    const std::uint32_t left_out = node == 0 ? kNoNode : first_left_out[above];
    if (ways[node] < 2 && depths_[node] <= certain) {
      new_ids[node] = new_ids[above];
      first_left_out[node] = left_out == kNoNode ? node : left_out;
      continue;
    }
    const std::uint32_t up = new_ids[above];
    if (node == 0) {
      new_ids[0] = nodes.intern({}).first;
    } else if (left_out == kNoNode && nodes_[node].size() == 3) {
      new_ids[node] = nodes.intern(std::array{up, nodes_[node][1], nodes_[node][2]}).first;
    } else {  // a mark that comes later is never this one
      const auto first = nodes_[left_out == kNoNode ? node : left_out];
      new_ids[node] = nodes.intern(std::array{up, first[1], first[2], kForgottenMark}).first;
    }
    depths.push_back(depths_[node]);
    const bool is_long = node != 0 && depths[up] - depths[jumps[up]] == depths[jumps[up]] - depths[jumps[jumps[up]]];
    jumps.push_back(is_long ? jumps[jumps[up]] : up);
  }
  each_value([&](NodeId& node) { node = NodeId{new_ids[static_cast<std::uint32_t>(node)]}; });
  std::unordered_map<std::uint64_t, Value> after;
  const auto renumbered = [&](std::uint64_t key) {
    return (key & ~std::uint64_t{UINT32_MAX}) | new_ids[static_cast<std::uint32_t>(key)];
  };
  for (const auto& [key, value] : after_) after.emplace(renumbered(key), value);
  for (std::uint64_t& key : after_of_current_) key = renumbered(key);
  after_ = std::move(after);
  nodes_ = std::move(nodes);
  depths_ = std::move(depths);
  jumps_ = std::move(jumps);
  forgotten_ = certain;
}

}  // namespace weir::engine
