#include "engine/sets/mask.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "base/hash.h"
#include "engine/search_bounds.h"
#include "weir/bitmask.h"

namespace weir::engine {

using vocab::for_each_bit;

void Mask::write(std::span<std::uint32_t> bitmask) const {
  if (most != nullptr) {
    std::copy(most->begin(), most->end(), bitmask.begin());
  } else if (!bitmask.empty()) {
    // Not std::fill, which is a loop in a module that is compiled for size: half of the time of a known mask.
    std::memset(bitmask.data(), 0, bitmask.size_bytes());
  }
  for (const Word& word : changed) bitmask[word.index] ^= word.bits;
}

bool Mask::contains(std::uint32_t token) const {
  const bool is_in_most = most != nullptr && bitmask_get(*most, token);
  const auto word = std::ranges::lower_bound(changed, token / 32, {}, &Word::index);
  const bool differs = word != changed.end() && word->index == token / 32 && ((word->bits >> (token % 32)) & 1) != 0;
  return is_in_most != differs;
}

template <typename Use>
void MaskDraft::for_each_touched(Use use) const {
  for (std::size_t i = 0; i < touched_.size(); ++i) for_each_bit(i, touched_[i], use);
}

Mask mask_of(std::span<const std::uint32_t> bitmask) {
  Mask mask;
  for (std::uint32_t i = 0; i < bitmask.size(); ++i) {
    if (bitmask[i] == 0) continue;
    mask.changed.push_back({i, bitmask[i]});
    if (mask.changed.size() <= bitmask.size() / 4) continue;
    mask.changed = {};
    mask.most = std::make_shared<const TokenBits>(bitmask.begin(), bitmask.end());
    mask.has_own_bits = true;
    return mask;
  }
  mask.changed.shrink_to_fit();
  return mask;
}

Mask MaskBases::mask_of(std::span<const std::uint32_t> bitmask) {
  Mask mask = engine::mask_of(bitmask);
  if (mask.most == nullptr) return mask;
  const auto sample = [&](std::size_t i) { return bitmask[i * bitmask.size() / kMaskSampleWords]; };
  std::shared_ptr<const TokenBits> nearest;
  std::size_t least = kMaskSampleWords / 6;  // if as many differ, a difference is hardly smaller than the bitmask
  for (const Base& base : bases_) {
    std::size_t differing = 0;
    for (std::size_t i = 0; i < kMaskSampleWords; ++i) differing += base.samples[i] != sample(i) ? 1 : 0;
    if (differing >= least) continue;
    if (auto bits = base.bits.lock()) {
      least = differing;
      nearest = std::move(bits);
    }
  }
  if (nearest != nullptr) {
    std::size_t differing = 0;
    for (std::size_t i = 0; i < bitmask.size(); ++i) differing += bitmask[i] != (*nearest)[i] ? 1 : 0;
    if (differing <= bitmask.size() / 4) {
      mask.most = std::move(nearest);
      mask.changed.reserve(differing);
      for (std::uint32_t i = 0; i < bitmask.size(); ++i) {
        const std::uint32_t bits = bitmask[i] ^ (*mask.most)[i];
        if (bits != 0) mask.changed.push_back({i, bits});
      }
      return mask;
    }
  }
  Base base;
  for (std::size_t i = 0; i < kMaskSampleWords; ++i) base.samples[i] = sample(i);
  const std::size_t bytes = bitmask.size_bytes();
  *memory_bytes_ += bytes;
  // The deleter lives as long as the weak pointer in bases_, so it must let go of the bits itself.
  auto drop = [own = mask.most, bytes, total = memory_bytes_](const TokenBits*) mutable {
    *total -= bytes;
    own = nullptr;
  };
  mask.most = std::shared_ptr<const TokenBits>(mask.most.get(), std::move(drop));
  base.bits = mask.most;
  if (bases_.size() < kMaskBases) {
    bases_.push_back(std::move(base));
  } else {
    bases_[oldest_] = std::move(base);
    oldest_ = (oldest_ + 1) % kMaskBases;
  }
  return mask;
}

std::shared_ptr<const TokenBits> MaskUnions::of(const std::shared_ptr<const TokenBits>& a,
                                                const std::shared_ptr<const TokenBits>& b) {
  for (const Union& known : unions_) {
    if ((known.a == a && known.b == b) || (known.a == b && known.b == a)) return known.both;
  }
  if (unions_.size() >= kMaxMaskUnions) return nullptr;
  TokenBits bits(*a);
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] |= (*b)[i];
  std::shared_ptr<const TokenBits> both;
  if (bits == *a || bits == *b) both = bits == *a ? a : b;
  for (const Union& known : unions_) {
    if (both == nullptr && *known.both == bits) both = known.both;
  }
  if (both == nullptr) {
    memory_bytes_ += bits.size() * sizeof(bits[0]);
    both = std::make_shared<const TokenBits>(std::move(bits));
  }
  unions_.push_back({a, b, both});
  return both;
}

void MaskDraft::reset(std::size_t words, MaskUnions* unions) {
  unions_ = unions;
  difference_.resize(words);
  for_each_touched([&](std::size_t i) { difference_[i] = 0; });
  touched_.assign((words + 63) / 64, 0);
  most_ = nullptr;
}

// `is_own` is true if `bits` is that of one mask alone, whose unions are not worth storing.
void MaskDraft::add_all_but(const std::shared_ptr<const TokenBits>& bits, bool is_own,
                            std::span<const std::uint32_t> except) {
  if (most_ == bits) return put_back_all_but(except);
  std::vector<std::uint32_t> out;  // tokens to leave out; those already in the set stay
  for (const std::uint32_t token : except) {
    if (bitmask_get(*bits, token) && !contains(token)) out.push_back(token);
  }
  if (most_ == nullptr) {  // the difference so far was from the empty set; from now on it is from `bits`
    most_ = bits;
    has_own_most_ = is_own;
    for_each_touched([&](std::size_t i) { difference_[i] &= ~(*bits)[i]; });
  } else if (auto both = is_own || has_own_most_ || unions_ == nullptr ? nullptr : unions_->of(most_, bits)) {
    for_each_touched([&](std::size_t i) { difference_[i] = (word(i) | (*bits)[i]) ^ (*both)[i]; });
    most_ = std::move(both);
  } else {
    add_all(*bits);
  }
  for (const std::uint32_t token : out) flip(token);
}

void MaskDraft::add_all(const Mask& mask) {
  if (mask.most != nullptr) {
    std::vector<std::uint32_t> except;
    for (const Mask::Word& changed : mask.changed) {
      for_each_bit(changed.index, changed.bits & (*mask.most)[changed.index],
                   [&](std::uint32_t token) { except.push_back(token); });
    }
    add_all_but(mask.most, mask.has_own_bits, except);
  }
  for (const auto& [index, bits] : mask.changed) {
    const std::uint32_t added = mask.most == nullptr ? bits : bits & ~(*mask.most)[index];
    difference_[index] ^= added & ~word(index);
    touch(index);
  }
}

// Adds the tokens of `most_` that the set lacks, except those in `except`.
void MaskDraft::put_back_all_but(std::span<const std::uint32_t> except) {
  for_each_touched([&](std::size_t i) {
    for_each_bit(i, difference_[i] & (*most_)[i], [&](std::uint32_t token) {
      if (!std::binary_search(except.begin(), except.end(), token)) difference_[i] ^= std::uint32_t{1} << (token % 32);
    });
  });
}

void MaskDraft::add_all(std::span<const std::uint32_t> bits) {
  constexpr std::size_t kBlock = 16;  // most blocks lack nothing, which is found without a branch for each word
  std::size_t begin = 0;
  const auto add = [&](auto word_of) {
    for (; begin + kBlock <= bits.size(); begin += kBlock) {
      std::uint32_t missing = 0;
      for (std::size_t i = begin; i < begin + kBlock; ++i) missing |= bits[i] & ~word_of(i);
      if (missing != 0) add_block(bits, begin, begin + kBlock);
    }
  };
  const std::uint32_t* const difference = difference_.data();
  if (most_ == nullptr) {
    add([difference](std::size_t i) { return difference[i]; });
  } else {
    add([difference, most = most_->data()](std::size_t i) { return difference[i] ^ most[i]; });
  }
  add_block(bits, begin, bits.size());
}

// Adds the tokens of some words.
void MaskDraft::add_block(std::span<const std::uint32_t> bits, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint32_t added = bits[i] & ~word(i);
    if (added == 0) continue;
    difference_[i] ^= added;
    touch(i);
  }
}

Mask MaskDraft::take() {
  Mask mask{most_};
  changed_.clear();
  for_each_touched([&](std::size_t i) {
    if (difference_[i] != 0) changed_.push_back({static_cast<std::uint32_t>(i), difference_[i]});
  });
  // A list of more than a quarter of the words would be at least half as large as a bitmask.
  if (changed_.size() > difference_.size() / 4) {
    TokenBits own(difference_);
    if (most_ != nullptr) std::ranges::transform(own, *most_, own.begin(), std::bit_xor<>());
    mask = {std::make_shared<const TokenBits>(std::move(own))};
    mask.has_own_bits = true;
  } else {
    mask.changed.assign(changed_.begin(), changed_.end());  // exactly as large as needed, because masks are kept
  }
  for (const Mask::Word& word : changed_) difference_[word.index] = 0;
  touched_.assign(touched_.size(), 0);
  most_ = nullptr;
  return mask;
}

const Mask* MaskStore::intern(Mask mask) {
  std::uint64_t hash = mask.has_own_bits ? base::hash_long(*mask.most) : std::hash<const void*>()(mask.most.get());
  for (const Mask::Word& word : mask.changed) {
    hash = base::hash_mix(hash, (std::uint64_t{word.index} << 32) | word.bits);
  }
  hash = base::hash_words(mask.undecided, hash);
  const auto same_bits = [&](const Mask& other) {
    return other.most == mask.most || (mask.has_own_bits && other.has_own_bits && *other.most == *mask.most);
  };
  const auto [begin, end] = masks_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    const Mask& known = *it->second;
    if (same_bits(known) && known.changed == mask.changed && known.undecided == mask.undecided) return &known;
  }
  mask.undecided.shrink_to_fit();
  memory_bytes_ += mask.memory_bytes();
  mask.id = static_cast<std::uint32_t>(masks_.size());
  return masks_.emplace(hash, std::make_unique<const Mask>(std::move(mask)))->second.get();
}

}  // namespace weir::engine
