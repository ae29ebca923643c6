#include "engine/facts/suffixes.h"

#include <array>
#include <numeric>
#include <string_view>

#include "engine/search_bounds.h"

namespace weir::engine {

using vocab::TokenTrie;

Suffixes::Suffixes(List list, const TokenView& tokens) {
  constexpr std::size_t kTrieBytes = 16;  // estimate per suffix
  if (list.empty()) return;
  made_ = std::make_shared<Made>(std::move(list), tokens);
  bytes_ = sizeof(Made);
  if (made_->list.size() <= kMaxUnsplitSuffixes) {
    Part& all = made_->parts.emplace_back();
    all.has_all = true;
    all.end = made_->list.size();
    bytes_ += sizeof(Part) + trie_of(all).memory_bytes();
    made_->list = {};
  } else {
    made_->split();
    bytes_ += made_->parts.size() * sizeof(Part) + made_->list.size() * (sizeof(Suffix) + kTrieBytes);
  }
}

// Sorts the list by first byte, by counting.
void Suffixes::Made::split() {
  std::array<std::size_t, 256> end{};  // [b]: where the suffixes with first byte b end
  for (const Suffix& suffix : list) ++end[suffix.first];
  std::partial_sum(end.begin(), end.end(), end.begin());
  for (std::size_t b = 0; b < end.size(); ++b) {
    const std::size_t begin = b == 0 ? 0 : end[b - 1];
    if (begin == end[b]) continue;
    Part& part = parts.emplace_back();
    part.first = static_cast<std::uint8_t>(b);
    part.begin = begin;
    part.end = end[b];
  }
  List sorted(list.size());
  for (const Suffix& suffix : list) sorted[--end[suffix.first]] = suffix;
  list.swap(sorted);
}

const TokenTrie& Suffixes::trie_of(Part& part) const {
  std::call_once(part.once, [&] {
    std::vector<std::pair<std::string_view, std::uint32_t>> texts;
    texts.reserve(part.end - part.begin);
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const Suffix& suffix = made_->list[i];
      texts.emplace_back(made_->tokens.bytes_of(suffix.token).substr(suffix.depth), suffix.token);
    }
    part.trie = std::make_unique<const TokenTrie>(texts);
  });
  return *part.trie;
}

}  // namespace weir::engine
