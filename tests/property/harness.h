// Helpers for comparing weir with the oracles: tokenizers from lists of tokens, masks as vectors of bits, and messages.
#ifndef WEIR_TESTS_PROPERTY_HARNESS_H_
#define WEIR_TESTS_PROPERTY_HARNESS_H_

#include <cstdint>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/vocabulary.h"
#include "weir/weir.h"

namespace weir {

/// For googletest's messages.
inline void PrintTo(Step step, std::ostream* out) { *out << to_string(step); }
inline void PrintTo(ErrorCode code, std::ostream* out) { *out << to_string(code); }

}  // namespace weir

namespace weir::testing {

/// Returns the tokenizer of a list of tokens. Stop tokens become special unless they have bytes.
TokenizerInfo make_tokenizer(const oracle::Vocabulary& vocabulary);

/// Returns the tokens and stop tokens of a tokenizer for the oracle.
oracle::Vocabulary vocabulary_of(const TokenizerInfo& tokenizer);

/// Returns the next mask; the test fails if there is none. The buffer has exactly the documented size and initially
/// contains garbage.
std::vector<bool> mask_of(GrammarMatcher& matcher);

/// Returns the tokens whose bits differ, for messages: "+3 'ab'" if only `actual` has the token, "-3 'ab'" if only
/// `expected` has it.
std::string difference(const std::vector<bool>& actual, const std::vector<bool>& expected,
                       const oracle::Vocabulary& vocabulary);

/// Returns the tokens of a mask.
std::vector<std::uint32_t> tokens_of(const std::vector<bool>& mask);

/// Returns true if the current test has failed so often that further failures are useless.
bool enough_failures();

/// Returns the text with all characters except printable ASCII escaped.
std::string shown(std::string_view text);

/// A step of a random walk: the accepted token, and the mask and the state before it.
struct WalkStep {
  std::uint32_t token = 0;
  std::vector<bool> mask_before = {};
  std::uint32_t state_before = 0;
};
/// Walks at most `steps` steps, each of which accepts a random token of the mask that is not a stop token. Returns the
/// steps.
std::vector<WalkStep> random_walk(GrammarMatcher& matcher, std::minstd_rand& random, std::size_t steps);

}  // namespace weir::testing

#endif  // WEIR_TESTS_PROPERTY_HARNESS_H_
