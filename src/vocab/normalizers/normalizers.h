// The normalizers of tokenizer.json, named as there. SentencePiece's normalizer is in sentencepiece_normalizer.h.
#ifndef WEIR_SRC_VOCAB_NORMALIZERS_NORMALIZERS_H_
#define WEIR_SRC_VOCAB_NORMALIZERS_NORMALIZERS_H_

#include <string>
#include <string_view>

#include "vocab/normalizers/normalizer.h"
#include "vocab/normalizers/unicode.h"
#include "weir/error.h"

namespace weir::vocab {

/// Replaces every occurrence of `from` in `text` by `to`, from left to right. Linear time. Precondition: `from` is not
/// empty.
void replace_all(std::string& text, std::string_view from, std::string_view to);

NormalizerPtr make_unicode_form(NormalizationForm form);
NormalizerPtr make_lowercase();
/// Removes all marks (category M). It does not decompose characters first.
NormalizerPtr make_strip_accents();
/// Inserts `text` at the start of every text that is not empty.
NormalizerPtr make_prepend(std::string text);
/// Applies replace_all; if `from` is empty, changes nothing.
NormalizerPtr make_replace(std::string from, std::string to);
/// Replaces every match of a pattern by `to`, which is taken literally. Errors: those of Pattern::compile.
Result<NormalizerPtr> make_replace_pattern(std::string_view regex, std::string to);
/// Removes white space at the chosen ends of the text.
NormalizerPtr make_strip(bool left, bool right);
/// Removes control characters, and replaces white space and some other characters by spaces, as in the training data of
/// NMT models.
NormalizerPtr make_nmt();
/// Writes every byte as its character of the byte-level alphabet.
NormalizerPtr make_byte_level();

struct BertOptions {
  bool clean_text = true;            ///< Remove control characters; replace white space by spaces.
  bool handle_chinese_chars = true;  ///< Insert a space before and after each CJK ideograph.
  bool strip_accents = true;         ///< Decompose (NFD) and remove nonspacing marks.
  bool lowercase = true;
};
NormalizerPtr make_bert(const BertOptions& options);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_NORMALIZERS_NORMALIZERS_H_
