// Code that the tests of canonical masks share. It compares a matcher with a tree of token sequences
// (oracle/canonical.h), at every prefix or at a sample of them.
#ifndef WEIR_TESTS_EXHAUSTIVE_CANONICAL_CHECK_H_
#define WEIR_TESTS_EXHAUSTIVE_CANONICAL_CHECK_H_

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/canonical.h"
#include "weir/weir.h"

namespace weir::testing {

using oracle::TokenIds;

/// A finite language: its grammar and its texts.
struct FiniteLanguage {
  std::string name;
  Grammar grammar;
  std::vector<std::string> texts;  ///< Without repetitions.
};

/// Returns a matcher with canonical masks. If there is none, fails the test and returns a matcher that refuses every
/// step.
GrammarMatcher canonical_matcher(const CompiledGrammar& compiled, const TokenIds& context = {});

struct CanonicalCheckOptions {
  bool every_token = true;          ///< Tries each token at each prefix. False: some allowed tokens and some others.
  std::uint64_t max_prefixes = 0;   ///< If there are more prefixes, they are sampled. 0: no limit.
  std::size_t max_text = SIZE_MAX;  ///< Skips prefixes of more bytes, for samples of infinite languages.
  std::uint32_t completions_every = 1;  ///< Compares completions and forced bytes at every n-th prefix. 0: never.
  bool at_text_start = true;            ///< False if a context comes before; then the first token keeps its space.
  std::uint32_t seed = 1;
};

/// Compares masks, steps and ends with the tree at each prefix. Moves by accept_token and rollback.
class CanonicalCheck {
 public:
  CanonicalCheck(GrammarMatcher matcher, const oracle::SequenceTree& tree, const CanonicalCheckOptions& options);

  /// Visits the prefixes. Each difference is a failure of the test that names the prefix.
  void run();

  [[nodiscard]] std::uint64_t prefixes() const { return prefixes_; }
  [[nodiscard]] std::uint64_t failures() const { return failures_; }

 private:
  void visit(std::size_t node);
  void check_node(std::size_t node);
  void check_tokens(const oracle::SequenceTree::Node& node);
  void check_completion(std::size_t node);
  void fail(std::string_view what);
  /// Returns the bytes that the token adds after this node.
  [[nodiscard]] std::string_view bytes_after(std::size_t node, std::uint32_t token) const;
  [[nodiscard]] std::string forced_of(std::size_t node) const;

  GrammarMatcher matcher_;
  const oracle::SequenceTree& tree_;
  CanonicalCheckOptions options_;
  TokenizerInfo info_;
  std::mt19937 random_;
  TokenIds prefix_ = {};
  std::string text_ = {};
  std::vector<std::uint32_t> bitmask_, expected_, again_;
  std::vector<bool> chosen_ = {};  ///< Nodes to visit; empty if all are.
  std::map<std::uint64_t, std::vector<std::uint32_t>> masks_by_id_ = {};
  std::uint64_t prefixes_ = 0, failures_ = 0;
};

/// Returns the ids with their bytes, such as "3 'ab' | 7 'c'".
std::string shown_ids(const TokenizerInfo& info, const TokenIds& ids);

/// Compiles the grammar. If that fails, fails the test and returns some other compiled grammar.
CompiledGrammar compiled_for_test(const TokenizerInfo& info, const Grammar& grammar, std::string_view name);

}  // namespace weir::testing

#endif  // WEIR_TESTS_EXHAUSTIVE_CANONICAL_CHECK_H_
