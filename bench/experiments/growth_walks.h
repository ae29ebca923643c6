// How the cost of a mask grows: with the length of the output, with nesting, with the members that an object has had,
// with the vocabulary. Each is a text made for it, walked token by token twice: cold, with nothing known, and warm.
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
  std::uint32_t depth = 2'000;        ///< Arrays in arrays.
  std::uint32_t members = 1'000;      ///< Of an object, with any names.
  std::uint32_t properties = 100;     ///< Of an object, with names that its schema declares.
  std::uint32_t least_vocab = 1'000;  ///< Smallest part of the vocabulary.
};

/// Steps of a walk that belong together.
struct GrowthPoint {
  std::uint64_t up_to = 0;  ///< What grows, at the last of them: so many tokens, levels, members; or tokens in all.
  std::uint64_t steps = 0;
  Distribution cold_mask, warm_mask, cold_commit, warm_commit;
  EngineStats explored;  ///< By these steps, cold.
};

struct GrowthCurve {
  std::string name;  ///< "output length"
  std::string what;  ///< What the text is.
  std::string unit;  ///< Of GrowthPoint::up_to.
  std::vector<GrowthPoint> points;
};

/// All curves. Throws InputError. Prints progress.
std::vector<GrowthCurve> measure_mask_growth(const TokenizerInfo& tokenizer, const GrowthLimits& limits);

}  // namespace weir::cli

#endif  // WEIR_BENCH_EXPERIMENTS_GROWTH_WALKS_H_
