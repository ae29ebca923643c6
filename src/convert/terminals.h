// Converts terminals to the language that a grammar is converted to.
//
// HOW    A terminal is written as in the source if the target language can do that; else with the operators of its
//        expression. Otherwise, for example for an intersection or a complement, it becomes a finite automaton: one
//        rule for each state or, in a regular expression, by state elimination. A lazy terminal becomes the set of its
//        texts that have no matching proper prefix.
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

/// For languages whose terminals are regular expressions: one terminal for the whole expression, or one for each
/// character.
enum class TerminalForm : std::uint8_t { kWhole, kCharacters };

/// Returns the names that rules must not have.
std::unordered_set<std::string> reserved_names(Target target);

class Terminals {
 public:
  Terminals(grammar::Grammar& grammar, Target target, TerminalForm form, const Limits& limits)
      : grammar_(grammar), target_(target), form_(form), limits_(limits) {}

  /// Sets the names that are taken, and whether rules have other names than in the source text.
  void set_names(std::unordered_set<std::string> taken, bool renamed) {
    taken_ = std::move(taken);
    renamed_ = renamed;
  }

  /// Errors: kUnsupported, at `where`; kLimitExceeded.
  Result<Written> write(std::uint32_t terminal, SourceRange where);

  /// Returns the names and bodies of the rules that were made for terminals.
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& rules() const { return rules_; }

 private:
  /// Returns true if terminals are written as regular expressions.
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
