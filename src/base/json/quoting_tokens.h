// QuotingTokens: the tokens of a vocabulary that contain a quote, `"`.
//
// WHY    What follows a quote in a JSON text may depend on all of the text before it: whether an object may have this
//        key. Who decides that has to look at tokens with quotes only. About 1,100 of the 200,000 tokens of o200k_base
//        have one, and 178 have several.
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
    /// Returns true if each text in quotes within the token is written between two adjacent quotes of it.
    [[nodiscard]] bool is_plain() const { return !escapes && (quotes == 2 || quotes == 3); }
  };

  QuotingTokens() = default;
  /// Takes the tokens, bytes and id, of which each has a quote. The bytes must outlive the object and its copies.
  explicit QuotingTokens(std::span<const std::pair<std::string_view, std::uint32_t>> tokens);

  /// Returns all tokens, in ascending order of their bytes.
  [[nodiscard]] std::span<const Token> all() const { return all_; }
  /// Returns the tokens that begin with `text`.
  [[nodiscard]] std::span<const Token> beginning_with(std::string_view text) const;
  /// Returns the tokens with a backslash before their last quote.
  [[nodiscard]] std::span<const Token> escaping() const { return escaping_; }
  /// Returns true if one of them has `\u` before its last quote.
  [[nodiscard]] bool has_numeric_escapes() const { return has_numeric_escapes_; }

  enum class Plain : std::uint8_t { kIncluded, kLeftOut };
  /// Returns the tokens with at least `quotes` quotes, with or without those that are plain. Precondition: quotes >= 2.
  [[nodiscard]] std::span<const Token> with_quotes(std::size_t quotes, Plain plain) const;
  /// Returns true if some plain token has `text` between two adjacent quotes.
  [[nodiscard]] bool has_quoted(std::string_view text) const;

 private:
  void add(std::string_view bytes, std::uint32_t id);

  std::vector<Token> all_, escaping_;
  std::vector<Token> many_, many_not_plain_;    // in descending order of quotes
  std::vector<std::string_view> quoted_texts_;  // between quotes of plain tokens, ascending
  bool has_numeric_escapes_ = false;
};

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_JSON_QUOTING_TOKENS_H_
