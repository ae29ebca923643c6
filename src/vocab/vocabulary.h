// Vocabulary: the data of a TokenizerInfo. Readers (readers/) fill a VocabularySource; Vocabulary checks it and builds
// the tries.
//
// HOW    The bytes of all tokens are in one block with an offset for each token, and all names in another. The trie is
//        built at once. The trie for the first position is built on first use, since only tokenizers with a first-token
//        rule need it.
// LIMITS See token_trie.h; exceeding one is kInvalidArgument.
// THREADS Immutable; all members are safe to call concurrently.
#ifndef WEIR_SRC_VOCAB_VOCABULARY_H_
#define WEIR_SRC_VOCAB_VOCABULARY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json/quoting_tokens.h"
#include "vocab/token_trie.h"
#include "vocab/trie_summary.h"
#include "weir/error.h"
#include "weir/tokenizer_info.h"

namespace weir::vocab {

struct Recipe;  // recipe.h

/// Turns text into tokens as the original tokenizer does. The implementations are in segmenters/: BPE by ranks or
/// merges after PCRE2 pre-tokenizers, SentencePiece BPE by scores, Unigram by Viterbi, WordPiece, longest match.
class Segmenter {
 public:
  virtual ~Segmenter() = default;
  /// Returns the canonical ids of `text`; see TokenizerInfo::tokenize.
  [[nodiscard]] virtual Result<std::vector<std::uint32_t>> tokenize(std::string_view text) const = 0;
  /// Returns tokens of `text`, from the first on, that no further text changes. It may return fewer than there are, and
  /// returns none if the algorithm does not bound how far back further text can change tokens. See
  /// Vocabulary::settled_tokens.
  [[nodiscard]] virtual std::vector<std::uint32_t> settled_tokens(std::string_view) const { return {}; }
  /// The algorithm, as data. Views in it live as long as the segmenter.
  [[nodiscard]] virtual Recipe recipe() const = 0;
};

struct Origin;

/// The result of a reader, from which Vocabulary is made.
struct VocabularySource {
  std::string kind;  ///< See TokenizerInfo::kind.
  /// The bytes that decoding gives for each token where it is not the first; ignored for special and unused tokens.
  std::vector<std::string> token_bytes;
  /// The names as the file writes them. A token with an empty name is named by its bytes; so are all if this is empty.
  std::vector<std::string> token_names;
  std::vector<TokenKind> token_kinds;  ///< As many as token_bytes.
  std::vector<std::uint32_t> stop_token_ids;
  /// How decoding changes the first token of a text.
  enum class FirstToken : std::uint8_t {
    kUnchanged,
    kDropLeadingSpace,
    /// Drops the leading space of every token, up to the first token that adds a byte nevertheless (SentencePiece with
    /// remove_extra_whitespaces).
    kDropLeadingSpaceUntilText,
  };
  FirstToken first_token = FirstToken::kUnchanged;
  /// Tokens whose bytes as the first token differ from what `first_token` implies; in any order, each id at most once.
  std::vector<std::pair<std::uint32_t, std::string>> first_token_exceptions = {};
  std::shared_ptr<const Segmenter> segmenter = nullptr;  ///< Null: longest match.
  std::shared_ptr<const Origin> origin = nullptr;        ///< Null: the vocabulary is a plain list.
};

/// Data that a higher layer stores with a vocabulary.
class VocabularyExtension {
 public:
  /// Each layer that has an extension has a slot.
  enum class Slot : std::uint8_t { kCanonical, kEngine };
  virtual ~VocabularyExtension() = default;
};
inline constexpr std::size_t kExtensionSlots = 2;

class Vocabulary {
 public:
  /// Errors: kInvalidArgument for a token longer than kMaxTokenBytes, too many tokens or bytes, ids out of range.
  static Result<std::shared_ptr<const Vocabulary>> create(VocabularySource source, const TokenizerOptions& options);
  /// Makes the vocabulary of a plain list of tokens. Errors: as above.
  static Result<std::shared_ptr<const Vocabulary>> create(VocabSpec spec, const TokenizerOptions& options);

  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(kinds_.size()); }
  [[nodiscard]] std::string_view token_bytes(std::uint32_t id) const noexcept { return bytes_[id]; }
  [[nodiscard]] std::string_view first_token_bytes(std::uint32_t id) const noexcept;
  [[nodiscard]] std::string_view token_name(std::uint32_t id) const noexcept;
  [[nodiscard]] TokenKind token_kind(std::uint32_t id) const noexcept { return kinds_[id]; }
  [[nodiscard]] std::span<const std::uint32_t> stop_token_ids() const noexcept { return stop_token_ids_; }
  [[nodiscard]] bool is_stop_token(std::uint32_t id) const noexcept;
  /// Returns true if the token is a stop token, and of kind kSpecial only because of that; otherwise it would be unused.
  [[nodiscard]] bool is_unused_unless_stop(std::uint32_t id) const noexcept;
  [[nodiscard]] std::optional<std::uint32_t> find_special_token(std::string_view name) const noexcept;
  /// Returns all special tokens, ordered by name, then by id.
  [[nodiscard]] std::span<const std::uint32_t> special_tokens() const noexcept { return special_by_name_; }
  /// Returns true if some token may decode to other bytes where it is the first token of a text.
  [[nodiscard]] bool drops_leading_space() const noexcept { return has_first_rule_; }
  /// Returns true if, after a first token that adds no byte, the next token also counts as the first.
  [[nodiscard]] bool first_token_rule_repeats() const noexcept { return first_token_rule_repeats_; }
  [[nodiscard]] std::string_view kind() const noexcept { return kind_; }
  /// Returns null if the vocabulary is tokenized by longest match.
  [[nodiscard]] const Segmenter* segmenter() const noexcept { return segmenter_.get(); }
  /// Returns the file that the vocabulary was read from, or null if it was made from a plain list.
  [[nodiscard]] const Origin* origin() const noexcept { return origin_.get(); }

  /// Returns the first tokens of `text` that are settled: no continuation of `text` changes them, so the tokens of
  /// every text that starts with `text` start with them. Which tokens are settled depends on the algorithm:
  ///
  /// Longest match     A token is settled unless the text from its first byte to the end of `text` is a proper prefix
  ///                   of a token.
  /// With a pattern    (byte-level BPE, WordPiece) The model sees one piece of the text at a time, so the tokens of a
  ///                   piece are settled as soon as both ends of the piece are. The pattern is matched with PCRE2's
  ///                   hard partial matching, which fails as soon as the matcher inspects the end of the text: a match
  ///                   that it finds does not depend on what follows. If several patterns are applied in sequence, the
  ///                   ends of the first one's pieces count. Before a normalizer only the leading ASCII part of the
  ///                   text is settled, for composing normalization forms without its last character; nothing is
  ///                   settled before replacements and stripping, whose effects may reach back.
  /// Whole texts       (SentencePiece, Unigram and BPE without a pattern) No token is settled: one more character may
  ///                   change all merges, or the best path through the whole text.
  [[nodiscard]] std::vector<std::uint32_t> settled_tokens(std::string_view text) const;

  /// Returns the trie of the tokens of kind kNormal and kByte that have at least one byte and are not stop tokens. A
  /// stop token ends the output, so its bytes do not matter.
  [[nodiscard]] const TokenTrie& trie() const noexcept { return trie_; }
  /// Returns the trie of the same tokens by their first_token_bytes; this is trie() itself if there is no first-token
  /// rule. Tokens with token_bytes but no first_token_bytes (a single space) are not in it but in first_empty_tokens().
  [[nodiscard]] const TokenTrie& first_trie() const noexcept;
  /// Return the summaries of trie() and of first_trie().
  [[nodiscard]] const TrieSummary& summary() const noexcept { return summary_; }
  [[nodiscard]] const TrieSummary& first_summary() const noexcept;
  /// Returns the text tokens that add bytes except where they are first (a lone "▁"); ascending. Tokens that never add
  /// a byte are neither here nor in a trie: a model could write them forever without writing any text.
  [[nodiscard]] std::span<const std::uint32_t> first_empty_tokens() const noexcept;

  /// Returns the vocabulary's object of type T, a VocabularyExtension with the slot T::kSlot. There is one object for
  /// all users; it is made by the first call and destroyed with the vocabulary. Safe to call concurrently.
  template <typename T>
  T& extension() const {
    Extension& extension = extensions_[static_cast<std::size_t>(T::kSlot)];
    std::call_once(extension.once, [&] { extension.object = std::make_unique<T>(); });
    return static_cast<T&>(*extension.object);
  }

  /// Returns the tokens of trie() with at least one quote (`"`).
  [[nodiscard]] const base::QuotingTokens& quoting_tokens() const noexcept { return quoting_tokens_; }
  /// Returns the trie of quoting_tokens(). It has about a hundredth of the nodes of trie().
  [[nodiscard]] const TokenTrie& quote_trie() const noexcept { return quote_trie_; }

 private:
  // Strings, concatenated in one block.
  class StringTable {
   public:
    void reserve(std::size_t strings, std::size_t bytes);
    void append(std::string_view text);
    std::string_view operator[](std::size_t i) const {
      return std::string_view(block_).substr(begin_[i], begin_[i + 1] - begin_[i]);
    }
    [[nodiscard]] bool empty() const { return begin_.size() == 1; }

   private:
    std::string block_;
    std::vector<std::uint32_t> begin_{0};
  };
  struct First {
    TokenTrie trie;
    TrieSummary summary;
    std::vector<std::uint32_t> empty_tokens;
  };

  Vocabulary() = default;
  void list_quoting_tokens();
  Result<void> set_tokens(const VocabularySource& source, std::uint32_t padded_size);
  Result<void> set_stop_tokens(std::vector<std::uint32_t> ids);
  Result<void> set_first_exceptions(std::vector<std::pair<std::uint32_t, std::string>> exceptions);
  void index_special_tokens();
  [[nodiscard]] bool is_trie_token(std::uint32_t id) const noexcept;
  [[nodiscard]] TokenTrie build_trie() const;
  [[nodiscard]] const First& first() const noexcept;

  std::string kind_;
  StringTable bytes_;
  StringTable names_;  // if empty, or if its name is empty, a token is named by its bytes
  std::vector<TokenKind> kinds_;
  std::vector<std::uint32_t> stop_token_ids_;                            // ascending
  std::vector<std::uint32_t> unused_unless_stop_;                        // ascending
  std::vector<std::uint32_t> special_by_name_;                           // special tokens, ordered by name, then by id
  std::vector<std::pair<std::uint32_t, std::string>> first_exceptions_;  // by id
  bool drop_first_space_ = false;
  bool has_first_rule_ = false;
  bool first_token_rule_repeats_ = false;
  std::shared_ptr<const Segmenter> segmenter_;
  std::shared_ptr<const Origin> origin_;
  TokenTrie trie_;
  TrieSummary summary_;
  mutable std::once_flag first_once_;
  mutable First first_;
  struct Extension {
    std::once_flag once;
    std::unique_ptr<VocabularyExtension> object;
  };
  mutable std::array<Extension, kExtensionSlots> extensions_;
  base::QuotingTokens quoting_tokens_;  // views of bytes_
  TokenTrie quote_trie_;
};

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_VOCABULARY_H_
