#include "canonical/merge_forest.h"

#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "base/utf8.h"

namespace weir::canonical {

namespace {

using vocab::MergeRecipe;

// From texts to numbers, by a hash that grows with the text, so that all beginnings and ends of a text are looked up
// without reading it again.
class GrowingHashes {
 public:
  explicit GrowingHashes(std::span<const MergeRecipe::Token> tokens)
      : tokens_(tokens), slots_(std::bit_ceil(2 * tokens.size() + 8)) {
    for (std::uint32_t i = 0; i < tokens.size(); ++i) {
      std::uint64_t hash = 0;
      for (const char c : tokens[i].text) hash = grown(hash, c);
      std::size_t at = slot_of(hash);
      while (slots_[at].token != kFree) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = {static_cast<std::uint32_t>(hash >> 32), i};
    }
  }

  static std::uint64_t grown(std::uint64_t hash, char next) {
    return hash * kBase + static_cast<unsigned char>(next) + 1;
  }
  static constexpr std::uint64_t kBase = 0x9E3779B97F4A7C15ULL;

  // The number of `text`, whose hash is given, or kFree.
  [[nodiscard]] std::uint32_t find(std::string_view text, std::uint64_t hash) const {
    for (std::size_t at = slot_of(hash);; at = (at + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[at];
      if (slot.token == kFree) return kFree;
      if (slot.tag == static_cast<std::uint32_t>(hash >> 32) && tokens_[slot.token].text == text) return slot.token;
    }
  }

  static constexpr std::uint32_t kFree = UINT32_MAX;

 private:
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t token = kFree;
  };
  [[nodiscard]] std::size_t slot_of(std::uint64_t hash) const {
    return (base::hash_mix(0, hash) >> 8) & (slots_.size() - 1);
  }
  std::span<const MergeRecipe::Token> tokens_;
  std::vector<Slot> slots_;
};

std::size_t unit_length(MergeRecipe::Unit unit, std::string_view text, std::size_t at) {
  if (unit == MergeRecipe::Unit::kByte) return 1;
  return std::max<std::size_t>(1, base::decode_utf8(text, at).length);
}

tl::unexpected<Error> unsupported_merges(std::string message) {
  return tl::unexpected(Error{ErrorCode::kUnsupported, std::move(message)});
}

}  // namespace

Result<MergeForest> MergeForest::build(const MergeRecipe& recipe, std::uint32_t vocab_size) {
  MergeForest forest;
  if (auto done = forest.list_units(recipe, vocab_size); !done) return tl::unexpected(std::move(done).error());
  std::vector<Merge> merges;
  if (recipe.rule == MergeRecipe::Rule::kConcatenations) {
    forest.list_concatenations(recipe, merges);
  } else if (auto done = list_pairs(recipe, merges); !done) {
    return tl::unexpected(std::move(done).error());
  }
  forest.index_merges(merges);
  forest.find_parts(recipe, merges);
  for (const MergeRecipe::Token& token : recipe.tokens) {
    if (!token.is_written && forest.is_made(SymbolId{token.id})) {
      return unsupported_merges("unused piece " + std::to_string(token.id) + ", which merges pass through");
    }
  }
  return forest;
}

// Units get their time, all else is not made until parts are found.
Result<void> MergeForest::list_units(const MergeRecipe& recipe, std::uint32_t vocab_size) {
  time_.assign(vocab_size, kNever);
  byte_units_.assign(256, kNone);
  for (const MergeRecipe::Token& token : recipe.tokens) {
    if (unit_length(recipe.unit, token.text, 0) != token.text.size()) continue;
    time_[token.id] = kUnit;
    if (recipe.unit == MergeRecipe::Unit::kByte) {
      byte_units_[static_cast<unsigned char>(token.text[0])] = token.id;
    } else {
      character_units_.emplace(token.text, token.id);
    }
  }
  if (recipe.unit == MergeRecipe::Unit::kCharacter && recipe.rule == MergeRecipe::Rule::kConcatenations) {
    // Texts are what counts there, so a character merges though it is no token.
    for (const MergeRecipe::Token& token : recipe.tokens) {
      for (std::size_t at = 0, length = 0; at < token.text.size(); at += length) {
        length = unit_length(recipe.unit, token.text, at);
        if (character_units_.emplace(token.text.substr(at, length), time_.size()).second) time_.push_back(kUnit);
      }
    }
  }
  left_part_.assign(time_.size(), kNone);
  right_part_.assign(time_.size(), kNone);
  return {};
}

SymbolId MergeForest::unit(std::string_view text) const {
  if (text.size() == 1 && byte_units_[static_cast<unsigned char>(text[0])] != kNone) {
    return SymbolId{byte_units_[static_cast<unsigned char>(text[0])]};
  }
  const auto known = character_units_.find(text);
  return known == character_units_.end() ? SymbolId::kNone : SymbolId{known->second};
}

// By rising rank: every way to cut a token into two symbols.
void MergeForest::list_concatenations(const MergeRecipe& recipe, std::vector<Merge>& merges) const {
  const GrowingHashes known(recipe.tokens);
  const auto& tokens = recipe.tokens;
  std::vector<std::uint32_t> by_rank(tokens.size());
  {
    std::vector<std::uint32_t> count;
    for (const MergeRecipe::Token& token : tokens) {
      if (token.rank + 2 > count.size()) count.resize(token.rank + 2);
      ++count[token.rank + 1];
    }
    for (std::size_t i = 1; i < count.size(); ++i) count[i] += count[i - 1];
    for (std::uint32_t i = 0; i < tokens.size(); ++i) by_rank[count[tokens[i].rank]++] = i;
  }
  merges.reserve(4 * tokens.size());
  const bool of_characters = recipe.unit == MergeRecipe::Unit::kCharacter;
  const auto symbol = [&](std::string_view text, std::uint64_t hash) {
    const std::uint32_t i = known.find(text, hash);
    if (i != GrowingHashes::kFree) return tokens[i].id;
    if (!of_characters) return kNone;
    const auto unit = character_units_.find(text);
    return unit == character_units_.end() ? kNone : unit->second;
  };
  std::vector<std::uint64_t> hashes;
  for (const std::uint32_t i : by_rank) {
    const std::string_view text = tokens[i].text;
    hashes.assign(1, 0);
    for (const char c : text) hashes.push_back(GrowingHashes::grown(hashes.back(), c));
    std::uint64_t power = 1;
    for (std::size_t cut = text.size() - 1; cut > 0; --cut) {
      power *= GrowingHashes::kBase;
      if (of_characters && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80) continue;
      const std::uint32_t left = symbol(text.substr(0, cut), hashes[cut]);
      if (left == kNone) continue;
      const std::uint32_t right = symbol(text.substr(cut), hashes.back() - hashes[cut] * power);
      if (right == kNone) continue;
      merges.push_back({left, right, tokens[i].id, static_cast<std::int32_t>(tokens[i].rank)});
    }
  }
}

// By rising rank.
Result<void> MergeForest::list_pairs(const MergeRecipe& recipe, std::vector<Merge>& merges) {
  std::vector<bool> is_byte;
  for (const std::uint32_t id : recipe.byte_tokens) {
    if (id >= is_byte.size()) is_byte.resize(id + 1);
    is_byte[id] = true;
  }
  const auto merges_byte = [&](std::uint32_t id) { return id < is_byte.size() && is_byte[id]; };
  merges.reserve(recipe.pairs.size());
  for (const MergeRecipe::Pair& pair : recipe.pairs) {
    if (merges_byte(pair.left) || merges_byte(pair.right)) return unsupported_merges("merges of byte tokens");
    merges.push_back({pair.left, pair.right, pair.result, static_cast<std::int32_t>(pair.rank)});
  }
  std::sort(merges.begin(), merges.end(), [](const Merge& a, const Merge& b) { return a.rank < b.rank; });
  return {};
}

void MergeForest::index_merges(const std::vector<Merge>& merges) {
  merge_begin_.assign(time_.size() + 1, 0);
  for (const Merge& merge : merges) ++merge_begin_[merge.left + 1];
  for (std::size_t i = 1; i < merge_begin_.size(); ++i) merge_begin_[i] += merge_begin_[i - 1];
  rank_of_.resize(merges.size());
  right_of_.resize(merges.size());
  result_of_.resize(merges.size());
  std::vector<std::uint32_t> next = merge_begin_;
  slots_.assign(std::bit_ceil(merges.size() + merges.size() / 2 + 8), kNone);
  slot_mask_ = slots_.size() - 1;
  // Eight bits a merge, so that one look-up of a hundred is let pass for nothing.
  filter_.assign(std::bit_ceil(8 * merges.size() + 64) / 64, 0);
  filter_mask_ = 64 * filter_.size() - 1;
  for (const Merge& merge : merges) {
    const std::uint32_t k = next[merge.left]++;
    rank_of_[k] = merge.rank;
    right_of_[k] = merge.right;
    result_of_[k] = merge.result;
    const std::uint64_t hash = base::hash_mix(0, std::uint64_t{merge.left} << 32 | merge.right);
    filter_[(hash & filter_mask_) / 64] |= std::uint64_t{1} << (hash % 64);
    std::size_t at = (hash >> 16) & slot_mask_;
    while (slots_[at] != kNone) at = (at + 1) & slot_mask_;
    slots_[at] = k;
  }
}

// Parts of a symbol are shorter, so symbols are looked at by length. At most one of the merges that give a symbol is
// the last of its own merging.
void MergeForest::find_parts(const MergeRecipe& recipe, const std::vector<Merge>& merges) {
  std::vector<std::uint32_t> begin(time_.size() + 1, 0);
  for (const Merge& merge : merges) ++begin[merge.result + 1];
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ways(merges.size());
  {
    std::vector<std::uint32_t> next = begin;
    for (const Merge& merge : merges) ways[next[merge.result]++] = {merge.left, merge.right};
  }
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
  std::vector<std::pair<std::int32_t, std::size_t>> candidates;  // by the time at which both parts are there
  for (const std::uint32_t id : by_length) {
    if (time_[id] == kUnit) continue;
    candidates.clear();
    for (std::size_t i = begin[id]; i < begin[id + 1]; ++i) {
      const auto [left, right] = ways[i];
      if (time_[left] != kNever && time_[right] != kNever) {
        candidates.emplace_back(std::max(time_[left], time_[right]), i);
      }
    }
    // What is there first mostly is what merges.
    std::sort(candidates.begin(), candidates.end());
    for (const auto& [both, i] : candidates) {
      const auto [left, right] = ways[i];
      if (!makes(left, right, id)) continue;
      left_part_[id] = left;
      right_part_[id] = right;
      time_[id] = std::max(both, rank_of_[find(left, right)]);
      break;
    }
    if (time_[id] == kNever) unmade_.push_back(id);
  }
  std::sort(unmade_.begin(), unmade_.end());
  // Characters that are no tokens are as short as any.
  std::vector<std::uint32_t> made;
  for (const auto& [text, id] : character_units_) {
    if (left_part_[id] == kNone) made.push_back(id);
  }
  std::sort(made.begin(), made.end());
  const bool of_bytes = recipe.unit == MergeRecipe::Unit::kByte;
  for (const std::uint32_t id : by_length) {
    if (time_[id] != kNever && (of_bytes || time_[id] != kUnit)) made.push_back(id);
  }
  number(made);
}

// Whether the units of `left` and `right` merge to the two, and these then to `result`.
bool MergeForest::makes(std::uint32_t left, std::uint32_t right, std::uint32_t result) const {
  const Crossing found = crossing(left, right, /*ignores_whole=*/true);
  if (found != Crossing::kUndecided) return found == Crossing::kNo;
  std::vector<SymbolId> symbols;
  append_units(SymbolId{left}, symbols);
  append_units(SymbolId{right}, symbols);
  // All that merge to `result` in the end have the same last merge, which is this one or not.
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

void MergeForest::append_units(SymbolId s, std::vector<SymbolId>& units) const {
  std::vector<std::uint32_t> pending{static_cast<std::uint32_t>(s)};
  while (!pending.empty()) {
    const std::uint32_t next = pending.back();
    pending.pop_back();
    if (left_part_[next] == kNone) {
      units.push_back(SymbolId{next});
      continue;
    }
    pending.push_back(right_part_[next]);
    pending.push_back(left_part_[next]);
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

// The test of the header. With `ignores_whole` a merge of l and r as a whole does not count.
MergeForest::Crossing MergeForest::crossing(std::uint32_t l, std::uint32_t r, bool ignores_whole) const {
  Crossing found = Crossing::kNo;
  std::int32_t left_consumed = kForever;
  for (std::uint32_t x = l;;) {
    if (merge_begin_[x] != merge_begin_[x + 1]) {
      std::int32_t right_consumed = kForever;
      for (std::uint32_t y = r;;) {
        const std::uint32_t k = find(x, y);
        if (k != kNone && !(ignores_whole && x == l && y == r)) {
          const std::int32_t rank = rank_of_[k];
          const std::int32_t both = std::max(time_[x], time_[y]);
          if (both < left_consumed && both < right_consumed) {
            if (rank < left_consumed && rank <= right_consumed) return Crossing::kYes;
          } else if (both <= left_consumed && both <= right_consumed && rank <= left_consumed &&
                     rank <= right_consumed) {
            found = Crossing::kUndecided;
          }
        }
        if (left_part_[y] == kNone) break;
        right_consumed = time_[y];
        y = left_part_[y];
      }
    }
    if (left_part_[x] == kNone) return found;
    left_consumed = time_[x];
    x = right_part_[x];
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

// Behind the subtrees of those children of `s`, itself included, that have this time or a later one.
std::uint32_t MergeForest::end_of_children(std::uint32_t s, std::int32_t time) const {
  const auto begin = child_time_.begin() + child_begin_[s];
  const auto end = child_time_.begin() + child_begin_[s + 1];
  const auto behind = std::partition_point(begin, end, [&](std::int32_t t) { return t >= time; });
  if (behind == begin) return position_[s] + 1;
  return child_end_[static_cast<std::size_t>(behind - child_time_.begin()) - 1];
}

// Preorder, from the symbols that are made, parents before children.
void MergeForest::number(std::span<const std::uint32_t> by_length) {
  const std::size_t n = time_.size();
  // Children by falling time, by two stable counting sorts: by time, then by parent.
  std::vector<std::uint32_t> by_time(by_length.size());
  {
    std::int32_t latest = 0;
    for (const std::uint32_t s : by_length) latest = std::max(latest, time_[s]);
    std::vector<std::uint32_t> count(static_cast<std::size_t>(latest) + 3, 0);
    const auto key = [&](std::uint32_t s) { return static_cast<std::size_t>(latest - time_[s]); };
    for (const std::uint32_t s : by_length) ++count[key(s) + 1];
    for (std::size_t i = 1; i < count.size(); ++i) count[i] += count[i - 1];
    for (const std::uint32_t s : by_length) by_time[count[key(s)]++] = s;
  }
  child_begin_.assign(n + 1, 0);
  std::vector<std::uint32_t> size(n, 0);
  std::size_t roots = 0;
  for (const std::uint32_t s : by_length) {
    if (left_part_[s] == kNone) {
      ++roots;
    } else {
      ++child_begin_[left_part_[s] + 1];
    }
  }
  for (std::size_t i = 1; i <= n; ++i) child_begin_[i] += child_begin_[i - 1];
  std::vector<std::uint32_t> children(by_length.size() - roots);
  {
    std::vector<std::uint32_t> next = child_begin_;
    for (const std::uint32_t s : by_time) {
      if (left_part_[s] != kNone) children[next[left_part_[s]]++] = s;
    }
  }
  for (std::size_t i = by_length.size(); i-- > 0;) {
    const std::uint32_t s = by_length[i];
    ++size[s];
    if (left_part_[s] != kNone) size[left_part_[s]] += size[s];
  }
  position_.assign(n, kNone);
  order_.resize(by_length.size());
  child_time_.resize(children.size());
  child_end_.resize(children.size());
  std::uint32_t next_root = 0;
  for (const std::uint32_t s : by_length) {
    if (left_part_[s] == kNone) {
      position_[s] = next_root;
      next_root += size[s];
    }
    order_[position_[s]] = s;
    std::uint32_t at = position_[s] + 1;
    for (std::uint32_t k = child_begin_[s]; k < child_begin_[s + 1]; ++k) {
      position_[children[k]] = at;
      at += size[children[k]];
      child_time_[k] = time_[children[k]];
      child_end_[k] = at;
    }
  }
}

std::size_t MergeForest::memory_bytes() const {
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return of(left_part_) + of(right_part_) + of(time_) + of(merge_begin_) + of(rank_of_) + of(right_of_) +
         of(result_of_) + of(slots_) + of(filter_) + of(order_) + of(position_) + of(child_begin_) + of(child_time_) +
         of(child_end_) + of(unmade_);
}

}  // namespace weir::canonical
