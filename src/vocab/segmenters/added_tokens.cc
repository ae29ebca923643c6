#include "vocab/segmenters/added_tokens.h"

#include <algorithm>

#include "base/utf8.h"
#include "vocab/normalizers/unicode.h"
#include "vocab/segmenters/pattern.h"

namespace weir::vocab {

namespace {

// Returns the offset of the character that ends at `end`, or end - 1 if the bytes are not valid UTF-8.
// Precondition: end > 0.
std::size_t character_before(std::string_view text, std::size_t end) {
  for (std::size_t length = 1; length <= 4 && length <= end; ++length) {
    if (base::decode_utf8(text, end - length).length == length) return end - length;
  }
  return end - 1;
}

bool is_white_space_at(std::string_view text, std::size_t pos, std::size_t& length) {
  const base::Decoded d = base::decode_utf8(text, pos);
  length = d.length;
  return d.length != 0 && is_white_space(d.code_point);
}

std::size_t skip_white_space_back(std::string_view text, std::size_t from, std::size_t limit) {
  while (from > limit) {
    const std::size_t begin = character_before(text, from);
    std::size_t length = 0;
    if (begin < limit || !is_white_space_at(text, begin, length)) break;
    from = begin;
  }
  return from;
}

std::size_t skip_white_space(std::string_view text, std::size_t from) {
  std::size_t length = 0;
  while (from < text.size() && is_white_space_at(text, from, length)) from += length;
  return from;
}

// Returns true if the character at `begin` is a word character: one that `\w` of Rust's regex crate matches, which the
// Hugging Face library uses here.
bool is_word_character(std::string_view text, std::size_t begin) {
  const base::Decoded d = base::decode_utf8(text, begin);
  if (d.length == 0) return false;
  static const Result<Pattern> kWord = Pattern::compile("[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{200C}\\x{200D}]");
  if (!kWord) return false;
  const auto match = Pattern::Matcher(*kWord).find(text.substr(begin, d.length), 0);
  return match && match->found();
}

// Returns true if no word character is directly before or after [begin, end), as AddedToken::single_word requires.
bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) {
  return (begin == 0 || !is_word_character(text, character_before(text, begin))) &&
         (end == text.size() || !is_word_character(text, end));
}

}  // namespace

AddedTokens::AddedTokens(std::vector<AddedToken> tokens) : tokens_(std::move(tokens)) {
  std::vector<std::pair<std::string_view, std::uint32_t>> entries;
  for (std::uint32_t i = 0; i < tokens_.size(); ++i) {
    if (tokens_[i].text.empty()) continue;
    entries.emplace_back(tokens_[i].text, i);
    first_bytes_[static_cast<unsigned char>(tokens_[i].text.front())] = true;
    any_strips_left_ = any_strips_left_ || tokens_[i].lstrip;
  }
  trie_ = PrefixTrie(std::move(entries));
}

std::vector<AddedTokens::Section> AddedTokens::cut(std::string_view text) const {
  std::vector<Section> sections;
  std::size_t covered = 0;
  if (!trie_.empty()) {
    for (std::size_t at = 0; at < text.size();) {
      PrefixTrie::Match match;
      if (first_bytes_[static_cast<unsigned char>(text[at])]) match = trie_.longest_match(text, at);
      if (match.length == 0) {
        ++at;
        continue;
      }
      const AddedToken& token = tokens_[match.number];
      std::size_t begin = at;
      std::size_t end = at + match.length;
      at = end;
      if (token.single_word && !stands_alone(text, begin, end)) continue;
      if (token.lstrip) begin = skip_white_space_back(text, begin, covered);
      if (token.rstrip) end = skip_white_space(text, end);
      if (covered < begin) sections.push_back({covered, begin});
      sections.push_back({begin, end, token.id});
      covered = at = end;
    }
  }
  if (covered < text.size()) sections.push_back({covered, text.size()});
  return sections;
}

std::size_t AddedTokens::settled(std::string_view text) const {
  // Returns true if a token may begin at `at`: the text has a token there, or ends in a prefix of one.
  const auto may_begin = [&](std::size_t at) {
    PrefixTrie::NodeId node = PrefixTrie::NodeId::kRoot;
    for (; at < text.size(); ++at) {
      node = trie_.step(node, static_cast<std::uint8_t>(text[at]));
      if (node == PrefixTrie::NodeId::kNowhere) return false;
      if (trie_.number_at(node) != PrefixTrie::kNone) return true;
    }
    return true;
  };
  std::size_t end = 0;
  while (end < text.size() && !(first_bytes_[static_cast<unsigned char>(text[end])] && may_begin(end))) ++end;
  return any_strips_left_ ? skip_white_space_back(text, end, 0) : end;
}

}  // namespace weir::vocab
