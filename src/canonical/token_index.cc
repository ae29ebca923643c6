#include "canonical/token_index.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "canonical/token_limits.h"
#include "canonical/token_walk.h"

namespace weir::canonical {

namespace {

// Transitions of the language by tokens that are stored, at 8 bytes each, for the states of the product that share
// them; those of other states are found again.
constexpr std::size_t kStoredTransitions = std::size_t{1} << 22;
// How often states with equal ways are merged: a chain of states that are equal from its end on takes a round each.
constexpr int kMergeRounds = 256;

constexpr const char* kWhat = "the index";

}  // namespace

class TokenIndex::Builder {
 public:
  Builder(const ByteDfa& language, const vocab::Vocabulary& vocabulary, TokenFilter* filter, const Limits& limits)
      : language_(language), vocabulary_(vocabulary), filter_(filter), limits_(limits) {}

  Result<TokenIndex> run() {
    stored_.resize(std::size_t{2} * language_.state_count());
    const TokenFilter::State start = filter_ != nullptr ? filter_->start() : TokenFilter::State{0};
    number({DfaState::kStart, vocabulary_.drops_leading_space(), start});
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
      add_ways(i);
      if (states_.size() > limits_.token_dfa_states) return states_error(kWhat);
      if (transitions_ > limits_.token_dfa_transitions) return transitions_error(kWhat);
    }
    leave_out_dead_ends();
    if (!reaches_end_[0]) {
      return tl::unexpected(
          Error{ErrorCode::kUnsatisfiable, "no tokens of the vocabulary spell a text of the language"});
    }
    for (int round = 0; round < kMergeRounds && merge_equal(); ++round) {
    }
    return numbered_anew();
  }

 private:
  struct ProductState {
    DfaState language;
    bool is_first;  // no byte has been written, and the first byte's token is another than elsewhere
    TokenFilter::State filter;
  };
  struct Step {
    std::uint32_t token;
    DfaState language;
    bool is_first;
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

  // The tokens that the language allows.
  const std::vector<Step>& steps_from(DfaState state, bool is_first) {
    std::vector<Step>& stored = stored_[2 * static_cast<std::size_t>(state) + (is_first ? 1 : 0)];
    if (!stored.empty()) return stored;
    std::vector<Step>& steps = stored_count_ < kStoredTransitions ? stored : unstored_;
    steps.clear();
    const vocab::TokenTrie& trie = is_first ? vocabulary_.first_trie() : vocabulary_.trie();
    for_each_token(language_, trie, state, stack_, [&](std::uint32_t token, DfaState to) {
      steps.push_back({token, to, false});
    });
    if (is_first) {
      for (const std::uint32_t token : vocabulary_.first_empty_tokens()) {
        steps.push_back({token, state, vocabulary_.first_rule_repeats()});
      }
    }
    if (&steps == &stored) stored_count_ += steps.size();
    return steps;
  }

  void add_ways(std::uint32_t from) {
    const ProductState state = states_[from];
    std::vector<std::pair<std::uint32_t, std::uint32_t>> reached;  // (target, token)
    for (const Step& step : steps_from(state.language, state.is_first)) {
      TokenFilter::State filter = state.filter;
      if (filter_ != nullptr) filter = filter_->step(filter, step.token);
      if (filter == TokenFilter::State::kRefused) continue;
      reached.emplace_back(number({step.language, step.is_first, filter}), step.token);
    }
    transitions_ += reached.size();
    std::sort(reached.begin(), reached.end());
    std::vector<Way>& ways = index_.ways_.emplace_back();
    for (std::size_t begin = 0; begin < reached.size();) {
      const std::uint32_t target = reached[begin].first;
      words_.clear();
      for (; begin < reached.size() && reached[begin].first == target; ++begin) words_.push_back(reached[begin].second);
      ways.push_back({index_.sets_.intern(words_).first, DfaState{target}});
    }
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

  // Makes one state of those that accept alike and have equal ways. Returns whether there were any.
  bool merge_equal() {
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

  // States in the order of a walk from the start, and of the sets only those in use.
  [[nodiscard]] TokenIndex numbered_anew() const {
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
  TokenFilter* filter_;
  const Limits& limits_;

  base::WordInterner numbers_;
  std::vector<ProductState> states_;
  std::vector<std::vector<Step>> stored_;  // by state of the language and is_first
  std::size_t stored_count_ = 0;
  std::vector<Step> unstored_;
  std::vector<DfaState> stack_;
  std::vector<std::uint32_t> words_;
  std::uint64_t transitions_ = 0;
  std::vector<bool> reaches_end_;
  TokenIndex index_;
};

Result<TokenIndex> TokenIndex::build(const ByteDfa& language, const vocab::Vocabulary& vocabulary, TokenFilter* filter,
                                     const Limits& limits) {
  if (Result<void> valid = check(language); !valid) return tl::unexpected(valid.error());
  return Builder(language, vocabulary, filter, limits).run();
}

std::uint64_t TokenIndex::transition_count() const {
  std::uint64_t count = 0;
  for (const std::vector<Way>& ways : ways_) {
    for (const Way& way : ways) count += sets_[way.set].size();
  }
  return count;
}

}  // namespace weir::canonical
