// Random texts of the language of a matcher over bytes.
#ifndef WEIR_TESTS_UNIT_REPLIES_RANDOM_OUTPUT_H_
#define WEIR_TESTS_UNIT_REPLIES_RANDOM_OUTPUT_H_

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/bitmask.h"
#include "weir/matcher.h"
#include "weir/tokenizer_info.h"

namespace weir::tests {

/// A tokenizer whose tokens are the bytes.
inline TokenizerInfo bytes() {
  VocabSpec spec;
  for (unsigned b = 0; b < 256; ++b) spec.tokens.emplace_back(1, static_cast<char>(b));
  return TokenizerInfo::from_vocab(std::move(spec)).value();
}

/// Returns an output of at most so many random bytes, then the shortest end. Bytes of tags and JSON come often.
inline std::string random_output(GrammarMatcher& matcher, std::mt19937& random, std::size_t most) {
  matcher.reset();
  std::vector<std::uint32_t> mask(bitmask_words(256));
  std::string text;
  while (text.size() < most && matcher.fill_next_token_bitmask(mask) == Step::kOk) {
    std::vector<std::uint32_t> allowed;
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      if ((mask[byte / 32] >> (byte % 32) & 1U) == 0) continue;
      const bool is_common =
          std::string_view("<>{}\"|/[]:,=&()'\n ").find(static_cast<char>(byte)) != std::string_view::npos;
      allowed.insert(allowed.end(), is_common ? 6 : 1, byte);
    }
    if (allowed.empty()) break;
    const char byte = static_cast<char>(allowed[random() % allowed.size()]);
    if (matcher.accept_bytes({&byte, 1}) != Step::kOk) break;
    text += byte;
    // A tag that has begun goes on to where there is a choice.
    if (const std::string forced = matcher.find_jump_forward_string(); !forced.empty() && random() % 8 != 0) {
      if (matcher.accept_bytes(forced) == Step::kOk) text += forced;
    }
  }
  const auto rest = matcher.shortest_completion();
  if (!rest || matcher.accept_bytes(*rest) != Step::kOk) return {};
  return text + *rest;
}

}  // namespace weir::tests

#endif  // WEIR_TESTS_UNIT_REPLIES_RANDOM_OUTPUT_H_
