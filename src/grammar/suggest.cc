#include "grammar/suggest.h"

#include <algorithm>
#include <vector>

namespace weir::grammar {

namespace {

char folded(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Levenshtein distance without regard to case, one row of the table at a time; gives up above `bound`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t bound) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    std::size_t least = row[0];
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (folded(a[i - 1]) == folded(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
      least = std::min(least, row[j]);
    }
    if (least > bound) return least;
  }
  return row[b.size()];
}

}  // namespace

std::string did_you_mean(const Grammar& grammar, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Rule& rule : grammar.rules) {
    if (rule.defined) names.push_back(rule.name);
  }
  return did_you_mean(names, name);
}

std::string nearest_name(std::span<const std::string_view> names, std::string_view name) {
  constexpr std::size_t kLongest = 200;  // of the names compared
  if (name.size() > kLongest) return {};
  std::size_t bound = std::max<std::size_t>(1, name.size() / 3);
  std::string_view nearest;
  for (const std::string_view& candidate : names) {
    if (candidate.size() > name.size() + bound || candidate.size() + bound < name.size()) continue;
    const std::size_t distance = edit_distance(candidate, name, bound);
    if (distance > bound || (!nearest.empty() && distance == bound)) continue;
    nearest = candidate;
    bound = distance;
  }
  return std::string(nearest);
}

std::string did_you_mean(std::span<const std::string_view> names, std::string_view name) {
  const std::string nearest = nearest_name(names, name);
  return nearest.empty() ? nearest : "did you mean `" + nearest + "`?";
}

}  // namespace weir::grammar
