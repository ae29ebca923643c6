// DirectMerge: Algorithms 1 and 2 of the paper that weir/token_dfa.h names.
//
// HOW    A working copy of the automaton with the indices of section 5.1: for each state its sources by token, and for
//        each token the states that its transitions leave and reach. Removing a transition does not change these lists.
//        A reader of a list removes the elements whose transition no longer exists; each is removed once.
#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "token_languages/token_limits.h"
#include "weir/token_dfa.h"

namespace weir {

namespace {

constexpr std::uint32_t kNowhere = UINT32_MAX;

class MergingDfa {
 public:
  MergingDfa(const TokenDfa& dfa, const Limits& limits) : limits_(limits) {
    for (std::uint32_t s = 0; s < dfa.state_count(); ++s) add_state(dfa.accepts(DfaState{s}));
    for (std::uint32_t s = 0; s < dfa.state_count(); ++s) {
      for (const auto& [token, target] : dfa.transitions(DfaState{s}))
        add(s, token, static_cast<std::uint32_t>(target));
    }
  }

  Result<void> merge(const TokenMerge& merge) {
    for (const std::uint32_t id : {merge.left, merge.right, merge.result}) {
      if (!token_languages::is_token_id(id)) return token_languages::token_id_error(id);
    }
    if (merge.result == merge.left || merge.result == merge.right) {
      return token_languages::invalid_argument("token " + std::to_string(merge.result) +
                                               " is both a part and the result of a merge");
    }
    if (merge.left == merge.right) {
      merge_equal(merge);
    } else {
      for (const std::uint32_t s : met_states(merge.left, merge.right)) {
        process_state(s, merge);
        if (is_too_large()) break;
      }
    }
    if (conflict_) {
      return token_languages::invalid_argument("a state has a transition for token " + std::to_string(merge.result) +
                                               " and also a path that the merge turns into that token");
    }
    if (!is_too_large()) return {};
    const std::string what = "an automaton of merged tokens";
    return has_too_many_states() ? token_languages::states_error(what) : token_languages::transitions_error(what);
  }

  [[nodiscard]] Result<TokenDfa> finish() const {
    TokenDfaSpec spec;
    spec.states.resize(nodes_.size());  // removed states are unreachable
    for (std::size_t s = 0; s < nodes_.size(); ++s) {
      spec.states[s].accepts = nodes_[s].accepts;
      for (const auto& [token, target] : nodes_[s].next) {
        spec.states[s].transitions.push_back({token, DfaState{target}});
      }
    }
    return TokenDfa::create(spec);
  }

 private:
  struct Edge {
    std::uint32_t token;
    std::uint32_t target;
  };
  struct Node {
    std::vector<Edge> next;                                                 // by ascending token
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> sources;  // by token
    bool accepts = false;
  };

  [[nodiscard]] bool has_too_many_states() const { return live_states_ > limits_.token_dfa_states; }
  [[nodiscard]] bool is_too_large() const {
    return has_too_many_states() || transitions_ > limits_.token_dfa_transitions;
  }

  std::uint32_t add_state(bool accepts) {
    nodes_.emplace_back().accepts = accepts;
    ++live_states_;
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  static auto edge_of(auto& edges, std::uint32_t token) {
    return std::lower_bound(edges.begin(), edges.end(), token,
                            [](const Edge& edge, std::uint32_t id) { return edge.token < id; });
  }
  [[nodiscard]] std::uint32_t target_of(std::uint32_t s, std::uint32_t token) const {
    const auto& edges = nodes_[s].next;
    const auto found = edge_of(edges, token);
    return found != edges.end() && found->token == token ? found->target : kNowhere;
  }
  void add(std::uint32_t s, std::uint32_t token, std::uint32_t target) {
    auto& edges = nodes_[s].next;
    const auto place = edge_of(edges, token);
    if (place != edges.end() && place->token == token) {
      conflict_ |= place->target != target;
      return;
    }
    edges.insert(place, {token, target});
    ++transitions_;
    std::vector<std::uint32_t>& sources = nodes_[target].sources[token];
    if (sources.empty()) states_after_[token].push_back(target);
    sources.push_back(s);
    states_before_[token].push_back(s);
  }
  void remove(std::uint32_t s, std::uint32_t token) {
    auto& edges = nodes_[s].next;
    edges.erase(edge_of(edges, token));
    --transitions_;
  }

  // Returns the states with a transition by `token` to `s`, ascending.
  const std::vector<std::uint32_t>& sources_of(std::uint32_t s, std::uint32_t token) {
    static const std::vector<std::uint32_t> kNoSources;
    const auto found = nodes_[s].sources.find(token);
    if (found == nodes_[s].sources.end()) return kNoSources;
    std::vector<std::uint32_t>& sources = found->second;
    sort_unique(sources);
    std::erase_if(sources, [&](std::uint32_t from) { return target_of(from, token) != s; });
    return sources;
  }
  // Returns true if a transition by another token leads to `s`.
  bool has_source_by_other(std::uint32_t s, std::uint32_t token) {
    auto& by_token = nodes_[s].sources;
    for (auto it = by_token.begin(); it != by_token.end();) {
      if (it->first == token) {
        ++it;
        continue;
      }
      std::vector<std::uint32_t>& sources = it->second;
      while (!sources.empty() && target_of(sources.back(), it->first) != s) sources.pop_back();
      if (!sources.empty()) return true;
      it = by_token.erase(it);
    }
    return false;
  }
  static void sort_unique(std::vector<std::uint32_t>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }

  // Returns the states that a transition by `left` reaches and a transition by `right` leaves, ascending.
  std::vector<std::uint32_t> met_states(std::uint32_t left, std::uint32_t right) {
    const auto after = states_after_.find(left);
    const auto before = states_before_.find(right);
    if (after == states_after_.end() || before == states_before_.end()) return {};
    std::vector<std::uint32_t>& candidates =
        after->second.size() < before->second.size() ? after->second : before->second;
    sort_unique(candidates);
    std::vector<std::uint32_t> met;
    for (const std::uint32_t s : candidates) {
      if (target_of(s, right) != kNowhere && !sources_of(s, left).empty()) met.push_back(s);
    }
    return met;
  }

  // Algorithm 1, lines 7 to 29.
  void process_state(std::uint32_t s, const TokenMerge& merge) {
    const auto [a, b, ab] = merge;
    const std::uint32_t target = target_of(s, b);
    const std::vector<std::uint32_t> sources = sources_of(s, a);
    for (const std::uint32_t from : sources) add(from, ab, target);
    const bool is_entered_otherwise = s == 0 || has_source_by_other(s, a);
    const bool goes_on_otherwise =
        nodes_[s].accepts || std::any_of(nodes_[s].next.begin(), nodes_[s].next.end(),
                                         [b = b](const Edge& edge) { return edge.token != b; });
    if (is_entered_otherwise && goes_on_otherwise) {
      const std::uint32_t copy = add_state(nodes_[s].accepts);
      for (const std::uint32_t from : sources) {
        remove(from, a);
        add(from, a, copy);
      }
      // A loop by `a` at s now leads to the copy, so the copy gets a loop, too.
      const std::vector<Edge> edges = nodes_[s].next;
      for (const auto& [token, to] : edges) {
        if (token != b) add(copy, token, to);
      }
    } else if (is_entered_otherwise) {
      for (const std::uint32_t from : sources) remove(from, a);
    } else if (goes_on_otherwise) {
      remove(s, b);
    } else {
      for (const std::uint32_t from : sources) remove(from, a);
      remove(s, b);
      --live_states_;
    }
  }

  // Algorithm 2.
  void merge_equal(const TokenMerge& merge) {
    const std::uint32_t a = merge.left;
    const std::vector<std::uint32_t> met = met_states(a, a);
    if (met.empty()) return;
    std::unordered_map<std::uint32_t, std::uint32_t> odd;  // S' by S
    for (const std::uint32_t s : met) odd.emplace(s, add_state(nodes_[s].accepts));
    std::vector<std::pair<std::uint32_t, std::uint32_t>> entries;  // (S_a, S), S_a not among `met`
    for (const std::uint32_t s : met) {
      for (const std::uint32_t from : sources_of(s, a)) {
        if (!odd.contains(from)) entries.emplace_back(from, s);
      }
    }
    for (const std::uint32_t s : met) {
      const std::uint32_t twin = odd.at(s);
      const std::vector<Edge> edges = nodes_[s].next;
      for (const auto& [token, to] : edges) {
        add(twin, token, to);
        if (token != a || !odd.contains(to)) continue;
        remove(s, a);
        add(s, a, odd.at(to));
      }
    }
    for (const auto& [from, s] : entries) {
      remove(from, a);
      add(from, a, odd.at(s));
    }
    for (const std::uint32_t s : met) {
      if (!sources_of(odd.at(s), a).empty()) process_state(odd.at(s), merge);
      if (is_too_large()) return;
    }
    remove_irrelevant();
  }

  // RemoveIrrelevantStates: removes the transitions of states that are on no path from the start to an accepting state.
  void remove_irrelevant() {
    std::vector<bool> is_reached(nodes_.size()), reaches_end(nodes_.size());
    std::vector<std::uint32_t> open{0};
    is_reached[0] = true;
    std::vector<std::vector<std::uint32_t>> sources(nodes_.size());
    std::vector<std::uint32_t> ends;
    while (!open.empty()) {
      const std::uint32_t s = open.back();
      open.pop_back();
      if (nodes_[s].accepts) ends.push_back(s);
      for (const Edge& edge : nodes_[s].next) {
        sources[edge.target].push_back(s);
        if (is_reached[edge.target]) continue;
        is_reached[edge.target] = true;
        open.push_back(edge.target);
      }
    }
    for (const std::uint32_t s : ends) reaches_end[s] = true;
    while (!ends.empty()) {
      const std::uint32_t s = ends.back();
      ends.pop_back();
      for (const std::uint32_t from : sources[s]) {
        if (reaches_end[from]) continue;
        reaches_end[from] = true;
        ends.push_back(from);
      }
    }
    live_states_ = 0;
    for (std::size_t s = 0; s < nodes_.size(); ++s) {
      const std::size_t before = nodes_[s].next.size();
      if (!is_reached[s] || !reaches_end[s]) {
        nodes_[s] = {};
      } else {
        ++live_states_;
        std::erase_if(nodes_[s].next, [&](const Edge& edge) { return !reaches_end[edge.target]; });
      }
      transitions_ -= before - nodes_[s].next.size();
    }
  }

  const Limits limits_;
  std::vector<Node> nodes_;  // a removed state has no transitions, and none leads to it
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>
      states_after_;  // by token: states that its transitions reach
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>
      states_before_;  // by token: states that its transitions leave
  std::size_t live_states_ = 0;
  std::uint64_t transitions_ = 0;
  bool conflict_ = false;
};

}  // namespace

Result<TokenDfa> direct_merge(const TokenDfa& dfa, std::span<const TokenMerge> merges, const Limits& limits) {
  MergingDfa merging(dfa, limits);
  for (const TokenMerge& merge : merges) {
    if (const Result<void> done = merging.merge(merge); !done) return tl::unexpected(done.error());
  }
  return merging.finish();
}

Result<TokenDfa> direct_merge(const TokenDfa& dfa, TokenMerge merge, const Limits& limits) {
  return direct_merge(dfa, std::span(&merge, 1), limits);
}

}  // namespace weir
