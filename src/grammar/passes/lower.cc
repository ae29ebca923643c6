#include "grammar/passes/lower.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "grammar/passes/live.h"

namespace weir::grammar {

namespace {

class Lowerer {
 public:
  Lowerer(Grammar grammar, const Limits& limits)
      : grammar_(std::move(grammar)),
        limits_(limits),
        draft_(std::move(grammar_.exprs)),
        references_(count_references()),
        symbol_of_(grammar_.nodes.size()),
        next_suffix_(grammar_.rules.size(), 1) {}

  Result<Draft> run() {
    draft_.terminals = std::move(grammar_.terminals);
    draft_.token_sets = std::move(grammar_.token_sets);
    for (std::shared_ptr<const RuleSource>& source : grammar_.sources) draft_.sources.push_back({std::move(source)});
    draft_.indentation = grammar_.indentation;
    draft_.separable = std::move(grammar_.separable);
    draft_.start = grammar_.start;
    for (const Rule& rule : grammar_.rules) {
      names_.insert(rule.name);
      draft_.add_rule({rule.name,
                       rule.where,
                       rule.generated,
                       {},
                       {},
                       rule.capture,
                       rule.follow,
                       rule.max_tokens,
                       rule.temperature,
                       rule.parts});
    }
    for (std::uint32_t i = 0; i < grammar_.rules.size(); ++i) {
      jobs_.push_back({RuleId{i}, grammar_.rules[i].body, std::nullopt, i});
      while (!jobs_.empty()) {
        const Job job = jobs_.back();
        jobs_.pop_back();
        expand(job);
        if (failed_) return tl::unexpected(std::move(error_));
      }
    }
    bound_start();
    return std::move(draft_);
  }

 private:
  // If the start rule has a token limit, makes it the only part of a new start rule without one.
  void bound_start() {
    if (draft_.rule(draft_.start).max_tokens == kNoTokenLimit) return;
    const RuleId inner = draft_.start;
    draft_.start = make_rule(static_cast<std::uint32_t>(inner), draft_.rule(inner).where);
    draft_.rule(draft_.start).productions.push_back({Symbol::rule(inner)});
  }

  struct Job {
    RuleId target;
    NodeId node;                 // its alternatives become productions of the target,
    std::optional<Symbol> tail;  // each followed by this symbol
    std::uint32_t owner;         // the user-written rule that it belongs to
  };

  std::vector<std::uint32_t> count_references() const {
    const Live live = find_live(grammar_);
    std::vector<std::uint32_t> counts(grammar_.nodes.size(), 0);
    for (std::size_t i = 0; i < grammar_.nodes.size(); ++i) {
      if (!live.nodes[i]) continue;
      for (const NodeId child : grammar_.children_of(grammar_.nodes[i])) ++counts[static_cast<std::uint32_t>(child)];
    }
    return counts;
  }

  // Returns true if the node's parts may replace it in its parent without being copied.
  [[nodiscard]] bool sole(NodeId id) const { return references_[static_cast<std::uint32_t>(id)] <= 1; }

  // Counts symbols before they are made. If there are too many, records the error and returns false.
  bool reserve(std::uint64_t symbols, SourceRange where) {
    symbols_ += symbols;
    if (symbols_ <= limits_.grammar_symbols) return true;
    if (!failed_) error_ = too_many_symbols(limits_, where);
    failed_ = true;
    return false;
  }

  void expand(const Job& job) {
    alternatives_.assign(1, job.node);
    while (!alternatives_.empty() && !failed_) {
      const NodeId id = alternatives_.back();
      alternatives_.pop_back();
      const Node& node = grammar_.node(id);
      if (node.kind == NodeKind::kChoice && (id == job.node || sole(id))) {
        const auto children = grammar_.children_of(node);
        alternatives_.insert(alternatives_.end(), children.rbegin(), children.rend());
        continue;
      }
      Production production;
      append_sequence(id, id == job.node, job.owner, production);
      if (job.tail) production.push_back(*job.tail);
      add_production(job.target, std::move(production), node.where);
    }
  }

  void add_production(RuleId target, Production production, SourceRange where) {
    if (reserve(production.size() + 1, where)) draft_.rule(target).productions.push_back(std::move(production));
  }

  // `root` is true if the node is the job's own, so that its parts belong to the target even if it has other parents.
  void append_sequence(NodeId node_id, bool root, std::uint32_t owner, Production& out) {
    sequence_.assign(1, node_id);
    bool first = root;
    while (!sequence_.empty() && !failed_) {
      const NodeId id = sequence_.back();
      sequence_.pop_back();
      const Node& node = grammar_.node(id);
      const bool open = std::exchange(first, false) || sole(id);
      switch (node.kind) {
        case NodeKind::kEmpty: break;
        case NodeKind::kSequence: {
          if (!open) {
            out.push_back(symbol_of(id, owner));
            break;
          }
          const auto children = grammar_.children_of(node);
          sequence_.insert(sequence_.end(), children.rbegin(), children.rend());
          break;
        }
        case NodeKind::kRepeat: append_repeat(node, owner, out); break;
        default: out.push_back(symbol_of(id, owner)); break;
      }
    }
  }

  void append_repeat(const Node& node, std::uint32_t owner, Production& out) {
    const NodeId child = grammar_.children_of(node)[0];
    if (node.max == 0 || child == NodeId::kEmpty) return;
    if (node.min > 0) {
      // The symbols in `out` are not counted yet; add_production counts the production when it is complete.
      const std::size_t so_far = out.size() + node.min;
      if (!reserve(so_far, node.where)) return;
      symbols_ -= so_far;
      out.insert(out.end(), node.min, symbol_of(child, owner));
    }
    if (node.max == regex::kUnbounded) {
      out.push_back(star(child, owner, node.where));
    } else if (node.max > node.min) {
      if (const auto chain = optional_chain(child, node.max - node.min, owner, node.where)) out.push_back(*chain);
    }
  }

  // Returns one symbol for a node: the symbol of a leaf, or a rule made for the node.
  Symbol symbol_of(NodeId id, std::uint32_t owner) {
    const Node& node = grammar_.node(id);
    switch (node.kind) {
      case NodeKind::kTerminal: return Symbol::terminal(TerminalId{node.payload});
      case NodeKind::kTokens: return Symbol::tokens(TokenSetId{node.payload});
      case NodeKind::kRule: return Symbol::rule(RuleId{node.payload});
      default: break;
    }
    std::optional<Symbol>& known = symbol_of_[static_cast<std::uint32_t>(id)];
    if (!known) {
      const RuleId rule = make_rule(owner, node.where);
      known = Symbol::rule(rule);
      if (node.kind == NodeKind::kLazy) {
        draft_.rule(rule).lazy = grammar_.lazy_rules[node.payload];
      } else {
        jobs_.push_back({rule, id, std::nullopt, owner});
      }
    }
    return *known;
  }

  // r ::= child r | ε
  Symbol star(NodeId child, std::uint32_t owner, SourceRange where) {
    const auto [found, is_new] = stars_.try_emplace(static_cast<std::uint32_t>(child));
    if (is_new) {
      const RuleId rule = make_rule(owner, where);
      found->second = Symbol::rule(rule);
      add_production(rule, {}, where);
      jobs_.push_back({rule, child, found->second, owner});
    }
    return found->second;
  }

  // r.k ::= child r.(k-1) | ε, for k from 1 to count. Other repeats of the same symbol use the same rules.
  std::optional<Symbol> optional_chain(NodeId child, std::uint32_t count, std::uint32_t owner, SourceRange where) {
    constexpr std::uint64_t kSymbolsPerLink = 4;  // child, next, two ends
    if (count == 1 && grammar_.node(child).kind != NodeKind::kRule) return single_option(child, owner, where);
    const Symbol symbol = symbol_of(child, owner);
    std::vector<Symbol>& chain = chains_[symbol_key(symbol)];
    if (count > chain.size()) {
      const std::uint64_t cost = (count - chain.size()) * kSymbolsPerLink;
      if (!reserve(cost, where)) return std::nullopt;
      symbols_ -= cost;
    }
    while (chain.size() < count) {
      const RuleId rule = make_rule(owner, where);
      Production link{symbol};
      if (!chain.empty()) link.push_back(chain.back());
      add_production(rule, std::move(link), where);
      add_production(rule, {}, where);
      chain.push_back(Symbol::rule(rule));
    }
    return chain[count - 1];
  }

  // r ::= each alternative of child | ε
  Symbol single_option(NodeId child, std::uint32_t owner, SourceRange where) {
    const RuleId rule = make_rule(owner, where);
    add_production(rule, {}, where);
    jobs_.push_back({rule, child, std::nullopt, owner});
    return Symbol::rule(rule);
  }

  static std::uint32_t symbol_key(Symbol symbol) {
    return (static_cast<std::uint32_t>(symbol.kind()) << 30) | symbol.index();
  }

  RuleId make_rule(std::uint32_t owner, SourceRange where) {
    std::string name;
    do {
      name = grammar_.rules[owner].name + "." + std::to_string(next_suffix_[owner]++);
    } while (names_.contains(name));
    return draft_.add_rule({std::move(name), where, true});
  }

  Grammar grammar_;
  const Limits& limits_;
  Draft draft_;
  std::vector<std::uint32_t> references_;                          // by node
  std::vector<std::optional<Symbol>> symbol_of_;                   // by node; set for nodes that became rules
  std::unordered_map<std::uint32_t, Symbol> stars_;                // by the node of the child
  std::unordered_map<std::uint32_t, std::vector<Symbol>> chains_;  // by symbol; [k - 1] derives at most k of them
  std::vector<std::uint32_t> next_suffix_;                         // by user-written rule
  std::unordered_set<std::string> names_;
  std::vector<Job> jobs_;
  std::vector<NodeId> alternatives_;
  std::vector<NodeId> sequence_;
  std::uint64_t symbols_ = 0;
  bool failed_ = false;
  Error error_;
};

}  // namespace

Result<Draft> lower(Grammar grammar, const Limits& limits) { return Lowerer(std::move(grammar), limits).run(); }

Error too_many_symbols(const Limits& limits, SourceRange where) {
  return {ErrorCode::kLimitExceeded, "the grammar has more than " + std::to_string(limits.grammar_symbols) + " symbols",
          where, "a bounded repeat of a part that is not regular is written out as often as its bound",
          "grammar_symbols"};
}

}  // namespace weir::grammar
