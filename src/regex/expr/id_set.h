// IdSet: a hash set of expression ids. Its memory is proportional to its members, not to the size of the ExprSet.
#ifndef WEIR_SRC_REGEX_EXPR_ID_SET_H_
#define WEIR_SRC_REGEX_EXPR_ID_SET_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weir::regex {

class IdSet {
 public:
  /// Inserts `id`. Returns its number (ids are numbered 0, 1, 2, ... in the order of insertion), and true if it is new.
  /// Precondition: id != UINT32_MAX.
  std::pair<std::uint32_t, bool> number(std::uint32_t id) {
    if ((count_ + 1) * 2 > slots_.size()) grow();
    Slot& slot = slots_[place(id)];
    if (slot.id == id) return {slot.number, false};
    slot = {id, count_++};
    return {slot.number, true};
  }
  /// Inserts `id`. Returns true if it was not in the set.
  bool insert(std::uint32_t id) { return number(id).second; }

  void clear() {
    slots_.assign(kInitialSlots, {});
    count_ = 0;
  }

  [[nodiscard]] std::size_t memory_bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;
  static constexpr std::size_t kInitialSlots = 64;
  struct Slot {
    std::uint32_t id = kFree;
    std::uint32_t number = 0;
  };
  [[nodiscard]] std::size_t place(std::uint32_t id) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = static_cast<std::size_t>(id * std::uint64_t{0x9E3779B97F4A7C15} >> 20) & mask;
    while (slots_[i].id != kFree && slots_[i].id != id) i = (i + 1) & mask;
    return i;
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.id != kFree) slots_[place(slot.id)] = slot;
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(kInitialSlots);
  std::uint32_t count_ = 0;
};

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_EXPR_ID_SET_H_
