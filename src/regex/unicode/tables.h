// The Unicode Character Database as far as regular expressions need it: data only, the questions stand in unicode.h.
//
// WHAT   Version 15.0.0. A table is a sorted array of disjoint, not adjacent ranges. Composite categories (L, N, ...),
//        Cn, and the script Unknown are not stored, they follow from the others.
// HOW    tools/make_unicode_tables.py writes the unicode_*_tables.cc from Debian's unicode-data.
// COST   About 165 KB of read-only data, constant-initialised.
#ifndef WEIR_SRC_REGEX_UNICODE_TABLES_H_
#define WEIR_SRC_REGEX_UNICODE_TABLES_H_

#include <cstdint>
#include <span>

#include "regex/unicode/code_point_set.h"

namespace weir::regex {

struct UnicodeTable {
  const char* names;  ///< All its names as the database spells them, with a space between.
  std::span<const CodePointRange> ranges;
};

/// A step in a ring: the code points that fold to one another, ascending, the last leading to the first.
struct CaseStep {
  char32_t from;
  char32_t to;
};

std::span<const UnicodeTable> unicode_categories();  ///< General categories of two letters, without Cn.
std::span<const UnicodeTable> unicode_scripts();     ///< Without Unknown.
std::span<const UnicodeTable> unicode_properties();  ///< Binary properties.

/// By script's short name, the ranges that list it among their script extensions. A code point with no listed
/// extensions has its script as its only one.
std::span<const UnicodeTable> unicode_script_extensions();
std::span<const CodePointRange> unicode_listed_script_extensions();

/// Sorted by `from`; code points that fold only to themselves are left out.
std::span<const CaseStep> unicode_case_steps();

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_UNICODE_TABLES_H_
