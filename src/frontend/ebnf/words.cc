#include "frontend/ebnf/words.h"

#include <algorithm>
#include <string>

#include "base/blanks.h"
#include "base/utf8.h"
#include "grammar/ir.h"
#include "regex/expr/expr.h"
#include "weir/diagnostic.h"

namespace weir::frontend::ebnf {

using base::is_blank;

namespace {

constexpr std::string_view kMacros[] = {"TagDispatch", "TokenTagDispatch", "Token", "ExcludeToken",
                                        "Regex",       "Substring"};

bool is_macro_name(std::string_view name) { return std::ranges::find(kMacros, name) != std::end(kMacros); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_ascii_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '-' || c == '_';
}

// Returns true for code points above ASCII that are punctuation, symbols or blanks rather than parts of a name.
// Compares whole blocks instead of a Unicode property: names only need to be distinguished from operators and from
// typographic quotes.
bool is_foreign_symbol(char32_t c) {
  struct Block {
    char32_t first, last;
  };
  static constexpr Block kBlocks[] = {
      {0x80, 0xA9},     {0xAB, 0xB4},     {0xB6, 0xB9},     {0xBB, 0xBF},     {0xD7, 0xD7},     {0xF7, 0xF7},
      {0x2000, 0x2BFF}, {0x3000, 0x3004}, {0x3008, 0x3020}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE6F}, {0xFEFF, 0xFEFF},
      {0xFF01, 0xFF0F}, {0xFF1A, 0xFF20}, {0xFF3B, 0xFF40}, {0xFF5B, 0xFF65}, {0xFFE0, 0xFFFF},
  };
  for (const Block& block : kBlocks) {
    if (c >= block.first && c <= block.last) return true;
  }
  return false;
}

class Splitter {
 public:
  Splitter(std::string_view text, Dialect dialect, const Limits& limits, std::vector<Error>& errors)
      : text_(text), dialect_(dialect), limits_(limits), errors_(errors) {}

  std::vector<Word> run() {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") pos_ = 3;  // a byte-order mark
    for (;;) {
      if (!skip_blanks()) recover();
      if (pos_ == text_.size()) break;
      if (!word()) recover();
      if (errors_.size() == kMaxErrors) pos_ = text_.size();
    }
    words_.push_back({WordKind::kEnd, {pos_, pos_}});
    return std::move(words_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0';
  }
  [[nodiscard]] bool at(std::string_view what) const { return text_.substr(pos_, what.size()) == what; }

  bool fail(std::size_t start, std::size_t end, std::string message, std::string hint = {}) {
    error_ = Error{ErrorCode::kSyntax, std::move(message), {start, end}, std::move(hint), {}};
    return false;
  }

  // Records the error and continues after its range; after an unterminated comment, at the end of the text.
  void recover() {
    const SourceRange where = error_.where;
    errors_.push_back(std::move(error_));
    words_.push_back({WordKind::kBad, where});
    pos_ = std::min(std::max({pos_ + 1, where.end, resume_}), text_.size());
    while (pos_ < text_.size() && (static_cast<unsigned char>(text_[pos_]) & 0xC0U) == 0x80U) ++pos_;
  }

  bool push(WordKind kind, std::size_t length) {
    words_.push_back({kind, {pos_, pos_ + length}});
    pos_ += length;
    return true;
  }

  bool skip_blanks() {
    while (pos_ < text_.size()) {
      const char c = text_[pos_];
      if (c == '\n' && ends_rule()) {
        push(WordKind::kLineEnd, 1);
      } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        ++pos_;
      } else if (c == '#') {
        pos_ = std::min(text_.find('\n', pos_), text_.size());
      } else if (dialect_ == Dialect::kWeir && at("(*")) {
        const std::size_t end = text_.find("*)", pos_ + 2);
        if (end == std::string_view::npos) {
          fail(pos_, pos_ + 2, "comment `(*` without `*)`");
          resume_ = text_.size();
          return false;
        }
        pos_ = end + 2;
      } else {
        break;
      }
    }
    return true;
  }

  // Returns true at a line end that ends a GBNF rule: outside parentheses, and where a rule can be complete.
  [[nodiscard]] bool ends_rule() const {
    if (dialect_ != Dialect::kGbnf || depth_ > 0 || words_.empty()) return false;
    const WordKind last = words_.back().kind;
    return last != WordKind::kLineEnd && last != WordKind::kDefine && last != WordKind::kAlternative;
  }

  bool word() {
    const bool tokens = dialect_ != Dialect::kXgrammar;
    switch (peek()) {
      case '"': return literal();
      case '[': return character_class();
      case '{': return counts();
      case '|': return push(WordKind::kAlternative, 1);
      case '(': return open();
      case ')': depth_ -= std::min<std::size_t>(depth_, 1); return push(WordKind::kClose, 1);
      case '<': return tokens ? token(0) : foreign("tokens are written `Token(...)`");
      case '!': return tokens ? negated_token() : foreign("all tokens but some are written `ExcludeToken(...)`");
      case '.': return dialect_ == Dialect::kXgrammar ? name() : push(WordKind::kAnyChar, 1);
      case '\'':
      case '/':
      case '@':
      case '&':
      case '~': return own_word();
      case '*': return repeat(0, regex::kUnbounded);
      case '+': return repeat(1, regex::kUnbounded);
      case '?': return repeat(0, 1);
      case ':':
        if (at("::=")) return push(WordKind::kDefine, 3);
        return fail(pos_, pos_ + 1, "unexpected `:`", "a rule is written `name ::= ...`");
      default: return name();
    }
  }

  // Reads a word that only weir's own dialect has.
  bool own_word() {
    if (dialect_ != Dialect::kWeir) {
      const bool quote = peek() == '\'';
      if (at("//")) return fail(pos_, pos_ + 2, "unexpected `//`", "comments begin with `#`");
      return foreign(quote ? "literals stand in double quotes" : "it is an operator of weir's own EBNF only");
    }
    switch (peek()) {
      case '/': return regex();
      case '@': return mode();
      case '&': return push(WordKind::kAnd, 1);
      case '~': return push(WordKind::kNot, 1);
      default: return literal();
    }
  }

  bool foreign(std::string hint) {
    return fail(pos_, pos_ + 1, "unexpected character `" + std::string(1, peek()) + "`", std::move(hint));
  }

  bool open() {
    ++depth_;
    if (dialect_ != Dialect::kGbnf && peek(1) == '=') return push(WordKind::kLookAhead, 2);
    return push(WordKind::kOpen, 1);
  }

  // Returns the length of the name character at `pos`, or 0 if there is none.
  [[nodiscard]] std::size_t name_character(std::size_t pos) const {
    if (pos >= text_.size()) return 0;
    if (dialect_ == Dialect::kXgrammar && text_[pos] == '.') return 1;
    if (static_cast<unsigned char>(text_[pos]) < 0x80) return is_ascii_name(text_[pos]) ? 1 : 0;
    const base::Decoded c = base::decode_utf8(text_, pos);
    return is_foreign_symbol(c.code_point) ? 0 : c.length;
  }

  // Returns the end of the name that begins at `start`, or `start` if there is none.
  [[nodiscard]] std::size_t name_end(std::size_t start) const {
    std::size_t end = start;
    for (;;) {
      if (const std::size_t length = name_character(end); length > 0) {
        end += length;
      } else if (dialect_ == Dialect::kWeir && end > start && end < text_.size() && text_[end] == '.' &&
                 name_character(end + 1) > 0) {
        ++end;  // a dot within a name; at the end of a name it is the operator
      } else {
        return end;
      }
    }
  }

  bool name() {
    const std::size_t end = name_end(pos_);
    if (end == pos_) return unexpected_character();
    if (dialect_ == Dialect::kXgrammar) return xgrammar_name(end);
    return push(WordKind::kName, end - pos_);
  }

  // Reads a macro with its parentheses, or a name with the options after it.
  bool xgrammar_name(std::size_t end) {
    const std::string_view name = text_.substr(pos_, end - pos_);
    if (is_digit(name.front())) {
      return fail(pos_, end, "`" + std::string(name) + "` begins with a digit", "names begin with another character");
    }
    if (is_macro_name(name)) {
      std::size_t open = end;
      while (open < text_.size() && is_blank(text_[open])) ++open;
      if (open >= text_.size() || text_[open] != '(') {
        return fail(pos_, end, "expected `(` after the macro `" + std::string(name) + "`",
                    "no rule can have the name of a macro");
      }
      const std::size_t close = bracket_end(open, '(', ')');
      if (close == 0) return fail(pos_, open + 1, "macro `" + std::string(name) + "(` without `)`");
      return push(WordKind::kMacro, close - pos_);
    }
    std::size_t before = pos_;
    while (before > 0 && is_blank(text_[before - 1]) && text_[before - 1] != '\n') --before;
    const bool begins_line = before == 0 || text_[before - 1] == '\n';
    push(WordKind::kName, end - pos_);
    if (peek() != '[' || !begins_line) return true;
    const std::size_t close = bracket_end(pos_, '[', ']');
    if (close == 0) return true;
    std::size_t define = close;
    while (define < text_.size() && is_blank(text_[define])) ++define;
    return text_.substr(define, 3) == "::=" ? push(WordKind::kOptions, close - pos_) : true;
  }

  // Returns the position after the bracket that closes the one at `start`, skipping strings and comments; 0 if there is
  // none.
  [[nodiscard]] std::size_t bracket_end(std::size_t start, char open, char close) const {
    std::size_t depth = 0;
    for (std::size_t i = start; i < text_.size(); ++i) {
      if (text_[i] == '"') {
        for (++i; i < text_.size() && text_[i] != '"'; ++i) i += text_[i] == '\\' ? 1 : 0;
      } else if (text_[i] == '#') {
        i = std::min(text_.find('\n', i), text_.size());
      } else if (text_[i] == open) {
        ++depth;
      } else if (text_[i] == close && --depth == 0) {
        return i + 1;
      }
    }
    return 0;
  }

  bool unexpected_character() {
    if (peek() == '=' && !words_.empty() && words_.back().kind == WordKind::kOpen) {
      error_ = Error{ErrorCode::kUnsupported,
                     "GBNF has no look-ahead `(=...)`",
                     {words_.back().where.start, pos_ + 1},
                     "read the grammar as `xgrammar`",
                     {}};
      return false;
    }
    const base::Decoded c = base::decode_utf8(text_, pos_);
    const std::size_t end = pos_ + c.length;
    std::string shown = base::escape_for_display(text_.substr(pos_, c.length));
    std::string hint;
    switch (c.code_point) {
      case U'\u201C':
      case U'\u201D':
      case U'\u2018':
      case U'\u2019':
      case U'\u00AB':
      case U'\u00BB': hint = "literals stand in straight quotes, `\"` or `'`"; break;
      case U'=': hint = "a rule is written `name ::= ...`"; break;
      case U';': hint = "rules need no end mark"; break;
      case U',': hint = "the parts of a sequence are separated by blanks alone"; break;
      case U']': hint = "a bracket in a class is written `\\]`"; break;
      case U'\\': hint = "escapes belong into quotes or brackets"; break;
      default: break;
    }
    return fail(pos_, end, "unexpected character `" + shown + "`", std::move(hint));
  }

  // Reads from the opening delimiter to the closing one; a backslash escapes the next character.
  bool delimited(WordKind kind, std::size_t first, char close, const char* what) {
    const bool one_line = dialect_ == Dialect::kXgrammar;
    std::size_t end = first;
    while (end < text_.size() && text_[end] != close && !(one_line && text_[end] == '\n')) {
      end += text_[end] == '\\' ? 2 : 1;
    }
    if (one_line && end < text_.size() && text_[end] == '\n') {
      return fail(pos_, end, std::string(what) + " without closing `" + close + "`",
                  "it ends on the line that it begins on; a line end in it is written `\\n`");
    }
    if (end >= text_.size()) return unterminated(close, what);
    return push(kind, end + 1 - pos_);
  }

  // A missing quote is noticed only at the end of the text. The cause is often an earlier word that extends over a line
  // end, so the hint points at the first such word.
  bool unterminated(char close, const char* what) {
    const std::size_t line_end = std::min(text_.find('\n', pos_), text_.size());
    std::string hint;
    for (const Word& w : words_) {
      const bool quoted = w.kind == WordKind::kLiteral || w.kind == WordKind::kClass || w.kind == WordKind::kRegex;
      if (quoted && text_.substr(w.where.start, w.where.end - w.where.start).find('\n') != std::string_view::npos) {
        const LineColumn at = line_column(text_, w.where.start);
        hint = "is the one that begins at line " + std::to_string(at.line) + ", column " + std::to_string(at.column) +
               " meant to run over the end of the line?";
        break;
      }
    }
    return fail(pos_, line_end, std::string(what) + " without closing `" + close + "`", std::move(hint));
  }

  bool literal() { return delimited(WordKind::kLiteral, pos_ + 1, peek(), "literal"); }

  bool character_class() {
    const std::size_t first = pos_ + (peek(1) == '^' ? 2 : 1);
    return delimited(WordKind::kClass, first, ']', "character class");
  }

  bool regex() {
    if (peek(1) == '/') {
      return fail(pos_, pos_ + 2, "empty regular expression `//`",
                  "comments begin with `#`; the empty string is written `\"\"`");
    }
    // A slash inside a class does not end the expression.
    std::size_t end = pos_ + 1;
    for (bool in_class = false; end < text_.size() && (in_class || text_[end] != '/'); ++end) {
      if (text_[end] == '\\') {
        ++end;
      } else if (in_class && text_.substr(end, 2) == "[:") {  // [[:alpha:]]: this bracket does not close the class
        const std::size_t close = text_.find(":]", end + 2);
        if (close != std::string_view::npos) end = close + 1;
      } else if (text_[end] == '[') {
        in_class = true;
      } else if (text_[end] == ']') {
        in_class = false;
      }
    }
    if (end >= text_.size()) return unterminated('/', "regular expression");
    ++end;
    while (end < text_.size() && text_[end] >= 'a' && text_[end] <= 'z') ++end;
    return push(WordKind::kRegex, end - pos_);
  }

  bool negated_token() {
    if (peek(1) == '<') return token(1);
    return fail(pos_, pos_ + 1, "unexpected `!`",
                "`!` stands before a token, as in `!<[7]>`; the complement of an expression is written `~`");
  }

  bool token(std::size_t skip) {
    const std::size_t first = pos_ + skip + 1;
    if (first < text_.size() && text_[first] == '[') {
      std::size_t end = first + 1;
      for (bool quoted = false; end < text_.size() && (quoted || text_.substr(end, 2) != "]>"); ++end) {
        if (text_[end] == '"') quoted = !quoted;
        if (quoted && text_[end] == '\\') ++end;
      }
      if (end >= text_.size()) return fail(pos_, first + 1, "token set `<[` without `]>`");
      return push(WordKind::kTokenSet, end + 2 - pos_);
    }
    std::size_t end = first;
    while (end < text_.size() && text_[end] != '>' && text_[end] != '\n') ++end;
    if (end >= text_.size() || text_[end] == '\n') return fail(pos_, first, "token name `<` without `>`");
    if (end == first) return fail(pos_, end + 1, "empty token name");
    return push(WordKind::kTokenName, end + 1 - pos_);
  }

  bool mode() {
    std::size_t end = pos_ + 1;
    while (end < text_.size() && is_ascii_name(text_[end])) ++end;
    const std::string_view word = text_.substr(pos_, end - pos_);
    if (word == "@lazy") return push(WordKind::kLazy, word.size());
    if (word == "@greedy") return push(WordKind::kGreedy, word.size());
    if (word == "@capture") return capture(end);
    if (word == "@max_tokens") return max_tokens(end);
    if (word == "@temperature") return temperature(end);
    if (word == "@line_end") return push(WordKind::kNewline, word.size());
    if (word == "@block") return block(end);
    return fail(pos_, end, "unknown mode `" + base::escape_for_display(word) + "`",
                "the modes are `@lazy(...)` and `@greedy(...)`; a capture is written `@capture(name: ...)`, a bound on "
                "tokens `@max_tokens(20: ...)`, a temperature `@temperature(0.7: ...)`, a block `@block(...)`, the end "
                "of a line `@line_end`");
  }

  // `open_number` reads from a mode with a number, which ends at `end`, to the number; `close_number` reads from there
  // to after the colon.
  template <typename Malformed>
  bool open_number(std::size_t end, Malformed malformed) {
    pos_ = end;
    if (!skip_blanks()) return false;
    if (peek() != '(') return malformed("`(`");
    ++pos_;
    return skip_blanks();
  }
  template <typename Malformed>
  bool close_number(Malformed malformed) {
    if (!skip_blanks()) return false;
    if (peek() != ':' || at("::=")) return malformed("`:` after its number");
    ++pos_;
    return true;
  }

  // Reads from `@max_tokens`, which ends at `end`, to after the colon.
  bool max_tokens(std::size_t end) {
    const std::size_t start = pos_;
    const auto malformed = [&](const char* missing) {
      return fail(start, end, std::string("`@max_tokens` without ") + missing,
                  "a bound on tokens is written `@max_tokens(20: ...)`");
    };
    if (!open_number(end, malformed)) return false;
    const std::size_t first = pos_;
    std::uint64_t count = 0;
    for (; pos_ < text_.size() && is_digit(text_[pos_]); ++pos_) {
      count = std::min<std::uint64_t>(count * 10 + static_cast<std::uint64_t>(text_[pos_] - '0'), UINT32_MAX);
    }
    if (pos_ == first) return malformed("a number");
    if (count > grammar::kMaxTokenLimit) {
      return fail(first, pos_, "a bound above " + std::to_string(grammar::kMaxTokenLimit) + " tokens",
                  "leave it out where there is none");
    }
    if (!close_number(malformed)) return false;
    words_.push_back({WordKind::kMaxTokens, {start, pos_}});
    words_.back().max = static_cast<std::uint32_t>(count);
    return true;
  }

  // Reads from `@temperature`, which ends at `end`, to after the colon.
  bool temperature(std::size_t end) {
    const std::size_t start = pos_;
    const auto malformed = [&](const char* missing) {
      return fail(start, end, std::string("`@temperature` without ") + missing,
                  "a temperature is written `@temperature(0.7: ...)`");
    };
    if (!open_number(end, malformed)) return false;
    const std::size_t first = pos_;
    while (pos_ < text_.size() && (is_digit(text_[pos_]) || text_[pos_] == '.')) ++pos_;
    const std::optional<float> read = grammar::read_temperature(text_.substr(first, pos_ - first));
    if (!read) return malformed("a number");
    if (!close_number(malformed)) return false;
    words_.push_back({WordKind::kTemperature, {start, pos_}});
    words_.back().temperature = *read;
    return true;
  }

  // Reads from `@block`, which ends at `end`, to after the parenthesis, or after the colon if there is a number.
  bool block(std::size_t end) {
    const std::size_t start = pos_;
    const auto malformed = [&](const char* missing) {
      return fail(start, end, std::string("`@block` without ") + missing,
                  "a block is written `@block(...)`, one that is 4 columns deeper `@block(4: ...)`");
    };
    if (!open_number(end, malformed)) return false;
    const std::size_t first = pos_;
    std::uint32_t width = 0;
    for (; pos_ < text_.size() && is_digit(text_[pos_]); ++pos_) {
      width = std::min(width * 10 + static_cast<std::uint32_t>(text_[pos_] - '0'), grammar::kMaxColumns + 1);
    }
    const std::size_t stop = pos_;
    if (!skip_blanks()) return false;
    const bool has_number = stop > first && peek() == ':' && !at("::=");
    if (has_number && (width == 0 || width > grammar::kMaxColumns)) {
      return fail(first, stop, "a block is from 1 to " + std::to_string(grammar::kMaxColumns) + " columns deeper",
                  "leave it out where any column will do");
    }
    pos_ = has_number ? pos_ + 1 : first;
    words_.push_back({WordKind::kBlock, {start, pos_}});
    words_.back().max = has_number ? width : 0;
    return true;
  }

  // Reads from `@capture`, which ends at `end`, to after the colon.
  bool capture(std::size_t end) {
    const std::size_t start = pos_;
    const auto malformed = [&](const char* missing) {
      return fail(start, end, std::string("`@capture` without ") + missing,
                  "a capture is written `@capture(name: ...)`");
    };
    pos_ = end;
    if (!skip_blanks()) return false;
    if (peek() != '(') return malformed("`(`");
    words_.push_back({WordKind::kCapture, {start, ++pos_}});
    if (!skip_blanks()) return false;
    const std::size_t name_stop = name_end(pos_);
    if (name_stop == pos_) return malformed("a name");
    push(WordKind::kName, name_stop - pos_);
    if (!skip_blanks()) return false;
    if (peek() != ':' || at("::=")) return malformed("`:` after its name");
    ++pos_;
    return true;
  }

  bool repeat(std::uint32_t min, std::uint32_t max) {
    push(WordKind::kRepeat, 1);
    words_.back().min = min;
    words_.back().max = max;
    return true;
  }

  bool counts() {
    const std::size_t start = pos_;
    std::size_t end = pos_ + 1;
    // llama.cpp allows the same blanks here as elsewhere: in parentheses also line ends and comments.
    const bool has_lines = dialect_ == Dialect::kGbnf && depth_ > 0;
    const auto blanks = [&] {
      const std::string_view blank = has_lines ? " \t\r\n" : " \t";
      while (end < text_.size()) {
        if (has_lines && text_[end] == '#') {
          end = std::min(text_.find('\n', end), text_.size());
        } else if (blank.find(text_[end]) != std::string_view::npos) {
          ++end;
        } else {
          break;
        }
      }
    };
    // Reads the digits of a number. Values above 32 bits become a value above every limit.
    const auto number = [&](std::uint64_t& value) {
      const std::size_t first = end;
      for (value = 0; end < text_.size() && is_digit(text_[end]); ++end) {
        value = std::min<std::uint64_t>(value * 10 + static_cast<std::uint64_t>(text_[end] - '0'), regex::kUnbounded);
      }
      return end > first;
    };
    std::uint64_t min = 0;
    std::uint64_t max = 0;
    blanks();
    const bool has_min = number(min);
    blanks();
    bool has_max = false;
    const bool comma = end < text_.size() && text_[end] == ',';
    if (comma) {
      ++end;
      blanks();
      has_max = number(max);
      if (dialect_ == Dialect::kXgrammar && has_min && !has_max && text_.substr(end, 2) == "-1") end += 2;
      blanks();
    }
    if ((!has_min && !has_max) || end >= text_.size() || text_[end] != '}') {
      // A quote begins a literal.
      const bool at_character = end < text_.size() && text_[end] != '\n' && text_[end] != '"' && text_[end] != '\'';
      const std::size_t stop = at_character ? end + base::decode_utf8(text_, end).length : end;
      return fail(start, stop, "malformed count",
                  "a count is `{m}`, `{m,}`, `{,n}` or `{m,n}`; any number of times is `(...)*`");
    }
    ++end;
    if (!comma) max = min;
    if (has_max && max < min) {
      return fail(start, end, "the minimum of the count is above its maximum",
                  "did you mean `{" + std::to_string(max) + "," + std::to_string(min) + "}`?");
    }
    if (std::max(min, max) > std::min(limits_.repeat_count, regex::kUnbounded - 1)) {
      error_ = Error{ErrorCode::kLimitExceeded,
                     "count above the limit of " + std::to_string(limits_.repeat_count),
                     {start, end},
                     "`{m,}` has no upper bound",
                     "repeat_count"};
      return false;
    }
    push(WordKind::kRepeat, end - start);
    words_.back().min = static_cast<std::uint32_t>(min);
    words_.back().max = comma && !has_max ? regex::kUnbounded : static_cast<std::uint32_t>(max);
    return true;
  }

  std::string_view text_;
  Dialect dialect_;
  const Limits& limits_;
  std::size_t pos_ = 0;
  std::size_t depth_ = 0;  // of parentheses
  std::vector<Word> words_;
  Error error_;
  std::size_t resume_ = 0;  // after an error, continue at this position at the earliest
  std::vector<Error>& errors_;
};

}  // namespace

std::vector<Word> split_words(std::string_view text, Dialect dialect, const Limits& limits,
                              std::vector<Error>& errors) {
  return Splitter(text, dialect, limits, errors).run();
}

}  // namespace weir::frontend::ebnf
