// QuotingTokens: the tokens of a vocabulary that contain a quote, `"`, and those in which a key of YAML ends without one.
//
// WHY    Whether a key is allowed depends on the earlier keys of its object, so the tokens that can end a key must be
//        checked: those with a quote, and in YAML those of with_colons(). About 1,100 of the 200,000 tokens of o200k_base
//        have a quote, and 178 have several. Guards of schemas ask, which see no vocabulary: this list of bytes and ids,
//        which vocab fills, is all that they know of tokens.
// COST   Making it is O(n log n) for n tokens with quotes; the lists are views.
// THREADS const members may be called concurrently.
#ifndef WEIR_SRC_BASE_JSON_QUOTING_TOKENS_H_
#define WEIR_SRC_BASE_JSON_QUOTING_TOKENS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::base {

class QuotingTokens {
 public:
  struct Token {
    std::string_view bytes;
    std::uint32_t id = 0;
    std::size_t quotes = 0;  ///< The number of quotes in the token.
    bool escapes = false;    ///< There is a backslash before the last quote.
    /// Returns true if the token has two or three quotes and no backslash before the last. So it contains at most two
    /// texts in quotes, which are written without escapes.
    [[nodiscard]] bool is_plain() const { return !escapes && (quotes == 2 || quotes == 3); }
  };

  QuotingTokens() = default;
  /// Preconditions: each of `tokens`, pairs of bytes and id, contains a quote, ends_yaml_key() is true of each of
  /// `with_colons`, and the bytes outlive the object and its copies.
  explicit QuotingTokens(std::span<const std::pair<std::string_view, std::uint32_t>> tokens,
                         std::span<const std::pair<std::string_view, std::uint32_t>> with_colons = {});

  /// Returns all tokens, in ascending order of their bytes.
  [[nodiscard]] std::span<const Token> all() const { return all_; }
  /// Returns the tokens that begin with `text`.
  [[nodiscard]] std::span<const Token> beginning_with(std::string_view text) const;
  /// Returns the tokens with a backslash before their last quote.
  [[nodiscard]] std::span<const Token> escaping() const { return escaping_; }
  /// Returns true if some token has `\u` before its last quote.
  [[nodiscard]] bool has_numeric_escapes() const { return has_numeric_escapes_; }

  enum class Plain : std::uint8_t { kIncluded, kLeftOut };
  /// Returns the tokens with at least `quotes` quotes, with or without those that are plain. Precondition: quotes >= 2.
  [[nodiscard]] std::span<const Token> with_quotes(std::size_t quotes, Plain plain) const;
  /// Returns true if some plain token has `text` between two adjacent quotes.
  [[nodiscard]] bool has_quoted(std::string_view text) const;
  /// Returns the tokens in which a key of YAML may end at a colon.
  [[nodiscard]] std::span<const Token> with_colons() const { return with_colons_; }

 private:
  void add(std::string_view bytes, std::uint32_t id);

  std::vector<Token> all_, escaping_, with_colons_;
  std::vector<Token> many_, many_not_plain_;    // in descending order of quotes
  std::vector<std::string_view> quoted_texts_;  // between quotes of plain tokens, ascending
  bool has_numeric_escapes_ = false;
};

/// Returns true if the token has a colon before a blank or line end, or after a single quote. o200k_base has 53 such tokens.
bool ends_yaml_key(std::string_view token);

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_JSON_QUOTING_TOKENS_H_
