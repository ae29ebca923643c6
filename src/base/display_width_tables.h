// Unicode tables for display_width.h: sorted, disjoint ranges of code points.
#ifndef WEIR_SRC_BASE_DISPLAY_WIDTH_TABLES_H_
#define WEIR_SRC_BASE_DISPLAY_WIDTH_TABLES_H_

#include <cstddef>

namespace weir::base {

struct CodePointRange {
  char32_t first, last;
};

extern const CodePointRange kWide[];
extern const std::size_t kWideCount;
extern const CodePointRange kNoWidth[];
extern const std::size_t kNoWidthCount;
extern const CodePointRange kHidden[];
extern const std::size_t kHiddenCount;

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_DISPLAY_WIDTH_TABLES_H_
