#include "vocab/token_set.h"

#include <utility>

namespace weir::vocab {

void add_bits(std::span<const std::uint32_t> from, std::span<std::uint32_t> to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] |= from[i];
}

TokenSet::TokenSet(std::vector<std::uint32_t> tokens, std::size_t words) {
  if (tokens.size() <= words) {
    list_ = std::move(tokens);
    list_.shrink_to_fit();
    std::sort(list_.begin(), list_.end());
    return;
  }
  bits_.resize(words);
  for (const std::uint32_t token : tokens) bitmask_set(bits_, token);
}

void TokenSet::add_to(std::span<std::uint32_t> bitmask) const {
  add_bits(bits_, bitmask);
  for (const std::uint32_t token : list_) bitmask_set(bitmask, token);
}

void TokenSet::remove_from(std::span<std::uint32_t> bitmask) const {
  for (std::size_t i = 0; i < bits_.size(); ++i) bitmask[i] &= ~bits_[i];
  for (const std::uint32_t token : list_) bitmask_clear(bitmask, token);
}

TokenSet TokenSet::within(std::span<const std::uint32_t> bitmask) const {
  TokenSet common(*this);
  std::erase_if(common.list_, [&](std::uint32_t token) { return !bitmask_get(bitmask, token); });
  std::uint32_t any = 0;
  for (std::size_t i = 0; i < bits_.size(); ++i) any |= common.bits_[i] &= bitmask[i];
  if (any == 0) common.bits_.clear();
  return common;
}

std::uint32_t TokenSet::first() const {
  std::uint32_t first = 0;
  for_each([&](std::uint32_t token) {
    first = token;
    return false;
  });
  return first;
}

}  // namespace weir::vocab
