// Word tables: many words as one expression, whose parts are made as a text reaches them.
//
// WHAT   word_table() returns the union of w·t for a list of words w, each with an expression t that follows it, or of
//        the words alone.
// WHY    As an alternation, the words of an `enum` are a node for each byte: 2 million for 10,000 strings of 200 letters,
//        although a text reads a few hundred of them.
// HOW    The words are sorted and stored one after the other. A state is a range of words that begin alike, and the
//        number of bytes that they have in common and that have been read. A step looks up the next byte among the
//        words of the range. Once a word is read, what follows it is made. An intersection with a table of words alone is
//        a table of fewer words: each word is tried, so no later step follows two machines.
// COST   Sorting the words; then a step is some comparisons of bytes. Words that end alike share no states.
// LIMITS kMaxWordTables in a set, each of fewer than 2^20 words.
#ifndef WEIR_SRC_REGEX_ATOMS_WORD_TABLE_H_
#define WEIR_SRC_REGEX_ATOMS_WORD_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "regex/expr/expr.h"

namespace weir::regex {

/// Makes what follows a word, when a text has read the word.
class AfterWords {
 public:
  virtual ~AfterWords() = default;
  /// Returns what follows the word with this id. The result is not kNothing, and not nullable.
  virtual ExprId after(ExprSet& exprs, std::uint32_t id) = 0;
};

struct Word {
  std::string_view text;
  std::uint32_t id = 0;     ///< For AfterWords.
  std::uint32_t least = 0;  ///< The least length of what follows the word.
};

/// Returns the union of the words, each with what `after` makes; of the words alone if it is null. Returns nullopt if a
/// limit is met, or if words are not in UTF-8; a last byte 0xFF is not looked at. Preconditions: `words` is not empty; no
/// call uses the set, or a copy of it, while another call does in another thread if `after` is not null.
std::optional<ExprId> word_table(ExprSet& exprs, std::vector<Word> words, std::shared_ptr<AfterWords> after = nullptr);

/// Returns a table of the words alone; nullopt if an alternation is better, which shares the ends of words, and in the cases
/// of word_table().
std::optional<ExprId> long_word_table(ExprSet& exprs, const std::vector<Word>& words);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ATOMS_WORD_TABLE_H_
