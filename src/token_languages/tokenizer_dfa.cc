// TokenizerDfa: Algorithm 3 and state fusion of the paper that weir/token_dfa.h names, and tables of merges.
#include <algorithm>
#include <string>
#include <utility>

#include "base/interner.h"
#include "token_languages/token_limits.h"
#include "vocab/string_index.h"
#include "weir/token_dfa.h"

namespace weir {

namespace {

constexpr std::uint32_t kNotMade = static_cast<std::uint32_t>(TokenizerState::kNone);

// Algorithm 3. Names are the paper's: f, δ(S0, ·).
class AlgorithmThree {
 public:
  AlgorithmThree(const MergeTable& table, const Limits& limits) : table_(table), limits_(limits) {}

  Result<void> run() {
    if (Result<void> done = read_units(); !done) return done;
    for (const TokenMerge& merge : table_.merges) {  // line 6
      for (const std::uint32_t id : {merge.left, merge.right, merge.result}) {
        if (!token_languages::is_token_id(id)) return token_languages::token_id_error(id);
      }
      if (Result<void> done = apply(merge); !done) return done;
    }
    return {};
  }

  [[nodiscard]] const std::vector<std::uint32_t>& delta() const { return delta_; }
  std::vector<std::vector<std::uint32_t>>& f() { return f_; }

 private:
  Result<void> read_units() {  // lines 2 to 5
    f_.emplace_back();
    tokens_to_.push_back(0);
    for (const std::uint32_t unit : table_.units) {
      if (!token_languages::is_token_id(unit)) return token_languages::token_id_error(unit);
      if (delta_of(unit) == 0) continue;
      set_delta(unit, 0);
    }
    return {};
  }

  Result<void> apply(const TokenMerge& merge) {  // lines 7 to 19
    const auto [a, b, ab] = merge;
    std::uint32_t s = delta_of(a);
    const std::uint32_t s_b = delta_of(b);
    if (s == kNotMade || s_b == kNotMade) return {};  // no text has both by now
    if (is_forbidden(s, b)) return {};
    if (a == b || tokens_to_[s] > 1) {
      if (f_.size() >= limits_.token_dfa_states) return token_languages::states_error("the automaton of a tokenizer");
      const std::uint32_t copy = static_cast<std::uint32_t>(f_.size());
      f_.push_back(f_[s]);
      tokens_to_.push_back(0);
      entries_ += f_[copy].size();
      for (const std::uint32_t token : f_[copy]) states_forbidding_[token].push_back(copy);
      set_delta(a, copy);
      s = copy;
    }
    forbid(s, b);
    if (delta_of(ab) != kNotMade) {
      return token_languages::invalid_argument("token " + std::to_string(ab) +
                                               " is made in two ways, so its parts do not spell one text");
    }
    set_delta(ab, s_b);
    for (std::size_t i = 0; i < states_forbidding_[a].size(); ++i) {  // no state has forbidden the new token yet
      forbid(states_forbidding_[a][i], ab);
    }
    if (entries_ > limits_.token_dfa_transitions)
      return token_languages::transitions_error("the automaton of a tokenizer");
    return {};
  }

  [[nodiscard]] std::uint32_t delta_of(std::uint32_t token) const {
    return token < delta_.size() ? delta_[token] : kNotMade;
  }
  void set_delta(std::uint32_t token, std::uint32_t state) {
    if (token >= delta_.size()) {
      delta_.resize(token + std::size_t{1}, kNotMade);
      states_forbidding_.resize(delta_.size());
    }
    if (delta_[token] != kNotMade) --tokens_to_[delta_[token]];
    delta_[token] = state;
    ++tokens_to_[state];
  }
  void forbid(std::uint32_t state, std::uint32_t token) {
    f_[state].push_back(token);
    states_forbidding_[token].push_back(state);
    ++entries_;
  }
  [[nodiscard]] bool is_forbidden(std::uint32_t state, std::uint32_t token) const {
    const auto& tokens = f_[state];
    const auto& states = states_forbidding_[token];
    return tokens.size() < states.size() ? std::find(tokens.begin(), tokens.end(), token) != tokens.end()
                                         : std::find(states.begin(), states.end(), state) != states.end();
  }

  const MergeTable& table_;
  const Limits& limits_;
  std::vector<std::vector<std::uint32_t>> f_;
  std::vector<std::uint32_t> delta_;                           // δ(S0, ·), by token
  std::vector<std::uint32_t> tokens_to_;                       // by state: how many tokens lead to it
  std::vector<std::vector<std::uint32_t>> states_forbidding_;  // by token
  std::uint64_t entries_ = 0;
};

// Applies the merges of ranks below `rank` to `text`, until two tokens or fewer are left.
class RankMerger {
 public:
  explicit RankMerger(const vocab::StringIndex& tokens) : tokens_(tokens) {}

  std::optional<std::pair<std::uint32_t, std::uint32_t>> parts(std::string_view text, std::uint32_t rank) {
    ends_.clear();
    for (std::size_t i = 0; i <= text.size(); ++i) ends_.push_back(i);
    while (ends_.size() > 3) {
      std::uint32_t best = rank;
      std::size_t at = 0;
      for (std::size_t i = 0; i + 2 < ends_.size(); ++i) {
        const std::uint32_t id = tokens_.find(text.substr(ends_[i], ends_[i + 2] - ends_[i]));
        if (id >= best) continue;  // kNone is the greatest id
        best = id;
        at = i;
      }
      if (best == rank) return std::nullopt;
      ends_.erase(ends_.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
    const std::uint32_t left = tokens_.find(text.substr(0, ends_[1]));
    const std::uint32_t right = tokens_.find(text.substr(ends_[1]));
    if (left == vocab::StringIndex::kNone || right == vocab::StringIndex::kNone) return std::nullopt;
    return std::pair{left, right};
  }

 private:
  const vocab::StringIndex& tokens_;
  std::vector<std::size_t> ends_;
};

}  // namespace

Result<MergeTable> merges_by_rank(std::span<const std::string_view> tokens) {
  if (tokens.size() > vocab::kMaxTokens) return token_languages::token_id_error(vocab::kMaxTokens);
  vocab::StringIndex index(tokens.size(), 8 * tokens.size());
  std::vector<bool> is_first(tokens.size());
  for (std::uint32_t id = 0; id < tokens.size(); ++id) {
    if (!tokens[id].empty()) is_first[id] = index.insert(tokens[id], id);
  }
  MergeTable table;
  RankMerger merger(index);
  for (std::uint32_t id = 0; id < tokens.size(); ++id) {
    if (!is_first[id]) continue;
    if (tokens[id].size() == 1) {
      table.units.push_back(id);
    } else if (const auto parts = merger.parts(tokens[id], id)) {
      table.merges.push_back({parts->first, parts->second, id});
    }
  }
  return table;
}

Result<TokenizerDfa> build_tokenizer_dfa(const MergeTable& table, const Limits& limits) {
  AlgorithmThree algorithm(table, limits);
  if (const Result<void> done = algorithm.run(); !done) return tl::unexpected(done.error());
  TokenizerDfa dfa;
  for (const std::uint32_t state : algorithm.delta()) dfa.state_after_.push_back(TokenizerState{state});
  dfa.begin_.push_back(0);
  for (std::vector<std::uint32_t>& entries : algorithm.f()) {
    std::sort(entries.begin(), entries.end());
    dfa.forbidden_.insert(dfa.forbidden_.end(), entries.begin(), entries.end());
    dfa.begin_.push_back(dfa.forbidden_.size());
    std::vector<std::uint32_t>().swap(entries);
  }
  return dfa;
}

TokenizerDfa fuse_states(const TokenizerDfa& dfa) {
  base::WordInterner lists;
  std::vector<TokenizerState> fused;  // by state
  for (std::uint32_t s = 0; s < dfa.state_count(); ++s) {
    fused.push_back(TokenizerState{lists.intern(dfa.forbidden(TokenizerState{s})).first});
  }
  TokenizerDfa out;
  for (const TokenizerState state : dfa.state_after_) {
    out.state_after_.push_back(state == TokenizerState::kNone ? state : fused[static_cast<std::size_t>(state)]);
  }
  out.begin_.push_back(0);
  for (std::uint32_t i = 0; i < lists.size(); ++i) {
    out.forbidden_.insert(out.forbidden_.end(), lists[i].begin(), lists[i].end());
    out.begin_.push_back(out.forbidden_.size());
  }
  return out;
}

std::span<const std::uint32_t> TokenizerDfa::forbidden(TokenizerState state) const noexcept {
  if (state == TokenizerState::kNone) return {};
  const std::size_t begin = begin_[static_cast<std::size_t>(state)];
  return std::span(forbidden_).subspan(begin, begin_[static_cast<std::size_t>(state) + 1] - begin);
}

bool TokenizerDfa::allows(std::uint32_t left, std::uint32_t right) const noexcept {
  if (!is_made(left) || !is_made(right)) return false;
  const auto entries = forbidden(state_after(left));
  return !std::binary_search(entries.begin(), entries.end(), right);
}

bool TokenizerDfa::matches(std::span<const std::uint32_t> tokens) const noexcept {
  if (tokens.size() == 1) return is_made(tokens[0]);
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (!allows(tokens[i - 1], tokens[i])) return false;
  }
  return true;
}

std::uint32_t TokenizerDfa::made_count() const noexcept {
  return static_cast<std::uint32_t>(std::count_if(state_after_.begin(), state_after_.end(),
                                                  [](TokenizerState state) { return state != TokenizerState::kNone; }));
}

std::uint64_t TokenizerDfa::forbidden_pairs() const noexcept {
  std::uint64_t pairs = 0;
  for (const TokenizerState state : state_after_) pairs += forbidden(state).size();
  return pairs;
}

std::size_t TokenizerDfa::memory_bytes() const noexcept {
  return state_after_.capacity() * sizeof(TokenizerState) + begin_.capacity() * sizeof(std::size_t) +
         forbidden_.capacity() * sizeof(std::uint32_t);
}

Result<TokenDfa> written_out(const TokenizerDfa& dfa, const Limits& limits) {
  const std::uint64_t made = dfa.made_count();
  if (dfa.state_count() >= limits.token_dfa_states) return token_languages::states_error("an automaton over tokens");
  std::uint64_t transitions = made;
  for (std::uint32_t s = 0; s < dfa.state_count(); ++s) transitions += made - dfa.forbidden(TokenizerState{s}).size();
  if (transitions > limits.token_dfa_transitions) return token_languages::transitions_error("an automaton over tokens");
  TokenDfaSpec spec;
  const auto add_state = [&](TokenizerState state) {
    TokenDfaSpec::State& made_state = spec.states.emplace_back();
    made_state.accepts = true;
    const auto entries = dfa.forbidden(state);
    for (std::uint32_t token = 0; token < dfa.token_limit(); ++token) {
      if (!dfa.is_made(token) || std::binary_search(entries.begin(), entries.end(), token)) continue;
      made_state.transitions.push_back({token, DfaState{static_cast<std::uint32_t>(dfa.state_after(token)) + 1}});
    }
  };
  add_state(TokenizerState::kNone);
  for (std::uint32_t s = 0; s < dfa.state_count(); ++s) add_state(TokenizerState{s});
  return TokenDfa::create(spec);
}

}  // namespace weir
