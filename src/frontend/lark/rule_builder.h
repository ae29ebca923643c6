// Turns definitions into rules of the IR: one for each rule and each set of parameters that it is used with.
//
// HOW    Rules are made from a queue when another rule refers to them, so unused rules cost nothing. `%ignore` becomes
//        a rule that follows each terminal: ignored text may follow any terminal, also the last one. It may precede the
//        first terminal only if the option `allow_initial_skip` is set.
// LIMITS grammar_symbols bounds the number of nodes.
#ifndef WEIR_SRC_FRONTEND_LARK_RULE_BUILDER_H_
#define WEIR_SRC_FRONTEND_LARK_RULE_BUILDER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/lark/indentation.h"
#include "frontend/lark/named_grammars.h"
#include "frontend/lark/regular.h"
#include "frontend/lark/syntax_tree.h"
#include "frontend/reading.h"
#include "grammar/ir.h"
#include "weir/grammar.h"

namespace weir::frontend::lark {

class RuleBuilder {
 public:
  RuleBuilder(const SyntaxTree& tree, const std::vector<NamedTarget>& named, const GrammarTextOptions& options,
              Reading& reading)
      : tree_(tree),
        named_(named),
        options_(options),
        reading_(reading),
        grammar_(reading.grammar),
        regular_(tree, reading.grammar.exprs, reading.limits),
        modules_(tree.modules.size()) {}

  /// Makes all rules that the definition `start` of the first module reaches. Returns nothing if errors were reported.
  std::optional<grammar::RuleId> build(std::uint32_t start);
  /// Appends a warning for each rule of the first module that was not reached.
  void warn_unused();

 private:
  using RuleKey = std::vector<std::uint64_t>;  // module, definition, parameter, inside, arguments
  struct Made {
    std::uint32_t module = 0;
    std::uint32_t definition = 0;
    std::uint64_t parameter = 0;
    bool inside = false;                        // within brackets of a grammar with indentation
    std::vector<std::uint32_t> arguments = {};  // indices into arguments_
    grammar::RuleId rule{};
  };
  struct ModuleRules {
    std::optional<grammar::RuleId> start = {};
    std::optional<grammar::NodeId> skip = {};  // kEmpty if nothing is ignored
    grammar::NodeId skip_inside = {};          // the same within brackets; kEmpty without indentation
    bool once = false;                         // "skip_repetition": "once"
    bool initial = false;                      // "allow_initial_skip"
  };

  // A node of a body. Within brackets line ends are ignored; a bracket counts as inside if the ignored text after it
  // is inside.
  struct Place {
    std::uint32_t node = 0;
    bool inside = false;
    friend auto operator<=>(const Place&, const Place&) = default;
  };

  bool make(const Made& made);
  bool list_live_nodes(const Made& made, std::uint32_t root);
  bool list_places(const Made& made, Place parent, std::vector<Place>& children);
  int bracket(std::uint32_t module, std::uint32_t node);
  std::optional<grammar::NodeId> value_of(const Made& made, Place place);
  std::optional<grammar::NodeId> value_of_name(const Made& made, Place place);
  std::optional<grammar::NodeId> value_of_schema(const Made& made, Place place);
  std::optional<grammar::NodeId> value_of_tokens(const Made& made, Place place);
  std::optional<bool> repeats_stop(std::uint32_t module, std::uint32_t before, std::uint32_t node);
  std::optional<grammar::NodeId> lexeme(std::uint32_t module, Place place, base::LexemeMode mode,
                                        const Definition* by = nullptr);
  void warn_of_end(std::uint32_t module, std::uint32_t node);
  grammar::NodeId terminal(std::uint32_t module, regex::ExprId expr, base::LexemeMode mode, SourceRange where);
  grammar::NodeId with_skip(std::uint32_t module, grammar::NodeId node, bool inside);
  grammar::NodeId make_lead();
  bool check_line_begins();
  grammar::RuleId rule_of(Made made);
  std::optional<grammar::RuleId> start_of(std::uint32_t module);
  bool read_options(std::uint32_t module);
  bool make_skip(std::uint32_t module);
  const regex::ByteSet& first_bytes(regex::ExprId expr);
  const regex::ByteSet& continuing_bytes(regex::ExprId whole);
  bool list_continuing(regex::ExprId expr, regex::ExprId whole, const regex::ByteSet& most, regex::ByteSet& more);
  bool follow_of(std::uint32_t module, regex::ExprId expr, SourceRange where, regex::ExprId& follow);
  bool make_ignored(std::uint32_t module, bool inside, grammar::NodeId& skip);
  std::uint32_t argument(const Made& made, Place at);
  bool fail(std::uint32_t module, Error error);
  [[nodiscard]] std::string_view spelling(std::uint32_t module, SourceRange where) const {
    return tree_.modules[module].text.substr(where.start, where.end - where.start);
  }
  [[nodiscard]] SourceRange place(std::uint32_t module, SourceRange where) const {
    return tree_.modules[module].grammar_name.empty() ? where : tree_.modules[module].where;
  }

  const SyntaxTree& tree_;
  const std::vector<NamedTarget>& named_;
  const GrammarTextOptions& options_;
  Reading& reading_;
  grammar::Grammar& grammar_;
  RegularBodies regular_;
  std::vector<ModuleRules> modules_;
  std::map<RuleKey, grammar::RuleId> rules_;
  std::vector<Made> queue_;
  std::map<std::pair<regex::ExprId, base::LexemeMode>, grammar::TerminalId> terminals_;
  std::map<std::pair<std::uint32_t, regex::ExprId>, regex::ExprId> follows_;  // by module and terminal
  std::map<regex::ExprId, regex::ByteSet> first_bytes_, continuing_bytes_;
  std::set<std::pair<std::uint32_t, regex::ExprId>> conditions_;  // by module: whose separability is known
  std::map<std::uint32_t, grammar::RuleId> schemas_;              // by node
  std::map<RuleKey, std::uint32_t> argument_ids_;
  std::vector<std::pair<grammar::NodeId, grammar::NodeId>> arguments_;  // outside and within brackets
  std::vector<Place> live_;
  std::map<Place, grammar::NodeId> values_;  // of the nodes in live_; nodes under a false condition have none
  Indents indents_;
  std::map<regex::ExprId, SourceRange>
      line_terminals_;  // with indentation: terminals outside brackets, where first used
};

}  // namespace weir::frontend::lark

#endif  // WEIR_SRC_FRONTEND_LARK_RULE_BUILDER_H_
