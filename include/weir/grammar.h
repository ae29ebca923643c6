// Grammar: text in one of weir's languages, read and checked, not yet joined to a tokenizer.
// The EBNF dialect stands on docs/ebnf.md, the regex syntax on docs/regex.md.
#ifndef WEIR_GRAMMAR_H_
#define WEIR_GRAMMAR_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/error.h"
#include "weir/limits.h"

namespace weir {

namespace grammar {
class Grammar;
}

struct EbnfOptions {
  std::string start = "root";  ///< The rule to begin with; any rule will do.
};

enum class RegexMatch : std::uint8_t {
  kFull,    ///< The whole output matches.
  kSearch,  ///< Some part of the output matches, unless the pattern has anchors.
};

struct RegexOptions {
  RegexMatch match = RegexMatch::kFull;
  bool ignore_case = false;  ///< Flag i.
  bool multi_line = false;   ///< Flag m: ^ and $ match at lines.
  bool dot_all = false;      ///< Flag s: . matches line ends.
  bool extended = false;     ///< Flag x: blanks and # comments are ignored; `&` and `~` are operators in any case
                             ///< only with `operators`.
  bool operators = false;    ///< `&` is intersection, `~` complement (weir's own dialect).
};

class Grammar {
 public:
  /// Reads EBNF: a superset of llama.cpp's GBNF and XGrammar's EBNF.
  static Result<Grammar> from_ebnf(std::string_view text, const EbnfOptions& options = {}, const Limits& limits = {});

  /// Reads one regular expression; its language is the grammar's.
  static Result<Grammar> from_regex(std::string_view pattern, const RegexOptions& options = {},
                                    const Limits& limits = {});

  /// What looks unintended: rules never used, rules that derive no finite string, ...
  [[nodiscard]] const std::vector<Warning>& warnings() const noexcept { return warnings_; }

  /// For the layers inside weir.
  Grammar(std::shared_ptr<const grammar::Grammar> ir, std::vector<Warning> warnings, Limits limits) noexcept;
  [[nodiscard]] const grammar::Grammar& ir() const noexcept { return *ir_; }
  [[nodiscard]] const Limits& limits() const noexcept { return limits_; }

 private:
  std::shared_ptr<const grammar::Grammar> ir_;
  std::vector<Warning> warnings_;
  Limits limits_;
};

}  // namespace weir

#endif  // WEIR_GRAMMAR_H_
