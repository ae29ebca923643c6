// The end-to-end test: walks real and corrupted documents of a language token by token with masks.
//
// WHAT   Every token of a document must be in the mask before it, and a stop token in the mask at the end. Then the
//        document is corrupted several times at random positions. A corrupted text must be refused exactly where a
//        plain parser of the language finds that no continuation exists, by token and by byte. If it is still valid, it
//        must be accepted. At random positions the whole mask, and the bytes that may come next, are also compared with
//        the plain parser.
// HOW    The plain parser is oracle/plain_json.h or oracle/plain_expression.h. All randomness is seeded.
#ifndef WEIR_TESTS_E2E_WALK_H_
#define WEIR_TESTS_E2E_WALK_H_

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "oracle/plain_checker.h"
#include "weir/matcher.h"

namespace weir::e2e {

struct WalkOptions {
  std::uint64_t seed = 1;
  std::uint32_t corruptions = 8;  ///< Corrupted copies of each document.
  double full_masks = 0.01;       ///< Share of steps at which every token is checked, for a vocabulary of 10,000. It
                                  ///< is smaller for a larger vocabulary, so that the checks take equally long.
};

struct WalkReport {
  std::uint64_t documents = 0, bytes = 0, tokens = 0;
  std::uint64_t corrupted = 0, refused = 0, still_viable = 0;   ///< corrupted = refused + still_viable.
  std::uint64_t masks = 0, full_masks = 0, tokens_checked = 0;  ///< Masks of which one bit, or all bits, were checked.
  std::vector<std::string> failures;                            ///< At most ten, one line each.
  std::uint64_t failure_count = 0;
};

class Walker {
 public:
  /// `checker` is the plain parser in its initial state.
  Walker(CompiledGrammar compiled, std::unique_ptr<oracle::PlainChecker> checker, const WalkOptions& options);

  /// Walks a document, which the plain parser must accept, and corrupted copies of it.
  void walk(std::string_view name, std::string_view text);

  [[nodiscard]] const WalkReport& report() const { return report_; }

 private:
  void check_text(std::string_view name, std::string_view text);
  void check_tokens(std::string_view name, std::string_view text, std::size_t viable, bool complete);
  void check_full_mask(std::string_view name, std::size_t offset, const oracle::PlainChecker& plain);
  void check_next_bytes(std::string_view name, std::size_t offset, const oracle::PlainChecker& plain);
  std::string corrupt(std::string_view text);
  std::vector<std::uint32_t> tokenize(std::string_view text) const;
  void fail(std::string_view name, std::size_t offset, std::string_view what);
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

  GrammarMatcher matcher_;
  std::unique_ptr<oracle::PlainChecker> checker_;
  WalkOptions options_;
  WalkReport report_;
  std::mt19937_64 random_;
  std::vector<std::uint32_t> bitmask_;
  std::unordered_map<std::string_view, std::uint32_t> by_bytes_;
  std::size_t longest_token_ = 0;
};

}  // namespace weir::e2e

#endif  // WEIR_TESTS_E2E_WALK_H_
