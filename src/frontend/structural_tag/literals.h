// Strings of a structural tag as parts of a grammar: text, and special tokens where the string holds their names.
//
// WHY    `<tool_call>` is one special token in some vocabularies and plain text in others; who writes a tag writes the
//        string. A special token is never matched as text (grammar/ir.h), so the string has to be taken apart here.
#ifndef WEIR_SRC_FRONTEND_STRUCTURAL_TAG_LITERALS_H_
#define WEIR_SRC_FRONTEND_STRUCTURAL_TAG_LITERALS_H_

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "grammar/ir.h"

namespace weir::frontend::structural_tag {

class Literals {
 public:
  struct Piece {
    std::string text;
    bool is_token = false;
  };

  /// `special_tokens` are names, and outlive this.
  explicit Literals(std::span<const std::string> special_tokens);

  /// The string in pieces; at each place the longest name counts.
  [[nodiscard]] std::vector<Piece> split(std::string_view string) const;
  /// The string as a node of the grammar.
  grammar::NodeId add(grammar::Grammar& grammar, std::string_view string, SourceRange where) const;

 private:
  [[nodiscard]] std::string_view name_at(std::string_view text) const;

  std::unordered_set<std::string_view> names_;
  std::vector<std::size_t> lengths_;  // of the names, each once, the longest first
  std::array<bool, 256> begins_{};    // by byte: whether a name begins with it
};

/// The token of this name, as a node.
grammar::NodeId add_token(grammar::Grammar& grammar, const std::string& name, SourceRange where);

}  // namespace weir::frontend::structural_tag

#endif  // WEIR_SRC_FRONTEND_STRUCTURAL_TAG_LITERALS_H_
