#include "base/word_interner.h"

#include <algorithm>

namespace weir::base {

namespace {

std::uint32_t hash_of(std::span<const std::uint32_t> words) {
  return static_cast<std::uint32_t>(hash_words(words) >> 16);
}

}  // namespace

std::size_t WordInterner::slot_of(std::span<const std::uint32_t> words, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = hash & mask;
  for (; slots_[i].id != kFree; i = (i + 1) & mask) {
    if (slots_[i].hash == hash && std::ranges::equal((*this)[slots_[i].id], words)) break;
  }
  return i;
}

std::optional<std::uint32_t> WordInterner::find(std::span<const std::uint32_t> words) const {
  const Slot& slot = slots_[slot_of(words, hash_of(words))];
  return slot.id != kFree ? std::optional(slot.id) : std::nullopt;
}

std::pair<std::uint32_t, bool> WordInterner::intern(std::span<const std::uint32_t> words) {
  const std::uint32_t hash = hash_of(words);
  std::size_t i = slot_of(words, hash);
  if (slots_[i].id != kFree) return {slots_[i].id, false};
  const std::uint32_t id = size();
  if ((static_cast<std::size_t>(id) + 1) * 4 > slots_.size() * 3) {
    grow();
    i = slot_of(words, hash);
  }
  slots_[i] = {id, hash};
  words_.insert(words_.end(), words.begin(), words.end());
  begin_.push_back(words_.size());
  return {id, true};
}

void WordInterner::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.id == kFree) continue;
    std::size_t i = slot.hash & mask;
    while (slots_[i].id != kFree) i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

}  // namespace weir::base
