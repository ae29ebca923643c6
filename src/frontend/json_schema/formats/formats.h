// Formats: the strings, or numbers, that `format` names, each from the document that defines it.
//
// WHAT   A format is a set of decoded strings, as an expression; regex/atoms/json_string.h makes JSON texts of it. Numeric
//        formats are an interval. docs/json_schema_formats.md lists them all for users, with what is not checked.
// WHICH  Exact wherever the definition is regular, lengths and calendars included. Where it is not, the set is the
//        smallest regular one around it that was worth its states, and the page and the comment at its maker say what
//        is let in: hostname, idn-hostname (Punycode is not decoded; no normalization), regex (nesting is bounded: the
//        one place where something is left out; counted and named references are not checked).
// COST   Made when asked for, in 1 to 150 µs; regex takes 0.7 ms, for its Unicode identifiers, and the idn formats 8 ms
//        each, once a process (AMD EPYC, 2 GHz, 2026-11-22). Callers remember the result, by name.
// THREADS As the ExprSet.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_FORMATS_FORMATS_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_FORMATS_FORMATS_H_

#include <optional>
#include <span>
#include <string_view>

#include "frontend/json_schema/source/keywords.h"
#include "frontend/json_schema/values/number_language.h"
#include "regex/expr/expr.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend::json_schema {

/// The decoded strings of a format; nullopt if `name` is no format of strings that we know. Names are the same in all
/// dialects, also where an early one does not list them; `dialect` chooses between editions of one format.
/// Errors: kLimitExceeded (regex_nodes).
Result<std::optional<regex::ExprId>> string_format(regex::ExprSet& exprs, std::string_view name, Dialect dialect);

/// Numbers of a format: those in an interval, and of them perhaps only the integers.
struct NumericFormat {
  bool is_integer = false;
  std::optional<NumberBound> minimum;
  std::optional<NumberBound> maximum;
};
/// Nullopt if `name` is no format of numbers that we know.
std::optional<NumericFormat> numeric_format(std::string_view name);

/// All names that one of the two knows, sorted.
std::span<const std::string_view> known_formats();

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_FORMATS_FORMATS_H_
