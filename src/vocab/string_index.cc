#include "vocab/string_index.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/hash.h"

namespace weir::vocab {

namespace {

std::uint64_t hash_bytes(std::string_view bytes) noexcept {
  std::uint64_t h = 0x51ED270B7F4A7C15ULL ^ bytes.size();
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    h = base::hash_mix(h, word);
  }
  if (at < bytes.size()) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, bytes.size() - at);
    h = base::hash_mix(h, word);
  }
  return h ^ (h >> 32);
}

std::uint32_t tag_of(std::uint64_t hash) noexcept { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

StringIndex::StringIndex(std::size_t keys, std::size_t bytes)
    : slots_(std::bit_ceil(std::max<std::size_t>(8, 2 * keys))) {
  block_.reserve(bytes);
}

// Returns the slot that holds `key`, or the free slot to put it into.
std::size_t StringIndex::slot_of(std::string_view key, std::uint64_t hash) const noexcept {
  const std::size_t mask = slots_.size() - 1;
  const std::string_view block = block_;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.id == kNone) return at;
    if (slot.tag == tag_of(hash) && slot.length == key.size() && block.substr(slot.begin, slot.length) == key)
      return at;
  }
}

bool StringIndex::insert(std::string_view key, std::uint32_t id) {
  if (2 * (size_ + 1) > slots_.size()) grow();
  const std::uint64_t hash = hash_bytes(key);
  Slot& slot = slots_[slot_of(key, hash)];
  if (slot.id != kNone) return false;
  slot = {id, static_cast<std::uint32_t>(block_.size()), static_cast<std::uint32_t>(key.size()), tag_of(hash)};
  block_.append(key);
  ++size_;
  longest_ = std::max(longest_, key.size());
  return true;
}

std::uint32_t StringIndex::find(std::string_view key) const noexcept {
  if (key.size() > longest_) return kNone;
  return slots_[slot_of(key, hash_bytes(key))].id;
}

void StringIndex::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  const std::string_view block = block_;
  for (const Slot& slot : old) {
    if (slot.id == kNone) continue;
    const std::string_view key = block.substr(slot.begin, slot.length);
    slots_[slot_of(key, hash_bytes(key))] = slot;
  }
}

}  // namespace weir::vocab
