// The oracle of competing terminals: a lexer that is told what the grammar allows at a place, and never goes back.
//
// WHAT   A grammar is a finite set of sequences of terminals. A text is read lexeme by lexeme. At each place all
//        terminals compete that continue, behind the terminals read so far, a beginning of some sequence, and behind
//        the first lexeme those that are ignored. They are matched together, byte by byte:
//          - where one that is `shortest` first matches, the lexeme ends, and only those of that kind that match there
//            count;
//          - else the lexeme ends where the next byte continues none of them, or the text ends, and all that match
//            there count. If none does, the text is refused.
//        All terminals that count are followed; one that is ignored leaves the sequences as they were. A text is a
//        member if it ends behind a lexeme, with a whole sequence read.
// HOW    The definition, with a Dfa for each terminal.
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

/// The grammar in Lark. Precondition: `start` and names like T0 and t0 are all that it holds.
std::string to_lark(const CompetingGrammar& grammar, std::string_view universe);

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_COMPETING_H_
