// What every front end is given, and where it puts what it finds.
//
// WHAT   A front end reads a text into a grammar that may hold rules already, those of other texts: a structural tag
//        holds schemas, a Lark grammar others in EBNF. It adds rules and says which is the first; the grammar's start
//        is not its business.
// WHY    Errors are a list: whoever checks a grammar in an editor wants all of them. A front end that cannot go on
//        sensibly stops at the first.
#ifndef WEIR_SRC_FRONTEND_READING_H_
#define WEIR_SRC_FRONTEND_READING_H_

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/ir.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend {

namespace json_schema {
class SchemaReview;
}

struct Reading {
  grammar::Grammar& grammar;
  const Limits& limits;
  /// Writes diagnostics about schemas; null: none but errors.
  const json_schema::SchemaReview* review = nullptr;
  /// True if all warnings are wanted, including those that take a longer search.
  bool is_check = false;
  /// Ranges are of the text that is read. Not empty where a front end returns no rule; the grammar is then of no use.
  std::vector<Error> errors = {};
  std::vector<Warning> warnings = {};

  /// For `return reading.fail(...)`.
  std::nullopt_t fail(Error error) {
    errors.push_back(std::move(error));
    return std::nullopt;
  }
};

/// Whether a grammar's text can be read at all. Errors: kLimitExceeded (text_bytes); kSyntax where it is not UTF-8.
Result<void> check_text(std::string_view text, const Limits& limits);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_READING_H_
