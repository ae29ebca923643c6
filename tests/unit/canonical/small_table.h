// A table of merges over strings as the library takes it, and the languages of automata as sets of token sequences.
#ifndef WEIR_TESTS_UNIT_CANONICAL_SMALL_TABLE_H_
#define WEIR_TESTS_UNIT_CANONICAL_SMALL_TABLE_H_

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/merge_by_merge.h"
#include "weir/token_dfa.h"

namespace weir::tests {

/// Token i of `tokens` has id i.
struct SmallTable {
  oracle::StringMerges strings;
  oracle::Tokens tokens;
  MergeTable table;

  explicit SmallTable(oracle::StringMerges merges) : strings(std::move(merges)), tokens(strings.all_tokens()) {
    for (std::uint32_t i = 0; i < strings.alphabet.size(); ++i) table.units.push_back(i);
    for (const auto& [a, b] : strings.merges) table.merges.push_back({id_of(a), id_of(b), id_of(a + b)});
  }
  [[nodiscard]] std::uint32_t id_of(const std::string& token) const {
    return static_cast<std::uint32_t>(std::find(tokens.begin(), tokens.end(), token) - tokens.begin());
  }
  [[nodiscard]] std::vector<std::string_view> views() const { return {tokens.begin(), tokens.end()}; }
  /// The units alone; other ids have no bytes.
  [[nodiscard]] std::vector<std::string_view> unit_views() const {
    std::vector<std::string_view> units = views();
    std::fill(units.begin() + static_cast<std::ptrdiff_t>(strings.alphabet.size()), units.end(), std::string_view());
    return units;
  }
};

/// The sequences of at most `longest` characters that `dfa` accepts.
inline std::set<oracle::Tokens> sequences_of(const TokenDfa& dfa, const oracle::Tokens& tokens, std::size_t longest) {
  std::set<oracle::Tokens> found;
  struct Open {
    DfaState state;
    oracle::Tokens sequence;
    std::size_t length;
  };
  std::vector<Open> open{{DfaState::kStart, {}, 0}};
  while (!open.empty()) {
    const Open from = open.back();
    open.pop_back();
    if (dfa.accepts(from.state)) found.insert(from.sequence);
    for (const auto& [token, to] : dfa.transitions(from.state)) {
      if (from.length + tokens[token].size() > longest) continue;
      oracle::Tokens sequence = from.sequence;
      sequence.push_back(tokens[token]);
      open.push_back({to, std::move(sequence), from.length + tokens[token].size()});
    }
  }
  return found;
}

/// An automaton of up to `states` states over the alphabet's bytes. Some states may be dead ends.
inline ByteDfa random_language(std::mt19937& random, const std::string& alphabet, std::size_t states) {
  ByteDfa dfa;
  dfa.class_count = static_cast<std::uint32_t>(alphabet.size()) + 1;
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    dfa.class_of[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i + 1);
  }
  for (std::size_t s = 0; s < states; ++s) {
    dfa.accepts.push_back(random() % 2 == 0);
    for (std::uint32_t cls = 0; cls < dfa.class_count; ++cls) {
      const bool is_there = cls > 0 && random() % 4 != 0;
      dfa.next.push_back(is_there ? DfaState{static_cast<std::uint32_t>(random() % states)} : DfaState::kNone);
    }
  }
  return dfa;
}

inline bool matches(const ByteDfa& dfa, std::string_view text) {
  DfaState state = DfaState::kStart;
  for (const char c : text) {
    state = dfa.step(state, static_cast<std::uint8_t>(c));
    if (state == DfaState::kNone) return false;
  }
  return dfa.accepts[static_cast<std::size_t>(state)];
}

}  // namespace weir::tests

#endif  // WEIR_TESTS_UNIT_CANONICAL_SMALL_TABLE_H_
