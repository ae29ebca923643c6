#include "base/json/quoting_tokens.h"

#include <algorithm>
#include <functional>

#include "base/replaceable.h"

namespace weir::base {

QuotingTokens::QuotingTokens(std::span<const std::pair<std::string_view, std::uint32_t>> tokens,
                             std::span<const std::pair<std::string_view, std::uint32_t>> with_colons) {
  for (const auto& [bytes, id] : tokens) add(bytes, id);
  for (const auto& [bytes, id] : with_colons) with_colons_.push_back({bytes, id});
  std::ranges::sort(all_, {}, &Token::bytes);
  for (std::vector<Token>* list : {&many_, &many_not_plain_}) {
    std::ranges::stable_sort(*list, std::greater<>(), &Token::quotes);
  }
  std::ranges::sort(quoted_texts_);
  const auto repeated = std::ranges::unique(quoted_texts_);
  quoted_texts_.erase(repeated.begin(), repeated.end());
}

void QuotingTokens::add(std::string_view bytes, std::uint32_t id) {
  const std::size_t last = bytes.rfind('"');
  const Token token{bytes, id, static_cast<std::size_t>(std::ranges::count(bytes, '"')), bytes.find('\\') < last};
  all_.push_back(token);
  if (token.escapes) escaping_.push_back(token);
  has_numeric_escapes_ = has_numeric_escapes_ || (token.escapes && bytes.find("\\u") < last);
  if (token.quotes < 2) return;
  many_.push_back(token);
  if (!token.is_plain()) {
    many_not_plain_.push_back(token);
    return;
  }
  for (std::size_t from = bytes.find('"') + 1; from <= last;) {
    const std::size_t to = bytes.find('"', from);
    quoted_texts_.push_back(bytes.substr(from, to - from));
    from = to + 1;
  }
}

std::span<const QuotingTokens::Token> QuotingTokens::beginning_with(std::string_view text) const {
  const auto first = std::ranges::lower_bound(all_, text, {}, &Token::bytes);
  const auto last = std::find_if(first, all_.end(), [&](const Token& token) { return !token.bytes.starts_with(text); });
  return {first, last};
}

std::span<const QuotingTokens::Token> QuotingTokens::with_quotes(std::size_t quotes, Plain plain) const {
  const std::vector<Token>& list = plain == Plain::kIncluded ? many_ : many_not_plain_;
  const auto last = std::ranges::find_if(list, [&](const Token& token) { return token.quotes < quotes; });
  return {list.begin(), last};
}

bool QuotingTokens::has_quoted(std::string_view text) const { return std::ranges::binary_search(quoted_texts_, text); }

WEIR_REPLACEABLE bool ends_yaml_key(std::string_view token) {
  for (std::size_t i = token.find(':'); i < token.size(); i = token.find(':', i + 1)) {
    const char next = i + 1 < token.size() ? token[i + 1] : ':';
    if (next == ' ' || next == '\n' || (i > 0 && token[i - 1] == '\'')) return true;
  }
  return false;
}

}  // namespace weir::base
