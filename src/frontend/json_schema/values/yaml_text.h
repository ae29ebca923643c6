// What YAML's double-quoted strings have beyond those of JSON.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_YAML_TEXT_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_YAML_TEXT_H_

#include "base/cut_text.h"

namespace weir::frontend::json_schema {

/// Returns true if readers of YAML accept the character as it is within quotes, and read it as itself: it is printable, and
/// ends no line.
[[nodiscard]] constexpr bool is_plain_in_yaml(char32_t c) {
  if (c < 0x80) return c >= 0x20 && c != 0x7F;
  return c >= 0xA0 && c != 0x2028 && c != 0x2029 && c != 0xFEFF && c != 0xFFFE && c != 0xFFFF &&
         (c < 0xD800 || c > 0xDFFF);
}

/// Returns the string of a JSON text, or its beginning, as a double-quoted string of YAML: characters that are not plain are
/// escaped, and pairs of surrogates are not. Other texts are returned as they are.
base::CutText spelled_in_yaml(const base::CutText& text);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_YAML_TEXT_H_
