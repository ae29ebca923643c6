// TokenizerInfo: the facts about a model's tokenizer that masks depend on.
//
// WHAT   The bytes of every token (its image under detokenization), its kind, the stop tokens, the leading-space rule,
//        and, if the file describes it, the algorithm that turns text into tokens.
// WHY    Masks follow detokenization, which is a homomorphism from token strings to byte strings. Characters would not
//        do: a character may be split over two tokens, and a token need not be valid UTF-8.
// HOW    Immutable once built, and a cheap handle: copies share everything.
// COST   Building reads the file once and builds a byte trie, in time and memory linear in the tokens' bytes. The
//        file's bytes are kept for serialize(); of a GGUF file only its metadata. Members take O(1) unless they say
//        otherwise.
// LIFETIMES Views into a TokenizerInfo are valid as long as it or one of its copies lives.
// THREADS All members are const and may be called concurrently.
#ifndef WEIR_TOKENIZER_INFO_H_
#define WEIR_TOKENIZER_INFO_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/error.h"
#include "weir/export.h"

namespace weir {

namespace vocab {
class Vocabulary;
}

/// What a token stands for.
enum class TokenKind : std::uint8_t {
  kNormal,   ///< Text: its bytes match terminals of a grammar.
  kByte,     ///< Text of one byte, from a byte fallback (`<0x0A>`).
  kSpecial,  ///< A control token. It never matches as text, only by name or id in a grammar, or as a stop token.
  kUnused,   ///< Reserved or padding: never allowed.
};

/// Options for reading a tokenizer.
struct TokenizerOptions {
  /// Tokens that end the output; if there are none, the tokens that the file declares, and eos and end-of-turn tokens
  /// that are recognised by their usual names.
  std::vector<std::uint32_t> stop_token_ids = {};
  /// Size of the model's output layer if it is larger than the vocabulary; the tokens added are kUnused. 0: as in the
  /// file.
  std::uint32_t padded_vocab_size = 0;
};

/// How the tokens of a list are written.
enum class TokenSpelling : std::uint8_t {
  kBytes,         ///< As their bytes.
  kByteFallback,  ///< As SentencePiece does: `▁` is a space, `<0x0A>` a byte.
  kByteLevel,     ///< As GPT-2 does: a character for each byte. A token with another character stands for itself.
};

/// A plain vocabulary, for callers that have the tokens and no file.
struct VocabSpec {
  std::vector<std::string> tokens = {};               ///< Token i; may be empty, repeated, or invalid UTF-8.
  std::vector<std::uint32_t> special_token_ids = {};  ///< Their strings in `tokens` are names, not text.
  std::vector<std::uint32_t> stop_token_ids = {};     ///< May be special or normal.
  bool drops_leading_space = false;  ///< True if decoding drops a leading space of the first token (SentencePiece).
  /// True if tokens with usual names of eos and end-of-turn tokens (`</s>`, `<|im_end|>`) are stop tokens, too.
  bool stop_tokens_by_name = false;
  TokenSpelling spelling = TokenSpelling::kBytes;  ///< How `tokens` are written.
};

/// The result of TokenizerInfo::heal.
struct TokenHealing {
  std::size_t tokens = 0;  ///< Number of tokens to remove from the end of the context.
  std::string bytes = {};  ///< Their bytes, with which the output must begin; whole characters.
};

class WEIR_API TokenizerInfo {
 public:
  /// Returns the embedded default tokenizer: a small byte-level BPE, for demonstrations and tests.
  /// Cost     Some milliseconds in the first call of the process; the result is shared.
  static TokenizerInfo builtin();

  /// Reads a tokenizer file. The kind is recognised by content: Hugging Face tokenizer.json, tiktoken ranks (pattern
  /// and special tokens are read from a .json file of the same name in the same folder, if there is one), SentencePiece
  /// .model, GGUF, tekken.json.
  /// Errors   kInvalidArgument: the file is unreadable, truncated or malformed (with the byte offset if known), or
  ///          `options` do not fit the vocabulary. kUnsupported: the tokenizer's detokenization is not a homomorphism;
  ///          the message names the part.
  /// Cost     Reads the file into memory; of a GGUF file only the metadata.
  /// Example
  ///     weir::Result<weir::TokenizerInfo> tokenizer = weir::TokenizerInfo::from_file("tokenizer.json");
  ///     if (!tokenizer) std::cerr << tokenizer.error().message << "\n";
  static Result<TokenizerInfo> from_file(const std::string& path, const TokenizerOptions& options = {});

  /// Reads a tokenizer from the bytes of a file, as from_file does. `data` is needed during the call only. `name` is
  /// used in messages only.
  /// Errors   As from_file.
  static Result<TokenizerInfo> from_bytes(std::string_view data, std::string_view name,
                                          const TokenizerOptions& options = {});

  /// Makes a tokenizer from a list of byte strings.
  /// Errors   kInvalidArgument: an id out of range; a token that is too long; too many tokens, or none.
  /// Example
  ///     auto tokenizer = weir::TokenizerInfo::from_vocab(
  ///         {.tokens = {"a", "b", "ab", "</s>"}, .special_token_ids = {3}, .stop_token_ids = {3}});
  static Result<TokenizerInfo> from_vocab(VocabSpec spec, const TokenizerOptions& options = {});

  /// Returns the tokenizer's source as bytes from which deserialize() makes the same tokenizer, in another process or
  /// on another machine. The source is the file (of GGUF its metadata) with the options, or the list of tokens.
  /// Cost     A copy of the source.
  [[nodiscard]] std::string serialize() const;

  /// Makes the tokenizer whose serialize() returned `data`.
  /// Errors   kInvalidArgument: `data` was not written by serialize(), or it is truncated or changed. Also those of
  ///          from_file, if `data` was written by another version of weir that accepts more.
  /// Cost     As from_file.
  /// Example
  ///     const std::string saved = tokenizer.serialize();
  ///     weir::Result<weir::TokenizerInfo> again = weir::TokenizerInfo::deserialize(saved);
  static Result<TokenizerInfo> deserialize(std::string_view data);

  /// Returns the number of tokens, padding included. Ids are 0 .. vocab_size() - 1.
  [[nodiscard]] std::uint32_t vocab_size() const noexcept;

  /// Returns the bytes that token `id` adds to the output when it is not the first token. Empty for special and unused
  /// tokens. An id out of range is an unused token without a name, here and below.
  [[nodiscard]] std::string_view token_bytes(std::uint32_t id) const noexcept;

  /// Returns the bytes that token `id` adds as the first token of a text: token_bytes(id) without the leading space, if
  /// the leading-space rule drops it.
  /// Cost     O(log n) in the number of tokens that the rule changes.
  [[nodiscard]] std::string_view first_token_bytes(std::uint32_t id) const noexcept;

  /// Returns what token `id` stands for. A stop token may be of any kind.
  [[nodiscard]] TokenKind token_kind(std::uint32_t id) const noexcept;

  /// Returns the token's name as the file writes it ("<|endoftext|>", "▁the"); for messages.
  [[nodiscard]] std::string_view token_name(std::uint32_t id) const noexcept;

  /// Returns the id of the special token with this name, the least one if there are several, or nullopt.
  /// Cost     O(log n) comparisons in the number of special tokens.
  /// Example
  ///     const std::optional<std::uint32_t> end = tokenizer.find_special_token("<|im_end|>");
  [[nodiscard]] std::optional<std::uint32_t> find_special_token(std::string_view name) const noexcept;

  /// Returns the tokens that end the output, ascending. If there are none, only the caller ends an output.
  [[nodiscard]] std::span<const std::uint32_t> stop_token_ids() const noexcept;

  /// Returns true if the first token of a text loses its leading space in decoding, or may for another reason stand for
  /// other bytes than elsewhere.
  [[nodiscard]] bool drops_leading_space() const noexcept;

  /// Returns the kind: "byte-level BPE", "SentencePiece BPE", "Unigram", "WordPiece", "WordLevel" or "token list".
  [[nodiscard]] std::string_view kind() const noexcept;

  /// Returns the bytes that these tokens stand for; the leading-space rule applies to the first one. Special tokens and
  /// ids out of range add nothing.
  /// Cost     Linear in the bytes.
  /// Example
  ///     std::cout << tokenizer.decode(output) << "\n";
  [[nodiscard]] std::string decode(std::span<const std::uint32_t> ids) const;

  /// Returns the canonical tokenization: the ids that the tokenizer itself gives for `text`. No begin or end tokens are
  /// added, and names of special tokens are read as plain text. If the file describes no algorithm, the longest token
  /// that matches is taken at each place.
  /// Errors   kInvalidArgument: the text has no tokenization; Error::where is the place in `text`. kUnsupported: the
  ///          algorithm in the file, which the message names.
  /// Cost     About linear in the text. The first call makes the tables of merges: some 100 ms for 100,000 tokens.
  /// Example
  ///     const weir::Result<std::vector<std::uint32_t>> ids = tokenizer.tokenize("Hello, world");
  [[nodiscard]] Result<std::vector<std::uint32_t>> tokenize(std::string_view text) const;

  /// Returns whether matchers can follow this tokenizer with Tokenization::kCanonical (docs/canonical.md).
  /// Errors   kUnsupported: the message names the part of the tokenizer that cannot be followed, for example Unigram, a
  ///          split that removes text, or a look-behind in a pattern.
  /// Cost     The first call for a tokenizer makes what matchers then use: 50 to 300 ms and 10 to 30 MB for 50,000
  ///          to 200,000 tokens. Later calls take O(1).
  /// Example
  ///     weir::MatcherOptions options;
  ///     if (tokenizer.canonical_support()) options.tokenization = weir::Tokenization::kCanonical;
  [[nodiscard]] Result<void> canonical_support() const;

  /// Returns how many tokens at the end of `context` further text could still change, and their bytes (token healing).
  /// The tokens that remain are what the tokenizer writes at the beginning of every text that begins with the context's
  /// text. So a prompt that ends with a blank, or inside a word, can be continued by the tokens that the model was
  /// trained on: leave out the last tokens, and let the output begin with their bytes.
  /// Special tokens and all tokens before the last one of them remain. Characters that are split over tokens are taken
  /// back whole, so the bytes are valid UTF-8 unless the context ends inside a character. Now and then more is taken back
  /// than needed, if proving that it may remain takes too many steps (src/canonical/canonical_healing.cc).
  /// Errors   kUnsupported: as canonical_support. kInvalidArgument: a token out of range, or a context that the
  ///          tokenizer does not write; `where.start` is the index of the first token that cannot stand there.
  /// Cost     Linear in the context, plus at most one step for each token of the vocabulary that begins with the last
  ///          bytes of the context: mostly below 1 ms, up to 0.3 s after several blanks.
  /// Example
  ///     const std::vector<std::uint32_t> prompt = *tokenizer.tokenize("The answer is ");
  ///     const weir::Result<weir::TokenHealing> healing = tokenizer.heal(prompt);  // 1 token, the blank
  ///     weir::MatcherOptions options;
  ///     options.context.assign(prompt.begin(), prompt.end() - static_cast<std::ptrdiff_t>(healing->tokens));
  ///     const auto forced = weir::Grammar::from_choice(std::vector{healing->bytes});
  ///     const auto grammar = weir::Grammar::concat(std::vector{*forced, *answer});
  [[nodiscard]] Result<TokenHealing> heal(std::span<const std::uint32_t> context) const;

  /// For weir's own layers.
  explicit TokenizerInfo(std::shared_ptr<const vocab::Vocabulary> vocabulary) noexcept;
  [[nodiscard]] const vocab::Vocabulary& vocabulary() const noexcept { return *vocabulary_; }

 private:
  std::shared_ptr<const vocab::Vocabulary> vocabulary_;
};

}  // namespace weir

#endif  // WEIR_TOKENIZER_INFO_H_
