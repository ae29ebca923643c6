// The oracle of token bounds: decides by all derivations whether a grammar with bounds derives a sequence of tokens.
//
// WHAT   A grammar whose rules may each have a bound, and a text as a sequence of tokens. A rule may derive a non-empty
//        part of the text only if at most as many tokens as its bound have a byte in that part.
//        - `derives`: the textbook's table of spans, filled until nothing changes: a rule derives a span if the symbols
//          of one of its productions derive adjacent spans that together are the span.
//        - `is_member`: the start rule derives the whole text.
//        - `members`: all members of at most a given number of tokens; their prefixes are the viable ones.
// LIMITS Only for tests: texts of about ten bytes.
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
  /// `vocabulary` has the bytes of each token, none of them empty.
  BoundedLanguage(BoundedCfg grammar, std::vector<std::string> vocabulary)
      : grammar_(std::move(grammar)), vocabulary_(std::move(vocabulary)) {}

  [[nodiscard]] bool derives(std::size_t rule, const Tokens& tokens) const;
  [[nodiscard]] bool is_member(const Tokens& tokens) const { return derives(grammar_.cfg.start, tokens); }
  [[nodiscard]] std::set<Tokens> members(std::size_t most) const;
  /// Returns true if the rule derives some text of at most `most` tokens.
  [[nodiscard]] bool has_text(std::size_t rule, std::size_t most) const;

 private:
  BoundedCfg grammar_;
  std::vector<std::string> vocabulary_;
};

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_BOUNDED_H_
