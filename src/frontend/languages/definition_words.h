// The words of SQL's definitions, of any dialect: the base of the reader of tables (tables.h).
//
// WHAT   Names, names in quotes, strings and single signs. Blanks and comments are skipped, and psql's commands. What is in
//        MySQL's `/*!50001 ... */` is read. A line `GO`, which ends a batch of T-SQL, is a `;`.
// COST   Linear in the text.
#ifndef WEIR_SRC_FRONTEND_LANGUAGES_DEFINITION_WORDS_H_
#define WEIR_SRC_FRONTEND_LANGUAGES_DEFINITION_WORDS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "frontend/languages/tables.h"
#include "weir/error.h"

namespace weir::frontend::sql {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // which some programs write before a dump

/// Returns false if a name is empty or has a control character.
bool is_possible(const Name& name);

/// A position among the words. After a failure, which error() describes, the word is the end, so reading stops.
class DefinitionWords {
 public:
  enum class Kind : std::uint8_t { kName, kQuoted, kOther, kEnd };
  struct Word {
    Kind kind = Kind::kEnd;
    std::string text = {};  // of kOther: one character, or a literal with its quotes
    SourceRange where = {};
  };
  struct Place {
    Word word;
    std::string_view text;
    std::size_t at;
    bool is_in_version_comment;
  };

  DefinitionWords(std::string_view text, bool is_mysql);

  /// Returns true if each string ends where a string may end: it is closed, and neither a letter nor a backslash follows.
  static bool are_strings_closed(std::string_view text, bool is_mysql);

  [[nodiscard]] bool has_failed() const { return error_.has_value(); }
  Error& error() { return *error_; }
  void fail(SourceRange where, std::string message, std::string hint = {});
  /// Fails with `expected WHAT, found` and the word.
  void expected(std::string what);

  [[nodiscard]] const Word& word() const { return word_; }
  [[nodiscard]] std::string_view text() const { return text_; }
  /// Reads the next word.
  void next();

  [[nodiscard]] bool is_end() const { return word_.kind == Kind::kEnd; }
  [[nodiscard]] bool is_name() const { return word_.kind == Kind::kName; }
  [[nodiscard]] bool is_sign(char c) const {
    return word_.kind == Kind::kOther && word_.text.size() == 1 && word_.text[0] == c;
  }
  /// Returns true for a string in single quotes that is not empty. SQLite writes some names so.
  [[nodiscard]] bool is_literal() const { return word_.kind == Kind::kOther && word_.text.size() > 2; }
  /// Returns true for a string in single quotes, also an empty one, and for PostgreSQL's `$$...$$`.
  [[nodiscard]] bool is_string() const { return word_.kind == Kind::kOther && word_.text.size() >= 2; }
  [[nodiscard]] bool is_word(std::string_view lower) const;
  [[nodiscard]] bool is_one_of(std::span<const std::string_view> words) const;
  [[nodiscard]] bool is_end_of_statement() const { return error_ || is_end() || is_sign(';'); }
  /// Returns true if the word is the first one of its line.
  [[nodiscard]] bool begins_line() const { return is_first_of_line(word_.where.start); }
  bool take_word(std::string_view lower);
  bool take_sign(char c);
  /// Reads a name. Fails with `expected WHAT` if there is none.
  std::optional<Name> name(const char* what);

  [[nodiscard]] Place here() const { return {word_, text_, at_, is_in_version_comment_}; }
  void go_back(const Place& place);
  /// Goes on with the words of another text, until go_back().
  void enter(std::string_view text);
  /// Returns what `test()` returns at the next word, and stays at this one. False if reading the next word fails.
  template <typename Test>
  bool is_ahead(const Test& test) {
    const Place place = here();
    next();
    const bool is = test();
    if (error_) return false;
    go_back(place);
    return is;
  }

  /// Goes on after the line that begins with the last characters of `mark`, or at the end of the text.
  void skip_past(std::string_view mark);
  /// Goes on at the line `GO` that ends the batch, or at the end of the text.
  void skip_batch();
  /// After MySQL's DELIMITER: skips what its client runs up to another delimiter, which is procedures and triggers.
  void skip_delimited();
  /// Returns true if there is a line `GO`.
  [[nodiscard]] bool has_batches() const { return has_batches_; }

 private:
  void skip_blanks();
  [[nodiscard]] bool is_subscript() const;
  [[nodiscard]] bool is_first_of_line(std::size_t at) const;
  void quoted(char close, Kind kind);
  bool dollar_string();

  std::string_view text_;
  std::size_t at_;
  Word word_;
  std::optional<Error> error_;
  bool is_mysql_;
  bool has_batches_;
  bool is_in_version_comment_ = false;
};

}  // namespace weir::frontend::sql

#endif  // WEIR_SRC_FRONTEND_LANGUAGES_DEFINITION_WORDS_H_
