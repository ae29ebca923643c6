#include "base/display_width.h"

#include <algorithm>
#include <span>

#include "base/display_width_tables.h"
#include "base/utf8.h"

namespace weir::base {

namespace {

bool contains(std::span<const CodePointRange> ranges, char32_t c) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), c,
                                      [](char32_t point, const CodePointRange& range) { return point < range.first; });
  return after != ranges.begin() && c <= std::prev(after)->last;
}

}  // namespace

std::size_t display_width(char32_t c) noexcept {
  if (c < 0x300) return 1;  // below the first combining mark
  if (contains({kNoWidth, kNoWidthCount}, c)) return 0;
  return contains({kWide, kWideCount}, c) ? 2 : 1;
}

std::size_t display_width(std::string_view text) noexcept {
  std::size_t width = 0;
  for (std::size_t pos = 0; pos < text.size();) {
    const Decoded c = decode_utf8(text, pos);
    width += c.length == 0 ? 1 : display_width(c.code_point);
    pos += std::max<std::size_t>(1, c.length);
  }
  return width;
}

bool is_hidden(char32_t c) noexcept { return c >= 0x80 && contains({kHidden, kHiddenCount}, c); }

}  // namespace weir::base
