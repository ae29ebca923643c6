// The oracle of competing terminals: a lexer that knows which terminals the grammar allows next, and never backtracks.
//
// WHAT   A grammar is a finite set of sequences of terminals. A text is read lexeme by lexeme. At the start of a lexeme
//        the terminals compete that continue the terminals read so far to a prefix of some sequence; after the first
//        lexeme also the ignored terminals. They are matched together, byte by byte:
//          - Where a `shortest` terminal matches first, the lexeme ends; its terminals are the `shortest` ones that
//            match there.
//          - Otherwise the lexeme ends where the next byte continues none of them, or at the end of the text; its
//            terminals are all that match there. If there are none, the text is refused.
//        All terminals of a lexeme are pursued; an ignored one does not change the position in the sequences. A text is
//        a member if it ends at the end of a lexeme and a whole sequence was read.
// HOW    It implements this definition directly, with a Dfa for each terminal.
#ifndef WEIR_TESTS_ORACLE_COMPETING_H_
#define WEIR_TESTS_ORACLE_COMPETING_H_

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/regex.h"

namespace weir::oracle {

struct CompetingTerminal {
  RegexPtr regex = {};
  bool shortest = false;
  bool ignored = false;
};

struct CompetingGrammar {
  std::vector<CompetingTerminal> terminals = {};
  std::vector<std::vector<std::size_t>> sequences = {};
};

class CompetingLexer {
 public:
  CompetingLexer(CompetingGrammar grammar, std::string_view alphabet);
  [[nodiscard]] bool is_member(std::string_view text) const;

 private:
  using Sequence = std::vector<std::size_t>;
  struct Lexeme {
    std::size_t size = 0;
    std::vector<std::size_t> terminals = {};
  };
  [[nodiscard]] std::set<std::size_t> competitors(const std::set<Sequence>& read, bool is_first) const;
  [[nodiscard]] Lexeme lexeme(const std::set<std::size_t>& competitors, std::string_view rest) const;

  CompetingGrammar grammar_;
  std::vector<Dfa> dfas_;  // by terminal
};

/// Returns the grammar in Lark. Precondition: it contains only `start` and names like T0 and t0.
std::string to_lark(const CompetingGrammar& grammar, std::string_view universe);

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_COMPETING_H_
