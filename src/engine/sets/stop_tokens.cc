#include "engine/sets/stop_tokens.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "base/build_call.h"

namespace weir::engine {

Result<StopTokens> StopTokens::create(const vocab::Vocabulary& vocabulary,
                                      const std::optional<std::vector<std::uint32_t>>& own) {
  StopTokens made(vocabulary);
  if (!own.has_value()) return made;
  const auto bad = [](std::string message, std::size_t index, std::string hint = "") {
    return tl::unexpected(base::with_options(
        "stop_token_ids", {ErrorCode::kInvalidArgument, std::move(message), {index, index + 1}, std::move(hint), {}}));
  };
  if (own->empty()) {
    return tl::unexpected(
        base::with_options("stop_token_ids", {ErrorCode::kInvalidArgument,
                                              "`stop_token_ids` is empty: no token could end the output",
                                              {},
                                              "leave it out to use the tokenizer's stop tokens"}));
  }
  for (std::size_t i = 0; i < own->size(); ++i) {
    const std::uint32_t token = (*own)[i];
    if (token >= vocabulary.size()) {
      return bad("stop token " + std::to_string(token) + " is out of range: the vocabulary has " +
                     std::to_string(vocabulary.size()) + " tokens",
                 i);
    }
    const auto here = own->begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(own->begin(), here, token) != here) {
      return bad("stop token " + std::to_string(token) + " is listed twice", i);
    }
  }
  auto lists = std::make_shared<Own>();
  lists->tokens = *own;
  std::sort(lists->tokens.begin(), lists->tokens.end());
  const auto known = vocabulary.stop_token_ids();
  std::set_symmetric_difference(lists->tokens.begin(), lists->tokens.end(), known.begin(), known.end(),
                                std::back_inserter(lists->reversed));
  lists->reverses_text = std::any_of(lists->reversed.begin(), lists->reversed.end(),
                                     [&](std::uint32_t token) { return made.has_text(token); });
  made.own_ = std::move(lists);
  return made;
}

std::span<const std::uint32_t> StopTokens::ids() const {
  return own_ == nullptr ? vocabulary_->stop_token_ids() : std::span<const std::uint32_t>(own_->tokens);
}

bool StopTokens::contains(std::uint32_t token) const {
  const auto listed = ids();
  return std::binary_search(listed.begin(), listed.end(), token);
}

std::span<const std::uint32_t> StopTokens::reversed() const {
  return own_ == nullptr ? std::span<const std::uint32_t>() : std::span<const std::uint32_t>(own_->reversed);
}

TokenRole StopTokens::role(std::uint32_t token) const {
  const auto listed = reversed();
  const bool is_reversed = !listed.empty() && std::binary_search(listed.begin(), listed.end(), token);
  return is_reversed ? TokenRole::kReversed : TokenRole::kOfVocabulary;
}

bool StopTokens::has_text(std::uint32_t token) const {
  const TokenKind kind = vocabulary_->token_kind(token);
  return (kind == TokenKind::kNormal || kind == TokenKind::kByte) && !vocabulary_->token_bytes(token).empty();
}

std::string_view StopTokens::text_of(std::uint32_t token, TokenPosition position) const {
  if (!has_text(token) || contains(token)) return {};
  return position == TokenPosition::kFirst ? vocabulary_->first_token_bytes(token) : vocabulary_->token_bytes(token);
}

bool StopTokens::adds_nothing(std::uint32_t token, TokenPosition position) const {
  if (position != TokenPosition::kFirst) return false;
  if (role(token) == TokenRole::kReversed) {
    return has_text(token) && !contains(token) && vocabulary_->first_token_bytes(token).empty();
  }
  const auto empty = vocabulary_->first_empty_tokens();
  return std::binary_search(empty.begin(), empty.end(), token);
}

TokenPosition StopTokens::position_after(std::uint32_t token, TokenPosition position) const {
  if (position == TokenPosition::kInside) return position;
  return adds_nothing(token, position) ? position_after_empty(*vocabulary_)
                                       : position_after_token(*vocabulary_, token, position);
}

}  // namespace weir::engine
