#include "engine/mask/token_view.h"

namespace weir::engine {

TokenView::TokenView(const vocab::Vocabulary& v, TokenPosition p)
    : vocabulary(v),
      position(p),
      trie(p == TokenPosition::kFirst ? v.first_trie() : v.trie()),
      summary(p == TokenPosition::kFirst ? v.first_summary() : v.summary()) {}

std::string_view TokenView::bytes_of(std::uint32_t token) const {
  return position == TokenPosition::kFirst ? vocabulary.first_token_bytes(token) : vocabulary.token_bytes(token);
}

}  // namespace weir::engine
