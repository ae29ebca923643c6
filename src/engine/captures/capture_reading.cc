#include "engine/captures/capture_reading.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/work.h"
#include "engine/captures/lexeme_parts.h"
#include "engine/search_bounds.h"

namespace weir::engine {

using base::Answer;
using base::Limit;
using grammar::Cfg;
using grammar::ItemId;
using grammar::Symbol;

namespace {

constexpr std::uint32_t raw(PointId id) { return static_cast<std::uint32_t>(id); }

}  // namespace

Limit CaptureReading::read(std::vector<Capture>& captures) {
  const auto start = static_cast<std::uint32_t>(cfg_.start);
  if (!cfg_.rules[start].holds_capture) return Limit::kNone;
  std::vector<Span> stack;
  if (const std::optional<Span> root = closed_root()) {
    stack.push_back(*root);
  } else {
    find_open();
    if (!open_.contains({start, ColumnId{0}})) return Limit::kNone;  // nothing has been read
    stack.push_back({start, ColumnId{0}, {}, true});
  }
  std::vector<Span> parts;
  while (!stack.empty()) {
    const Span span = stack.back();
    stack.pop_back();
    if (const Limit met = report(span, captures); met != Limit::kNone) return met;
    parts.clear();
    if (const Limit met = choose(span, parts); met != Limit::kNone) return met;
    stack.insert(stack.end(), parts.rbegin(), parts.rend());
  }
  return Limit::kNone;
}

Limit CaptureReading::report(const Span& span, std::vector<Capture>& captures) {
  const std::uint32_t index = cfg_.rules[span.rule].capture;
  if (index == grammar::CfgRule::kNoCapture) return Limit::kNone;
  const grammar::CfgCapture& capture = cfg_.captures[index];
  const std::size_t name_bytes = capture.name.size() + capture.parts.second_capture.size();
  if (const Limit met = visit(1 + name_bytes / kNameBytesForOneItem); met != Limit::kNone) return met;
  const std::size_t begin = chart_.column(span.from).offset;
  const std::size_t end = span.is_open ? chart_.offset() : chart_.column(span.to).offset;
  std::size_t second = end;
  if (!span.is_open && capture.parts.exist()) {
    if (const Limit met = divide(span, second); met != Limit::kNone) return met;
  }
  if (!capture.name.empty()) captures.push_back({capture.name, begin, second, !span.is_open});
  if (!span.is_open && !capture.parts.second_capture.empty()) {
    captures.push_back({capture.parts.second_capture, second, end, true});
  }
  return Limit::kNone;
}

// Finds where the second part of a span's text begins. Precondition: its capture has parts.
Limit CaptureReading::divide(const Span& span, std::size_t& second) {
  const std::size_t begin = chart_.column(span.from).offset;
  const std::string_view lexeme = text_.substr(begin, chart_.column(span.to).offset - begin);
  const grammar::LexemeParts& parts = cfg_.captures[cfg_.rules[span.rule].capture].parts;
  const Limit met = find_second_part(lexer_.exprs(), parts, lexeme, limit_, visited_, second);
  second += begin;
  return met;
}

Limit CaptureReading::list_marks(const Span& whole, std::vector<CaptureMark>& marks) {
  struct Entry {
    Span span;
    bool is_end;
  };
  std::vector<Entry> stack{{whole, false}};
  std::vector<Span> parts;
  while (!stack.empty()) {
    const auto [span, is_end] = stack.back();
    stack.pop_back();
    const std::uint32_t capture = cfg_.rules[span.rule].capture;
    const bool is_capture = capture != grammar::CfgRule::kNoCapture;
    const std::size_t end = chart_.column(span.to).offset;
    if (is_end) {
      marks.push_back({capture, false, false, end});
      continue;
    }
    if (const Limit met = visit(1); met != Limit::kNone) return met;
    const std::size_t begin = chart_.column(span.from).offset;
    if (is_capture && cfg_.captures[capture].parts.exist()) {
      std::size_t second = end;
      if (const Limit met = divide(span, second); met != Limit::kNone) return met;
      if (!cfg_.captures[capture].name.empty()) {
        marks.push_back({capture, false, true, begin});
        marks.push_back({capture, false, false, second});
      }
      if (!cfg_.captures[capture].parts.second_capture.empty()) {
        marks.push_back({capture, true, true, second});
        marks.push_back({capture, true, false, end});
      }
    } else if (is_capture) {
      marks.push_back({capture, false, true, begin});
      stack.push_back({span, true});
    }
    parts.clear();
    if (const Limit met = choose(span, parts); met != Limit::kNone) return met;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) stack.push_back({*part, false});
  }
  return Limit::kNone;
}

Limit CaptureReading::list_parts(PointId end, std::vector<Span>& parts) {
  const CaptureChart::Point point = chart_.point(end);
  const Span span{cfg_.rule_of(point.item), point.origin, {}, true};
  std::optional<Ways> ways;
  if (const Limit met = collect({end}, span, {}, ways); met != Limit::kNone) return met;
  const std::size_t before = parts.size();
  follow(*ways, {raw(end)}, parts);
  if (parts.size() > before && parts.back().is_open) parts.pop_back();  // the part that the point waits for
  return Limit::kNone;
}

Limit CaptureReading::visit(std::size_t items) {
  base::Work::charge(items * base::Work::kVisit);
  visited_ += static_cast<std::uint32_t>(std::min<std::size_t>(items, UINT32_MAX - visited_));
  return visited_ > limit_ ? Limit::kCaptureItems : base::Work::met_or(Limit::kNone);
}

std::optional<CaptureReading::Span> CaptureReading::closed_root() const {
  for (std::uint32_t c = chart_.first_current(); c < chart_.column_count(); ++c) {
    if (!lexer_.exprs().nullable(chart_.column(ColumnId{c}).rest)) continue;
    for (const ItemId first : cfg_.rule(cfg_.start).productions) {
      if (!chart_.find({cfg_.end_of(first), ColumnId{0}, ColumnId{c}})) continue;
      return Span{static_cast<std::uint32_t>(cfg_.start), ColumnId{0}, ColumnId{c}, false};
    }
  }
  return std::nullopt;
}

void CaptureReading::add_points_of(const CaptureChart::Run& run, std::vector<PointId>& points) const {
  std::optional<std::uint32_t> last;
  for (const lexer::Item& item : lexer_.items(run.state)) {
    if (std::exchange(last, item.terminal) == item.terminal) continue;  // the same terminal with another residual
    const Symbol terminal = Symbol::terminal(grammar::TerminalId{item.terminal});
    for (const CaptureChart::Waiting& waiting : chart_.waiting_for(run.column, terminal))
      points.push_back(waiting.point);
  }
}

// Finds the rules that have begun and may go on: those that contain something in progress.
void CaptureReading::find_open() {
  std::vector<std::pair<std::uint32_t, ColumnId>> queue;
  for (std::uint32_t c = chart_.first_current(); c < chart_.column_count(); ++c) {
    for (const CaptureChart::Waiting& waiting : chart_.waiting(ColumnId{c})) {
      if (!is_current(chart_.point(waiting.point).origin)) open_at(waiting.point, 0, queue);
    }
  }
  for (const CaptureChart::Run& run : chart_.runs()) {
    if (is_current(run.column)) continue;
    std::vector<PointId> points;
    add_points_of(run, points);
    for (const PointId point : points) open_at(point, 0, queue);
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const auto [rule, column] = queue[head];
    const std::uint32_t level = open_.find(queue[head])->second.level;
    for (const CaptureChart::Waiting& waiting : chart_.waiting_for(column, Symbol::rule(grammar::RuleId{rule}))) {
      open_at(waiting.point, level + 1, queue);
    }
  }
}

// Marks the rule of the point `waiting` as open.
void CaptureReading::open_at(PointId waiting, std::uint32_t level,
                             std::vector<std::pair<std::uint32_t, ColumnId>>& queue) {
  const CaptureChart::Point point = chart_.point(waiting);
  const std::pair key{cfg_.rule_of(point.item), point.origin};
  const auto [it, is_new] = open_.try_emplace(key);
  it->second.points.push_back(waiting);
  if (!is_new) return;
  it->second.level = level;
  queue.push_back(key);
}

Limit CaptureReading::choose(const Span& span, std::vector<Span>& parts) {
  if (span.is_open) return choose_open(span, parts);
  if (cycles_.is_repeated(span.rule)) {
    if (const Limit met = rank(span); met != Limit::kNone) return met;
  }
  const auto may_fill = [&](std::uint32_t rule) {
    const auto inside = ranks_.find(rule);
    return inside != ranks_.end() && inside->second < ranks_.at(span.rule);
  };
  return choose_closed(span, may_fill, parts).limit();
}

// Appends the parts of the alternative that is chosen. Returns no if there is none.
Answer CaptureReading::choose_closed(const Span& span, const MayFill& may_fill, std::vector<Span>& parts) {
  if (span.from == span.to && cycles_.may_vanish(span.rule)) return true;
  for (const ItemId production : cfg_.rules[span.rule].productions) {
    const std::optional<PointId> end = chart_.find({cfg_.end_of(production), span.from, span.to});
    if (!end) continue;
    std::optional<Ways> ways;
    if (const Limit met = collect({*end}, span, may_fill, ways); met != Limit::kNone) return met;
    if (!ways) continue;
    follow(*ways, {}, parts);
    return true;
  }
  return false;
}

Limit CaptureReading::choose_open(const Span& span, std::vector<Span>& parts) {
  const OpenRule& open = open_.find({span.rule, span.from})->second;
  // Returns true if the symbol that the point waits for may be the open part. It may not if that leads in a circle.
  const auto leads_on = [&](PointId id) {
    const Symbol symbol = symbol_at(id);
    if (!holds_capture(symbol) || chart_.point(id).column != span.from) return true;
    if (cycles_.begin_group(symbol.index()) != cycles_.begin_group(span.rule)) return true;
    return open_.find({symbol.index(), span.from})->second.level < open.level;
  };
  for (const ItemId first : cfg_.rules[span.rule].productions) {
    const ItemId last = cfg_.end_of(first);
    std::vector<PointId> ends;
    for (const PointId id : open.points) {
      const ItemId item = chart_.point(id).item;
      if (item >= first && item <= last && leads_on(id)) ends.push_back(id);
    }
    if (ends.empty()) continue;
    std::optional<Ways> ways;
    if (const Limit met = collect(ends, span, {}, ways); met != Limit::kNone) return met;
    Points open_ends;
    for (const PointId id : ends) open_ends.insert(raw(id));
    follow(*ways, open_ends, parts);
    return Limit::kNone;
  }
  return Limit::kNone;
}

// For the rules that can match each other's text, finds how many nested steps each needs over the span: round by round,
// the rules that can be read using only those found in earlier rounds.
Limit CaptureReading::rank(const Span& span) {
  const std::size_t group = cycles_.text_group(span.rule);
  if (ranked_ && ranked_->from == span.from && ranked_->to == span.to && cycles_.text_group(ranked_->rule) == group) {
    return Limit::kNone;
  }
  ranked_ = span;
  ranks_.clear();
  std::vector<std::uint32_t> members;
  for (std::uint32_t r = 0; r < cycles_.by_text.size(); ++r) {
    if (cycles_.by_text[r] == group) members.push_back(r);
  }
  std::vector<std::uint32_t> readable{span.rule};
  for (std::uint32_t round = 0; !readable.empty(); ++round) {
    readable.clear();
    for (const std::uint32_t member : members) {
      if (ranks_.contains(member)) continue;
      std::vector<Span> parts;
      const Answer found = choose_closed(
          {member, span.from, span.to, false}, [&](std::uint32_t rule) { return ranks_.contains(rule); }, parts);
      if (!found.is_known()) return found.limit();
      if (found.is_yes()) readable.push_back(member);
    }
    for (const std::uint32_t rule : readable) ranks_[rule] = round;
  }
  return Limit::kNone;
}

// Collects the ways from the beginning of an alternative to any of `ends`; `ways` stays empty if there is none.
Limit CaptureReading::collect(const std::vector<PointId>& ends, const Span& span, const MayFill& may_fill,
                              std::optional<Ways>& ways) {
  Ways found;
  bool has_begin = false;
  Points seen;
  std::vector<PointId> pending = ends;
  for (const PointId end : ends) seen.insert(raw(end));
  while (!pending.empty()) {
    if (const Limit met = visit(1); met != Limit::kNone) return met;
    const PointId id = pending.back();
    pending.pop_back();
    const CaptureChart::Point here = chart_.point(id);
    if (chart_.first_link(id) == CaptureChart::kForgotten) return ask_for_past();
    if (chart_.first_link(id) == CaptureChart::kNoLink) {  // the dot is at the beginning
      found.begin = id;
      has_begin = true;
      continue;
    }
    const Symbol last = cfg_.symbol(Cfg::previous(here.item));
    if (holds_capture(last)) {
      if (const Limit met = chart_.expand(cfg_, id); met != Limit::kNone) return met;
    }
    for (std::uint32_t l = chart_.first_link(id); l != CaptureChart::kNoLink; l = chart_.link(l).next) {
      const ColumnId from = chart_.link(l).from;
      const bool fills = !span.is_open && from == span.from && here.column == span.to && holds_capture(last);
      if (fills && cycles_.text_group(last.index()) == cycles_.text_group(span.rule) && !may_fill(last.index()))
        continue;
      const PointId previous = *chart_.find({Cfg::previous(here.item), here.origin, from});
      std::vector<PointId>& after = found.after[raw(previous)];
      if (std::find(after.begin(), after.end(), id) == after.end()) after.push_back(id);
      if (seen.insert(raw(previous)).second) pending.push_back(previous);
    }
  }
  if (has_begin) ways = std::move(found);
  return Limit::kNone;
}

PointId CaptureReading::furthest(const std::vector<PointId>& points) const {
  const auto is_nearer = [&](PointId a, PointId b) {
    const ColumnId at_a = chart_.point(a).column;
    const ColumnId at_b = chart_.point(b).column;
    const std::uint32_t place_a = chart_.column(at_a).place;
    const std::uint32_t place_b = chart_.column(at_b).place;
    return place_a != place_b ? place_a < place_b : at_a > at_b;
  };
  return *std::max_element(points.begin(), points.end(), is_nearer);
}

// Goes through an alternative, making each part as long as possible, and appends its rules that hold captures.
void CaptureReading::follow(const Ways& ways, const Points& open_ends, std::vector<Span>& parts) const {
  const auto is_open = [&](PointId id) { return open_ends.contains(raw(id)); };
  std::vector<PointId> at{ways.begin};  // where the dot may be, always before the same symbol
  for (;;) {
    const Symbol symbol = symbol_at(at.front());
    if (symbol.kind() == Symbol::Kind::kEnd) return;
    if (!holds_capture(symbol)) {
      if (std::any_of(at.begin(), at.end(), is_open)) return;
      std::vector<PointId> next;
      Points seen;
      for (const PointId id : at) {
        for (const PointId after : ways.after.at(raw(id))) {
          if (seen.insert(raw(after)).second) next.push_back(after);
        }
      }
      at = std::move(next);
      continue;
    }
    const PointId here = furthest(at);
    const ColumnId from = chart_.point(here).column;
    if (is_open(here)) {
      if (!is_current(from)) parts.push_back({symbol.index(), from, {}, true});
      return;
    }
    at = {furthest(ways.after.at(raw(here)))};
    parts.push_back({symbol.index(), from, chart_.point(at.front()).column, false});
  }
}

}  // namespace weir::engine
