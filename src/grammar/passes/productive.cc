#include "grammar/passes/productive.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/limit_error.h"
#include "base/strong_components.h"
#include "grammar/passes/live.h"
#include "regex/analysis/members.h"
#include "regex/syntax/syntax.h"

namespace weir::grammar {

namespace {

class Productive {
 public:
  Productive(Grammar& grammar, const Limits& limits)
      : grammar_(grammar), limits_(limits), live_(find_live(grammar)), count_(grammar.nodes.size()) {}

  Result<void> run(std::vector<Warning>* warnings) {
    if (auto done = find(); !done) return done;
    endless_.assign(count_, false);
    if (grammar_.keeps_endless) {
      if (auto done = find_endless(); !done) return done;
    }
    if (!kept(grammar_.rule(grammar_.start).body)) return tl::unexpected(unsatisfiable());
    if (warnings != nullptr) report(*warnings);
    remove();
    return {};
  }

 private:
  [[nodiscard]] static std::uint32_t index(NodeId id) { return static_cast<std::uint32_t>(id); }
  [[nodiscard]] bool productive(NodeId id) const { return done_[index(id)]; }
  /// For nodes that derive no finite string: returns true if they derive endless text.
  [[nodiscard]] bool endless(NodeId id) const { return endless_[index(id)]; }
  [[nodiscard]] bool kept(NodeId id) const { return productive(id) || endless(id); }
  [[nodiscard]] bool rule_kept(std::size_t rule) const { return kept(grammar_.rules[rule].body); }

  // Lists the parents of each node in one array; begin_ has the start of each node's list. Rule references are parents
  // of the rule's body.
  void link_parents() {
    begin_.assign(count_ + 1, 0);
    for_each_edge([&](NodeId child, std::size_t) { ++begin_[index(child) + 1]; });
    for (std::size_t i = 0; i < count_; ++i) begin_[i + 1] += begin_[i];
    parents_.resize(begin_[count_]);
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for_each_edge([&](NodeId child, std::size_t parent) {
      parents_[next[index(child)]++] = NodeId{static_cast<std::uint32_t>(parent)};
    });
  }

  template <typename Visit>
  void for_each_edge(Visit visit) const {
    for (std::size_t i = 0; i < count_; ++i) {
      if (!live_.nodes[i]) continue;
      const Node& node = grammar_.nodes[i];
      if (node.kind == NodeKind::kRule) visit(grammar_.rules[node.payload].body, i);
      for (const NodeId child : grammar_.children_of(node)) visit(child, i);
    }
  }

  Result<void> find() {
    link_parents();
    open_.assign(count_, 1);
    done_.assign(count_, false);
    for (std::size_t i = 0; i < count_; ++i) {
      if (!live_.nodes[i]) continue;
      const Node& node = grammar_.nodes[i];
      switch (node.kind) {
        case NodeKind::kSequence: open_[i] = node.child_count; break;
        case NodeKind::kRepeat: open_[i] = node.min == 0 ? 0 : 1; break;
        case NodeKind::kRule:
        case NodeKind::kChoice: break;
        case NodeKind::kTerminal: {
          const Result<bool> matches = matches_something(grammar_.terminals[node.payload]);
          if (!matches) return tl::unexpected(matches.error());
          open_[i] = *matches ? 0 : 1;
          break;
        }
        case NodeKind::kTokens:
        case NodeKind::kLazy:  // not empty, by the contract of RuleSource
        case NodeKind::kEmpty: open_[i] = 0; break;
      }
      if (open_[i] == 0) settle(NodeId{static_cast<std::uint32_t>(i)});
    }
    while (!pending_.empty()) {
      const std::uint32_t node = index(pending_.back());
      pending_.pop_back();
      for (std::size_t i = begin_[node]; i < begin_[node + 1]; ++i) {
        const std::uint32_t parent = index(parents_[i]);
        if (!done_[parent] && --open_[parent] == 0) settle(parents_[i]);
      }
    }
    return {};
  }

  void settle(NodeId id) {
    done_[index(id)] = true;
    pending_.push_back(id);
  }

  Result<bool> matches_something(const Terminal& terminal) {
    const regex::Emptiness emptiness = regex::emptiness(grammar_.exprs, terminal.expr, limits_.regex_fuel);
    if (emptiness != regex::Emptiness::kUnknown) return emptiness == regex::Emptiness::kNonEmpty;
    if (grammar_.exprs.is_full()) return tl::unexpected(regex::overflow_error(grammar_.exprs, terminal.where));
    return tl::unexpected(
        base::limit_error("finding out whether " + terminal.name + " matches anything", "regex_fuel", terminal.where));
  }

  bool takes_text(const Terminal& terminal) {
    if (!grammar_.exprs.nullable(terminal.expr)) return true;
    if (terminal.mode == base::LexemeMode::kLazy) return false;  // ends before its first byte
    const regex::ExprId some = grammar_.exprs.difference(terminal.expr, regex::ExprId::kEpsilon);
    return regex::emptiness(grammar_.exprs, some, limits_.regex_fuel) == regex::Emptiness::kNonEmpty;
  }

  // Finds the productive nodes that derive a non-empty string, by the same kind of fixed point as productive nodes.
  void find_texts() {
    has_text_.assign(count_, false);
    std::vector<NodeId> pending;
    const auto settle = [&](NodeId id) {
      if (has_text_[index(id)] || !productive(id)) return;
      has_text_[index(id)] = true;
      pending.push_back(id);
    };
    for (std::size_t i = 0; i < count_; ++i) {
      const Node& node = grammar_.nodes[i];
      const NodeId id{static_cast<std::uint32_t>(i)};
      if (node.kind == NodeKind::kTokens || node.kind == NodeKind::kLazy) settle(id);
      if (node.kind == NodeKind::kTerminal && done_[i] && takes_text(grammar_.terminals[node.payload])) settle(id);
    }
    while (!pending.empty()) {
      const std::uint32_t node = index(pending.back());
      pending.pop_back();
      for (std::size_t i = begin_[node]; i < begin_[node + 1]; ++i) {
        const Node& parent = grammar_.node(parents_[i]);
        if (parent.kind != NodeKind::kRepeat || parent.max > 0) settle(parents_[i]);
      }
    }
  }

  // A leftmost derivation of a node without a finite string continues in its first child without one.
  Result<void> find_endless() {
    find_texts();
    std::vector<std::vector<std::uint32_t>> edges(count_);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_after_text;
    for (std::uint32_t i = 0; i < count_; ++i) {
      const Node& node = grammar_.nodes[i];
      if (!live_.nodes[i] || done_[i]) continue;
      if (node.kind == NodeKind::kRule) edges[i].push_back(index(grammar_.rules[node.payload].body));
      bool text = false;
      for (const NodeId child : grammar_.children_of(node)) {
        if (!productive(child)) edges[i].push_back(index(child));
        if (node.kind != NodeKind::kSequence) continue;
        if (!productive(child)) {
          if (text) edges_after_text.emplace_back(i, index(child));
          break;
        }
        text = text || has_text_[index(child)];
      }
    }
    const auto components = base::strong_components(edges);
    std::vector<std::uint32_t> component(count_);
    for (std::uint32_t c = 0; c < components.size(); ++c) {
      for (const std::uint32_t member : components[c]) component[member] = c;
    }
    std::vector<std::vector<std::uint32_t>> sources(count_);
    for (std::uint32_t i = 0; i < count_; ++i) {
      for (const std::uint32_t to : edges[i]) sources[to].push_back(i);
    }
    std::vector<std::uint32_t> pending;
    const auto settle = [&](std::uint32_t node) {
      if (endless_[node]) return;
      endless_[node] = true;
      pending.push_back(node);
    };
    for (const auto& [from, to] : edges_after_text) {
      if (component[from] == component[to]) settle(from);
    }
    const bool found = !pending.empty();
    while (!pending.empty()) {
      const std::uint32_t node = pending.back();
      pending.pop_back();
      for (const std::uint32_t source : sources[node]) settle(source);
    }
    return found ? check_modes() : Result<void>();
  }

  [[nodiscard]] Result<void> check_modes() const {
    for (std::size_t i = 0; i < count_; ++i) {
      const Node& node = grammar_.nodes[i];
      if (!live_.nodes[i] || node.kind != NodeKind::kTerminal) continue;
      const Terminal& terminal = grammar_.terminals[node.payload];
      if (terminal.mode != base::LexemeMode::kGreedy) continue;
      return tl::unexpected(
          Error{ErrorCode::kUnsupported,
                "greedy terminal " + terminal.name + " is not supported in a grammar that may go on forever",
                node.where,
                "leave out the greedy mode, or do not keep rules without an end",
                {}});
    }
    return {};
  }

  // Follows the missing parts from the start rule to the first terminal with an empty language or the first rule
  // visited twice.
  [[nodiscard]] Error unsatisfiable() const {
    const Rule& start = grammar_.rule(grammar_.start);
    Error error{ErrorCode::kUnsatisfiable,
                "no text matches: rule `" + start.name + "` derives no finite string",
                start.where,
                {},
                {}};
    std::vector<bool> seen(grammar_.rules.size(), false);
    NodeId at = start.body;
    seen[static_cast<std::uint32_t>(grammar_.start)] = true;
    for (;;) {
      const Node& node = grammar_.node(at);
      if (node.kind == NodeKind::kTerminal) {
        const std::string& name = grammar_.terminals[node.payload].name;
        error.where = node.where;
        if (at == start.body) {  // as in the grammar of a regular expression, which has one rule
          error.message = "no text matches " + name;
        } else {
          error.hint = name + " matches no text";
        }
        return error;
      }
      if (node.kind == NodeKind::kRule) {
        const Rule& rule = grammar_.rules[node.payload];
        if (seen[node.payload]) {
          error.hint = "every way through `" + rule.name + "` leads back to it: it needs an alternative that ends";
          return error;
        }
        seen[node.payload] = true;
        at = rule.body;
        continue;
      }
      const auto children = grammar_.children_of(node);
      const auto open = std::find_if(children.begin(), children.end(), [&](NodeId id) { return !kept(id); });
      if (open == children.end()) return error;  // a choice without alternatives
      at = *open;
    }
  }

  void report(std::vector<Warning>& warnings) const {
    std::vector<bool> reported(grammar_.terminals.size(), false);
    for (std::size_t i = 0; i < count_; ++i) {
      const Node& node = grammar_.nodes[i];
      if (!live_.nodes[i] || done_[i] || node.kind != NodeKind::kTerminal || reported[node.payload]) continue;
      reported[node.payload] = true;
      warnings.push_back({grammar_.terminals[node.payload].name + " matches no text", node.where,
                          "the alternatives that need it are left out", "empty-terminal"});
    }
    for (std::size_t i = 0; i < grammar_.rules.size(); ++i) {
      const Rule& rule = grammar_.rules[i];
      if (!live_.rules[i] || rule.generated || rule_kept(i)) continue;
      warnings.push_back({"rule `" + rule.name + "` derives no finite string", rule.where,
                          "the alternatives that need it are left out", "endless-rule"});
    }
  }

  void remove() {
    std::vector<NodeId> renamed(count_);
    std::vector<NodeId> parts;
    for (std::size_t i = 0; i < count_; ++i) {
      renamed[i] = NodeId{static_cast<std::uint32_t>(i)};
      if (!live_.nodes[i] || !kept(renamed[i])) continue;
      const Node node = grammar_.nodes[i];
      const auto children = grammar_.children_of(node);
      parts.clear();
      bool changed = false;
      for (const NodeId child : children) {
        changed = changed || !kept(child) || renamed[index(child)] != child;
        if (kept(child)) parts.push_back(renamed[index(child)]);
        if (node.kind != NodeKind::kChoice && endless(child)) {  // nothing follows endless text
          changed = true;
          break;
        }
      }
      if (!changed) continue;
      if (node.kind == NodeKind::kRepeat && parts.empty()) {
        renamed[i] = NodeId::kEmpty;
      } else if (node.kind == NodeKind::kRepeat) {
        const bool once = endless(children[0]);  // there is no second round
        const bool is_part = once && node.min > 0;
        renamed[i] = is_part ? parts[0] : grammar_.add_repeat(parts[0], node.min, once ? 1 : node.max, node.where);
      } else if (node.kind == NodeKind::kChoice) {
        renamed[i] = grammar_.add_choice(parts, node.where);
      } else {
        renamed[i] = grammar_.add_sequence(parts, node.where);
      }
    }
    for (Rule& rule : grammar_.rules) rule.body = renamed[index(rule.body)];
  }

  Grammar& grammar_;
  const Limits& limits_;
  Live live_;
  std::size_t count_;  // nodes before the pass
  std::vector<std::size_t> begin_;
  std::vector<NodeId> parents_;
  std::vector<std::uint32_t> open_;  // number of missing parts of the node
  std::vector<bool> done_;
  std::vector<bool> has_text_;
  std::vector<bool> endless_;
  std::vector<NodeId> pending_;
};

}  // namespace

Result<void> remove_unproductive(Grammar& grammar, const Limits& limits, std::vector<Warning>* warnings) {
  return Productive(grammar, limits).run(warnings);
}

}  // namespace weir::grammar
