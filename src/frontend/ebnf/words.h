// Words of an EBNF text: names, literals, classes, operators. Blanks, line ends and comments separate them and mean
// nothing else; so a rule may go on over as many lines as it likes, and ends where `name ::=` follows. In GBNF a line
// end outside of parentheses ends the rule, unless it stands behind `::=` or `|`, and is a word.
//
// A word is its kind and its place; what stands in a literal or a class is read by text.h when the parser gets there.
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
  kCapture,      // @capture(; the name follows as kName, and the colon behind it is no word
  kMaxTokens,    // @max_tokens(N:, with the count in max
  kTemperature,  // @temperature(X:, with the number in temperature
  kLineEnd,      // GBNF: the end of a rule
  kMacro,        // XGrammar: Name(...), to the closing parenthesis
  kOptions,      // XGrammar: [...] between a rule's name and `::=`
  kBad,          // what is no word, and has been reported
  kEnd,
};

struct Word {
  WordKind kind = WordKind::kEnd;
  SourceRange where = {};
  std::uint32_t min = 0;
  std::uint32_t max = 0;
  float temperature = grammar::kNoTemperature;
};

/// All words of `text`, kEnd last. Precondition: valid UTF-8.
/// Errors are appended, and a kBad word stands where each was: kSyntax; kLimitExceeded (repeat_count). Cost: linear.
std::vector<Word> split_words(std::string_view text, Dialect dialect, const Limits& limits, std::vector<Error>& errors);

}  // namespace weir::frontend::ebnf

#endif  // WEIR_SRC_FRONTEND_EBNF_WORDS_H_
