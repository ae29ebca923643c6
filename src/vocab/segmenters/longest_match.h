// Longest match: the tokenization of a vocabulary that comes without a tokenizer's algorithm.
//
// WHAT   From left to right, takes the longest token that the rest of the text begins with; among tokens with equal
//        bytes the one with the lowest id. There is no backtracking: if no token fits, tokenization fails, even if
//        shorter tokens before would have made it succeed.
// COST   A walk in the trie: for each matched byte, the siblings before its node are visited.
#ifndef WEIR_SRC_VOCAB_SEGMENTERS_LONGEST_MATCH_H_
#define WEIR_SRC_VOCAB_SEGMENTERS_LONGEST_MATCH_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "vocab/vocabulary.h"
#include "weir/error.h"

namespace weir::vocab {

/// Returns the ids of `text`. Errors: kInvalidArgument; `where` is the offset at which no token fits.
Result<std::vector<std::uint32_t>> tokenize_longest_match(const Vocabulary& vocabulary, std::string_view text);

/// Returns the first tokens of `text` that stay the same for every continuation of it.
std::vector<std::uint32_t> settled_longest_match(const Vocabulary& vocabulary, std::string_view text);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_LONGEST_MATCH_H_
