#include "frontend/tools/template_pattern.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "regex/expr/expr.h"
#include "regex/syntax/syntax.h"

namespace weir::frontend::tools {

namespace {

using Kind = PatternPiece::Kind;
using Pieces = std::vector<PatternPiece>;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

void append(Pieces& pieces, PatternPiece piece) {
  const bool may_join =
      !pieces.empty() && pieces.back().kind == piece.kind && (piece.kind == Kind::kText || piece.kind == Kind::kBlanks);
  if (may_join && piece.kind == Kind::kText) {
    pieces.back().text += piece.text;
  } else if (!may_join) {
    pieces.push_back(std::move(piece));
  }
}

// Reads a pattern of which parse_regex has found that it is one.
class PatternReader {
 public:
  PatternReader(std::string_view pattern, const std::vector<std::string_view>& groups)
      : pattern_(pattern), groups_(groups) {}

  // Reads alternatives up to a closing bracket or the end.
  Pieces alternatives() {
    Pieces chosen = sequence();
    while (take('|')) {
      Pieces next = sequence();
      if (!says_something(chosen)) chosen = std::move(next);
    }
    return chosen;
  }

  // The first construct that cannot be read.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  static bool says_something(const Pieces& pieces) {
    return std::ranges::any_of(
        pieces, [](const PatternPiece& piece) { return piece.kind == Kind::kText || piece.kind == Kind::kGroup; });
  }

  void refuse(std::size_t start, std::string message) {
    if (!error_) error_ = Error{ErrorCode::kUnsupported, std::move(message), {start, at_}};
    at_ = pattern_.size();
  }

  Pieces sequence() {
    Pieces pieces;
    while (at_ < pattern_.size() && pattern_[at_] != ')' && pattern_[at_] != '|') item(pieces);
    return pieces;
  }

  void item(Pieces& pieces) {
    const std::size_t start = at_;
    if (pattern_[at_] == '(') return group(pieces);
    PatternPiece piece = one_character();
    const Count count = quantifier();
    const bool is_blank_text = piece.kind == Kind::kText && std::ranges::all_of(piece.text, is_blank);
    if (count == Count::kOnce) {
      if (piece.kind == Kind::kBlanks) piece = {Kind::kText, " "};
    } else if (piece.kind == Kind::kBlanks || is_blank_text) {
      if (count == Count::kSome) append(pieces, {Kind::kText, is_blank_text ? piece.text : "\n"});
      piece = {Kind::kBlanks};
    } else {
      piece = {Kind::kOther, std::string(pattern_.substr(start, at_ - start)), {}, count != Count::kSome};
    }
    append(pieces, std::move(piece));
  }

  // Reads a character, a class, or an assertion. A class of blanks is kBlanks.
  PatternPiece one_character() {
    const char c = pattern_[at_++];
    if (c == '[') return character_class();
    if (c == '.') return {Kind::kOther, "."};
    if (c == '^' || c == '$') return {Kind::kOther, {c}, {}, true};
    if (c != '\\') return {Kind::kText, {c}};
    const char escaped = pattern_[at_++];
    switch (escaped) {
      case 's': return {Kind::kBlanks};
      case 'n': return {Kind::kText, "\n"};
      case 't': return {Kind::kText, "\t"};
      case 'r': return {Kind::kText, "\r"};
      case 'b':
      case 'B':
      case 'A':
      case 'Z': return {Kind::kOther, {'\\', escaped}, {}, true};
      default: break;
    }
    if (std::string_view("wWdDS").find(escaped) != std::string_view::npos) return {Kind::kOther, {'\\', escaped}};
    const bool is_word =
        (escaped >= '0' && escaped <= '9') || (escaped >= 'a' && escaped <= 'z') || (escaped >= 'A' && escaped <= 'Z');
    if (is_word) refuse(at_ - 2, "this escape is not read in a template: write the character itself");
    return {Kind::kText, {escaped}};
  }

  PatternPiece character_class() {
    const std::size_t start = at_ - 1;
    bool is_of_blanks = pattern_[at_] != '^';
    if (!is_of_blanks) ++at_;
    for (bool is_first = true; is_first || pattern_[at_] != ']'; is_first = false) {
      const bool is_escape = pattern_[at_] == '\\';
      at_ += is_escape ? 1 : 0;
      const char c = pattern_[at_++];
      is_of_blanks =
          is_of_blanks && (is_escape ? std::string_view("sntr").find(c) != std::string_view::npos : is_blank(c));
    }
    ++at_;
    if (is_of_blanks) return {Kind::kBlanks};
    return {Kind::kOther, std::string(pattern_.substr(start, at_ - start))};
  }

  void group(Pieces& pieces) {
    const std::size_t start = at_++;
    std::string_view name;
    bool is_assertion = false;
    if (take('?')) {
      if (take('P') && take('<')) {
        const std::size_t end = pattern_.find('>', at_);
        name = pattern_.substr(at_, end - at_);
        at_ = end + 1;
      } else {
        is_assertion = pattern_[at_] == '=';
        if (pattern_[at_++] != ':' && !is_assertion) {
          refuse(start, "flags, atomic groups, conditions, and assertions but `(?=...)` are not read in a template");
        }
      }
    }
    const std::size_t inside = at_;
    Pieces within = alternatives();
    const std::string_view text = pattern_.substr(inside, at_ - inside);
    take(')');
    const Count count = quantifier();
    const auto whole = [&] { return std::string(pattern_.substr(start, at_ - start)); };
    if (is_assertion) return append(pieces, {Kind::kOther, whole(), {}, true});
    if (count == Count::kOnce && !name.empty() && std::ranges::find(groups_, name) != groups_.end()) {
      return append(pieces, {Kind::kGroup, std::string(text), std::string(name)});
    }
    if (count != Count::kOnce) {
      if (count == Count::kOptional && within.size() == 1 && within.front().kind == Kind::kText) {
        return append(pieces, {Kind::kMaybe, within.front().text, {}, true});
      }
      return append(pieces, {Kind::kOther, whole(), {}, count != Count::kSome});
    }
    for (PatternPiece& piece : within) append(pieces, std::move(piece));
  }

  enum class Count : std::uint8_t { kOnce, kOptional, kSome, kAny };  // once, at most once, at least once, any number
  Count quantifier() {
    Count count = Count::kOnce;
    if (take('?')) {
      count = Count::kOptional;
    } else if (take('*')) {
      count = Count::kAny;
    } else if (take('+')) {
      count = Count::kSome;
    } else if (at_ < pattern_.size() && pattern_[at_] == '{') {
      const std::size_t end = pattern_.find('}', at_);
      if (end == std::string_view::npos) return count;
      const std::string_view bounds = pattern_.substr(at_ + 1, end - at_ - 1);
      const std::size_t digit = bounds.find_first_of("0123456789");
      if (digit == std::string_view::npos || bounds.find_first_not_of("0123456789,") != std::string_view::npos)
        return count;
      count = digit > 0 || bounds.front() == '0' ? Count::kAny : Count::kSome;
      at_ = end + 1;
    }
    if (count != Count::kOnce && !take('?')) take('+');
    return count;
  }

  bool take(char c) {
    const bool is_there = at_ < pattern_.size() && pattern_[at_] == c;
    at_ += is_there ? 1 : 0;
    return is_there;
  }

  std::string_view pattern_;
  const std::vector<std::string_view>& groups_;
  std::size_t at_ = 0;
  std::optional<Error> error_ = {};
};

}  // namespace

Result<std::vector<PatternPiece>> read_template_pattern(std::string_view pattern,
                                                        const std::vector<std::string_view>& groups,
                                                        const Limits& limits) {
  regex::ExprSet exprs(limits.regex_nodes);
  regex::SyntaxOptions python;
  python.dialect = regex::Dialect::kPython;
  python.dot_all = python.search = true;
  const Result<regex::ExprId> language = regex::parse_regex(exprs, pattern, python, limits);
  if (!language) return tl::unexpected(language.error());
  PatternReader reader(pattern, groups);
  Pieces pieces = reader.alternatives();
  if (reader.error()) return tl::unexpected(*reader.error());
  return pieces;
}

}  // namespace weir::frontend::tools
