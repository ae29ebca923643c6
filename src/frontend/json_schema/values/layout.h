// Layout: brackets, commas and colons of a JSON text with the whitespace that JsonSchemaOptions::Whitespace allows
// around them; and what stands for them in a YAML text.
//
// YAML   A `depth` is the number of a YamlPlace. In a block what separates items or members is a line end with blanks,
//        and nothing closes it.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_LAYOUT_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_LAYOUT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "frontend/json_schema/values/yaml_place.h"
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
  [[nodiscard]] std::uint32_t depth_of(std::uint32_t depth) const { return is_indented_ || is_yaml_ ? depth : 0; }
  /// Returns the depth of the items or members of a container at `depth`: in YAML, between brackets.
  [[nodiscard]] std::uint32_t within(std::uint32_t depth) const;
  /// Return the depth of the value of an item or member at `depth`, which is not in a block.
  [[nodiscard]] std::uint32_t item_value(std::uint32_t depth) const;
  [[nodiscard]] std::uint32_t member_value(std::uint32_t depth) const;

  [[nodiscard]] bool is_yaml() const { return is_yaml_; }
  /// Returns true if items or members at `depth` are lines of a YAML block.
  [[nodiscard]] bool is_block(std::uint32_t depth) const { return is_yaml_ && YamlPlace::of(depth).is_block(); }

  /// Returns the depth without the mark that a line end comes first.
  [[nodiscard]] std::uint32_t on_line(std::uint32_t depth) const {
    return is_yaml_ ? depth & ~YamlPlace::kNextLine : depth;
  }

  /// What stands between a value of YAML and the colon, or in a block the dash, before it. Empty elsewhere.
  [[nodiscard]] Piece before_value(std::uint32_t depth) const;
  /// The same for a value that is no block, which may begin on the next line.
  [[nodiscard]] regex::ExprId before_scalar(std::uint32_t depth) const;
  /// A line end, and a number of blanks.
  [[nodiscard]] Piece line_at(std::uint32_t column) const { return line("", column, ""); }

  /// The opening bracket of a container at `depth`, and the blanks after it.
  [[nodiscard]] Piece open(char bracket, std::uint32_t depth) const;
  /// The line break before the first item or member, which is at `depth`; may be empty.
  [[nodiscard]] Piece before_first(std::uint32_t depth) const;
  /// The comma between items or members at `depth`.
  [[nodiscard]] Piece comma(std::uint32_t depth) const;
  /// The colon after a key. In YAML its texts lack the blanks after it, which before_value() has; its short form has one.
  [[nodiscard]] Piece colon() const;
  /// The closing bracket of a container whose items or members are at `depth`.
  [[nodiscard]] Piece close(char bracket, std::uint32_t depth) const;
  /// The blanks before and after the whole text.
  [[nodiscard]] Piece around() const;

 private:
  Layout() = default;
  [[nodiscard]] Piece with_blanks(char mark, bool before, bool after) const;
  [[nodiscard]] Piece literal(std::string text) const;
  [[nodiscard]] regex::ExprId blank_or_none() const;
  [[nodiscard]] regex::ExprId gap(std::uint32_t depth) const;
  [[nodiscard]] regex::ExprId next_line(std::uint32_t depth) const;
  [[nodiscard]] Piece line(std::string_view before, std::uint32_t depth, std::string_view after) const;

  regex::ExprSet* exprs_ = nullptr;
  regex::ExprId blanks_ = regex::ExprId::kEpsilon;
  std::string least_blanks_;
  bool is_indented_ = false;
  bool is_yaml_ = false;
  std::uint32_t indent_ = 0;
  std::string after_comma_;
  std::string after_colon_;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_LAYOUT_H_
