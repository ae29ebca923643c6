#include "engine/mask/token_kinds.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <string_view>

#include "base/utf8.h"
#include "base/work.h"
#include "engine/search_bounds.h"
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
    : all_(vocabulary.summary().all_tokens()), odd_(all_.size()) {
  const auto add = [&](TokenBits& bits, std::uint32_t token) {
    if (bits.empty()) bits.resize(all_.size());
    bitmask_set(bits, token);
  };
  for (TokenBits& bits : longer_than_) bits.resize(all_.size());
  for (std::uint32_t token = 0; token < vocabulary.size(); ++token) {
    if (!bitmask_get(all_, token)) continue;
    const std::string_view text = vocabulary.token_bytes(token);
    unsigned characters = 0;
    for (std::size_t at = 0; at < text.size(); ++characters) {
      const base::Decoded decoded = base::decode_utf8(text, at);
      const CharacterKind kind = decoded.length == 0 ? CharacterKind::kOther : kind_of_character(decoded.code_point);
      if (kind == CharacterKind::kOther) bitmask_set(odd_, token);
      if (decoded.length == 0) break;
      add(with_[static_cast<std::size_t>(kind)], token);
      at += decoded.length;
    }
    for (unsigned most = 0; most < std::min(characters, kMaxRuleCharacters + 1); ++most) {
      bitmask_set(longer_than_[most], token);
    }
  }
}

TokenKinds::Found TokenKinds::find(const CharacterRule& rule, CharacterKind apart) const {
  Found found;
  TokenBits left = odd_;
  TokenBits rejected(all_.size());
  TokenBits separate(all_.size());
  std::uint64_t joined = 3;
  for (std::size_t i = 0; i < with_.size(); ++i) {
    const CharacterKind kind{static_cast<std::uint8_t>(i)};
    if (with_[i].empty() || rule.taken.contains(kind)) continue;
    join(rule.rejected.contains(kind) ? rejected : kind == apart ? separate : left, with_[i]);
    ++joined;
  }
  if (rule.most != CharacterRule::kAnyNumber) join(rejected, longer_than_[rule.most]);
  base::Work::charge(joined * all_.size() / kBitmaskWordsForOneStep);
  std::size_t count = 0;
  std::size_t tokens = 0;
  for (std::size_t w = 0; w < all_.size(); ++w) {
    left[w] &= all_[w] & ~separate[w];
    rejected[w] = all_[w] & ~(rejected[w] | left[w] | separate[w]);  // from here on the ready ones
    count += static_cast<std::size_t>(std::popcount(left[w]));
    tokens += static_cast<std::size_t>(std::popcount(all_[w]));
  }
  found.is_worth_it = count * kTokensForOneLeft <= tokens;
  if (!found.is_worth_it) return found;
  found.ready = std::move(rejected);
  found.left.reserve(count);
  for (std::size_t w = 0; w < left.size(); ++w) {
    for (std::uint32_t bits = left[w]; bits != 0; bits &= bits - 1) {
      found.left.push_back(static_cast<std::uint32_t>(w * 32) + static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
  }
  return found;
}

std::size_t TokenKinds::memory_bytes() const {
  std::size_t words = all_.size() + odd_.size();
  for (const TokenBits& bits : with_) words += bits.size();
  for (const TokenBits& bits : longer_than_) words += bits.size();
  return sizeof(TokenKinds) + words * sizeof(std::uint32_t);
}

}  // namespace weir::engine
