// What the comparisons of weir with the oracles share: tokenizers from lists of tokens, masks as vectors of bits, and
// words for messages.
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

/// The tokenizer of a list of tokens. Stop tokens become special unless their bytes are given.
TokenizerInfo make_tokenizer(const oracle::Vocabulary& vocabulary);

/// The tokens and stop tokens of a tokenizer, as the oracle takes them.
oracle::Vocabulary vocabulary_of(const TokenizerInfo& tokenizer);

/// The next mask; a failure of the test where there is none. The buffer has exactly the documented size and holds
/// garbage before.
std::vector<bool> mask_of(GrammarMatcher& matcher);

/// The tokens whose bits differ, for messages: "+3 'ab'" where `actual` has a token that `expected` lacks, "-..." the
/// reverse.
std::string difference(const std::vector<bool>& actual, const std::vector<bool>& expected,
                       const oracle::Vocabulary& vocabulary);

/// The tokens of a mask.
std::vector<std::uint32_t> tokens_of(const std::vector<bool>& mask);

/// Whether the running test has failed so often that more would only repeat it.
bool enough_failures();

/// Text with everything but printable ASCII escaped.
std::string shown(std::string_view text);

/// Steps of a walk that accepts, one after another, a token drawn from each mask, stop tokens left out; at most
/// `steps`.
struct WalkStep {
  std::uint32_t token = 0;
  std::vector<bool> mask_before = {};
  std::uint32_t state_before = 0;
};
std::vector<WalkStep> random_walk(GrammarMatcher& matcher, std::minstd_rand& random, std::size_t steps);

}  // namespace weir::testing

#endif  // WEIR_TESTS_PROPERTY_HARNESS_H_
