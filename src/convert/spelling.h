// How terminals are spelled in the language that a grammar is converted to.
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

/// What can be written: the languages of grammars, and one regular expression.
enum class Target : std::uint8_t { kEbnf, kGbnf, kXgrammar, kKbnf, kLark, kRegex };

/// How tightly a text holds together. One of a looser level than its place asks for is put in parentheses.
enum class Level : std::uint8_t { kChoice, kSequence, kRepeat, kItem };

struct Written {
  std::string text;
  Level level = Level::kItem;
};

/// kUnsupported: "GBNF has no way to say " and `what`.
tl::unexpected<Error> refused(Target target, const std::string& what, SourceRange where, std::string hint = {});

/// kLimitExceeded (text_bytes).
tl::unexpected<Error> too_long(SourceRange where);

/// In parentheses if it is looser than `level`.
std::string enclosed(Target target, const Written& written, Level level);

/// Parts one behind the other, or one of them.
Written joined(Target target, const std::vector<Written>& parts, Level level);

/// Whether the language has the count, or has none at all and what is counted can be written so often.
bool has_count(Target target, std::uint32_t min, std::uint32_t max);

/// Errors: kUnsupported, without has_count; kLimitExceeded, before so much is written, where the items alone have more
/// than `most_bytes`.
Result<Written> repeated(Target target, const Written& item, std::uint32_t min, std::uint32_t max, SourceRange where,
                         std::size_t most_bytes);

/// The bytes in quotes, with escapes that the language has; as a regular expression without quotes.
Written literal_text(Target target, std::string_view bytes);

/// One character of the set; in brackets, negated where that is shorter. Precondition: the set is not empty.
Written class_text(Target target, const regex::CodePointSet& set);

/// A pattern by the language's own operators. In a regular expression assertions are written where `keeps_assertions`.
/// Errors: kUnsupported, at `where`; kLimitExceeded (text_bytes).
Result<Written> pattern_text(Target target, const regex::SyntaxTree& tree, SourceRange where, const Limits& limits,
                             bool keeps_assertions = false);

/// A pattern as one terminal of KBNF or of Lark: a literal, or a regular expression. Errors: as pattern_text.
Result<Written> terminal_text(Target target, const regex::SyntaxTree& tree, SourceRange where, const Limits& limits);

/// What an EBNF terminal's text (Terminal::text) says; nullopt for what is no literal, class or regular expression.
std::optional<regex::SyntaxTree> tree_of_text(std::string_view text, const Limits& limits);

/// The same with a literal for each character.
regex::SyntaxTree characters_apart(const regex::SyntaxTree& tree);

/// Tokens, where the language has a word for the set. Errors: kUnsupported; kLimitExceeded, as repeated.
Result<Written> tokens_text(Target target, const grammar::TokenSet& set, SourceRange where, std::size_t most_bytes);

}  // namespace weir::frontend::convert

#endif  // WEIR_SRC_CONVERT_SPELLING_H_
