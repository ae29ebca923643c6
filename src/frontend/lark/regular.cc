#include "frontend/lark/regular.h"

#include <string>
#include <utility>

#include "frontend/lark/common.h"
#include "frontend/lark/literals.h"
#include "frontend/regex/regex.h"
#include "regex/syntax/parser.h"
#include "regex/syntax/syntax.h"
#include "regex/syntax/syntax_tree.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::frontend::lark {

using regex::ExprId;

namespace {

tl::unexpected<Error> not_regular(const Node& node, std::string what, std::string hint) {
  return tl::unexpected(
      Error{ErrorCode::kUnsupported, "a terminal cannot hold " + std::move(what), node.where, std::move(hint), {}});
}

// Returns the definition that a name refers to; null for a template parameter.
const Definition* definition_of(const Module& module, const Node& name) {
  const auto found = module.names.find(module.text.substr(name.where.start, name.where.end - name.where.start));
  return found == module.names.end() ? nullptr : &module.definitions[found->second];
}

// Returns true if a regular expression has `*?`, `+?`, `??` or `{...}?`.
bool has_lazy_quantifier(std::string_view pattern) {
  bool in_class = false;
  for (std::size_t i = 1; i + 1 < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\') {
      ++i;
    } else if (in_class || c == '[') {
      in_class = c != ']';
    } else if ((c == '*' || c == '+' || c == '?' || c == '}') && pattern[i + 1] == '?') {
      return true;
    }
  }
  return false;
}

// Appends the look-ahead and the word boundaries that stand last in the regular expression at `where`.
void list_last_assertions(std::string_view text, SourceRange where, const Limits& limits,
                          std::vector<SourceRange>& out) {
  using Kind = regex::Node::Kind;
  const Result<SlashedRegex> read = read_slashes(text, where, regex::Dialect::kRust);
  if (!read || read->pattern.find_first_of("\\?") == std::string_view::npos) return;
  const Result<regex::SyntaxTree> tree = regex::parse_pattern(read->pattern, read->options, limits);
  if (!tree) return;
  std::vector<regex::NodeId> last{tree->root};
  while (!last.empty()) {
    const regex::Node& node = (*tree)[last.back()];
    last.pop_back();
    const auto children = tree->children_of(node);
    switch (node.kind) {
      case Kind::kConcat: last.push_back(children.back()); break;
      case Kind::kAlternation:
      case Kind::kIntersection:
      case Kind::kRepeat: last.insert(last.end(), children.begin(), children.end()); break;
      case Kind::kLookAhead:
      case Kind::kNotLookAhead:
      case Kind::kWordBoundary:
      case Kind::kNotWordBoundary:
        out.push_back({where.start + 1 + node.where.start, where.start + 1 + node.where.end});
        break;
      default: break;
    }
  }
}

}  // namespace

std::vector<SourceRange> RegularBodies::assertions_at_end(const Module& module, std::uint32_t root) {
  std::vector<SourceRange> found;
  std::vector<std::uint32_t> last{root};
  while (!last.empty()) {
    const std::uint32_t id = last.back();
    last.pop_back();
    if (ends_[id]) continue;
    ends_[id] = true;
    const Node& node = tree_.nodes[id];
    const auto children = tree_.children_of(node);
    switch (node.kind) {
      case NodeKind::kRegex: list_last_assertions(module.text, node.where, limits_, found); break;
      case NodeKind::kSequence:
        if (!children.empty()) last.push_back(children.back());
        break;
      case NodeKind::kChoice:
      case NodeKind::kRepeat:
      case NodeKind::kAnd: last.insert(last.end(), children.begin(), children.end()); break;
      case NodeKind::kName: {
        const Definition* definition = definition_of(module, node);
        if (definition->common_name.empty()) last.push_back(definition->body);
        break;
      }
      default: break;
    }
  }
  return found;
}

Result<ExprId> RegularBodies::first_match_of(const Module& module, std::uint32_t node) {
  Result<ExprId> whole = expr_of(module, node);
  if (!whole || !lazy_[node]) return whole;
  const ExprId more = exprs_.concat(*whole, exprs_.repeat(exprs_.any_byte(), 1, regex::kUnbounded));
  return exprs_.difference(*whole, more);
}

Result<ExprId> RegularBodies::expr_of(const Module& module, std::uint32_t root) {
  stack_.assign(1, root);
  while (!stack_.empty()) {
    const std::uint32_t id = stack_.back();
    const Node& node = tree_.nodes[id];
    if (states_[id] == State::kDone) {
      stack_.pop_back();
      continue;
    }
    if (auto done = dependencies(module, node); !done) return tl::unexpected(std::move(done.error()));
    if (states_[id] == State::kNew) {
      states_[id] = State::kOpen;
      for (const std::uint32_t below : dependencies_) {
        if (states_[below] == State::kOpen) return tl::unexpected(recursion(module, node));
        if (states_[below] == State::kNew) stack_.push_back(below);
      }
      continue;
    }
    const Result<ExprId> value = combine(module, node);
    if (!value) return value;
    if (*value == ExprId::kOverflow) return tl::unexpected(regex::overflow_error(exprs_, node.where));
    values_[id] = *value;
    const SourceRange where = node.where;
    lazy_[id] =
        node.kind == NodeKind::kRegex && has_lazy_quantifier(module.text.substr(where.start, where.end - where.start));
    for (const std::uint32_t below : dependencies_) lazy_[id] = lazy_[id] || lazy_[below];
    states_[id] = State::kDone;
    stack_.pop_back();
  }
  return values_[root];
}

// Sets dependencies_ to the nodes that must be known before this one.
Result<void> RegularBodies::dependencies(const Module& module, const Node& node) {
  dependencies_.clear();
  switch (node.kind) {
    case NodeKind::kToken:
      return not_regular(node, "a special token", "special tokens are not text; use it in a rule instead");
    case NodeKind::kJson: return not_regular(node, "`%json`", "a schema is not regular; use it in a rule instead");
    case NodeKind::kModule:
    case NodeKind::kGrammar: return not_regular(node, "a grammar", "it need not be regular; use it in a rule instead");
    case NodeKind::kGuard: return not_regular(node, "a condition", "conditions belong to rules with a parameter");
    case NodeKind::kName: {
      const Definition* definition = definition_of(module, node);
      if (definition == nullptr) return not_regular(node, "a template's parameter", {});
      if (!definition->is_terminal) {
        return not_regular(
            node, "the rule `" + definition->name + "`",
            "terminals are made of strings, regular expressions and terminals, whose names are upper case");
      }
      if (definition->is_declared) {
        return not_regular(node, "`" + definition->name + "`, which has no text of its own",
                           "an indent or a dedent is a part of a rule");
      }
      if (definition->common_name.empty()) dependencies_.push_back(definition->body);
      return {};
    }
    default: break;
  }
  const auto children = tree_.children_of(node);
  dependencies_.assign(children.begin(), children.end());
  return {};
}

// Precondition: `dependencies_` are those of the node, and their values are known.
Result<ExprId> RegularBodies::combine(const Module& module, const Node& node) {
  parts_.clear();
  for (const std::uint32_t below : dependencies_) parts_.push_back(values_[below]);
  switch (node.kind) {
    case NodeKind::kString: return string_expr(exprs_, module.text, node.where);
    case NodeKind::kRange: return range_expr(exprs_, module.text, node.where, node.second);
    case NodeKind::kRegex: return slashed_regex(exprs_, module.text, node.where, regex::Dialect::kRust, limits_);
    case NodeKind::kSubstring: return substring_expr(exprs_, module.text, node.where, limits_);
    case NodeKind::kName: {
      if (!parts_.empty()) return parts_[0];
      return common_terminal(*definition_of(module, node));
    }
    case NodeKind::kSequence: return exprs_.concat(parts_);
    case NodeKind::kChoice: return exprs_.alternation(parts_);
    case NodeKind::kRepeat: return exprs_.repeat(parts_[0], node.min, node.max);
    case NodeKind::kAnd: return exprs_.intersection(parts_);
    case NodeKind::kNot: {
      const ExprId texts = exprs_.repeat(regex::any_code_point(exprs_), 0, regex::kUnbounded);
      return exprs_.difference(texts, parts_[0]);
    }
    default: return ExprId::kEpsilon;
  }
}

Result<ExprId> RegularBodies::common_terminal(const Definition& definition) {
  return regex::parse_regex(exprs_, common_terminal_pattern(definition.common_name), {}, limits_);
}

Result<ExprId> RegularBodies::expr_of_definition(const Module& module, std::uint32_t definition) {
  const Definition& terminal = module.definitions[definition];
  return terminal.common_name.empty() ? expr_of(module, terminal.body) : common_terminal(terminal);
}

Error RegularBodies::recursion(const Module& module, const Node& met) const {
  const Definition& definition = *definition_of(module, met);
  return {
      ErrorCode::kUnsupported,
      "the terminal `" + definition.name + "` refers to itself",
      met.where,
      "terminals have to be regular; write a repetition with `*` or `+`, or make it a rule, with a name in lower case",
      {}};
}

}  // namespace weir::frontend::lark
