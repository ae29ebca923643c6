#include "oracle/vocabulary.h"

#include <algorithm>
#include <utility>

namespace weir::oracle {

bool Vocabulary::is_stop(std::uint32_t token) const {
  return std::ranges::find(stop_tokens, token) != stop_tokens.end();
}

std::vector<bool> mask(Earley& earley, const Vocabulary& vocabulary) {
  std::vector<bool> result(vocabulary.tokens.size(), false);
  for (std::uint32_t token = 0; token < result.size(); ++token) {
    const std::string& bytes = vocabulary.tokens[token];
    if (vocabulary.is_stop(token)) {
      result[token] = earley.member();
    } else if (!bytes.empty()) {
      earley.push(bytes);
      result[token] = earley.viable();
      earley.pop(bytes.size());
    }
  }
  return result;
}

SortedVocabulary::SortedVocabulary(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {
  std::vector<bool> stop(vocabulary_.tokens.size(), false);
  for (const std::uint32_t token : vocabulary_.stop_tokens) stop[token] = true;
  for (std::uint32_t token = 0; token < stop.size(); ++token) {
    if (!stop[token] && !vocabulary_.tokens[token].empty()) order_.push_back(token);
  }
  std::ranges::sort(order_, {}, [&](std::uint32_t token) { return std::string_view(vocabulary_.tokens[token]); });
}

std::vector<bool> SortedVocabulary::mask(Earley& earley) const {
  std::vector<bool> result(vocabulary_.tokens.size(), false);
  for (const std::uint32_t token : vocabulary_.stop_tokens) result[token] = earley.member();
  std::string_view pushed;  // the bytes in the chart after the prefix; only its last byte may be refused
  for (const std::uint32_t token : order_) {
    const std::string_view bytes = vocabulary_.tokens[token];
    const auto shared = static_cast<std::size_t>(std::ranges::mismatch(pushed, bytes).in1 - pushed.begin());
    earley.pop(pushed.size() - shared);
    std::size_t end = shared;
    while (end < bytes.size() && earley.viable()) earley.push(bytes[end++]);
    pushed = bytes.substr(0, end);
    result[token] = end == bytes.size() && earley.viable();
  }
  earley.pop(pushed.size());
  return result;
}

std::string forced_bytes(Earley& earley, std::size_t limit, const ByteSet& several) {
  std::string forced;
  while (forced.size() < limit && !earley.member()) {
    const ByteSet next = earley.next_bytes();
    if (next.count() != 1 || (next & several).any()) break;
    forced += static_cast<char>(next._Find_first());
    earley.push(forced.back());
  }
  earley.pop(forced.size());
  return forced;
}

}  // namespace weir::oracle
