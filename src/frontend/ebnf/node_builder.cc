#include "frontend/ebnf/node_builder.h"

#include <cstdint>
#include <unordered_set>

#include "base/utf8.h"
#include "frontend/ebnf/text.h"
#include "frontend/regex/regex.h"
#include "regex/syntax/syntax.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::frontend::ebnf {

using base::LexemeMode;
using grammar::NodeId;
using grammar::RegularOperation;
using grammar::RuleId;
using regex::ExprId;

namespace {

bool separated(WordKind left, WordKind right) {
  const bool tight_left = left == WordKind::kOpen || left == WordKind::kNot ||  //
                          left == WordKind::kLazy || left == WordKind::kGreedy;
  return !tight_left && right != WordKind::kClose && right != WordKind::kRepeat;
}

}  // namespace

RuleId NodeBuilder::rule_named(SourceRange where) {
  const std::string_view name = spelling(where);
  const auto [found, is_new] = rules_.try_emplace(name, RuleId{});
  if (is_new) {
    grammar::Rule rule;
    rule.name = name;
    rule.where = where;
    found->second = grammar_.add_rule(std::move(rule));
  }
  return found->second;
}

Result<NodeId> NodeBuilder::primary(const Word& at) {
  switch (at.kind) {
    case WordKind::kName: return grammar_.add_rule_reference(rule_named(at.where), at.where);
    case WordKind::kLiteral: return literal(at);
    case WordKind::kClass: return character_class(at);
    case WordKind::kAnyChar: return add_terminal(regex::any_code_point(grammar_.exprs), at.where);
    case WordKind::kRegex: return regular_expression(at);
    case WordKind::kNewline: return line_mark(grammar::LineMark::kNewline, at.where);
    case WordKind::kMacro: return extension_->macro(at.where, [&](SourceRange name) { return rule_named(name); });
    default: break;
  }
  Result<grammar::TokenSet> set = token_set(text_, at);
  if (!set) return tl::unexpected(std::move(set.error()));
  return grammar_.add_tokens(std::move(*set));
}

Result<NodeId> NodeBuilder::literal(const Word& at) {
  const Result<std::string> bytes = literal_bytes(text_, at.where, dialect_);
  if (!bytes) return tl::unexpected(bytes.error());
  if (bytes->empty()) return NodeId::kEmpty;
  return add_terminal(grammar_.exprs.literal(*bytes), at.where);
}

Result<NodeId> NodeBuilder::character_class(const Word& at) {
  const Result<regex::CodePointSet> set = class_set(text_, at.where, dialect_);
  if (!set) return tl::unexpected(set.error());
  return add_terminal(regex::utf8_set(grammar_.exprs, *set), at.where);
}

Result<NodeId> NodeBuilder::regular_expression(const Word& at) {
  const Result<ExprId> expr = slashed_regex(grammar_.exprs, text_, at.where, regex::Dialect::kWeir, reading_.limits);
  if (!expr) return tl::unexpected(expr.error());
  return add_terminal(*expr, at.where);
}

Result<NodeId> NodeBuilder::add_terminal(ExprId expr, SourceRange where) {
  if (expr == ExprId::kOverflow) {
    return tl::unexpected(regex::overflow_error(grammar_.exprs, where));
  }
  return grammar_.add_terminal({expr, LexemeMode::kExact, short_spelling(where), where, std::string(spelling(where))});
}

NodeId NodeBuilder::add_marked(NodeId body, std::size_t first_word, SourceRange where, RuleId current) {
  const Word& mark = words_[first_word];
  grammar::Rule rule;
  rule.body = body;
  rule.where = where;
  rule.defined = true;
  rule.generated = true;
  std::string name;
  if (mark.kind == WordKind::kCapture) {
    name = rule.capture = spelling(words_[first_word + 1].where);
  } else if (mark.kind == WordKind::kMaxTokens) {
    rule.max_tokens = mark.max;
    name = grammar_.rule(current).name + ".max_tokens";
  } else {
    rule.temperature = mark.temperature;
    name = grammar_.rule(current).name + ".temperature";
  }
  const RuleId id = grammar_.add_rule(std::move(rule));
  marked_.emplace_back(id, std::move(name));
  return grammar_.add_rule_reference(id, where);
}

// The first mark says how lines are read: a line end takes empty lines, too, and all blanks after it.
Result<NodeId> NodeBuilder::line_mark(grammar::LineMark mark, SourceRange where) {
  if (!has_lines_) {
    if (grammar_.indentation) {
      return tl::unexpected(
          Error{ErrorCode::kUnsupported, "a grammar can have one part with indentation only", where, {}});
    }
    has_lines_ = true;
    regex::ExprSet& exprs = grammar_.exprs;
    regex::ByteSet blanks = regex::ByteSet::of(' ');
    blanks.add('\t');
    const ExprId rest = exprs.repeat(exprs.byte_set(blanks), 0, regex::kUnbounded);
    const ExprId feed = exprs.alternation(exprs.literal("\n"), exprs.literal("\r\n"));
    blanks.add('\r');
    blanks.add('\n');
    grammar_.indentation = {.newline = exprs.concat(exprs.repeat(exprs.concat(feed, rest), 0, regex::kUnbounded), feed),
                            .rest = rest,
                            .continued = exprs.concat(exprs.byte_set(blanks), ExprId::kAllStrings)};
    if (exprs.is_full()) return tl::unexpected(regex::overflow_error(exprs, where));
  }
  return grammar_.add_line_mark(mark, where);
}

Result<NodeId> NodeBuilder::add_block(NodeId body, const Word& at) {
  const Result<NodeId> indent = line_mark(grammar::LineMark::kIndent, at.where);
  if (!indent) return indent;
  grammar::Indentation& how = *grammar_.indentation;
  if (block_ && how.width != at.max) {
    return tl::unexpected(Error{ErrorCode::kUnsupported, "blocks of two widths", at.where,
                                "give all blocks the same, as in `" + short_spelling(*block_) + "...)`, or none"});
  }
  block_ = at.where;
  how.width = at.max;
  how.tabs = at.max == 0;
  const NodeId parts[] = {*indent, body, grammar_.add_line_mark(grammar::LineMark::kDedent, at.where)};
  return grammar_.add_sequence(parts, at.where);
}

NodeId NodeBuilder::add_operation(RegularOperation operation, std::size_t first_word, std::size_t end_word) {
  const SourceRange where{words_[first_word].where.start, words_[end_word - 1].where.end};
  const NodeId node = grammar_.add_terminal({ExprId::kNothing, LexemeMode::kExact, short_spelling(where), where});
  operation.result = grammar::TerminalId{static_cast<std::uint32_t>(grammar_.terminals.size() - 1)};
  operations_.push_back(std::move(operation));
  operation_words_.emplace_back(first_word, end_word);
  return node;
}

NodeId NodeBuilder::add_implicit_operation(RegularOperation operation) {
  const NodeId node =
      grammar_.add_terminal({ExprId::kNothing, LexemeMode::kExact, short_spelling(operation.where), operation.where});
  operation.result = grammar::TerminalId{static_cast<std::uint32_t>(grammar_.terminals.size() - 1)};
  operations_.push_back(std::move(operation));
  operation_words_.emplace_back(words_.size(), words_.size());
  return node;
}

void NodeBuilder::add_condition(RegularOperation operation) {
  operations_.push_back(std::move(operation));
  operation_words_.emplace_back(words_.size(), words_.size());
}

Operations NodeBuilder::finish() {
  name_marked();
  spell_operations();
  return std::move(operations_);
}

void NodeBuilder::name_marked() {
  if (marked_.empty()) return;
  std::unordered_set<std::string> taken;
  std::unordered_map<std::string_view, std::size_t> next_suffix;  // by name without suffix
  for (const grammar::Rule& rule : grammar_.rules) taken.insert(rule.name);
  for (const auto& [id, name] : marked_) {
    grammar::Rule& rule = grammar_.rule(id);
    rule.name = name;
    std::size_t& suffix = next_suffix[name];
    while (!taken.insert(rule.name).second) rule.name = name + "." + std::to_string(++suffix);
  }
}

// Sets the text of the operations that are not operands of others, without comments and line ends. This is done at the
// end and only for those, because the texts of all nested operations together can be quadratic in the length of the
// grammar.
void NodeBuilder::spell_operations() {
  std::size_t first_outer = words_.size();
  for (std::size_t i = operations_.size(); i-- > 0;) {  // operations within operands come first
    const auto [first, end] = operation_words_[i];
    if (first >= first_outer) continue;
    first_outer = first;
    const RegularOperation& operation = operations_[i];
    std::string& text = grammar_.terminals[static_cast<std::uint32_t>(operation.result)].text;
    for (std::size_t w = first; w < end; ++w) {
      if (w > first && separated(words_[w - 1].kind, words_[w].kind)) text += ' ';
      text += spelling(words_[w].where);
    }
    if (operation.kind != RegularOperation::Kind::kTerminal) text = "(" + text + ")";
  }
}

std::string NodeBuilder::short_spelling(SourceRange where) const {
  return base::escape_for_display(spelling(where), grammar::kTerminalNameBytes);
}

}  // namespace weir::frontend::ebnf
