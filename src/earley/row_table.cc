#include "earley/row_table.h"

#include <algorithm>
#include <cassert>
#include <functional>

#include "base/node_bytes.h"
#include "base/work.h"
#include "earley/row_builder.h"
#include "earley/search_bounds.h"

namespace weir::earley {

using grammar::Symbol;

RowTable::RowTable(grammar::GrowingCfg& grammar, const Limits& limits)
    : grammar_(grammar), cfg_(grammar.cfg()), limits_(limits) {
  const auto add_only = [&](const Entry& entry, [[maybe_unused]] ContinuationId expected) {
    [[maybe_unused]] const std::uint32_t id = continuations_.intern({&entry, 1}).first;
    assert(ContinuationId{id} == expected);
  };
  add_only(kAccept, ContinuationId::kRoot);
  exit_symbols_.intern({});  // rows that are not built
  has_bounds_ = std::any_of(cfg_.rules.begin(), cfg_.rules.end(),
                            [](const grammar::CfgRule& rule) { return rule.max_tokens != grammar::kNoTokenLimit; });
  has_frames_ = !has_bounds_ && std::ranges::any_of(cfg_.rules, &grammar::CfgRule::is_frame);
  if (has_frames_) add_only(kLeave, ContinuationId::kLeave);
}

RowTable::~RowTable() = default;

RowBuilder& RowTable::builder() {
  if (builder_ == nullptr) builder_ = std::make_unique<RowBuilder>(*this);
  return *builder_;
}

RowId RowTable::start() {
  // The kernel: every production of the start rule with the dot at its beginning; its continuation is the root.
  std::vector<Entry> kernel;
  if (const base::Limit met = grammar_.complete(cfg_.start); met != base::Limit::kNone) {
    return base::limit_id<RowId>(met);
  }
  for (const grammar::ItemId first : cfg_.rule(cfg_.start).productions) resolve({first, ContinuationId::kRoot}, kernel);
  return intern_row(kernel);
}

// Appends the entries of a continuation, without fences.
void RowTable::resume(ContinuationId continuation, std::vector<Entry>& out) const {
  const std::span<const Entry> resumed = entries(continuation);
  base::Work::charge(resumed.size());
  for (const Entry& entry : resumed) {
    if (!is_fence(entry)) {
      out.push_back(entry);
      continue;
    }
    const std::span<const Entry> after = entries(entry.continuation);
    out.insert(out.end(), after.begin(), after.end());
  }
}

// Removes duplicates, and continuations all of whose entries others of the list have.
void RowTable::keep_covering(std::vector<ContinuationId>& continuations) {
  if (continuations.size() < 2) return;
  std::sort(continuations.begin(), continuations.end(), std::greater<>());  // newer ones include older ones
  continuations.erase(std::unique(continuations.begin(), continuations.end()), continuations.end());
  if (has_bounds_) return;
  covered_in_.resize(continuations_.size(), 0);
  const std::uint32_t call = ++covering_calls_;
  std::erase_if(continuations, [&](ContinuationId continuation) {
    const auto id = static_cast<std::size_t>(continuation);
    const bool is_covered = covered_in_[id] == call;
    if (id < included_.size()) {
      const auto list = std::span(included_list_).subspan(included_[id].first, included_[id].count);
      for (const ContinuationId included : list) covered_in_[static_cast<std::size_t>(included)] = call;
    }
    return is_covered;
  });
}

// Notes that `continuation` has all entries of `included`, unless something is noted already.
void RowTable::set_included(ContinuationId continuation, std::span<const ContinuationId> included) {
  const auto id = static_cast<std::size_t>(continuation);
  if (has_bounds_ || included.empty() || (id < included_.size() && included_[id].count != 0)) return;
  if (id >= included_.size()) included_.resize(continuations_.size());
  included_[id] = {static_cast<std::uint32_t>(included_list_.size()), static_cast<std::uint32_t>(included.size())};
  included_list_.insert(included_list_.end(), included.begin(), included.end());
}

// With `ends`, the continuation of an entry whose dot is at the end is appended there, and is not resumed.
void RowTable::resolve(Entry entry, std::vector<Entry>& out, std::vector<ContinuationId>* ends) const {
  for (;; entry.item = grammar::Cfg::next(entry.item)) {
    const Symbol symbol = cfg_.symbol(entry.item);
    if (symbol.kind() == Symbol::Kind::kEnd) {
      if (ends != nullptr) {
        ends->push_back(entry.continuation);
      } else {
        resume(entry.continuation, out);
      }
      return;
    }
    out.push_back(entry);
    if (symbol.kind() != Symbol::Kind::kRule || !cfg_.rules[symbol.index()].nullable) return;
  }
}

RowId RowTable::intern_row(std::vector<Entry>& kernel) {
  std::sort(kernel.begin(), kernel.end());
  kernel.erase(std::unique(kernel.begin(), kernel.end()), kernel.end());
  if (kernel.size() > limits_.row_items) return base::limit_id<RowId>(base::Limit::kRowItems);
  const auto [id, is_new] = kernels_.intern(kernel);
  if (is_new) rows_.emplace_back();
  if (is_new && has_frames_) {
    insides_.emplace_back();
    rows_[id].leaves = std::ranges::find(kernel, kLeave) != kernel.end();
  }
  if (is_new || rows_[id].limit == base::Limit::kCallWork) {  // another call may build it
    const base::Limit limit = builder().build(RowId{id}, kernel);
    rows_[id].limit = limit;
    if (builder_->items() > kMaxKeptItems) builder_.reset();
    const auto follows = [&](const Entry& entry) {
      return entry != kAccept && entry != kLeave && grammar_.follows_text(entry.item);
    };
    rows_[id].follows_text = std::ranges::any_of(kernel, follows);
    auto alike = rows_[id].follows_text ? grammar::AlikeUntil::kLexemeEnd : grammar::AlikeUntil::kUnknown;
    for (const Entry& entry : kernel) {
      if (alike == grammar::AlikeUntil::kUnknown) break;
      alike = std::min(alike, follows(entry) ? grammar_.alike_until(entry.item) : grammar::AlikeUntil::kUnknown);
    }
    rows_[id].alike_until = alike;
  }
  return rows_[id].limit == base::Limit::kNone ? RowId{id} : base::limit_id<RowId>(rows_[id].limit);
}

std::string_view RowTable::deciding_text(RowId row, std::string_view text) const {
  for (const Entry& entry : kernel(row)) {
    if (entry != kAccept && grammar_.follows_text(entry.item)) return grammar_.deciding_text(entry.item, text);
  }
  return {};
}

RowId RowTable::settle(RowId row, std::string_view deciding_text) {
  const std::span<const Entry> entries = kernel(row);
  std::vector<Entry> settled(entries.begin(), entries.end());
  for (Entry& entry : settled) {
    if (entry != kAccept && grammar_.follows_text(entry.item)) entry.item = grammar_.settle(entry.item, deciding_text);
  }
  return intern_row(settled);
}

RowId RowTable::take_exit(RowId from, std::size_t exit) {
  if (exits_[exit].row != kUnknownRow) return exits_[exit].row;
  kernel_.clear();
  ends_.clear();
  for (const Entry& after : arcs_of(exit)) resolve(after, kernel_, &ends_);
  keep_covering(ends_);
  for (const ContinuationId end : ends_) resume(end, kernel_);
  const RowId row = intern_row(kernel_);
  if (base::is_limit_id(row)) return row;
  exits_[exit].row = row;
  if (is_near_frame(from)) note_insides_after(from, exit, row);
  return row;
}

// Returns the row's exit by a symbol. Precondition: `symbols` is terminals(row) or token_sets(row) and has the symbol.
std::size_t RowTable::find_exit(RowId row, std::span<const std::uint32_t> symbols, std::uint32_t symbol) const {
  const Row& r = rows_[index(row)];
  const std::uint32_t* const found = std::lower_bound(symbols.data(), symbols.data() + symbols.size(), symbol);
  return r.first_exit + static_cast<std::size_t>(found - exit_symbols_[r.symbols].data());
}

RowId RowTable::advance(RowId row, std::uint32_t terminal) {
  return take_exit(row, find_exit(row, terminals(row), terminal));
}

RowId RowTable::advance_tokens(RowId row, std::uint32_t set) {
  return take_exit(row, find_exit(row, token_sets(row), set));
}

RowId RowTable::unite(std::span<const RowId> rows) {
  std::vector<Entry> entries;
  for (const RowId row : rows) {
    const std::span<const Entry> more = kernel(row);
    entries.insert(entries.end(), more.begin(), more.end());
  }
  const RowId united = intern_row(entries);
  if (has_frames_ && !base::is_limit_id(united)) note_insides_of_union(rows, united);
  return united;
}

std::span<const std::uint32_t> RowTable::terminals(RowId row) const {
  const Row& r = rows_[index(row)];
  return exit_symbols_[r.symbols].first(r.terminal_count);
}

std::span<const std::uint32_t> RowTable::token_sets(RowId row) const {
  const Row& r = rows_[index(row)];
  return exit_symbols_[r.symbols].subspan(r.terminal_count, r.token_set_count);
}

bool RowTable::expects(RowId row, std::uint32_t terminal) const {
  const auto expected = terminals(row);
  return std::binary_search(expected.begin(), expected.end(), terminal);
}

std::span<const Entry> RowTable::items_after(RowId row, std::uint32_t terminal) const {
  if (has_bounds_ && !expects(row, terminal)) return {};
  return arcs_of(find_exit(row, terminals(row), terminal));
}

std::span<const Entry> RowTable::items_after_tokens(RowId row, std::uint32_t set) const {
  return arcs_of(find_exit(row, token_sets(row), set));
}

std::size_t RowTable::memory_bytes() const {
  return kernels_.memory_bytes() + continuations_.memory_bytes() + cycles_.memory_bytes() +
         cycle_first_.capacity() * sizeof(cycle_first_[0]) + included_.capacity() * sizeof(included_[0]) +
         included_list_.capacity() * sizeof(included_list_[0]) + covered_in_.capacity() * sizeof(covered_in_[0]) +
         rows_.capacity() * sizeof(Row) + exits_.capacity() * sizeof(Exit) + exit_symbols_.memory_bytes() +
         arcs_.capacity() * sizeof(Entry) + bounds_.capacity() * sizeof(Bounds) + insides_.capacity() * sizeof(Range) +
         inside_list_.capacity() * sizeof(Inside) + frames_.capacity() * sizeof(Frame) + base::node_bytes(starts_) +
         base::node_bytes(rows_of_);
}

}  // namespace weir::earley
