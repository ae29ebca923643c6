// MemberSampler: random strings of a grammar's language, drawn token by token through masks, always complete.
//
// HOW    A random walk. With a probability that grows from 0 to twice `steer` as the budget is used up, a step takes
//        the first token of a shortest completion, or ends if the text is complete. Otherwise it takes a random allowed
//        token: first the kind of the first byte is drawn (letter, digit, white space, a punctuation character, or the
//        end), then two tokens of that kind, of which the shorter one is taken. After each token the shortest
//        completion is computed, a long one after some tokens (kCompletionsShare); if tokens and completion together
//        exceed `max_tokens`, or the tokenizer cannot spell the completion, the tokens since the previous completion are
//        rolled back, and that is appended. So no walk is discarded.
// COST   A mask for each token, and on average some 64 tokens of completions.
// WHY    If all tokens were equally likely, walks would rarely end and would all look alike: inside a string, one token
//        in a hundred closes it, and at the start of a value there are a thousand tokens of digits and two of brackets.
// ALTERNATIVES  Sampling uniformly among the members of a length needs counts for the whole grammar; examples and tests
//        do not need a uniform distribution.
// CANONICAL With canonical tokenization the completion is a shortest one of the grammar alone, if its tokens may follow
//        the tokens so far; otherwise a search by tokens finds one. The tokens of a completion are found with the
//        matcher: at each position the longest token of the text that it accepts. If no token is accepted after it, it
//        is rolled back, and the next shorter one is tried. A token after which the search meets a limit is rolled
//        back, too.
// LIMITS A grammar that was read with keep_endless may have no finite text and hence no completion. A member is then a
//        walk of max_tokens tokens.
#ifndef WEIR_APPS_WEIR_MEMBER_SAMPLER_H_
#define WEIR_APPS_WEIR_MEMBER_SAMPLER_H_

#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "weir/matcher.h"

namespace weir::cli {

struct SamplerOptions {
  std::uint64_t seed = 0;
  std::uint32_t max_tokens = 64;  ///< The most tokens of a member, without the stop token.
  double steer = 0.25;            ///< 0 … 1: the share of steps that lead to the end.
};

struct Member {
  std::vector<std::uint32_t> tokens;
  std::string text;
  std::size_t walked = 0;  ///< Number of tokens from the walk; the rest is the completion.
};

class MemberSampler {
 public:
  /// `how` is passed to the matcher. Throws InputError if it is refused, if no finite member fits into max_tokens, or
  /// if the tokenizer cannot spell a shortest one.
  MemberSampler(const CompiledGrammar& compiled, const SamplerOptions& options, const MatcherOptions& how);

  /// Returns member number `index` of this seed, which does not depend on other calls. Throws InputError on a limit.
  Member draw(std::uint64_t index);

 private:
  void refuse_if_nothing_may_come();
  void refuse_if_too_long();
  Member draw_endless(std::mt19937_64& random);
  void accept(std::uint32_t token);
  std::optional<std::vector<std::uint32_t>> completion_tokens(std::span<const std::uint32_t> before);
  std::optional<std::vector<std::uint32_t>> spell(std::string_view text, bool begins_text) const;
  std::optional<std::vector<std::uint32_t>> spell_canonically(std::span<const CompletionPart> parts);
  std::optional<std::vector<std::uint32_t>> cover(std::string_view text, bool begins_text) const;
  void find_allowed_tokens();
  std::optional<std::uint32_t> random_allowed_token(std::mt19937_64& random);

  GrammarMatcher matcher_;
  SamplerOptions options_;
  std::optional<GrammarMatcher> plain_;  // with canonical tokenization: one without it, at the same position
  std::unordered_map<std::string_view, std::uint32_t> by_bytes_;                   // the first token with these bytes
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> all_by_bytes_;  // if canonical: all of them
  std::size_t longest_token_ = 0;
  std::string unspelled_;
  bool has_end_ = true;  // there was a completion when completion_tokens was last called
  bool is_endless_ = false;
  std::vector<std::uint32_t> bitmask_;
  std::vector<std::vector<std::uint32_t>> allowed_;  // by kind of the first byte
};

}  // namespace weir::cli

#endif  // WEIR_APPS_WEIR_MEMBER_SAMPLER_H_
