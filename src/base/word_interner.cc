#include "base/word_interner.h"

#include <algorithm>

namespace weir::base {

namespace {

std::uint32_t hash_of(std::span<const std::uint32_t> words) {
  return static_cast<std::uint32_t>(hash_words(words) >> 16);
}

}  // namespace

const NumberSlot& WordInterner::slot_of(std::span<const std::uint32_t> words, std::uint32_t hash) const {
  return slots_.find(hash, [&](const NumberSlot& slot) {
    return slot.key_hash == hash && std::ranges::equal((*this)[slot.number], words);
  });
}

std::optional<std::uint32_t> WordInterner::find(std::span<const std::uint32_t> words) const {
  const NumberSlot& slot = slot_of(words, hash_of(words));
  return slot.is_free() ? std::nullopt : std::optional(slot.number);
}

std::pair<std::uint32_t, bool> WordInterner::intern(std::span<const std::uint32_t> words) {
  const std::uint32_t hash = hash_of(words);
  if (const NumberSlot& slot = slot_of(words, hash); !slot.is_free()) return {slot.number, false};
  const std::uint32_t id = size();
  slots_.insert({id, hash});
  words_.insert(words_.end(), words.begin(), words.end());
  begin_.push_back(words_.size());
  return {id, true};
}

}  // namespace weir::base
