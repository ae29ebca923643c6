// AnalysisMemo: results of analyses that are stored beside the expressions and copied with them.
#ifndef WEIR_SRC_REGEX_ANALYSIS_MEMO_H_
#define WEIR_SRC_REGEX_ANALYSIS_MEMO_H_

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace weir::regex {

/// The keys are ids of expressions. The languages of ids never change, so no entry becomes wrong.
struct AnalysisMemo {
  std::unordered_map<std::uint32_t, std::uint32_t> farthest_ends = {};  ///< text_horizon.cc
  std::unordered_map<std::uint64_t, bool> subsets = {};                 ///< The same; two ids.
  std::unordered_map<std::uint32_t, bool> continues_any_text = {};      ///< contents.cc

  /// Returns the memory of the first two; the third has few entries.
  [[nodiscard]] std::size_t memory_bytes() const {
    return farthest_ends.size() * (sizeof(*farthest_ends.begin()) + 2 * sizeof(void*)) +
           subsets.size() * (sizeof(*subsets.begin()) + 2 * sizeof(void*));
  }
};

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ANALYSIS_MEMO_H_
