#include <vector>

#include "regex/unicode/tables.h"

namespace weir::regex {

namespace {

/// Reads packed numbers one after the other.
class PackedNumbers {
 public:
  explicit PackedNumbers(const std::uint8_t* at) : at_(at) {}
  std::uint32_t next() {
    std::uint32_t number = *at_ & 0x7FU;
    for (std::uint32_t shift = 7; (*at_++ & 0x80U) != 0; shift += 7) number |= (*at_ & 0x7FU) << shift;
    return number;
  }

 private:
  const std::uint8_t* at_;
};

}  // namespace

CodePointSet code_points_of(CategoryBits categories) {
  const UnicodeCategories all = unicode_categories();
  PackedNumbers lengths(all.lengths);
  std::vector<CodePointRange> ranges;
  char32_t first = 0;
  for (const std::uint8_t category : all.categories) {
    const char32_t last = first + lengths.next();
    if ((categories >> category & 1U) != 0) ranges.push_back({first, last});
    first = last + 1;
  }
  return CodePointSet(std::move(ranges));
}

CodePointSet unpacked_ranges(const std::uint8_t* packed) {
  PackedNumbers numbers(packed);
  std::vector<CodePointRange> ranges(numbers.next());
  char32_t first = 0;
  for (CodePointRange& range : ranges) {
    range.first = first + numbers.next();
    range.last = range.first + numbers.next();
    first = range.last + 1;
  }
  return CodePointSet(std::move(ranges));
}

CodePointSet members(const UnicodeTable& table) {
  CodePointSet set = unpacked_ranges(table.ranges);
  return table.categories == 0 ? set : set ^ code_points_of(table.categories);
}

std::span<const CaseStep> unicode_case_steps() {
  static const std::vector<CaseStep> kSteps = [] {
    PackedNumbers numbers(unicode_case_links());
    std::vector<CaseStep> steps(numbers.next());
    char32_t from = 0;
    for (CaseStep& step : steps) {
      from += numbers.next();
      const std::uint32_t distance = numbers.next();
      step = {from, (distance & 1U) == 0 ? from + distance / 2 : from - (distance + 1) / 2};
    }
    return steps;
  }();
  return kSteps;
}

}  // namespace weir::regex
