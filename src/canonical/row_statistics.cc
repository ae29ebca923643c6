#include "canonical/row_statistics.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/interner.h"

namespace weir::canonical {

RowStatistics row_statistics(const MergeForest& forest) {
  RowStatistics found;
  base::WordInterner rows;
  std::vector<std::uint32_t> words;  // a row: begin and end of each interval of forbidden tokens
  std::vector<std::uint32_t> counts;
  for (const std::uint32_t token : forest.order()) {
    forest.list_forbidden(SymbolId{token}, words);
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < words.size(); i += 2) count += words[i + 1] - words[i];
    counts.push_back(count);
    found.forbidden_pairs += count;
    if (rows.intern(words).second) found.intervals += words.size() / 2;
  }
  found.tokens = counts.size();
  found.rows = rows.size();
  found.bytes = rows.memory_bytes() + counts.size() * sizeof(std::uint32_t);
  if (counts.empty()) return found;
  std::sort(counts.begin(), counts.end());
  const auto nearest_rank = [&](std::size_t percent) { return counts[(percent * counts.size() + 99) / 100 - 1]; };
  found.p50 = nearest_rank(50);
  found.p99 = nearest_rank(99);
  found.max = counts.back();
  return found;
}

}  // namespace weir::canonical
