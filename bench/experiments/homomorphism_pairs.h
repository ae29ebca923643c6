// Two experiments on why masks follow detokenization, a homomorphism from token strings to byte strings.
//
// GROWTH How long one decoding step takes as the output grows: with the state kept from token to token (the inverse
//        image of the language under detokenization has an incremental parser of its own), against decoding the whole
//        output and parsing it anew for every candidate token, which is all that is left without the homomorphism.
// SPLIT  What happens to characters that are split over tokens: bytes against decoding each token on its own to
//        characters, with U+FFFD for what is none, which is no homomorphism.
// HOW    Both sides use the same engine, explored beforehand, so that re-parsing a byte is one table look-up: the
//        fastest re-parsing there can be. Only the bookkeeping differs.
// REFERENCES  "Efficient Unicode-Compatible Grammar-Constrained Decoding via String Homomorphism", section 5: the same
//        experiment, a JSON object of 1 to 65 key-value pairs, there with a recursive descent parser.
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

/// One object of `pairs` key-value pairs. Times in nanoseconds, a step each; of candidates the best of three.
struct GrowthRun {
  std::uint32_t pairs = 0;
  std::size_t tokens = 0, bytes = 0;
  std::vector<double> mask_cold;    ///< The whole vocabulary's mask and accepting the token; nothing explored before.
  std::vector<double> mask_warm;    ///< The same again.
  std::vector<double> incremental;  ///< The candidates, one by one, from the state kept.
  std::vector<double> reparsing;    ///< The candidates, each by decoding all and parsing it anew.
};

/// Throws InputError. Prints progress.
std::vector<GrowthRun> measure_growth(const TokenizerInfo& tokenizer, const GrowthOptions& options);

struct SplitRun {
  std::string name, grammar, text;
  std::size_t steps = 0;               ///< Tokens of the text; a mask is compared before each and at the end.
  std::size_t partial_tokens = 0;      ///< Of these, tokens that hold part of a character.
  std::uint64_t allowed = 0;           ///< Tokens allowed by bytes, all steps together.
  std::uint64_t byte_differences = 0;  ///< Between the masks and trying every token on the bytes of the whole output.
  std::uint64_t missed = 0;            ///< Tokens that characters refuse and bytes allow.
  std::uint64_t wrongly_allowed = 0;   ///< Tokens that characters allow and bytes refuse.
  std::size_t refused_at = 0;          ///< 1 + the step at which characters refuse the text's own token; 0: never.
};

/// Throws InputError. Prints progress.
std::vector<SplitRun> measure_split(const TokenizerInfo& tokenizer);

}  // namespace weir::cli

#endif  // WEIR_BENCH_EXPERIMENTS_HOMOMORPHISM_PAIRS_H_
