// Words of a KBNF text: names, quoted texts with what stands before the quote, operators. Blanks, line ends and
// comments separate them and mean nothing else.
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
  kLiteral,      // "…" or '…', quotes included, as in the four that follow
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
  kUnreadable,   // what there is an error about already
  kEnd,
};

struct Word {
  WordKind kind = WordKind::kEnd;
  SourceRange where = {};
};

/// All words of `text`, kEnd last. What is none is an error, kSyntax, and a word of kind kUnreadable.
/// Precondition: valid UTF-8. Cost: linear.
std::vector<Word> split_words(std::string_view text, std::vector<Error>& errors);

}  // namespace weir::frontend::kbnf

#endif  // WEIR_SRC_FRONTEND_KBNF_WORDS_H_
