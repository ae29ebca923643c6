// The tokenizer oracle: splitting and merging by their definitions, on strings.
//
// WHAT   A text is cut by patterns, one after the other; each piece starts as its bytes or characters, and the adjacent
//        pair with the lowest rank is merged, of equal ranks the leftmost, until none is left.
// HOW    A backtracking matcher over a small syntax, and a merge loop that looks at every pair each time.
// LIMITS Patterns: characters, `.`, `[...]` with ranges and `^`, \s \S, `(?:...)`, `|`, `* + ? {m,n}` with `?` and `+`
//        after them, `(?=...)`, `(?!...)`, `$`. Characters are those of UTF-8.
#ifndef WEIR_TESTS_ORACLE_PLAIN_TOKENIZER_H_
#define WEIR_TESTS_ORACLE_PLAIN_TOKENIZER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::oracle {

/// Leftmost matches as a backtracking matcher finds them; empty ones do not count.
class BacktrackingPattern {
 public:
  explicit BacktrackingPattern(std::string_view pattern);
  ~BacktrackingPattern();
  BacktrackingPattern(BacktrackingPattern&&) noexcept;
  /// The pieces of a text: matches, and what lies between them.
  [[nodiscard]] std::vector<std::string> split(const std::string& text) const;

 private:
  struct Node;
  class Parser;
  using Continuation = std::function<bool(std::size_t)>;
  static bool match(const Node& node, const std::vector<std::string>& text, std::size_t at, const Continuation& then);
  static bool match_repeat(const Node& node, const std::vector<std::string>& text, std::size_t at, std::size_t count,
                           const Continuation& then);
  std::unique_ptr<Node> root_;
};

struct PlainTokenizer {
  std::vector<std::string> tokens = {};  ///< Texts as in pieces; an empty one is no token of the model.
  /// Merges by rank; where there are none, two symbols merge if their texts together are a token's.
  std::vector<std::pair<std::string, std::string>> merges = {};
  bool merges_any = false;              ///< By ranks_ of tokens instead of `merges`.
  std::vector<std::size_t> ranks = {};  ///< Of tokens, where merges_any.
  bool takes_whole_pieces = false;
  bool of_characters = false;
  bool takes_longest = false;  ///< Of each piece, at each place the longest token that fits; no merges.
  std::vector<std::uint32_t> byte_tokens = {};  ///< 256 of them, for characters that are no tokens.
  std::vector<std::string> patterns = {};
  std::vector<std::pair<std::string, std::uint32_t>> added = {};  ///< Found first, leftmost and longest.
  std::string space_symbol = {};                                  ///< Takes the place of spaces.
  std::string prefix = {};  ///< Put in front of texts that are not empty, after that.

  /// nullopt: the text has no tokens.
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> tokenize(const std::string& text) const;

 private:
  bool append_piece(const std::string& piece, std::vector<std::uint32_t>& out) const;
  [[nodiscard]] std::optional<std::uint32_t> find(const std::string& text) const;
};

/// The characters of valid UTF-8.
std::vector<std::string> plain_characters(std::string_view text);

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_PLAIN_TOKENIZER_H_
