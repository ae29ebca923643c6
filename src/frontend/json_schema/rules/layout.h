// Layout: what stands between the tokens of a JSON text, as JsonSchemaOptions::Whitespace asks.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_LAYOUT_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_LAYOUT_H_

#include <cstdint>
#include <string>

#include "regex/expr/expr.h"
#include "weir/error.h"
#include "weir/json_schema.h"
#include "weir/limits.h"

namespace weir::frontend::json_schema {

class Layout {
 public:
  /// A part of the text: all that may stand there, and a short one.
  struct Piece {
    regex::ExprId texts = regex::ExprId::kEpsilon;
    std::string text;
  };

  /// Errors: kInvalidArgument for a whitespace pattern that matches something else than blanks; those of parse_regex.
  static Result<Layout> make(regex::ExprSet& exprs, const JsonSchemaOptions& options, const Limits& limits);
  /// No blanks. For texts only: its pieces have no expressions.
  static const Layout& compact();

  /// Whether pieces depend on the depth; a number that is the same for all depths where they do not.
  [[nodiscard]] std::uint32_t depth_of(std::uint32_t depth) const { return is_indented_ ? depth : 0; }

  [[nodiscard]] Piece open(char bracket) const;  ///< The bracket, and what follows before an item or its closing.
  [[nodiscard]] Piece before_first(
      std::uint32_t depth) const;  ///< Before the first item, which stands at `depth`; may be empty.
  [[nodiscard]] Piece comma(std::uint32_t depth) const;  ///< Between items at `depth`.
  [[nodiscard]] Piece colon() const;
  [[nodiscard]] Piece close(char bracket,
                            std::uint32_t depth) const;  ///< Behind the last item of a container at `depth`.
  [[nodiscard]] Piece around() const;                    ///< Before and behind the text.

 private:
  Layout() = default;
  [[nodiscard]] Piece with_blanks(char mark, bool before, bool behind) const;
  [[nodiscard]] Piece literal(std::string text) const;
  [[nodiscard]] std::string line(std::uint32_t depth) const;

  regex::ExprSet* exprs_ = nullptr;
  regex::ExprId blanks_ = regex::ExprId::kEpsilon;
  std::string least_blanks_;
  bool is_indented_ = false;
  std::uint32_t indent_ = 0;
  std::string behind_comma_;
  std::string behind_colon_;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_LAYOUT_H_
