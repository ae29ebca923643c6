#include "vocab/string_index.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"

namespace weir::vocab {

namespace {

std::uint32_t hash_bytes(std::string_view bytes) noexcept {
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
  return static_cast<std::uint32_t>(h ^ (h >> 32));
}

}  // namespace

StringIndex::StringIndex(std::size_t keys, std::size_t bytes) : slots_(keys) { block_.reserve(bytes); }

const StringIndex::Slot& StringIndex::slot_of(std::string_view key, std::uint32_t hash) const noexcept {
  return slots_.find(hash, [&](const Slot& slot) {
    return slot.key_hash == hash && slot.length == key.size() &&
           std::string_view(block_).substr(slot.begin, slot.length) == key;
  });
}

bool StringIndex::insert(std::string_view key, std::uint32_t id) {
  const std::uint32_t hash = hash_bytes(key);
  if (!slot_of(key, hash).is_free()) return false;
  slots_.insert({id, static_cast<std::uint32_t>(block_.size()), static_cast<std::uint32_t>(key.size()), hash});
  block_.append(key);
  longest_ = std::max(longest_, key.size());
  return true;
}

std::uint32_t StringIndex::find(std::string_view key) const noexcept {
  return key.size() > longest_ ? kNone : slot_of(key, hash_bytes(key)).id;
}

}  // namespace weir::vocab
