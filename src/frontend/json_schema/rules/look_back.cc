#include "frontend/json_schema/rules/look_back.h"

#include <cstddef>

namespace weir::frontend::json_schema {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

void drop_blanks(std::string_view& text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
}

// Removes a comma or colon at the end, and the blanks around it.
void drop_mark(std::string_view& text) {
  drop_blanks(text);
  if (!text.empty()) text.remove_suffix(1);
  drop_blanks(text);
}

// Returns where the string begins whose closing quote ends the text.
std::size_t string_begin(std::string_view text) {
  std::size_t begin = text.size() - 1;
  while (begin > 0) {
    if (text[--begin] != '"') continue;
    std::size_t slashes = 0;
    while (slashes < begin && text[begin - 1 - slashes] == '\\') ++slashes;
    if (slashes % 2 == 0) break;
  }
  return begin;
}

// Returns where the value begins that ends with the text.
std::size_t value_begin(std::string_view text) {
  std::size_t begin = text.size();
  for (std::size_t depth = 0; begin > 0;) {
    const char c = text[begin - 1];
    if (c == '"') {
      begin = string_begin(text.substr(0, begin));
      if (depth == 0) break;
      continue;
    }
    if (depth == 0 && (is_blank(c) || c == ',' || c == ':' || c == '[' || c == '{')) break;
    --begin;
    if (c == ']' || c == '}') ++depth;
    if ((c == '[' || c == '{') && --depth == 0) break;
  }
  return begin;
}

}  // namespace

std::string_view value_before_comma(std::string_view text) {
  drop_mark(text);
  return text.substr(value_begin(text));
}

bool is_comma_of_object(std::string_view text) {
  drop_mark(text);
  text = text.substr(0, value_begin(text));
  drop_blanks(text);
  return !text.empty() && text.back() == ':';
}

std::vector<std::string_view> keys_before_comma(std::string_view text) {
  std::vector<std::string_view> keys;
  do {
    drop_mark(text);  // the comma
    text = text.substr(0, value_begin(text));
    drop_mark(text);  // the colon
    if (text.empty()) break;
    const std::size_t begin = string_begin(text);
    keys.push_back(text.substr(begin));
    text = text.substr(0, begin);
    drop_blanks(text);
  } while (!text.empty() && text.back() == ',');
  return keys;
}

}  // namespace weir::frontend::json_schema
