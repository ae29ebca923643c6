// URI references (RFC 3986), as far as schemas need them: parsing, resolution against a base, and writing.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_URI_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_URI_H_

#include <optional>
#include <string>
#include <string_view>

namespace weir::frontend::json_schema {

/// The five components of a URI reference. An absent component and an empty one are different: `x#` has a fragment.
struct Uri {
  std::optional<std::string> scheme;
  std::optional<std::string> authority;
  std::string path;
  std::optional<std::string> query;
  std::optional<std::string> fragment;

  friend bool operator==(const Uri&, const Uri&) = default;
};

/// Parses any text like the regular expression of appendix B. Does not check whether the components are well-formed.
Uri parse_uri(std::string_view text);

/// Resolves `reference` against `base` (section 5.2.2, strict). The base may lack a scheme; then the result has a
/// scheme only if the reference has one.
Uri resolve_uri(const Uri& base, const Uri& reference);

std::string to_string(const Uri& uri);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_URI_H_
