#include "frontend/lark/words.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/escape.h"
#include "base/utf8.h"

namespace weir::frontend::lark {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }
bool is_name_part(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-'; }

class Splitter {
 public:
  Splitter(std::string_view text, std::vector<Error>& errors) : text_(text), errors_(errors) {}

  std::vector<Word> run() {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") pos_ = 3;  // a byte-order mark
    while (pos_ < text_.size()) word();
    words_.push_back({WordKind::kEnd, {text_.size(), text_.size()}});
    return std::move(words_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0';
  }
  [[nodiscard]] WordKind last() const { return words_.empty() ? WordKind::kLineEnd : words_.back().kind; }

  void push(WordKind kind, std::size_t length) {
    if (kind == WordKind::kAlternative && last() == WordKind::kLineEnd && !words_.empty()) words_.pop_back();
    words_.push_back({kind, {pos_, pos_ + length}});
    pos_ += length;
  }

  // Reports an error at the next `length` bytes and skips them.
  void skip_wrong(std::size_t length, std::string message, std::string hint = {}) {
    errors_.push_back({ErrorCode::kSyntax, std::move(message), {pos_, pos_ + length}, std::move(hint), {}});
    pos_ += std::max<std::size_t>(length, 1);
  }

  [[nodiscard]] std::size_t to_line_end() const { return std::min(text_.find('\n', pos_), text_.size()) - pos_; }

  void word() {
    switch (peek()) {
      case ' ':
      case '\t':
      case '\r': ++pos_; return;
      case '\n': return line_end();
      case '#': pos_ += to_line_end(); return;
      case '/':
        if (peek(1) == '/') {
          pos_ += to_line_end();
          return;
        }
        return delimited(WordKind::kRegex, '/', "regular expression");
      case '"': return delimited(WordKind::kString, '"', "string");
      case '%': return directive();
      case '<': return token();
      case '@': return grammar_name();
      case '(': return open(WordKind::kOpen, Level::kPlain);
      case '[': return open(WordKind::kOpenBracket, Level::kPlain);
      case '{': return open(WordKind::kOpenBrace, opens_grammar() ? Level::kGrammar : Level::kPlain);
      case ')': return close(WordKind::kClose);
      case ']': return close(WordKind::kCloseBracket);
      case '}': return close(WordKind::kCloseBrace);
      case ':': return peek(1) == ':' ? push(WordKind::kDoubleColon, 2) : push(WordKind::kColon, 1);
      case '.': return peek(1) == '.' ? push(WordKind::kDots, 2) : push(WordKind::kDot, 1);
      case '=': return push(WordKind::kEquals, 1);
      case ',': return push(WordKind::kComma, 1);
      case '~': return push(WordKind::kTilde, 1);
      case '&': return push(WordKind::kAnd, 1);
      case '|': return push(WordKind::kAlternative, 1);
      case '*': return push(WordKind::kStar, 1);
      case '+': return is_digit(peek(1)) ? number() : push(WordKind::kPlus, 1);
      case '?': return push(WordKind::kQuestion, 1);
      case '!': return push(WordKind::kExclamation, 1);
      case '-':
        if (peek(1) == '>') return push(WordKind::kArrow, 2);
        if (is_digit(peek(1))) return number();
        return skip_wrong(1, "unexpected `-`", "an alternative is named with `->`");
      default: break;
    }
    if (is_digit(peek())) return number();
    if (is_letter(peek()) || peek() == '_') return name();
    wrong_character();
  }

  // Line ends are words at the top level and in a nested grammar. Empty lines are skipped.
  void line_end() {
    if (begins_statement(pos_ + 1)) {  // a bracket was not closed
      while (!levels_.empty() && levels_.back() == Level::kPlain) levels_.pop_back();
    }
    const bool counts = levels_.empty() || levels_.back() == Level::kGrammar;
    if (counts && last() != WordKind::kLineEnd) return push(WordKind::kLineEnd, 1);
    ++pos_;
  }

  // Returns true if the line at `pos` begins, without indentation, with `name:` or a directive that begins a statement.
  [[nodiscard]] bool begins_statement(std::size_t pos) const {
    const std::string_view line = text_.substr(pos, text_.find('\n', pos) - pos);
    if (line.starts_with('%')) {
      static constexpr std::array<std::string_view, 4> kWithinBodies{"%if ", "%json", "%regex", "%lark"};
      return std::none_of(kWithinBodies.begin(), kWithinBodies.end(),
                          [&](auto word) { return line.starts_with(word); });
    }
    const std::size_t first = std::min(line.find_first_not_of("?!"), line.size());
    std::size_t end = first;
    while (end < line.size() && is_name_part(line[end])) ++end;
    const std::size_t colon = line.find_first_not_of(" \t", end);
    return end > first && colon != std::string_view::npos && line[colon] == ':' && line.substr(colon, 2) != "::";
  }

  enum class Level : std::uint8_t { kPlain, kGrammar };

  void open(WordKind kind, Level level) {
    levels_.push_back(level);
    push(kind, 1);
  }
  void close(WordKind kind) {
    if (!levels_.empty()) levels_.pop_back();
    push(kind, 1);
  }
  [[nodiscard]] bool opens_grammar() const { return last() == WordKind::kDirective && spelling() == "%lark"; }
  [[nodiscard]] std::string_view spelling() const {
    const SourceRange where = words_.back().where;
    return text_.substr(where.start, where.end - where.start);
  }

  // Reads a string or a regular expression on one line; a backslash escapes the next character.
  void delimited(WordKind kind, char delimiter, const char* what) {
    std::size_t end = pos_ + 1;
    while (end < text_.size() && text_[end] != delimiter && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size() || text_[end] != delimiter) {
      std::string hint = delimiter == '/' ? "a `/` in it is written `\\/`, and a line end `\\n`"
                                          : "a quote in it is written `\\\"`, and a line end `\\n`";
      return skip_wrong(to_line_end(), std::string(what) + " without closing `" + delimiter + "` on its line",
                        std::move(hint));
    }
    ++end;
    if (kind == WordKind::kRegex) {
      while (end < text_.size() && is_letter(text_[end])) ++end;
    } else if (end < text_.size() && text_[end] == 'i' && (end + 1 >= text_.size() || !is_name_part(text_[end + 1]))) {
      ++end;
    }
    push(kind, end - pos_);
  }

  void number() {
    std::size_t end = pos_ + (peek() == '-' || peek() == '+' ? 1 : 0);
    const auto at = [&](std::size_t i) { return i < text_.size() ? text_[i] : '\0'; };
    if (at(end) == '0' && (at(end + 1) == 'x' || at(end + 1) == 'X') && base::hex_digit(at(end + 2)) >= 0) {
      end += 2;
      while (base::hex_digit(at(end)) >= 0) ++end;
    } else {
      while (is_digit(at(end))) ++end;
      if (at(end) == '.' && is_digit(at(end + 1))) {
        ++end;
        while (is_digit(at(end))) ++end;
      }
    }
    push(WordKind::kNumber, end - pos_);
  }

  void name() {
    std::size_t end = pos_;
    while (end < text_.size() && is_name_part(text_[end]) && text_.substr(end, 2) != "->") ++end;
    const std::string_view written = text_.substr(pos_, end - pos_);
    const auto letter = std::find_if(written.begin(), written.end(), is_letter);
    if (letter == written.end() && written.size() == 1) return push(WordKind::kUnderscore, 1);
    if (letter == written.end()) {
      return skip_wrong(written.size(), "a name without a letter",
                        "names have a letter, which tells rules from terminals");
    }
    push(is_upper(*letter) ? WordKind::kTerminalName : WordKind::kRuleName, written.size());
  }

  void directive() {
    std::size_t end = pos_ + 1;
    while (end < text_.size() && is_letter(text_[end])) ++end;
    if (end == pos_ + 1) return skip_wrong(1, "unexpected `%`", "a directive is a word after `%`, as in `%ignore`");
    push(WordKind::kDirective, end - pos_);
    const std::string_view written = spelling();
    if (written == "%json" || written == "%regex" || written == "%llguidance" || written == "%indent") json();
  }

  // Reads from `{` to the matching `}`, skipping strings. Whether the text is valid JSON is checked later.
  void json() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n') ++pos_;
    if (peek() != '{') return;
    std::size_t depth = 0;
    for (std::size_t end = pos_; end < text_.size(); ++end) {
      const char c = text_[end];
      if (c == '"') {
        for (++end; end < text_.size() && text_[end] != '"'; ++end) end += text_[end] == '\\' ? 1 : 0;
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if ((c == '}' || c == ']') && --depth == 0) {
        return push(WordKind::kJson, end + 1 - pos_);
      }
    }
    skip_wrong(1, "`{` without `}`: the JSON value does not end");
    pos_ = text_.size();
  }

  void token() {
    const std::size_t end = text_.find_first_of(">\n", pos_);
    if (end == std::string_view::npos || text_[end] == '\n') {
      return skip_wrong(to_line_end(), "token `<` without `>`", "a special token is written `<name>` or `<[12]>`");
    }
    if (end == pos_ + 1) return skip_wrong(2, "empty token name");
    push(WordKind::kToken, end + 1 - pos_);
  }

  void grammar_name() {
    std::size_t end = pos_ + 1;
    while (end < text_.size() && is_name_part(text_[end])) ++end;
    if (end == pos_ + 1) return skip_wrong(1, "`@` without the name of a grammar");
    push(WordKind::kGrammarName, end - pos_);
  }

  void wrong_character() {
    const std::size_t length = std::max<std::size_t>(base::decode_utf8(text_, pos_).length, 1);
    const std::string shown = base::escape_for_display(text_.substr(pos_, length));
    std::string hint;
    if (peek() == '\'') hint = "strings stand in double quotes";
    if (peek() == ';') hint = "a definition ends with its line";
    if (peek() == '\\') hint = "escapes belong into strings and regular expressions";
    skip_wrong(length, "unexpected character `" + shown + "`", std::move(hint));
  }

  std::string_view text_;
  std::vector<Error>& errors_;
  std::size_t pos_ = 0;
  std::vector<Level> levels_;
  std::vector<Word> words_;
};

}  // namespace

std::vector<Word> split_words(std::string_view text, std::vector<Error>& errors) {
  return Splitter(text, errors).run();
}

}  // namespace weir::frontend::lark
