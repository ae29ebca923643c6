// CartesianMerge: Algorithms 5 and 6 of the paper that weir/token_dfa.h names.
#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>

#include "token_languages/token_limits.h"
#include "token_languages/token_walk.h"
#include "weir/token_dfa.h"

namespace weir {

namespace {

// The tokens that lead from a state of the language to one state of the product.
struct Group {
  CartesianMerge::State to;
  std::size_t begin;  // of its tokens
  std::size_t end;
};

constexpr std::uint64_t key_of(const CartesianMerge::State& state) {
  return std::uint64_t{static_cast<std::uint32_t>(state.language)} << 32 | static_cast<std::uint32_t>(state.tokenizer);
}

// Marks the made tokens that are forbidden in a state. The number of a mark distinguishes it from those of earlier
// states.
class ForbiddenMarks {
 public:
  explicit ForbiddenMarks(const TokenizerDfa& tokenizer) : tokenizer_(tokenizer), marks_(tokenizer.token_limit()) {}
  void set(TokenizerState state) {
    ++number_;
    for (const std::uint32_t token : tokenizer_.forbidden(state)) marks_[token] = number_;
  }
  [[nodiscard]] bool contains(std::uint32_t token) const { return marks_[token] == number_; }

 private:
  const TokenizerDfa& tokenizer_;
  std::vector<std::uint32_t> marks_;
  std::uint32_t number_ = 0;
};

}  // namespace

struct CartesianMerge::Data {
  TokenizerDfa tokenizer;
  std::vector<bool> accepts;               // by state of the language
  std::vector<std::size_t> group_begin{};  // by state of the language, one more at the end
  std::vector<Group> groups{};
  std::vector<std::uint32_t> tokens{};  // of each group, ascending
  std::uint32_t product_states = 0;

  [[nodiscard]] std::span<const Group> groups_of(DfaState state) const {
    const std::size_t begin = group_begin[static_cast<std::size_t>(state)];
    return std::span(groups).subspan(begin, group_begin[static_cast<std::size_t>(state) + 1] - begin);
  }
  [[nodiscard]] std::span<const std::uint32_t> tokens_of(const Group& group) const {
    return std::span(tokens).subspan(group.begin, group.end - group.begin);
  }

  // Groups the language's transitions by made tokens.
  Result<void> group_tokens(const ByteDfa& language, const vocab::TokenTrie& trie, const Limits& limits) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> ways;
    for (std::uint32_t s = 0; s < language.state_count(); ++s) {
      ways.clear();
      token_languages::for_each_token(language, trie, DfaState{s}, [&](std::uint32_t token, DfaState to) {
        if (tokenizer.is_made(token)) ways.emplace_back(key_of({to, tokenizer.state_after(token)}), token);
      });
      std::sort(ways.begin(), ways.end());
      group_begin.push_back(groups.size());
      for (std::size_t i = 0; i < ways.size(); ++i) {
        const std::uint64_t key = ways[i].first;
        if (i == 0 || ways[i - 1].first != key) {
          const State to{DfaState{static_cast<std::uint32_t>(key >> 32)},
                         TokenizerState{static_cast<std::uint32_t>(key)}};
          groups.push_back({to, tokens.size(), tokens.size()});
        }
        tokens.push_back(ways[i].second);
        groups.back().end = tokens.size();
      }
      if (tokens.size() > limits.token_dfa_transitions)
        return token_languages::transitions_error("a language by tokens");
    }
    group_begin.push_back(groups.size());
    return {};
  }

  // Removes the groups that lead to no relevant state of the product.
  template <typename IsRelevant>
  void restrict_to(const IsRelevant& is_relevant) {
    std::size_t kept_groups = 0, kept_tokens = 0;
    for (std::size_t s = 0; s + 1 < group_begin.size(); ++s) {
      const std::size_t first = std::exchange(group_begin[s], kept_groups);
      for (std::size_t g = first; g < group_begin[s + 1]; ++g) {
        const Group group = groups[g];
        if (!is_relevant(group.to)) continue;
        const std::size_t begin = kept_tokens;
        for (std::size_t i = group.begin; i < group.end; ++i) tokens[kept_tokens++] = tokens[i];
        groups[kept_groups++] = {group.to, begin, kept_tokens};
      }
    }
    group_begin.back() = kept_groups;
    groups.resize(kept_groups);
    tokens.resize(kept_tokens);
    groups.shrink_to_fit();
    tokens.shrink_to_fit();
  }
};

namespace {

// FindRelevantProductStates of Algorithm 5.
//
// HOW    The transitions of the product are not listed: a state may have thousands. A state that was reached need not
//        be reached again. So each state of the language has a list of the groups that lead to new states, and in the
//        second search a list of the states of the product that are not known to reach the end. Both lists soon become
//        short.
template <typename Data>
class RelevantStates {
 public:
  RelevantStates(const Data& data, const Limits& limits) : data_(data), limits_(limits) {}

  Result<void> find() {
    find_reachable();
    if (states_.size() > limits_.token_dfa_states) return token_languages::states_error("the product with a tokenizer");
    find_co_reachable();
    return {};
  }

  [[nodiscard]] bool contains(const CartesianMerge::State& state) const {
    const auto found = numbers_.find(key_of(state));
    return found != numbers_.end() && reaches_end_[found->second];
  }
  [[nodiscard]] std::uint32_t count() const {
    return static_cast<std::uint32_t>(std::count(reaches_end_.begin(), reaches_end_.end(), true));
  }
  [[nodiscard]] bool is_start_relevant() const { return reaches_end_[0]; }

 private:
  void find_reachable() {
    std::vector<std::vector<std::uint32_t>> pending(data_.accepts.size());  // groups, by state of the language
    for (std::uint32_t s = 0; s < pending.size(); ++s) {
      pending[s].resize(data_.groups_of(DfaState{s}).size());
      std::iota(pending[s].begin(), pending[s].end(), 0);
    }
    number({});
    ForbiddenMarks marks(data_.tokenizer);
    for (std::size_t i = 0; i < states_.size() && states_.size() <= limits_.token_dfa_states; ++i) {
      const CartesianMerge::State from = states_[i];
      marks.set(from.tokenizer);
      const auto groups = data_.groups_of(from.language);
      std::erase_if(pending[static_cast<std::size_t>(from.language)], [&](std::uint32_t g) {
        const auto tokens = data_.tokens_of(groups[g]);
        if (!numbers_.contains(key_of(groups[g].to)) &&
            std::all_of(tokens.begin(), tokens.end(), [&](std::uint32_t token) { return marks.contains(token); })) {
          return false;
        }
        number(groups[g].to);
        return true;
      });
    }
  }
  std::uint32_t number(const CartesianMerge::State& state) {
    const auto [it, is_new] = numbers_.try_emplace(key_of(state), static_cast<std::uint32_t>(states_.size()));
    if (is_new) states_.push_back(state);
    return it->second;
  }

  void find_co_reachable() {
    std::vector<std::vector<std::uint32_t>> pending(data_.accepts.size());  // states, by that of the language
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
      pending[static_cast<std::size_t>(states_[i].language)].push_back(i);
    }
    struct Source {
      std::uint32_t target;  // number of a state
      DfaState language;
      const Group* group;
    };
    std::vector<Source> sources;
    for (std::uint32_t s = 0; s < pending.size(); ++s) {
      for (const Group& group : data_.groups_of(DfaState{s})) {
        const auto to = numbers_.find(key_of(group.to));
        if (to != numbers_.end()) sources.push_back({to->second, DfaState{s}, &group});
      }
    }
    std::sort(sources.begin(), sources.end(), [](const Source& x, const Source& y) { return x.target < y.target; });
    reaches_end_.assign(states_.size(), false);
    std::vector<std::uint32_t> open;
    const auto reach = [&](std::uint32_t state) {
      reaches_end_[state] = true;
      open.push_back(state);
    };
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
      if (data_.accepts[static_cast<std::size_t>(states_[i].language)]) reach(i);
    }
    for (auto& list : pending) std::erase_if(list, [&](std::uint32_t state) { return reaches_end_[state]; });
    while (!open.empty()) {
      const std::uint32_t to = open.back();
      open.pop_back();
      auto source = std::lower_bound(sources.begin(), sources.end(), to,
                                     [](const Source& entry, std::uint32_t target) { return entry.target < target; });
      for (; source != sources.end() && source->target == to; ++source) {
        std::erase_if(pending[static_cast<std::size_t>(source->language)], [&](std::uint32_t from) {
          if (!may_come(states_[from].tokenizer, *source->group)) return false;
          reach(from);
          return true;
        });
      }
    }
  }
  [[nodiscard]] bool may_come(TokenizerState state, const Group& group) const {
    const auto forbidden = data_.tokenizer.forbidden(state);
    const auto tokens = data_.tokens_of(group);
    return std::any_of(tokens.begin(), tokens.end(), [&](std::uint32_t token) {
      return !std::binary_search(forbidden.begin(), forbidden.end(), token);
    });
  }

  const Data& data_;
  const Limits& limits_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  std::vector<CartesianMerge::State> states_;
  std::vector<bool> reaches_end_;
};

}  // namespace

Result<CartesianMerge> cartesian_merge(const ByteDfa& language, std::span<const std::string_view> tokens,
                                       const TokenizerDfa& tokenizer, const Limits& limits) {
  if (Result<void> valid = token_languages::check(language); !valid) return tl::unexpected(valid.error());
  const Result<vocab::TokenTrie> trie = token_languages::trie_of(tokens);
  if (!trie) return tl::unexpected(trie.error());
  auto data = std::make_shared<CartesianMerge::Data>(CartesianMerge::Data{tokenizer, language.accepts});
  if (Result<void> done = data->group_tokens(language, *trie, limits); !done) return tl::unexpected(done.error());
  RelevantStates relevant(*data, limits);
  if (Result<void> done = relevant.find(); !done) return tl::unexpected(done.error());
  if (!relevant.is_start_relevant()) {
    return tl::unexpected(
        Error{ErrorCode::kUnsatisfiable, "no tokenization of a text of the language consists of these tokens"});
  }
  data->restrict_to([&](const CartesianMerge::State& state) { return relevant.contains(state); });
  data->product_states = relevant.count();
  return CartesianMerge(std::move(data));
}

bool CartesianMerge::accepts(State state) const noexcept {
  return data_->accepts[static_cast<std::size_t>(state.language)];
}

void CartesianMerge::append_next_tokens(State state, std::vector<std::uint32_t>& out) const {
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  for (const Group& group : data_->groups_of(state.language)) {
    const auto tokens = data_->tokens_of(group);
    out.insert(out.end(), tokens.begin(), tokens.end());
  }
  std::sort(out.begin() + first, out.end());
  // Both lists ascend.
  auto forbidden = data_->tokenizer.forbidden(state.tokenizer);
  const auto is_forbidden = [&](std::uint32_t token) {
    while (!forbidden.empty() && forbidden.front() < token) forbidden = forbidden.subspan(1);
    return !forbidden.empty() && forbidden.front() == token;
  };
  auto kept = out.begin() + first;
  for (auto it = kept; it != out.end(); ++it) {
    if (!is_forbidden(*it)) *kept++ = *it;
  }
  out.erase(kept, out.end());
}

std::optional<CartesianMerge::State> CartesianMerge::step(State state, std::uint32_t token) const noexcept {
  const auto forbidden = data_->tokenizer.forbidden(state.tokenizer);
  if (std::binary_search(forbidden.begin(), forbidden.end(), token)) return std::nullopt;
  for (const Group& group : data_->groups_of(state.language)) {
    const auto tokens = data_->tokens_of(group);
    if (std::binary_search(tokens.begin(), tokens.end(), token)) return group.to;
  }
  return std::nullopt;
}

std::uint32_t CartesianMerge::language_states() const noexcept {
  return static_cast<std::uint32_t>(data_->accepts.size());
}
std::size_t CartesianMerge::language_transitions() const noexcept { return data_->tokens.size(); }
std::uint32_t CartesianMerge::product_states() const noexcept { return data_->product_states; }

std::size_t CartesianMerge::memory_bytes() const noexcept {
  return data_->tokenizer.memory_bytes() + data_->accepts.capacity() / 8 +
         data_->group_begin.capacity() * sizeof(std::size_t) + data_->groups.capacity() * sizeof(Group) +
         data_->tokens.capacity() * sizeof(std::uint32_t);
}

Result<TokenDfa> CartesianMerge::written_out(const Limits& limits) const {
  TokenDfaSpec spec;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
  std::vector<State> states;
  const auto number = [&](const State& state) {
    const auto [it, is_new] = numbers.try_emplace(key_of(state), static_cast<std::uint32_t>(states.size()));
    if (is_new) states.push_back(state);
    return DfaState{it->second};
  };
  number(start());
  ForbiddenMarks marks(data_->tokenizer);
  std::size_t transitions = 0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const State from = states[i];
    marks.set(from.tokenizer);
    TokenDfaSpec::State& state = spec.states.emplace_back();
    state.accepts = accepts(from);
    for (const Group& group : data_->groups_of(from.language)) {
      for (const std::uint32_t token : data_->tokens_of(group)) {
        if (!marks.contains(token)) state.transitions.push_back({token, number(group.to)});
      }
    }
    transitions += state.transitions.size();
    if (transitions > limits.token_dfa_transitions)
      return token_languages::transitions_error("an automaton over tokens");
  }
  return TokenDfa::create(spec);
}

}  // namespace weir
