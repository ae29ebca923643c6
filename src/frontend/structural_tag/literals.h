// Splits strings of a structural tag into text and special tokens.
//
// WHY    `<tool_call>` is one special token in some vocabularies and ordinary text in others, but the author of a tag
//        writes the same string. A special token is never matched as text (grammar/ir.h), so names of special tokens
//        must be found here.
#ifndef WEIR_SRC_FRONTEND_STRUCTURAL_TAG_LITERALS_H_
#define WEIR_SRC_FRONTEND_STRUCTURAL_TAG_LITERALS_H_

#include <array>
#include <optional>
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

  /// `special_tokens` are the names; they must outlive this object.
  explicit Literals(std::span<const std::string> special_tokens);

  /// Splits the string into pieces. At each position the longest name is used.
  [[nodiscard]] std::vector<Piece> split(std::string_view string) const;
  /// Returns the name of a special token that overlaps `text` where it stands between the two others; nullopt if none
  /// does.
  [[nodiscard]] std::optional<std::string> token_over(std::string_view before, std::string_view text,
                                                      std::string_view after) const;
  /// Returns the string as a node of the grammar.
  grammar::NodeId add(grammar::Grammar& grammar, std::string_view string, SourceRange where) const;

 private:
  [[nodiscard]] std::string_view name_at(std::string_view text) const;

  std::unordered_set<std::string_view> names_;
  std::vector<std::size_t> lengths_;  // distinct lengths of names, the longest first
  std::array<bool, 256> begins_{};    // by byte: true if a name begins with it
};

/// Returns the token with this name as a node.
grammar::NodeId add_token(grammar::Grammar& grammar, const std::string& name, SourceRange where);

}  // namespace weir::frontend::structural_tag

#endif  // WEIR_SRC_FRONTEND_STRUCTURAL_TAG_LITERALS_H_
