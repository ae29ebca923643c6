#include "oracle/small_nfc.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "oracle/bpe_tokenizer.h"

namespace weir::oracle {

namespace {

using Texts = std::vector<std::string>;

// Characters and what they are made of. Those of one part, and U+0958, are never composed.
const std::map<std::string, Texts>& parts_by_character() {
  static const std::map<std::string, Texts> kParts = {
      {"\u00E8", {"e", "\u0300"}},      {"\u00E9", {"e", "\u0301"}},
      {"\u00EA", {"e", "\u0302"}},      {"\u1EB9", {"e", "\u0323"}},
      {"\u1EC7", {"\u1EB9", "\u0302"}}, {"\u1EBF", {"\u00EA", "\u0301"}},
      {"\u0340", {"\u0300"}},           {"\u212A", {"K"}},
      {"\u0958", {"\u0915", "\u093C"}}, {"\u226F", {">", "\u0338"}},
      {"\u304C", {"\u304B", "\u3099"}}, {"\uAC00", {"\u1100", "\u1161"}},
      {"\uAC01", {"\uAC00", "\u11A8"}},
  };
  return kParts;
}

int class_of(const std::string& character) {
  static const std::map<std::string, int> kClasses = {
      {"\u0338", 1}, {"\u093C", 7}, {"\u3099", 8}, {"\u0323", 220}, {"\u0300", 230}, {"\u0301", 230}, {"\u0302", 230},
  };
  const auto found = kClasses.find(character);
  return found == kClasses.end() ? 0 : found->second;
}

void decompose(const std::string& character, Texts& out) {
  const auto found = parts_by_character().find(character);
  if (found == parts_by_character().end()) {
    out.push_back(character);
    return;
  }
  for (const std::string& part : found->second) decompose(part, out);
}

// Returns the composition of two characters, or an empty string.
std::string composed(const std::string& first, const std::string& second) {
  for (const auto& [character, parts] : parts_by_character()) {
    if (character != "\u0958" && parts == Texts{first, second}) return character;
  }
  return {};
}

}  // namespace

std::string small_nfc(std::string_view text) {
  Texts characters;
  for (const std::string& character : characters_of(text)) decompose(character, characters);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i + 1 < characters.size(); ++i) {
      const int next = class_of(characters[i + 1]);
      if (next == 0 || class_of(characters[i]) <= next) continue;
      std::swap(characters[i], characters[i + 1]);
      changed = true;
    }
  }
  // A character is composed with the last starter before it unless something between them has its class or class 0.
  for (std::size_t i = 1; i < characters.size(); ++i) {
    std::size_t starter = i;
    while (starter > 0 && class_of(characters[starter - 1]) != 0) --starter;
    if (starter == 0) continue;
    --starter;
    const int own = class_of(characters[i]);
    const bool is_blocked = starter + 1 < i && (own == 0 || class_of(characters[i - 1]) >= own);
    const std::string both = is_blocked ? std::string() : composed(characters[starter], characters[i]);
    if (both.empty()) continue;
    characters[starter] = both;
    characters.erase(characters.begin() + static_cast<std::ptrdiff_t>(i));
    --i;
  }
  std::string out;
  for (const std::string& character : characters) out += character;
  return out;
}

}  // namespace weir::oracle
