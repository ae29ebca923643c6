// The oracle of bounds on tokens: texts cut into tokens, by trying all derivations.
//
// WHAT   A grammar whose rules may each have a bound, and a text as a sequence of tokens. A rule may derive a part of
//        the text that is not empty only if no more tokens than its bound have a byte in that part.
//        - `derives`: the textbook's table of spans, filled until nothing changes: a span is derived by a rule if the
//          symbols of a production derive neighbouring spans that make it up.
//        - `is_member`: the start rule derives the whole.
//        - `members`: all members of at most so many tokens; what begins them is viable.
// LIMITS Sizes of tests: texts of some ten bytes.
#ifndef WEIR_TESTS_ORACLE_BOUNDED_H_
#define WEIR_TESTS_ORACLE_BOUNDED_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "oracle/cfg.h"

namespace weir::oracle {

struct BoundedCfg {
  Cfg cfg;
  std::vector<std::optional<std::size_t>> bounds;  ///< By rule.
};

using Tokens = std::vector<std::uint32_t>;

class BoundedLanguage {
 public:
  /// `vocabulary`: the bytes of each token, none of them empty.
  BoundedLanguage(BoundedCfg grammar, std::vector<std::string> vocabulary)
      : grammar_(std::move(grammar)), vocabulary_(std::move(vocabulary)) {}

  [[nodiscard]] bool derives(std::size_t rule, const Tokens& tokens) const;
  [[nodiscard]] bool is_member(const Tokens& tokens) const { return derives(grammar_.cfg.start, tokens); }
  [[nodiscard]] std::set<Tokens> members(std::size_t most) const;
  /// Whether some text of at most `most` tokens is one of the rule.
  [[nodiscard]] bool has_text(std::size_t rule, std::size_t most) const;

 private:
  BoundedCfg grammar_;
  std::vector<std::string> vocabulary_;
};

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_BOUNDED_H_
