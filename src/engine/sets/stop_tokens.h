// StopTokens: the tokens that end the output of one matcher, and the roles that other tokens have in it.
//
// WHAT   The stop tokens of the vocabulary, or others that the matcher was given. A token in only one of the lists has a
//        *reversed* role. A stop token of the matcher alone adds no text and is in no complement of a token set. A stop
//        token of the vocabulary alone is text for the matcher, or a special token.
// WHY    States, masks and facts belong to the vocabulary and are shared by all matchers. Only the few tokens of
//        reversed roles differ, so a matcher steps these, and decides their bits, by itself.
// COST   For a matcher without own stop tokens: a comparison with null. Otherwise a binary search among a few tokens.
// THREADS const members may be called concurrently. Copies share the list.
#ifndef WEIR_SRC_ENGINE_SETS_STOP_TOKENS_H_
#define WEIR_SRC_ENGINE_SETS_STOP_TOKENS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/sets/token_terminals.h"
#include "engine/sets/token_view.h"
#include "vocab/vocabulary.h"
#include "weir/error.h"

namespace weir::engine {

class StopTokens {
 public:
  /// The stop tokens of `vocabulary`, which must outlive the object and its copies.
  explicit StopTokens(const vocab::Vocabulary& vocabulary) : vocabulary_(&vocabulary) {}
  /// The stop tokens `own`; those of `vocabulary` if it has no value.
  /// Errors   kInvalidArgument: no token; one that the vocabulary lacks; a token twice. `where.start` is its index.
  static Result<StopTokens> create(const vocab::Vocabulary& vocabulary,
                                   const std::optional<std::vector<std::uint32_t>>& own);

  [[nodiscard]] bool contains(std::uint32_t token) const;
  /// The stop tokens, ascending.
  [[nodiscard]] std::span<const std::uint32_t> ids() const;
  /// The tokens of reversed roles, ascending.
  [[nodiscard]] std::span<const std::uint32_t> reversed() const;
  [[nodiscard]] TokenRole role(std::uint32_t token) const;
  /// Returns true if a token of a reversed role has text, so that the matcher's text tokens are not the vocabulary's.
  [[nodiscard]] bool reverses_text() const { return own_ != nullptr && own_->reverses_text; }

  /// Returns what a token adds to the text. Stop tokens and special tokens add nothing.
  [[nodiscard]] std::string_view text_of(std::uint32_t token, TokenPosition position) const;
  /// Returns true if the token is the first one of a text and the leading-space rule leaves none of its bytes.
  [[nodiscard]] bool adds_nothing(std::uint32_t token, TokenPosition position) const;

  /// Returns the position after a token at `position`.
  [[nodiscard]] TokenPosition position_after(std::uint32_t token, TokenPosition position) const;

  /// Returns true if the tokenizer may write text with the token.
  [[nodiscard]] bool has_text(std::uint32_t token) const;

 private:
  struct Own {
    std::vector<std::uint32_t> tokens;    // ascending
    std::vector<std::uint32_t> reversed;  // ascending
    bool reverses_text = false;
  };
  const vocab::Vocabulary* vocabulary_;
  std::shared_ptr<const Own> own_;  // null: the vocabulary's
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_SETS_STOP_TOKENS_H_
