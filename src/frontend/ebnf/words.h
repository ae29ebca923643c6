// Splits an EBNF text into words: names, literals, classes, operators. Blanks, line ends and comments only separate
// words, so a rule may extend over any number of lines and ends where `name ::=` follows. In GBNF a line end outside
// parentheses ends the rule and is a word, unless it follows `::=` or `|`.
//
// A word is its kind and its position. The parser reads the contents of a literal or a class with text.h.
#ifndef WEIR_SRC_FRONTEND_EBNF_WORDS_H_
#define WEIR_SRC_FRONTEND_EBNF_WORDS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "frontend/ebnf/dialect.h"
#include "grammar/ir.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend::ebnf {

enum class WordKind : std::uint8_t {
  kName,
  kDefine,       // ::=
  kLiteral,      // "…" or '…', quotes included
  kClass,        // […]
  kAnyChar,      // .
  kRegex,        // /…/flags
  kTokenSet,     // <[…]> or !<[…]>; ids, ranges of ids and quoted names
  kTokenName,    // <…> or !<…>
  kAlternative,  // |
  kAnd,          // &
  kNot,          // ~
  kOpen,         // (
  kClose,        // )
  kLookAhead,    // (=
  kRepeat,       // * + ? {…}, with the counts in min and max
  kLazy,         // @lazy
  kGreedy,       // @greedy
  kCapture,      // @capture(; the name follows as kName; the colon after it is no word
  kMaxTokens,    // @max_tokens(N:, with the count in max
  kTemperature,  // @temperature(X:, with the number in temperature
  kNewline,      // @line_end
  kBlock,        // @block( or @block(N:, with the number in max, else 0
  kLineEnd,      // GBNF: the end of a rule
  kMacro,        // XGrammar: Name(...), to the closing parenthesis
  kOptions,      // XGrammar: [...] between a rule's name and `::=`
  kBad,          // text that is no word; the error has been reported
  kEnd,
};

struct Word {
  WordKind kind = WordKind::kEnd;
  SourceRange where = {};
  std::uint32_t min = 0;
  std::uint32_t max = 0;
  float temperature = grammar::kNoTemperature;
};

/// Returns all words of `text`, kEnd last. Precondition: valid UTF-8.
/// Errors are appended, and each leaves a kBad word: kSyntax; kLimitExceeded (repeat_count). Cost: linear.
std::vector<Word> split_words(std::string_view text, Dialect dialect, const Limits& limits, std::vector<Error>& errors);

}  // namespace weir::frontend::ebnf

#endif  // WEIR_SRC_FRONTEND_EBNF_WORDS_H_
