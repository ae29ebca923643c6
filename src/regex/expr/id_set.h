// IdSet: a hash set of expression ids. Its memory is proportional to its members, not to the size of the ExprSet.
#ifndef WEIR_SRC_REGEX_EXPR_ID_SET_H_
#define WEIR_SRC_REGEX_EXPR_ID_SET_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/flat_table.h"

namespace weir::regex {

class IdSet {
 public:
  /// Inserts `id`. Returns its number (ids are numbered 0, 1, 2, ... in the order of insertion), and true if it is new.
  /// Precondition: id != UINT32_MAX.
  std::pair<std::uint32_t, bool> number(std::uint32_t id) {
    const Slot wanted{id, static_cast<std::uint32_t>(slots_.size())};
    const Slot& slot = slots_.find(wanted.hash(), [id](const Slot& one) { return one.id == id; });
    if (!slot.is_free()) return {slot.number, false};
    slots_.insert(wanted);
    return {wanted.number, true};
  }
  /// Inserts `id`. Returns true if it was not in the set.
  bool insert(std::uint32_t id) { return number(id).second; }

  void clear() { slots_.clear(); }

  [[nodiscard]] std::size_t memory_bytes() const { return slots_.memory_bytes(); }

 private:
  struct Slot {
    std::uint32_t id = UINT32_MAX;
    std::uint32_t number = 0;
    [[nodiscard]] bool is_free() const { return id == UINT32_MAX; }
    [[nodiscard]] std::uint32_t hash() const {
      return static_cast<std::uint32_t>(id * std::uint64_t{0x9E3779B97F4A7C15} >> 20);
    }
  };
  base::FlatTable<Slot> slots_;
};

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_EXPR_ID_SET_H_
