// Display width: the number of terminal columns that a text takes, used to place a caret under a column of a line.
//
// WHY    Counting code points misplaces the caret after a wide character (Chinese, Japanese) and after a combining
//        accent, which is a code point without width.
// LIMITS Widths follow Unicode's East_Asian_Width and general categories. Terminals differ in two cases: characters of
//        ambiguous width count as narrow here, and an emoji sequence joined into one glyph counts as its parts.
#ifndef WEIR_SRC_BASE_DISPLAY_WIDTH_H_
#define WEIR_SRC_BASE_DISPLAY_WIDTH_H_

#include <cstddef>
#include <string_view>

namespace weir::base {

/// Returns the columns of one printable code point: 0, 1 or 2.
std::size_t display_width(char32_t code_point) noexcept;

/// Returns the columns of a text without control characters. A malformed byte counts as one column.
std::size_t display_width(std::string_view text) noexcept;

/// Returns true for a code point that is invisible and may change how other characters are displayed: direction marks,
/// line and paragraph separators, zero-width spaces. Returns false for joiners, which ordinary text in some scripts
/// needs.
bool is_hidden(char32_t code_point) noexcept;

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_DISPLAY_WIDTH_H_
