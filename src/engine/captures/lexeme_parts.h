// Where the second part of a lexeme begins (grammar::LexemeParts), for reporting both.
#ifndef WEIR_SRC_ENGINE_CAPTURES_LEXEME_PARTS_H_
#define WEIR_SRC_ENGINE_CAPTURES_LEXEME_PARTS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/limit.h"
#include "grammar/ir.h"
#include "regex/expr/expr.h"

namespace weir::engine {

/// Sets `place` to the last place of the lexeme with a text of the first part before it and one of the second behind
/// it; to the lexeme's size where there is none. What is visited is added to `visited`, up to `limit`.
/// Cost: for each byte the residuals of the second part that are in progress, each once: of two that are equal only the
/// one that began later can be the shortest.
base::Limit find_second_part(regex::ExprSet& exprs, const grammar::LexemeParts& parts, std::string_view lexeme,
                             std::uint32_t limit, std::uint32_t& visited, std::size_t& place);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_CAPTURES_LEXEME_PARTS_H_
