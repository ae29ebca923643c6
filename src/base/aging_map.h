// AgingMap: a map that drops the entries which were not asked for lately.
//
// HOW    Two generations. A new entry, and an old one that is found, is young. When the young ones exceed half of the
//        bound, the old ones are dropped and the young ones become old. Both generations together take at most the
//        bound, unless one value alone takes more than half of it. Finding and inserting take constant time.
// THREADS Not thread-safe.
#ifndef WEIR_SRC_BASE_AGING_MAP_H_
#define WEIR_SRC_BASE_AGING_MAP_H_

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
      old_ = std::exchange(young_, {});
      old_bytes_ = std::exchange(young_bytes_, 0);
    }
    const Value& inserted = young_.emplace(key, Entry{std::move(value), bytes}).first->second.value;
    young_bytes_ += bytes;
    return inserted;
  }

  [[nodiscard]] std::size_t memory_bytes() const { return young_bytes_ + old_bytes_; }

 private:
  struct Entry {
    Value value;
    std::size_t bytes;
  };
  std::size_t max_bytes_;
  std::unordered_map<Key, Entry, Hash> young_, old_;
  std::size_t young_bytes_ = 0;
  std::size_t old_bytes_ = 0;
};

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_AGING_MAP_H_
