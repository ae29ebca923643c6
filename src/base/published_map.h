// PublishedMap: a hash map from 64-bit keys to 32-bit values with lock-free lookups; callers serialise writers.
//
// HOW    Open addressing, at most half full. A slot's value is written before its key is published, and neither changes
//        afterwards. A full table is replaced by one of twice the size. Old tables are kept, because readers may still
//        use them; all tables together take at most twice the memory of the current one.
// COST   16 bytes a slot. A lookup: one hash and about 1.5 slots.
// THREADS One writer at a time. find() may be called at any time; it may miss a key that is being inserted.
#ifndef WEIR_SRC_BASE_PUBLISHED_MAP_H_
#define WEIR_SRC_BASE_PUBLISHED_MAP_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace weir::base {

class PublishedMap {
 public:
  /// Returns the value of `key`, or nullopt if it is not in the map. Precondition: key is not UINT64_MAX.
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t key) const {
    const Table* table = current_.load(std::memory_order_acquire);
    if (table == nullptr) return std::nullopt;
    for (std::size_t i = hash_mix(0, key) & table->mask;; i = (i + 1) & table->mask) {
      const Slot& slot = table->slots[i];
      const std::uint64_t found = slot.key.load(std::memory_order_acquire);
      if (found == key) return slot.value;
      if (found == kFree) return std::nullopt;
    }
  }

  /// Adds a key. Writer only. Preconditions: the key is not in the map, and is not UINT64_MAX.
  void insert(std::uint64_t key, std::uint32_t value) {
    if (tables_.empty() || 2 * (size_ + 1) > tables_.back()->mask + 1) grow();
    put(*tables_.back(), key, value);
    ++size_;
  }

  /// Returns the number of keys. Writer only.
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t memory_bytes() const { return allocated_ * sizeof(Slot); }

 private:
  static constexpr std::uint64_t kFree = UINT64_MAX;
  static constexpr std::size_t kInitialSlots = 64;
  struct Slot {
    std::atomic<std::uint64_t> key = kFree;
    std::uint32_t value = 0;
  };
  struct Table {
    explicit Table(std::size_t count) : slots(std::make_unique<Slot[]>(count)), mask(count - 1) {}
    std::unique_ptr<Slot[]> slots;
    std::size_t mask;
  };

  static void put(Table& table, std::uint64_t key, std::uint32_t value) {
    std::size_t i = hash_mix(0, key) & table.mask;
    while (table.slots[i].key.load(std::memory_order_relaxed) != kFree) i = (i + 1) & table.mask;
    table.slots[i].value = value;
    table.slots[i].key.store(key, std::memory_order_release);
  }

  void grow() {
    auto table = std::make_unique<Table>(tables_.empty() ? kInitialSlots : 2 * (tables_.back()->mask + 1));
    for (std::size_t i = 0; !tables_.empty() && i <= tables_.back()->mask; ++i) {
      const Slot& slot = tables_.back()->slots[i];
      const std::uint64_t key = slot.key.load(std::memory_order_relaxed);
      if (key != kFree) put(*table, key, slot.value);
    }
    allocated_ += table->mask + 1;
    tables_.push_back(std::move(table));
    current_.store(tables_.back().get(), std::memory_order_release);
  }

  std::atomic<const Table*> current_ = nullptr;
  std::vector<std::unique_ptr<Table>> tables_;  // the last one is the current one
  std::size_t size_ = 0;
  std::size_t allocated_ = 0;
};

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_PUBLISHED_MAP_H_
