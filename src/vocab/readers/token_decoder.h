// TokenDecoder: tokenizer.json's decoder, applied to one token.
//
// WHAT   A decoder of tokenizer.json is a list of steps that rewrite the list of a text's tokens. Masks require that
//        the bytes of a token do not depend on other tokens. That holds for steps that rewrite each token by itself,
//        and for steps that treat only the first token specially; with these a token has two byte strings, one as the
//        first token and one elsewhere.
// HOW    `Fuse` and `ByteLevel` join all tokens. A step after them works on the whole text; it is accepted only if it
//        gives the same as a step on each token.
// ERRORS kUnsupported, with the step's name: BPEDecoder (removes the space of the last token), CTC (removes
//        repetitions), Strip at the end of the text or of more than one character at its start, Replace of a longer
//        pattern, which may match across tokens.
#ifndef WEIR_SRC_VOCAB_READERS_TOKEN_DECODER_H_
#define WEIR_SRC_VOCAB_READERS_TOKEN_DECODER_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "vocab/readers/json_file.h"
#include "weir/error.h"

namespace weir::vocab {

class TokenDecoder {
 public:
  /// Makes a decoder from the file's "decoder". If it is null, tokens are joined by spaces.
  static Result<TokenDecoder> create(const Json& decoder, std::string_view name);

  [[nodiscard]] std::string decode(std::string_view token, bool is_first) const;
  /// Returns true if a token such as `<0x41>` decodes to that byte.
  [[nodiscard]] bool has_byte_fallback() const noexcept { return has_byte_fallback_; }
  /// Returns true if tokens are written in the byte-level alphabet.
  [[nodiscard]] bool is_byte_level() const noexcept { return is_byte_level_; }

 private:
  using Step = std::function<void(std::string& token, bool is_first)>;

  Result<void> add(const Json& decoder, std::string_view name);
  Result<void> add_metaspace(const Json& decoder, std::string_view name);
  Result<void> add_replace(const Json& decoder, std::string_view name);
  Result<void> add_strip(const Json& decoder, std::string_view name);
  void add_word_piece(const Json& decoder);

  std::vector<Step> steps_;
  bool fused_ = false;  // while building: the steps so far have joined the tokens to one text
  bool has_byte_fallback_ = false;
  bool is_byte_level_ = false;
};

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_READERS_TOKEN_DECODER_H_
