#include "frontend/json_schema/rules/layout.h"

#include <string>
#include <utility>

#include "regex/analysis/members.h"
#include "regex/syntax/syntax.h"

namespace weir::frontend::json_schema {

using regex::ExprId;

Result<Layout> Layout::make(regex::ExprSet& exprs, const JsonSchemaOptions& options, const Limits& limits) {
  Layout layout;
  layout.exprs_ = &exprs;
  regex::ByteSet blank;
  for (const char c : {' ', '\t', '\n', '\r'}) blank.add(static_cast<std::uint8_t>(c));
  const ExprId one = exprs.byte_set(blank);
  const ExprId any = exprs.repeat(one, 0, regex::kUnbounded);
  switch (options.whitespace) {
    case JsonSchemaOptions::Whitespace::kBounded:
      layout.blanks_ = exprs.repeat(one, 0, options.whitespace_limit);
      break;
    case JsonSchemaOptions::Whitespace::kUnbounded: layout.blanks_ = any; break;
    case JsonSchemaOptions::Whitespace::kNone: break;
    case JsonSchemaOptions::Whitespace::kCompact: layout.after_comma_ = layout.after_colon_ = " "; break;
    case JsonSchemaOptions::Whitespace::kIndented:
      layout.is_indented_ = true;
      layout.indent_ = options.indent;
      layout.after_colon_ = " ";
      break;
    case JsonSchemaOptions::Whitespace::kPattern: {
      if (options.whitespace_pattern.empty()) {
        return tl::unexpected(Error{
            ErrorCode::kInvalidArgument, "the whitespace pattern is empty", {}, "whitespace `none` has no blanks", {}});
      }
      const Result<ExprId> pattern = regex::parse_regex(exprs, options.whitespace_pattern, {}, limits);
      if (!pattern) {
        const Error& why = pattern.error();
        const std::string place = "in the whitespace pattern, at byte " + std::to_string(why.where.start) + ": ";
        return tl::unexpected(Error{why.code, place + why.message, {}, why.hint, why.limit, {}});
      }
      const ExprId other = exprs.difference(*pattern, any);
      const auto least = regex::shortest_member(exprs, *pattern, limits.regex_fuel);
      if (regex::emptiness(exprs, other, limits.regex_fuel) != regex::Emptiness::kEmpty || !least.has_value()) {
        return tl::unexpected(Error{ErrorCode::kInvalidArgument,
                                    "the whitespace pattern must match blanks, and nothing else",
                                    {},
                                    "JSON allows spaces, tabs and line ends between tokens",
                                    {}});
      }
      layout.blanks_ = *pattern;
      layout.least_blanks_ = *least;
      break;
    }
  }
  return layout;
}

const Layout& Layout::compact() {
  static const Layout layout;
  return layout;
}

Layout::Piece Layout::literal(std::string text) const {
  const ExprId texts = exprs_ == nullptr ? ExprId::kEpsilon : exprs_->literal(text);
  return {texts, std::move(text)};
}

Layout::Piece Layout::with_blanks(char mark, bool before, bool after) const {
  Piece piece = literal(std::string(1, mark));
  if (exprs_ == nullptr) return piece;
  if (before) piece = {exprs_->concat(blanks_, piece.texts), least_blanks_ + piece.text};
  if (after) piece = {exprs_->concat(piece.texts, blanks_), piece.text + least_blanks_};
  return piece;
}

std::string Layout::line(std::uint32_t depth) const {
  return "\n" + std::string(static_cast<std::size_t>(depth) * indent_, ' ');
}

Layout::Piece Layout::open(char bracket) const { return with_blanks(bracket, false, true); }

Layout::Piece Layout::before_first(std::uint32_t depth) const { return literal(is_indented_ ? line(depth) : ""); }

Layout::Piece Layout::comma(std::uint32_t depth) const {
  if (is_indented_) return literal("," + line(depth));
  return after_comma_.empty() ? with_blanks(',', true, true) : literal("," + after_comma_);
}

Layout::Piece Layout::colon() const {
  return after_colon_.empty() ? with_blanks(':', true, true) : literal(":" + after_colon_);
}

Layout::Piece Layout::close(char bracket, std::uint32_t depth) const {
  if (is_indented_) return literal(line(depth) + bracket);
  return with_blanks(bracket, true, false);
}

Layout::Piece Layout::around() const { return {blanks_, least_blanks_}; }

}  // namespace weir::frontend::json_schema
