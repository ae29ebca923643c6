// Layout: brackets, commas and colons of a JSON text with the whitespace that JsonSchemaOptions::Whitespace allows
// around them.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_LAYOUT_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_LAYOUT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "regex/expr/expr.h"
#include "weir/error.h"
#include "weir/json_schema.h"
#include "weir/limits.h"

namespace weir::frontend::json_schema {

class Layout {
 public:
  /// A part of the text: the language of all its forms, and a short form.
  struct Piece {
    regex::ExprId texts = regex::ExprId::kEpsilon;
    std::string text;
  };

  /// Errors: kInvalidArgument for a whitespace pattern that is empty or matches anything but blanks; those of
  /// parse_regex, with the place in the pattern in their message. Error::where is empty, because the pattern is no part
  /// of the schema.
  static Result<Layout> make(regex::ExprSet& exprs, const JsonSchemaOptions& options, const Limits& limits);
  /// Returns a layout without blanks. For texts only: its pieces have no expressions.
  static const Layout& compact();

  /// Returns `depth` if pieces depend on it, else 0, so that rules for different depths are the same.
  [[nodiscard]] std::uint32_t depth_of(std::uint32_t depth) const { return is_indented_ ? depth : 0; }

  /// The opening bracket and the blanks after it.
  [[nodiscard]] Piece open(char bracket) const;
  /// The line break before the first item or member, which is at `depth`; may be empty.
  [[nodiscard]] Piece before_first(std::uint32_t depth) const;
  /// The comma between items or members at `depth`.
  [[nodiscard]] Piece comma(std::uint32_t depth) const;
  [[nodiscard]] Piece colon() const;
  /// The closing bracket of a container that is at `depth`.
  [[nodiscard]] Piece close(char bracket, std::uint32_t depth) const;
  /// The blanks before and after the whole text.
  [[nodiscard]] Piece around() const;

 private:
  Layout() = default;
  [[nodiscard]] Piece with_blanks(char mark, bool before, bool after) const;
  [[nodiscard]] Piece literal(std::string text) const;
  [[nodiscard]] Piece line(std::string_view before, std::uint32_t depth, std::string_view after) const;

  regex::ExprSet* exprs_ = nullptr;
  regex::ExprId blanks_ = regex::ExprId::kEpsilon;
  std::string least_blanks_;
  bool is_indented_ = false;
  std::uint32_t indent_ = 0;
  std::string after_comma_;
  std::string after_colon_;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_LAYOUT_H_
