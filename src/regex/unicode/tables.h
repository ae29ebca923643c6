// Tables of the Unicode Character Database that regular expressions need. unicode.h has the functions that use them.
//
// WHAT   Version 15.0.0. A table is a sorted array of disjoint ranges that are not adjacent. Composite categories (L,
//        N, ...), Cn and the script Unknown are not stored; they are computed from the others.
// HOW    tools/make_unicode_tables.py generates the *_tables.cc files of this folder from Debian's unicode-data.
// COST   About 165 KB of read-only data, constant-initialised.
#ifndef WEIR_SRC_REGEX_UNICODE_TABLES_H_
#define WEIR_SRC_REGEX_UNICODE_TABLES_H_

#include <cstdint>
#include <span>

#include "regex/unicode/code_point_set.h"

namespace weir::regex {

struct UnicodeTable {
  const char* names;  ///< All its names, spelled as in the database and separated by spaces.
  std::span<const CodePointRange> ranges;
};

/// A link of a ring of code points that are equal under case folding: ascending, and from the last to the first.
struct CaseStep {
  char32_t from;
  char32_t to;
};

std::span<const UnicodeTable> unicode_categories();  ///< General categories of two letters, without Cn.
std::span<const UnicodeTable> unicode_scripts();     ///< Without Unknown.
std::span<const UnicodeTable> unicode_properties();  ///< Binary properties.

/// For each script, named by its short name, the ranges whose script extensions list it. A code point in no such range
/// has only its own script as an extension.
std::span<const UnicodeTable> unicode_script_extensions();
std::span<const CodePointRange> unicode_listed_script_extensions();

/// The links of all rings, sorted by `from`. Code points that are equal only to themselves are left out.
std::span<const CaseStep> unicode_case_steps();

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_UNICODE_TABLES_H_
