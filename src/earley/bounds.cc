// Bounded rules: fences in continuations under construction, and the effect of begin_token() on rows. row_table.h
// describes the method.
#include <algorithm>
#include <unordered_map>

#include "base/work.h"
#include "earley/row_builder.h"
#include "earley/row_table.h"
#include "earley/search_bounds.h"

namespace weir::earley {

namespace {

// Sorts the entries and removes duplicates. Keeps the fence with the most tokens of those around one continuation.
void normalize(std::vector<Entry>& entries) {
  base::Work::charge(entries.size() / kSortedEntriesForOneStep);
  const auto fences =
      std::partition(entries.begin(), entries.end(), [](const Entry& entry) { return !is_fence(entry); });
  std::sort(fences, entries.end(), [](const Entry& a, const Entry& b) {
    return a.continuation != b.continuation ? a.continuation < b.continuation : fence_tokens(a) > fence_tokens(b);
  });
  const auto around_same = [](const Entry& a, const Entry& b) { return a.continuation == b.continuation; };
  entries.erase(std::unique(fences, entries.end(), around_same), entries.end());
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
}

}  // namespace

// Adds to `to` those entries of `from` that its kind takes. Returns true if any of them is new.
bool RowBuilder::add_linked(LocalId to, LocalId from) {
  std::vector<Entry> entries = locals_[to].entries;
  for (const Entry& entry : locals_[from].entries) {
    switch (locals_[to].kind) {
      case Kind::kAll: entries.push_back(entry); break;
      case Kind::kOutside:
        if (!is_fence(entry)) entries.push_back(entry);
        break;
      case Kind::kFences:
        if (is_fence(entry) && !is_around_nothing(entry)) {
          entries.push_back(fence(std::min(locals_[to].tokens, fence_tokens(entry)), entry.continuation));
        }
        break;
    }
  }
  normalize(entries);
  const bool is_new = entries != locals_[to].entries;
  locals_[to].entries = std::move(entries);
  return is_new;
}

// Returns true if the continuation that a fence is around is known to have no entries: all that waits for the rule is
// within other bounds. Without this a rule within n bounded rules that end with it would have n fences.
bool RowBuilder::is_around_nothing(const Entry& fence) const {
  if (!is_local(fence.continuation)) return false;
  const LocalId id = local(fence.continuation);
  return is_closed_[id] && locals_[id].entries.empty();
}

bool RowBuilder::close_links_with_bounds() {
  for (Local& one : locals_.all()) normalize(one.entries);
  components_.find(locals_.size(), [&](LocalId id) -> const std::vector<LocalId>& { return locals_[id].links; });
  std::size_t total = 0;
  is_closed_.assign(locals_.size(), false);
  for (std::size_t i = 0; i < components_.size(); ++i) {
    const std::span<const LocalId> component = components_[i];
    for (bool changed = true; changed;) {
      changed = false;
      for (const LocalId id : component) {
        for (const LocalId linked : locals_[id].links) changed = add_linked(id, linked) || changed;
        if (locals_[id].entries.size() > table_.limits_.row_items) return false;
      }
    }
    for (const LocalId id : component) {
      total += locals_[id].entries.size();
      is_closed_[id] = true;
    }
    if (total > table_.limits_.row_items) return false;
  }
  drop_unfenced();
  return true;
}

// Removes the fences around continuations without entries.
void RowBuilder::drop_unfenced() {
  for (Local& fences : locals_.all()) {
    if (fences.kind != Kind::kFences) continue;
    std::erase_if(fences.entries, [&](const Entry& entry) { return is_around_nothing(entry); });
  }
}

// Removes the entries from which the end of the text is not reachable, because fences with k = 0 were removed.
void RowBuilder::drop_lost() {
  std::vector<bool> leads_on(locals_.size(), false);
  const auto goes_on = [&](const Entry& entry) {
    return !is_local(entry.continuation) || leads_on[local(entry.continuation)];
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (LocalId id = static_cast<LocalId>(locals_.size()); id-- > 0;) {
      const std::vector<Entry>& entries = locals_[id].entries;
      if (leads_on[id] || std::none_of(entries.begin(), entries.end(), goes_on)) continue;
      leads_on[id] = true;
      changed = true;
    }
  }
  for (Local& one : locals_.all()) std::erase_if(one.entries, [&](const Entry& entry) { return !goes_on(entry); });
}

void RowBuilder::begin_token(ContinuationId continuation) {
  clear();
  std::vector<ContinuationId> from{continuation};  // by LocalId
  std::unordered_map<ContinuationId, LocalId> local_of{{continuation, 0}};
  for (LocalId id = 0; id < from.size(); ++id) {
    Local& made = locals_.append();
    made.rule = static_cast<std::uint32_t>(from[id]);  // only to give components a deterministic order
    for (Entry entry : table_.entries(from[id])) {
      if (is_fence(entry)) {
        if (fence_tokens(entry) == 0) continue;
        entry = fence(fence_tokens(entry) - 1, entry.continuation);
      }
      if (entry != kAccept) {
        const RowTable::Bounds& next = table_.bounds_of(entry.continuation);
        if (next.fenced && next.ticked) {
          entry.continuation = next.next;
        } else if (next.fenced) {
          const auto [found, is_new] = local_of.try_emplace(entry.continuation, static_cast<LocalId>(from.size()));
          if (is_new) from.push_back(entry.continuation);
          entry.continuation = ContinuationId{kLocalBit | found->second};
        }
        if (entry.continuation == ContinuationId::kNone) continue;
      }
      made.entries.push_back(entry);
    }
  }
  drop_lost();
  name_components();
  for (LocalId id = 0; id < from.size(); ++id) {
    const ContinuationId name = locals_[id].entries.empty() ? ContinuationId::kNone : locals_[id].name;
    (void)table_.bounds_of(from[id]);
    RowTable::Bounds& bounds = table_.bounds_[static_cast<std::uint32_t>(from[id])];
    bounds.ticked = true;
    bounds.next = name;
  }
}

// Computes the facts of all reachable continuations that are not known yet, as a least fixpoint. The deepest ones are
// found last, so a backward pass finishes a chain in one round.
const RowTable::Bounds& RowTable::bounds_of(ContinuationId continuation) {
  const auto at = [](ContinuationId c) { return static_cast<std::uint32_t>(c); };
  if (bounds_.size() < continuations_.size()) bounds_.resize(continuations_.size());
  if (bounds_[at(continuation)].known) return bounds_[at(continuation)];
  std::vector<ContinuationId> found{continuation};
  bounds_[at(continuation)].known = true;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const Entry& entry : entries(found[i])) {
      if (entry == kAccept || bounds_[at(entry.continuation)].known) continue;
      bounds_[at(entry.continuation)].known = true;
      found.push_back(entry.continuation);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto c = found.rbegin(); c != found.rend(); ++c) {
      Bounds now = bounds_[at(*c)];
      for (const Entry& entry : entries(*c)) {
        if (entry == kAccept) {
          now.outside = true;
          continue;
        }
        const Bounds& below = bounds_[at(entry.continuation)];
        now.fenced = now.fenced || is_fence(entry) || below.fenced;
        now.outside = now.outside || (!is_fence(entry) && below.outside);
      }
      changed = changed || now.fenced != bounds_[at(*c)].fenced || now.outside != bounds_[at(*c)].outside;
      bounds_[at(*c)] = now;
    }
  }
  return bounds_[at(continuation)];
}

bool RowTable::is_outside(ContinuationId continuation) { return !has_bounds_ || bounds_of(continuation).outside; }

ContinuationId RowTable::begin_token(ContinuationId continuation) {
  if (!bounds_of(continuation).fenced) return continuation;
  if (!bounds_of(continuation).ticked) builder().begin_token(continuation);
  return bounds_of(continuation).next;
}

template <typename Map>
RowId RowTable::map_standing(RowId row, Map map) {
  if (!has_bounds_) return row;
  std::vector<Entry> entries;
  for (Entry entry : kernel(row)) {
    if (entry != kAccept) entry.continuation = map(entry.continuation);
    if (entry.continuation != ContinuationId::kNone) entries.push_back(entry);
  }
  return entries.empty() ? RowId::kNone : intern_row(entries);
}

// The rules that contain the lexemes in progress have begun, so they must not be predicted again with new fences. So
// the kernel of the new row consists of the items before the terminals in progress.
template <typename Map>
RowId RowTable::map_begun(RowId row, std::span<const std::uint32_t> terminals, Map map) {
  if (!has_bounds_) return row;
  std::vector<Entry> entries;
  bool changed = false;
  for (const std::uint32_t terminal : terminals) {
    const std::span<const Entry> listed = items_after(row, terminal);
    const std::vector<Entry> items(listed.begin(), listed.end());
    for (Entry entry : items) {
      const ContinuationId next = map(entry.continuation);
      changed = changed || next != entry.continuation;
      if (next == ContinuationId::kNone) continue;
      entries.push_back({grammar::Cfg::previous(entry.item), next});
    }
  }
  if (!changed) return row;
  return entries.empty() ? RowId::kNone : intern_row(entries);
}

RowId RowTable::begin_token(RowId row) {
  return map_standing(row, [this](ContinuationId c) { return begin_token(c); });
}

RowId RowTable::begin_token(RowId row, std::span<const std::uint32_t> terminals) {
  return map_begun(row, terminals, [this](ContinuationId c) { return begin_token(c); });
}

RowId RowTable::outside(RowId row) {
  return map_standing(row, [this](ContinuationId c) { return is_outside(c) ? c : ContinuationId::kNone; });
}

RowId RowTable::outside(RowId row, std::span<const std::uint32_t> terminals) {
  return map_begun(row, terminals, [this](ContinuationId c) { return is_outside(c) ? c : ContinuationId::kNone; });
}

RowId RowTable::start_of(grammar::RuleId rule, std::uint32_t tokens) {
  const Entry bound = fence(tokens, ContinuationId::kRoot);
  const ContinuationId continuation{continuations_.intern({&bound, 1}).first};
  std::vector<Entry> kernel;
  for (const grammar::ItemId first : cfg_.rule(rule).productions) resolve({first, continuation}, kernel);
  return intern_row(kernel);
}

}  // namespace weir::earley
