#include "grammar/suggest.h"

#include <algorithm>
#include <vector>

namespace weir::grammar {

namespace {

char folded(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

// The usual table over all pairs of prefixes; three rows of it are needed at a time.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t bound) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  const auto same = [&](std::size_t i, std::size_t j) { return folded(a[i - 1]) == folded(b[j - 1]); };
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j - 1] + (same(i, j) ? 0 : 1), last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && same(i, j - 1) && same(i - 1, j)) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    // A swap refers to the row before the last one, so the minimum of two rows must exceed the bound.
    const std::size_t least =
        std::min(*std::min_element(row.begin(), row.end()), *std::min_element(last.begin(), last.end()));
    if (least > bound) return least;
  }
  return row[b.size()];
}

std::string did_you_mean(const Grammar& grammar, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Rule& rule : grammar.rules) {
    if (rule.defined) names.push_back(rule.name);
  }
  return did_you_mean(names, name);
}

std::string nearest_name(std::span<const std::string_view> names, std::string_view name) {
  constexpr std::size_t kLongest = 200;  // maximum length of the names compared
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

std::string did_you_mean(std::span<const std::string_view> names, std::string_view name, std::string introduction) {
  std::string hint = did_you_mean(names, name);
  if (!hint.empty()) return hint;
  for (const std::string_view& known : names) {
    introduction.append(&known == &names.front() ? " `" : ", `").append(known).append("`");
  }
  return introduction;
}

}  // namespace weir::grammar
