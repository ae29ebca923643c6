// Writes terminals in the language that a grammar is converted to.
#ifndef WEIR_SRC_CONVERT_SPELLING_H_
#define WEIR_SRC_CONVERT_SPELLING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/ir.h"
#include "regex/syntax/syntax_tree.h"
#include "regex/unicode/code_point_set.h"
#include "weir/error.h"
#include "weir/grammar.h"
#include "weir/limits.h"

namespace weir::frontend::convert {

/// The output languages: the grammar languages, and a single regular expression.
enum class Target : std::uint8_t { kEbnf, kGbnf, kXgrammar, kKbnf, kLark, kRegex };

/// How tightly a text binds. A text that binds more loosely than its context requires is put in parentheses.
enum class Level : std::uint8_t { kChoice, kSequence, kRepeat, kItem };

struct Written {
  std::string text;
  Level level = Level::kItem;
};

/// Returns a kUnsupported error "GBNF has no way to say " + `what`, with the name of the target language.
tl::unexpected<Error> refused(Target target, const std::string& what, SourceRange where, std::string hint = {});

/// Returns a kLimitExceeded error (text_bytes).
tl::unexpected<Error> too_long(SourceRange where);

/// Returns the text, in parentheses if it binds more loosely than `level`.
std::string enclosed(Target target, const Written& written, Level level);

/// Joins parts into a sequence or a choice, depending on `level`.
Written joined(Target target, const std::vector<Written>& parts, Level level);

/// Returns true if the language can express the count, or has no counts and the item may be written out that many
/// times.
bool has_count(Target target, std::uint32_t min, std::uint32_t max);

/// Returns a counted repeat of `item`. Errors: kUnsupported if has_count is false; kLimitExceeded if the copies of the
/// item alone have more than `most_bytes` bytes, checked before writing them.
Result<Written> repeated(Target target, const Written& item, std::uint32_t min, std::uint32_t max, SourceRange where,
                         std::size_t most_bytes);

/// Returns the bytes as a quoted literal with the escapes of the language; in a regular expression without quotes.
Written literal_text(Target target, std::string_view bytes);

/// Returns text for one character of the set: in brackets, negated if that is shorter. Precondition: the set is not
/// empty.
Written class_text(Target target, const regex::CodePointSet& set);

/// Writes a pattern with the operators of the language. In a regular expression, assertions are written if
/// `keeps_assertions` is set.
/// Errors: kUnsupported, at `where`; kLimitExceeded (text_bytes).
Result<Written> pattern_text(Target target, const regex::SyntaxTree& tree, SourceRange where, const Limits& limits,
                             bool keeps_assertions = false);

/// Writes a pattern as one terminal of KBNF or Lark: a literal or a regular expression. Errors: as pattern_text.
Result<Written> terminal_text(Target target, const regex::SyntaxTree& tree, SourceRange where, const Limits& limits);

/// Parses the text of an EBNF terminal (Terminal::text). Returns nullopt if it is not a single literal, class or
/// regular expression.
std::optional<regex::SyntaxTree> tree_of_text(std::string_view text, const Limits& limits);

/// Returns the same tree with one literal for each character.
regex::SyntaxTree with_single_characters(const regex::SyntaxTree& tree);

/// Writes a token set, if the language can express it. Errors: kUnsupported; kLimitExceeded, as for repeated.
Result<Written> tokens_text(Target target, const grammar::TokenSet& set, SourceRange where, std::size_t most_bytes);

}  // namespace weir::frontend::convert

#endif  // WEIR_SRC_CONVERT_SPELLING_H_
