// --canonical and --context: matchers that allow only what the tokenizer itself writes (docs/canonical.md), and texts
// as such matchers read them, which is token by token.
#ifndef WEIR_APPS_SUPPORT_CANONICAL_OPTION_H_
#define WEIR_APPS_SUPPORT_CANONICAL_OPTION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/matcher.h"

namespace CLI {
class App;
}

namespace weir::cli {

struct CanonicalInput {
  bool canonical = false;
  std::string context;  ///< The text before the output. Names of special tokens in it are those tokens.
};

/// --canonical and --context.
void add_canonical_options(CLI::App& app, CanonicalInput& input);

/// Returns the options of a matcher: plain ones without --canonical. Throws InputError if the tokenizer has no tokens
/// for the context.
MatcherOptions matcher_options(const CanonicalInput& input, const TokenizerInfo& info);

/// Returns a matcher with these options. Throws InputError if the tokenizer, the grammar or the context is refused.
GrammarMatcher make_matcher(const CompiledGrammar& compiled, const MatcherOptions& options);

/// The first token of a text that a matcher does not allow.
struct RefusedToken {
  std::size_t offset = 0;  ///< The place of its first byte in the text.
  std::string reason;      ///< A sentence.
};

/// Accepts the tokens that the tokenizer writes for `text` after `context`, up to the first one that is refused. With
/// `special_tokens` names of special tokens are those tokens. Throws InputError on a limit, naming `name`.
std::optional<RefusedToken> accept_written_tokens(GrammarMatcher& matcher, const std::vector<std::uint32_t>& context,
                                                  std::string_view text, bool special_tokens, const std::string& name);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_CANONICAL_OPTION_H_
