#include "token_languages/token_index.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/work.h"
#include "canonical/canonical_filter.h"
#include "token_languages/search_bounds.h"
#include "token_languages/token_limits.h"
#include "token_languages/token_walk.h"

namespace weir::token_languages {

namespace {

constexpr const char* kWhat = "the index";

}  // namespace

class TokenIndex::Builder {
 public:
  Builder(const ByteDfa& language, const vocab::Vocabulary& vocabulary, CanonicalFilter* filter, const Limits& limits)
      : language_(language), vocabulary_(vocabulary), filter_(filter), limits_(limits) {}

  Result<TokenIndex> run() {
    number(
        {DfaState::kStart, vocabulary_.drops_leading_space(), filter_ != nullptr ? filter_->start() : FilterState{0}});
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
      add_ways(i);
      if (states_.size() > limits_.token_dfa_states) return states_error(kWhat);
      if (transitions_ > limits_.token_dfa_transitions) return transitions_error(kWhat);
      if (base::Work::is_met()) return work_error(kWhat);
    }
    leave_out_dead_ends();
    if (!reaches_end_[0]) {
      return tl::unexpected(
          Error{ErrorCode::kUnsatisfiable, "no tokens of the vocabulary spell a text of the language"});
    }
    for (int round = 0; round < kMaxMergeRounds && merge_equal(); ++round) {
      if (base::Work::is_met()) return work_error(kWhat);
    }
    return renumbered();
  }

 private:
  using FilterState = CanonicalFilter::State;
  static constexpr std::uint32_t kNoSet = UINT32_MAX;

  struct ProductState {
    DfaState language;
    bool is_first;  // no byte was written yet, and the first token has other bytes than elsewhere
    FilterState filter;
  };
  struct Step {
    std::uint32_t token;
    DfaState language;
    bool is_first;
  };
  // Tokens that lead to one state of the product. A group is for compatible tokens, or for incompatible ones.
  struct Group {
    std::uint32_t target;
    std::vector<std::uint32_t> tokens;  // ascending
    std::uint32_t set = kNoSet;         // of all its tokens, if it has been interned
  };
  struct Side {
    std::vector<Step> open;  // not in a group yet: no state has used them on this side
    std::vector<Group> groups;
    std::unordered_map<std::uint32_t, std::uint32_t> group_of;  // by target
  };
  struct Sides {
    Side compatible, incompatible;
    std::vector<Step> irregular;  // in no group
    bool is_made = false;
  };

  std::uint32_t number(const ProductState& state) {
    const std::uint32_t words[] = {static_cast<std::uint32_t>(state.language), state.is_first ? 1U : 0U,
                                   static_cast<std::uint32_t>(state.filter)};
    const auto [id, is_new] = numbers_.intern(words);
    if (is_new) {
      states_.push_back(state);
      const bool may_end = filter_ == nullptr || filter_->may_end(state.filter);
      index_.accepts_.push_back(language_.accepts[static_cast<std::size_t>(state.language)] && may_end);
    }
    return id;
  }

  // Lists the tokens that the language allows.
  void list_steps(const ProductState& state, std::vector<Step>& steps) {
    const vocab::TokenTrie& trie = state.is_first ? vocabulary_.first_trie() : vocabulary_.trie();
    for_each_token(language_, trie, state.language, [&](std::uint32_t token, DfaState to) {
      steps.push_back({token, to, false});
    });
    if (!state.is_first) return;
    for (const std::uint32_t token : vocabulary_.first_empty_tokens()) {
      steps.push_back({token, state.language, vocabulary_.first_token_rule_repeats()});
    }
  }

  Sides& sides_of(const ProductState& state) {
    const std::optional<std::uint32_t> context = filter_ != nullptr ? filter_->context(state.filter) : 0;
    const std::uint32_t words[] = {static_cast<std::uint32_t>(state.language), state.is_first ? 1U : 0U,
                                   context.value_or(0)};
    Sides* sides = &unstored_;
    if (const auto known = context ? side_numbers_.find(words) : std::nullopt) {
      sides = &stored_[*known];
    } else if (context && stored_tokens_ < kMaxStoredTokens) {
      side_numbers_.intern(words);
      sides = &stored_.emplace_back();
    } else {
      unstored_ = {};
    }
    if (std::exchange(sides->is_made, true)) return *sides;
    std::vector<Step>& open = sides->compatible.open;
    list_steps(state, open);
    base::Work::charge(1 + open.size());
    std::sort(open.begin(), open.end(), [](const Step& x, const Step& y) { return x.token < y.token; });
    if (filter_ != nullptr) {
      std::erase_if(open, [&](const Step& step) {
        if (!filter_->is_irregular(step.token)) return false;
        sides->irregular.push_back(step);
        return true;
      });
      sides->incompatible.open = open;
    }
    if (sides != &unstored_) stored_tokens_ += open.size();
    return *sides;
  }

  void add_ways(std::uint32_t from) {
    const ProductState state = states_[from];
    if (filter_ != nullptr) filter_->select(state.filter);
    Sides& sides = sides_of(state);
    // Groups the tokens that are on a side for the first time, because the state after them is now known.
    for (Side* side : {&sides.compatible, &sides.incompatible}) {
      const bool wanted = side == &sides.compatible;
      std::erase_if(side->open, [&](const Step& step) {
        if (is_compatible(step.token) != wanted) return false;
        const FilterState to = filter_ != nullptr ? filter_->step(step.token) : FilterState{0};
        if (to != FilterState::kRefused) add_to_group(*side, number({step.language, step.is_first, to}), step.token);
        return true;
      });
    }
    std::vector<Way>& ways = index_.ways_.emplace_back();
    for (Side* side : {&sides.compatible, &sides.incompatible}) {
      const bool wanted = side == &sides.compatible;
      for (Group& group : side->groups) {
        words_.clear();
        for (const std::uint32_t token : group.tokens) {
          if (is_compatible(token) == wanted) words_.push_back(token);
        }
        base::Work::charge(1 + group.tokens.size() / base::Work::kTrieNodes);
        if (words_.empty()) continue;
        transitions_ += words_.size();
        const bool is_whole = words_.size() == group.tokens.size();
        if (is_whole && group.set == kNoSet) group.set = index_.sets_.intern(words_).first;
        ways.push_back({is_whole ? group.set : index_.sets_.intern(words_).first, DfaState{group.target}});
      }
    }
    base::Work::charge(base::Work::kVisit + sides.irregular.size());
    for (const Step& step : sides.irregular) {
      const FilterState to = filter_->step(step.token);
      if (to == FilterState::kRefused) continue;
      ++transitions_;
      const std::uint32_t target = number({step.language, step.is_first, to});
      index_.ways_[from].push_back({index_.sets_.intern(std::span(&step.token, 1)).first, DfaState{target}});
    }
    join_equal_targets(index_.ways_[from]);
  }
  [[nodiscard]] bool is_compatible(std::uint32_t token) const {
    return filter_ == nullptr || filter_->is_compatible(token);
  }
  static void add_to_group(Side& side, std::uint32_t target, std::uint32_t token) {
    const auto [it, is_new] = side.group_of.try_emplace(target, static_cast<std::uint32_t>(side.groups.size()));
    if (is_new) side.groups.push_back({target, {}, kNoSet});
    Group& group = side.groups[it->second];
    group.tokens.insert(std::lower_bound(group.tokens.begin(), group.tokens.end(), token), token);
    group.set = kNoSet;
  }

  void leave_out_dead_ends() {
    std::vector<std::vector<std::uint32_t>> sources(states_.size());
    std::vector<std::uint32_t> open;
    reaches_end_.assign(states_.size(), false);
    for (std::uint32_t s = 0; s < states_.size(); ++s) {
      for (const Way& way : index_.ways_[s]) sources[static_cast<std::size_t>(way.target)].push_back(s);
      if (!index_.accepts_[s]) continue;
      reaches_end_[s] = true;
      open.push_back(s);
    }
    while (!open.empty()) {
      const std::uint32_t to = open.back();
      open.pop_back();
      for (const std::uint32_t from : sources[to]) {
        if (reaches_end_[from]) continue;
        reaches_end_[from] = true;
        open.push_back(from);
      }
    }
    for (std::vector<Way>& ways : index_.ways_) {
      std::erase_if(ways, [&](const Way& way) { return !reaches_end_[static_cast<std::size_t>(way.target)]; });
    }
  }

  // Merges states that have equal ways and both accept or both do not. Returns true if there were any.
  bool merge_equal() {
    base::Work::charge(index_.ways_.size());
    base::WordInterner classes;
    std::vector<DfaState> class_of;
    std::vector<std::uint32_t> firsts;  // by class
    for (std::uint32_t s = 0; s < index_.ways_.size(); ++s) {
      words_.assign(1, index_.accepts_[s] ? 1 : 0);
      for (const Way& way : index_.ways_[s]) {
        words_.push_back(way.set);
        words_.push_back(static_cast<std::uint32_t>(way.target));
      }
      const auto [number, is_new] = classes.intern(words_);
      class_of.push_back(DfaState{number});
      if (is_new) firsts.push_back(s);
    }
    if (firsts.size() == index_.ways_.size()) return false;
    // The start is the first state, so its class is the first.
    std::vector<bool> accepts;
    std::vector<std::vector<Way>> ways;
    for (const std::uint32_t s : firsts) {
      accepts.push_back(index_.accepts_[s]);
      std::vector<Way>& merged = ways.emplace_back(std::move(index_.ways_[s]));
      for (Way& way : merged) way.target = class_of[static_cast<std::size_t>(way.target)];
      join_equal_targets(merged);
    }
    index_.accepts_ = std::move(accepts);
    index_.ways_ = std::move(ways);
    return true;
  }
  void join_equal_targets(std::vector<Way>& ways) {
    std::stable_sort(ways.begin(), ways.end(), [](const Way& x, const Way& y) { return x.target < y.target; });
    std::vector<Way> joined;
    for (std::size_t begin = 0, end = 0; begin < ways.size(); begin = end) {
      while (end < ways.size() && ways[end].target == ways[begin].target) ++end;
      if (end == begin + 1) {
        joined.push_back(ways[begin]);
        continue;
      }
      words_.clear();
      for (std::size_t i = begin; i < end; ++i) {
        const auto tokens = index_.sets_[ways[i].set];
        words_.insert(words_.end(), tokens.begin(), tokens.end());
      }
      std::sort(words_.begin(), words_.end());
      joined.push_back({index_.sets_.intern(words_).first, ways[begin].target});
    }
    ways = std::move(joined);
  }

  // Returns the index with states in the order of a walk from the start, and without unused sets.
  [[nodiscard]] TokenIndex renumbered() const {
    TokenIndex out;
    std::vector<DfaState> number(index_.ways_.size(), DfaState::kNone);
    std::vector<std::size_t> order{0};
    number[0] = DfaState::kStart;
    for (std::size_t i = 0; i < order.size(); ++i) {
      out.accepts_.push_back(index_.accepts_[order[i]]);
      std::vector<Way>& ways = out.ways_.emplace_back();
      for (const Way& way : index_.ways_[order[i]]) {
        DfaState& target = number[static_cast<std::size_t>(way.target)];
        if (target == DfaState::kNone) {
          target = DfaState{static_cast<std::uint32_t>(order.size())};
          order.push_back(static_cast<std::size_t>(way.target));
        }
        ways.push_back({out.sets_.intern(index_.sets_[way.set]).first, target});
      }
    }
    return out;
  }

  const ByteDfa& language_;
  const vocab::Vocabulary& vocabulary_;
  CanonicalFilter* filter_;
  const Limits& limits_;

  base::WordInterner numbers_;
  std::vector<ProductState> states_;
  base::WordInterner side_numbers_;  // by state of the language, is_first, context of the filter
  std::deque<Sides> stored_;
  std::size_t stored_tokens_ = 0;
  Sides unstored_;
  std::vector<std::uint32_t> words_;
  std::uint64_t transitions_ = 0;
  std::vector<bool> reaches_end_;
  TokenIndex index_;
};

Result<TokenIndex> TokenIndex::build(const ByteDfa& language, const vocab::Vocabulary& vocabulary,
                                     CanonicalFilter* filter, const Limits& limits) {
  if (Result<void> valid = check(language); !valid) return tl::unexpected(valid.error());
  const base::Work::Call call(index_work(limits));
  return Builder(language, vocabulary, filter, limits).run();
}

std::uint64_t TokenIndex::transition_count() const {
  std::uint64_t count = 0;
  for (const std::vector<Way>& ways : ways_) {
    for (const Way& way : ways) count += sets_[way.set].size();
  }
  return count;
}

}  // namespace weir::token_languages
