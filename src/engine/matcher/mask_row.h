// MaskRow: a row of a batch's own bitmasks, which knows the mask that is in it.
//
// WHY    Most steps of a batch write rows of which little changes: 256 rows of 200,000 tokens are 6.4 MB, which a
//        processor writes in 0.3 ms or more. In memory that nobody else writes to, only what differs has to be written.
// HOW    A mask is a difference from a wide set, or from the empty one (sets/mask.h). If the row's mask and the next
//        one differ from the same set, the words of the first difference are put back and those of the second flipped.
// COST   Nothing for the mask that is in the row; a step for each word in which either mask differs from their common
//        set; a copy of the bitmask for two sets. The row keeps its mask's set alive, but not the automaton.
// THREADS One thread at a time.
#ifndef WEIR_SRC_ENGINE_MATCHER_MASK_ROW_H_
#define WEIR_SRC_ENGINE_MATCHER_MASK_ROW_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/automaton/shared_automaton.h"

namespace weir::engine {

class MaskRow {
 public:
  /// Precondition: the words are zero, outlive the row, and are written by nobody else.
  explicit MaskRow(std::span<std::uint32_t> words) : words_(words) {}

  [[nodiscard]] std::span<const std::uint32_t> words() const { return words_; }
  /// Returns true if the words are those of a mask of `automaton`.
  [[nodiscard]] bool holds(const std::shared_ptr<SharedAutomaton>& automaton, const Mask& mask) const {
    return mask_ == &mask && !owner_.owner_before(automaton) && !automaton.owner_before(owner_);
  }
  /// Precondition: masks of the automaton have as many words as the row.
  void write(const std::shared_ptr<SharedAutomaton>& automaton, const Mask& mask);
  /// Changes a bit of the mask in the row, for a mask that differs a little from that of its state.
  void set(std::uint32_t token, bool is_allowed);
  /// Notes for which steps of a matcher the row is complete (History::number); 0 for none.
  void set_number(std::uint64_t number) { number_ = number; }
  /// Returns that number, or 0 if the row was changed since.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  /// Sets all bits.
  void allow_all();
  /// Returns the words, for a caller that writes all of them.
  std::span<std::uint32_t> overwrite();

 private:
  std::uint64_t number_ = 0;
  std::span<std::uint32_t> words_;
  bool is_known_ = true;  // the words are `most_`, but for those in `changed_`
  std::shared_ptr<const TokenBits> most_;
  std::vector<std::uint32_t> changed_;
  // The mask in the row, or null. It is only compared: without its automaton it may be gone.
  const Mask* mask_ = nullptr;
  std::weak_ptr<SharedAutomaton> owner_;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MATCHER_MASK_ROW_H_
