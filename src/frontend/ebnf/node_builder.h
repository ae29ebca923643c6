// Nodes of the words of an EBNF text: what each single word stands for, and what marks and operations make of parts.
//
// WHY    The parser knows in what order words may come; here stands what they mean. Names and texts that need the whole
//        grammar are given at the end.
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

/// All arguments must outlive it.
class NodeBuilder {
 public:
  NodeBuilder(std::string_view text, const std::vector<Word>& words, Dialect dialect, Extension* extension,
              Reading& reading)
      : text_(text), words_(words), dialect_(dialect), extension_(extension), reading_(reading) {}

  /// The rule of this name, which is added where there is none.
  grammar::RuleId rule_named(SourceRange where);

  /// What a word stands for that is an item by itself.
  Result<grammar::NodeId> primary(const Word& at);

  /// A rule of its own for what stands between the parentheses behind a mark: @capture, @max_tokens, @temperature.
  /// `current` is the rule that is read.
  grammar::NodeId add_marked(grammar::NodeId body, std::size_t first_word, SourceRange where, grammar::RuleId current);

  /// An operation that is written in the words from `first_word` to before `end_word`.
  grammar::NodeId add_operation(grammar::RegularOperation operation, std::size_t first_word, std::size_t end_word);
  /// One that is written down nowhere.
  grammar::NodeId add_unspelled_operation(grammar::RegularOperation operation);
  /// One that is no node.
  void add_condition(grammar::RegularOperation operation);

  /// As written, cut to a length that fits a message.
  [[nodiscard]] std::string short_spelling(SourceRange where) const;

  /// Once all rules have been read: gives marked rules their names and operations their texts.
  Operations finish();

 private:
  [[nodiscard]] std::string_view spelling(SourceRange where) const {
    return text_.substr(where.start, where.end - where.start);
  }
  Result<grammar::NodeId> literal(const Word& at);
  Result<grammar::NodeId> character_class(const Word& at);
  Result<grammar::NodeId> regular_expression(const Word& at);
  Result<grammar::NodeId> add_terminal(regex::ExprId expr, SourceRange where);
  void name_marked();
  void spell_operations();

  std::string_view text_;
  const std::vector<Word>& words_;
  Dialect dialect_;
  Extension* extension_;
  Reading& reading_;
  grammar::Grammar& grammar_ = reading_.grammar;
  Operations operations_;
  std::vector<std::pair<std::size_t, std::size_t>> operation_words_;  // first and end, by operation
  std::unordered_map<std::string_view, grammar::RuleId> rules_;
  std::vector<std::pair<grammar::RuleId, std::string>> marked_;  // and the name it is to have, unless that is taken
};

}  // namespace weir::frontend::ebnf

#endif  // WEIR_SRC_FRONTEND_EBNF_NODE_BUILDER_H_
