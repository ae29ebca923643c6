// Splits a Lark text into words. A line end is a word, because it ends a definition, except within parentheses and
// braces and before a line that begins with `|`.
//
// A word is its kind and its position. The JSON value after %json, %regex, %llguidance or %indent is one word.
#ifndef WEIR_SRC_FRONTEND_LARK_WORDS_H_
#define WEIR_SRC_FRONTEND_LARK_WORDS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "weir/error.h"

namespace weir::frontend::lark {

enum class WordKind : std::uint8_t {
  kRuleName,      // name; its first letter is lower-case, unlike that of a terminal
  kTerminalName,  // NAME
  kUnderscore,    // _ alone
  kString,        // "..." or "..."i
  kRegex,         // /.../flags
  kNumber,        // 12, -3, 0.5, 0x1F
  kDirective,     // %import, %if, ...
  kJson,          // {...} after %json, %regex, %llguidance or %indent
  kToken,         // <...>
  kGrammarName,   // @name
  kColon,
  kDoubleColon,
  kEquals,
  kComma,
  kDot,
  kDots,   // ..
  kArrow,  // ->
  kOpen,
  kClose,
  kOpenBracket,
  kCloseBracket,
  kOpenBrace,
  kCloseBrace,
  kTilde,
  kAnd,
  kAlternative,
  kStar,
  kPlus,
  kQuestion,
  kExclamation,
  kLineEnd,
  kEnd,
};

struct Word {
  WordKind kind = WordKind::kEnd;
  SourceRange where = {};
};

/// Returns all words of `text`, kEnd last. Text that is no word is skipped and reported in `errors`.
/// Precondition: valid UTF-8. Cost: linear.
std::vector<Word> split_words(std::string_view text, std::vector<Error>& errors);

}  // namespace weir::frontend::lark

#endif  // WEIR_SRC_FRONTEND_LARK_WORDS_H_
