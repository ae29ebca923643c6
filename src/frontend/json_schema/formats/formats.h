// Formats: the strings, or numbers, that the values of `format` name, each as its document defines it.
//
// WHAT   A format of strings is an expression over decoded strings; regex/atoms/json_string.h makes JSON texts of it. A
//        numeric format is an interval. docs/json_schema_formats.md lists all formats for users, with what is not
//        checked.
// WHICH  A format is exact if its definition is a regular language, including lengths and calendars. Otherwise it
//        accepts more strings than the definition; the page and the comment at the function say which: hostname and
//        idn-hostname (Punycode is not decoded, normalization is not checked), regex (references to groups are not
//        checked). Only regex also rejects strings that the definition accepts: its nesting is bounded.
// COST   An expression is made on each call, in microseconds. regex and the idn formats take longer: regex because of
//        its Unicode identifiers, the idn formats for an automaton that is made once a process. Callers memoise results
//        by name.
// THREADS Same as ExprSet.
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

/// Returns the decoded strings of a format; nullopt if `name` is not a known format of strings. All names are known in
/// all dialects, even if the dialect's specification does not list them; `dialect` chooses between editions of a
/// format.
/// Errors: kLimitExceeded (regex_nodes).
Result<std::optional<regex::ExprId>> string_format(regex::ExprSet& exprs, std::string_view name, Dialect dialect);

/// The numbers of a format: those within the bounds, or only the integers among them.
struct NumericFormat {
  bool is_integer = false;
  std::optional<NumberBound> minimum;
  std::optional<NumberBound> maximum;
};
/// Returns the numbers of a format; nullopt if `name` is not a known format of numbers.
std::optional<NumericFormat> numeric_format(std::string_view name);

/// Returns the names of all formats of strings and numbers, sorted.
std::span<const std::string_view> known_formats();

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_FORMATS_FORMATS_H_
