// Reach: finds the cheapest way from a node to a goal. It is the one search for all questions of that form.
//
// WHAT   A *graph* is a question: its nodes, what a step costs, which nodes are goals. "Can this thread of the automaton
//        still end?" is one: threads, steps by bytes, a thread that accepts. "Do so many tokens suffice?" is another:
//        states, steps by tokens, a state that accepts, and a bound on the price.
// WHY    A search that is written by hand brings its own open nodes, its own way back, its own fuel and its own ties.
// HOW    Best first: the node that comes first by the graph's order is expanded next. What a graph knows beforehand
//        makes a search short: a price that suffices from a node (`known`, 0 for a goal) ends it, and a node without an
//        order is not visited.
//        A yes keeps its way, and a no the nodes that were met. What a graph remembers of both is its own affair, since
//        it knows how long an answer stays true (docs/decisions/one-search.md).
// EXAMPLE  States by tokens, bound 2. From s tokens lead to a and b, from a to the goal e, from b nowhere. `known(e)` is 0.
//        Nothing else is known: s and a are expanded, and e is met. Yes: the way is s, a, e, with 2, 1 and 0 tokens left.
//        `known(a)` is 1: when s is expanded, a is met. Yes: the way is s, a.
//        The bound is 1, and `order` has none for nodes from which 1 token is not within what is left: s is expanded, a and
//        b are met and not visited. No: from s no way has 1 token.
// COST   A lookup in a hash map for each step, and a push and a pop of a heap for each node that is visited.
//
// A graph has
//   Node                       with ==
//   Label                      of a step; what a caller wants to know of a way
//   Order                      with < ; what comes first is expanded first
//   kNewestFirst               of nodes of equal order the newest is expanded first; else the oldest
//   hash(node)
//   known(node)                a price that suffices from the node; no value if none is known
//   order(node, price, bound)  its order, if `price` leads to it and a way may cost `bound`; no value if no way of that
//                              price leads through the node. Not asked of the start, which comes first anyway
//   for_each_step(node, out)   calls out.to(price, node, label) with the steps, and out.ends(price, label) for a way of
//                              that price that is known to begin with the label, until one returns false. Returns the
//                              limit that it has met.
#ifndef WEIR_SRC_BASE_REACH_H_
#define WEIR_SRC_BASE_REACH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/answer.h"
#include "base/limit.h"
#include "base/work.h"

namespace weir::base {

/// What most graphs have. A graph derives from it, and hides what differs: nothing is known beforehand, and what is reached
/// by the least price comes first, the oldest of equals.
template <typename NodeType, typename OrderType = std::uint64_t>
struct ReachGraph {
  using Node = NodeType;
  struct Label {};
  using Order = OrderType;
  static constexpr bool kNewestFirst = false;
  static std::optional<std::uint64_t> known(const Node& /*node*/) { return std::nullopt; }
  static std::optional<Order> order(const Node& /*node*/, std::uint64_t price, std::uint64_t /*bound*/) {
    return price;
  }
};

template <typename Graph>
class Reach {
 public:
  using Node = typename Graph::Node;
  using Label = typename Graph::Label;
  using Order = typename Graph::Order;
  using Price = std::uint64_t;  // bytes, tokens, edits, ...; 0 where only whether there is a way matters
  /// A node of a way, the label of the step that leaves it, and the price from the node to the goal.
  struct Step {
    const Node& node;
    Label label;
    Price left;
  };

  /// The graph must outlive the object. A search gives up when it has met more than `max_nodes` nodes.
  Reach(Graph& graph, std::uint64_t max_nodes) : graph_(graph), max_nodes_(max_nodes) {}

  /// Searches for a way that costs at most `bound`. An object searches once.
  Answer find(const Node& start, Price bound = 0) {
    bound_ = bound;
    return search(start);
  }
  /// Searches for a cheapest way. Here `known` must be the least price from a node, and no way through a node may cost less
  /// than its order says.
  Answer find_least(const Node& start) {
    is_least_ = true;
    return search(start);
  }
  /// Returns true if the limit that was met is one of this search, and not of the graph's steps.
  [[nodiscard]] bool gave_up() const { return gave_up_; }

  /// After a yes: calls `use(Step)` with the nodes of the way, the last one first. A node whose `known` price ended the
  /// search is the last, and its label says nothing.
  template <typename Use>
  void for_each_on_way(Use use) const {
    Price left = end_.left;
    if (end_.known) use(Step{*end_.known, Label{}, left});
    if (end_.from == kNone) {
      if (!end_.known) use(Step{visits_.front().node, end_.label, left});
      return;
    }
    Label label = end_.label;
    left = end_.left + end_.price;
    for (std::size_t i = end_.from;; i = visits_[i].parent) {
      use(Step{visits_[i].node, label, left});
      if (visits_[i].parent == kNone) return;
      left += visits_[i].price - visits_[visits_[i].parent].price;
      label = visits_[i].label;
    }
  }
  /// Calls `use(node, price)` with each node that was met and had an order, and the least price that led to it. After a no
  /// no way from it costs at most the bound less that price.
  template <typename Use>
  void for_each_visit(Use use) const {
    for (const Visit& visit : visits_) use(visit.node, visit.price);
  }

 private:
  static constexpr std::size_t kNone = SIZE_MAX;
  struct Visit {
    Node node;
    std::size_t parent;
    Label label;
    Price price;
  };
  struct New {
    Node node;
    Label label;
    Price price;
  };
  struct Open {
    Order order;
    std::size_t visit;
    bool operator<(const Open& other) const {  // true if it is expanded after `other`
      if (other.order < order) return true;
      if (order < other.order) return false;
      return Graph::kNewestFirst ? visit < other.visit : visit > other.visit;
    }
  };
  // How the way that was found ends: after the visit `from` a step of a price, and then the node `known`, if it is one.
  struct End {
    std::size_t from = kNone;
    Label label{};
    Price left = 0;
    Price price = 0;
    std::optional<Node> known = {};
  };

  class Steps {
   public:
    Steps(Reach& reach, std::size_t from) : reach_(reach), from_(from), price_(reach.visits_[from].price) {}
    bool to(Price price, const Node& node, const Label& label) {
      const Price there = price_ + price;
      if (there > reach_.bound_) return true;
      const auto [met, is_new] = reach_.met_.try_emplace(node, there);
      if (!is_new && met->second <= there) return true;
      met->second = there;
      const auto most = reach_.is_least_ ? std::nullopt : reach_.graph_.known(node);
      if (most && *most <= reach_.bound_ - there) {
        reach_.end_ = {from_, label, *most, price, node};
        return !(found_ = true);
      }
      reach_.new_.push_back({node, label, there});
      return true;
    }
    bool ends(Price price, const Label& label) {
      if (price > reach_.bound_ - price_) return true;
      reach_.end_ = {from_, label, 0, price, std::nullopt};
      return !(found_ = true);
    }
    /// The most that a way from here may cost.
    [[nodiscard]] Price left() const { return reach_.bound_ - price_; }
    [[nodiscard]] bool found() const { return found_; }

   private:
    Reach& reach_;
    std::size_t from_;
    Price price_;
    bool found_ = false;
  };

  Answer search(const Node& start) {
    visits_.push_back({start, kNone, {}, 0});
    if (const auto most = graph_.known(start); most && *most <= bound_) {
      end_.left = *most;
      return true;
    }
    met_.emplace(start, 0);
    for (std::size_t at = 0; at != kNone; at = pop()) {
      const Node node = visits_[at].node;                         // steps may move the visits
      if (met_.find(node)->second < visits_[at].price) continue;  // a cheaper way led there since
      if (is_least_ && ends_at(at)) return true;
      gave_up_ = Work::is_met() || visits_.size() > max_nodes_;
      if (gave_up_) return Work::met_or(Limit::kLookaheadThreads);
      Steps steps(*this, at);
      const Limit limit = graph_.for_each_step(node, steps);
      if (steps.found()) return true;
      if (limit != Limit::kNone) return limit;
      visit_new(at);
    }
    return false;
  }
  // Returns true if a price is known from a visit whose turn it is.
  bool ends_at(std::size_t at) {
    const auto most = at == 0 ? std::nullopt : graph_.known(visits_[at].node);
    if (!most) return false;
    const Visit& visit = visits_[at];
    end_ = {visit.parent, visit.label, *most, visit.price - visits_[visit.parent].price, visit.node};
    return true;
  }
  // The order of a node may be costly, so it is asked only if no step of its parent has ended the search.
  void visit_new(std::size_t parent) {
    for (New& node : new_) {
      const std::optional<Order> order = graph_.order(node.node, node.price, bound_);
      if (!order) continue;
      open_.push_back({*order, visits_.size()});
      std::push_heap(open_.begin(), open_.end());
      visits_.push_back({std::move(node.node), parent, std::move(node.label), node.price});
    }
    new_.clear();
  }
  // Returns the visit that comes first; kNone if none is left.
  std::size_t pop() {
    if (open_.empty()) return kNone;
    std::pop_heap(open_.begin(), open_.end());
    const std::size_t visit = open_.back().visit;
    open_.pop_back();
    return visit;
  }

  struct Hash {
    std::size_t operator()(const Node& node) const { return static_cast<std::size_t>(Graph::hash(node)); }
  };
  Graph& graph_;
  std::uint64_t max_nodes_;
  Price bound_ = UINT64_MAX;
  bool is_least_ = false;
  bool gave_up_ = false;
  std::vector<Visit> visits_;
  std::vector<Open> open_;                     // a heap
  std::vector<New> new_;                       // by the steps of one node
  std::unordered_map<Node, Price, Hash> met_;  // and the least price that led there
  End end_;
};

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_REACH_H_
