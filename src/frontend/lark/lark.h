// Lark to grammar IR, in the dialect of llguidance. docs/lark.md is the reference.
//
// HOW    words.h splits the text. parser.h reads definitions into a tree (syntax_tree.h), body_parser.h their bodies,
//        condition_parser.h parameters and conditions on them (parameter.h); all three are a word_reader.h. literals.h
//        evaluates single words, and common.h has the terminals of Lark's library. Named grammars are read in the same
//        way (named_grammars.h), names are checked (check_names.h), terminals become expressions (regular.h), and rules
//        become productions, one rule for each set of parameters that is used (rule_builder.h). indentation.h finds
//        what the text says of indentation.
// WHY    Text is split as llguidance does: at each position all terminals that the grammar allows are matched together,
//        as long as one of them can continue (LexemeMode::kLongest, kShortest). Where all splits are known to give the
//        same language, terminals are exact (drop_competition.h), which is faster.
// COST   Linear in the text, and in the number of parameter sets that are used. No recursion.
#ifndef WEIR_SRC_FRONTEND_LARK_LARK_H_
#define WEIR_SRC_FRONTEND_LARK_LARK_H_

#include <optional>
#include <string_view>

#include "frontend/reading.h"
#include "grammar/ir.h"
#include "weir/grammar.h"

namespace weir::frontend {

namespace lark {
/// The name of the generated rule for ignored text; a reference to it follows each terminal.
inline constexpr std::string_view kIgnoredText = "ignored text";
}  // namespace lark

/// Adds the rules of `text`, and returns the start rule.
/// Errors: kSyntax; kInvalidArgument (an undefined name, no start rule); kUnsupported (a recursive terminal, an
/// attribute, a construct of a regular expression); kLimitExceeded; those of JSON schemas.
std::optional<grammar::RuleId> read_lark(std::string_view text, const GrammarTextOptions& options, Reading& reading);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_LARK_LARK_H_
