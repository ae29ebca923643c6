// Vocabulary: the data behind TokenizerInfo. Readers (readers/) fill a VocabularySource; Vocabulary checks it, lays out
// the tries, and answers. (Interface that the layers above rely on; the rest belongs to the vocab subsystem.)
#ifndef WEIR_SRC_VOCAB_VOCABULARY_H_
#define WEIR_SRC_VOCAB_VOCABULARY_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vocab/token_trie.h"
#include "weir/error.h"
#include "weir/tokenizer_info.h"

namespace weir::vocab {

/// Turns text into tokens as the original tokenizer does. Implementations: segmenters/ (BPE by ranks or merges behind
/// PCRE2 pre-tokenizers, SentencePiece BPE by scores, Unigram by Viterbi, WordPiece, longest match).
class Segmenter {
 public:
  virtual ~Segmenter() = default;
  /// The canonical ids of `text`; see TokenizerInfo::tokenize.
  [[nodiscard]] virtual Result<std::vector<std::uint32_t>> tokenize(std::string_view text) const = 0;
};

/// What a reader produces.
struct VocabularySource {
  std::string kind;  ///< See TokenizerInfo::kind.
  std::vector<std::string>
      token_bytes;  ///< Bytes under detokenization, not first; empty for special and unused tokens.
  std::vector<std::string>
      token_names;  ///< As the file writes them; an empty name, or none at all: the bytes are the name.
  std::vector<TokenKind> token_kinds;
  std::vector<std::uint32_t> stop_token_ids;
  /// What decoding does to the first token of a text.
  enum class FirstToken : std::uint8_t { kUnchanged, kDropLeadingSpace };
  FirstToken first_token = FirstToken::kUnchanged;
  /// Tokens whose bytes as the first token are other than the rule says; any order, no id twice.
  std::vector<std::pair<std::uint32_t, std::string>> first_token_exceptions = {};
  std::shared_ptr<const Segmenter> segmenter = nullptr;  ///< Null: longest match.
};

class Vocabulary {
 public:
  static Result<std::shared_ptr<const Vocabulary>> create(VocabularySource source, const TokenizerOptions& options);

  [[nodiscard]] std::uint32_t size() const noexcept;
  [[nodiscard]] std::string_view token_bytes(std::uint32_t id) const noexcept;
  [[nodiscard]] std::string_view first_token_bytes(std::uint32_t id) const noexcept;
  [[nodiscard]] std::string_view token_name(std::uint32_t id) const noexcept;
  [[nodiscard]] TokenKind token_kind(std::uint32_t id) const noexcept;
  [[nodiscard]] std::span<const std::uint32_t> stop_token_ids() const noexcept;
  [[nodiscard]] bool is_stop_token(std::uint32_t id) const noexcept;
  [[nodiscard]] std::optional<std::uint32_t> find_special_token(std::string_view name) const noexcept;
  [[nodiscard]] bool drops_leading_space() const noexcept;
  [[nodiscard]] std::string_view kind() const noexcept;
  [[nodiscard]] const Segmenter* segmenter() const noexcept;

  /// Tokens of kind kNormal and kByte with at least one byte that are not stop tokens. A stop token ends the output,
  /// whatever its bytes.
  [[nodiscard]] const TokenTrie& trie() const noexcept;
  /// The same by first_token_bytes; the object that trie() returns where there is no leading-space rule. Tokens whose
  /// first_token_bytes are empty while token_bytes are not (a lone leading space) are in first_empty_tokens().
  [[nodiscard]] const TokenTrie& first_trie() const noexcept;
  /// Text tokens that add no byte when they stand first (a lone "▁"); ascending.
  [[nodiscard]] std::span<const std::uint32_t> first_empty_tokens() const noexcept;
};

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_VOCABULARY_H_
