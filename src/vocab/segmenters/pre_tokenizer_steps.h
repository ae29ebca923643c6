// The pre-tokenizing steps of tokenizer.json that are more than one split pattern, and the patterns of those that are.
#ifndef WEIR_SRC_VOCAB_SEGMENTERS_PRE_TOKENIZER_STEPS_H_
#define WEIR_SRC_VOCAB_SEGMENTERS_PRE_TOKENIZER_STEPS_H_

#include <memory>
#include <string>
#include <string_view>

#include "vocab/segmenters/pre_tokenizer.h"

namespace weir::vocab {

using PreTokenizerStepPtr = std::shared_ptr<const PreTokenizerStep>;

/// GPT-2's pattern, which "ByteLevel" uses.
inline constexpr std::string_view kGpt2Pattern =
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
/// One punctuation character: category P, and all of ASCII that is no letter, digit or control character.
inline constexpr std::string_view kPunctuationPattern = "[\\p{P}$+<=>^`|~]";

/// Words and what is between them, white space apart. The library uses Rust's expressions here, whose words are others
/// than those of `\w` in a file's patterns: alphabetic characters, marks, decimal digits, connectors, joiners.
inline constexpr std::string_view kWhitespacePattern =
    "[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{200C}\\x{200D}]+|[^\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{200C}\\x{200D}"
    "\\s]+";

/// Puts a space in front of each piece that does not begin with one.
PreTokenizerStepPtr make_prefix_space_step();

/// Writes every byte as its character of the byte-level alphabet.
PreTokenizerStepPtr make_byte_level_step();

struct MetaspaceOptions {
  using Prepend = StepRecipe::Prepend;
  std::string symbol = "▁";            ///< Takes the place of spaces.
  Prepend prepend = Prepend::kAlways;  ///< Where the symbol is put in front: of each piece, or of the text only.
};
/// Spaces become the symbol, and one is put in front. The splitting that may follow is a step of its own.
PreTokenizerStepPtr make_metaspace_step(MetaspaceOptions options);

/// A pattern that matches exactly `text`.
[[nodiscard]] std::string quote_pattern(std::string_view text);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_PRE_TOKENIZER_STEPS_H_
