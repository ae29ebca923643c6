// Words of a Lark text. A line end is a word, for it ends a definition; it is none in parentheses and braces, and none
// before a line that begins with `|`.
//
// A word is its kind and its place. The JSON value behind %json, %regex and %llguidance is one word.
#ifndef WEIR_SRC_FRONTEND_LARK_WORDS_H_
#define WEIR_SRC_FRONTEND_LARK_WORDS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "weir/error.h"

namespace weir::frontend::lark {

enum class WordKind : std::uint8_t {
  kRuleName,      // name; the first letter tells rules from terminals
  kTerminalName,  // NAME
  kUnderscore,    // _ alone
  kString,        // "..." or "..."i
  kRegex,         // /.../flags
  kNumber,        // 12, -3, 0.5, 0x1F
  kDirective,     // %import, %if, ...
  kJson,          // {...} behind %json, %regex or %llguidance
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

/// All words of `text`, kEnd last. What is no word is left out and is an error, appended to `errors`.
/// Precondition: valid UTF-8. Cost: linear.
std::vector<Word> split_words(std::string_view text, std::vector<Error>& errors);

}  // namespace weir::frontend::lark

#endif  // WEIR_SRC_FRONTEND_LARK_WORDS_H_
