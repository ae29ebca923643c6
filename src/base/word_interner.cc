#include "base/word_interner.h"

#include <algorithm>

namespace weir::base {

std::pair<std::uint32_t, bool> WordInterner::intern(std::span<const std::uint32_t> words) {
  const auto hash = static_cast<std::uint32_t>(hash_words(words) >> 16);
  std::size_t mask = slots_.size() - 1;
  std::size_t i = hash & mask;
  for (; slots_[i].id != kFree; i = (i + 1) & mask) {
    if (slots_[i].hash == hash && std::ranges::equal((*this)[slots_[i].id], words)) return {slots_[i].id, false};
  }
  const std::uint32_t id = size();
  if ((static_cast<std::size_t>(id) + 1) * 4 > slots_.size() * 3) {
    grow();
    mask = slots_.size() - 1;
    i = hash & mask;
    while (slots_[i].id != kFree) i = (i + 1) & mask;
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
