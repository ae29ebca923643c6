#include "earley/row_builder.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/work.h"

namespace weir::earley {

using base::Limit;
using grammar::Cfg;
using grammar::Symbol;

namespace {

void sort_unique(std::vector<Entry>& entries) {
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
}

}  // namespace

// Forgets what was built before.
void RowBuilder::clear() {
  for (const Local& one : locals_.all()) {
    if (one.rule < local_of_rule_.size()) local_of_rule_[one.rule] = kNoLocal;  // begin_token() has other numbers there
  }
  locals_.clear();
  arcs_.clear();
  to_predict_.clear();
  frames_.clear();
  outside_frames_.clear();
  items_ = 0;
}

Limit RowBuilder::build(RowId row, std::span<const Entry> kernel) {
  clear();
  const std::size_t limit = table_.limits_.row_items;
  bool accepts = false;
  for (const Entry& entry : kernel) {
    if (entry == kAccept) {
      accepts = true;
    } else if (entry != kLeave) {
      expect(entry);
      if (items_ > limit) return Limit::kRowItems;
    }
  }
  // Frames come last, so that it is known which symbols only they expect.
  Limit met = add_productions(table_.has_frames_ ? Frames::kPutAside : Frames::kPredict);
  if (met == Limit::kNone && !frames_.empty()) {
    note_outside_frames();
    to_predict_ = frames_;
    met = add_productions(Frames::kPredict);
  }
  if (met != Limit::kNone) return met;
  if (!resume_all() || !close_links()) return base::Work::met_or(Limit::kRowItems);
  name_components();
  fill_row(row, accepts);
  return Limit::kNone;
}

// Adds the items of the rules in to_predict_, and of those that they predict. With kPutAside, frames go into frames_.
Limit RowBuilder::add_productions(Frames frames) {
  const std::size_t limit = table_.limits_.row_items;
  while (!to_predict_.empty()) {
    const LocalId id = to_predict_.back();
    to_predict_.pop_back();
    const std::uint32_t rule = locals_[id].rule;
    if (frames == Frames::kPutAside && cfg_.rules[rule].is_frame) {
      frames_.push_back(id);
      continue;
    }
    if (const Limit met = table_.grammar_.complete(grammar::RuleId{rule}); met != Limit::kNone) return met;
    if (cfg_.rules[rule].max_tokens == 0) continue;
    for (const grammar::ItemId first : cfg_.rules[rule].productions) {
      // If the dot can move over nullable symbols, each of its positions is an item of the row.
      Entry item{first, ContinuationId{kLocalBit | resumed_by_productions(id)}};
      for (;; item.item = Cfg::next(item.item)) {
        const Symbol symbol = cfg_.symbol(item.item);
        if (symbol.kind() == Symbol::Kind::kEnd) break;  // an empty production, which resolve() handles
        expect(item);
        if (symbol.kind() != Symbol::Kind::kRule || !cfg_.rules[symbol.index()].nullable) break;
      }
      if (items_ > limit) return Limit::kRowItems;
    }
    if (base::Work::is_met()) return Limit::kCallWork;
  }
  return Limit::kNone;
}

void RowBuilder::note_outside_frames() {
  for (const Arc& arc : arcs_) outside_frames_.push_back(arc.symbol);
  std::sort(outside_frames_.begin(), outside_frames_.end());
}

// Adds one item of the row, whose dot is before a symbol.
void RowBuilder::expect(Entry item) {
  ++items_;
  base::Work::charge(base::Work::kRowItem);
  const Symbol symbol = cfg_.symbol(item.item);
  const Entry after{Cfg::next(item.item), item.continuation};
  if (symbol.kind() == Symbol::Kind::kRule) {
    wait(predict(symbol.index()), after);
  } else {
    arcs_.push_back({symbol, after});
  }
}

RowBuilder::LocalId RowBuilder::predict(std::uint32_t rule) {
  if (local_of_rule_.size() <= rule) local_of_rule_.resize(cfg_.rules.size(), kNoLocal);
  if (local_of_rule_[rule] != kNoLocal) return local_of_rule_[rule];
  const auto id = static_cast<LocalId>(locals_.size());
  local_of_rule_[rule] = id;
  Local& added = locals_.append();
  added.rule = rule;
  to_predict_.push_back(id);
  if (const std::uint32_t most = cfg_.rules[rule].max_tokens; most != grammar::kNoTokenLimit) {
    added.kind = Kind::kOutside;
    Local& fences = locals_.append();
    fences.rule = rule;
    fences.kind = Kind::kFences;
    fences.tokens = most == 0 ? 0 : most - 1;
    fences.entries.push_back(fence(fences.tokens, ContinuationId{kLocalBit | id}));
  }
  return id;
}

// Adds `after`, the item after the rule, to the entries that wait for the rule. As RowTable::resolve(), but for
// continuations that may have no name yet.
void RowBuilder::wait(LocalId for_rule, Entry after) {
  Local& local_rule = locals_[for_rule];
  for (;; after.item = Cfg::next(after.item)) {
    const Symbol symbol = cfg_.symbol(after.item);
    if (symbol.kind() == Symbol::Kind::kEnd) {
      if (is_local(after.continuation)) {
        local_rule.links.push_back(local(after.continuation));
        if (local_rule.kind == Kind::kOutside) locals_[for_rule + 1].links.push_back(local(after.continuation));
      } else {
        local_rule.resumed.push_back(after.continuation);
      }
      return;
    }
    local_rule.entries.push_back(after);
    ++items_;
    base::Work::charge(base::Work::kRowItem);
    if (symbol.kind() != Symbol::Kind::kRule || !cfg_.rules[symbol.index()].nullable) return;
  }
}

// Adds the entries of the named continuations that locals resume. Returns false if a limit is exceeded.
bool RowBuilder::resume_all() {
  for (LocalId id = 0; id < locals_.size(); ++id) {
    table_.keep_covering(locals_[id].resumed);
    for (const ContinuationId continuation : locals_[id].resumed) {
      const std::span<const Entry> resumed = table_.entries(continuation);
      for (const Entry& entry : resumed) resume(id, entry);
      items_ += resumed.size();
      base::Work::charge(resumed.size());
      if (items_ > table_.limits_.row_items || base::Work::is_met()) return false;
    }
  }
  return true;
}

// Adds an entry of a named continuation to those that wait for the rule.
void RowBuilder::resume(LocalId for_rule, const Entry& entry) {
  if (locals_[for_rule].kind == Kind::kOutside && is_fence(entry)) {
    Local& fences = locals_[for_rule + 1];
    fences.entries.push_back(fence(std::min(fences.tokens, fence_tokens(entry)), entry.continuation));
  } else {
    locals_[for_rule].entries.push_back(entry);
  }
}

// Adds to each local the entries of all locals that it links to, directly or indirectly. Returns false if row_items is
// exceeded.
bool RowBuilder::close_links() {
  if (table_.has_bounds()) return close_links_with_bounds();
  for (Local& one : locals_.all()) sort_unique(one.entries);
  components_.find(locals_.size(), [&](LocalId id) -> const std::vector<LocalId>& { return locals_[id].links; });
  std::size_t total = 0;
  for (std::size_t i = 0; i < components_.size(); ++i) {
    const std::span<const LocalId> component = components_[i];
    const std::size_t link_count = locals_[component[0]].links.size();
    if (component.size() == 1 && link_count == 0) {  // nothing to join
      total += locals_[component[0]].entries.size();
      if (total > table_.limits_.row_items) return false;
      continue;
    }
    // All members of a component get the same entries: their own, and those of the components that they link to.
    entries_.clear();
    resumed_.clear();
    const auto join = [&](const Local& one) {
      entries_.insert(entries_.end(), one.entries.begin(), one.entries.end());
      resumed_.insert(resumed_.end(), one.resumed.begin(), one.resumed.end());
    };
    for (const LocalId id : component) {
      join(locals_[id]);
      for (const LocalId linked : locals_[id].links) join(locals_[linked]);
      if (entries_.size() > table_.limits_.row_items) sort_unique(entries_);
      if (entries_.size() > table_.limits_.row_items) return false;
    }
    sort_unique(entries_);
    total += entries_.size() * component.size();
    if (total > table_.limits_.row_items) return false;
    table_.keep_covering(resumed_);
    for (const LocalId id : component) {
      locals_[id].entries = entries_;
      locals_[id].resumed = resumed_;
    }
  }
  return true;
}

void RowBuilder::name_components() {
  references_.clear();
  for (const Local& one : locals_.all()) {
    std::vector<LocalId>& to = references_.append().to;
    for (const Entry& entry : one.entries) {
      if (is_local(entry.continuation)) to.push_back(local(entry.continuation));
    }
  }
  components_.find(locals_.size(), [&](LocalId id) -> const std::vector<LocalId>& { return references_[id].to; });
  for (std::size_t i = 0; i < components_.size(); ++i) {
    const std::span<LocalId> component = components_[i];
    // Sorted by rule, so that equal components list their members in the same order.
    std::sort(component.begin(), component.end(),
              [this](LocalId a, LocalId b) { return std::pair(locals_[a].rule, a) < std::pair(locals_[b].rule, b); });
    name_component(component);
  }
}

// Returns the member's entries with the names of their continuations, sorted; valid until the next call. Precondition:
// every continuation in them has a name.
const std::vector<Entry>& RowBuilder::named_entries(const Local& member) {
  entries_.clear();
  for (const Entry& entry : member.entries) {
    const bool is_own = is_local(entry.continuation);
    entries_.push_back({entry.item, is_own ? locals_[local(entry.continuation)].name : entry.continuation});
  }
  sort_unique(entries_);
  return entries_;
}

void RowBuilder::set_names(std::span<const LocalId> members, std::span<const std::uint32_t> names) {
  for (std::size_t k = 0; k < members.size(); ++k) locals_[members[k]].name = ContinuationId{names[k]};
}

// Finds equal members of a component. Returns for each member the first member that has the same entries after all
// references within the component were replaced by references to such first members. Repeats until nothing changes.
std::vector<std::uint32_t> RowBuilder::merge_equal_members(std::span<const LocalId> members) {
  std::vector<std::uint32_t> first(members.size());
  std::iota(first.begin(), first.end(), 0U);
  for (bool changed = members.size() > 1; changed;) {
    std::vector<std::uint32_t> names(first);
    for (std::uint32_t& name : names) name |= kLocalBit;
    set_names(members, names);
    std::map<std::vector<Entry>, std::uint32_t> by_contents;
    changed = false;
    for (std::uint32_t k = 0; k < members.size(); ++k) {
      const std::uint32_t equal = by_contents.try_emplace(named_entries(locals_[members[k]]), k).first->second;
      changed = changed || equal != first[k];
      first[k] = equal;
    }
  }
  return first;
}

void RowBuilder::name_component(std::span<const LocalId> members) {
  base::Interner<Entry>& named = table_.continuations_;
  const auto is_inner = [&](const Entry& e) {
    return is_local(e.continuation) &&
           std::find(members.begin(), members.end(), local(e.continuation)) != members.end();
  };
  if (members.size() == 1) {
    Local& only = locals_[members[0]];
    if (std::none_of(only.entries.begin(), only.entries.end(), is_inner)) {
      only.name = ContinuationId{named.intern(named_entries(only)).first};
      return note_included(members);
    }
  }
  const std::vector<std::uint32_t> first = merge_equal_members(members);
  std::vector<std::uint32_t> number(members.size());  // index of each member in `distinct`
  std::vector<LocalId> distinct;
  for (std::uint32_t k = 0; k < members.size(); ++k) {
    if (first[k] == k) distinct.push_back(members[k]);
    number[k] = first[k] == k ? static_cast<std::uint32_t>(distinct.size()) - 1 : number[first[k]];
  }
  if (distinct.size() == 1 && reuse_older(members)) return;
  // A cycle. Its key lists the entries of each distinct member. References within the component are written as
  // kLocalBit | k, which is no ContinuationId, and an entry without an item separates the members.
  constexpr Entry kNextMember{grammar::ItemId{UINT32_MAX - 1}, ContinuationId::kNone};
  std::vector<std::uint32_t> names(number);
  for (std::uint32_t& name : names) name |= kLocalBit;
  set_names(members, names);
  std::vector<Entry> key;
  for (const LocalId id : distinct) {
    const std::vector<Entry>& entries = named_entries(locals_[id]);
    key.insert(key.end(), entries.begin(), entries.end());
    key.push_back(kNextMember);
  }
  const auto [cycle, is_new] = table_.cycles_.intern(key);
  if (is_new) table_.cycle_first_.push_back(named.size());
  for (std::size_t k = 0; k < members.size(); ++k) names[k] = table_.cycle_first_[cycle] + number[k];
  set_names(members, names);
  if (!is_new) return;
  // Entries that refer to ids not yet given out are new, so interning gives each distinct member its expected id.
  for (const LocalId id : distinct) named.intern(named_entries(locals_[id]));
  note_included(distinct);
}

// Notes for continuations, which have names, which older ones they include.
void RowBuilder::note_included(std::span<const LocalId> members) {
  for (const LocalId id : members) table_.set_included(locals_[id].name, locals_[id].resumed);
}

// For a component that is one continuation with references to itself: looks for an older continuation that it equals
// after these references are replaced by references to the older one. The two are then bisimilar. Only continuations
// that its entries refer to are candidates. If one is found, sets it as the members' name and returns true.
bool RowBuilder::reuse_older(std::span<const LocalId> members) {
  const Local& self = locals_[members[0]];
  std::vector<std::uint32_t> candidates;
  for (const Entry& entry : self.entries) {
    const bool is_own = is_local(entry.continuation);
    const ContinuationId c = is_own ? locals_[local(entry.continuation)].name : entry.continuation;
    if (!is_local(c)) candidates.push_back(static_cast<std::uint32_t>(c));
  }
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  const auto is_own = [&](const Entry& entry) { return is_local(entry.continuation); };
  const auto own = static_cast<std::size_t>(std::count_if(self.entries.begin(), self.entries.end(), is_own));
  for (const std::uint32_t candidate : candidates) {
    // The entries with references to itself may become equal to others; the others stay different.
    const std::size_t count = table_.continuations_[candidate].size();
    if (count > self.entries.size() || count + own < self.entries.size()) continue;
    base::Work::charge(self.entries.size());
    set_names(members, std::vector<std::uint32_t>(members.size(), candidate));
    if (std::ranges::equal(table_.continuations_[candidate], named_entries(self))) return true;
  }
  return false;
}

void RowBuilder::fill_row(RowId id, bool accepts) {
  for (Arc& arc : arcs_) {
    if (is_local(arc.after.continuation)) arc.after.continuation = locals_[local(arc.after.continuation)].name;
  }
  std::sort(arcs_.begin(), arcs_.end());
  arcs_.erase(std::unique(arcs_.begin(), arcs_.end()), arcs_.end());
  RowTable::Row& row = table_.rows_[RowTable::index(id)];
  row.accepts = accepts;
  row.first_frame = static_cast<std::uint32_t>(table_.frames_.size());
  row.frame_count = static_cast<std::uint32_t>(frames_.size());
  for (const LocalId frame : frames_) table_.frames_.push_back({locals_[frame].rule, locals_[frame].name});
  row.first_exit = static_cast<std::uint32_t>(table_.exits_.size());
  symbols_.clear();
  for (std::size_t i = 0; i < arcs_.size(); ++i) {
    const Symbol symbol = arcs_[i].symbol;
    if (i == 0 || arcs_[i - 1].symbol != symbol) {
      const bool is_framed =
          !frames_.empty() && !std::binary_search(outside_frames_.begin(), outside_frames_.end(), symbol);
      table_.exits_.push_back(
          {static_cast<std::uint32_t>(table_.arcs_.size()) & RowTable::kMaxArc, is_framed, RowTable::kUnknownRow});
      symbols_.push_back(symbol.index());
      ++(symbol.kind() == Symbol::Kind::kTerminal ? row.terminal_count : row.token_set_count);
    }
    table_.arcs_.push_back(arcs_[i].after);
  }
  row.symbols = table_.exit_symbols_.intern(symbols_).first;
}

}  // namespace weir::earley
