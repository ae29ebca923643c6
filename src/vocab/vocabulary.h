// Vocabulary: the data behind TokenizerInfo. Readers (readers/) fill a VocabularySource; Vocabulary checks it, lays out
// the tries, and answers.
//
// HOW    All bytes lie in one block with an offset a token, and all names in another. The trie is built at once, the
//        trie for the first position when it is first asked for, since only tokenizers with a first-token rule need it.
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

#include "vocab/token_trie.h"
#include "vocab/trie_summary.h"
#include "weir/error.h"
#include "weir/tokenizer_info.h"

namespace weir::vocab {

struct Recipe;  // recipe.h

/// Turns text into tokens as the original tokenizer does. Implementations: segmenters/ (BPE by ranks or merges behind
/// PCRE2 pre-tokenizers, SentencePiece BPE by scores, Unigram by Viterbi, WordPiece, longest match).
class Segmenter {
 public:
  virtual ~Segmenter() = default;
  /// The canonical ids of `text`; see TokenizerInfo::tokenize.
  [[nodiscard]] virtual Result<std::vector<std::uint32_t>> tokenize(std::string_view text) const = 0;
  /// Ids that the tokenization of every text begins with that begins with `text` and has one. Sound, not complete: none
  /// where the algorithm gives no bound on how far back further text reaches. See settled_tokens in Vocabulary.
  [[nodiscard]] virtual std::vector<std::uint32_t> settled_tokens(std::string_view) const { return {}; }
  /// The algorithm, as data. Views in it live as long as the segmenter.
  [[nodiscard]] virtual Recipe recipe() const = 0;
};

struct Origin;

/// What a reader produces.
struct VocabularySource {
  std::string kind;  ///< See TokenizerInfo::kind.
  /// Bytes under detokenization, not first; ignored for special and unused tokens.
  std::vector<std::string> token_bytes;
  /// As the file writes them; an empty name, or none at all: the bytes are the name.
  std::vector<std::string> token_names;
  std::vector<TokenKind> token_kinds;  ///< As many as token_bytes.
  std::vector<std::uint32_t> stop_token_ids;
  /// What decoding does to the first token of a text.
  enum class FirstToken : std::uint8_t {
    kUnchanged,
    kDropLeadingSpace,
    /// The same to every token up to the first that then still adds a byte (SentencePiece, where it removes extra
    /// spaces).
    kDropLeadingSpaceUntilText,
  };
  FirstToken first_token = FirstToken::kUnchanged;
  /// Tokens whose bytes as the first token are other than the rule says; any order, no id twice.
  std::vector<std::pair<std::uint32_t, std::string>> first_token_exceptions = {};
  std::shared_ptr<const Segmenter> segmenter = nullptr;  ///< Null: longest match.
  std::shared_ptr<const Origin> origin = nullptr;        ///< Null: a plain list.
};

/// What a higher layer keeps for a vocabulary.
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
  /// The source of a plain list. Errors: kInvalidArgument for ids out of range.
  static Result<std::shared_ptr<const Vocabulary>> create(VocabSpec spec, const TokenizerOptions& options);

  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(kinds_.size()); }
  [[nodiscard]] std::string_view token_bytes(std::uint32_t id) const noexcept { return bytes_[id]; }
  [[nodiscard]] std::string_view first_token_bytes(std::uint32_t id) const noexcept;
  [[nodiscard]] std::string_view token_name(std::uint32_t id) const noexcept;
  [[nodiscard]] TokenKind token_kind(std::uint32_t id) const noexcept { return kinds_[id]; }
  [[nodiscard]] std::span<const std::uint32_t> stop_token_ids() const noexcept { return stop_token_ids_; }
  [[nodiscard]] bool is_stop_token(std::uint32_t id) const noexcept;
  [[nodiscard]] std::optional<std::uint32_t> find_special_token(std::string_view name) const noexcept;
  /// Whether some token may stand for other bytes when it is the first.
  [[nodiscard]] bool drops_leading_space() const noexcept { return has_first_rule_; }
  /// Whether behind a token that adds no byte as the first one the next token counts as the first, too.
  [[nodiscard]] bool first_rule_repeats() const noexcept { return first_rule_repeats_; }
  [[nodiscard]] std::string_view kind() const noexcept { return kind_; }
  /// Null: longest match.
  [[nodiscard]] const Segmenter* segmenter() const noexcept { return segmenter_.get(); }
  /// What it was read from; null: a plain list.
  [[nodiscard]] const Origin* origin() const noexcept { return origin_.get(); }

  /// Ids that the tokenization of every text begins with that begins with `text`: what no continuation changes.
  ///
  /// Longest match     a token is settled unless what is left of the text behind the token before it begins a longer
  ///                   one.
  /// Behind a pattern  (byte-level BPE, WordPiece) a model sees one piece of text at a time, so the tokens of a piece
  ///                   are settled once its ends are. The pattern is matched by PCRE2's hard partial matching, which
  ///                   gives up as soon as the end of the text is looked at: a match that it finds was found without
  ///                   knowing what follows. Where patterns are applied one after the other, the first one's pieces
  ///                   count. Of a text before a normalizer, its leading ASCII counts, for composing forms all but the
  ///                   last character of it; not for replacements and for stripping, which may reach back.
  /// Whole texts       (SentencePiece, Unigram and BPE without a pattern) nothing: one more character may change all
  ///                   merges and the best path of the whole text.
  [[nodiscard]] std::vector<std::uint32_t> settled_tokens(std::string_view text) const;

  /// Tokens of kind kNormal and kByte with at least one byte that are not stop tokens. A stop token ends the output,
  /// whatever its bytes.
  [[nodiscard]] const TokenTrie& trie() const noexcept { return trie_; }
  /// The same by first_token_bytes; the object that trie() returns where there is no first-token rule. Tokens whose
  /// first_token_bytes are empty while token_bytes are not (a lone leading space) are in first_empty_tokens().
  [[nodiscard]] const TokenTrie& first_trie() const noexcept;
  /// What the subtrees of trie() and of first_trie() are made of.
  [[nodiscard]] const TrieSummary& summary() const noexcept { return summary_; }
  [[nodiscard]] const TrieSummary& first_summary() const noexcept;
  /// Text tokens that add bytes, but none when they stand first (a lone "▁"); ascending. Tokens that never add a byte
  /// are in no trie and not here: they would let a model write nothing for ever.
  [[nodiscard]] std::span<const std::uint32_t> first_empty_tokens() const noexcept;

  /// The vocabulary's T, a VocabularyExtension with a slot of its own (T::kSlot): one object for all users, made when it
  /// is first asked for, destroyed with the vocabulary. Safe to call concurrently.
  template <typename T>
  T& extension() const {
    Extension& extension = extensions_[static_cast<std::size_t>(T::kSlot)];
    std::call_once(extension.once, [&] { extension.object = std::make_unique<T>(); });
    return static_cast<T&>(*extension.object);
  }

  /// Tokens of trie() with a quote, `"`, and those of them with a backslash before it. Ascending.
  [[nodiscard]] std::span<const std::uint32_t> quote_tokens() const noexcept { return quote_tokens_; }
  [[nodiscard]] std::span<const std::uint32_t> escaping_tokens() const noexcept { return escaping_tokens_; }
  /// The trie of quote_tokens(): a hundredth of trie(), in which a text that ends with a quote is soon found to begin
  /// no token.
  [[nodiscard]] const TokenTrie& quote_trie() const noexcept { return quote_trie_; }
  struct QuotingToken {
    std::uint32_t id;
    std::size_t quotes;  ///< How many it has.
  };
  /// Those with several quotes, those with most first. *Plain* are those with two or three and no backslash before the
  /// last; the others are listed apart as well.
  [[nodiscard]] std::span<const QuotingToken> quoting_tokens() const noexcept { return quoting_tokens_; }
  [[nodiscard]] std::span<const QuotingToken> odd_quoting_tokens() const noexcept { return odd_quoting_tokens_; }
  /// What plain ones have between two quotes, each text once, ascending.
  [[nodiscard]] std::span<const std::string_view> quoted_texts() const noexcept { return quoted_texts_; }
  /// Whether one of the escaping tokens has `\u`.
  [[nodiscard]] bool has_numeric_escapes() const noexcept { return has_numeric_escapes_; }

 private:
  // Strings behind one another in one block.
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
  void list_quote_tokens();
  Result<void> set_tokens(const VocabularySource& source, std::uint32_t padded_size);
  Result<void> set_stop_tokens(std::vector<std::uint32_t> ids);
  Result<void> set_first_exceptions(std::vector<std::pair<std::uint32_t, std::string>> exceptions);
  void index_special_tokens();
  [[nodiscard]] bool is_trie_token(std::uint32_t id) const noexcept;
  [[nodiscard]] TokenTrie build_trie() const;
  [[nodiscard]] const First& first() const noexcept;

  std::string kind_;
  StringTable bytes_;
  StringTable names_;  // empty: all names are bytes; an empty name is the token's bytes
  std::vector<TokenKind> kinds_;
  std::vector<std::uint32_t> stop_token_ids_;                            // ascending
  std::vector<std::uint32_t> special_by_name_;                           // special tokens, ordered by name, then by id
  std::vector<std::pair<std::uint32_t, std::string>> first_exceptions_;  // by id
  bool drop_first_space_ = false;
  bool has_first_rule_ = false;
  bool first_rule_repeats_ = false;
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
  std::vector<std::uint32_t> quote_tokens_;
  std::vector<std::uint32_t> escaping_tokens_;
  TokenTrie quote_trie_;
  std::vector<QuotingToken> quoting_tokens_, odd_quoting_tokens_;
  std::vector<std::string_view> quoted_texts_;  // views of bytes_
  bool has_numeric_escapes_ = false;
};

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_VOCABULARY_H_
