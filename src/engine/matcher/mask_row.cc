#include "engine/matcher/mask_row.h"

#include <algorithm>

#include "weir/bitmask.h"

namespace weir::engine {

namespace {

// Stands for the mask of a row without a grammar.
const Mask kAllTokens;

}  // namespace

void MaskRow::write(const std::shared_ptr<SharedAutomaton>& automaton, const Mask& mask) {
  number_ = 0;
  if (holds(automaton, mask)) return;
  if (is_known_ && most_ == mask.most) {
    for (const std::uint32_t i : changed_) words_[i] = most_ == nullptr ? 0 : (*most_)[i];
    for (const Mask::Word& word : mask.changed) words_[word.index] ^= word.bits;
  } else {
    mask.write(words_);
    most_ = mask.most;
    is_known_ = true;
  }
  changed_.clear();
  for (const Mask::Word& word : mask.changed) changed_.push_back(word.index);
  if (owner_.owner_before(automaton) || automaton.owner_before(owner_)) owner_ = automaton;
  mask_ = &mask;
}

void MaskRow::set(std::uint32_t token, bool is_allowed) {
  number_ = 0;
  if (bitmask_get(words_, token) == is_allowed) return;
  is_allowed ? bitmask_set(words_, token) : bitmask_clear(words_, token);
  changed_.push_back(token / 32);
  mask_ = nullptr;
}

void MaskRow::allow_all() {
  if (mask_ == &kAllTokens) return;
  std::ranges::fill(overwrite(), UINT32_MAX);
  mask_ = &kAllTokens;
}

std::span<std::uint32_t> MaskRow::overwrite() {
  number_ = 0;
  is_known_ = false;
  mask_ = nullptr;
  most_.reset();
  owner_.reset();
  return words_;
}

}  // namespace weir::engine
