// Cases of the growth suite: what cases/*.toml says, and seeded combinations of two of them.
//
// A file's table is a kind of cases: `syntax` is the language of its grammars, and these members apply to all cases of the
// kind that do not have them themselves. A case is a string, the grammar, or a table:
//   grammar   a recipe (recipe.h), in the kind's syntax
//   text      a recipe for a text, of which as much is written as the grammar allows; without it, a shortest completion
//   sizes     "numbers": 10 to 10^9, for a size that the grammar has as a number; "lists": 10 to 10^5 (text_bytes ends
//             them); "depths": 10 to 10^4, for nesting
//   options   of JSON Schemas, by name
//   style     of tool calls; every style if it is "all"
//   growth    how the work of a call grows with the size: "constant" (for "numbers", unless it says otherwise), "linear",
//             "quadratic"; a case of the last kind has a `why`, and one of "numbers" that is "linear", too
//   reach     up to this size every call answers under the default limits; without it, up to the largest size
//   public    the same for the limits of a public server; without it, no size is promised
#ifndef WEIR_TESTS_GROWTH_CASES_H_
#define WEIR_TESTS_GROWTH_CASES_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weir::growth {

struct Case {
  std::string name;  // kind/case, or kind/case/style
  std::string syntax;
  std::string grammar;
  std::string text;
  std::string sizes = "lists";
  std::string growth;
  std::string style;
  std::string why;
  std::map<std::string, std::string> options;
  std::uint64_t reach = UINT64_MAX;
  std::uint64_t reach_public = 0;
  std::uint64_t most = UINT64_MAX;  // no larger sizes are tried

  friend bool operator<(const Case& a, const Case& b) { return a.name < b.name; }
};

/// Returns the cases of all files.
std::vector<Case> read_cases();

/// Returns `count` combinations of two cases of the same syntax and sizes, drawn with this seed.
std::vector<Case> combinations(const std::vector<Case>& cases, std::size_t count, std::uint64_t seed);

/// Returns the sizes of a case, ascending.
std::vector<std::uint64_t> sizes_of(const Case& one, bool is_whole);

}  // namespace weir::growth

#endif  // WEIR_TESTS_GROWTH_CASES_H_
