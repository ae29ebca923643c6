#include "frontend/tools/template_pattern.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "base/blanks.h"
#include "base/utf8.h"
#include "frontend/search_bounds.h"
#include "regex/expr/expr.h"
#include "regex/syntax/syntax.h"

namespace weir::frontend::tools {

namespace {

using base::is_blank;
using base::kBlanks;
using Kind = PatternPiece::Kind;
using Pieces = std::vector<PatternPiece>;

void append(Pieces& pieces, PatternPiece piece) {
  const bool may_join =
      !pieces.empty() && pieces.back().kind == piece.kind && (piece.kind == Kind::kText || piece.kind == Kind::kBlanks);
  if (may_join && piece.kind == Kind::kText) {
    pieces.back().text += piece.text;
  } else if (!may_join) {
    pieces.push_back(std::move(piece));
  }
}

constexpr std::uint32_t kNoMost = std::numeric_limits<std::uint32_t>::max();

// How often an item may stand.
struct Count {
  std::uint32_t least = 1;
  std::uint32_t most = 1;
  [[nodiscard]] bool is_once() const { return least == 1 && most == 1; }
};

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
    if (piece.kind == Kind::kText && !count.is_once() && is_blank(piece.text.front())) piece.kind = Kind::kBlanks;
    if (piece.kind == Kind::kBlanks) return blanks(pieces, piece.text, count, start);
    if (piece.kind == Kind::kText && count.least > 0) copies(pieces, piece.text, count.least, start);
    if (piece.kind == Kind::kText && count.most == count.least) return;
    if (!count.is_once()) {
      const bool is_optional = piece.kind == Kind::kText || count.least == 0;
      piece = {Kind::kOther, std::string(pattern_.substr(start, at_ - start)), {}, is_optional};
    }
    append(pieces, std::move(piece));
  }

  // Adds blanks of a kind in `set`: those that must be there, then those that may follow.
  void blanks(Pieces& pieces, std::string_view set, const Count& count, std::size_t start) {
    const auto has = [&](char c) { return set.find(c) != std::string_view::npos; };
    const char usual = has(' ') && (count.is_once() || !has('\n')) ? ' ' : has('\n') ? '\n' : set.front();
    copies(pieces, std::string(1, usual), count.least, start);
    if (count.most == count.least) return;
    const bool is_any = count.most == kNoMost && std::ranges::all_of(kBlanks, has);
    append(pieces, is_any ? PatternPiece{Kind::kBlanks} : PatternPiece{Kind::kMaybe, std::string(1, usual), {}, true});
  }

  void copies(Pieces& pieces, const std::string& text, std::uint32_t count, std::size_t start) {
    if (count > kMaxTemplateCopies)
      return refuse(start, "a text that is repeated more than 32 times is not read in a template");
    for (std::uint32_t i = 0; i < count; ++i) append(pieces, {Kind::kText, text});
  }

  // Reads a character, a class, or an assertion. A class of blanks is kBlanks, with these as its text.
  PatternPiece one_character() {
    if (static_cast<unsigned char>(pattern_[at_]) >= 0x80) return {Kind::kText, character()};
    const char c = pattern_[at_++];
    if (c == '[') return character_class();
    if (c == '.') return {Kind::kOther, "."};
    if (c == '^' || c == '$') return {Kind::kOther, {c}, {}, true};
    if (c != '\\') return {Kind::kText, {c}};
    if (static_cast<unsigned char>(pattern_[at_]) >= 0x80) return {Kind::kText, character()};
    const char escaped = pattern_[at_++];
    switch (escaped) {
      case 's': return {Kind::kBlanks, std::string(kBlanks)};
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

  std::string character() {
    const std::size_t length = std::max<std::size_t>(base::decode_utf8(pattern_, at_).length, 1);
    at_ += length;
    return std::string(pattern_.substr(at_ - length, length));
  }

  PatternPiece character_class() {
    const std::size_t start = at_ - 1;
    std::string set;
    const bool is_of_blanks = pattern_[at_] != '^';
    if (!is_of_blanks) ++at_;
    for (bool is_first = true; is_first || pattern_[at_] != ']'; is_first = false) {
      const bool is_escape = pattern_[at_] == '\\';
      at_ += is_escape ? 1 : 0;
      const char c = pattern_[at_++];
      if (!is_escape || c == 's') {
        set += is_escape ? kBlanks : std::string_view(&c, 1);
      } else {
        set += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
      }
    }
    ++at_;
    if (is_of_blanks && std::ranges::all_of(set, is_blank)) return {Kind::kBlanks, set};
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
    if (count.is_once() && !name.empty() && std::ranges::find(groups_, name) != groups_.end()) {
      return append(pieces, {Kind::kGroup, std::string(text), std::string(name)});
    }
    if (!count.is_once()) {
      if (count.least == 0 && count.most == 1 && within.size() == 1 && within.front().kind == Kind::kText) {
        return append(pieces, {Kind::kMaybe, within.front().text, {}, true});
      }
      return append(pieces, {Kind::kOther, whole(), {}, count.least == 0});
    }
    for (PatternPiece& piece : within) append(pieces, std::move(piece));
  }

  // Reads how often the item before it may stand.
  Count quantifier() {
    Count count;
    if (take('?')) {
      count = {0, 1};
    } else if (take('*')) {
      count = {0, kNoMost};
    } else if (take('+')) {
      count = {1, kNoMost};
    } else {
      const std::size_t end =
          at_ < pattern_.size() && pattern_[at_] == '{' ? pattern_.find('}', at_) : std::string::npos;
      if (end == std::string_view::npos) return count;
      const std::string_view bounds = pattern_.substr(at_ + 1, end - at_ - 1);
      if (bounds.empty() || bounds.find_first_not_of("0123456789,") != std::string_view::npos) return count;
      const std::size_t comma = bounds.find(',');
      const std::string_view most = bounds.substr(comma == std::string_view::npos ? 0 : comma + 1);
      if (most.find(',') != std::string_view::npos) return count;
      count = {number(bounds.substr(0, comma), 0), number(most, kNoMost)};
      at_ = end + 1;
    }
    if (!take('?')) take('+');
    return count;
  }

  static std::uint32_t number(std::string_view digits, std::uint32_t otherwise) {
    std::uint32_t value = otherwise;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
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
