#include "frontend/ebnf/parser.h"

#include <string>
#include <unordered_map>
#include <utility>

#include "base/utf8.h"
#include "frontend/ebnf/text.h"
#include "regex/syntax.h"
#include "regex/utf8_ranges.h"

namespace weir::frontend::ebnf {

namespace {

using grammar::MatchMode;
using grammar::NodeId;
using grammar::RegularOperation;
using grammar::RuleId;
using regex::ExprId;

class Parser {
 public:
  Parser(std::string_view text, const std::vector<Word>& words, const Limits& limits)
      : text_(text), words_(words), limits_(limits), parsed_{grammar::Grammar(limits.regex_nodes), {}} {}

  Result<Parsed> run() {
    if (word().kind == WordKind::kEnd) {
      return tl::unexpected(error(word(), "the grammar has no rules", "a rule is written `name ::= ...`"));
    }
    while (word().kind != WordKind::kEnd) {
      if (auto done = rule(); !done) return tl::unexpected(std::move(done.error()));
    }
    spell_operations();
    return std::move(parsed_);
  }

 private:
  [[nodiscard]] const Word& word(std::size_t ahead = 0) const {
    return words_[std::min(pos_ + ahead, words_.size() - 1)];
  }
  [[nodiscard]] std::string_view spelling(SourceRange where) const {
    return text_.substr(where.start, where.end - where.start);
  }
  [[nodiscard]] bool at_rule() const { return word().kind == WordKind::kName && word(1).kind == WordKind::kDefine; }

  [[nodiscard]] static Error error(const Word& at, std::string message, std::string hint = {}) {
    return Error{ErrorCode::kSyntax, std::move(message), at.where, std::move(hint), {}};
  }

  // "unexpected `)`", or what is said of the text's end.
  [[nodiscard]] Error unexpected(std::string_view expected, std::string hint = {}) const {
    std::string found = word().kind == WordKind::kEnd
                            ? std::string("the end of the grammar")
                            : "`" + base::escape_for_display(spelling(word().where), 40) + "`";
    return error(word(), "expected " + std::string(expected) + ", found " + found, std::move(hint));
  }

  Result<void> rule() {
    if (word().kind != WordKind::kName) return tl::unexpected(misplaced());
    if (word(1).kind != WordKind::kDefine) {
      ++pos_;
      if (word().kind == WordKind::kClass && word(1).kind == WordKind::kDefine)
        return tl::unexpected(attribute(word()));
      return tl::unexpected(unexpected("`::=`", "a rule is written `name ::= ...`"));
    }
    const SourceRange name = word().where;
    const RuleId id = rule_named(name);
    if (grammar().rule(id).defined) return tl::unexpected(redefinition(id, name));
    pos_ += 2;
    const Result<NodeId> body = choice();
    if (!body) return tl::unexpected(body.error());
    if (word().kind != WordKind::kEnd && !at_rule()) return tl::unexpected(misplaced());
    grammar::Rule& defined = grammar().rule(id);
    defined.body = *body;
    defined.where = name;
    defined.defined = true;
    return {};
  }

  // The word cannot continue a rule, nor begin one.
  [[nodiscard]] Error misplaced() const {
    switch (word().kind) {
      case WordKind::kClose: return error(word(), "`)` without `(`");
      case WordKind::kRepeat:
        return error(word(), "`" + std::string(spelling(word().where)) + "` has nothing to repeat",
                     "it stands behind what it repeats; a literal of this text is written in quotes");
      case WordKind::kDefine:
        if (pos_ > 0 && words_[pos_ - 1].kind == WordKind::kClass) return attribute(words_[pos_ - 1]);
        return error(word(), "`::=` without a rule's name before it");
      default: return unexpected("a rule");
    }
  }

  // XGrammar's `name[max_tokens=9] ::= ...`.
  [[nodiscard]] static Error attribute(const Word& at) {
    return Error{ErrorCode::kUnsupported, "attributes of rules are not supported", at.where, {}, {}};
  }

  [[nodiscard]] Error redefinition(RuleId id, SourceRange again) const {
    const LineColumn first = line_column(text_, parsed_.grammar.rule(id).where.start);
    const std::string name(spelling(again));
    return Error{ErrorCode::kSyntax,
                 "rule `" + name + "` is defined twice",
                 again,
                 "it is defined at line " + std::to_string(first.line) + ", column " + std::to_string(first.column) +
                     " already; further alternatives are added there, with `|`",
                 {}};
  }

  RuleId rule_named(SourceRange where) {
    const std::string_view name = spelling(where);
    const auto [found, is_new] = rules_.try_emplace(name, RuleId{});
    if (is_new) {
      grammar::Rule rule;
      rule.name = name;
      rule.where = where;
      found->second = grammar().add_rule(std::move(rule));
    }
    return found->second;
  }

  // The children of a node in the making lie on one stack from `base` on: no vector a node.
  Result<NodeId> choice() {
    const std::size_t base = parts_.size();
    const std::size_t start = word().where.start;
    for (;;) {
      const Result<NodeId> part = intersection();
      if (!part) return part;
      parts_.push_back(*part);
      if (word().kind != WordKind::kAlternative) break;
      ++pos_;
    }
    const NodeId node = grammar().add_choice(std::span(parts_).subspan(base), range_from(start));
    parts_.resize(base);
    return node;
  }

  Result<NodeId> intersection() {
    const std::size_t first_word = pos_;
    Result<NodeId> first = sequence();
    if (!first || word().kind != WordKind::kAnd) return first;
    RegularOperation operation;
    operation.kind = RegularOperation::Kind::kIntersection;
    operation.where = word().where;
    operation.operands.push_back(*first);
    if (pos_ == first_word) return tl::unexpected(error(word(), "`&` without a left operand"));
    while (word().kind == WordKind::kAnd) {
      const std::size_t before = ++pos_;
      const Result<NodeId> next = sequence();
      if (!next) return next;
      if (pos_ == before) {
        return tl::unexpected(unexpected("an operand of `&`", "the empty string is written `\"\"`"));
      }
      operation.operands.push_back(*next);
    }
    return add_operation(std::move(operation), first_word);
  }

  Result<NodeId> sequence() {
    const std::size_t base = parts_.size();
    const std::size_t start = word().where.start;
    while (at_item()) {
      const Result<NodeId> part = item();
      if (!part) return part;
      parts_.push_back(*part);
    }
    const NodeId node = grammar().add_sequence(std::span(parts_).subspan(base), range_from(start));
    parts_.resize(base);
    return node;
  }

  [[nodiscard]] bool at_item() const {
    switch (word().kind) {
      case WordKind::kEnd:
      case WordKind::kDefine:
      case WordKind::kClose:
      case WordKind::kAlternative:
      case WordKind::kAnd:
      case WordKind::kRepeat: return false;
      case WordKind::kName: return !at_rule();
      default: return true;
    }
  }

  Result<NodeId> item() {
    const std::size_t first_not = pos_;
    while (word().kind == WordKind::kNot) ++pos_;
    const std::size_t end_not = pos_;
    if (!at_item()) return tl::unexpected(unexpected("an operand of `~`"));
    const std::size_t start = word().where.start;
    Result<NodeId> node = primary();
    if (!node) return node;
    while (word().kind == WordKind::kRepeat) {
      const Word& repeat = words_[pos_++];
      node = grammar().add_repeat(*node, repeat.min, repeat.max, range_from(start));
    }
    for (std::size_t i = end_not; i > first_not; --i) {
      RegularOperation operation;
      operation.kind = RegularOperation::Kind::kComplement;
      operation.where = words_[i - 1].where;
      operation.operands.push_back(*node);
      node = add_operation(std::move(operation), i - 1);
    }
    return node;
  }

  Result<NodeId> primary() {
    const Word& at = words_[pos_++];
    switch (at.kind) {
      case WordKind::kName: return grammar().add_rule_reference(rule_named(at.where), at.where);
      case WordKind::kLiteral: return literal(at);
      case WordKind::kClass: return character_class(at);
      case WordKind::kAnyChar: return add_terminal(regex::any_code_point(grammar().exprs), at.where);
      case WordKind::kRegex: return regular_expression(at);
      case WordKind::kTokenSet:
      case WordKind::kTokenName: {
        Result<grammar::TokenSet> set = token_set(text_, at);
        if (!set) return tl::unexpected(std::move(set.error()));
        return grammar().add_tokens(std::move(*set));
      }
      case WordKind::kOpen: return group(at);
      default: return mode(at);
    }
  }

  Result<NodeId> literal(const Word& at) {
    const Result<std::string> bytes = literal_bytes(text_, at.where);
    if (!bytes) return tl::unexpected(bytes.error());
    if (bytes->empty()) return NodeId::kEmpty;
    return add_terminal(grammar().exprs.literal(*bytes), at.where);
  }

  Result<NodeId> character_class(const Word& at) {
    const Result<regex::CodePointSet> set = class_set(text_, at.where);
    if (!set) return tl::unexpected(set.error());
    return add_terminal(regex::utf8_set(grammar().exprs, *set), at.where);
  }

  Result<NodeId> regular_expression(const Word& at) {
    const std::string_view written = spelling(at.where);
    const std::size_t close = written.rfind('/');
    regex::SyntaxOptions options;
    for (std::size_t i = close + 1; i < written.size(); ++i) {
      switch (written[i]) {
        case 'i': options.ignore_case = true; break;
        case 'm': options.multi_line = true; break;
        case 's': options.dot_all = true; break;
        case 'x': options.extended = true; break;
        default: {
          const std::size_t place = at.where.start + i;
          return tl::unexpected(Error{ErrorCode::kSyntax,
                                      std::string("unknown flag `") + written[i] + "` of a regular expression",
                                      {place, place + 1},
                                      "the flags are `i`, `m`, `s` and `x`",
                                      {}});
        }
      }
    }
    const Result<ExprId> expr = regex::parse_regex(grammar().exprs, written.substr(1, close - 1), options, limits_);
    if (!expr) {
      Error moved = expr.error();
      moved.where.start += at.where.start + 1;
      moved.where.end += at.where.start + 1;
      return tl::unexpected(std::move(moved));
    }
    return add_terminal(*expr, at.where);
  }

  // `open` is the word `(`, which has been taken.
  Result<NodeId> group(const Word& open) {
    if (++depth_ > limits_.nesting) {
      return tl::unexpected(Error{ErrorCode::kLimitExceeded,
                                  "parentheses are nested more than " + std::to_string(limits_.nesting) + " deep",
                                  open.where,
                                  {},
                                  "nesting"});
    }
    Result<NodeId> inside = choice();
    if (!inside) return inside;
    if (word().kind != WordKind::kClose) {
      if (word().kind == WordKind::kEnd || at_rule()) return tl::unexpected(error(open, "`(` without `)`"));
      return tl::unexpected(word().kind == WordKind::kRepeat ? misplaced() : unexpected("`)`"));
    }
    ++pos_;
    --depth_;
    return inside;
  }

  Result<NodeId> mode(const Word& at) {
    const std::size_t first_word = pos_ - 1;
    const Word& open = words_[pos_];
    if (open.kind != WordKind::kOpen)
      return tl::unexpected(unexpected("`(` after `" + std::string(spelling(at.where)) + "`"));
    ++pos_;
    const Result<NodeId> inside = group(open);
    if (!inside) return inside;
    RegularOperation operation;
    operation.kind = at.kind == WordKind::kLazy ? RegularOperation::Kind::kLazy : RegularOperation::Kind::kGreedy;
    operation.where = at.where;
    operation.operands.push_back(*inside);
    return add_operation(std::move(operation), first_word);
  }

  Result<NodeId> add_terminal(ExprId expr, SourceRange where) {
    if (expr == ExprId::kOverflow) {
      return tl::unexpected(
          Error{ErrorCode::kLimitExceeded, "the grammar's terminals are too large", where, {}, "regex_nodes"});
    }
    return grammar().add_terminal(
        {expr, MatchMode::kExact, short_spelling(where), where, std::string(spelling(where))});
  }

  // The operation's words are those from `first_word` to the last one taken.
  NodeId add_operation(RegularOperation operation, std::size_t first_word) {
    const SourceRange where{words_[first_word].where.start, words_[pos_ - 1].where.end};
    const NodeId node = grammar().add_terminal({ExprId::kNothing, MatchMode::kExact, short_spelling(where), where});
    operation.result = grammar::TerminalId{static_cast<std::uint32_t>(grammar().terminals.size() - 1)};
    parsed_.operations.push_back(std::move(operation));
    operation_words_.emplace_back(first_word, pos_);
    return node;
  }

  // Gives the operations that are no other's operand their text, without the comments and line ends in it. Done at the
  // end and for those alone, because the texts of nested operations together may be as large as the text squared.
  void spell_operations() {
    std::size_t first_outer = words_.size();
    for (std::size_t i = parsed_.operations.size(); i-- > 0;) {  // an operand's operations come before it
      const auto [first, end] = operation_words_[i];
      if (first >= first_outer) continue;
      first_outer = first;
      const RegularOperation& operation = parsed_.operations[i];
      std::string& text = grammar().terminals[static_cast<std::uint32_t>(operation.result)].text;
      for (std::size_t w = first; w < end; ++w) {
        if (w > first && separated(words_[w - 1].kind, words_[w].kind)) text += ' ';
        text += spelling(words_[w].where);
      }
      const bool single_word = operation.kind == RegularOperation::Kind::kLazy ||  //
                               operation.kind == RegularOperation::Kind::kGreedy;
      if (!single_word) text = "(" + text + ")";
    }
  }

  static bool separated(WordKind left, WordKind right) {
    const bool tight_left = left == WordKind::kOpen || left == WordKind::kNot ||  //
                            left == WordKind::kLazy || left == WordKind::kGreedy;
    return !tight_left && right != WordKind::kClose && right != WordKind::kRepeat;
  }

  // As written, cut to a length that fits a message.
  [[nodiscard]] std::string short_spelling(SourceRange where) const {
    return base::escape_for_display(spelling(where), 40);
  }

  // From `start` to the end of the last word taken.
  [[nodiscard]] SourceRange range_from(std::size_t start) const {
    const std::size_t end = pos_ == 0 ? start : words_[pos_ - 1].where.end;
    return {start, std::max(start, end)};
  }

  grammar::Grammar& grammar() { return parsed_.grammar; }

  std::string_view text_;
  const std::vector<Word>& words_;
  const Limits& limits_;
  std::size_t pos_ = 0;
  std::uint32_t depth_ = 0;
  Parsed parsed_;
  std::unordered_map<std::string_view, RuleId> rules_;
  std::vector<NodeId> parts_;
  std::vector<std::pair<std::size_t, std::size_t>> operation_words_;  // first and end, by operation
};

}  // namespace

Result<Parsed> parse(std::string_view text, const std::vector<Word>& words, const Limits& limits) {
  return Parser(text, words, limits).run();
}

}  // namespace weir::frontend::ebnf
