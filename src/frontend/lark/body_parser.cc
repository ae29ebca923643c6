#include "frontend/lark/body_parser.h"

#include <algorithm>
#include <string>

#include "frontend/lark/condition_parser.h"
#include "regex/expr/expr.h"

namespace weir::frontend::lark {

std::uint32_t BodyParser::add(Node node, std::span<const std::uint32_t> children) {
  node.first_child = static_cast<std::uint32_t>(tree_.children.size());
  node.child_count = static_cast<std::uint32_t>(children.size());
  tree_.children.insert(tree_.children.end(), children.begin(), children.end());
  tree_.nodes.push_back(node);
  return static_cast<std::uint32_t>(tree_.nodes.size() - 1);
}

std::optional<std::uint32_t> BodyParser::alternatives() {
  levels_.clear();
  parts_.clear();
  open_level(LevelKind::kBody, reader_.pos());
  for (bool is_done = false; !is_done;) {
    if (!step(is_done)) return std::nullopt;
  }
  return parts_.back();
}

void BodyParser::start_alternative(Level& level) {
  level.operands = level.items = parts_.size();
  level.alternative_word = level.sequence_word = level.item_word = reader_.pos();
}

bool BodyParser::open_level(LevelKind kind, std::size_t first_word) {
  Level level;
  level.kind = kind;
  level.first_word = first_word;
  level.arguments = level.alternatives = parts_.size();
  start_alternative(level);
  levels_.push_back(level);
  if (levels_.size() - 1 <= limits_.nesting) return true;
  return reader_.fail({ErrorCode::kLimitExceeded,
                       "brackets are nested more than " + std::to_string(limits_.nesting) + " deep",
                       reader_.word_at(first_word).where,
                       {},
                       "nesting"});
}

// Returns true at the start of a definition, such as `name:` at the beginning of a line.
bool BodyParser::at_definition() const {
  if (reader_.kind() != WordKind::kRuleName && reader_.kind() != WordKind::kTerminalName) return false;
  const WordKind next = reader_.kind(1);
  return next == WordKind::kColon || (next == WordKind::kDoubleColon && reader_.kind(2) == WordKind::kUnderscore &&
                                      reader_.begins_line(reader_.pos()));
}

bool BodyParser::at_item() const {
  switch (reader_.kind()) {
    case WordKind::kRuleName:
    case WordKind::kTerminalName: return !at_definition();
    case WordKind::kString:
    case WordKind::kRegex:
    case WordKind::kToken:
    case WordKind::kGrammarName:
    case WordKind::kOpen:
    case WordKind::kOpenBracket: return true;
    case WordKind::kDirective:
      return reader_.at_directive("%json") || reader_.at_directive("%regex") || reader_.at_directive("%lark");
    default: return false;
  }
}

// Parses an item, or what separates two items.
bool BodyParser::step(bool& is_done) {
  Level& level = levels_.back();
  level.item_word = reader_.pos();
  while (reader_.take(WordKind::kTilde)) continue;
  if (at_item()) return item();
  if (reader_.pos() > level.item_word) return reader_.expected("an operand of `~`");
  switch (reader_.kind()) {
    case WordKind::kAnd: return end_operand();
    case WordKind::kStar:
    case WordKind::kPlus:
    case WordKind::kQuestion:
      return reader_.fail(reader_.where(), "`" + std::string(reader_.spelling()) + "` has nothing to repeat",
                          "it follows what it repeats; to match it as text, write it in quotes");
    default: break;
  }
  if (!end_alternative()) return false;
  if (!reader_.take(WordKind::kAlternative)) return end_level(is_done);
  start_alternative(levels_.back());
  return true;
}

bool BodyParser::end_operand() {
  Level& level = levels_.back();
  if (reader_.pos() == level.sequence_word) return reader_.expected("an operand of `&`");
  Node sequence{NodeKind::kSequence, reader_.range_from(level.sequence_word)};
  const std::uint32_t node = add(sequence, std::span(parts_).subspan(level.items));
  parts_.resize(level.items);
  parts_.push_back(node);
  level.items = parts_.size();
  reader_.advance();
  level.sequence_word = reader_.pos();
  return true;
}

bool BodyParser::end_alternative() {
  Level& level = levels_.back();
  const bool is_intersection = level.operands < level.items;
  if (is_intersection && reader_.pos() == level.sequence_word) return reader_.expected("an operand of `&`");
  Node sequence{NodeKind::kSequence, reader_.range_from(level.sequence_word)};
  std::uint32_t node = add(sequence, std::span(parts_).subspan(level.items));
  parts_.resize(level.items);
  if (is_intersection) {
    parts_.push_back(node);
    const Node both{NodeKind::kAnd, reader_.range_from(level.alternative_word)};
    node = add(both, std::span(parts_).subspan(level.operands));
    parts_.resize(level.operands);
  }
  if (reader_.take(WordKind::kArrow)) {  // the alternative's name in Lark's syntax trees, which have no meaning here
    if (!reader_.expect(WordKind::kRuleName, "the name of an alternative after `->`")) return false;
  }
  if (reader_.at_directive("%if")) {
    reader_.advance();
    std::optional<Condition> condition = parse_condition(reader_);
    if (!condition) return false;
    tree_.conditions.push_back(std::move(*condition));
    Node guard{NodeKind::kGuard, reader_.range_from(level.alternative_word)};
    guard.index = static_cast<std::uint32_t>(tree_.conditions.size() - 1);
    node = add(guard, std::span(&node, 1));
  }
  parts_.push_back(node);
  level.operands = level.items = parts_.size();
  return true;
}

// Closes the level's alternatives and returns them as one node.
std::uint32_t BodyParser::end_choice() {
  const Level& level = levels_.back();
  const auto alternatives = std::span(parts_).subspan(level.alternatives);
  const SourceRange where{tree_.nodes[alternatives.front()].where.start, tree_.nodes[alternatives.back()].where.end};
  const std::uint32_t node = add({NodeKind::kChoice, where}, alternatives);
  parts_.resize(level.alternatives);
  return node;
}

bool BodyParser::end_level(bool& is_done) {
  const Level level = levels_.back();
  const bool is_empty = level.alternative_word == reader_.pos() && parts_.size() == level.alternatives + 1;
  if (level.kind == LevelKind::kArguments && is_empty) {
    return reader_.expected("an argument of the template", "the empty text is `\"\"`");
  }
  std::uint32_t node = end_choice();
  if (level.kind == LevelKind::kBody) {
    parts_.push_back(node);
    levels_.pop_back();
    is_done = true;
    return true;
  }
  const SourceRange opening = reader_.word_at(level.first_word).where;
  if (level.kind == LevelKind::kArguments) {
    parts_.push_back(node);
    if (reader_.take(WordKind::kComma)) {
      levels_.back().alternatives = parts_.size();
      start_alternative(levels_.back());
      return true;
    }
    if (!reader_.expect(WordKind::kCloseBrace, "`,` or `}` after a template's argument")) return false;
    Node use{NodeKind::kName, opening};
    node = add(use, std::span(parts_).subspan(level.arguments));
    parts_.resize(level.arguments);
    levels_.pop_back();
    return end_item(node, level.first_word);
  }
  const bool is_group = level.kind == LevelKind::kGroup;
  // Within brackets a line end is a word only if a definition follows.
  if (reader_.kind() == WordKind::kEnd || reader_.kind() == WordKind::kLineEnd || at_definition()) {
    return reader_.fail(opening, is_group ? "`(` without `)`" : "`[` without `]`");
  }
  if (!reader_.expect(is_group ? WordKind::kClose : WordKind::kCloseBracket, is_group ? "`)`" : "`]`")) return false;
  levels_.pop_back();
  if (!is_group) {
    Node optional{NodeKind::kRepeat, reader_.range_from(level.first_word)};
    optional.max = 1;
    node = add(optional, std::span(&node, 1));
  }
  return end_item(node, level.first_word);
}

bool BodyParser::item() {
  const std::size_t first_word = reader_.pos();
  if (reader_.take(WordKind::kOpen)) return open_level(LevelKind::kGroup, first_word);
  if (reader_.take(WordKind::kOpenBracket)) return open_level(LevelKind::kOptional, first_word);
  const bool has_braces = reader_.kind() == WordKind::kRuleName && reader_.kind(1) == WordKind::kOpenBrace;
  if (has_braces && reader_.kind(2) != WordKind::kNumber && reader_.kind(2) != WordKind::kComma) {
    reader_.advance();
    reader_.advance();
    return open_level(LevelKind::kArguments, first_word);
  }
  const std::optional<std::uint32_t> node = primary();
  return node && end_item(*node, first_word);
}

// Applies the `~` before the item, which bind tighter, and then the repeats after it.
bool BodyParser::end_item(std::uint32_t node, std::size_t first_word) {
  for (std::size_t i = first_word; i > levels_.back().item_word; --i) {
    node = add({NodeKind::kNot, reader_.range_from(i - 1)}, std::span(&node, 1));
  }
  if (!repeat(node, levels_.back().item_word)) return false;
  parts_.push_back(node);
  return true;
}

bool BodyParser::repeat(std::uint32_t& node, std::size_t first_word) {
  for (;;) {
    std::uint32_t min = 0;
    std::uint32_t max = regex::kUnbounded;
    const bool has_tilde = reader_.kind() == WordKind::kTilde;
    if (reader_.take(WordKind::kQuestion)) {
      max = 1;
    } else if (reader_.take(WordKind::kPlus)) {
      min = 1;
    } else if (reader_.kind() == WordKind::kTilde && reader_.kind(1) == WordKind::kNumber) {
      reader_.advance();
      if (!count(min)) return false;
      max = min;
      if (reader_.take(WordKind::kDots) && !count(max)) return false;
    } else if (reader_.kind() == WordKind::kOpenBrace) {
      if (!counts_in_braces(min, max)) return false;
    } else if (!reader_.take(WordKind::kStar)) {
      return true;
    }
    Node repeated{NodeKind::kRepeat, reader_.range_from(first_word)};
    repeated.min = min;
    repeated.max = max;
    if (max < min) {
      return reader_.fail(repeated.where, "the minimum of the count is above its maximum",
                          std::string("did you mean `") + (has_tilde ? "~" : "{") + std::to_string(max) +
                              (has_tilde ? ".." : ",") + std::to_string(min) + (has_tilde ? "" : "}") + "`?");
    }
    node = add(repeated, std::span(&node, 1));
  }
}

bool BodyParser::counts_in_braces(std::uint32_t& min, std::uint32_t& max) {
  reader_.advance();
  const bool has_min = reader_.kind() == WordKind::kNumber;
  if (has_min && !count(min)) return false;
  if (!reader_.take(WordKind::kComma)) {
    if (!has_min) return reader_.expected("a count", "a count is `{m}`, `{m,}`, `{,n}` or `{m,n}`");
    max = min;
  } else if (reader_.kind() == WordKind::kNumber) {
    if (!count(max)) return false;
  } else if (!has_min) {
    return reader_.expected("a count", "a count is `{m}`, `{m,}`, `{,n}` or `{m,n}`");
  }
  return reader_.expect(WordKind::kCloseBrace, "`}` after a count");
}

bool BodyParser::count(std::uint32_t& value) {
  const auto number = reader_.kind() == WordKind::kNumber ? whole_number(reader_.spelling()) : std::nullopt;
  if (!number) return reader_.expected("a whole number");
  const std::uint64_t most = std::min(limits_.repeat_count, regex::kUnbounded - 1);
  if (*number > most) {
    return reader_.fail({ErrorCode::kLimitExceeded, "count above the limit of " + std::to_string(limits_.repeat_count),
                         reader_.where(), "`{m,}` has no upper bound", "repeat_count"});
  }
  value = static_cast<std::uint32_t>(*number);
  reader_.advance();
  return true;
}

std::optional<std::uint32_t> BodyParser::primary() {
  Node node{NodeKind::kEmpty, reader_.where()};
  switch (reader_.kind()) {
    case WordKind::kRuleName:
    case WordKind::kTerminalName: return name();
    case WordKind::kString: return string();
    case WordKind::kRegex: node.kind = NodeKind::kRegex; break;
    case WordKind::kToken: node.kind = NodeKind::kToken; break;
    case WordKind::kGrammarName: node.kind = NodeKind::kGrammar; break;
    case WordKind::kDirective: return directive();
    default: reader_.expected("a string, a regular expression or a name"); return std::nullopt;
  }
  reader_.advance();
  return add(node);
}

std::optional<std::uint32_t> BodyParser::name() {
  Node node{NodeKind::kName, reader_.where()};
  reader_.advance();
  if (reader_.take(WordKind::kDoubleColon)) {
    const std::optional<ParameterExpr> parameter = parse_parameter(reader_);
    if (!parameter) return std::nullopt;
    tree_.parameters.push_back(*parameter);
    node.index = static_cast<std::uint32_t>(tree_.parameters.size() - 1);
  }
  return add(node);
}

std::optional<std::uint32_t> BodyParser::string() {
  Node node{NodeKind::kString, reader_.where()};
  reader_.advance();
  if (reader_.take(WordKind::kDots)) {
    node.kind = NodeKind::kRange;
    node.second = reader_.where();
    if (!reader_.expect(WordKind::kString, "a string after `..`", "a range is written `\"a\"..\"z\"`")) return {};
  }
  return add(node);
}

std::optional<std::uint32_t> BodyParser::directive() {
  if (reader_.at_directive("%lark")) return nested_grammar();
  const bool is_json = reader_.at_directive("%json");
  const std::string what = "a JSON object after `" + std::string(reader_.spelling()) + "`";
  reader_.advance();
  const Node node{is_json ? NodeKind::kJson : NodeKind::kSubstring, reader_.where()};
  if (!reader_.expect(WordKind::kJson, what)) return std::nullopt;
  return add(node);
}

// Skips `%lark { ... }` and records the words inside the braces.
std::optional<std::uint32_t> BodyParser::nested_grammar() {
  Node node{NodeKind::kModule, reader_.where()};
  reader_.advance();
  const SourceRange brace = reader_.where();
  if (!reader_.expect(WordKind::kOpenBrace, "`{` after `%lark`")) return std::nullopt;
  const std::size_t first = reader_.pos();
  for (std::size_t depth = 1; depth > 0; reader_.advance()) {
    if (reader_.kind() == WordKind::kEnd) {
      reader_.fail(brace, "`{` without `}`");
      return std::nullopt;
    }
    if (reader_.kind() == WordKind::kOpenBrace) ++depth;
    if (reader_.kind() == WordKind::kCloseBrace) --depth;
  }
  node.index = static_cast<std::uint32_t>(tree_.modules.size());
  Module module;
  module.text = reader_.text();
  module.where = node.where;
  tree_.modules.push_back(std::move(module));
  nested_.push_back({node.index, first, reader_.pos() - 1});
  return add(node);
}

}  // namespace weir::frontend::lark
