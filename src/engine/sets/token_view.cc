#include "engine/sets/token_view.h"

namespace weir::engine {

TokenPosition position_after_token(const vocab::Vocabulary& vocabulary, std::uint32_t token, TokenPosition position) {
  const TokenKind kind = vocabulary.token_kind(token);
  return kind == TokenKind::kSpecial || kind == TokenKind::kUnused ? position : TokenPosition::kInside;
}

TokenPosition position_after_empty(const vocab::Vocabulary& vocabulary) {
  return vocabulary.first_token_rule_repeats() ? TokenPosition::kFirst : TokenPosition::kInside;
}

TokenView::TokenView(const vocab::Vocabulary& v, TokenPosition p)
    : vocabulary(v),
      position(p),
      trie(p == TokenPosition::kFirst ? v.first_trie() : v.trie()),
      summary(p == TokenPosition::kFirst ? v.first_summary() : v.summary()) {}

std::string_view TokenView::bytes_of(std::uint32_t token) const {
  return position == TokenPosition::kFirst ? vocabulary.first_token_bytes(token) : vocabulary.token_bytes(token);
}

}  // namespace weir::engine
