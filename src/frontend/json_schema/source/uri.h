// URI references (RFC 3986), as far as identifying schemas needs them: taken apart, resolved against a base, put
// together.
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

/// Takes any text apart, as the expression of appendix B does; whether the components are well-formed is not checked.
Uri parse_uri(std::string_view text);

/// `reference` seen from `base` (section 5.2.2, strict). A base without a scheme is allowed; then the result has none
/// either, unless the reference has one.
Uri resolve_uri(const Uri& base, const Uri& reference);

std::string to_string(const Uri& uri);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_URI_H_
