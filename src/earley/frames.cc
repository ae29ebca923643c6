// Frames: which part of a row is within them, so that a mask can be found without what surrounds it. row_table.h describes
// the method.
#include <algorithm>
#include <set>
#include <utility>

#include "base/replaceable.h"
#include "earley/row_table.h"
#include "earley/search_bounds.h"

namespace weir::earley {

bool RowTable::take_apart(RowId row, std::uint32_t terminal, std::vector<Inside>& framed, std::vector<RowId>& after) {
  const std::size_t exit = find_exit(row, terminals(row), terminal);
  if (exits_[exit].is_framed) {
    const auto [first, count] = std::pair(rows_[index(row)].first_frame, rows_[index(row)].frame_count);
    for (std::uint32_t i = first; i < first + count; ++i) {
      const auto [rule, continuation] = frames_[i];
      const RowId start = start_of_frame(rule);
      if (base::is_limit_id(start)) return false;
      if (!expects(start, terminal)) continue;
      framed.push_back({start, continuation});
      note_after_frame(row, rule, continuation);
    }
    return true;
  }
  bool is_placed = false;
  const auto own = insides(row);
  for (const Inside& inside : std::vector<Inside>(own.begin(), own.end())) {
    if (expects(inside.inner, terminal)) {
      framed.push_back(inside);
      is_placed = true;
    }
    if (!leaves(inside.inner)) continue;
    const RowId outer = row_of(inside.outer);
    if (base::is_limit_id(outer)) return false;
    if (expects(outer, terminal)) {
      after.push_back(outer);
      is_placed = true;
    }
  }
  return is_placed;
}

// If the row is within frames that themselves predict the frame `rule`, the row after that is within the outer frames, too.
void RowTable::note_after_frame(RowId row, std::uint32_t rule, ContinuationId after) {
  if (insides_[index(row)].count == 0) return;
  const RowId to = row_of(after);
  if (base::is_limit_id(to) || insides_[index(to)].count != 0) return;
  const auto find = [&](RowId of) {
    const auto first = frames_.begin() + rows_[index(of)].first_frame;
    const auto end = first + rows_[index(of)].frame_count;
    const auto found = std::find_if(first, end, [&](const Frame& frame) { return frame.rule == rule; });
    return found == end ? ContinuationId::kNone : found->after;
  };
  std::vector<Inside> insides;
  const auto own = this->insides(row);
  for (const auto& [inner, outer] : std::vector<Inside>(own.begin(), own.end())) {
    if (leaves(inner)) {
      const RowId outside = row_of(outer);
      if (base::is_limit_id(outside) || find(outside) != ContinuationId::kNone) return;
    }
    const ContinuationId continuation = find(inner);
    if (continuation == ContinuationId::kNone) continue;
    const RowId within = row_of(continuation);
    if (base::is_limit_id(within)) return;
    insides.push_back({within, outer});
  }
  set_insides(to, std::move(insides));
}

// Notes that a row is within frames, unless what follows one of them is the whole row.
void RowTable::set_insides(RowId row, std::vector<Inside> insides) {
  std::sort(insides.begin(), insides.end());
  insides.erase(std::unique(insides.begin(), insides.end()), insides.end());
  if (insides.empty() || insides.size() > kMaxInsides || insides_[index(row)].count != 0) return;
  for (const auto& [inner, outer] : insides) {
    if (base::is_limit_id(inner) || (leaves(inner) && row_of(outer) == row)) return;
  }
  insides_[index(row)] = {static_cast<std::uint32_t>(inside_list_.size()), static_cast<std::uint32_t>(insides.size())};
  inside_list_.insert(inside_list_.end(), insides.begin(), insides.end());
}

// Appends the frames that the row after a terminal is within. Returns false if they are not known.
bool RowTable::insides_after(RowId row, std::uint32_t terminal, std::vector<Inside>& out) {
  std::vector<RowId> open{row};  // the row, and those after complete frames: as many as frames may end here
  std::set<RowId> seen;
  std::vector<Inside> framed;
  while (!open.empty()) {
    const RowId from = open.back();
    open.pop_back();
    if (!seen.insert(from).second) continue;
    framed.clear();
    if (!take_apart(from, terminal, framed, open)) return false;
    for (const auto& [inner, outer] : framed) out.push_back({advance(inner, terminal), outer});
  }
  return true;
}

// Notes which frames the row after an exit is within.
WEIR_REPLACEABLE void RowTable::note_insides_after(RowId from, std::size_t exit, RowId row) {
  if (insides_[index(row)].count != 0) return;
  const std::span<const std::uint32_t> expected = terminals(from);
  const std::size_t number = exit - rows_[index(from)].first_exit;
  std::vector<Inside> insides;
  if (number < expected.size() && insides_after(from, expected[number], insides)) set_insides(row, std::move(insides));
}

// Notes which frames the union of some rows is within: what all of them have within one frame is one row within it.
WEIR_REPLACEABLE void RowTable::note_insides_of_union(std::span<const RowId> rows, RowId united) {
  if (insides_[index(united)].count != 0) return;
  std::vector<Inside> insides;
  for (const RowId row : rows) {
    const auto own = this->insides(row);
    if (own.empty()) return;
    insides.insert(insides.end(), own.begin(), own.end());
  }
  std::sort(insides.begin(), insides.end(), [](const Inside& a, const Inside& b) { return a.outer < b.outer; });
  std::vector<Inside> joined;
  for (std::size_t begin = 0, end = 0; begin < insides.size(); begin = end) {
    std::vector<RowId> inner;
    for (; end < insides.size() && insides[end].outer == insides[begin].outer; ++end)
      inner.push_back(insides[end].inner);
    joined.push_back({inner.size() == 1 ? inner[0] : unite(inner), insides[begin].outer});
  }
  set_insides(united, std::move(joined));
}

RowId RowTable::start_of_frame(std::uint32_t rule) {
  if (const auto known = starts_.find(rule); known != starts_.end()) return known->second;
  if (const base::Limit met = grammar_.complete(grammar::RuleId{rule}); met != base::Limit::kNone) {
    return base::limit_id<RowId>(met);
  }
  std::vector<Entry> kernel;
  for (const grammar::ItemId first : cfg_.rules[rule].productions) resolve({first, kLeave.continuation}, kernel);
  const RowId row = intern_row(kernel);
  if (!base::is_limit_id(row)) starts_.emplace(rule, row);
  return row;
}

RowId RowTable::row_of(ContinuationId continuation) {
  if (const auto known = rows_of_.find(continuation); known != rows_of_.end()) return known->second;
  const std::span<const Entry> after = entries(continuation);
  std::vector<Entry> kernel(after.begin(), after.end());
  const RowId row = intern_row(kernel);
  if (!base::is_limit_id(row)) rows_of_.emplace(continuation, row);
  return row;
}

}  // namespace weir::earley
