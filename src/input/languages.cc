#include "weir/languages.h"

#include <string>

#include "frontend/languages/language.h"

namespace weir {

std::vector<std::string_view> language_names() {
  std::vector<std::string_view> names;
  for (const frontend::Language& language : frontend::languages()) names.push_back(language.name);
  return names;
}

Result<Grammar> grammar_of_language(std::string_view name, std::string_view tables, const Limits& limits) {
  return Grammar::from_text(tables, {.language = std::string(name)}, limits);
}

}  // namespace weir
