// How terminals are spelled in the language that a grammar is converted to.
#ifndef WEIR_SRC_FRONTEND_CONVERT_SPELLING_H_
#define WEIR_SRC_FRONTEND_CONVERT_SPELLING_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "grammar/ir.h"
#include "regex/code_point_set.h"
#include "weir/error.h"
#include "weir/grammar.h"
#include "weir/limits.h"

namespace weir::frontend::convert {

/// How tightly a text holds together. One of a looser level than its place asks for is put in parentheses.
enum class Level : std::uint8_t { kChoice, kSequence, kRepeat, kItem };

struct Written {
  std::string text;
  Level level = Level::kItem;
};

/// In parentheses if it is looser than `level`.
std::string enclosed(const Written& written, Level level);

/// llama.cpp refuses greater counts.
inline constexpr std::uint32_t kMostGbnfRepeats = 2000;
[[nodiscard]] bool is_gbnf_count(std::uint32_t min, std::uint32_t max);

/// `*`, `+`, `?` or `{m,n}`.
std::string repeat_text(std::uint32_t min, std::uint32_t max);

/// "…" with escapes that EBNF and GBNF both have.
std::string literal_text(std::string_view bytes);
/// […], negated where that is shorter. Precondition: the set is not empty.
std::string class_text(const regex::CodePointSet& set);

/// A terminal in GBNF, which has literals and classes and no regular expressions.
/// Errors: kUnsupported, at `where`: what GBNF cannot say.
Result<Written> gbnf_terminal(const grammar::Terminal& terminal, SourceRange where, const Limits& limits);

/// In GBNF a token stands alone: `<[7]>`, `<name>`, or one of them behind `!`.
Result<Written> gbnf_tokens(const grammar::TokenSet& set, SourceRange where);

}  // namespace weir::frontend::convert

#endif  // WEIR_SRC_FRONTEND_CONVERT_SPELLING_H_
