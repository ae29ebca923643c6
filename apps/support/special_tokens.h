// Texts in which the names of special tokens stand for those tokens, so that grammars with token terminals can be
// walked from texts. Without the option a name is text like any other, as it is to the engine.
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

/// --special-tokens.
void add_special_tokens_option(CLI::App& app, bool& flag);

/// The names of all special tokens.
std::vector<std::string> special_token_names(const TokenizerInfo& info);

/// The text as texts and tokens in turn. The longest name that begins at a place counts.
std::vector<CompletionPart> split_at_special_tokens(std::string_view text, const TokenizerInfo& info);

/// Accepts as much of the text as can stand, token by token with `special_tokens` and as bytes without. Returns how
/// many bytes of the text that is. Throws InputError on a limit, naming `name`.
std::size_t accept_viable_prefix(GrammarMatcher& matcher, std::string_view text, bool special_tokens,
                                 const std::string& name);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_SPECIAL_TOKENS_H_
