#include "vocab/token_spelling.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/escape.h"
#include "vocab/byte_level.h"
#include "vocab/normalizers/normalizers.h"

namespace weir::vocab {

std::optional<std::uint8_t> parse_byte_token(std::string_view name) noexcept {
  if (name.size() != 6 || !name.starts_with("<0x") || name.back() != '>') return std::nullopt;
  const int high = base::hex_digit(name[3]);
  const int low = base::hex_digit(name[4]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<std::uint8_t>(high * 16 + low);
}

void decode_spelling(TokenSpelling spelling, std::string& token) {
  switch (spelling) {
    case TokenSpelling::kBytes: return;
    case TokenSpelling::kByteFallback:
      if (const auto byte = parse_byte_token(token)) {
        token.assign(1, static_cast<char>(*byte));
      } else {
        replace_all(token, "▁", " ");
      }
      return;
    case TokenSpelling::kByteLevel:
      // Printable ASCII other than a space stands for itself, so most tokens need no decoding.
      if (std::ranges::all_of(token, [](char c) { return c > ' ' && c < 0x7F; })) return;
      if (auto bytes = decode_byte_level(token)) token = *std::move(bytes);
      return;
  }
}

bool is_usual_stop_name(std::string_view name) noexcept {
  static constexpr std::array<std::string_view, 23> kNames = {"</s>",
                                                              "<eos>",
                                                              "<|eos|>",
                                                              "[EOS]",
                                                              "[EOT]",
                                                              "<|endoftext|>",
                                                              "<|end_of_text|>",
                                                              "<|eot_id|>",
                                                              "<|eom_id|>",
                                                              "<|eot|>",
                                                              "<|eom|>",
                                                              "<|im_end|>",
                                                              "<|end|>",
                                                              "<|end_of_turn|>",
                                                              "<end_of_turn>",
                                                              "<turn|>",
                                                              "<|return|>",
                                                              "<|call|>",
                                                              "<|EOT|>",
                                                              "<EOT>",
                                                              "[|endofturn|]",
                                                              "<|END_OF_TURN_TOKEN|>",
                                                              "<｜end▁of▁sentence｜>"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

}  // namespace weir::vocab
