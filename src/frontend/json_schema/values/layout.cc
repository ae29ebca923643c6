#include "frontend/json_schema/values/layout.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/build_call.h"
#include "regex/analysis/members.h"
#include "regex/syntax/syntax.h"

namespace weir::frontend::json_schema {

using regex::ExprId;

namespace {

constexpr std::uint32_t kMaxIndent = 100;     // a line of a deep value takes its depth times as many bytes
constexpr std::uint32_t kLiteralBlanks = 64;  // fewer are written as a literal

}  // namespace

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
      if (options.indent > kMaxIndent) {
        return tl::unexpected(
            base::with_options("indent", {ErrorCode::kInvalidArgument,
                                          "an indentation of " + std::to_string(options.indent) + " spaces per level",
                                          {},
                                          "`indent` is at most " + std::to_string(kMaxIndent)}));
      }
      layout.is_indented_ = true;
      layout.indent_ = options.indent;
      layout.after_colon_ = " ";
      break;
    case JsonSchemaOptions::Whitespace::kPattern: {
      if (options.whitespace_pattern.empty()) {
        return tl::unexpected(base::with_options(
            "whitespace_pattern whitespace",
            {ErrorCode::kInvalidArgument, "`whitespace_pattern` is empty", {}, "`whitespace` = none has no blanks"}));
      }
      const Result<ExprId> pattern = regex::parse_regex(exprs, options.whitespace_pattern, {}, limits);
      if (!pattern) {
        const Error& why = pattern.error();
        const std::string place = "in `whitespace_pattern`, at byte " + std::to_string(why.where.start) + ": ";
        return tl::unexpected(
            base::with_options("whitespace_pattern", {why.code, place + why.message, {}, why.hint, why.limit, {}}));
      }
      const ExprId other = exprs.difference(*pattern, any);
      const auto least = regex::shortest_member(exprs, *pattern, limits.regex_fuel);
      if (regex::emptiness(exprs, other, limits.regex_fuel) != regex::Emptiness::kEmpty || !least.has_value()) {
        return tl::unexpected(
            base::with_options("whitespace_pattern", {ErrorCode::kInvalidArgument,
                                                      "`whitespace_pattern` must match blanks, and nothing else",
                                                      {},
                                                      "JSON allows spaces, tabs and line ends between tokens"}));
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

// A line end and the blanks of a depth, between two texts. Many blanks are a count, not a literal.
Layout::Piece Layout::line(std::string_view before, std::uint32_t depth, std::string_view after) const {
  const auto blanks = static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{depth} * indent_, INT32_MAX));
  std::string text = std::string(before) + "\n" + std::string(blanks, ' ') + std::string(after);
  if (exprs_ == nullptr || blanks <= kLiteralBlanks) return literal(std::move(text));
  const ExprId parts[] = {exprs_->literal(before), exprs_->literal("\n"),
                          exprs_->repeat(exprs_->literal(" "), blanks, blanks), exprs_->literal(after)};
  return {exprs_->concat(parts), std::move(text)};
}

Layout::Piece Layout::open(char bracket) const { return with_blanks(bracket, false, true); }

Layout::Piece Layout::before_first(std::uint32_t depth) const {
  return is_indented_ ? line("", depth, "") : literal("");
}

Layout::Piece Layout::comma(std::uint32_t depth) const {
  if (is_indented_) return line(",", depth, "");
  return after_comma_.empty() ? with_blanks(',', true, true) : literal("," + after_comma_);
}

Layout::Piece Layout::colon() const {
  return after_colon_.empty() ? with_blanks(':', true, true) : literal(":" + after_colon_);
}

Layout::Piece Layout::close(char bracket, std::uint32_t depth) const {
  if (is_indented_) return line("", depth, {&bracket, 1});
  return with_blanks(bracket, true, false);
}

Layout::Piece Layout::around() const { return {blanks_, least_blanks_}; }

}  // namespace weir::frontend::json_schema
