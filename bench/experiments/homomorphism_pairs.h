// Two experiments that show why masks are built on detokenization as a homomorphism from token strings to byte strings.
//
// GROWTH The time of one decoding step as the output grows. The incremental parser keeps its state from token to token:
//        it parses the inverse image of the language under detokenization. Without the homomorphism, the whole output
//        must be decoded and parsed anew for every candidate token.
// SPLIT  Characters that are split over several tokens. Masks on bytes are compared with decoding each token on its own
//        to characters, with U+FFFD for invalid bytes; that decoding is not a homomorphism.
// HOW    Both sides use the same engine, already explored, so that parsing a byte again is one table lookup. This is
//        the fastest possible way to parse anew; only the bookkeeping differs.
// REFERENCES  "Efficient Unicode-Compatible Grammar-Constrained Decoding via String Homomorphism", section 5: the same
//        experiment, a JSON object of 1 to 65 key-value pairs, with a recursive descent parser.
#ifndef WEIR_BENCH_EXPERIMENTS_HOMOMORPHISM_PAIRS_H_
#define WEIR_BENCH_EXPERIMENTS_HOMOMORPHISM_PAIRS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "weir/tokenizer_info.h"

namespace weir::cli {

struct GrowthOptions {
  std::uint32_t max_pairs = 65;
  std::uint32_t candidates = 32;  ///< Tokens tried at each step: the next token and a fixed sample of the vocabulary.
};

/// One object of `pairs` key-value pairs. Times are in nanoseconds, one for each step; those of candidates are the best
/// of three passes.
struct GrowthRun {
  std::uint32_t pairs = 0;
  std::size_t tokens = 0, bytes = 0;
  std::vector<double> mask_cold;    ///< The full mask and accepting the token, with nothing explored before.
  std::vector<double> mask_warm;    ///< The same, in a second walk.
  std::vector<double> incremental;  ///< Trying each candidate from the kept state.
  std::vector<double> reparsing;    ///< Trying each candidate by decoding the whole output and parsing it anew.
};

/// Throws InputError. Prints progress.
std::vector<GrowthRun> measure_growth(const TokenizerInfo& tokenizer, const GrowthOptions& options);

struct SplitRun {
  std::string name, grammar, text;
  std::size_t steps = 0;               ///< Tokens of the text; a mask is compared before each and at the end.
  std::size_t partial_tokens = 0;      ///< Those of these tokens that hold part of a character.
  std::uint64_t allowed = 0;           ///< Tokens that the masks allow, summed over all steps.
  std::uint64_t byte_differences = 0;  ///< Tokens for which the mask and parsing the bytes anew disagree.
  std::uint64_t missed = 0;            ///< Tokens that masks allow and characters reject.
  std::uint64_t wrongly_allowed = 0;   ///< Tokens that characters accept and masks do not allow.
  std::size_t refused_at = 0;          ///< 1 + the step at which characters reject the text's own token; 0: never.
};

/// Throws InputError. Prints progress.
std::vector<SplitRun> measure_split(const TokenizerInfo& tokenizer);

}  // namespace weir::cli

#endif  // WEIR_BENCH_EXPERIMENTS_HOMOMORPHISM_PAIRS_H_
