// FlatTable: a hash table whose slots lie in one array.
//
// HOW    Open addressing with linear probing, at most three quarters full. A user defines the slot, computes hashes and
//        compares keys, so that the keys themselves may be stored elsewhere. `Slot` has
//          - a default value, for which is_free() is true;
//          - hash(): the hash that a key of this slot is looked up with, of which the low bits choose the slot.
//        Slots are not removed one by one.
// COST   Averaged over all sizes, a lookup visits 1.7 slots if it finds one and 3.6 if it does not.
// THREADS const is safe to call concurrently. A map that is read while it grows: base/published_map.h.
#ifndef WEIR_SRC_BASE_FLAT_TABLE_H_
#define WEIR_SRC_BASE_FLAT_TABLE_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weir::base {

/// A slot for keys that are stored elsewhere by number.
struct NumberSlot {
  std::uint32_t number = UINT32_MAX;
  std::uint32_t key_hash = 0;
  [[nodiscard]] bool is_free() const { return number == UINT32_MAX; }
  [[nodiscard]] std::uint32_t hash() const { return key_hash; }
};

template <typename Slot>
class FlatTable {
 public:
  /// Reserves space for `count` slots.
  explicit FlatTable(std::size_t count = 0) : slots_(std::bit_ceil(std::max(kFewestSlots, count + count / 3))) {}

  /// Returns the slot with this hash for which `equal` returns true; a free slot if there is none.
  template <typename Equal>
  [[nodiscard]] const Slot& find(std::uint32_t hash, Equal equal) const {
    return slots_[place(hash, equal)];
  }

  /// Inserts a slot, which may move the others. Precondition: find() finds no slot like this one.
  void insert(Slot slot) {
    if (++size_ * 4 > slots_.size() * 3) {
      std::vector<Slot> old(2 * slots_.size());
      old.swap(slots_);
      for (Slot& one : old) {
        if (!one.is_free()) put(std::move(one));
      }
    }
    put(std::move(slot));
  }

  /// Calls `use` with each slot that is not free, in no order.
  template <typename Use>
  void for_each(Use use) const {
    for (const Slot& slot : slots_) {
      if (!slot.is_free()) use(slot);
    }
  }

  void clear() { *this = FlatTable(); }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t memory_bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  static constexpr std::size_t kFewestSlots = 64;

  template <typename Equal>
  [[nodiscard]] std::size_t place(std::uint32_t hash, Equal equal) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = hash & mask;
    while (!slots_[i].is_free() && !equal(slots_[i])) i = (i + 1) & mask;
    return i;
  }
  void put(Slot slot) {
    slots_[place(slot.hash(), [](const Slot&) { return false; })] = std::move(slot);
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_FLAT_TABLE_H_
