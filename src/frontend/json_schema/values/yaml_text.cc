#include "frontend/json_schema/values/yaml_text.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/json/json_text.h"
#include "base/replaceable.h"
#include "base/utf8.h"

namespace weir::frontend::json_schema {

using base::CutText;

WEIR_REPLACEABLE CutText spelled_in_yaml(const CutText& text) {
  const std::string_view json = text.text();
  const bool is_same = std::ranges::all_of(json, [](char c) { return c >= 0 && c != 0x7F; }) &&
                       json.find("\\u") == std::string_view::npos;
  if (is_same) return text;
  std::string out;
  for (std::size_t i = 0; i < json.size();) {
    if (json[i] == '\\') {
      const base::JsonEscape escape = base::read_json_escape(json.substr(i));
      if (escape.length > 6) {  // a pair of surrogates
        base::append_utf8(out, escape.code_point);
      } else {
        out += json.substr(i, std::max<std::size_t>(escape.length, 1));
      }
      i += std::max<std::size_t>(escape.length, 1);
      continue;
    }
    const base::Decoded character = base::decode_utf8(json, i);
    const std::size_t length = std::max<std::size_t>(character.length, 1);
    if (character.length == 0 || is_plain_in_yaml(character.code_point)) {
      out += json.substr(i, length);
    } else {
      static constexpr char kDigits[] = "0123456789abcdef";
      out += "\\u";
      for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[(character.code_point >> shift) & 0xFU];
    }
    i += length;
  }
  CutText result(std::move(out), SIZE_MAX);
  result.add_unwritten(text.length() - json.size());
  return result;
}

}  // namespace weir::frontend::json_schema
