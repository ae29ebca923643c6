// Functions that all readers use.
#include <algorithm>
#include <array>

#include "base/escape.h"
#include "vocab/readers/readers.h"

namespace weir::vocab {

Error malformed(std::string_view name, std::string_view message, std::size_t offset) {
  std::string text = "`";
  text.append(name).append("`: ").append(message);
  return Error{ErrorCode::kInvalidArgument, std::move(text), {offset, offset}};
}

tl::unexpected<Error> invalid_at(std::string message, std::size_t offset) {
  return tl::unexpected(
      Error{ErrorCode::kInvalidArgument, std::move(message) + " at byte " + std::to_string(offset), {offset, offset}});
}

std::optional<std::uint8_t> parse_byte_token(std::string_view name) noexcept {
  if (name.size() != 6 || !name.starts_with("<0x") || name.back() != '>') return std::nullopt;
  const int high = base::hex_digit(name[3]);
  const int low = base::hex_digit(name[4]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<std::uint8_t>(high * 16 + low);
}

std::vector<std::uint32_t> usual_stop_tokens(const VocabularySource& source) {
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
  std::vector<std::uint32_t> found;
  std::optional<std::uint32_t> separator;
  for (std::uint32_t id = 0; id < source.token_names.size(); ++id) {
    if (source.token_kinds[id] != TokenKind::kSpecial) continue;
    const std::string_view name = source.token_names[id];
    if (std::find(kNames.begin(), kNames.end(), name) != kNames.end()) found.push_back(id);
    if (name == "[SEP]") separator = id;
  }
  // BERT's separator is used only if there is no other such token.
  if (found.empty() && separator) found.push_back(*separator);
  return found;
}

}  // namespace weir::vocab
