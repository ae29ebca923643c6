// Builds nodes for the words of an EBNF text: what single words mean, and what marks and operations do with their
// parts.
//
// WHY    The parser knows the order of words; this class knows their meaning. Names and texts that depend on the whole
//        grammar are assigned at the end (`finish`).
#ifndef WEIR_SRC_FRONTEND_EBNF_NODE_BUILDER_H_
#define WEIR_SRC_FRONTEND_EBNF_NODE_BUILDER_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend/ebnf/dialect.h"
#include "frontend/ebnf/parser.h"
#include "frontend/ebnf/words.h"
#include "frontend/reading.h"
#include "grammar/ir.h"
#include "grammar/regular.h"
#include "weir/error.h"

namespace weir::frontend::ebnf {

/// All arguments must outlive the builder.
class NodeBuilder {
 public:
  NodeBuilder(std::string_view text, const std::vector<Word>& words, Dialect dialect, Extension* extension,
              Reading& reading)
      : text_(text), words_(words), dialect_(dialect), extension_(extension), reading_(reading) {}

  /// Returns the rule with this name; adds it if there is none.
  grammar::RuleId rule_named(SourceRange where);

  /// Returns the node of a word that is an item by itself.
  Result<grammar::NodeId> primary(const Word& at);

  /// Adds a rule for the contents of the parentheses after a mark (@capture, @max_tokens, @temperature), and returns a
  /// reference to it. `current` is the rule that is being read.
  grammar::NodeId add_marked(grammar::NodeId body, std::size_t first_word, SourceRange where, grammar::RuleId current);

  /// Returns the node of a block with this body. Error: kUnsupported for a second width, and for a second grammar with
  /// blocks in one text.
  Result<grammar::NodeId> add_block(grammar::NodeId body, const Word& at);

  /// Adds an operation that is written in the words from `first_word` to before `end_word`.
  grammar::NodeId add_operation(grammar::RegularOperation operation, std::size_t first_word, std::size_t end_word);
  /// Adds an operation that does not appear in the text.
  grammar::NodeId add_implicit_operation(grammar::RegularOperation operation);
  /// Adds an operation without a node: a look-ahead.
  void add_condition(grammar::RegularOperation operation);

  /// Returns the text as written, cut to a length that fits a message.
  [[nodiscard]] std::string short_spelling(SourceRange where) const;

  /// To be called when all rules have been read. Gives marked rules their names and operations their texts.
  Operations finish();

 private:
  [[nodiscard]] std::string_view spelling(SourceRange where) const {
    return text_.substr(where.start, where.end - where.start);
  }
  Result<grammar::NodeId> literal(const Word& at);
  Result<grammar::NodeId> character_class(const Word& at);
  Result<grammar::NodeId> regular_expression(const Word& at);
  Result<grammar::NodeId> add_terminal(regex::ExprId expr, SourceRange where);
  Result<grammar::NodeId> line_mark(grammar::LineMark mark, SourceRange where);
  void name_marked();
  void spell_operations();

  std::string_view text_;
  const std::vector<Word>& words_;
  Dialect dialect_;
  Extension* extension_;
  Reading& reading_;
  grammar::Grammar& grammar_ = reading_.grammar;
  bool has_lines_ = false;            // the text has line ends or blocks
  std::optional<SourceRange> block_;  // the first block
  Operations operations_;
  std::vector<std::pair<std::size_t, std::size_t>> operation_words_;  // first and end word, by operation
  std::unordered_map<std::string_view, grammar::RuleId> rules_;
  std::vector<std::pair<grammar::RuleId, std::string>> marked_;  // with the preferred name, which may be taken
};

}  // namespace weir::frontend::ebnf

#endif  // WEIR_SRC_FRONTEND_EBNF_NODE_BUILDER_H_
