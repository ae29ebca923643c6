// The input and output of every front end.
//
// WHAT   A front end reads a text into a grammar that may already contain rules of other texts: a structural tag
//        contains schemas, a Lark grammar may refer to EBNF grammars. It adds rules and returns the rule for the whole
//        text; it does not make that rule the start rule of the grammar.
// WHY    Errors are a list, because an editor wants to show all of them. A front end that cannot continue sensibly
//        stops at the first error.
#ifndef WEIR_SRC_FRONTEND_READING_H_
#define WEIR_SRC_FRONTEND_READING_H_

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/ir.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::base {
class JsonDocument;
}

namespace weir::frontend {

namespace json_schema {
class SchemaReview;
}

struct Reading {
  grammar::Grammar& grammar;
  const Limits& limits;
  /// Produces warnings about schemas, and the reasons in errors about them; null if neither is wanted.
  const json_schema::SchemaReview* review = nullptr;
  /// True if all warnings are wanted, including those that need a longer search.
  bool is_check = false;
  /// Ranges refer to the text that is read. If a front end returns no rule, there is at least one error and the grammar
  /// must not be used.
  std::vector<Error> errors = {};
  std::vector<Warning> warnings = {};
  /// The document of the JSON Schema that was read last; null if none was.
  std::shared_ptr<const base::JsonDocument> schema = {};

  /// Appends an error and returns nullopt, for `return reading.fail(...)`.
  std::nullopt_t fail(Error error) {
    errors.push_back(std::move(error));
    return std::nullopt;
  }
};

/// Checks that the text of a grammar can be read. Errors: kLimitExceeded (text_bytes); kSyntax if it is not valid
/// UTF-8.
Result<void> check_text(std::string_view text, const Limits& limits);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_READING_H_
