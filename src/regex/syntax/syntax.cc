#include "regex/syntax/syntax.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "regex/expr/search_bounds.h"
#include "regex/syntax/ast.h"
#include "regex/syntax/parser.h"
#include "regex/syntax/parser_error.h"
#include "regex/syntax/syntax_tree.h"
#include "regex/unicode/unicode.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::regex {

namespace {

using Kind = Node::Kind;

Ast expression(ExprId e) { return {.expr = e}; }
bool is_expression(const Ast& ast) { return ast.kind == Ast::Kind::kExpr; }

/// Computes the values of a tree's nodes, children first: an expression or, for nodes with assertions, an Ast.
class Lowering {
 public:
  Lowering(ExprSet& exprs, const SyntaxTree& tree, const Limits& limits)
      : exprs_(exprs),
        tree_(tree),
        limits_(limits),
        any_(any_code_point(exprs)),
        any_text_(exprs.repeat(any_, 0, kUnbounded)),
        places_(tree.nodes.size(), Place::kInner),
        values_(tree.nodes.size()),
        levels_(tree.nodes.size(), 0),
        classes_(tree.classes.size()) {}

  Result<ExprId> run(bool search);

 private:
  /// The part of the text that a node's match spans.
  enum class Place : std::uint8_t {
    kInner,   ///< Some part of the text.
    kWhole,   ///< The whole text.
    kSearch,  ///< Some part of the text; the node's value is the language of the whole texts that contain such a part.
  };

  void mark_places(bool search);
  Result<ExprId> translated(const Ast& ast, SourceRange where);
  Result<Ast> lower(const Node& node, Place place);
  Ast lower_alternation(const Node& node);
  Result<Ast> lower_operands(const Node& node, Place place);
  Ast lower_repeat(const Node& node);
  Ast lower_sequence(std::span<const NodeId> terms, Place place);
  Ast concat(std::vector<Ast> parts);
  Ast look(Ast::Kind kind, Ast body);
  Ast word_boundary(const Node& node);
  ExprId class_expression(ClassId id);
  Ast take(NodeId id) { return std::move(values_[static_cast<std::size_t>(id)]); }

  ExprSet& exprs_;
  const SyntaxTree& tree_;
  const Limits& limits_;
  const ExprId any_;
  const ExprId any_text_;
  std::vector<Place> places_;
  std::vector<Ast> values_;
  std::vector<std::uint32_t> levels_;  ///< Upper bounds on the levels of the values; 0 for expressions.
  std::vector<std::optional<ExprId>> classes_;
};

Result<ExprId> Lowering::run(bool search) {
  mark_places(search);
  for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
    auto value = lower(tree_.nodes[i], places_[i]);
    if (!value) return tl::unexpected(value.error());
    if (value->expr == ExprId::kOverflow) return tl::unexpected(overflow_error(exprs_, tree_.nodes[i].where));
    if (!is_expression(*value)) {
      for (NodeId child : tree_.children_of(tree_.nodes[i])) {
        levels_[i] = std::max(levels_[i], levels_[static_cast<std::size_t>(child)] + 1);
      }
      if (levels_[i] > kAstLevels) {
        return limit_error(tree_.nodes[i].where, "groups around look-around are nested too deeply", "nesting");
      }
    }
    values_[i] = *std::move(value);
  }
  const Ast& root = values_[static_cast<std::size_t>(tree_.root)];
  return is_expression(root) ? Result<ExprId>(root.expr) : translated(root, tree_[tree_.root].where);
}

/// Returns the language of `ast`, which spans the whole text. Errors have the range `where`.
Result<ExprId> Lowering::translated(const Ast& ast, SourceRange where) {
  Result<ExprId> language = translate(exprs_, ast, limits_);
  if (!language) language.error().where = where;
  return language;
}

/// Computes places_ from the root down. Parents come after their children, so this is a backward loop.
void Lowering::mark_places(bool search) {
  places_[static_cast<std::size_t>(tree_.root)] = search ? Place::kSearch : Place::kWhole;
  for (std::size_t i = tree_.nodes.size(); i-- > 0;) {
    const Node& node = tree_.nodes[i];
    const bool spreads =
        node.kind == Kind::kAlternation ||
        (places_[i] == Place::kWhole && (node.kind == Kind::kIntersection || node.kind == Kind::kComplement));
    if (!spreads || places_[i] == Place::kInner) continue;
    for (NodeId child : tree_.children_of(node)) places_[static_cast<std::size_t>(child)] = places_[i];
  }
}

Result<Ast> Lowering::lower(const Node& node, Place place) {
  const auto children = tree_.children_of(node);
  const bool is_anchor = node.kind == Kind::kTextStart || node.kind == Kind::kTextEnd;
  const bool is_searched = place == Place::kSearch && node.kind != Kind::kAlternation && node.kind != Kind::kConcat;
  if (is_searched || (is_anchor && place == Place::kWhole)) {
    // Lowers the node itself as kInner, then treats it as a sequence of one term.
    auto part = lower(node, Place::kInner);
    if (!part) return part;
    const auto id = static_cast<std::size_t>(&node - tree_.nodes.data());
    values_[id] = *std::move(part);
    const NodeId term{static_cast<std::uint32_t>(id)};
    return lower_sequence({&term, 1}, place);
  }
  switch (node.kind) {
    case Kind::kLiteral: return expression(exprs_.literal(tree_.literal(node)));
    case Kind::kClass: return expression(class_expression(node.cls));
    case Kind::kConcat: return lower_sequence(children, place);
    case Kind::kAlternation: return lower_alternation(node);
    case Kind::kIntersection:
    case Kind::kComplement: return lower_operands(node, place);
    case Kind::kRepeat: return lower_repeat(node);
    case Kind::kLookAhead: return look(Ast::Kind::kLookAhead, take(children[0]));
    case Kind::kNotLookAhead: return look(Ast::Kind::kNotLookAhead, take(children[0]));
    case Kind::kLookBehind: return look(Ast::Kind::kLookBehind, take(children[0]));
    case Kind::kNotLookBehind: return look(Ast::Kind::kNotLookBehind, take(children[0]));
    case Kind::kTextStart: return look(Ast::Kind::kNotLookBehind, expression(any_));
    case Kind::kTextEnd: return look(Ast::Kind::kNotLookAhead, expression(any_));
    // A line start or end is a position that is not beside a character other than a line end.
    case Kind::kLineStart:
      return look(Ast::Kind::kNotLookBehind, expression(exprs_.difference(any_, class_expression(node.cls))));
    case Kind::kLineEnd:
      return look(Ast::Kind::kNotLookAhead, expression(exprs_.difference(any_, class_expression(node.cls))));
    case Kind::kFinalLineEnd: {
      const ExprId newline = exprs_.literal("\n");
      const ExprId more = exprs_.alternation(exprs_.difference(any_, newline), exprs_.concat(newline, any_));
      return look(Ast::Kind::kNotLookAhead, expression(more));
    }
    case Kind::kWordBoundary:
    case Kind::kNotWordBoundary: return word_boundary(node);
  }
  return expression(ExprId::kNothing);
}

Ast Lowering::lower_alternation(const Node& node) {
  std::vector<ExprId> plain;
  std::vector<Ast> branches;
  for (NodeId child : tree_.children_of(node)) {
    Ast branch = take(child);
    if (is_expression(branch)) {
      plain.push_back(branch.expr);
    } else {
      branches.push_back(std::move(branch));
    }
  }
  const ExprId joined = exprs_.alternation(plain);
  if (branches.empty() || joined == ExprId::kOverflow) return expression(joined);
  if (joined != ExprId::kNothing) branches.push_back(expression(joined));
  if (branches.size() == 1) return std::move(branches[0]);
  return {.kind = Ast::Kind::kAlternation, .children = std::move(branches)};
}

/// Lowers `&` and `~`, which are operations on languages. An operand with assertions also depends on the text around
/// its match, so it denotes a language only if it spans the whole text.
Result<Ast> Lowering::lower_operands(const Node& node, Place place) {
  std::vector<ExprId> operands;
  for (NodeId child : tree_.children_of(node)) {
    const Ast operand = take(child);
    if (is_expression(operand)) {
      operands.push_back(operand.expr);
      continue;
    }
    if (place != Place::kWhole) {
      return unsupported_error(
          tree_[child].where,
          node.kind == Kind::kComplement
              ? "`~` over anchors, word boundaries or look-around is not supported inside a pattern"
              : "`&` over anchors, word boundaries or look-around is not supported inside a pattern",
          "only where the operand spans the whole text; here use look-around instead");
    }
    const Result<ExprId> language = translated(operand, tree_[child].where);
    if (!language) return tl::unexpected(language.error());
    operands.push_back(*language);
  }
  if (node.kind == Kind::kComplement) return expression(exprs_.difference(any_text_, operands[0]));
  return expression(exprs_.intersection(operands));
}

Ast Lowering::lower_repeat(const Node& node) {
  Ast body = take(tree_.children_of(node)[0]);
  if (is_expression(body)) return expression(exprs_.repeat(body.expr, node.min, node.max));
  if (node.max == 0) return expression(ExprId::kEpsilon);
  Ast repeat = {.kind = Ast::Kind::kRepeat, .min = node.min, .max = node.max};
  repeat.children.push_back(std::move(body));
  return repeat;
}

/// Lowers a sequence. Anchors at its ends are dropped if the sequence is at that end of the text, since they always
/// hold. In a search, any text may precede a sequence without a leading anchor, and follow one without a trailing
/// anchor.
Ast Lowering::lower_sequence(std::span<const NodeId> terms, Place place) {
  bool at_start = place == Place::kWhole;
  bool at_end = place == Place::kWhole;
  if (place != Place::kInner) {
    for (; !terms.empty() && tree_[terms.front()].kind == Kind::kTextStart; at_start = true) terms = terms.subspan(1);
    for (; !terms.empty() && tree_[terms.back()].kind == Kind::kTextEnd; at_end = true)
      terms = terms.first(terms.size() - 1);
  }
  std::vector<Ast> parts;
  if (place == Place::kSearch && !at_start) parts.push_back(expression(any_text_));
  for (NodeId term : terms) parts.push_back(take(term));
  if (place == Place::kSearch && !at_end) parts.push_back(expression(any_text_));
  return concat(std::move(parts));
}

Ast Lowering::concat(std::vector<Ast> parts) {
  std::vector<Ast> joined;
  std::vector<ExprId> plain;
  const auto flush = [&] {
    if (!plain.empty()) joined.push_back(expression(exprs_.concat(plain)));
    plain.clear();
  };
  for (Ast& part : parts) {
    if (is_expression(part)) {
      // If one part never matches, neither does the sequence.
      if (part.expr == ExprId::kNothing) return part;
      plain.push_back(part.expr);
    } else {
      flush();
      joined.push_back(std::move(part));
    }
  }
  flush();
  if (joined.empty()) return expression(ExprId::kEpsilon);
  if (joined.size() == 1) return std::move(joined[0]);
  for (const Ast& part : joined) {
    if (part.expr == ExprId::kOverflow) return expression(ExprId::kOverflow);
  }
  return {.kind = Ast::Kind::kConcat, .children = std::move(joined)};
}

Ast Lowering::look(Ast::Kind kind, Ast body) {
  if (body.expr == ExprId::kOverflow) return body;
  Ast assertion = {.kind = kind};
  assertion.children.push_back(std::move(body));
  return assertion;
}

/// Lowers `\b`: a word character on exactly one side; and `\B`: on both sides or on none.
Ast Lowering::word_boundary(const Node& node) {
  const Ast word = expression(class_expression(node.cls));
  const bool same = node.kind == Kind::kNotWordBoundary;
  std::vector<Ast> sides;
  for (const bool before : {true, false}) {
    const bool after = before == same;
    std::vector<Ast> both;
    both.push_back(look(before ? Ast::Kind::kLookBehind : Ast::Kind::kNotLookBehind, word));
    both.push_back(look(after ? Ast::Kind::kLookAhead : Ast::Kind::kNotLookAhead, word));
    sides.push_back(concat(std::move(both)));
  }
  return {.kind = Ast::Kind::kAlternation, .children = std::move(sides)};
}

ExprId Lowering::class_expression(ClassId id) {
  const auto i = static_cast<std::size_t>(id);
  if (!classes_[i]) classes_[i] = utf8_set(exprs_, tree_.classes[i]);
  return *classes_[i];
}

}  // namespace

Result<ExprId> parse_regex(ExprSet& exprs, std::string_view pattern, const SyntaxOptions& options,
                           const Limits& limits) {
  const Result<SyntaxTree> tree = parse_pattern(pattern, options, limits);
  if (!tree) return tl::unexpected(tree.error());
  return Lowering(exprs, *tree, limits).run(options.search);
}

Error overflow_error(const ExprSet& exprs, SourceRange where) {
  if (exprs.is_full()) {
    return {ErrorCode::kLimitExceeded, "the regular expression is too large", where, {}, "regex_nodes"};
  }
  return {ErrorCode::kLimitExceeded,
          join({"an expression with look-around has more than ", std::to_string(ExprSet::kMaxHeight), " levels"}),
          where,
          {},
          "nesting"};
}

}  // namespace weir::regex
