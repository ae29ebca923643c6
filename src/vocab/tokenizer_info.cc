// TokenizerInfo: forwards to Vocabulary. The functions that read files are in tokenizer_info_files.cc, so that a
// program with its own list of tokens does not link the readers.
#include "weir/tokenizer_info.h"

#include "vocab/segmenters/longest_match.h"
#include "vocab/vocabulary.h"

namespace weir {

TokenizerInfo::TokenizerInfo(std::shared_ptr<const vocab::Vocabulary> vocabulary) noexcept
    : vocabulary_(std::move(vocabulary)) {}

Result<TokenizerInfo> TokenizerInfo::from_vocab(VocabSpec spec, const TokenizerOptions& options) {
  return vocab::Vocabulary::create(std::move(spec), options).map([](auto vocabulary) {
    return TokenizerInfo(std::move(vocabulary));
  });
}

std::uint32_t TokenizerInfo::vocab_size() const noexcept { return vocabulary_->size(); }

std::string_view TokenizerInfo::token_bytes(std::uint32_t id) const noexcept {
  return id < vocab_size() ? vocabulary_->token_bytes(id) : std::string_view();
}

std::string_view TokenizerInfo::first_token_bytes(std::uint32_t id) const noexcept {
  return id < vocab_size() ? vocabulary_->first_token_bytes(id) : std::string_view();
}

TokenKind TokenizerInfo::token_kind(std::uint32_t id) const noexcept {
  return id < vocab_size() ? vocabulary_->token_kind(id) : TokenKind::kUnused;
}

std::string_view TokenizerInfo::token_name(std::uint32_t id) const noexcept {
  return id < vocab_size() ? vocabulary_->token_name(id) : std::string_view();
}

std::optional<std::uint32_t> TokenizerInfo::find_special_token(std::string_view name) const noexcept {
  return vocabulary_->find_special_token(name);
}

std::span<const std::uint32_t> TokenizerInfo::stop_token_ids() const noexcept { return vocabulary_->stop_token_ids(); }

bool TokenizerInfo::drops_leading_space() const noexcept { return vocabulary_->drops_leading_space(); }

std::string_view TokenizerInfo::kind() const noexcept { return vocabulary_->kind(); }

std::string TokenizerInfo::decode(std::span<const std::uint32_t> ids) const {
  std::string text;
  bool first = true;
  for (const std::uint32_t id : ids) {
    const TokenKind kind = token_kind(id);
    if (kind != TokenKind::kNormal && kind != TokenKind::kByte) continue;
    text += first ? vocabulary_->first_token_bytes(id) : vocabulary_->token_bytes(id);
    first = vocabulary_->first_token_rule_repeats() && text.empty();
  }
  return text;
}

Result<std::vector<std::uint32_t>> TokenizerInfo::tokenize(std::string_view text) const {
  const vocab::Segmenter* segmenter = vocabulary_->segmenter();
  return segmenter != nullptr ? segmenter->tokenize(text) : vocab::tokenize_longest_match(*vocabulary_, text);
}

}  // namespace weir
