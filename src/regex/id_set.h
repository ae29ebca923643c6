// IdSet: a set of expression ids that grows with what is in it, not with the ExprSet that the ids are of.
#ifndef WEIR_SRC_REGEX_ID_SET_H_
#define WEIR_SRC_REGEX_ID_SET_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir::regex {

class IdSet {
 public:
  /// Whether `id` was not in the set before. Precondition: id != UINT32_MAX.
  bool insert(std::uint32_t id) {
    if ((count_ + 1) * 2 > slots_.size()) grow();
    std::size_t i = place(id);
    if (slots_[i] == id) return false;
    slots_[i] = id;
    ++count_;
    return true;
  }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;
  [[nodiscard]] std::size_t place(std::uint32_t id) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = (id * std::size_t{0x9E3779B97F4A7C15ULL} >> 20) & mask;
    while (slots_[i] != kFree && slots_[i] != id) i = (i + 1) & mask;
    return i;
  }
  void grow() {
    std::vector<std::uint32_t> old(slots_.size() * 2, kFree);
    old.swap(slots_);
    for (std::uint32_t id : old) {
      if (id != kFree) slots_[place(id)] = id;
    }
  }

  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(64, kFree);
  std::size_t count_ = 0;
};

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ID_SET_H_
