// The tables that unicode.cc uses. tools/make_normalization_tables.py generates unicode_tables.cc.
#ifndef WEIR_SRC_VOCAB_NORMALIZERS_UNICODE_TABLES_H_
#define WEIR_SRC_VOCAB_NORMALIZERS_UNICODE_TABLES_H_

#include <cstdint>
#include <span>

namespace weir::vocab::unicode {

/// The character `from` maps to kPool[offset, offset + length).
struct Mapping {
  char32_t from;
  std::uint16_t offset;
  std::uint16_t length;
};
struct Composition {
  char32_t first;
  char32_t second;
  char32_t composed;
};
struct CombiningClass {
  char32_t first;
  char32_t last;
  std::uint8_t value;
};
struct Range {
  char32_t first;
  char32_t last;
};

// All tables are sorted, ascending. Decompositions are full; those of Hangul syllables are computed and not listed.
extern const char32_t kPool[];
extern const std::span<const Mapping> kCanonical;
extern const std::span<const Mapping> kCompatibility;  ///< Only those that differ from the canonical mapping.
extern const std::span<const Mapping> kLowercase;
extern const std::span<const Composition> kCompositions;  ///< Sorted by (first, second).
extern const std::span<const CombiningClass> kCombiningClasses;
extern const std::span<const Range> kMarks;
extern const std::span<const Range> kNonspacingMarks;
extern const std::span<const Range> kControlOrFormat;  ///< Cc, Cf, and Co (private use).

}  // namespace weir::vocab::unicode

#endif  // WEIR_SRC_VOCAB_NORMALIZERS_UNICODE_TABLES_H_
