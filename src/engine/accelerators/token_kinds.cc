#include "engine/accelerators/token_kinds.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "base/work.h"
#include "weir/bitmask.h"

namespace weir::engine {

using vocab::CharacterKind;
using vocab::CharacterSet;

namespace {

// A token is in the group of the first of these kinds that it contains.
constexpr std::array kGroupKinds{CharacterKind::kOther, vocab::kind_of_ascii('\\'), vocab::kind_of_ascii('"')};

CharacterKind kind_of_character(char32_t character, std::uint8_t first_byte) {
  if (character < 0x80) return vocab::kind_of_ascii(first_byte);
  const bool is_space =
      std::any_of(std::begin(vocab::kWideSpaces), std::end(vocab::kWideSpaces),
                  [&](const auto& range) { return character >= range.first && character <= range.last; });
  return is_space ? CharacterKind::kWideSpace : vocab::kind_of_lead(first_byte);
}

}  // namespace

TokenKinds::TokenKinds(const vocab::Vocabulary& vocabulary)
    : all_(vocabulary.summary().all_tokens()), long_(all_.size()) {
  const auto add = [&](TokenBits& bits, std::uint32_t token) {
    if (bits.empty()) bits.resize(all_.size());
    bitmask_set(bits, token);
  };
  for (TokenBits& bits : longer_than_) bits.resize(all_.size());
  std::array<std::vector<std::pair<std::string_view, std::uint32_t>>, kGroupKinds.size()> apart;
  for (std::uint32_t token = 0; token < vocabulary.size(); ++token) {
    if (!bitmask_get(all_, token)) continue;
    const std::string_view text = vocabulary.token_bytes(token);
    CharacterSet kinds;
    unsigned characters = 0;
    for (std::size_t at = 0; at < text.size(); ++characters) {
      const base::Decoded decoded = base::decode_utf8(text, at);
      const CharacterKind kind = decoded.length == 0
                                     ? CharacterKind::kOther
                                     : kind_of_character(decoded.code_point, static_cast<std::uint8_t>(text[at]));
      kinds.add(kind);
      if (decoded.length == 0) break;
      add(with_[static_cast<std::size_t>(kind)], token);
      at += decoded.length;
    }
    for (unsigned most = 0; most < std::min(characters, kMaxRuleCharacters + 1); ++most) {
      bitmask_set(longer_than_[most], token);
    }
    if (characters > kLongRuleCharacters) bitmask_set(long_, token);
    const auto first = std::ranges::find_if(kGroupKinds, [&](CharacterKind kind) { return kinds.contains(kind); });
    if (first != kGroupKinds.end()) {
      apart[static_cast<std::size_t>(first - kGroupKinds.begin())].emplace_back(text, token);
    }
  }
  // A token with a control character is always open. One with a backslash may also have a quote.
  apart_[0].kinds.add(kGroupKinds[0]);
  for (const CharacterKind kind : {kGroupKinds[1], kGroupKinds[2]}) apart_[1].kinds.add(kind);
  apart_[2].kinds.add(kGroupKinds[2]);
  for (std::size_t i = 0; i < apart_.size(); ++i) {
    apart_[i].tokens.resize(all_.size());
    for (const auto& [text, token] : apart[i]) bitmask_set(apart_[i].tokens, token);
    apart_[i].trie = vocab::TokenTrie(apart[i]);
  }
  for (std::size_t i = 0; i < with_.size(); ++i) {
    if (with_[i].empty()) continue;
    TokenBits& group = with_group_[i / kGroup];
    if (group.empty()) group.resize(all_.size());
    vocab::add_bits(with_[i], group);
  }
}

TokenBits TokenKinds::ready(const CharacterRule& rule) const {
  TokenBits others(all_.size());  // the tokens that are not viable prefixes, or may not be
  std::uint64_t joined = 2;
  const auto add = [&](const TokenBits& bits) {
    if (bits.empty()) return;
    vocab::add_bits(bits, others);
    ++joined;
  };
  for (const Apart& group : apart_) {
    if (group.is_open(rule)) add(group.tokens);
  }
  for (std::size_t group = 0; group < with_group_.size(); ++group) {
    const std::size_t begin = group * kGroup;
    if (!rule.taken.contains_any(begin, kGroup)) {
      add(with_group_[group]);
      continue;
    }
    for (std::size_t i = begin; i < begin + kGroup; ++i) {
      if (!rule.taken.contains(CharacterKind{static_cast<std::uint8_t>(i)})) add(with_[i]);
    }
  }
  if (rule.most != CharacterRule::kAnyNumber) add(longer_than_[rule.most]);
  if (rule.known != CharacterRule::kAnyNumber)
    add(rule.known == kLongRuleCharacters ? long_ : longer_than_[rule.known]);
  base::Work::charge(joined * all_.size() / kBitmaskWordsForOneStep);
  for (std::size_t w = 0; w < all_.size(); ++w) others[w] = all_[w] & ~others[w];
  return others;
}

std::size_t TokenKinds::memory_bytes() const {
  std::size_t words = all_.size() + long_.size();
  std::size_t tries = 0;
  for (const Apart& group : apart_) {
    words += group.tokens.size();
    tries += group.trie.memory_bytes();
  }
  for (const TokenBits& bits : with_) words += bits.size();
  for (const TokenBits& bits : with_group_) words += bits.size();
  for (const TokenBits& bits : longer_than_) words += bits.size();
  return sizeof(TokenKinds) + words * sizeof(std::uint32_t) + tries;
}

}  // namespace weir::engine
