#include "regex/expr/byte_set.h"

#include <algorithm>
#include <array>

namespace weir::regex {

ByteClasses ByteClasses::single() {
  ByteClasses classes;
  classes.count_ = 256;
  classes.is_single_ = true;
  for (unsigned b = 0; b < 256; ++b) {
    classes.class_of_[b] = classes.representative_[b] = static_cast<std::uint8_t>(b);
  }
  return classes;
}

void ByteClasses::refine(const ByteSet& set) {
  if (count_ == 256) return;
  // A class that the set splits keeps its id for the bytes outside the set; the bytes inside get a new id. Most sets split
  // none.
  std::array<std::uint16_t, 256> inside_id{};  // by class; 0: no new id yet
  std::array<std::uint8_t, 256> sides{};       // by class: 1 if a byte is outside the set, plus 2 if one is inside
  for (unsigned b = 0; b < 256; ++b) {
    sides[class_of_[b]] |= static_cast<std::uint8_t>(1U << (set.words()[b / 64] >> (b % 64) & 1U));
  }
  if (std::find(sides.begin(), sides.begin() + count_, 3) == sides.begin() + count_) return;
  const std::uint32_t before = count_;
  for (unsigned b = 0; b < 256; ++b) {
    const std::uint8_t cls = class_of_[b];
    if (cls >= before || (sides[cls] & 1U) == 0 || !set.contains(static_cast<std::uint8_t>(b))) continue;
    if (inside_id[cls] == 0) inside_id[cls] = static_cast<std::uint16_t>(count_++);
    class_of_[b] = static_cast<std::uint8_t>(inside_id[cls]);
  }
  for (unsigned b = 256; b-- > 0;) representative_[class_of_[b]] = static_cast<std::uint8_t>(b);
}

}  // namespace weir::regex
