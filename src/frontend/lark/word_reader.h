// A position among the words of a module, and error reporting there: the base of the parsers for statements, bodies and
// conditions.
#ifndef WEIR_SRC_FRONTEND_LARK_WORD_READER_H_
#define WEIR_SRC_FRONTEND_LARK_WORD_READER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "frontend/lark/words.h"
#include "grammar/ir.h"
#include "weir/error.h"

namespace weir::frontend::lark {

class WordReader {
 public:
  WordReader(std::string_view text, const std::vector<Word>& words, std::vector<Error>& errors)
      : text_(text), words_(words), errors_(errors) {}

  /// Moves to the word `pos`. Words from `end` on are treated as the end.
  void enter(std::size_t pos, std::size_t end) {
    pos_ = pos;
    end_ = end;
  }

  [[nodiscard]] std::size_t pos() const { return pos_; }
  [[nodiscard]] WordKind kind(std::size_t ahead = 0) const {
    return pos_ + ahead < end_ ? words_[pos_ + ahead].kind : WordKind::kEnd;
  }
  [[nodiscard]] SourceRange where(std::size_t ahead = 0) const {
    if (pos_ + ahead < end_) return words_[pos_ + ahead].where;
    const std::size_t at = words_[end_].where.start;
    return {at, at};
  }
  [[nodiscard]] const Word& word_at(std::size_t pos) const { return words_[pos]; }
  void advance() { pos_ += pos_ < end_ ? 1 : 0; }
  /// Consumes the word if it is of this kind.
  bool take(WordKind wanted) {
    if (kind() != wanted) return false;
    advance();
    return true;
  }
  bool expect(WordKind wanted, std::string_view what, std::string hint = {}) {
    return take(wanted) || expected(what, std::move(hint));
  }

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::string_view spelling(SourceRange range) const {
    return text_.substr(range.start, range.end - range.start);
  }
  [[nodiscard]] std::string_view spelling() const { return spelling(where()); }
  [[nodiscard]] bool at_directive(std::string_view name) const {
    return kind() == WordKind::kDirective && spelling() == name;
  }
  /// Returns the range from the word `first` to the last consumed word.
  [[nodiscard]] SourceRange range_from(std::size_t first) const {
    const std::size_t start = words_[first].where.start;
    return {start, pos_ > first ? words_[pos_ - 1].where.end : start};
  }
  /// Returns true if the word is the first one of its line.
  [[nodiscard]] bool begins_line(std::size_t pos) const {
    const std::size_t start = words_[pos].where.start;
    const std::size_t last = text_.substr(0, start).find_last_not_of(" \t\r");
    return last == std::string_view::npos || text_[last] == '\n';
  }

  // These append an error and return false, for `return reader.fail(...)`.

  bool fail(SourceRange at, std::string message, std::string hint = {}) {
    return fail({ErrorCode::kSyntax, std::move(message), at, std::move(hint), {}});
  }
  bool fail(Error error) {
    errors_.push_back(std::move(error));
    return false;
  }
  /// Reports "expected ..., found ..." at the current word.
  bool expected(std::string_view what, std::string hint = {}) {
    std::string found = "`" + base::escape_for_display(spelling(), grammar::kTerminalNameBytes) + "`";
    if (kind() == WordKind::kLineEnd) found = "the end of the line";
    if (kind() == WordKind::kEnd) found = "the end of the grammar";
    return fail(where(), "expected " + std::string(what) + ", found " + found, std::move(hint));
  }

 private:
  std::string_view text_;
  const std::vector<Word>& words_;
  std::vector<Error>& errors_;
  std::size_t pos_ = 0;
  std::size_t end_ = 0;
};

/// Returns the value of a kNumber word if it is a non-negative integer below 2^64.
std::optional<std::uint64_t> whole_number(std::string_view spelling);

}  // namespace weir::frontend::lark

#endif  // WEIR_SRC_FRONTEND_LARK_WORD_READER_H_
