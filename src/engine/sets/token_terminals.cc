#include "engine/sets/token_terminals.h"

#include <algorithm>
#include <string>

#include "engine/sets/stop_tokens.h"
#include "weir/bitmask.h"

namespace weir::engine {

namespace {

Error no_such_token(std::string message, const grammar::TokenSet& set, std::string hint = "") {
  return Error{ErrorCode::kInvalidArgument, std::move(message), set.where, std::move(hint), {}};
}

// Returns the bits of word `word` that are in first..last. Precondition: the range touches the word.
std::uint32_t bits_in_word(std::uint32_t first, std::uint32_t last, std::uint32_t word) {
  const std::uint32_t low = first / 32 == word ? first % 32 : 0;
  const std::uint32_t high = last / 32 == word ? last % 32 : 31;
  return (UINT32_MAX << low) & (UINT32_MAX >> (31 - high));
}

}  // namespace

Result<void> TokenTerminals::add(const grammar::TokenSet& set, const vocab::Vocabulary& vocabulary) {
  std::vector<Range> listed;
  for (const auto& [first, last] : set.ranges) {
    if (last >= vocabulary.size()) {
      return tl::unexpected(no_such_token("token " + std::to_string(last) + " is out of range: the vocabulary has " +
                                              std::to_string(vocabulary.size()) + " tokens",
                                          set));
    }
    if (!set.complement && vocabulary.token_kind(last) == TokenKind::kUnused) {
      return tl::unexpected(
          no_such_token("token " + std::to_string(last) + " is reserved or padding: no token has this id", set));
    }
    if (first <= last) listed.push_back({first, last});
  }
  for (const std::string& name : set.names) {
    const auto token = vocabulary.find_special_token(name);
    if (!token.has_value()) {
      return tl::unexpected(no_such_token("the vocabulary has no special token `" + name + "`", set,
                                          "`weir tokenizer --special` lists the special tokens"));
    }
    listed.push_back({*token, *token});
  }
  std::sort(listed.begin(), listed.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
  const auto first_range = static_cast<std::uint32_t>(ranges_.size());
  for (const Range& range : listed) {
    if (ranges_.size() > first_range && range.first <= ranges_.back().last + 1) {
      ranges_.back().last = std::max(ranges_.back().last, range.last);
    } else {
      ranges_.push_back(range);
    }
  }
  if (set.complement && usable_.empty()) {
    usable_.resize(bitmask_words(vocabulary.size()));
    for (std::uint32_t token = 0; token < vocabulary.size(); ++token) {
      const bool usable = !vocabulary.is_stop_token(token) && vocabulary.token_kind(token) != TokenKind::kUnused;
      if (usable) bitmask_set(usable_, token);
    }
  }
  sets_.push_back({first_range, static_cast<std::uint32_t>(ranges_.size()) - first_range, set.complement});
  if (is_empty(sets_.back())) {
    return tl::unexpected(no_such_token("no token of the vocabulary is in `" + set.name + "`", set));
  }
  return {};
}

bool TokenTerminals::is_empty(const Set& set) const {
  if (!set.complement) return set.range_count == 0;
  // The first usable token outside the ranges is usually found at once.
  std::uint32_t token = 0;
  const auto end = static_cast<std::uint32_t>(usable_.size() * 32);
  for (const Range& range : ranges(set)) {
    for (; token < range.first; ++token) {
      if (bitmask_get(usable_, token)) return false;
    }
    token = range.last + 1;
  }
  for (; token < end; ++token) {
    if (bitmask_get(usable_, token)) return false;
  }
  return true;
}

bool TokenTerminals::lists(const Set& set, std::uint32_t token) const {
  const auto listed = ranges(set);
  const auto after = std::upper_bound(listed.begin(), listed.end(), token,
                                      [](std::uint32_t t, const Range& range) { return t < range.first; });
  return after != listed.begin() && token <= (after - 1)->last;
}

bool TokenTerminals::contains(std::size_t index, std::uint32_t token) const {
  const Set& set = sets_[index];
  return set.complement ? !lists(set, token) && bitmask_get(usable_, token) : lists(set, token);
}

bool TokenTerminals::contains(std::size_t index, std::uint32_t token, TokenRole role,
                              const vocab::Vocabulary& vocabulary) const {
  if (role == TokenRole::kOfVocabulary || !sets_[index].complement) return contains(index, token);
  const bool is_usable = vocabulary.is_stop_token(token) && !vocabulary.is_unused_unless_stop(token);
  return is_usable && !lists(sets_[index], token);
}

std::optional<std::uint32_t> TokenTerminals::example(std::size_t index, const vocab::Vocabulary& vocabulary,
                                                     const StopTokens& stops) const {
  std::optional<std::uint32_t> found;
  const auto is_plain = [&](std::uint32_t token) {
    if (!contains(index, token, stops.role(token), vocabulary)) return false;
    if (!found) found = token;
    return !stops.contains(token) && !stops.adds_nothing(token, TokenPosition::kFirst);
  };
  if (sets_[index].complement) {
    for (std::uint32_t token = 0; token < vocabulary.size(); ++token) {
      if (is_plain(token)) return token;
    }
    return found;
  }
  for (const Range& range : ranges(sets_[index])) {
    for (std::uint32_t token = range.first; token <= range.last; ++token) {
      if (is_plain(token)) return token;
    }
  }
  return found;
}

TokenBits TokenTerminals::leading_to(TokenPosition after, std::size_t set, TokenPosition position,
                                     const vocab::Vocabulary& vocabulary) const {
  TokenBits bits;
  if (position == TokenPosition::kInside && after != position) return bits;
  TokenBits all(bitmask_words(vocabulary.size()));
  add_to(set, all);
  if (position == TokenPosition::kInside) return all;
  const auto empty = vocabulary.first_empty_tokens();
  vocab::for_each_token(all, [&](std::uint32_t token) {
    if (position_after_token(vocabulary, token, position) != after) return;
    if (std::binary_search(empty.begin(), empty.end(), token)) return;
    if (bits.empty()) bits.resize(all.size());
    bitmask_set(bits, token);
  });
  return bits;
}

void TokenTerminals::add_to(std::size_t index, std::span<std::uint32_t> bitmask) const {
  const Set& set = sets_[index];
  if (!set.complement) {
    for (const Range& range : ranges(set)) {
      for (std::uint32_t word = range.first / 32; word <= range.last / 32; ++word) {
        bitmask[word] |= bits_in_word(range.first, range.last, word);
      }
    }
    return;
  }
  auto range = ranges(set).begin();
  const auto end = ranges(set).end();
  for (std::uint32_t word = 0; word < bitmask.size(); ++word) {
    std::uint32_t bits = usable_[word];
    while (range != end && range->last / 32 < word) ++range;
    for (auto touching = range; touching != end && touching->first / 32 <= word; ++touching) {
      bits &= ~bits_in_word(touching->first, touching->last, word);
    }
    bitmask[word] |= bits;
  }
}

}  // namespace weir::engine
