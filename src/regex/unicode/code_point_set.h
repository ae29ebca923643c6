// CodePointSet: a set of Unicode code points, stored as sorted ranges.
//
// WHAT   The ranges are ascending, disjoint and not adjacent, so equal sets have equal ranges. Surrogates are code
//        points and may be members; only the encoding in UTF-8 (utf8_ranges.h) leaves them out.
// WHY    Character classes are computed by union, intersection and complement on ranges, in linear time, and encoded as
//        an expression once at the end, which keeps expressions small.
// COST   8 bytes a range. Set operations are linear in the ranges of both sets; contains() is logarithmic.
// THREADS A plain value.
#ifndef WEIR_SRC_REGEX_UNICODE_CODE_POINT_SET_H_
#define WEIR_SRC_REGEX_UNICODE_CODE_POINT_SET_H_

#include <cstdint>
#include <span>
#include <vector>

namespace weir::regex {

/// The code points from `first` to `last`, both included. Invariant: first <= last <= 0x10FFFF.
struct CodePointRange {
  char32_t first = 0;
  char32_t last = 0;
  friend constexpr bool operator==(const CodePointRange&, const CodePointRange&) = default;
};

class CodePointSet {
 public:
  CodePointSet() = default;
  /// Creates a set from ranges in any order, which may overlap. Cost: a sort.
  explicit CodePointSet(std::vector<CodePointRange> ranges);
  explicit CodePointSet(std::span<const CodePointRange> ranges);
  static CodePointSet of(char32_t code_point) { return range(code_point, code_point); }
  static CodePointSet range(char32_t first, char32_t last);
  static CodePointSet all() { return range(0, 0x10FFFF); }

  [[nodiscard]] bool is_empty() const { return ranges_.empty(); }
  [[nodiscard]] bool contains(char32_t code_point) const;
  [[nodiscard]] std::size_t size() const;  ///< Number of code points.
  [[nodiscard]] std::span<const CodePointRange> ranges() const { return ranges_; }

  friend CodePointSet operator|(const CodePointSet& a, const CodePointSet& b);
  friend CodePointSet operator&(const CodePointSet& a, const CodePointSet& b);
  friend CodePointSet operator-(const CodePointSet& a, const CodePointSet& b) { return a & ~b; }
  friend CodePointSet operator^(const CodePointSet& a, const CodePointSet& b) { return (a | b) - (a & b); }
  friend CodePointSet operator~(const CodePointSet& set);
  friend bool operator==(const CodePointSet&, const CodePointSet&) = default;

 private:
  std::vector<CodePointRange> ranges_;
};

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_UNICODE_CODE_POINT_SET_H_
