// How wide a terminal shows text, so that a caret can stand below the right place.
//
// WHY    A caret that counts code points is off behind the first Chinese or Japanese word, and behind each accent that
//        is a code point of its own.
// LIMITS By Unicode's East_Asian_Width and general categories. Terminals differ about characters of ambiguous width,
//        taken as narrow here, and about emoji joined to one, taken as its parts.
#ifndef WEIR_SRC_BASE_DISPLAY_WIDTH_H_
#define WEIR_SRC_BASE_DISPLAY_WIDTH_H_

#include <cstddef>
#include <string_view>

namespace weir::base {

/// Columns of one printable code point: 0, 1 or 2.
std::size_t display_width(char32_t code_point) noexcept;

/// Columns of a text without control characters. A malformed byte counts as one.
std::size_t display_width(std::string_view text) noexcept;

/// Whether a code point shows nothing itself and may change how others are shown: marks of direction, separators of
/// lines, blanks without width. Joiners are none of these: texts of some scripts need them.
bool is_hidden(char32_t code_point) noexcept;

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_DISPLAY_WIDTH_H_
