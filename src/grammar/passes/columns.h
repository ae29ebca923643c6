// Pass "columns": takes the rules with line ends out of a grammar with indentation, as templates of lazy rules (columns.h).
//
// HOW    A rule is lined if one of its productions has a line end or a block, directly or by another lined rule. All others
//        stay as they are. The text has to be divided into blocks by the grammar: an indent and its dedent are in one
//        production. Which states each lined rule can begin and end in is one fixed point, whatever the column.
//        A plain symbol that may be empty is left out or replaced by a copy that is not empty, because the blanks of a line
//        are read before the first symbol of that line that is not empty.
#ifndef WEIR_SRC_GRAMMAR_PASSES_COLUMNS_H_
#define WEIR_SRC_GRAMMAR_PASSES_COLUMNS_H_

#include "grammar/draft.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::grammar {

/// Sets Draft::columns and makes the start rule a lazy one, if the grammar has indentation. Symbols in the templates are
/// those of the draft until pass "emit" numbers them anew.
/// Errors: kInvalidArgument for an indent without dedent or a dedent without indent, and for a block that may be empty;
/// kUnsupported for a bound on the tokens of a lined rule;
/// kUnsatisfiable if there is no text.
[[gnu::noinline]] Result<void> make_columns(Draft& draft, const Limits& limits);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_COLUMNS_H_
