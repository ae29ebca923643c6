#include "frontend/ebnf/parser.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "frontend/ebnf/node_builder.h"
#include "regex/unicode/utf8_ranges.h"
#include "weir/diagnostic.h"

namespace weir::frontend::ebnf {

namespace {

using base::LexemeMode;
using grammar::NodeId;
using grammar::RegularOperation;
using grammar::RuleId;

class Parser {
 public:
  Parser(std::string_view text, const std::vector<Word>& words, Dialect dialect, Extension* extension, Reading& reading)
      : text_(text),
        words_(words),
        dialect_(dialect),
        extension_(extension),
        reading_(reading),
        limits_(reading.limits),
        grammar_(reading.grammar),
        errors_(reading.errors),
        nodes_(text, words, dialect, extension, reading) {}

  Operations run() {
    skip_line_ends();
    if (word().kind == WordKind::kEnd) {
      errors_.push_back(error(word(), "the grammar has no rules", "a rule is written `name ::= ...`"));
    }
    for (; word().kind != WordKind::kEnd && errors_.size() < kMaxErrors; skip_line_ends()) {
      const std::size_t first_word = pos_;
      if (auto done = rule(); !done) recover(std::move(done.error()), first_word);
    }
    if (!errors_.empty()) return {};
    return nodes_.finish();
  }

 private:
  [[nodiscard]] const Word& word(std::size_t ahead = 0) const {
    return words_[std::min(pos_ + ahead, words_.size() - 1)];
  }
  [[nodiscard]] std::string_view spelling(SourceRange where) const {
    return text_.substr(where.start, where.end - where.start);
  }
  [[nodiscard]] bool at_rule() const {
    if (word().kind != WordKind::kName) return false;
    return word(word(1).kind == WordKind::kOptions ? 2 : 1).kind == WordKind::kDefine;
  }
  [[nodiscard]] bool at_end() const {
    return word().kind == WordKind::kEnd || word().kind == WordKind::kLineEnd || at_rule();
  }

  void skip_line_ends() {
    while (word().kind == WordKind::kLineEnd) ++pos_;
  }

  [[nodiscard]] static Error error(const Word& at, std::string message, std::string hint = {}) {
    return Error{ErrorCode::kSyntax, std::move(message), at.where, std::move(hint), {}};
  }

  // Records the error and skips to the next rule. At a kBad word the error has been reported already.
  void recover(Error error, std::size_t first_word) {
    const bool met_limit = word().kind != WordKind::kBad && error.code == ErrorCode::kLimitExceeded;
    if (word().kind != WordKind::kBad) errors_.push_back(std::move(error));
    if (words_[first_word].kind == WordKind::kName)
      grammar_.rule(nodes_.rule_named(words_[first_word].where)).defined = true;
    if (met_limit) {
      pos_ = words_.size() - 1;
      return;
    }
    levels_.clear();
    parts_.clear();
    // `name = ...` and `name : ...` are probably meant as definitions of the name.
    const auto define_before = [&](std::size_t bad) {
      const bool like_define = words_[bad].kind == WordKind::kBad &&
                               (spelling(words_[bad].where) == "=" || spelling(words_[bad].where) == ":");
      if (like_define && bad > 0 && words_[bad - 1].kind == WordKind::kName) {
        grammar_.rule(nodes_.rule_named(words_[bad - 1].where)).defined = true;
      }
    };
    define_before(pos_);
    if (pos_ == first_word) ++pos_;
    for (; !at_end(); ++pos_) define_before(pos_);
  }

  // Returns the error "expected ..., found ...".
  [[nodiscard]] Error unexpected(std::string_view expected, std::string hint = {}) const {
    std::string found = "`" + nodes_.short_spelling(word().where) + "`";
    if (word().kind == WordKind::kEnd) found = "the end of the grammar";
    if (word().kind == WordKind::kLineEnd) found = "the end of the line";
    return error(word(), "expected " + std::string(expected) + ", found " + found, std::move(hint));
  }

  Result<void> rule() {
    if (word().kind != WordKind::kName) return tl::unexpected(misplaced());
    if (!at_rule()) {
      ++pos_;
      if (word().kind == WordKind::kClass && word(1).kind == WordKind::kDefine) {
        return tl::unexpected(attribute(word()));
      }
      return tl::unexpected(unexpected("`::=`", "a rule is written `name ::= ...`"));
    }
    const SourceRange name = word().where;
    const RuleId id = nodes_.rule_named(name);
    if (grammar_.rule(id).defined) {
      if (dialect_ != Dialect::kGbnf) return tl::unexpected(redefinition(id, name));
      warn_of_redefinition(id);
    }
    if (dialect_ == Dialect::kGbnf && reading_.is_check) check_name(name);
    grammar_.rule(id).where = name;
    grammar_.rule(id).defined = true;  // even if its body has an error, so that uses of it are not reported
    ++pos_;
    RuleOptions options;
    if (word().kind == WordKind::kOptions) {
      Result<RuleOptions> read = extension_->options(spelling(name), words_[pos_++].where);
      if (!read) return tl::unexpected(std::move(read.error()));
      options = std::move(*read);
    }
    ++pos_;
    current_ = id;
    const Result<NodeId> body = choice();
    if (!body) return tl::unexpected(body.error());
    if (word().kind == WordKind::kLookAhead) {
      if (auto done = look_ahead(id); !done) return done;
    }
    if (!at_end()) return tl::unexpected(misplaced());
    grammar_.rule(id).capture = options.capture;
    grammar_.rule(id).max_tokens = options.max_tokens;
    grammar_.rule(id).temperature = options.temperature;
    grammar_.rule(id).body = with_options(*body, options, name);
    return {};
  }

  // At `(=` after a rule's body. XGrammar treats it as a hint: its own grammars contain look-aheads that are not
  // regular, and look-aheads that the end of the output does not satisfy.
  Result<void> look_ahead(RuleId rule) {
    const std::size_t open = pos_++;
    const Result<NodeId> ahead = choice();
    if (!ahead) return tl::unexpected(ahead.error());
    if (word().kind != WordKind::kClose) {
      return tl::unexpected(at_end() ? error(words_[open], "`(=` without `)`") : unexpected("`)`"));
    }
    ++pos_;
    const bool is_lenient = dialect_ == Dialect::kXgrammar;
    grammar_.rule(rule).ahead = *ahead;
    grammar_.rule(rule).may_end_ahead = is_lenient;
    nodes_.add_condition({.kind = RegularOperation::Kind::kLookAhead,
                          .operands = {*ahead},
                          .rule = rule,
                          .where = is_lenient ? range_from(open) : words_[open].where,
                          .is_lenient = is_lenient});
    return {};
  }

  NodeId with_options(NodeId body, const RuleOptions& options, SourceRange where) {
    using Kind = RegularOperation::Kind;
    const auto operation = [&](Kind kind, std::vector<NodeId> operands) {
      return nodes_.add_implicit_operation({.kind = kind, .operands = std::move(operands), .where = where});
    };
    if (options.max_chars.has_value()) {
      // A text that reaches the maximum ends at the first position, at or after the maximum, where the body can end.
      const NodeId any = grammar_.add_terminal({regex::any_code_point(grammar_.exprs), LexemeMode::kExact, ".", where});
      const NodeId from_bound = grammar_.add_repeat(any, *options.max_chars, regex::kUnbounded, where);
      const NodeId ended[] = {operation(Kind::kIntersection, {body, from_bound}),
                              grammar_.add_repeat(any, 1, regex::kUnbounded, where)};
      const NodeId gone_on = grammar_.add_sequence(ended, where);
      body = operation(Kind::kIntersection, {body, operation(Kind::kComplement, {gone_on})});
    }
    if (options.mode == LexemeMode::kExact) return body;
    return nodes_.add_implicit_operation(
        {.kind = Kind::kTerminal, .mode = options.mode, .operands = {body}, .where = where});
  }

  // Returns the hint for a word in the place of a rule's name.
  static const char* hint_at_name(const Word& word) {
    return word.kind == WordKind::kTokenName ? "rules have no `<` and `>` around their names, as tokens have" : "";
  }

  // Returns the error for a word that can neither continue a rule nor begin one.
  [[nodiscard]] Error misplaced() const {
    switch (word().kind) {
      case WordKind::kClose: return error(word(), "`)` without `(`");
      case WordKind::kRepeat:
        return error(word(), "`" + std::string(spelling(word().where)) + "` has nothing to repeat",
                     "it follows what it repeats; to match it as text, write it in quotes");
      case WordKind::kDefine:
        if (pos_ > 0 && words_[pos_ - 1].kind == WordKind::kClass) return attribute(words_[pos_ - 1]);
        return error(word(), "`::=` without a rule's name before it", pos_ > 0 ? hint_at_name(words_[pos_ - 1]) : "");
      case WordKind::kLookAhead:
        return error(word(), "misplaced look-ahead", "a rule has one look-ahead at most, and it stands at its end");
      default: break;
    }
    const bool new_line = dialect_ == Dialect::kGbnf && (pos_ == 0 || words_[pos_ - 1].kind == WordKind::kLineEnd);
    return unexpected("a rule", new_line ? "a line end ends a rule, except in parentheses and after `|` or `::=`"
                                         : hint_at_name(word()));
  }

  [[nodiscard]] bool is_empty_group() const {
    return levels_.size() > 1 && word().kind == WordKind::kClose && pos_ == levels_.back().body_word;
  }

  // Returns the error for XGrammar's `name[max_tokens=9] ::= ...`.
  [[nodiscard]] static Error attribute(const Word& at) {
    return Error{ErrorCode::kUnsupported,
                 "only XGrammar's EBNF has rule options",
                 at.where,
                 "read the grammar as `xgrammar`",
                 {}};
  }

  // In llama.cpp a name has letters, digits and `-` only.
  void check_name(SourceRange where) {
    std::string name(spelling(where));
    if (name.find('_') == std::string::npos) return;
    std::string message = "llama.cpp cannot read `" + name + "`: its names have no `_`";
    std::replace(name.begin(), name.end(), '_', '-');
    reading_.warnings.push_back({std::move(message), where, "write `" + name + "`", "gbnf-name", {}});
  }

  // llama.cpp uses the last definition.
  void warn_of_redefinition(RuleId id) {
    const grammar::Rule& rule = grammar_.rule(id);
    reading_.warnings.push_back({"this definition of rule `" + rule.name + "` does not count: another one follows",
                                 rule.where,
                                 {},
                                 "redefined-rule"});
  }

  [[nodiscard]] Error redefinition(RuleId id, SourceRange again) const {
    const LineColumn first = line_column(text_, grammar_.rule(id).where.start);
    const std::string name(spelling(again));
    return Error{ErrorCode::kSyntax,
                 "rule `" + name + "` is defined twice",
                 again,
                 "it is defined at line " + std::to_string(first.line) + ", column " + std::to_string(first.column) +
                     " already; further alternatives are added there, with `|`",
                 {}};
  }

  // A level of parentheses, or the rule's body, while it is being read. Its finished parts are on parts_, above those
  // of outer levels: the alternatives, then the operands of the current intersection, then the items of the current
  // sequence. Positions are indices into parts_ and words_.
  struct Level {
    std::size_t first_word = 0;  // `(`, or a mode or mark with its `(`; for a body its first word
    std::size_t body_word = 0;   // the first word inside
    std::size_t alternatives = 0;
    std::size_t operands = 0;
    std::size_t items = 0;
    std::size_t intersection_word = 0;  // first word of the current intersection
    std::size_t and_word = 0;           // its first `&`, if there is one
    std::size_t sequence_word = 0;      // first word of the current sequence
    std::size_t item_word = 0;          // first word of the current item, including `~`
  };

  Result<NodeId> choice() {
    open_level(pos_);
    for (;;) {
      Level& level = levels_.back();
      level.item_word = pos_;
      while (word().kind == WordKind::kNot) ++pos_;
      Result<void> done;
      if (at_item()) {
        done = item();
      } else if (pos_ > level.item_word) {
        return tl::unexpected(unexpected("an operand of `~`"));
      } else if (word().kind == WordKind::kAnd) {
        done = end_operand();
      } else if (word().kind == WordKind::kAlternative) {
        done = end_alternative();
        ++pos_;
        level.intersection_word = level.sequence_word = pos_;
      } else {
        done = end_alternative();
        if (done && levels_.size() == 1) return close_level();
        if (done) done = close_group();
      }
      if (!done) return tl::unexpected(std::move(done.error()));
    }
  }

  void open_level(std::size_t first_word) {
    Level level;
    level.first_word = first_word;
    level.body_word = level.intersection_word = level.sequence_word = pos_;
    level.alternatives = level.operands = level.items = parts_.size();
    levels_.push_back(level);
  }

  // Closes the level and returns the contents of the parentheses as one node.
  NodeId close_level() {
    const Level level = levels_.back();
    levels_.pop_back();
    const NodeId node = grammar_.add_choice(std::span(parts_).subspan(level.alternatives), range_from(level.body_word));
    parts_.resize(level.alternatives);
    return node;
  }

  void end_sequence() {
    Level& level = levels_.back();
    const NodeId node = grammar_.add_sequence(std::span(parts_).subspan(level.items), range_from(level.sequence_word));
    parts_.resize(level.items);
    parts_.push_back(node);
    level.items = parts_.size();
  }

  // At `&`.
  Result<void> end_operand() {
    Level& level = levels_.back();
    const bool is_first = level.operands == level.items;
    if (pos_ == level.sequence_word) {
      return tl::unexpected(is_first ? error(word(), "`&` without a left operand") : missing_operand());
    }
    end_sequence();
    if (is_first) level.and_word = pos_;
    ++pos_;
    level.sequence_word = pos_;
    return {};
  }

  [[nodiscard]] Error missing_operand() const {
    return unexpected("an operand of `&`", "the empty string is written `\"\"`");
  }

  Result<void> end_alternative() {
    Level& level = levels_.back();
    const bool has_operands = level.operands < level.items;
    if (dialect_ == Dialect::kXgrammar && pos_ == level.sequence_word && !is_empty_group()) {
      return tl::unexpected(unexpected("an element", "the empty string is written `\"\"`"));
    }
    if (has_operands && pos_ == level.sequence_word) return tl::unexpected(missing_operand());
    end_sequence();
    if (has_operands) {
      RegularOperation operation;
      operation.kind = RegularOperation::Kind::kIntersection;
      operation.where = words_[level.and_word].where;
      operation.operands.assign(parts_.begin() + static_cast<std::ptrdiff_t>(level.operands), parts_.end());
      parts_.resize(level.operands);
      parts_.push_back(nodes_.add_operation(std::move(operation), level.intersection_word, pos_));
    }
    level.operands = level.items = parts_.size();
    return {};
  }

  [[nodiscard]] bool at_item() const {
    switch (word().kind) {
      case WordKind::kEnd:
      case WordKind::kBad:
      case WordKind::kDefine:
      case WordKind::kClose:
      case WordKind::kAlternative:
      case WordKind::kAnd:
      case WordKind::kLineEnd:
      case WordKind::kLookAhead:
      case WordKind::kRepeat: return false;
      case WordKind::kName: return !at_rule();
      default: return true;
    }
  }

  // Opens a group, or reads an item that is not a group.
  Result<void> item() {
    const std::size_t first_word = pos_;
    const Word& at = words_[pos_++];
    switch (at.kind) {
      case WordKind::kOpen:
      case WordKind::kLazy:
      case WordKind::kGreedy:
      case WordKind::kCapture:
      case WordKind::kMaxTokens:
      case WordKind::kTemperature:
      case WordKind::kBlock: return open_group(first_word);
      default: break;
    }
    const Result<NodeId> node = nodes_.primary(at);
    if (!node) return tl::unexpected(node.error());
    end_item(*node, first_word);
    return {};
  }

  Result<void> open_group(std::size_t first_word) {
    if (words_[first_word].kind == WordKind::kCapture) {
      ++pos_;  // the name of the capture
    } else if (words_[first_word].kind == WordKind::kLazy || words_[first_word].kind == WordKind::kGreedy) {
      if (word().kind != WordKind::kOpen) {
        return tl::unexpected(unexpected("`(` after `" + std::string(spelling(words_[first_word].where)) + "`"));
      }
      ++pos_;
    }
    open_level(first_word);
    if (levels_.size() - 1 <= limits_.nesting) return {};
    return tl::unexpected(Error{ErrorCode::kLimitExceeded,
                                "parentheses are nested more than " + std::to_string(limits_.nesting) + " deep",
                                words_[first_word].where,
                                {},
                                "nesting"});
  }

  Result<void> close_group() {
    const std::size_t first_word = levels_.back().first_word;
    const Word& at = words_[first_word];
    if (at_end()) {
      const bool is_mode = at.kind == WordKind::kLazy || at.kind == WordKind::kGreedy;
      const std::size_t open = is_mode ? first_word + 1 : first_word;
      return tl::unexpected(error(words_[open], "`(` without `)`"));
    }
    if (word().kind != WordKind::kClose) {
      const bool known = word().kind == WordKind::kRepeat || word().kind == WordKind::kLookAhead;
      return tl::unexpected(known ? misplaced() : unexpected("`)`"));
    }
    NodeId node = close_level();
    ++pos_;
    switch (at.kind) {
      case WordKind::kOpen: break;
      case WordKind::kBlock: {
        Result<NodeId> block = nodes_.add_block(node, at);
        if (!block) return tl::unexpected(std::move(block.error()));
        node = *block;
        break;
      }
      case WordKind::kCapture:
      case WordKind::kMaxTokens:
      case WordKind::kTemperature: node = nodes_.add_marked(node, first_word, range_from(first_word), current_); break;
      default: {
        RegularOperation operation;
        operation.kind = RegularOperation::Kind::kTerminal;
        operation.mode = at.kind == WordKind::kLazy ? LexemeMode::kLazy : LexemeMode::kGreedy;
        operation.where = at.where;
        operation.operands.push_back(node);
        node = nodes_.add_operation(std::move(operation), first_word, pos_);
      }
    }
    end_item(node, first_word);
    return {};
  }

  // Reads the repeats after the item that begins at `first_word`, and applies the `~` before it.
  void end_item(NodeId node, std::size_t first_word) {
    while (word().kind == WordKind::kRepeat) {
      const Word& repeat = words_[pos_++];
      node = grammar_.add_repeat(node, repeat.min, repeat.max, range_from(first_word));
      if (dialect_ == Dialect::kXgrammar) break;
    }
    for (std::size_t i = first_word; i > levels_.back().item_word; --i) {
      RegularOperation operation;
      operation.kind = RegularOperation::Kind::kComplement;
      operation.where = words_[i - 1].where;
      operation.operands.push_back(node);
      node = nodes_.add_operation(std::move(operation), i - 1, pos_);
    }
    parts_.push_back(node);
  }

  // Returns the range from a word to the end of the last word read.
  [[nodiscard]] SourceRange range_from(std::size_t first_word) const {
    const std::size_t start = words_[first_word].where.start;
    return {start, std::max(start, words_[pos_ - 1].where.end)};
  }

  std::string_view text_;
  const std::vector<Word>& words_;
  Dialect dialect_;
  Extension* extension_;
  Reading& reading_;
  const Limits& limits_;
  std::size_t pos_ = 0;
  grammar::Grammar& grammar_;
  std::vector<Error>& errors_;
  NodeBuilder nodes_;
  std::vector<Level> levels_;
  std::vector<NodeId> parts_;
  RuleId current_{};  // the rule whose body is being read
};

}  // namespace

Operations parse(std::string_view text, const std::vector<Word>& words, Dialect dialect, Extension* extension,
                 Reading& reading) {
  return Parser(text, words, dialect, extension, reading).run();
}

}  // namespace weir::frontend::ebnf
