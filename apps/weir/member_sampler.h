// MemberSampler: random strings of a grammar's language, drawn token by token through masks, always complete.
//
// HOW    A random walk. At each step, with a probability that grows from 0 to twice `steer` as the budget is used up,
//        the first token of a shortest completion, or the end where the text is complete. Otherwise any allowed token:
//        first the kind of its first byte (a letter, a digit, white space, this or that punctuation, or the end), then
//        the shorter of two tokens of that kind. Before a token is kept, the shortest completion behind it is looked
//        up; where both together would pass `max_tokens`, or the tokenizer cannot spell it, the token is taken back and
//        the completion before it is appended instead. So a walk never has to be thrown away.
// WHY    Walks with all tokens equally likely hardly ever finish, and say little: inside a string, one token in a
//        hundred closes it, and where a value may come, there are a thousand tokens of digits and two of brackets.
// ALTERNATIVES  Sampling uniformly among the members of a length needs counts for the whole grammar; nobody needs that
//        evenness to look at examples or to test a consumer.
// CANONICAL If the matcher follows the tokenizer (docs/canonical.md), the tokens of a completion are found by the matcher:
//        the longest token first that it accepts and that goes on with the text, taken back where it leads no further.
// ENDLESS A grammar that is kept although none of its texts ends has no completions: a walk of max_tokens is then all.
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
  std::uint32_t max_tokens = 64;  ///< Of a member, without the stop token.
  double steer = 0.25;            ///< 0 … 1: the share of steps that head for the end.
};

struct Member {
  std::vector<std::uint32_t> tokens;
  std::string text;
  std::size_t walked = 0;  ///< Tokens that the walk chose; the rest is the completion.
};

class MemberSampler {
 public:
  /// `how` is a matcher's. Throws InputError if it is refused, no member that ends fits into max_tokens, or the
  /// tokenizer cannot spell a shortest one.
  MemberSampler(const CompiledGrammar& compiled, const SamplerOptions& options, const MatcherOptions& how);

  /// Member number `index` under this seed; the same for every order of calls. Throws InputError on a limit.
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
  bool is_canonical_;
  std::unordered_map<std::string_view, std::uint32_t> by_bytes_;                   // the first token with these bytes
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> all_by_bytes_;  // if canonical: all of them
  std::size_t longest_token_ = 0;
  std::string unspelled_;
  bool has_end_ = true;  // From where completion_tokens was asked last there is a way to one.
  bool is_endless_ = false;
  std::vector<std::uint32_t> bitmask_;
  std::vector<std::vector<std::uint32_t>> allowed_;  // By kind of first byte.
};

}  // namespace weir::cli

#endif  // WEIR_APPS_WEIR_MEMBER_SAMPLER_H_
