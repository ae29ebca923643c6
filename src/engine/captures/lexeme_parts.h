// Finds where the second part of a lexeme begins (grammar::LexemeParts), so that both can be reported.
#ifndef WEIR_SRC_ENGINE_CAPTURES_LEXEME_PARTS_H_
#define WEIR_SRC_ENGINE_CAPTURES_LEXEME_PARTS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/limit.h"
#include "grammar/ir.h"
#include "regex/expr/expr.h"

namespace weir::engine {

/// Sets `place` to the last place of the lexeme where the text before it is in the first part and the text after it in
/// the second; to the lexeme's size if there is none. Adds the steps taken to `visited`; returns a limit if that
/// exceeds `limit`.
/// Cost     For each byte, the number of distinct residuals of the second part that are in progress. If two are equal,
///          only the one that began later is kept, because it gives the later place.
base::Limit find_second_part(regex::ExprSet& exprs, const grammar::LexemeParts& parts, std::string_view lexeme,
                             std::uint32_t limit, std::uint32_t& visited, std::size_t& place);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_CAPTURES_LEXEME_PARTS_H_
