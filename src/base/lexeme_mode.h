// LexemeMode: where a lexeme of a terminal may end.
//
// WHY HERE  Grammars say how a terminal ends, and lexers end it. Neither layer includes the other.
#ifndef WEIR_SRC_BASE_LEXEME_MODE_H_
#define WEIR_SRC_BASE_LEXEME_MODE_H_

#include <cstdint>
#include <string_view>

namespace weir::base {

/// Where a lexeme of a terminal may end. lexer/lexer.h says how a lexer treats each mode.
enum class LexemeMode : std::uint8_t {
  kExact,   ///< Wherever the text so far matches: all splits are followed.
  kLazy,    ///< At the first match.
  kGreedy,  ///< Where no longer match is possible: the text that follows must not extend the lexeme to a longer match.
  // Terminals of the next two modes compete with each other if several of them may begin at the same position. Together
  // they behave like a lexer that knows which of them the grammar allows at that position and never backtracks.
  /// At a match, if the next byte continues no competitor, this terminal included.
  kLongest,
  /// At the first match. All competitors stop there: those of this mode that also match end, the others are dropped.
  kShortest,
};

/// Returns true if terminals of this mode compete.
constexpr bool competes(LexemeMode mode) { return mode == LexemeMode::kLongest || mode == LexemeMode::kShortest; }

/// Returns true if a lexeme of this mode never continues after a match.
constexpr bool ends_at_first_match(LexemeMode mode) {
  return mode == LexemeMode::kLazy || mode == LexemeMode::kShortest;
}

/// Returns true if not only a lexeme's own text decides whether it may end, but also the text after it or its
/// competitors.
constexpr bool ends_under_conditions(LexemeMode mode) { return mode == LexemeMode::kGreedy || competes(mode); }

/// Returns kExact for kLongest, kLazy for kShortest, and all other modes as they are.
constexpr LexemeMode without_competition(LexemeMode mode) {
  if (!competes(mode)) return mode;
  return ends_at_first_match(mode) ? LexemeMode::kLazy : LexemeMode::kExact;
}

/// Returns the word for the mode, as in `@lazy(...)`.
constexpr std::string_view name_of(LexemeMode mode) {
  switch (mode) {
    case LexemeMode::kExact: return "exact";
    case LexemeMode::kLazy: return "lazy";
    case LexemeMode::kGreedy: return "greedy";
    case LexemeMode::kLongest: return "longest";
    case LexemeMode::kShortest: return "shortest";
  }
  return "";
}

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_LEXEME_MODE_H_
