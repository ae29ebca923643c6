#include "frontend/structural_tag/literals.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace weir::frontend::structural_tag {

Literals::Literals(std::span<const std::string> special_tokens) {
  for (const std::string& name : special_tokens) {
    if (name.empty()) continue;
    names_.insert(name);
    lengths_.push_back(name.size());
    begins_[static_cast<unsigned char>(name.front())] = true;
  }
  std::sort(lengths_.begin(), lengths_.end(), std::greater<>());
  lengths_.erase(std::unique(lengths_.begin(), lengths_.end()), lengths_.end());
}

// Returns the longest name that the text begins with; empty if there is none.
std::string_view Literals::name_at(std::string_view text) const {
  if (!begins_[static_cast<unsigned char>(text.front())]) return {};
  for (const std::size_t length : lengths_) {
    if (length <= text.size() && names_.contains(text.substr(0, length))) return text.substr(0, length);
  }
  return {};
}

std::vector<Literals::Piece> Literals::split(std::string_view string) const {
  std::vector<Piece> pieces;
  while (!string.empty()) {
    if (const std::string_view name = name_at(string); !name.empty()) {
      pieces.push_back({std::string(name), true});
      string.remove_prefix(name.size());
      continue;
    }
    if (pieces.empty() || pieces.back().is_token) pieces.emplace_back();
    pieces.back().text += string.front();
    string.remove_prefix(1);
  }
  return pieces;
}

std::optional<std::string> Literals::token_over(std::string_view before, std::string_view text,
                                                std::string_view after) const {
  const std::size_t end = before.size() + text.size();
  std::size_t at = 0;
  for (const Piece& piece : split(std::string(before) + std::string(text) + std::string(after))) {
    const std::size_t begin = std::exchange(at, at + piece.text.size());
    if (piece.is_token && begin < end && at > before.size()) return piece.text;
  }
  return std::nullopt;
}

grammar::NodeId Literals::add(grammar::Grammar& grammar, std::string_view string, SourceRange where) const {
  std::vector<grammar::NodeId> parts;
  for (const Piece& piece : split(string)) {
    parts.push_back(piece.is_token ? add_token(grammar, piece.text, where) : grammar.add_literal(piece.text, where));
  }
  return grammar.add_sequence(parts, where);
}

grammar::NodeId add_token(grammar::Grammar& grammar, const std::string& name, SourceRange where) {
  grammar::TokenSet set;
  set.names.push_back(name);
  set.name = name;
  set.where = where;
  return grammar.add_tokens(std::move(set));
}

}  // namespace weir::frontend::structural_tag
