#include "weir/token_dfa.h"

#include <algorithm>
#include <string>

#include "token_languages/token_limits.h"

namespace weir {

namespace {

using Spec = TokenDfaSpec;

constexpr std::size_t index_of(DfaState state) { return static_cast<std::size_t>(state); }

std::optional<Error> error_in(const Spec& spec) {
  const auto invalid = [](std::string message) { return Error{ErrorCode::kInvalidArgument, std::move(message)}; };
  if (spec.states.empty()) return invalid("an automaton has at least one state");
  std::vector<std::uint32_t> tokens;
  for (std::size_t s = 0; s < spec.states.size(); ++s) {
    tokens.clear();
    for (const TokenTransition& transition : spec.states[s].transitions) {
      if (!token_languages::is_token_id(transition.token))
        return token_languages::token_id_error(transition.token).value();
      if (index_of(transition.target) >= spec.states.size()) {
        return invalid("state " + std::to_string(s) + " has a transition to a state that does not exist");
      }
      tokens.push_back(transition.token);
    }
    std::sort(tokens.begin(), tokens.end());
    const auto twice = std::adjacent_find(tokens.begin(), tokens.end());
    if (twice == tokens.end()) continue;
    return invalid("state " + std::to_string(s) + " has two transitions for token " + std::to_string(*twice));
  }
  return std::nullopt;
}

// [state]: whether a path leads from it to an accepting state.
std::vector<bool> co_reachable(const Spec& spec) {
  std::vector<std::size_t> begin(spec.states.size() + 1);
  for (const Spec::State& state : spec.states) {
    for (const TokenTransition& transition : state.transitions) ++begin[index_of(transition.target) + 1];
  }
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  std::vector<std::uint32_t> sources(begin.back());
  std::vector<std::size_t> end(begin.begin(), begin.end() - 1);
  for (std::uint32_t s = 0; s < spec.states.size(); ++s) {
    for (const TokenTransition& transition : spec.states[s].transitions)
      sources[end[index_of(transition.target)]++] = s;
  }
  std::vector<bool> reaches(spec.states.size());
  std::vector<std::uint32_t> open;
  for (std::uint32_t s = 0; s < spec.states.size(); ++s) {
    if (spec.states[s].accepts) {
      reaches[s] = true;
      open.push_back(s);
    }
  }
  while (!open.empty()) {
    const std::uint32_t s = open.back();
    open.pop_back();
    for (std::size_t i = begin[s]; i < begin[s + 1]; ++i) {
      if (reaches[sources[i]]) continue;
      reaches[sources[i]] = true;
      open.push_back(sources[i]);
    }
  }
  return reaches;
}

}  // namespace

TokenDfa::TokenDfa() : accepts_(1), begin_{0, 0} {}

Result<TokenDfa> TokenDfa::create(const TokenDfaSpec& spec) {
  if (const auto error = error_in(spec)) return tl::unexpected(*error);
  const std::vector<bool> reaches = co_reachable(spec);
  std::vector<DfaState> number(spec.states.size(), DfaState::kNone);
  std::vector<std::size_t> order{0};
  number[0] = DfaState::kStart;
  TokenDfa dfa;
  dfa.accepts_.clear();
  dfa.begin_.clear();
  std::vector<TokenTransition> sorted;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Spec::State& state = spec.states[order[i]];
    dfa.accepts_.push_back(state.accepts);
    dfa.begin_.push_back(dfa.transitions_.size());
    sorted = state.transitions;
    std::sort(sorted.begin(), sorted.end(), [](const auto& x, const auto& y) { return x.token < y.token; });
    for (const TokenTransition& transition : sorted) {
      const std::size_t to = index_of(transition.target);
      if (!reaches[to]) continue;
      if (number[to] == DfaState::kNone) {
        number[to] = DfaState{static_cast<std::uint32_t>(order.size())};
        order.push_back(to);
      }
      dfa.transitions_.push_back({transition.token, number[to]});
    }
  }
  dfa.begin_.push_back(dfa.transitions_.size());
  return dfa;
}

std::span<const TokenTransition> TokenDfa::transitions(DfaState state) const noexcept {
  const std::size_t begin = begin_[index_of(state)];
  return std::span(transitions_).subspan(begin, begin_[index_of(state) + 1] - begin);
}

DfaState TokenDfa::step(DfaState state, std::uint32_t token) const noexcept {
  const auto ways = transitions(state);
  const auto found = std::lower_bound(ways.begin(), ways.end(), token,
                                      [](const TokenTransition& way, std::uint32_t id) { return way.token < id; });
  return found != ways.end() && found->token == token ? found->target : DfaState::kNone;
}

bool TokenDfa::matches(std::span<const std::uint32_t> tokens) const noexcept {
  DfaState state = DfaState::kStart;
  for (const std::uint32_t token : tokens) {
    state = step(state, token);
    if (state == DfaState::kNone) return false;
  }
  return accepts(state);
}

std::size_t TokenDfa::memory_bytes() const noexcept {
  return accepts_.capacity() / 8 + begin_.capacity() * sizeof(std::size_t) +
         transitions_.capacity() * sizeof(TokenTransition);
}

}  // namespace weir
