// Longest match: what stands in for a tokenizer's algorithm where a vocabulary comes without one.
//
// WHAT   At each place the longest token that fits; among equal tokens the lowest id. No search: where nothing fits
//        there is no tokenization, even if other choices before would have led to one.
// COST   The trie's walk: for each byte matched, the siblings before it.
#ifndef WEIR_SRC_VOCAB_SEGMENTERS_LONGEST_MATCH_H_
#define WEIR_SRC_VOCAB_SEGMENTERS_LONGEST_MATCH_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "vocab/vocabulary.h"
#include "weir/error.h"

namespace weir::vocab {

/// Errors: kInvalidArgument, `where` the offset at which no token fits.
Result<std::vector<std::uint32_t>> tokenize_longest_match(const Vocabulary& vocabulary, std::string_view text);

/// Those of the tokens that are the same whatever follows `text`.
std::vector<std::uint32_t> settled_longest_match(const Vocabulary& vocabulary, std::string_view text);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_LONGEST_MATCH_H_
