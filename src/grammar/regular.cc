#include "grammar/regular.h"

#include <algorithm>
#include <optional>
#include <string>

#include "regex/analysis/prefix_closure.h"
#include "regex/syntax/syntax.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::grammar {

using regex::ExprId;

ExprId combine(regex::ExprSet& exprs, const Node& node, std::span<const ExprId> children) {
  switch (node.kind) {
    case NodeKind::kSequence: return exprs.concat(children);
    case NodeKind::kChoice: return exprs.alternation(children);
    case NodeKind::kRepeat: return exprs.repeat(children[0], node.min, node.max);
    default: return ExprId::kEpsilon;
  }
}

namespace {

class Resolver {
 public:
  Resolver(Grammar& grammar, std::span<const RegularOperation> operations, std::vector<Warning>& warnings)
      : grammar_(grammar),
        operations_(operations),
        warnings_(warnings),
        operation_of_(grammar.terminals.size(), kNone),
        has_look_ahead_(grammar.rules.size(), false),
        states_(grammar.nodes.size(), State::kNew),
        exprs_(grammar.nodes.size(), ExprId::kNothing) {
    for (std::size_t i = 0; i < operations.size(); ++i) {
      if (operations[i].kind == RegularOperation::Kind::kLookAhead) {
        has_look_ahead_[static_cast<std::uint32_t>(operations[i].rule)] = true;
        continue;
      }
      operation_of_[static_cast<std::uint32_t>(operations[i].result)] = static_cast<std::uint32_t>(i);
    }
  }

  Result<void> run() {
    for (const RegularOperation& operation : operations_) {
      auto done = work(operation);
      if (done) continue;
      if (!operation.is_lenient || done.error().code != ErrorCode::kUnsupported) return done;
      for (const NodeId id : stack_) {
        if (state(id) == State::kOpen) state(id) = State::kNew;
      }
      warnings_.push_back(
          {"the look-ahead is not enforced: " + done.error().message, operation.where, {}, "look-ahead"});
    }
    return {};
  }

 private:
  enum class State : std::uint8_t { kNew, kOpen, kDone };
  static constexpr std::uint32_t kNone = UINT32_MAX;

  [[nodiscard]] State& state(NodeId id) { return states_[static_cast<std::uint32_t>(id)]; }
  [[nodiscard]] ExprId& expr(NodeId id) { return exprs_[static_cast<std::uint32_t>(id)]; }

  Result<void> work(const RegularOperation& operation) {
    for (const NodeId operand : operation.operands) {
      if (auto done = visit(operand, operation); !done) return done;
    }
    return finish(operation);
  }

  // Sets `out` to the nodes whose expressions must be known before that of `node`.
  void dependencies(const Node& node, std::vector<NodeId>& out) const {
    out.clear();
    if (node.kind == NodeKind::kRule) {
      out.push_back(grammar_.rules[node.payload].body);
    } else if (node.kind == NodeKind::kTerminal && operation_of_[node.payload] != kNone) {
      out = operations_[operation_of_[node.payload]].operands;
    } else {
      const auto children = grammar_.children_of(node);
      out.assign(children.begin(), children.end());
    }
  }

  Result<void> visit(NodeId root, const RegularOperation& operation) {
    stack_.assign(1, root);
    while (!stack_.empty()) {
      const NodeId id = stack_.back();
      const Node& node = grammar_.node(id);
      if (state(id) == State::kDone) {
        stack_.pop_back();
        continue;
      }
      dependencies(node, dependencies_);
      if (state(id) == State::kNew) {
        if (auto error = refusal(node, operation)) return tl::unexpected(std::move(*error));
        state(id) = State::kOpen;
        for (const NodeId below : dependencies_) {
          // Only a rule's body can lead back up: everywhere else a child has a smaller id than its parent.
          if (state(below) == State::kOpen) return tl::unexpected(recursion(below, operation));
          if (state(below) == State::kNew) stack_.push_back(below);
        }
        continue;
      }
      if (auto done = close(id, node); !done) return done;
      stack_.pop_back();
    }
    return {};
  }

  std::optional<Error> refusal(const Node& node, const RegularOperation& operation) const {
    const char* what = nullptr;
    if (node.kind == NodeKind::kTokens) {
      what = grammar_.token_sets[node.payload].mark == LineMark::kNone ? "tokens" : "indentation";
    }
    if (node.kind == NodeKind::kLazy) what = "a schema";
    if (node.kind == NodeKind::kRule && grammar_.rules[node.payload].is_captured()) what = "a capture";
    if (node.kind == NodeKind::kRule && grammar_.rules[node.payload].max_tokens != kNoTokenLimit) {
      what = "a rule with `max_tokens`";
    }
    if (node.kind == NodeKind::kRule && grammar_.rules[node.payload].temperature != kNoTemperature) {
      what = "a rule with a temperature";
    }
    const bool has_look_ahead =
        node.kind == NodeKind::kRule &&
        (has_look_ahead_[node.payload] || grammar_.rules[node.payload].follow != ExprId::kAllStrings);
    if (has_look_ahead) what = "a rule with a look-ahead";
    if (node.kind == NodeKind::kTerminal) {
      const Terminal& terminal = grammar_.terminals[node.payload];
      base::LexemeMode mode = terminal.mode;
      if (operation_of_[node.payload] != kNone) mode = operations_[operation_of_[node.payload]].mode;
      if (mode == base::LexemeMode::kLazy) what = "a lazy terminal";
      if (mode == base::LexemeMode::kGreedy) what = "a greedy terminal";
      if (competes(mode)) what = "a terminal that competes with others";
    }
    if (what == nullptr) return std::nullopt;
    return Error{ErrorCode::kUnsupported,
                 "the operand of " + name_of(operation) + " holds " + what,
                 operation.where,
                 "operands are regular expressions over text",
                 {}};
  }

  // `met` is open already, so the rule references on the stack from it on form the cycle.
  Error recursion(NodeId met, const RegularOperation& operation) const {
    std::vector<std::string> names;
    bool inside = false;
    for (const NodeId id : stack_) {
      if (states_[static_cast<std::uint32_t>(id)] != State::kOpen) continue;
      const Node& node = grammar_.node(id);
      const bool is_rule = node.kind == NodeKind::kRule;
      inside = inside || id == met || (is_rule && grammar_.rules[node.payload].body == met);
      if (inside && is_rule) names.push_back(grammar_.rules[node.payload].name);
    }
    std::string cycle;
    constexpr std::size_t kShown = 8;
    for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) cycle += "`" + names[i] + "` -> ";
    if (names.size() > kShown) cycle += "... -> ";
    if (!names.empty()) cycle += "`" + names.front() + "`";
    return Error{ErrorCode::kUnsupported,
                 "the operand of " + name_of(operation) + " is recursive: " + cycle,
                 operation.where,
                 "operands have to be regular; write a repetition with `*` or `+`",
                 {}};
  }

  Result<void> close(NodeId id, const Node& node) {
    state(id) = State::kDone;
    switch (node.kind) {
      case NodeKind::kRule:
        expr(id) = expr(grammar_.rules[node.payload].body);
        grammar_.rules[node.payload].absorbed = true;
        return {};
      case NodeKind::kTerminal:
        if (operation_of_[node.payload] != kNone) {
          if (auto done = finish(operations_[operation_of_[node.payload]]); !done) return done;
        }
        expr(id) = grammar_.terminals[node.payload].expr;
        return {};
      default: break;
    }
    parts_.clear();
    for (const NodeId child : dependencies_) parts_.push_back(expr(child));
    expr(id) = combine(grammar_.exprs, node, parts_);
    return checked(expr(id), node.where);
  }

  Result<void> finish(const RegularOperation& operation) {
    regex::ExprSet& exprs = grammar_.exprs;
    parts_.clear();
    for (const NodeId operand : operation.operands) parts_.push_back(expr(operand));
    if (operation.kind == RegularOperation::Kind::kLookAhead) return finish_look_ahead(operation, parts_[0]);
    Terminal& terminal = grammar_.terminals[static_cast<std::uint32_t>(operation.result)];
    terminal.mode = operation.mode;
    switch (operation.kind) {
      case RegularOperation::Kind::kIntersection: terminal.expr = exprs.intersection(parts_); break;
      case RegularOperation::Kind::kComplement: {
        const ExprId texts = exprs.repeat(regex::any_code_point(exprs), 0, regex::kUnbounded);
        terminal.expr = exprs.difference(texts, parts_[0]);
        break;
      }
      case RegularOperation::Kind::kTerminal: terminal.expr = parts_[0]; break;
      case RegularOperation::Kind::kLookAhead: break;
    }
    return checked(terminal.expr, operation.where);
  }

  Result<void> finish_look_ahead(const RegularOperation& operation, ExprId ahead) {
    regex::ExprSet& exprs = grammar_.exprs;
    ExprId met = exprs.concat(ahead, ExprId::kAllStrings);
    if (operation.is_lenient) {
      const std::optional<ExprId> cut = regex::prefix_closure(exprs, ahead);
      if (!cut) {
        return tl::unexpected(
            Error{ErrorCode::kUnsupported, "it holds an intersection, a complement or an assertion", operation.where});
      }
      met = exprs.alternation(met, *cut);
    }
    ExprId& follow = grammar_.rule(operation.rule).follow;
    follow = exprs.intersection(follow, met);
    return checked(follow, operation.where);
  }

  static std::string name_of(const RegularOperation& operation) {
    if (!operation.name.empty()) return std::string(operation.name);
    switch (operation.kind) {
      case RegularOperation::Kind::kIntersection: return "`&`";
      case RegularOperation::Kind::kComplement: return "`~`";
      case RegularOperation::Kind::kTerminal: return "`@" + std::string(base::name_of(operation.mode)) + "`";
      case RegularOperation::Kind::kLookAhead: return "`(=...)`";
    }
    return "";
  }

  [[nodiscard]] Result<void> checked(ExprId expr, SourceRange where) const {
    if (expr != ExprId::kOverflow) return {};
    return tl::unexpected(regex::overflow_error(grammar_.exprs, where));
  }

  Grammar& grammar_;
  std::span<const RegularOperation> operations_;
  std::vector<Warning>& warnings_;
  std::vector<std::uint32_t> operation_of_;  // by terminal
  std::vector<bool> has_look_ahead_;         // by rule
  std::vector<State> states_;                // by node
  std::vector<ExprId> exprs_;                // by node
  std::vector<NodeId> stack_;
  std::vector<NodeId> dependencies_;
  std::vector<ExprId> parts_;
};

}  // namespace

Result<void> resolve(Grammar& grammar, std::span<const RegularOperation> operations, std::vector<Warning>& warnings) {
  return Resolver(grammar, operations, warnings).run();
}

}  // namespace weir::grammar
