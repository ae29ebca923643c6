// Pattern: a regular expression of a tokenizer file, matched by PCRE2.
//
// WHY    Pre-tokenizers use look-ahead, possessive repeats and Unicode properties. PCRE2 supports them all, compiles to
//        machine code, and its syntax covers the patterns of tokenizer files. weir's own regex layer serves grammars
//        only.
// THREADS const is safe to call concurrently; a Matcher belongs to one thread.
#ifndef WEIR_SRC_VOCAB_SEGMENTERS_PATTERN_H_
#define WEIR_SRC_VOCAB_SEGMENTERS_PATTERN_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/error.h"

namespace weir::vocab {

class Pattern {
 public:
  /// Compiles a pattern. Errors: kUnsupported with PCRE2's message; `where` is the offset in the pattern.
  static Result<Pattern> compile(std::string_view regex);

  /// What PCRE2 was given: the pattern in its syntax, read with the options UTF, UCP and DOLLAR_ENDONLY.
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

  struct Match {
    std::size_t begin = 0;
    std::size_t end = 0;
    [[nodiscard]] bool found() const noexcept { return begin < end; }
  };

  /// Finds the matches of one pattern in texts. May be used for any number of texts in turn.
  class Matcher {
   public:
    explicit Matcher(const Pattern& pattern);
    /// Returns the first non-empty match at or after `from`; see Match::found. Precondition: `text` is valid UTF-8, and
    /// `from` is the offset of a character or the end. Errors: kInvalidArgument if the pattern backtracks too much.
    Result<Match> find(std::string_view text, std::size_t from) { return find(text, from, 0); }
    /// Returns that match if it is the same in every text that begins with `text`; otherwise none.
    Result<Match> find_settled(std::string_view text, std::size_t from);

   private:
    Result<Match> find(std::string_view text, std::size_t from, std::uint32_t options);

    std::shared_ptr<const void> code_;
    std::shared_ptr<void> match_data_;
    std::shared_ptr<void> context_;
  };

 private:
  friend Result<std::vector<bool>> match_characters(std::string_view expression, std::span<const char32_t> characters);
  static Result<Pattern> compile_translated(std::string text, std::string_view regex);
  Pattern(std::string text, std::shared_ptr<const void> code) : text_(std::move(text)), code_(std::move(code)) {}
  std::string text_;
  std::shared_ptr<const void> code_;  // a pcre2_code; only pattern.cc includes the header of its type
};

/// Which of these characters match an expression for one character, in PCRE2's syntax: PCRE2 has a Unicode version of its
/// own. Errors: as Pattern::compile.
Result<std::vector<bool>> match_characters(std::string_view expression, std::span<const char32_t> characters);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_PATTERN_H_
