// What is wrong with a schema whatever the options are with which its tag is compiled.
#ifndef WEIR_SRC_FRONTEND_TOOLS_CERTAIN_ERRORS_H_
#define WEIR_SRC_FRONTEND_TOOLS_CERTAIN_ERRORS_H_

#include <string_view>
#include <vector>

#include "base/json/json_value.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend {

namespace json_schema {
class SchemaReview;
}

namespace tools {

/// Reads a structural tag that holds the schema under all drafts that may read it differently, because the draft of a
/// schema that names none is not known. A draft that lacks a wrong keyword does not count, since it would ignore the
/// keyword. Returns no errors if the tag can be read under one of the drafts, else those of the first.
std::vector<Error> errors_of(std::string_view tag, const base::JsonValue& schema, const Limits& limits,
                             const json_schema::SchemaReview* review);

/// Returns true if an error of errors_of() may not hold under all options: a document outside of the tag may be known when
/// it is compiled, and limits may be others.
bool is_uncertain(const Error& error, std::string_view tag, const Limits& limits);

}  // namespace tools
}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_TOOLS_CERTAIN_ERRORS_H_
