#include "frontend/json_schema/values/layout.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/build_call.h"
#include "frontend/search_bounds.h"
#include "regex/analysis/members.h"
#include "regex/syntax/syntax.h"

namespace weir::frontend::json_schema {

using regex::ExprId;

Result<Layout> Layout::make(regex::ExprSet& exprs, const JsonSchemaOptions& options, const Limits& limits) {
  Layout layout;
  layout.exprs_ = &exprs;
  if (options.notation == JsonSchemaOptions::Notation::kYaml) {
    layout.is_yaml_ = true;
    layout.indent_ = 1;  // a column is a blank
    return layout;
  }
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

std::uint32_t Layout::within(std::uint32_t depth) const {
  if (!is_yaml_) return depth + 1;
  return YamlPlace{YamlPlace::Kind::kFlow, YamlPlace::of(depth).least_indent()}.depth();
}

std::uint32_t Layout::item_value(std::uint32_t depth) const {
  return is_yaml_ ? YamlPlace{YamlPlace::Kind::kFlowItem, YamlPlace::of(depth).column}.depth() : depth;
}

std::uint32_t Layout::member_value(std::uint32_t depth) const {
  return is_yaml_ ? YamlPlace{YamlPlace::Kind::kFlowValue, YamlPlace::of(depth).column}.depth() : depth;
}

// A line end, and the blanks of a line that continues what is at `depth`.
ExprId Layout::next_line(std::uint32_t depth) const {
  const std::uint32_t indent = YamlPlace::of(depth).least_indent();
  return exprs_->concat(exprs_->literal("\n"), exprs_->repeat(exprs_->literal(" "), indent, indent + kMaxYamlIndent));
}

// Blanks between brackets of YAML: one or none, then perhaps a line end with the blanks of the next line.
ExprId Layout::gap(std::uint32_t depth) const {
  return exprs_->concat(blank_or_none(), exprs_->repeat(next_line(depth), 0, 1));
}
ExprId Layout::blank_or_none() const { return exprs_->repeat(exprs_->literal(" "), 0, 1); }

Layout::Piece Layout::before_value(std::uint32_t depth) const {
  const YamlPlace place = YamlPlace::of(depth);
  if (is_yaml_ && place.kind == YamlPlace::Kind::kFlowValue) {
    return {exprs_->alternation(exprs_->literal(" "), exprs_->concat(blank_or_none(), next_line(depth))), " "};
  }
  if (!is_yaml_ || (place.kind != YamlPlace::Kind::kAfterKey && place.kind != YamlPlace::Kind::kAfterDash)) return {};
  return {exprs_->repeat(exprs_->literal(" "), 1, kMaxYamlStep), " "};
}

ExprId Layout::before_scalar(std::uint32_t depth) const {
  const ExprId on_line = before_value(depth).texts;
  if (on_line == ExprId::kEpsilon || YamlPlace::of(depth).is_flow()) return on_line;
  return exprs_->alternation(on_line, exprs_->concat(blank_or_none(), next_line(depth)));
}

Layout::Piece Layout::open(char bracket, std::uint32_t depth) const {
  if (!is_yaml_) return with_blanks(bracket, false, true);
  Piece piece = literal({&bracket, 1});
  piece.texts = exprs_->concat(piece.texts, gap(depth));
  return piece;
}

Layout::Piece Layout::before_first(std::uint32_t depth) const {
  return is_indented_ ? line("", depth, "") : literal("");
}

Layout::Piece Layout::comma(std::uint32_t depth) const {
  if (is_indented_) return line(",", depth, "");
  if (!is_yaml_) return after_comma_.empty() ? with_blanks(',', true, true) : literal("," + after_comma_);
  const YamlPlace place = YamlPlace::of(depth);
  if (place.is_block()) return line("", place.column, place.kind == YamlPlace::Kind::kSequence ? "- " : "");
  return {exprs_->concat(exprs_->literal(","), gap(depth)), ", "};
}

Layout::Piece Layout::colon() const {
  if (!is_yaml_) return after_colon_.empty() ? with_blanks(':', true, true) : literal(":" + after_colon_);
  return {exprs_->literal(":"), ": "};
}

Layout::Piece Layout::close(char bracket, std::uint32_t depth) const {
  if (is_indented_) return line("", depth == 0 ? 0 : depth - 1, {&bracket, 1});
  if (!is_yaml_) return with_blanks(bracket, true, false);
  if (YamlPlace::of(depth).is_block()) return literal("");
  return {exprs_->concat(gap(depth), exprs_->literal({&bracket, 1})), std::string(1, bracket)};
}

Layout::Piece Layout::around() const { return {blanks_, least_blanks_}; }

}  // namespace weir::frontend::json_schema
