#include "engine/mask.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include "base/hash.h"
#include "weir/bitmask.h"

namespace weir::engine {

namespace {

// Calls `use` for each bit of word number `word`, with its number among the bits of all.
template <typename Word, typename Use>
void for_each_bit(std::size_t word, Word bits, Use use) {
  constexpr std::size_t kBits = sizeof(Word) * 8;
  for (; bits != 0; bits &= bits - 1) use(word * kBits + static_cast<std::size_t>(std::countr_zero(bits)));
}

}  // namespace

void Mask::write(std::span<std::uint32_t> bitmask) const {
  if (most == nullptr) {
    std::fill(bitmask.begin(), bitmask.end(), 0);
  } else {
    std::copy(most->begin(), most->end(), bitmask.begin());
  }
  for (const std::uint32_t token : cleared) bitmask_clear(bitmask, token);
  for (const std::uint32_t token : added) bitmask_set(bitmask, token);
}

bool Mask::contains(std::uint32_t token) const {
  if (most != nullptr && bitmask_get(*most, token)) return !std::binary_search(cleared.begin(), cleared.end(), token);
  return std::binary_search(added.begin(), added.end(), token);
}

template <typename Use>
void MaskDraft::for_each_touched(Use use) const {
  for (std::size_t i = 0; i < touched_.size(); ++i) for_each_bit(i, touched_[i], use);
}

void MaskDraft::reset(std::size_t words) {
  difference_.resize(words);
  for_each_touched([&](std::size_t i) { difference_[i] = 0; });
  touched_.assign((words + 63) / 64, 0);
  most_ = nullptr;
}

void MaskDraft::add_all_but(const std::shared_ptr<const TokenBits>& bits, std::span<const std::uint32_t> except) {
  if (most_ == bits) return put_back_all_but(except);
  std::vector<std::uint32_t> out;  // what is in the set already stays
  for (const std::uint32_t token : except) {
    if (bitmask_get(*bits, token) && !contains(token)) out.push_back(token);
  }
  if (most_ == nullptr) {  // the set so far differs from nothing; from now on from `bits`
    most_ = bits;
    for_each_touched([&](std::size_t i) { difference_[i] &= ~(*bits)[i]; });
  } else {
    add_all(*bits);
  }
  for (const std::uint32_t token : out) flip(token);
}

// Adds the tokens of `most_` that the set lacks, but for those in `except`.
void MaskDraft::put_back_all_but(std::span<const std::uint32_t> except) {
  for_each_touched([&](std::size_t i) {
    for_each_bit(i, difference_[i] & (*most_)[i], [&](std::size_t token) {
      if (!std::binary_search(except.begin(), except.end(), token)) difference_[i] ^= std::uint32_t{1} << (token % 32);
    });
  });
}

void MaskDraft::add_all(std::span<const std::uint32_t> bits) {
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const std::uint32_t missing = bits[i] & ~word(i);
    if (missing == 0) continue;
    difference_[i] ^= missing;
    touch(i);
  }
}

Mask MaskDraft::take() {
  Mask mask{most_};
  added_.clear();
  cleared_.clear();
  for_each_touched([&](std::size_t i) {
    const std::uint32_t before = most_ == nullptr ? 0 : (*most_)[i];
    for_each_bit(i, difference_[i], [&](std::size_t token) {
      const bool was_there = ((before >> (token % 32)) & 1) != 0;
      (was_there ? cleared_ : added_).push_back(static_cast<std::uint32_t>(token));
    });
  });
  // Beyond one token in 64 a list is slower to write than a bitmask, and no smaller than half of it.
  if (added_.size() + cleared_.size() > difference_.size() / 2) {
    TokenBits own(difference_);
    for (std::size_t i = 0; most_ != nullptr && i < own.size(); ++i) own[i] ^= (*most_)[i];
    mask = {std::make_shared<const TokenBits>(std::move(own))};
    mask.has_own_bits = true;
  } else {
    mask.added.assign(added_.begin(), added_.end());  // no more room than they need: masks are kept
    mask.cleared.assign(cleared_.begin(), cleared_.end());
  }
  reset(difference_.size());
  return mask;
}

const Mask* MaskStore::intern(Mask mask) {
  std::uint64_t hash = mask.has_own_bits ? base::hash_long(*mask.most) : std::hash<const void*>()(mask.most.get());
  for (const std::vector<std::uint32_t>* list : {&mask.added, &mask.cleared, &mask.undecided}) {
    hash = base::hash_words(*list, hash);
  }
  const auto same_bits = [&](const Mask& other) {
    return other.most == mask.most || (mask.has_own_bits && other.has_own_bits && *other.most == *mask.most);
  };
  const auto [begin, end] = masks_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    const Mask& known = *it->second;
    if (same_bits(known) && known.added == mask.added && known.cleared == mask.cleared &&
        known.undecided == mask.undecided) {
      return &known;
    }
  }
  for (std::vector<std::uint32_t>* list : {&mask.added, &mask.cleared, &mask.undecided}) {
    list->shrink_to_fit();
    memory_bytes_ += list->size() * sizeof(std::uint32_t);
  }
  memory_bytes_ += sizeof(Mask) + (mask.has_own_bits ? mask.most->size() * sizeof(std::uint32_t) : 0);
  mask.id = static_cast<std::uint32_t>(masks_.size());
  return masks_.emplace(hash, std::make_unique<const Mask>(std::move(mask)))->second.get();
}

}  // namespace weir::engine
