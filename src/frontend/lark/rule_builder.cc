#include "frontend/lark/rule_builder.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "base/json/json_value.h"
#include "base/utf8.h"
#include "base/work.h"
#include "frontend/json_schema/json_schema.h"
#include "frontend/lark/lark.h"
#include "frontend/lark/literals.h"
#include "frontend/search_bounds.h"
#include "grammar/suggest.h"
#include "regex/analysis/members.h"
#include "regex/expr/structure.h"
#include "regex/syntax/syntax.h"

namespace weir::frontend::lark {

using base::LexemeMode;
using grammar::NodeId;
using grammar::RuleId;
using regex::ExprId;

bool RuleBuilder::fail(std::uint32_t module, Error error) {
  reading_.errors.push_back(placed(tree_.modules[module], std::move(error)));
  return false;
}

std::optional<RuleId> RuleBuilder::build(std::uint32_t start) {
  if (auto done = indents_.read(tree_.modules[0], options_.indenter, regular_, grammar_.exprs, reading_.limits);
      !done) {
    fail(0, std::move(done.error()));
    return std::nullopt;
  }
  if (indents_.exist() && grammar_.indentation) {
    fail(0, {ErrorCode::kUnsupported, "a grammar can have one part with indentation only", {}, {}, {}});
    return std::nullopt;
  }
  modules_[0].initial = indents_.exist() && indents_.indentation().ignored_at_ends;
  if (!read_options(0) || !make_skip(0)) return std::nullopt;
  RuleId first = rule_of({.definition = start});
  const std::size_t first_node = grammar_.nodes.size();
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const Made made = queue_[i];
    const std::size_t nodes = grammar_.nodes.size();
    if (!make(made)) return std::nullopt;
    base::Work::charge(kRuleSteps + kNodeSteps * (grammar_.nodes.size() - nodes));
    const bool has_room = grammar_.nodes.size() - first_node <= reading_.limits.grammar_symbols;
    if (has_room && !base::Work::is_met()) continue;
    const Definition& definition = tree_.modules[made.module].definitions[made.definition];
    fail(made.module, {ErrorCode::kLimitExceeded,
                       "the grammar has more than " + std::to_string(reading_.limits.grammar_symbols) + " symbols, `" +
                           definition.name + "` among them",
                       definition.where, "each value that a parameter takes makes a separate rule", "grammar_symbols"});
    return std::nullopt;
  }
  NodeId body = NodeId::kEmpty;
  if (modules_[0].initial) {
    const NodeId parts[] = {*modules_[0].skip, grammar_.add_rule_reference(first, {})};
    body = grammar_.add_sequence(parts, {});
  }
  if (indents_.exist()) {
    grammar_.indentation = indents_.indentation();
    if (!check_line_begins()) return std::nullopt;
    if (body == NodeId::kEmpty) body = grammar_.add_rule_reference(first, {});
    if (const NodeId lead = make_lead(); lead != NodeId::kEmpty) {
      const NodeId both[] = {body, lead};
      body = grammar_.add_choice(both, {});
    }
  }
  if (body == NodeId::kEmpty) return first;
  grammar::Rule whole{.name = "start of the text", .body = body, .defined = true, .generated = true};
  if (indents_.exist()) {  // the place of errors in the rule, which may become a part of this one
    whole.name = tree_.modules[0].definitions[start].name + ".text";
    whole.where = tree_.modules[0].definitions[start].where;
  }
  return grammar_.add_rule(std::move(whole));
}

// Warns of unused rules of the main text.
void RuleBuilder::warn_unused() {
  std::vector<bool> used(tree_.modules[0].definitions.size(), false);
  for (const Made& made : queue_) {
    if (made.module == 0) used[made.definition] = true;
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    const Definition& definition = tree_.modules[0].definitions[i];
    if (used[i] || definition.is_terminal) continue;
    reading_.warnings.push_back({"rule `" + definition.name + "` is never used", definition.where, {}, "unused-rule"});
  }
}

RuleId RuleBuilder::rule_of(Made made) {
  RuleKey key{made.module, made.definition, made.parameter, made.inside ? 1U : 0U};
  key.insert(key.end(), made.arguments.begin(), made.arguments.end());
  const auto [found, is_new] = rules_.try_emplace(std::move(key), RuleId{});
  if (!is_new) return found->second;
  const Definition& definition = tree_.modules[made.module].definitions[made.definition];
  grammar::Rule rule;
  rule.name = definition.name;
  if (definition.is_parametric) rule.name += "::" + std::to_string(made.parameter);
  if (!made.arguments.empty()) rule.name += "{...}";
  if (made.inside) rule.name += " in brackets";
  rule.generated = made.inside;
  rule.where = place(made.module, definition.where);
  if (definition.attributes.capture && !definition.attributes.suffix) rule.capture = *definition.attributes.capture;
  rule.max_tokens = definition.attributes.max_tokens;
  rule.temperature = definition.attributes.temperature;
  made.rule = found->second = grammar_.add_rule(std::move(rule));
  const RuleId id = made.rule;
  queue_.push_back(std::move(made));
  return id;
}

bool RuleBuilder::make(const Made& made) {
  const Definition& definition = tree_.modules[made.module].definitions[made.definition];
  std::optional<NodeId> body;
  if (definition.attributes.is_lexeme()) {
    body = lexeme(made.module, {definition.body, made.inside}, LexemeMode::kShortest, &definition);
  } else if (definition.is_terminal) {
    body = lexeme(made.module, {definition.body, made.inside}, LexemeMode::kLongest);
  } else {
    if (!list_live_nodes(made, definition.body)) return false;
    values_.clear();
    for (auto place = live_.rbegin(); place != live_.rend(); ++place) {
      if (values_.contains(*place)) continue;
      const std::optional<NodeId> value = value_of(made, *place);
      if (!value) return false;
      values_[*place] = *value;
    }
    body = values_[live_[0]];
  }
  if (!body) return false;
  grammar_.rule(made.rule).body = *body;
  grammar_.rule(made.rule).defined = true;
  return true;
}

// Sets live_ to `root` and the nodes below it that the parameter enables, parents first. The operands of `~` and `&`
// are not listed, because they become one lexeme.
bool RuleBuilder::list_live_nodes(const Made& made, std::uint32_t root) {
  live_.assign(1, {root, made.inside});
  std::vector<Place> children;
  for (std::size_t next = 0; next < live_.size(); ++next) {
    const Node& node = tree_.nodes[live_[next].node];
    if (node.kind == NodeKind::kNot || node.kind == NodeKind::kAnd) continue;
    children.clear();
    if (!list_places(made, live_[next], children)) return false;
    for (const Place child : children) {
      const Node& below = tree_.nodes[child.node];
      if (below.kind == NodeKind::kGuard && !holds(tree_.conditions[below.index], made.parameter)) continue;
      live_.push_back(child);
    }
  }
  return true;
}

// Lists the children of a node with their places: between an opening and a closing bracket of a sequence they are inside.
bool RuleBuilder::list_places(const Made& made, Place parent, std::vector<Place>& children) {
  const Node& node = tree_.nodes[parent.node];
  const auto below = tree_.children_of(node);
  const bool has_brackets = indents_.exist() && made.module == 0;
  const auto unmatched = [&](std::uint32_t child) {
    return fail(0, {ErrorCode::kUnsupported,
                    "the bracket `" + std::string(spelling(0, tree_.nodes[child].where)) +
                        "` has no partner in its alternative",
                    tree_.nodes[child].where,
                    "line ends do not count within brackets, so both have to be in one sequence, as in `\"(\" x \")\"`",
                    {}});
  };
  std::vector<std::uint32_t> open;
  for (const std::uint32_t child : below) {
    const int bracket = has_brackets ? this->bracket(made.module, child) : 0;
    if (bracket != 0 && node.kind != NodeKind::kSequence) return unmatched(child);
    if (bracket > 0) open.push_back(child);
    if (bracket < 0 && open.empty()) return unmatched(child);
    if (bracket < 0) open.pop_back();
    const bool inside = parent.inside || !open.empty();
    children.push_back({child, inside});
    // An argument of a template may be used in both places.
    if (has_brackets && node.kind == NodeKind::kName && !inside) children.push_back({child, true});
  }
  if (!open.empty()) return unmatched(open.back());
  const bool is_root = has_brackets && parent.node == live_[0].node;
  return !is_root || bracket(made.module, parent.node) == 0 || unmatched(parent.node);
}

// Returns 1 for a terminal that opens brackets, -1 for one that closes them, else 0.
int RuleBuilder::bracket(std::uint32_t module, std::uint32_t id) {
  const Node& node = tree_.nodes[id];
  switch (node.kind) {
    case NodeKind::kString:
    case NodeKind::kRange:
    case NodeKind::kRegex: break;
    case NodeKind::kName: {
      const auto found = tree_.modules[module].names.find(spelling(module, node.where));
      if (found == tree_.modules[module].names.end()) return 0;
      const Definition& definition = tree_.modules[module].definitions[found->second];
      if (!definition.is_terminal || definition.is_declared) return 0;
      break;
    }
    default: return 0;
  }
  const Result<ExprId> expr = regular_.expr_of(tree_.modules[module], id);
  if (!expr) return 0;  // reported where the lexeme is made
  return indents_.opens(*expr) ? 1 : indents_.closes(*expr) ? -1 : 0;
}

std::optional<NodeId> RuleBuilder::value_of(const Made& made, Place at) {
  const Node& node = tree_.nodes[at.node];
  const SourceRange where = place(made.module, node.where);
  switch (node.kind) {
    case NodeKind::kEmpty: return NodeId::kEmpty;
    case NodeKind::kString:
    case NodeKind::kRange:
    case NodeKind::kRegex:
    case NodeKind::kSubstring:
    case NodeKind::kAnd:
    case NodeKind::kNot: return lexeme(made.module, at, LexemeMode::kLongest);
    case NodeKind::kName: return value_of_name(made, at);
    case NodeKind::kJson: return value_of_schema(made, at);
    case NodeKind::kToken: return value_of_tokens(made, at);
    case NodeKind::kModule:
    case NodeKind::kGrammar: {
      std::optional<RuleId> rule;
      if (node.kind == NodeKind::kGrammar) rule = named_[node.index].rule;
      if (!rule) rule = start_of(node.kind == NodeKind::kModule ? node.index : named_[node.index].module);
      if (!rule) return std::nullopt;
      return with_skip(made.module, grammar_.add_rule_reference(*rule, where), at.inside);
    }
    default: break;
  }
  std::vector<NodeId> parts;
  std::optional<std::uint32_t> before;
  std::vector<Place> children;
  list_places(made, at, children);
  for (const Place child : children) {
    if (node.kind == NodeKind::kSequence && before) {
      const std::optional<bool> is_there = repeats_stop(made.module, *before, child.node);
      if (!is_there) return std::nullopt;
      if (*is_there) continue;
    }
    before = child.node;
    if (const auto found = values_.find(child); found != values_.end()) parts.push_back(found->second);
  }
  if (node.kind == NodeKind::kGuard) return parts[0];
  if (node.kind == NodeKind::kSequence) return grammar_.add_sequence(parts, where);
  if (node.kind == NodeKind::kRepeat) return grammar_.add_repeat(parts[0], node.min, node.max, where);
  return grammar_.add_choice(parts, where);
}

std::optional<NodeId> RuleBuilder::value_of_name(const Made& made, Place at) {
  const Node& node = tree_.nodes[at.node];
  const Module& module = tree_.modules[made.module];
  const std::string_view name = spelling(made.module, node.where);
  const auto& parameters = module.definitions[made.definition].template_names;
  const auto parameter = std::find(parameters.begin(), parameters.end(), name);
  if (parameter != parameters.end()) {
    const auto& [outside, inside] =
        arguments_[made.arguments[static_cast<std::size_t>(parameter - parameters.begin())]];
    return at.inside ? inside : outside;
  }
  Made named{.module = made.module, .definition = module.names.find(name)->second, .inside = at.inside};
  const Definition& definition = module.definitions[named.definition];
  if (indents_.exist() && made.module == 0) {
    const grammar::LineMark mark = indents_.mark_of(named.definition);
    if (mark != grammar::LineMark::kNone)
      return at.inside ? grammar_.add_choice({}, node.where) : grammar_.add_line_mark(mark, node.where);
  }
  if (definition.is_terminal) return lexeme(made.module, at, LexemeMode::kLongest);
  if (node.index != Node::kNone) named.parameter = evaluate(tree_.parameters[node.index], made.parameter);
  for (const std::uint32_t child : tree_.children_of(node))
    named.arguments.push_back(argument(made, {child, at.inside}));
  return grammar_.add_rule_reference(rule_of(std::move(named)), place(made.module, node.where));
}

// Returns the number of a template argument. Equal names, strings and parameters have equal numbers, so that equal uses
// share a rule.
std::uint32_t RuleBuilder::argument(const Made& made, Place at) {
  const NodeId value = values_[at];
  const auto within = values_.find({at.node, true});
  const NodeId inside = within != values_.end() ? within->second : value;
  const grammar::Node& node = grammar_.node(value);
  RuleKey key;
  if (node.kind == grammar::NodeKind::kRule) {
    key = {0, node.payload};
  } else if (node.kind == grammar::NodeKind::kTerminal) {
    key = {1, node.payload};
  } else {
    key = {2, static_cast<std::uint64_t>(value), made.module};
  }
  const auto [found, is_new] = argument_ids_.try_emplace(std::move(key), static_cast<std::uint32_t>(arguments_.size()));
  if (is_new) arguments_.emplace_back(value, inside);
  return found->second;
}

std::optional<NodeId> RuleBuilder::value_of_schema(const Made& made, Place at) {
  const std::uint32_t id = at.node;
  const SourceRange where = tree_.nodes[id].where;
  auto known = schemas_.find(id);
  if (known == schemas_.end()) {
    Reading schema{grammar_, reading_.limits, reading_.review};
    const auto rule =
        read_json_schema(spelling(made.module, where), options_.json_schema, json_schema::Placement::kEmbedded, schema);
    const auto moved = [&](SourceRange range) {  // an error without a place is about an option
      return range == SourceRange{} ? where : SourceRange{range.start + where.start, range.end + where.start};
    };
    for (Error& error : schema.errors) {
      error.where = moved(error.where);
      for (ErrorNote& note : error.notes) note.where = note.where == SourceRange{} ? note.where : moved(note.where);
      fail(made.module, std::move(error));
    }
    for (Warning& warning : schema.warnings) {
      reading_.warnings.push_back({std::move(warning.message), place(made.module, moved(warning.where)),
                                   std::move(warning.hint), std::move(warning.code)});
    }
    if (!rule) return std::nullopt;
    known = schemas_.emplace(id, *rule).first;
  }
  return with_skip(made.module, grammar_.add_rule_reference(known->second, place(made.module, where)), at.inside);
}

std::optional<NodeId> RuleBuilder::value_of_tokens(const Made& made, Place at) {
  const Node& node = tree_.nodes[at.node];
  Result<grammar::TokenSet> set = token_set(tree_.modules[made.module].text, node.where);
  if (!set) {
    fail(made.module, std::move(set.error()));
    return std::nullopt;
  }
  set->where = place(made.module, node.where);
  return with_skip(made.module, grammar_.add_tokens(std::move(*set)), at.inside);
}

// Returns true if `node` repeats the text that the rule `before` it stops with; that rule's lexeme already includes the
// text. Returns nothing if an error was reported.
std::optional<bool> RuleBuilder::repeats_stop(std::uint32_t module, std::uint32_t before, std::uint32_t node) {
  const Module& names = tree_.modules[module];
  const auto rule_named = [&](std::uint32_t id) -> const Definition* {
    if (tree_.nodes[id].kind != NodeKind::kName) return nullptr;
    const auto found = names.names.find(spelling(module, tree_.nodes[id].where));
    return found == names.names.end() ? nullptr : &names.definitions[found->second];
  };
  const Definition* stopped = rule_named(before);
  if (stopped == nullptr || !stopped->attributes.is_stop) return false;
  const NodeKind kind = tree_.nodes[node].kind;
  const Definition* terminal = rule_named(node);
  const bool is_terminal = terminal != nullptr && terminal->is_terminal;
  if (kind != NodeKind::kString && kind != NodeKind::kRegex && !is_terminal) return false;
  const Result<ExprId> stop = regular_.expr_of(names, *stopped->attributes.suffix);
  const Result<ExprId> next = regular_.expr_of(names, node);
  if (!stop || !next) return false;  // reported where the lexeme is made
  regex::ExprSet& exprs = grammar_.exprs;
  const std::optional<std::string> text = regex::shortest_member(exprs, *stop, reading_.limits.regex_fuel);
  if (!text || text->empty() || exprs.literal(*text) != *stop) return false;
  if (*next == *stop) return true;
  const ExprId others = exprs.difference(*next, exprs.concat(*stop, ExprId::kAllStrings));
  if (regex::emptiness(exprs, others, reading_.limits.regex_fuel) != regex::Emptiness::kEmpty) return false;
  fail(module, {ErrorCode::kUnsupported,
                "`" + std::string(spelling(module, tree_.nodes[node].where)) + "` begins with what `" + stopped->name +
                    "` stops with",
                tree_.nodes[node].where,
                "write the text that it stops with as a separate string, then the rest",
                {}});
  return std::nullopt;
}

// Returns the node's language as one terminal, with the suffix of `by` if it has one, followed by ignored text.
std::optional<NodeId> RuleBuilder::lexeme(std::uint32_t module, Place at, LexemeMode mode, const Definition* by) {
  const std::uint32_t node = at.node;
  const bool has_lines = indents_.exist() && module == 0;
  Result<ExprId> expr =
      has_lines ? regular_.first_match_of(tree_.modules[0], node) : regular_.expr_of(tree_.modules[module], node);
  const SourceRange where = tree_.nodes[node].where;
  grammar::LexemeParts parts;
  if (expr && by != nullptr && by->attributes.suffix) {
    const Result<ExprId> end = regular_.expr_of(tree_.modules[module], *by->attributes.suffix);
    if (end && *end == ExprId::kEpsilon) {
      fail(module, {ErrorCode::kUnsupported,
                    "the text to stop at is empty",
                    tree_.nodes[*by->attributes.suffix].where,
                    "leave it out: the output may end with a stop token wherever the grammar allows it",
                    {}});
      return std::nullopt;
    }
    if (end) parts = {*expr, *end, by->attributes.suffix_capture};
    expr = end ? Result<ExprId>(grammar_.exprs.concat(*expr, *end)) : end;
  }
  if (!expr) {
    fail(module, std::move(expr.error()));
    return std::nullopt;
  }
  const bool may_be_empty = grammar_.exprs.nullable(*expr);
  const ExprId taken = may_be_empty ? grammar_.exprs.difference(*expr, ExprId::kEpsilon) : *expr;
  if (taken == ExprId::kOverflow) {
    fail(module, regex::overflow_error(grammar_.exprs, where));
    return std::nullopt;
  }
  if (taken == ExprId::kNothing && may_be_empty) return NodeId::kEmpty;
  if (options_.exact_splits) mode = without_competition(mode);
  if (has_lines && !at.inside) line_terminals_.try_emplace(taken, where);
  NodeId text = terminal(module, taken, mode, where);
  ExprId follow = ExprId::kAllStrings;
  if (!follow_of(module, taken, where, follow)) return std::nullopt;
  if (follow == ExprId::kAllStrings && (by == nullptr || !by->attributes.suffix)) warn_of_end(module, node);
  if (follow != ExprId::kAllStrings) {
    text = grammar_.add_rule_reference(
        grammar_.add_rule({.name = "longest", .body = text, .defined = true, .generated = true, .follow = follow}),
        place(module, where));
  }
  if (by != nullptr && by->attributes.captures_parts()) {
    // Ignored text after the lexeme belongs to none of its parts.
    text = grammar_.add_rule_reference(grammar_.add_rule({.name = "lexeme of " + by->name,
                                                          .body = text,
                                                          .where = place(module, by->where),
                                                          .defined = true,
                                                          .generated = true,
                                                          .capture = by->attributes.capture.value_or(""),
                                                          .parts = std::move(parts)}),
                                       place(module, where));
  }
  const NodeId one = with_skip(module, text, at.inside);
  return may_be_empty ? grammar_.add_repeat(one, 0, 1, place(module, where)) : one;
}

// Warns of assertions at the end of a lexeme, each once.
void RuleBuilder::warn_of_end(std::uint32_t module, std::uint32_t node) {
  if (!tree_.modules[module].grammar_name.empty()) return;
  for (const SourceRange where : regular_.assertions_at_end(tree_.modules[module], node)) {
    reading_.warnings.push_back(
        {"this is at the end of a lexeme, and does not see what follows the lexeme", where,
         "rules say what may follow; `%longest /\\w+/` keeps words from ending within longer ones",
         "assertion-at-end"});
  }
}

NodeId RuleBuilder::terminal(std::uint32_t module, ExprId expr, LexemeMode mode, SourceRange where) {
  const auto [found, is_new] = terminals_.try_emplace({expr, mode}, grammar::TerminalId{});
  if (!is_new) return grammar_.add_terminal_reference(found->second, place(module, where));
  const NodeId node =
      grammar_.add_terminal({expr, mode, base::escape_for_display(spelling(module, where), grammar::kTerminalNameBytes),
                             place(module, where)});
  found->second = grammar::TerminalId{grammar_.node(node).payload};
  return node;
}

NodeId RuleBuilder::with_skip(std::uint32_t module, NodeId node, bool inside) {
  const NodeId skip = inside ? modules_[module].skip_inside : *modules_[module].skip;
  if (skip == NodeId::kEmpty) return node;
  const NodeId parts[] = {node, skip};
  return grammar_.add_sequence(parts, grammar_.node(node).where);
}

// Returns the start rule of a nested or named grammar.
std::optional<RuleId> RuleBuilder::start_of(std::uint32_t module) {
  ModuleRules& rules = modules_[module];
  if (rules.start) return rules.start;
  if (!read_options(module) || !make_skip(module)) return std::nullopt;
  const auto found = tree_.modules[module].names.find("start");
  rules.start = rule_of({.module = module, .definition = found->second});
  if (rules.initial) {
    const NodeId parts[] = {*rules.skip, grammar_.add_rule_reference(*rules.start, {})};
    rules.start = grammar_.add_rule(
        {.name = "start of a grammar", .body = grammar_.add_sequence(parts, {}), .defined = true, .generated = true});
  }
  return rules.start;
}

bool RuleBuilder::read_options(std::uint32_t module) {
  static constexpr std::array<std::string_view, 3> kNames{"allow_initial_skip", "skip_repetition", "no_forcing"};
  for (const SourceRange where : tree_.modules[module].options) {
    const auto moved = [&](SourceRange range) {
      return SourceRange{range.start + where.start, range.end + where.start};
    };
    auto document = base::JsonDocument::parse(spelling(module, where), reading_.limits);
    if (!document) {
      document.error().where = moved(document.error().where);
      return fail(module, std::move(document.error()));
    }
    for (const base::JsonMember& member : document->root().members()) {
      if (std::find(kNames.begin(), kNames.end(), member.key) == kNames.end()) {
        return fail(module, {ErrorCode::kUnsupported,
                             "unknown option `" + base::escape_for_display(member.key) + "` of `%llguidance`",
                             moved(member.key_where),
                             grammar::did_you_mean(kNames, member.key),
                             {}});
      }
      const bool is_word = member.key == "skip_repetition";
      const bool is_known = is_word ? member.value.is(base::JsonType::kString) && member.value.string() == "once"
                                    : member.value.is(base::JsonType::kBoolean);
      if (!is_known) {
        return fail(module, {ErrorCode::kSyntax,
                             "the option `" + std::string(member.key) + "` has to be " +
                                 (is_word ? "\"once\"" : "true or false"),
                             moved(member.value.where()),
                             {},
                             {}});
      }
      if (is_word) modules_[module].once = true;
      if (member.key == "allow_initial_skip") modules_[module].initial = member.value.boolean();
    }
  }
  return true;
}

// Returns the bytes with which texts of `whole` continue to be a prefix of one; all bytes if that takes too many steps.
const regex::ByteSet& RuleBuilder::continuing_bytes(ExprId whole) {
  const auto [known, is_new] = continuing_bytes_.try_emplace(whole);
  if (is_new && !list_continuing(whole, whole, regex::ByteSet::all(), known->second)) {
    known->second = regex::ByteSet::all();
  }
  return known->second;
}

// Returns the bytes with which texts of `expr` may begin.
const regex::ByteSet& RuleBuilder::first_bytes(ExprId expr) {
  const auto [known, is_new] = first_bytes_.try_emplace(expr);
  if (is_new) {
    std::vector<regex::ExprSet::Branch> branches;
    grammar_.exprs.append_branches(expr, branches);
    for (const regex::ExprSet::Branch& branch : branches) known->second |= branch.bytes;
  }
  return known->second;
}

// Adds to `more` the bytes with which a text of `expr` continues to be a prefix of one of `whole`, which are among those in
// `most`. Precondition: `expr` is a subset of `whole`. Returns false if there are too many residuals to look at.
bool RuleBuilder::list_continuing(ExprId expr, ExprId whole, const regex::ByteSet& most, regex::ByteSet& more) {
  regex::ExprSet& exprs = grammar_.exprs;
  std::set<std::pair<ExprId, ExprId>> met{{expr, whole}};
  std::vector<std::pair<ExprId, ExprId>> pending{{expr, whole}};
  std::vector<regex::ExprSet::Branch> branches, branches_of_whole;
  while (!pending.empty()) {
    const auto [text, longer] = pending.back();
    pending.pop_back();
    branches.clear();
    exprs.append_branches(text, branches);
    if (text != longer) {
      branches_of_whole.clear();
      exprs.append_branches(longer, branches_of_whole);
    }
    const std::vector<regex::ExprSet::Branch>& others = text == longer ? branches : branches_of_whole;
    if (exprs.nullable(text)) {
      for (const regex::ExprSet::Branch& branch : others) more |= branch.bytes;
      if ((most & ~more).is_empty()) return true;
    }
    for (const regex::ExprSet::Branch& branch : branches) {
      for (const regex::ExprSet::Branch& other : text == longer ? std::span(&branch, 1) : std::span(others)) {
        if ((branch.bytes & other.bytes).is_empty() || !met.emplace(branch.to, other.to).second) continue;
        if (met.size() > reading_.limits.regex_fuel) return false;
        pending.emplace_back(branch.to, other.to);
      }
    }
  }
  return true;
}

// Sets `follow` to what may follow a lexeme of a terminal. Each `%longest` that contains all texts of the terminal excludes
// the bytes with which they continue in it.
bool RuleBuilder::follow_of(std::uint32_t module, ExprId expr, SourceRange where, ExprId& follow) {
  const auto [known, is_new] = follows_.try_emplace({module, expr}, ExprId::kAllStrings);
  follow = known->second;
  if (!is_new) return true;
  regex::ExprSet& exprs = grammar_.exprs;
  regex::ByteSet more;
  std::string text;  // if the terminal has only one
  const bool is_text = regex::is_literal(exprs, expr, std::string::npos, text);
  for (const std::uint32_t body : tree_.modules[module].longest) {
    const Result<ExprId> whole = regular_.expr_of(tree_.modules[module], body);
    if (!whole) return fail(module, Error(whole.error()));
    if ((first_bytes(expr) & first_bytes(*whole)).is_empty()) continue;
    if (is_text) {
      ExprId rest = *whole;
      for (const char byte : text) rest = exprs.derivative(rest, static_cast<std::uint8_t>(byte));
      if (rest != ExprId::kOverflow && exprs.nullable(rest)) more |= first_bytes(rest);
      if (rest != ExprId::kOverflow) continue;
    }
    const auto others = regex::emptiness(exprs, exprs.difference(expr, *whole), reading_.limits.regex_fuel);
    if (others == regex::Emptiness::kNonEmpty) continue;
    if (others == regex::Emptiness::kEmpty && list_continuing(expr, *whole, continuing_bytes(*whole), more)) {
      continue;
    }
    return fail(module, {ErrorCode::kUnsupported,
                         "it takes too many steps to tell how a text of this terminal goes on in `%longest`",
                         where,
                         "write what its texts are made of, such as `/[a-z_]\\w*/`, not which texts there are",
                         {}});
  }
  if (more.is_empty()) return true;
  follow = exprs.complement(exprs.concat(exprs.byte_set(more), ExprId::kAllStrings));
  known->second = follow;
  // If ignored text satisfies the condition, it can come after each lexeme, and the condition excludes no viable prefix.
  if (!conditions_.emplace(module, follow).second) return true;
  const bool is_separable = std::ranges::any_of(tree_.modules[module].ignored, [&](std::uint32_t ignored) {
    const Result<ExprId> blank = regular_.expr_of(tree_.modules[module], ignored);
    return blank && regex::emptiness(exprs, exprs.intersection(exprs.difference(*blank, ExprId::kEpsilon), follow),
                                     reading_.limits.regex_fuel) == regex::Emptiness::kNonEmpty;
  });
  if (is_separable && std::ranges::find(grammar_.separable, follow) == grammar_.separable.end()) {
    grammar_.separable.push_back(follow);
  }
  return true;
}

// Makes the rules for ignored text: any number of ignored terminals, one after the other. Within brackets, line ends are
// among them.
bool RuleBuilder::make_skip(std::uint32_t module) {
  modules_[module].skip = NodeId::kEmpty;
  const bool has_lines = indents_.exist() && module == 0;
  NodeId skip = NodeId::kEmpty;
  if (!make_ignored(module, false, skip)) return false;
  if (has_lines && !make_ignored(module, true, modules_[module].skip_inside)) return false;
  modules_[module].skip = skip;
  if (has_lines) line_terminals_.clear();  // ignored text may begin with anything
  return true;
}

bool RuleBuilder::make_ignored(std::uint32_t module, bool inside, NodeId& skip) {
  std::vector<NodeId> ignored;
  for (const std::uint32_t body : tree_.modules[module].ignored) {
    const std::optional<NodeId> node = lexeme(module, {body, false}, LexemeMode::kLongest);
    if (!node) return false;
    if (*node != NodeId::kEmpty) ignored.push_back(*node);
    if (!indents_.exist() || module != 0) continue;
    if (const Result<ExprId> expr = regular_.expr_of(tree_.modules[0], body); expr && *expr == indents_.newline()) {
      return fail(0, {ErrorCode::kUnsupported,
                      "line ends cannot be ignored in a grammar with indentation",
                      tree_.nodes[body].where,
                      "within brackets they are ignored in any case",
                      {}});
    }
  }
  if (inside) {
    const Definition& newline = tree_.modules[module].definitions[indents_.newline_definition()];
    const LexemeMode mode = options_.exact_splits ? LexemeMode::kExact : LexemeMode::kLongest;
    ignored.push_back(terminal(module, indents_.newline(), mode, newline.where));
  }
  if (ignored.empty()) return true;
  const NodeId one = grammar_.add_choice(ignored, {});
  const auto& written = tree_.modules[module].ignored;
  const SourceRange where = written.empty() ? SourceRange{} : place(module, tree_.nodes[written[0]].where);
  const NodeId body = grammar_.add_repeat(one, 0, modules_[module].once ? 1 : regex::kUnbounded, where);
  std::string name(kIgnoredText);
  if (inside) name += " in brackets";
  const RuleId rule = grammar_.add_rule({.name = std::move(name), .body = body, .defined = true, .generated = true});
  skip = grammar_.add_rule_reference(rule, {});
  return true;
}

// Returns a node for ignored text that may follow the blanks at a line's begin: what does not continue the line end.
NodeId RuleBuilder::make_lead() {
  regex::ExprSet& exprs = grammar_.exprs;
  const ExprId continued = exprs.concat(exprs.byte_set(indents_.continuing()), ExprId::kAllStrings);
  const LexemeMode mode = options_.exact_splits ? LexemeMode::kExact : LexemeMode::kLongest;
  std::vector<NodeId> leads;
  for (const std::uint32_t body : tree_.modules[0].ignored) {
    const Result<ExprId> expr = regular_.expr_of(tree_.modules[0], body);
    if (!expr) continue;  // reported by make_skip()
    const ExprId taken = exprs.difference(*expr, exprs.alternation(continued, ExprId::kEpsilon));
    if (regex::emptiness(exprs, taken, reading_.limits.regex_fuel) == regex::Emptiness::kEmpty) continue;
    leads.push_back(terminal(0, taken, mode, tree_.nodes[body].where));
  }
  if (leads.empty()) return NodeId::kEmpty;
  const NodeId parts[] = {grammar_.add_line_mark(grammar::LineMark::kLead, {}),
                          with_skip(0, grammar_.add_choice(leads, {}), false)};
  return grammar_.add_sequence(parts, {});
}

// Refuses terminals that could begin a line with what continues the line end before it: they would never be reached.
bool RuleBuilder::check_line_begins() {
  regex::ExprSet& exprs = grammar_.exprs;
  for (const auto& [expr, where] : line_terminals_) {
    bool is_free = true;
    indents_.continuing().for_each([&](std::uint8_t byte) {
      is_free = is_free && regex::emptiness(exprs, exprs.derivative(expr, byte), reading_.limits.regex_fuel) ==
                               regex::Emptiness::kEmpty;
    });
    if (is_free) continue;
    return fail(
        0,
        {ErrorCode::kUnsupported,
         "a terminal outside brackets may begin with what continues a line end",
         where,
         "a line end takes all that its terminal matches, such as blanks; let the terminal begin with something else",
         {}});
  }
  return true;
}

}  // namespace weir::frontend::lark
