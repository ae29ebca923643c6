#include "canonical/merge_forest.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "canonical/search_bounds.h"

namespace weir::canonical {

namespace {

using vocab::MergeRecipe;

// Maps texts to tokens. The hash is computed byte by byte, so all prefixes of a text are looked up in one reading of
// it. This is not a base::FlatTable, because a filter answers most lookups, and because the table does not grow, so it
// need not store hashes.
class TextTable {
 public:
  explicit TextTable(std::span<const MergeRecipe::Token> tokens)
      : slots_(std::bit_ceil(2 * tokens.size() + 8)), filter_(std::bit_ceil(16 * tokens.size() + 64) / 64) {
    for (const MergeRecipe::Token& token : tokens) {
      std::uint64_t hash = 0;
      for (const char c : token.text) hash = grown(hash, c);
      hash = mixed(hash);
      filter_[(hash >> 6) & (filter_.size() - 1)] |= std::uint64_t{1} << (hash % 64);
      std::size_t at = (hash >> 8) & (slots_.size() - 1);
      while (slots_[at].id != kFree) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = {token.id, static_cast<std::uint32_t>(token.text.size()), token.text.data()};
    }
  }

  static std::uint64_t grown(std::uint64_t hash, char next) {
    return hash * kBase + static_cast<unsigned char>(next) + 1;
  }
  static constexpr std::uint64_t kBase = 0x9E3779B97F4A7C15ULL;
  static constexpr std::uint32_t kFree = UINT32_MAX;

  // Most of the time of lookups is waiting for memory. So a caller asks for many at once: may_have() of each, which also
  // starts to load the slot; then load_text() of each; then find() of each. All take mixed(hash of the text).
  static std::uint64_t mixed(std::uint64_t hash) { return base::hash_mix(0, hash); }
  [[nodiscard]] bool may_have(std::uint64_t hash) const {
    if ((filter_[(hash >> 6) & (filter_.size() - 1)] >> (hash % 64) & 1) == 0) return false;
    __builtin_prefetch(&slots_[(hash >> 8) & (slots_.size() - 1)]);
    return true;
  }
  void load_text(std::uint64_t hash) const { __builtin_prefetch(slots_[(hash >> 8) & (slots_.size() - 1)].text); }
  // Returns the token of `text`, or kFree.
  [[nodiscard]] std::uint32_t find(std::string_view text, std::uint64_t hash) const {
    for (std::size_t at = (hash >> 8) & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[at];
      if (slot.id == kFree) return kFree;
      if (slot.size == text.size() && std::memcmp(slot.text, text.data(), text.size()) == 0) return slot.id;
    }
  }

 private:
  struct Slot {
    std::uint32_t id = kFree;
    std::uint32_t size = 0;
    const char* text = nullptr;
  };
  std::vector<Slot> slots_;
  std::vector<std::uint64_t> filter_;
};

std::size_t unit_length(MergeRecipe::Unit unit, std::string_view text, std::size_t at) {
  if (unit == MergeRecipe::Unit::kByte) return 1;
  return std::max<std::size_t>(1, base::decode_utf8(text, at).length);
}

tl::unexpected<Error> unsupported_merges(std::string message) {
  return tl::unexpected(Error{ErrorCode::kUnsupported, std::move(message)});
}

}  // namespace

Result<MergeForest> MergeForest::build(const MergeRecipe& recipe, std::uint32_t vocab_size,
                                       std::span<const std::uint32_t> in_order) {
  MergeForest forest;
  if (auto done = forest.list_units(recipe, vocab_size); !done) return tl::unexpected(std::move(done).error());
  Ways ways;
  if (recipe.rule == MergeRecipe::Rule::kConcatenations) {
    forest.list_concatenations(recipe, in_order, ways);
  } else if (auto done = forest.list_pairs(recipe, ways); !done) {
    return tl::unexpected(std::move(done).error());
  }
  forest.index_merges(ways);
  forest.find_parts(recipe, ways);
  for (const MergeRecipe::Token& token : recipe.tokens) {
    if (!token.is_written && forest.is_made(SymbolId{token.id})) {
      return unsupported_merges("unused piece " + std::to_string(token.id) + ", which merges pass through");
    }
  }
  return forest;
}

// Lists the units and sets their time. All other symbols count as not made until find_parts().
Result<void> MergeForest::list_units(const MergeRecipe& recipe, std::uint32_t vocab_size) {
  vocab_size_ = vocab_size;
  nodes_.assign(vocab_size, {});
  byte_units_.assign(256, kNone);
  for (const MergeRecipe::Token& token : recipe.tokens) {
    if (unit_length(recipe.unit, token.text, 0) != token.text.size()) continue;
    nodes_[token.id].time = kUnit;
    if (recipe.unit == MergeRecipe::Unit::kByte) {
      byte_units_[static_cast<unsigned char>(token.text[0])] = token.id;
    } else {
      character_units_.emplace(token.text, token.id);
    }
  }
  if (recipe.unit == MergeRecipe::Unit::kCharacter && recipe.rule == MergeRecipe::Rule::kConcatenations) {
    // Such merges are given by texts, so a character takes part in merges even if it is no token.
    for (const MergeRecipe::Token& token : recipe.tokens) {
      for (std::size_t at = 0, length = 0; at < token.text.size(); at += length) {
        length = unit_length(recipe.unit, token.text, at);
        const std::string_view character = token.text.substr(at, length);
        if (!character_units_.emplace(character, nodes_.size()).second) continue;
        nodes_.push_back({.time = kUnit});
        further_characters_.push_back(character);
      }
    }
  }
  nodes_.emplace_back();
  nodes_.shrink_to_fit();
  return {};
}

SymbolId MergeForest::unit(std::string_view text) const {
  if (text.size() == 1 && byte_units_[static_cast<unsigned char>(text[0])] != kNone) {
    return SymbolId{byte_units_[static_cast<unsigned char>(text[0])]};
  }
  const auto known = character_units_.find(text);
  return known == character_units_.end() ? SymbolId::kNone : SymbolId{known->second};
}

// Lists every way to cut a token into two symbols. Tokens are visited in the order of their texts: the prefixes of a
// token come before it, and are on a stack.
void MergeForest::list_concatenations(const MergeRecipe& recipe, std::span<const std::uint32_t> in_order,
                                      Ways& ways) const {
  const TextTable known(recipe.tokens);
  std::vector<std::uint32_t> number(vocab_size_, kNone);  // of a token in the recipe
  for (std::uint32_t i = 0; i < recipe.tokens.size(); ++i) number[recipe.tokens[i].id] = i;
  std::vector<std::uint32_t> sorted;
  sorted.reserve(recipe.tokens.size());
  for (const std::uint32_t id : in_order) {
    if (id < number.size() && number[id] != kNone) sorted.push_back(number[id]);
  }
  if (sorted.size() != recipe.tokens.size()) {
    sorted.resize(recipe.tokens.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    std::sort(sorted.begin(), sorted.end(),
              [&](std::uint32_t a, std::uint32_t b) { return recipe.tokens[a].text < recipe.tokens[b].text; });
  }
  struct Beginning {
    std::size_t size;
    std::uint32_t symbol;
    std::uint64_t hash;
    std::string_view text;
  };
  const bool of_characters = recipe.unit == MergeRecipe::Unit::kCharacter;
  const auto further = [&](std::string_view text) {  // a character that is no token
    const auto unit = character_units_.find(text);
    return unit != character_units_.end() && unit->second >= vocab_size_ ? unit->second : kNone;
  };
  struct Lookup {
    std::string_view rest;
    std::uint64_t hash;
    Merge merge;  // without the right part
    bool may_be_token;
  };
  std::vector<Beginning> stack;
  std::vector<std::uint64_t> powers = {1};
  std::vector<Lookup> lookups;
  ways.begin.assign(nodes_.size(), 0);
  ways.all.reserve(3 * recipe.tokens.size());
  const auto look_up = [&] {
    for (const Lookup& lookup : lookups) known.load_text(lookup.hash);
    for (const Lookup& lookup : lookups) {
      std::uint32_t right = lookup.may_be_token ? known.find(lookup.rest, lookup.hash) : kNone;
      if (right == kNone && of_characters && unit_length(recipe.unit, lookup.rest, 0) == lookup.rest.size()) {
        right = further(lookup.rest);
      }
      if (right == kNone) continue;
      ways.all.push_back({lookup.merge.left, right, lookup.merge.result, lookup.merge.rank});
    }
    lookups.clear();
  };
  for (const std::uint32_t i : sorted) {
    const MergeRecipe::Token& token = recipe.tokens[i];
    const std::string_view text = token.text;
    while (!stack.empty() && !text.starts_with(stack.back().text)) stack.pop_back();
    std::uint64_t hash = stack.empty() ? 0 : stack.back().hash;
    const auto add_beginning = [&](std::size_t size, std::uint32_t symbol) {
      const std::size_t from = stack.empty() ? 0 : stack.back().size;
      for (std::size_t at = from; at < size; ++at) hash = TextTable::grown(hash, text[at]);
      stack.push_back({size, symbol, hash, text.substr(0, size)});
    };
    if (of_characters && stack.empty()) {
      const std::size_t size = unit_length(recipe.unit, text, 0);
      const std::uint32_t symbol = further(text.substr(0, size));
      if (symbol != kNone) add_beginning(size, symbol);
    }
    add_beginning(text.size(), token.id);
    while (powers.size() <= text.size()) powers.push_back(powers.back() * TextTable::kBase);
    for (std::size_t k = 0; k + 1 < stack.size(); ++k) {
      const Beginning& left = stack[k];
      const std::string_view rest = text.substr(left.size);
      const std::uint64_t mixed = TextTable::mixed(hash - left.hash * powers[rest.size()]);
      const bool may_be_token = known.may_have(mixed);
      if (!may_be_token && !of_characters) continue;
      const Merge merge{left.symbol, kNone, token.id, static_cast<std::int32_t>(token.rank)};
      lookups.push_back({rest, mixed, merge, may_be_token});
    }
    if (lookups.size() >= kLookupsAtOnce) look_up();
  }
  look_up();
  ways.group();
}

Result<void> MergeForest::list_pairs(const MergeRecipe& recipe, Ways& ways) const {
  std::vector<bool> is_byte;
  for (const std::uint32_t id : recipe.byte_tokens) {
    if (id >= is_byte.size()) is_byte.resize(id + 1);
    is_byte[id] = true;
  }
  const auto merges_byte = [&](std::uint32_t id) { return id < is_byte.size() && is_byte[id]; };
  ways.begin.assign(nodes_.size(), 0);
  ways.all.reserve(recipe.pairs.size());
  for (const MergeRecipe::Pair& pair : recipe.pairs) {
    if (merges_byte(pair.left) || merges_byte(pair.right)) return unsupported_merges("merges of byte tokens");
    ways.all.push_back({pair.left, pair.right, pair.result, static_cast<std::int32_t>(pair.rank)});
  }
  ways.group();
  return {};
}

// Groups the merges by result. `begin` has an entry for each symbol, and one more.
void MergeForest::Ways::group() {
  for (const Merge& merge : all) ++begin[merge.result + 1];
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  std::vector<std::uint32_t> next = begin;
  std::vector<Merge> grouped(all.size());
  for (const Merge& merge : all) grouped[next[merge.result]++] = merge;
  all = std::move(grouped);
}

void MergeForest::index_merges(const Ways& ways) {
  const std::size_t count = ways.all.size();
  // Merges are in ascending order of rank, so those with one left part are, too.
  std::vector<std::uint32_t> by_rank(count);
  {
    std::vector<std::uint32_t> next;
    for (const Merge& merge : ways.all) {
      const auto rank = static_cast<std::size_t>(merge.rank);
      if (rank + 2 > next.size()) next.resize(std::max(rank + 2, 2 * next.size()));
      ++next[rank + 1];
    }
    for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
    for (std::uint32_t i = 0; i < count; ++i) by_rank[next[static_cast<std::size_t>(ways.all[i].rank)]++] = i;
  }
  for (const Merge& merge : ways.all) ++nodes_[merge.left + 1].merges;
  for (std::size_t i = 1; i < nodes_.size(); ++i) nodes_[i].merges += nodes_[i - 1].merges;
  rank_of_.resize(count);
  right_of_.resize(count);
  result_of_.resize(count);
  std::vector<std::uint32_t> next(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) next[i] = nodes_[i].merges;
  slots_.assign(std::bit_ceil(count + count / 2 + 8), kNone);
  slot_mask_ = slots_.size() - 1;
  // Eight bits for each merge, so about one lookup in eight of pairs without a merge passes the filter.
  filter_.assign(std::bit_ceil(8 * count + 64) / 64, 0);
  filter_mask_ = 64 * filter_.size() - 1;
  std::vector<std::uint64_t> hashes(count);  // in the order of by_rank
  for (std::size_t n = 0; n < count; ++n) {
    if (n + kLookupsAtOnce < count) __builtin_prefetch(&ways.all[by_rank[n + kLookupsAtOnce]]);
    const Merge& merge = ways.all[by_rank[n]];
    hashes[n] = base::hash_mix(0, std::uint64_t{merge.left} << 32 | merge.right);
  }
  for (std::size_t n = 0; n < count; ++n) {
    if (n + kLookupsAtOnce / 2 < count) {
      const std::uint64_t soon = hashes[n + kLookupsAtOnce / 2];
      __builtin_prefetch(&slots_[(soon >> 16) & slot_mask_], 1);
      __builtin_prefetch(&ways.all[by_rank[n + kLookupsAtOnce / 2]]);
    }
    const Merge& merge = ways.all[by_rank[n]];
    const std::uint32_t k = next[merge.left]++;
    rank_of_[k] = merge.rank;
    right_of_[k] = merge.right;
    result_of_[k] = merge.result;
    const std::uint64_t hash = hashes[n];
    filter_[(hash & filter_mask_) / 64] |= std::uint64_t{1} << (hash % 64);
    std::size_t at = (hash >> 16) & slot_mask_;
    while (slots_[at] != kNone) at = (at + 1) & slot_mask_;
    slots_[at] = k;
  }
}

// Finds the parts of each symbol. They are shorter than it, so symbols are visited by length. At most one of the merges
// that give a symbol is the last one when its own units are merged.
void MergeForest::find_parts(const MergeRecipe& recipe, const Ways& ways) {
  std::vector<std::uint32_t> by_length(recipe.tokens.size());
  {
    std::vector<std::uint32_t> count;
    for (const MergeRecipe::Token& token : recipe.tokens) {
      if (token.text.size() + 2 > count.size()) count.resize(token.text.size() + 2);
      ++count[token.text.size() + 1];
    }
    for (std::size_t i = 1; i < count.size(); ++i) count[i] += count[i - 1];
    for (const MergeRecipe::Token& token : recipe.tokens) by_length[count[token.text.size()]++] = token.id;
  }
  std::vector<std::pair<std::int32_t, std::uint32_t>> candidates;  // by the time at which both parts exist
  for (std::size_t n = 0; n < by_length.size(); ++n) {
    load_soon(by_length, n, ways);
    const std::uint32_t id = by_length[n];
    if (nodes_[id].time == kUnit) continue;
    candidates.clear();
    for (std::uint32_t i = ways.begin[id]; i < ways.begin[id + 1]; ++i) {
      const Merge& way = ways.all[i];
      if (nodes_[way.left].time != kNever && nodes_[way.right].time != kNever) {
        candidates.emplace_back(std::max(nodes_[way.left].time, nodes_[way.right].time), i);
      }
    }
    // The parts that exist first are usually those that merge.
    if (candidates.size() > 1) std::sort(candidates.begin(), candidates.end());
    for (const auto& [both, i] : candidates) {
      const Merge& way = ways.all[i];
      if (!makes(way.left, way.right, id)) continue;
      nodes_[id].left = way.left;
      nodes_[id].right = way.right;
      nodes_[id].time = std::max(both, way.rank);
      break;
    }
    if (nodes_[id].time == kNever) unmade_.push_back(id);
  }
  std::sort(unmade_.begin(), unmade_.end());
  // Characters that are no tokens are as short as other units.
  std::vector<std::uint32_t> made;
  for (const auto& [text, id] : character_units_) {
    if (nodes_[id].left == kNone) made.push_back(id);
  }
  std::sort(made.begin(), made.end());
  const bool of_bytes = recipe.unit == MergeRecipe::Unit::kByte;
  for (const std::uint32_t id : by_length) {
    if (nodes_[id].time != kNever && (of_bytes || nodes_[id].time != kUnit)) made.push_back(id);
  }
  number(made);
}

// Starts to load what the symbols some places after by_length[n] are found with: each symbol waits for memory several
// times.
void MergeForest::load_soon(std::span<const std::uint32_t> by_length, std::size_t n, const Ways& ways) const {
  if (n + 3 * kSymbolsAhead < by_length.size()) {
    __builtin_prefetch(&ways.begin[by_length[n + 3 * kSymbolsAhead]]);
    __builtin_prefetch(&nodes_[by_length[n + 3 * kSymbolsAhead]], 1);
  }
  if (n + 2 * kSymbolsAhead < by_length.size()) {
    if (const std::uint32_t first = ways.begin[by_length[n + 2 * kSymbolsAhead]]; first < ways.all.size()) {
      __builtin_prefetch(&ways.all[first]);
    }
  }
  if (n + kSymbolsAhead >= by_length.size()) return;
  const std::uint32_t id = by_length[n + kSymbolsAhead];
  for (std::uint32_t i = ways.begin[id]; i < ways.begin[id + 1]; ++i) {
    __builtin_prefetch(&nodes_[ways.all[i].left]);
    __builtin_prefetch(&nodes_[ways.all[i].right]);
  }
}

// Returns true if the units of `left` and `right` merge to these two, and these then to `result`.
bool MergeForest::makes(std::uint32_t left, std::uint32_t right, std::uint32_t result) const {
  const Crossing found = crossing(left, right, /*ignores_whole=*/true);
  if (found != Crossing::kUndecided) return found == Crossing::kNo;
  std::vector<SymbolId> symbols;
  append_units(SymbolId{left}, symbols);
  append_units(SymbolId{right}, symbols);
  // The last merge that makes `result` is unique: it is this one, or another one.
  std::vector<SymbolId> before;
  while (symbols.size() > 1) {
    before = symbols;
    std::size_t best = symbols.size();
    std::int32_t rank = kForever;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      const std::uint32_t k = find(static_cast<std::uint32_t>(symbols[i]), static_cast<std::uint32_t>(symbols[i + 1]));
      if (k != kNone && rank_of_[k] < rank) {
        rank = rank_of_[k];
        best = i;
      }
    }
    if (best == symbols.size()) return false;
    const std::uint32_t k =
        find(static_cast<std::uint32_t>(symbols[best]), static_cast<std::uint32_t>(symbols[best + 1]));
    symbols[best] = SymbolId{result_of_[k]};
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
  return symbols.front() == SymbolId{result} && before.size() == 2 && before[0] == SymbolId{left} &&
         before[1] == SymbolId{right};
}

void MergeForest::list_forbidden(SymbolId l, std::vector<std::uint32_t>& ends) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> stretches;
  for_each_forbidden(l, [&](std::uint32_t begin, std::uint32_t end) { stretches.emplace_back(begin, end); });
  std::sort(stretches.begin(), stretches.end());
  ends.clear();
  for (const auto& [begin, end] : stretches) {
    if (!ends.empty() && begin <= ends.back()) {
      ends.back() = std::max(ends.back(), end);
    } else {
      ends.insert(ends.end(), {begin, end});
    }
  }
}

void MergeForest::append_units(SymbolId s, std::vector<SymbolId>& units) const {
  std::vector<std::uint32_t> pending{static_cast<std::uint32_t>(s)};
  while (!pending.empty()) {
    const std::uint32_t next = pending.back();
    pending.pop_back();
    if (nodes_[next].left == kNone) {
      units.push_back(SymbolId{next});
      continue;
    }
    pending.push_back(nodes_[next].right);
    pending.push_back(nodes_[next].left);
  }
}

void MergeForest::merge(std::vector<SymbolId>& symbols) const {
  while (true) {
    std::size_t best = symbols.size();
    std::uint32_t best_merge = kNone;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      const std::uint32_t k = find(static_cast<std::uint32_t>(symbols[i]), static_cast<std::uint32_t>(symbols[i + 1]));
      if (k == kNone || (best_merge != kNone && rank_of_[k] >= rank_of_[best_merge])) continue;
      best = i;
      best_merge = k;
    }
    if (best_merge == kNone) return;
    symbols[best] = SymbolId{result_of_[best_merge]};
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

// Makes the test in the header. With `ignores_whole` a merge of l and r themselves does not count.
MergeForest::Crossing MergeForest::crossing(std::uint32_t l, std::uint32_t r, bool ignores_whole) const {
  Crossing found = Crossing::kNo;
  std::int32_t left_consumed = kForever;
  for (std::uint32_t x = l;;) {
    if (nodes_[x].merges != nodes_[x + 1].merges) {
      std::int32_t right_consumed = kForever;
      for (std::uint32_t y = r;;) {
        const std::uint32_t k = find(x, y);
        if (k != kNone && !(ignores_whole && x == l && y == r)) {
          const std::int32_t rank = rank_of_[k];
          const std::int32_t both = std::max(nodes_[x].time, nodes_[y].time);
          if (both < left_consumed && both < right_consumed) {
            if (rank < left_consumed && rank <= right_consumed) return Crossing::kYes;
          } else if (both <= left_consumed && both <= right_consumed && rank <= left_consumed &&
                     rank <= right_consumed) {
            found = Crossing::kUndecided;
          }
        }
        if (nodes_[y].left == kNone) break;
        right_consumed = nodes_[y].time;
        y = nodes_[y].left;
      }
    }
    if (nodes_[x].left == kNone) return found;
    left_consumed = nodes_[x].time;
    x = nodes_[x].right;
  }
}

bool MergeForest::is_compatible(SymbolId l, SymbolId r) const {
  const Crossing found = crossing(static_cast<std::uint32_t>(l), static_cast<std::uint32_t>(r), false);
  if (found != Crossing::kUndecided) return found == Crossing::kNo;
  std::vector<SymbolId> symbols;
  append_units(l, symbols);
  append_units(r, symbols);
  merge(symbols);
  return symbols.size() == 2 && symbols[0] == l && symbols[1] == r;
}

// Returns the end, in preorder, of the subtrees of those children of `s` that have this time or a later one, and of `s`
// itself.
std::uint32_t MergeForest::end_of_children(std::uint32_t s, std::int32_t time) const {
  const auto begin = child_time_.begin() + child_begin_[s];
  const auto end = child_time_.begin() + child_begin_[s + 1];
  const auto after = std::partition_point(begin, end, [&](std::int32_t t) { return t >= time; });
  if (after == begin) return position_[s] + 1;
  return child_end_[static_cast<std::size_t>(after - child_time_.begin()) - 1];
}

// Numbers the made symbols in preorder, parents before children.
void MergeForest::number(std::span<const std::uint32_t> by_length) {
  const std::size_t n = symbol_count();
  // Sorts children by descending time with two stable counting sorts: by time, then by parent.
  std::vector<std::uint32_t> by_time(by_length.size());
  {
    std::int32_t latest = 0;
    for (const std::uint32_t s : by_length) latest = std::max(latest, nodes_[s].time);
    std::vector<std::uint32_t> count(static_cast<std::size_t>(latest) + 3, 0);
    const auto key = [&](std::uint32_t s) { return static_cast<std::size_t>(latest - nodes_[s].time); };
    for (const std::uint32_t s : by_length) ++count[key(s) + 1];
    for (std::size_t i = 1; i < count.size(); ++i) count[i] += count[i - 1];
    for (const std::uint32_t s : by_length) by_time[count[key(s)]++] = s;
  }
  child_begin_.assign(n + 1, 0);
  std::vector<std::uint32_t> size(n, 0);
  std::size_t roots = 0;
  for (const std::uint32_t s : by_length) {
    if (nodes_[s].left == kNone) {
      ++roots;
    } else {
      ++child_begin_[nodes_[s].left + 1];
    }
  }
  for (std::size_t i = 1; i <= n; ++i) child_begin_[i] += child_begin_[i - 1];
  std::vector<std::uint32_t> children(by_length.size() - roots);
  {
    std::vector<std::uint32_t> next = child_begin_;
    for (const std::uint32_t s : by_time) {
      if (nodes_[s].left != kNone) children[next[nodes_[s].left]++] = s;
    }
  }
  for (std::size_t i = by_length.size(); i-- > 0;) {
    const std::uint32_t s = by_length[i];
    ++size[s];
    if (nodes_[s].left != kNone) size[nodes_[s].left] += size[s];
  }
  position_.assign(n, kNone);
  order_.resize(by_length.size());
  child_time_.resize(children.size());
  child_end_.resize(children.size());
  std::uint32_t next_root = 0;
  for (const std::uint32_t s : by_length) {
    if (nodes_[s].left == kNone) {
      position_[s] = next_root;
      next_root += size[s];
    }
    order_[position_[s]] = s;
    std::uint32_t at = position_[s] + 1;
    for (std::uint32_t k = child_begin_[s]; k < child_begin_[s + 1]; ++k) {
      position_[children[k]] = at;
      at += size[children[k]];
      child_time_[k] = nodes_[children[k]].time;
      child_end_[k] = at;
    }
  }
}

std::size_t MergeForest::memory_bytes() const {
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return of(nodes_) + of(rank_of_) + of(right_of_) + of(result_of_) + of(slots_) + of(filter_) + of(order_) +
         of(position_) + of(child_begin_) + of(child_time_) + of(child_end_) + of(unmade_);
}

}  // namespace weir::canonical
