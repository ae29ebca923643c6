// The option --special-tokens: names of special tokens in a text denote those tokens, so that texts can be checked
// against grammars with token terminals. Without the option, and for the engine, a name is plain text.
#ifndef WEIR_APPS_SUPPORT_SPECIAL_TOKENS_H_
#define WEIR_APPS_SUPPORT_SPECIAL_TOKENS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "weir/matcher.h"

namespace CLI {
class App;
}

namespace weir::cli {

/// Adds the option.
void add_special_tokens_option(CLI::App& app, bool& flag);

/// Returns the names of all special tokens.
std::vector<std::string> special_token_names(const TokenizerInfo& info);

/// Cuts a text into plain texts and special tokens. Where several names begin, the longest one is taken.
std::vector<CompletionPart> split_at_special_tokens(std::string_view text, const TokenizerInfo& info);

/// Accepts the longest viable prefix of the text and returns its length in bytes. With `special_tokens`, names in the
/// text are accepted as tokens. Throws InputError, which contains `name`, if a limit is exceeded.
std::size_t accept_viable_prefix(GrammarMatcher& matcher, std::string_view text, bool special_tokens,
                                 const std::string& name);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_SPECIAL_TOKENS_H_
