// What the paper on canonical tokenization defines (weir/token_dfa.h names it), as slowly as it is defined: tokenizing
// merge by merge over strings, and Algorithm 4. Tokens are strings here, their ids are given by a list.
#ifndef WEIR_TESTS_ORACLE_MERGE_BY_MERGE_H_
#define WEIR_TESTS_ORACLE_MERGE_BY_MERGE_H_

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::oracle {

using Tokens = std::vector<std::string>;

struct StringMerges {
  std::string alphabet;
  std::vector<std::pair<std::string, std::string>> merges;

  /// merge_{a,b} for each merge in turn, from left to right, applied to the text's characters.
  [[nodiscard]] Tokens tokenize(std::string_view text) const {
    Tokens tokens;
    for (const char c : text) tokens.emplace_back(1, c);
    for (const auto& [a, b] : merges) {
      Tokens merged;
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (i + 1 < tokens.size() && tokens[i] == a && tokens[i + 1] == b) {
          merged.push_back(a + b);
          ++i;
        } else {
          merged.push_back(tokens[i]);
        }
      }
      tokens = std::move(merged);
    }
    return tokens;
  }

  /// T: the characters, and the result of each merge, each once.
  [[nodiscard]] Tokens all_tokens() const {
    Tokens all;
    for (const char c : alphabet) all.emplace_back(1, c);
    for (const auto& [a, b] : merges) {
      if (std::find(all.begin(), all.end(), a + b) == all.end()) all.push_back(a + b);
    }
    return all;
  }

  [[nodiscard]] bool is_made(const std::string& token) const { return tokenize(token) == Tokens{token}; }
  /// Algorithm 4 for one pair.
  [[nodiscard]] bool allows(const std::string& left, const std::string& right) const {
    return tokenize(left + right) == Tokens{left, right};
  }
};

/// Returns up to `count` random merges, each of two tokens that exist before it, so the list is proper. With `repeats`
/// some merges have a result that exists already.
inline StringMerges random_merges(std::mt19937& random, const std::string& alphabet, std::size_t count,
                                  std::size_t longest, bool repeats) {
  StringMerges out{alphabet, {}};
  Tokens tokens = out.all_tokens();
  for (std::size_t tries = 0; out.merges.size() < count && tries < 200; ++tries) {
    const std::string& a = tokens[random() % tokens.size()];
    const std::string& b = tokens[random() % tokens.size()];
    const std::pair merge{a, b};
    const std::string result = a + b;
    if (result.size() > longest) continue;
    if (std::find(out.merges.begin(), out.merges.end(), merge) != out.merges.end()) continue;
    const bool is_known = std::find(tokens.begin(), tokens.end(), result) != tokens.end();
    if (is_known && !repeats) continue;
    out.merges.push_back(merge);
    if (!is_known) tokens.push_back(result);
  }
  return out;
}

/// All texts of at most `longest` characters.
inline std::vector<std::string> all_texts(const std::string& alphabet, std::size_t longest) {
  std::vector<std::string> texts{""};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].size() == longest) continue;
    for (const char c : alphabet) texts.push_back(texts[i] + c);
  }
  return texts;
}

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_MERGE_BY_MERGE_H_
