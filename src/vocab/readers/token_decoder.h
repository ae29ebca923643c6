// TokenDecoder: tokenizer.json's decoder, applied to one token.
//
// WHAT   A decoder there is a list of steps over the list of a text's tokens. For masks each token must stand for bytes
//        of its own. That is so for the steps that rewrite tokens one by one, and for those that look at the first
//        token only, which makes two byte strings a token: one as the first token, one elsewhere.
// HOW    `Fuse` and `ByteLevel` join all tokens; what comes behind them is a step over the whole text, and allowed only
//        where that is the same as a step over each token.
// REFUSED as kUnsupported, by name: BPEDecoder (drops the space of the last token), CTC (drops repetitions), Strip at
//        the end of the text or of more than one character at its start, Replace of longer patterns across tokens.
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
  /// From the file's "decoder"; null: tokens are joined by spaces.
  static Result<TokenDecoder> create(const Json& decoder, std::string_view name);

  [[nodiscard]] std::string decode(std::string_view token, bool is_first) const;
  /// Whether `<0x41>` stands for a byte.
  [[nodiscard]] bool has_byte_fallback() const noexcept { return has_byte_fallback_; }
  /// Whether tokens are written in the byte-level alphabet.
  [[nodiscard]] bool is_byte_level() const noexcept { return is_byte_level_; }

 private:
  using Step = std::function<void(std::string& token, bool is_first)>;

  Result<void> add(const Json& decoder, std::string_view name);
  Result<void> add_metaspace(const Json& decoder, std::string_view name);
  Result<void> add_replace(const Json& decoder, std::string_view name);
  Result<void> add_strip(const Json& decoder, std::string_view name);
  void add_word_piece(const Json& decoder);

  std::vector<Step> steps_;
  bool fused_ = false;  // while building: the tokens are one text by now
  bool has_byte_fallback_ = false;
  bool is_byte_level_ = false;
};

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_READERS_TOKEN_DECODER_H_
