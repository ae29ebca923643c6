#include <algorithm>
#include <string>

#include "token_languages/token_limits.h"
#include "token_languages/token_walk.h"
#include "weir/token_dfa.h"

namespace weir {

namespace token_languages {

Result<vocab::TokenTrie> trie_of(std::span<const std::string_view> tokens) {
  if (tokens.size() > vocab::kMaxTokens) return token_id_error(vocab::kMaxTokens);
  std::vector<std::pair<std::string_view, std::uint32_t>> listed;
  std::size_t bytes = 0;
  for (std::uint32_t id = 0; id < tokens.size(); ++id) {
    if (tokens[id].empty()) continue;
    if (tokens[id].size() > vocab::kMaxTokenBytes) {
      return invalid_argument("token " + std::to_string(id) + " has more than " +
                              std::to_string(vocab::kMaxTokenBytes) + " bytes");
    }
    bytes += tokens[id].size();
    listed.emplace_back(tokens[id], id);
  }
  if (bytes > vocab::kMaxVocabularyBytes) return invalid_argument("the tokens have too many bytes");
  return vocab::TokenTrie(listed);
}

Result<void> check(const ByteDfa& dfa) {
  const std::size_t states = dfa.accepts.size();
  if (states == 0) return invalid_argument("an automaton has at least one state");
  if (dfa.class_count == 0 || dfa.next.size() / dfa.class_count != states || dfa.next.size() % dfa.class_count != 0) {
    return invalid_argument("an automaton has as many transitions as states and classes of bytes");
  }
  for (const std::uint8_t cls : dfa.class_of) {
    if (cls >= dfa.class_count) return invalid_argument("a byte has a class that does not exist");
  }
  for (const DfaState to : dfa.next) {
    if (to != DfaState::kNone && static_cast<std::size_t>(to) >= states) {
      return invalid_argument("a transition leads to a state that does not exist");
    }
  }
  return {};
}

}  // namespace token_languages

Result<TokenDfa> token_paths(const ByteDfa& language, std::span<const std::string_view> tokens, const Limits& limits) {
  if (Result<void> valid = token_languages::check(language); !valid) return tl::unexpected(valid.error());
  const Result<vocab::TokenTrie> trie = token_languages::trie_of(tokens);
  if (!trie) return tl::unexpected(trie.error());
  TokenDfaSpec spec;
  std::size_t transitions = 0;
  for (std::uint32_t s = 0; s < language.state_count(); ++s) {
    TokenDfaSpec::State& state = spec.states.emplace_back();
    state.accepts = language.accepts[s];
    token_languages::for_each_token(language, *trie, DfaState{s}, [&](std::uint32_t token, DfaState to) {
      state.transitions.push_back({token, to});
    });
    transitions += state.transitions.size();
    if (transitions > limits.token_dfa_transitions)
      return token_languages::transitions_error("an automaton over tokens");
  }
  return TokenDfa::create(spec);
}

}  // namespace weir
