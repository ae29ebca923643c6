// Helpers of the tests of the regex syntax.
#ifndef WEIR_TESTS_UNIT_REGEX_SYNTAX_TESTING_H_
#define WEIR_TESTS_UNIT_REGEX_SYNTAX_TESTING_H_

#include <string>
#include <string_view>

#include "regex/expr/expr.h"
#include "regex/syntax/syntax.h"

namespace weir::regex::testing {

/// Returns the options that letters denote: the flags i m s x, o for operators, f for search ("find"), e for ECMA-262,
/// y for Python, p for PCRE, r for Rust.
inline SyntaxOptions options_of(std::string_view letters) {
  SyntaxOptions options;
  for (char c : letters) {
    switch (c) {
      case 'i': options.ignore_case = true; break;
      case 'm': options.multi_line = true; break;
      case 's': options.dot_all = true; break;
      case 'x': options.extended = true; break;
      case 'o': options.operators = true; break;
      case 'e': options.dialect = Dialect::kEcma262; break;
      case 'r': options.dialect = Dialect::kRust; break;
      case 'y': options.dialect = Dialect::kPython; break;
      case 'p': options.dialect = Dialect::kPcre; break;
      case 'f': options.search = true; break;
      default: break;
    }
  }
  return options;
}

/// A compiled pattern. If it has an error, error() returns it and nothing matches.
class Pattern {
 public:
  explicit Pattern(std::string_view text, std::string_view letters = "", const Limits& limits = {})
      : exprs_(limits.regex_nodes) {
    const Result<ExprId> parsed = parse_regex(exprs_, text, options_of(letters), limits);
    if (parsed) {
      id_ = *parsed;
    } else {
      error_ = parsed.error();
      failed_ = true;
    }
  }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] const Error& error() const { return error_; }
  [[nodiscard]] bool matches(std::string_view text) { return !failed_ && exprs_.matches(id_, text); }
  [[nodiscard]] ExprSet& exprs() { return exprs_; }
  [[nodiscard]] ExprId id() const { return id_; }

 private:
  ExprSet exprs_;
  ExprId id_ = ExprId::kNothing;
  Error error_ = {};
  bool failed_ = false;
};

}  // namespace weir::regex::testing

#endif  // WEIR_TESTS_UNIT_REGEX_SYNTAX_TESTING_H_
