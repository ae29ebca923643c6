#include "grammar/passes/fold.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grammar/passes/live.h"
#include "grammar/passes/loops.h"
#include "grammar/print.h"
#include "grammar/regular.h"
#include "grammar/search_bounds.h"
#include "regex/syntax/syntax.h"

namespace weir::grammar {

namespace {

using regex::ExprId;

class Folder {
 public:
  explicit Folder(Grammar& grammar)
      : grammar_(grammar),
        count_(grammar.nodes.size()),
        loops_(grammar.exprs),
        rule_uses_(grammar.rules.size(), 0),
        has_captures_(std::any_of(grammar.rules.begin(), grammar.rules.end(),
                                  [](const Rule& rule) { return rule.is_captured(); })),
        states_(count_, State::kNew),
        folds_(count_),
        renamed_(count_) {
    const Live live = find_live(grammar);
    for (std::size_t i = 0; i < count_; ++i) {
      renamed_[i] = NodeId{static_cast<std::uint32_t>(i)};
      if (live.nodes[i] && grammar.nodes[i].kind == NodeKind::kRule) ++rule_uses_[grammar.nodes[i].payload];
    }
  }

  Result<void> run() {
    visit_all(grammar_.rule(grammar_.start).body);
    std::vector<NodeId> bodies;
    for (const Rule& rule : grammar_.rules) bodies.push_back(finished_body(rule));
    for (std::size_t i = 0; i < bodies.size(); ++i) grammar_.rules[i].body = bodies[i];
    if (!overflow_) return {};
    return tl::unexpected(regex::overflow_error(grammar_.exprs, overflow_where_));
  }

 private:
  enum class State : std::uint8_t { kNew, kOpen, kDone };

  // The language of a node if it is regular. The loops of a terminal are found when it has something to be joined with;
  // until then it counts as regular, whether it is a unit or not.
  struct Fold {
    bool regular = false;
    ExprId expr = ExprId::kNothing;
    std::uint32_t leaves = 0;
    Loops loops = {};
    std::optional<std::uint32_t> terminal = {};  // whose loops are to be found
  };

  [[nodiscard]] static std::uint32_t index(NodeId id) { return static_cast<std::uint32_t>(id); }
  [[nodiscard]] Fold& fold(NodeId id) { return folds_[index(id)]; }
  [[nodiscard]] bool may_be_regular(NodeId id) const { return folds_[index(id)].regular; }
  bool is_regular(NodeId id) {
    Fold& known = fold(id);
    if (known.regular && known.terminal) {
      known.loops = loops_.loops_of(grammar_.terminals[*known.terminal]);
      known.regular = !known.loops.is_unit();
      known.terminal.reset();
    }
    return known.regular;
  }

  // Post-order: a node is folded after its children, or after the body of the rule that it refers to. If that body is
  // still open, the rule is recursive.
  void visit_all(NodeId root) {
    stack_.assign(1, root);
    while (!stack_.empty()) {
      const NodeId id = stack_.back();
      State& state = states_[index(id)];
      if (state != State::kNew) {
        stack_.pop_back();
        if (state == State::kOpen) close(id);
        state = State::kDone;
        continue;
      }
      state = State::kOpen;
      const Node& node = grammar_.node(id);
      if (node.kind == NodeKind::kRule) push(grammar_.rules[node.payload].body);
      for (const NodeId child : grammar_.children_of(node)) push(child);
    }
  }

  void push(NodeId id) {
    if (states_[index(id)] == State::kNew) stack_.push_back(id);
  }

  void close(NodeId id) {
    const Node node = grammar_.node(id);
    switch (node.kind) {
      case NodeKind::kEmpty: fold(id) = {true, ExprId::kEpsilon, 0}; break;
      case NodeKind::kTokens:
      case NodeKind::kLazy: break;
      case NodeKind::kTerminal: close_terminal(id, node.payload); break;
      case NodeKind::kRule: close_rule(id, node); break;
      case NodeKind::kSequence: close_sequence(id, node); break;
      case NodeKind::kChoice: close_choice(id, node); break;
      case NodeKind::kRepeat: close_repeat(id, node); break;
    }
  }

  void close_terminal(NodeId id, std::uint32_t number) {
    const Terminal& terminal = grammar_.terminals[number];
    if (terminal.mode == base::LexemeMode::kExact) fold(id) = {true, terminal.expr, 1, {}, number};
  }

  void close_rule(NodeId id, const Node& node) {
    const Rule& rule = grammar_.rules[node.payload];
    if (rule.is_marked() || rule.follow != ExprId::kAllStrings || rule.is_one_of_many) return;
    const NodeId body = rule.body;
    if (states_[index(body)] != State::kDone) return;
    const Fold& inside = fold(body);
    if (!inside.regular || inside.loops.is_unit()) return;
    if (inside.leaves > kSharedLeaves && rule_uses_[node.payload] > 1) return;
    fold(id) = inside;
  }

  // Returns the combination of all children if they are all regular.
  std::optional<Fold> fold_children(const Node& node) {
    Fold whole{true, ExprId::kNothing, 0};
    parts_.clear();
    const auto children = grammar_.children_of(node);
    if (!std::ranges::all_of(children, [&](NodeId child) { return may_be_regular(child); })) return std::nullopt;
    for (const NodeId child : children) {
      if (!is_regular(child)) return std::nullopt;
      const Fold& part = fold(child);
      whole.leaves += std::min(part.leaves, UINT32_MAX - whole.leaves);
      if (parts_.empty()) {
        whole.loops = part.loops;
      } else if (node.kind == NodeKind::kSequence) {
        whole.loops = loops_of_sequence(whole.loops, part.loops, grammar_.exprs.nullable(part.expr));
      } else {
        whole.loops = loops_of_choice(whole.loops, part.loops);
      }
      parts_.push_back(part.expr);
    }
    if (node.kind != NodeKind::kChoice && whole.leaves > kSequenceLeaves) return std::nullopt;
    if (node.kind == NodeKind::kRepeat) whole.loops = loops_of_repeat(whole.loops, node.max);
    whole.expr = combine(grammar_.exprs, node, parts_);
    check(whole.expr, node.where);
    return whole;
  }

  void close_sequence(NodeId id, const Node& node) {
    if (const auto whole = fold_children(node)) {
      fold(id) = *whole;
      return;
    }
    const std::vector<NodeId> children = copied_children(node);
    std::vector<NodeId> joined;
    for (std::size_t i = 0; i < children.size();) {
      std::size_t end = i;
      std::uint32_t leaves = 0;
      const bool has_next = i + 1 < children.size() && may_be_regular(children[i + 1]);
      while (has_next && end < children.size() && is_regular(children[end]) &&
             fold(children[end]).leaves <= kSequenceLeaves - leaves) {
        leaves += fold(children[end++]).leaves;
      }
      if (end < i + 2) end = i + 1;
      const std::span run = std::span(children).subspan(i, end - i);
      joined.push_back(run.size() > 1 ? joined_terminal(NodeKind::kSequence, run) : renamed(run[0]));
      i = end;
    }
    if (joined != children) renamed_[index(id)] = grammar_.add_sequence(joined, node.where);
  }

  void close_choice(NodeId id, const Node& node) {
    if (const auto whole = fold_children(node)) {
      fold(id) = *whole;
      return;
    }
    // Regular alternatives become one, at the position of the first one. The empty alternative stays separate, because
    // a rule can be empty, while a nullable terminal would have to be split again.
    const std::vector<NodeId> children = copied_children(node);
    const auto is_candidate = [&](NodeId child) { return child != NodeId::kEmpty && may_be_regular(child); };
    const bool can_join = std::ranges::count_if(children, is_candidate) > 1;
    std::vector<NodeId> regular;
    std::vector<NodeId> joined;
    std::size_t place = 0;
    const auto join = [&] {
      if (!regular.empty()) {
        joined[place] = regular.size() > 1 ? joined_terminal(NodeKind::kChoice, regular) : renamed(regular[0]);
      }
      regular.clear();
    };
    for (const NodeId child : children) {
      if (can_join && child != NodeId::kEmpty && is_regular(child)) {
        if (regular.empty()) {
          place = joined.size();
          joined.push_back(child);
        }
        regular.push_back(child);
      } else {
        if (has_captures_ && child != NodeId::kEmpty) join();
        joined.push_back(renamed(child));
      }
    }
    join();
    if (joined != children) renamed_[index(id)] = grammar_.add_choice(joined, node.where);
  }

  void close_repeat(NodeId id, const Node& node) {
    if (const auto whole = fold_children(node)) {
      fold(id) = *whole;
      return;
    }
    const NodeId child = grammar_.children_of(node)[0];
    const NodeId part = renamed(child);
    if (part != child) renamed_[index(id)] = grammar_.add_repeat(part, node.min, node.max, node.where);
  }

  // Returns a copy of the node's children. Adding nodes reallocates the vector that children_of refers to.
  [[nodiscard]] std::vector<NodeId> copied_children(const Node& node) const {
    const auto children = grammar_.children_of(node);
    return {children.begin(), children.end()};
  }

  // Returns the replacement for the node in a parent that is not regular: a terminal, if the node is regular and
  // composite.
  NodeId renamed(NodeId id) {
    const Node& node = grammar_.node(id);
    const bool composite = node.kind == NodeKind::kSequence || node.kind == NodeKind::kChoice ||  //
                           node.kind == NodeKind::kRepeat;
    if (composite && fold(id).regular && renamed_[index(id)] == id) {
      renamed_[index(id)] = make_terminal(fold(id).expr, id, {}, node.where);
    }
    return renamed_[index(id)];
  }

  // Makes one terminal for adjacent children of a sequence, or for alternatives of a choice.
  NodeId joined_terminal(NodeKind kind, std::span<const NodeId> run) {
    const SourceRange where{grammar_.node(run.front()).where.start, grammar_.node(run.back()).where.end};
    const NodeId node =
        kind == NodeKind::kSequence ? grammar_.add_sequence(run, where) : grammar_.add_choice(run, where);
    parts_.clear();
    for (const NodeId part : run) parts_.push_back(fold(part).expr);
    const ExprId expr = combine(grammar_.exprs, grammar_.node(node), parts_);
    check(expr, where);
    return make_terminal(expr, node, {}, where);
  }

  NodeId make_terminal(ExprId expr, NodeId node, std::string name, SourceRange where) {
    if (name.empty()) {
      name = to_ebnf(grammar_, node, kTerminalNameBytes, &texts_);
      if (grammar_.node(node).kind == NodeKind::kChoice) name = "(" + name + ")";
    }
    std::string text = to_expanded_ebnf(grammar_, node, kTerminalTextBytes, &texts_);
    return grammar_.add_terminal({expr, base::LexemeMode::kExact, std::move(name), where, std::move(text)});
  }

  // Returns the new body of a rule: a terminal with the rule's name if the body is regular.
  NodeId finished_body(const Rule& rule) {
    const NodeId body = rule.body;
    const Node& node = grammar_.node(body);
    if (states_[index(body)] != State::kDone || rule.generated) return renamed(body);
    if (node.kind == NodeKind::kTerminal) {
      Terminal named = grammar_.terminals[node.payload];
      if (named.text.starts_with('"') || named.text.starts_with('\''))
        return body;  // the literal says more than the name
      named.name = rule.name;
      return grammar_.add_terminal(std::move(named));
    }
    const bool composite = node.kind != NodeKind::kRule && node.kind != NodeKind::kEmpty;
    if (!composite || !fold(body).regular) return renamed(body);
    return make_terminal(fold(body).expr, body, rule.name, rule.where);
  }

  void check(ExprId expr, SourceRange where) {
    if (expr != ExprId::kOverflow || overflow_) return;
    overflow_ = true;
    overflow_where_ = where;
  }

  Grammar& grammar_;
  std::size_t count_;  // nodes before the pass
  LoopFinder loops_;
  std::vector<std::uint32_t> rule_uses_;
  bool has_captures_;
  std::vector<State> states_;
  std::vector<Fold> folds_;
  std::vector<NodeId> renamed_;
  ExprTexts texts_;  // of the terminals that names and texts of others consist of
  std::vector<NodeId> stack_;
  std::vector<ExprId> parts_;
  bool overflow_ = false;
  SourceRange overflow_where_;
};

}  // namespace

Result<void> fold_regular(Grammar& grammar) { return Folder(grammar).run(); }

}  // namespace weir::grammar
