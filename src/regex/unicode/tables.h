// Tables of the Unicode Character Database that regular expressions need. unicode.h has the functions that use them.
//
// WHAT   Version 15.0.0. Composite categories (L, N, ...) and the script Unknown are not stored; they are computed from
//        the others.
// HOW    tools/make_unicode_tables.py generates the *_tables.cc files of this folder from Debian's unicode-data. The
//        general categories are a partition of all code points: runs, each a length and a category. Any other set is the
//        union of some general categories, except for the code points of a list of ranges: those are members if and
//        only if the union lacks them. Most binary properties differ little from such a union.
//        Numbers are packed: seven bits a byte, the lowest first, and the highest bit of a byte says that another
//        follows. A list of ranges is their count, and for each range the number of code points between the previous
//        range and it, and its length less one.
// COST   About 25 KB of read-only data, constant-initialised; as plain ranges they would have 156 KB, and make weir.wasm
//        11 KB larger with Brotli. A set is unpacked whenever it is asked for: 4 to 15 us for a category or a property,
//        most of it the time to read the 4,006 runs.
#ifndef WEIR_SRC_REGEX_UNICODE_TABLES_H_
#define WEIR_SRC_REGEX_UNICODE_TABLES_H_

#include <cstdint>
#include <span>

#include "regex/unicode/code_point_set.h"

namespace weir::regex {

/// General categories as bits: bit i is the category unicode_categories().names[i].
using CategoryBits = std::uint32_t;

/// The general categories of two letters, Cn included. The runs begin at code point 0 and end at the last one; run i has
/// the category `categories[i]`, and the packed number i of `lengths` is its length less one.
struct UnicodeCategories {
  std::span<const char* const> names;  ///< For each category all its names, as in UnicodeTable.
  const std::uint8_t* lengths;
  std::span<const std::uint8_t> categories;
};

struct UnicodeTable {
  const char* names;           ///< All its names, spelled as in the database and separated by spaces.
  CategoryBits categories;     ///< The set is the union of these ...
  const std::uint8_t* ranges;  ///< ... except for the code points of these packed ranges.
};

/// A link of a ring of code points that are equal under case folding: ascending, and from the last to the first.
struct CaseStep {
  char32_t from;
  char32_t to;
};

UnicodeCategories unicode_categories();
std::span<const UnicodeTable> unicode_scripts();     ///< Without Unknown.
std::span<const UnicodeTable> unicode_properties();  ///< Binary properties.

/// For each script, named by its short name, the ranges whose script extensions list it. A code point in no such range
/// has only its own script as an extension.
std::span<const UnicodeTable> unicode_script_extensions();
const std::uint8_t* unicode_listed_script_extensions();  ///< Packed ranges.

/// The packed links of all rings, sorted by `from`: their count, and for each the distance of `from` from the one before
/// and `to` - `from`, as 2n if it is n > 0 and as 2n - 1 if it is -n. Code points that are equal only to themselves are
/// left out.
const std::uint8_t* unicode_case_links();

/// Returns the set of all code points of these categories.
CodePointSet code_points_of(CategoryBits categories);
/// Returns the set of a list of packed ranges.
CodePointSet unpacked_ranges(const std::uint8_t* packed);
/// Returns the set that a table describes.
CodePointSet members(const UnicodeTable& table);
/// Returns the links of unicode_case_links(), unpacked at the first call, which takes some 15 us. Any thread may call it.
std::span<const CaseStep> unicode_case_steps();

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_UNICODE_TABLES_H_
