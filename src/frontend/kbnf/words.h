// Splits a KBNF text into words: names, quoted texts with their prefix, operators. Blanks, line ends and comments only
// separate words.
#ifndef WEIR_SRC_FRONTEND_KBNF_WORDS_H_
#define WEIR_SRC_FRONTEND_KBNF_WORDS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "weir/diagnostic.h"
#include "weir/error.h"

namespace weir::frontend::kbnf {

enum class WordKind : std::uint8_t {
  kName,
  kDefine,       // ::= or =
  kLiteral,      // "…" or '…', quotes included, as in the next four
  kRegex,        // #"…"
  kEarlyRegex,   // #e"…"
  kComplement,   // #ex"…"
  kSubstrings,   // #substrs"…"
  kExcept,       // except!
  kAny,          // any!
  kNumber,       // the bound of except!
  kAlternative,  // |
  kComma,        // ,
  kOpen,         // ( [ {
  kClose,        // ) ] }
  kRepeat,       // ? * +
  kEndOfRule,    // ;
  kUnreadable,   // text that is no word; the error has been reported
  kEnd,
};

struct Word {
  WordKind kind = WordKind::kEnd;
  SourceRange where = {};
};

/// Returns all words of `text`, kEnd last. Text that is no word is an error (kSyntax) and a word of kind kUnreadable.
/// Precondition: valid UTF-8. Cost: linear.
std::vector<Word> split_words(std::string_view text, std::vector<Error>& errors);

}  // namespace weir::frontend::kbnf

#endif  // WEIR_SRC_FRONTEND_KBNF_WORDS_H_
