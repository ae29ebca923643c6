// Terminals in the language that a grammar is converted to.
//
// HOW    In the words that they were written in, where the language has them; else by their expression's operators;
//        else, of intersections, complements and what else no language has, as a finite automaton: a rule for each
//        state, or in a regular expression its states eliminated. A lazy terminal is the texts of which no beginning
//        matches.
#ifndef WEIR_SRC_CONVERT_TERMINALS_H_
#define WEIR_SRC_CONVERT_TERMINALS_H_

#include <map>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "convert/characters.h"
#include "convert/spelling.h"
#include "grammar/ir.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend::convert {

/// In a language whose terminals are regular expressions: one terminal each, or one a character.
enum class TerminalForm : std::uint8_t { kWhole, kCharacters };

/// What no rule may be called.
std::unordered_set<std::string> reserved_names(Target target);

class Terminals {
 public:
  Terminals(grammar::Grammar& grammar, Target target, TerminalForm form, const Limits& limits)
      : grammar_(grammar), target_(target), form_(form), limits_(limits) {}

  /// Names that are taken; whether rules have other names than in the text that was read.
  void set_names(std::unordered_set<std::string> taken, bool renamed) {
    taken_ = std::move(taken);
    renamed_ = renamed;
  }

  /// Errors: kUnsupported, at `where`; kLimitExceeded.
  Result<Written> write(std::uint32_t terminal, SourceRange where);

  /// Names and bodies of the rules that terminals were written as.
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& rules() const { return rules_; }

 private:
  /// Whether terminals are written as regular expressions.
  [[nodiscard]] bool is_pattern() const;
  Result<Written> write_tree(const regex::SyntaxTree& tree, SourceRange where) const;
  [[nodiscard]] std::optional<regex::SyntaxTree> tree_as_written(const grammar::Terminal& terminal);
  Result<Written> write_states(const States& states, const std::string& name, SourceRange where);
  Result<Written> eliminate_states(const States& states, SourceRange where) const;
  std::string fresh_name();

  grammar::Grammar& grammar_;
  const Target target_;
  const TerminalForm form_;
  const Limits& limits_;
  std::unordered_set<std::string> taken_;
  bool renamed_ = false;
  std::size_t next_name_ = 1;
  std::vector<std::pair<std::string, std::string>> rules_;
  std::map<std::uint32_t, Written> known_;  // by terminal
};

}  // namespace weir::frontend::convert

#endif  // WEIR_SRC_CONVERT_TERMINALS_H_
