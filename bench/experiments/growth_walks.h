// Measures how the cost of a mask grows with the length of the output, with nesting, with the members of an object, and
// with the vocabulary. Each curve walks a synthetic text token by token twice: cold, with empty caches, and warm.
#ifndef WEIR_BENCH_EXPERIMENTS_GROWTH_WALKS_H_
#define WEIR_BENCH_EXPERIMENTS_GROWTH_WALKS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "distribution.h"
#include "weir/compiler.h"
#include "weir/tokenizer_info.h"

namespace weir::cli {

struct GrowthLimits {
  std::uint32_t tokens = 100'000;     ///< Length of the output.
  std::uint32_t depth = 2'000;        ///< Nesting depth of arrays.
  std::uint32_t members = 1'000;      ///< Members of an object whose schema allows any name.
  std::uint32_t properties = 100;     ///< Members of an object whose schema declares each name.
  std::uint32_t least_vocab = 1'000;  ///< Smallest part of the vocabulary.
};

/// Consecutive steps of a walk, up to a bound.
struct GrowthPoint {
  std::uint64_t up_to = 0;  ///< The bound, in GrowthCurve::unit; for "vocabulary" its size.
  std::uint64_t steps = 0;
  Distribution cold_mask, warm_mask, cold_commit, warm_commit;
  EngineStats explored;  ///< By these steps of the cold walk.
};

struct GrowthCurve {
  std::string name;  ///< "output length"
  std::string what;  ///< A description of the text.
  std::string unit;  ///< The unit of GrowthPoint::up_to.
  std::vector<GrowthPoint> points;
};

/// Returns all curves. Throws InputError. Prints progress.
std::vector<GrowthCurve> measure_mask_growth(const TokenizerInfo& tokenizer, const GrowthLimits& limits);

}  // namespace weir::cli

#endif  // WEIR_BENCH_EXPERIMENTS_GROWTH_WALKS_H_
