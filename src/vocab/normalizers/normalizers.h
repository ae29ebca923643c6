// The normalizing steps of tokenizer.json, by their names there; SentencePiece's own is in sentencepiece_normalizer.h.
#ifndef WEIR_SRC_VOCAB_NORMALIZERS_NORMALIZERS_H_
#define WEIR_SRC_VOCAB_NORMALIZERS_NORMALIZERS_H_

#include <string>
#include <string_view>

#include "vocab/normalizers/normalizer.h"
#include "vocab/normalizers/unicode.h"
#include "weir/error.h"

namespace weir::vocab {

/// Replaces every occurrence of `from`, left to right. Linear. Precondition: `from` is not empty.
void replace_all(std::string& text, std::string_view from, std::string_view to);

NormalizerPtr make_unicode_form(NormalizationForm form);
NormalizerPtr make_lowercase();
/// Drops all marks (category M), after no decomposition of its own.
NormalizerPtr make_strip_accents();
/// Puts `text` in front of text that is not empty.
NormalizerPtr make_prepend(std::string text);
/// The same as a step; an empty `from` occurs nowhere.
NormalizerPtr make_replace(std::string from, std::string to);
/// Replaces every match of a pattern by a text that is taken literally. Errors: those of Pattern::compile.
Result<NormalizerPtr> make_replace_pattern(std::string_view regex, std::string to);
/// Drops white space at the ends.
NormalizerPtr make_strip(bool left, bool right);
/// Drops control characters and makes blanks of white space and of some more, as NMT models were trained.
NormalizerPtr make_nmt();
/// Writes every byte as its character of the byte-level alphabet.
NormalizerPtr make_byte_level();

struct BertOptions {
  bool clean_text = true;            ///< Drop control characters, make blanks of white space.
  bool handle_chinese_chars = true;  ///< Put a blank on both sides of each CJK ideograph.
  bool strip_accents = true;         ///< Decompose (NFD) and drop nonspacing marks.
  bool lowercase = true;
};
NormalizerPtr make_bert(const BertOptions& options);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_NORMALIZERS_NORMALIZERS_H_
