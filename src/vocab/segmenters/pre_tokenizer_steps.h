// The pre-tokenizing steps of tokenizer.json: functions that make the steps that rewrite text, and the patterns of the
// steps that only split it.
#ifndef WEIR_SRC_VOCAB_SEGMENTERS_PRE_TOKENIZER_STEPS_H_
#define WEIR_SRC_VOCAB_SEGMENTERS_PRE_TOKENIZER_STEPS_H_

#include <memory>
#include <string>
#include <string_view>

#include "vocab/segmenters/pre_tokenizer.h"

namespace weir::vocab {

using PreTokenizerStepPtr = std::shared_ptr<const PreTokenizerStep>;

/// GPT-2's pattern, which the step "ByteLevel" uses.
inline constexpr std::string_view kGpt2Pattern =
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
/// One punctuation character: general category P, or an ASCII character that is not a letter, digit, space or control
/// character.
inline constexpr std::string_view kPunctuationPattern = "[\\p{P}$+<=>^`|~]";

/// Words, and the characters between them except white space. The Hugging Face library uses Rust's `\w` here, which
/// differs from the `\w` in a file's patterns: alphabetic characters, marks, decimal digits, connectors, joiners.
inline constexpr std::string_view kWhitespacePattern =
    "[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{200C}\\x{200D}]+|[^\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{200C}\\x{200D}"
    "\\s]+";

/// Inserts a space before each piece that does not begin with one.
PreTokenizerStepPtr make_prefix_space_step();

/// Writes every byte as its character of the byte-level alphabet.
PreTokenizerStepPtr make_byte_level_step();

struct MetaspaceOptions {
  using Prepend = StepRecipe::Prepend;
  std::string symbol = "▁";            ///< Replaces spaces.
  Prepend prepend = Prepend::kAlways;  ///< Before which pieces the symbol is inserted.
};
/// Replaces spaces by the symbol and inserts it at the start as `options` say. Splitting at the symbol is another step.
PreTokenizerStepPtr make_metaspace_step(MetaspaceOptions options);

/// Returns a pattern that matches exactly `text`.
[[nodiscard]] std::string quote_pattern(std::string_view text);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_PRE_TOKENIZER_STEPS_H_
