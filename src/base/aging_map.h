// AgingMap: a map that drops the entries not looked up lately.
//
// HOW    Two generations, young and old. A new entry is young; an old entry that is found becomes young again. When the
//        young ones exceed half of the bound, the old ones are dropped and the young ones become old. Dropped entries
//        are no longer found. They are destroyed little by little: each insertion destroys as many bytes as it adds,
//        because destroying a generation at once delays one call (docs/decisions/token-facts.md). All entries together
//        take at most the bound, unless one value alone takes more than half of it. Finding and inserting take constant
//        time, plus that of the destructors.
// THREADS Not thread-safe.
#ifndef WEIR_SRC_BASE_AGING_MAP_H_
#define WEIR_SRC_BASE_AGING_MAP_H_

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>

namespace weir::base {

template <typename Key, typename Value, typename Hash>
class AgingMap {
 public:
  explicit AgingMap(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  /// Returns the value of a key, or null. Valid until the next call.
  const Value* find(const Key& key) {
    if (const auto young = young_.find(key); young != young_.end()) return &young->second.value;
    const auto old = old_.find(key);
    if (old == old_.end()) return nullptr;
    Entry entry = old->second;
    return &insert(key, std::move(entry.value), entry.bytes);
  }

  /// Sets the value of a key, which takes `bytes` bytes. Returns it; valid until the next call.
  const Value& insert(const Key& key, Value value, std::size_t bytes) {
    if (const auto old = old_.extract(key)) old_bytes_ -= old.mapped().bytes;
    if (const auto known = young_.find(key); known != young_.end()) {
      young_bytes_ -= known->second.bytes;
      young_.erase(known);
    }
    if (!young_.empty() && young_bytes_ + bytes > max_bytes_ / 2) {
      dropped_ = std::exchange(old_, std::exchange(young_, {}));
      dropped_bytes_ = std::exchange(old_bytes_, std::exchange(young_bytes_, 0));
    }
    destroy_dropped(bytes);
    const Value& inserted = young_.emplace(key, Entry{std::move(value), bytes}).first->second.value;
    young_bytes_ += bytes;
    return inserted;
  }

  [[nodiscard]] std::size_t memory_bytes() const { return young_bytes_ + old_bytes_ + dropped_bytes_; }

 private:
  struct Entry {
    Value value;
    std::size_t bytes;
  };
  // Destroys dropped entries of at least `bytes` bytes together, or all that there are.
  void destroy_dropped(std::size_t bytes) {
    while (bytes > 0 && !dropped_.empty()) {
      const auto first = dropped_.begin();
      bytes -= std::min(bytes, first->second.bytes);
      dropped_bytes_ -= first->second.bytes;
      dropped_.erase(first);
    }
  }

  std::size_t max_bytes_;
  std::unordered_map<Key, Entry, Hash> young_, old_, dropped_;
  std::size_t young_bytes_ = 0;
  std::size_t old_bytes_ = 0;
  std::size_t dropped_bytes_ = 0;
};

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_AGING_MAP_H_
