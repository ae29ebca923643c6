#include "engine/mask/token_kinds.h"

#include <algorithm>
#include <bit>
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

CharacterKind kind_of_character(char32_t character) {
  if (character < 0x80) return vocab::kind_of_ascii(static_cast<std::uint8_t>(character));
  const bool is_space =
      std::any_of(std::begin(vocab::kWideSpaces), std::end(vocab::kWideSpaces),
                  [&](const auto& range) { return character >= range.first && character <= range.last; });
  return is_space ? CharacterKind::kWideSpace : CharacterKind::kBeyondAscii;
}

void join(TokenBits& bits, const TokenBits& others) {
  for (std::size_t w = 0; w < others.size(); ++w) bits[w] |= others[w];
}

}  // namespace

TokenKinds::TokenKinds(const vocab::Vocabulary& vocabulary)
    : all_(vocabulary.summary().all_tokens()), apart_(all_.size()), long_(all_.size()) {
  const auto add = [&](TokenBits& bits, std::uint32_t token) {
    if (bits.empty()) bits.resize(all_.size());
    bitmask_set(bits, token);
  };
  for (TokenBits& bits : longer_than_) bits.resize(all_.size());
  std::vector<std::pair<std::string_view, std::uint32_t>> apart;
  for (std::uint32_t token = 0; token < vocabulary.size(); ++token) {
    if (!bitmask_get(all_, token)) continue;
    const std::string_view text = vocabulary.token_bytes(token);
    unsigned characters = 0;
    for (std::size_t at = 0; at < text.size(); ++characters) {
      const base::Decoded decoded = base::decode_utf8(text, at);
      const CharacterKind kind = decoded.length == 0 ? CharacterKind::kOther : kind_of_character(decoded.code_point);
      if (kApart.contains(kind)) bitmask_set(apart_, token);
      if (decoded.length == 0) break;
      add(with_[static_cast<std::size_t>(kind)], token);
      at += decoded.length;
    }
    for (unsigned most = 0; most < std::min(characters, kMaxRuleCharacters + 1); ++most) {
      bitmask_set(longer_than_[most], token);
    }
    if (characters > kLongRuleCharacters) bitmask_set(long_, token);
    if (bitmask_get(apart_, token)) apart.emplace_back(text, token);
  }
  apart_trie_ = vocab::TokenTrie(apart);
  for (std::size_t i = 0; i < with_.size(); ++i) {
    if (with_[i].empty()) continue;
    TokenBits& group = with_group_[i / kGroup];
    if (group.empty()) group.resize(all_.size());
    join(group, with_[i]);
  }
}

TokenBits TokenKinds::ready(const CharacterRule& rule) const {
  TokenBits others = apart_;  // the tokens that are not viable prefixes, or may not be
  std::uint64_t joined = 2;
  const auto add = [&](const TokenBits& bits) {
    if (bits.empty()) return;
    join(others, bits);
    ++joined;
  };
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
  std::size_t words = all_.size() + apart_.size() + long_.size();
  for (const TokenBits& bits : with_) words += bits.size();
  for (const TokenBits& bits : with_group_) words += bits.size();
  for (const TokenBits& bits : longer_than_) words += bits.size();
  return sizeof(TokenKinds) + words * sizeof(std::uint32_t) + apart_trie_.memory_bytes();
}

}  // namespace weir::engine
