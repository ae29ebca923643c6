#include "frontend/kbnf/parser.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>

#include "frontend/kbnf/terminals.h"

namespace weir::frontend::kbnf {

namespace {

using base::LexemeMode;
using grammar::NodeId;
using grammar::RegularOperation;
using grammar::RuleId;
using grammar::TerminalId;

class Parser {
 public:
  Parser(std::string_view text, const std::vector<Word>& words, Reading& reading)
      : text_(text), words_(words), reading_(reading), grammar_(reading.grammar) {}

  std::vector<RegularOperation> run() {
    if (word().kind == WordKind::kEnd && reading_.errors.empty()) {
      error(word(), "the grammar has no rules", "a rule is written `name ::= ...;`");
    }
    while (word().kind != WordKind::kEnd && reading_.errors.size() <= kMaxErrors) {
      const std::size_t first_rule = grammar_.rules.size();
      if (!rule()) {
        // New names in this rule may be caused by the error, so they are not reported as undefined.
        for (std::size_t i = first_rule; i < grammar_.rules.size(); ++i) grammar_.rules[i].defined = true;
        skip_rule();
      }
    }
    join_definitions();
    return std::move(operations_);
  }

 private:
  [[nodiscard]] const Word& word(std::size_t ahead = 0) const {
    return words_[std::min(pos_ + ahead, words_.size() - 1)];
  }
  [[nodiscard]] std::string_view spelling(SourceRange where) const {
    return text_.substr(where.start, where.end - where.start);
  }
  [[nodiscard]] std::string_view spelling() const { return spelling(word().where); }
  [[nodiscard]] bool at_rule() const { return word().kind == WordKind::kName && word(1).kind == WordKind::kDefine; }

  // Both return false, for `return error(...)` where reading of the rule cannot continue.
  bool error(const Word& at, std::string message, std::string hint = {}) {
    if (at.kind == WordKind::kUnreadable) return false;  // there is an error already
    reading_.errors.push_back({ErrorCode::kSyntax, std::move(message), at.where, std::move(hint), {}});
    return false;
  }
  bool unexpected(std::string_view expected, std::string hint = {}) {
    const std::string found =
        word().kind == WordKind::kEnd ? "the end of the grammar" : "`" + terminal_name(text_, word().where) + "`";
    return error(word(), "expected " + std::string(expected) + ", found " + found, std::move(hint));
  }

  // Skips to the next rule: to after a `;`, or to where a rule begins without one.
  void skip_rule() {
    levels_.clear();
    parts_.clear();
    while (word().kind != WordKind::kEnd && word().kind != WordKind::kEndOfRule) {
      ++pos_;
      if (at_rule()) return;
    }
    if (word().kind == WordKind::kEndOfRule) ++pos_;
  }

  bool rule() {
    if (word().kind == WordKind::kEndOfRule) return error(word(), "`;` without a rule before it");
    if (word().kind != WordKind::kName) return unexpected("a rule", "a rule is written `name ::= ...;`");
    const SourceRange name = word().where;
    if (word(1).kind != WordKind::kDefine) {
      ++pos_;
      return unexpected("`::=`", "a rule is written `name ::= ...;`");
    }
    const RuleId id = rule_named(name);
    define(id, name);
    pos_ += 2;
    open_level(Level::Kind::kRule);
    while (!levels_.empty()) {
      if (!step()) return false;
    }
    definitions_.push_back({id, body_});
    return true;
  }

  // Marks the rule as defined, even if its definition turns out to have errors, so that uses of it are not reported.
  void define(RuleId id, SourceRange name) {
    grammar::Rule& rule = grammar_.rule(id);
    if (rule.defined) return;
    rule.where = name;
    rule.defined = true;
  }

  RuleId rule_named(SourceRange where) {
    const auto [found, is_new] = rules_.try_emplace(spelling(where), RuleId{});
    if (is_new) {
      grammar::Rule rule;
      rule.name = spelling(where);
      rule.where = where;
      found->second = grammar_.add_rule(std::move(rule));
    }
    return found->second;
  }

  // A rule that is defined in several places has the alternatives of all definitions.
  void join_definitions() {
    std::unordered_map<std::uint32_t, std::vector<NodeId>> bodies;
    for (const Definition& definition : definitions_) {
      bodies[static_cast<std::uint32_t>(definition.rule)].push_back(definition.body);
    }
    for (const auto& [rule, parts] : bodies) {
      grammar_.rules[rule].body = grammar_.add_choice(parts, grammar_.rules[rule].where);
    }
  }

  // A rule's body or a pair of brackets, while it is being read. Its finished alternatives are on parts_, then the
  // items of the current alternative, above those of outer levels.
  struct Level {
    enum class Kind : std::uint8_t { kRule, kGroup, kOption, kRepetition, kExcept };
    Kind kind = Kind::kRule;
    std::size_t first_word = 0;
    std::size_t body_word = 0;
    std::size_t alternatives = 0;
    std::size_t items = 0;
    std::size_t item_word = 0;  // first word of the current alternative
  };

  void open_level(Level::Kind kind) {
    Level level;
    level.kind = kind;
    level.first_word = pos_ > 0 ? pos_ - 1 : 0;
    level.body_word = level.item_word = pos_;
    level.alternatives = level.items = parts_.size();
    levels_.push_back(level);
  }

  [[nodiscard]] SourceRange range_from(std::size_t first_word) const {
    return {words_[first_word].where.start, words_[pos_ > 0 ? pos_ - 1 : 0].where.end};
  }

  // Reads one word, or several that belong together.
  bool step() {
    switch (word().kind) {
      case WordKind::kName:
        if (at_rule()) return unexpected_rule();
        ++pos_;
        return end_item(grammar_.add_rule_reference(rule_named(words_[pos_ - 1].where), words_[pos_ - 1].where),
                        pos_ - 1);
      case WordKind::kLiteral:
      case WordKind::kRegex:
      case WordKind::kEarlyRegex:
      case WordKind::kComplement:
      case WordKind::kSubstrings:
      case WordKind::kAny: return take_terminal();
      case WordKind::kOpen: return open_brackets();
      case WordKind::kExcept: return open_except();
      case WordKind::kComma: return take_comma();
      case WordKind::kAlternative:
        if (!end_alternative()) return false;
        ++pos_;
        levels_.back().item_word = pos_;
        return true;
      case WordKind::kClose: return close_brackets();
      case WordKind::kEndOfRule: return end_rule();
      default: return misplaced();
    }
  }

  bool unexpected_rule() {
    return error(word(), "expected `;` before the rule `" + std::string(spelling()) + "`",
                 levels_.size() > 1 ? "there is a bracket too few as well" : "each rule ends with `;`");
  }

  bool misplaced() {
    switch (word().kind) {
      case WordKind::kRepeat:
        if (pos_ > 0 && words_[pos_ - 1].kind == WordKind::kRepeat) {
          return error(word(), "`" + std::string(spelling()) + "` stands after another quantifier",
                       "put what is repeated into a group, `(...)" + std::string(spelling()) + "`");
        }
        return error(word(), "`" + std::string(spelling()) + "` has nothing to repeat",
                     "it follows what it repeats; to match it as text, write it in quotes");
      case WordKind::kNumber:
        return unexpected("an item", "counts are written in a regular expression, `#\"(?:...){2}\"`");
      case WordKind::kEnd:
        if (levels_.size() > 1) return unclosed();
        return error(word(), "expected `;`, found the end of the grammar", "each rule ends with `;`");
      default: return unexpected("an item or `;`");
    }
  }

  bool unclosed() {
    const Word& open = words_[levels_.back().body_word - 1];
    return error(open, "`" + std::string(spelling(open.where)) + "` without `" + closing() + "`");
  }

  [[nodiscard]] const char* closing() const {
    switch (levels_.back().kind) {
      case Level::Kind::kOption: return "]";
      case Level::Kind::kRepetition: return "}";
      default: return ")";
    }
  }

  // If the terminal cannot be read, records the error and continues with the rule.
  bool take_terminal() {
    const Word& at = word();
    ++pos_;
    Result<NodeId> node = terminal(text_, at, reading_.limits, grammar_, reading_.warnings);
    if (!node) {
      reading_.errors.push_back(std::move(node.error()));
      node = NodeId::kEmpty;
    }
    return end_item(*node, pos_ - 1);
  }

  bool open_brackets() {
    if (levels_.size() > reading_.limits.nesting) return too_deep();
    const char open = text_[word().where.start];
    ++pos_;
    open_level(open == '(' ? Level::Kind::kGroup : open == '[' ? Level::Kind::kOption : Level::Kind::kRepetition);
    return true;
  }

  bool open_except() {
    if (levels_.size() > reading_.limits.nesting) return too_deep();
    ++pos_;
    if (word().kind != WordKind::kOpen || spelling() != "(") {
      return unexpected("`(` after `except!`", "to exclude texts, write `except!('...')`");
    }
    ++pos_;
    open_level(Level::Kind::kExcept);
    levels_.back().first_word = pos_ - 2;
    return true;
  }

  bool too_deep() {
    reading_.errors.push_back({ErrorCode::kLimitExceeded,
                               "brackets are nested more than " + std::to_string(reading_.limits.nesting) + " deep",
                               word().where,
                               {},
                               "nesting"});
    return false;
  }

  // Between two items a comma has no meaning; in `except!` it precedes the bound.
  bool take_comma() {
    const Level& level = levels_.back();
    if (level.kind == Level::Kind::kExcept && word(1).kind == WordKind::kNumber) {
      ++pos_;
      bound_word_ = pos_++;
      if (word().kind != WordKind::kClose) return unexpected("`)` after the bound of `except!`");
      return close_brackets();
    }
    if (parts_.size() == level.items) return error(word(), "`,` without an item before it");
    ++pos_;
    switch (word().kind) {
      case WordKind::kComma:
      case WordKind::kAlternative:
      case WordKind::kClose:
      case WordKind::kEndOfRule:
      case WordKind::kEnd: return unexpected("an item after `,`");
      default: return true;
    }
  }

  // Reads the quantifier after the item that begins at `first_word`.
  bool end_item(NodeId node, std::size_t first_word) {
    if (word().kind == WordKind::kRepeat) {
      const char quantifier = text_[word().where.start];
      ++pos_;
      node = grammar_.add_repeat(node, quantifier == '+' ? 1 : 0, quantifier == '?' ? 1 : regex::kUnbounded,
                                 range_from(first_word));
    }
    parts_.push_back(node);
    return true;
  }

  bool end_alternative() {
    Level& level = levels_.back();
    if (parts_.size() == level.items) {
      return unexpected("an item", level.kind == Level::Kind::kRule
                                       ? "the empty text is written `\"\"`"
                                       : "an optional part is written `[...]`, the empty text `\"\"`");
    }
    const NodeId node = grammar_.add_sequence(std::span(parts_).subspan(level.items), range_from(level.item_word));
    parts_.resize(level.items);
    parts_.push_back(node);
    level.items = parts_.size();
    return true;
  }

  // Closes the level and returns its alternatives as one node.
  NodeId close_level() {
    const Level level = levels_.back();
    levels_.pop_back();
    const NodeId node = grammar_.add_choice(std::span(parts_).subspan(level.alternatives), range_from(level.body_word));
    parts_.resize(level.alternatives);
    return node;
  }

  bool close_brackets() {
    if (levels_.back().kind == Level::Kind::kRule) {
      return error(word(), "`" + std::string(spelling()) + "` without an opening bracket");
    }
    if (spelling() != closing()) return unexpected("`" + std::string(closing()) + "`");
    if (!end_alternative()) return false;
    const Level level = levels_.back();
    NodeId node = close_level();
    ++pos_;
    const SourceRange where = range_from(level.first_word);
    switch (level.kind) {
      case Level::Kind::kOption: node = grammar_.add_repeat(node, 0, 1, where); break;
      case Level::Kind::kRepetition: node = grammar_.add_repeat(node, 0, regex::kUnbounded, where); break;
      case Level::Kind::kExcept: node = except(node, where); break;
      default: break;
    }
    return end_item(node, level.first_word);
  }

  // Returns a node for non-empty text without a match of `operand`: ~(any operand any) & some.
  NodeId except(NodeId operand, SourceRange where) {
    regex::ExprSet& exprs = grammar_.exprs;
    std::uint32_t most = regex::kUnbounded;
    if (const std::size_t bound = std::exchange(bound_word_, 0); bound != 0) most = bound_of(words_[bound]);
    const NodeId any = add_terminal(any_text(exprs), where);
    const NodeId holding[] = {any, operand, any};
    const NodeId without =
        add_operation(RegularOperation::Kind::kComplement, {grammar_.add_sequence(holding, where)}, where);
    const regex::ExprId some = most == regex::kUnbounded ? some_text(exprs) : bounded_text(exprs, most);
    return add_operation(RegularOperation::Kind::kIntersection, {without, add_terminal(some, where)}, where);
  }

  // Returns the bound, at least 1 and at most Limits::repeat_count.
  std::uint32_t bound_of(const Word& at) {
    const std::uint32_t most = std::min(reading_.limits.repeat_count, regex::kUnbounded - 1);
    std::uint64_t value = 0;
    for (const char c : spelling(at.where)) {
      value = std::min<std::uint64_t>(value * 10 + static_cast<std::uint64_t>(c - '0'), regex::kUnbounded);
    }
    if (value == 0) {
      error(at, "the bound of `except!` is 0", "it is the greatest number of bytes, 1 or more");
      return 1;
    }
    if (value <= most) return static_cast<std::uint32_t>(value);
    reading_.errors.push_back({ErrorCode::kLimitExceeded, "bound above the limit of " + std::to_string(most), at.where,
                               "without a bound the text may have any length", "repeat_count"});
    return 1;
  }

  NodeId add_terminal(regex::ExprId expr, SourceRange where) {
    return grammar_.add_terminal({expr, LexemeMode::kExact, terminal_name(text_, where), where});
  }

  NodeId add_operation(RegularOperation::Kind kind, std::vector<NodeId> operands, SourceRange where) {
    const NodeId node = add_terminal(regex::ExprId::kNothing, where);
    operations_.push_back({.kind = kind,
                           .operands = std::move(operands),
                           .result = TerminalId{static_cast<std::uint32_t>(grammar_.terminals.size() - 1)},
                           .where = where,
                           .name = "`except!`"});
    return node;
  }

  bool end_rule() {
    if (levels_.size() > 1) {
      if (parts_.size() == levels_.back().items) return end_alternative();
      return unclosed();
    }
    if (!end_alternative()) return false;
    body_ = close_level();
    ++pos_;
    return true;
  }

  struct Definition {
    RuleId rule{};
    NodeId body = NodeId::kEmpty;
  };

  std::string_view text_;
  const std::vector<Word>& words_;
  Reading& reading_;
  grammar::Grammar& grammar_;
  std::size_t pos_ = 0;
  std::size_t bound_word_ = 0;  // the bound of the except! that is being closed; 0 if none
  NodeId body_ = NodeId::kEmpty;
  std::vector<Level> levels_;
  std::vector<NodeId> parts_;
  std::vector<Definition> definitions_;
  std::unordered_map<std::string_view, RuleId> rules_;
  std::vector<RegularOperation> operations_;
};

}  // namespace

std::vector<RegularOperation> parse(std::string_view text, const std::vector<Word>& words, Reading& reading) {
  return Parser(text, words, reading).run();
}

}  // namespace weir::frontend::kbnf
