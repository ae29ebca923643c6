// What the tests of canonical masks share: a matcher compared with a tree of token sequences (oracle/canonical.h), at
// every prefix or at sampled ones.
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

/// A language, as a grammar and as its texts.
struct FiniteLanguage {
  std::string name;
  Grammar grammar;
  std::vector<std::string> texts;  ///< Without repetitions.
};

/// The matcher of canonical masks. A failure of the test and a matcher that refuses every step if there is none.
GrammarMatcher canonical_matcher(const CompiledGrammar& compiled, const TokenIds& context = {});

struct CanonicalCheckOptions {
  bool every_token = true;          ///< Each token is tried at each prefix; otherwise allowed ones and some others.
  std::uint64_t max_prefixes = 0;   ///< If more, prefixes are sampled. 0: all of them.
  std::size_t max_text = SIZE_MAX;  ///< Prefixes of more bytes are not looked at (for samples of endless languages).
  std::uint32_t completions_every = 1;  ///< Compares completions and forced bytes at every n-th prefix. 0: nowhere.
  bool at_text_start = true;            ///< False if tokens come before: the first one loses no space.
  std::uint32_t seed = 1;
};

/// Compares masks, steps and ends with the tree, prefix by prefix, going forward by accept_token and back by rollback.
class CanonicalCheck {
 public:
  CanonicalCheck(GrammarMatcher matcher, const oracle::SequenceTree& tree, const CanonicalCheckOptions& options);

  /// Looks at the prefixes. Each difference is a failure of the test that names the prefix.
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

/// Returns "3 'ab' | 7 'c'".
std::string shown_ids(const TokenizerInfo& info, const TokenIds& ids);

/// A compiled grammar; a failure of the test if there is none, and then any other.
CompiledGrammar compiled_for_test(const TokenizerInfo& info, const Grammar& grammar, std::string_view name);

}  // namespace weir::testing

#endif  // WEIR_TESTS_EXHAUSTIVE_CANONICAL_CHECK_H_
