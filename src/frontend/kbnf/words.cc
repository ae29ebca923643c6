#include "frontend/kbnf/words.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/utf8.h"

namespace weir::frontend::kbnf {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }

class Splitter {
 public:
  Splitter(std::string_view text, std::vector<Error>& errors) : text_(text), errors_(errors) {}

  std::vector<Word> run() {
    if (text_.starts_with("\xEF\xBB\xBF")) pos_ = 3;  // a byte-order mark
    for (;;) {
      skip_blanks();
      if (pos_ >= text_.size() || errors_.size() > kMaxErrors) break;
      word();
    }
    words_.push_back({WordKind::kEnd, {text_.size(), text_.size()}});
    return std::move(words_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0';
  }
  [[nodiscard]] bool at(std::string_view what) const { return text_.substr(pos_, what.size()) == what; }

  void push(WordKind kind, std::size_t length) {
    words_.push_back({kind, {pos_, pos_ + length}});
    pos_ += length;
  }

  // Reports an error for the text from here to `end`, and adds this text as a word of kind kUnreadable.
  void fail(std::size_t end, std::string message, std::string hint = {}) {
    errors_.push_back({ErrorCode::kSyntax, std::move(message), {pos_, end}, std::move(hint), {}});
    push(WordKind::kUnreadable, end - pos_);
  }

  void skip_blanks() {
    while (pos_ < text_.size()) {
      const char c = text_[pos_];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        ++pos_;
      } else if (at("(*")) {
        const std::size_t end = text_.find("*)", pos_ + 2);
        if (end == std::string_view::npos) {
          fail(pos_ + 2, "comment `(*` without `*)`");
          pos_ = text_.size();
        } else {
          pos_ = end + 2;
        }
      } else {
        break;
      }
    }
  }

  void word() {
    switch (peek()) {
      case '"':
      case '\'': return quoted(WordKind::kLiteral, 0, "literal");
      case '#': return hashed();
      case '|': return push(WordKind::kAlternative, 1);
      case ',': return push(WordKind::kComma, 1);
      case ';': return push(WordKind::kEndOfRule, 1);
      case '(':
      case '[':
      case '{': return push(WordKind::kOpen, 1);
      case ')':
      case ']':
      case '}': return push(WordKind::kClose, 1);
      case '?':
      case '*':
      case '+': return push(WordKind::kRepeat, 1);
      case '=': return push(WordKind::kDefine, 1);
      case ':':
        if (at("::=")) return push(WordKind::kDefine, 3);
        return fail(pos_ + (at("::") || at(":=") ? 2 : 1), "unexpected `:`", "a rule is written `name ::= ...;`");
      default: break;
    }
    if (is_digit(peek())) return number();
    if (is_name_start(peek())) return name();
    unexpected_character();
  }

  void name() {
    std::size_t end = pos_;
    while (end < text_.size() && is_name_part(text_[end])) ++end;
    const std::string_view name = text_.substr(pos_, end - pos_);
    if (end == text_.size() || text_[end] != '!') return push(WordKind::kName, name.size());
    if (name == "except") return push(WordKind::kExcept, name.size() + 1);
    if (name == "any") return push(WordKind::kAny, name.size() + 1);
    fail(end + 1, "unknown special nonterminal `" + std::string(name) + "!`", "there are `any!` and `except!(...)`");
  }

  void number() {
    std::size_t end = pos_;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    push(WordKind::kNumber, end - pos_);
  }

  // Reads a quoted word with a prefix. The prefix, from `#` to the quote, says which kind of terminal it is.
  void hashed() {
    std::size_t quote = pos_ + 1;
    while (quote < text_.size() && is_name_part(text_[quote])) ++quote;
    const std::string_view kind = text_.substr(pos_, quote - pos_);
    if (quote == text_.size() || (text_[quote] != '"' && text_[quote] != '\'')) {
      return fail(quote, "`" + std::string(kind) + "` is not followed by a quoted text",
                  "a regular expression is written `#\"...\"`, without a blank; comments stand between `(*` and `*)`");
    }
    if (kind == "#") return quoted(WordKind::kRegex, kind.size(), "regular expression");
    if (kind == "#e") return quoted(WordKind::kEarlyRegex, kind.size(), "regular expression");
    if (kind == "#ex") return quoted(WordKind::kComplement, kind.size(), "regular expression");
    if (kind == "#substrs") return quoted(WordKind::kSubstrings, kind.size(), "text");
    fail(quote, "unknown kind of terminal `" + std::string(kind) + "`",
         "there are `#\"...\"`, `#e\"...\"`, `#ex\"...\"` and `#substrs\"...\"`");
  }

  // Reads a quoted word whose prefix has `skip` bytes. A backslash escapes the next character.
  void quoted(WordKind kind, std::size_t skip, const char* what) {
    const char close = text_[pos_ + skip];
    std::size_t end = pos_ + skip + 1;
    while (end < text_.size() && text_[end] != close) end += text_[end] == '\\' ? 2 : 1;
    if (end < text_.size()) return push(kind, end + 1 - pos_);
    const std::size_t line_end = std::min(text_.find('\n', pos_), text_.size());
    fail(line_end, std::string(what) + " without closing `" + close + "`", hint_about_open_word());
    pos_ = text_.size();
  }

  // Returns the hint for a quoted word without a closing quote, which is noticed only at the end of the text. The quote
  // that is missing is often that of an earlier word, which then extends over a line end. The hint names the first such
  // word; it is empty if there is none.
  [[nodiscard]] std::string hint_about_open_word() const {
    for (const Word& w : words_) {
      if (w.kind < WordKind::kLiteral || w.kind > WordKind::kSubstrings) continue;
      if (text_.substr(w.where.start, w.where.end - w.where.start).find('\n') == std::string_view::npos) continue;
      const LineColumn at = line_column(text_, w.where.start);
      return "is the one that begins at line " + std::to_string(at.line) + ", column " + std::to_string(at.column) +
             " meant to run over the end of the line?";
    }
    return {};
  }

  void unexpected_character() {
    const base::Decoded c = base::decode_utf8(text_, pos_);
    const std::string shown = base::escape_for_display(text_.substr(pos_, c.length));
    std::string hint;
    switch (c.code_point) {
      case U'\u201C':
      case U'\u201D':
      case U'\u2018':
      case U'\u2019': hint = "literals stand in straight quotes, `\"` or `'`"; break;
      case U'/': hint = "comments stand between `(*` and `*)`; a regular expression is written `#\"...\"`"; break;
      case U'-': hint = "names are made of letters, digits and `_`; to exclude texts, write `except!(...)`"; break;
      case U'.': hint = "any character but a line feed is written `#\".\"`; a rule ends with `;`"; break;
      case U'\\': hint = "escapes belong into quotes"; break;
      case U'&':
      case U'~': hint = "KBNF has neither intersection nor complement but `#ex\"...\"`"; break;
      default:
        if (c.code_point >= 0x80) hint = "names are made of ASCII letters, digits and `_`";
        break;
    }
    fail(pos_ + c.length, "unexpected character `" + shown + "`", std::move(hint));
  }

  std::string_view text_;
  std::vector<Error>& errors_;
  std::size_t pos_ = 0;
  std::vector<Word> words_;
};

}  // namespace

std::vector<Word> split_words(std::string_view text, std::vector<Error>& errors) {
  return Splitter(text, errors).run();
}

}  // namespace weir::frontend::kbnf
