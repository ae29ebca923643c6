// TokenizerInfo: what weir knows of a model's tokenizer.
//
// WHAT   The bytes of every token (its image under detokenization), its kind, the stop tokens, the leading-space rule,
//        and, where the file says it, the algorithm that turns text into tokens.
// WHY    Masks follow detokenization, a homomorphism from token strings to byte strings. Only bytes will do: one
//        character may be split over two tokens, and a token need not be valid UTF-8.
// HOW    Immutable once built, and a cheap handle: a copy shares everything.
// COST   Building reads the file once and lays out a byte trie, in time and memory linear in the tokens' bytes; bench/
//        reports it for the large vocabularies. The file's bytes are kept, for serialize(); of GGUF its metadata.
//        Members take O(1) unless they say otherwise.
// LIFETIMES Views into a TokenizerInfo are valid as long as it or one of its copies lives.
// THREADS All members are const and safe to call concurrently.
#ifndef WEIR_TOKENIZER_INFO_H_
#define WEIR_TOKENIZER_INFO_H_

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
  kNormal,   ///< Text: its bytes match grammar terminals.
  kByte,     ///< Text, one byte, from a byte fallback (`<0x0A>`).
  kSpecial,  ///< A control token: never matches as text, only by name or id in a grammar, or as a stop token.
  kUnused,   ///< Reserved or padding: never allowed.
};

struct TokenizerOptions {
  /// Tokens that end the output. Empty: those that the file declares, eos and end-of-turn tokens by their usual names.
  std::vector<std::uint32_t> stop_token_ids = {};
  /// Size of the model's output layer where it is larger than the vocabulary; the tokens added are kUnused. 0: as in
  /// the file.
  std::uint32_t padded_vocab_size = 0;
};

/// A plain vocabulary, for callers that have token bytes and no file.
struct VocabSpec {
  std::vector<std::string> tokens = {};               ///< Bytes of token i; may be empty, repeated, or invalid UTF-8.
  std::vector<std::uint32_t> special_token_ids = {};  ///< Their strings are names, not text.
  std::vector<std::uint32_t> stop_token_ids = {};     ///< May be special or normal.
  bool drops_leading_space = false;  ///< A leading space of the first token is dropped (SentencePiece).
};

class WEIR_API TokenizerInfo {
 public:
  /// The embedded default tokenizer: a small byte-level BPE, for demonstrations and tests.
  /// Cost     Some milliseconds in the first call of the process; the result is shared.
  static TokenizerInfo builtin();

  /// Reads a tokenizer file; its kind is recognised by content: Hugging Face tokenizer.json, tiktoken ranks (with
  /// pattern and special tokens from a .json of the same name beside it, if there is one), SentencePiece .model, GGUF,
  /// tekken.json.
  /// Errors   kInvalidArgument: unreadable, truncated or malformed, with the byte offset where known; `options` that do
  ///          not fit the vocabulary. kUnsupported: a kind of tokenizer whose detokenization is not a homomorphism; the
  ///          part is named.
  /// Cost     Reads the file into memory; of a GGUF file the metadata alone.
  static Result<TokenizerInfo> from_file(const std::string& path, const TokenizerOptions& options = {});

  /// The same from the bytes of a file, which need not live on. `name` is used in messages only.
  /// Errors   As from_file.
  static Result<TokenizerInfo> from_bytes(std::string_view data, std::string_view name,
                                          const TokenizerOptions& options = {});

  /// From a list of byte strings.
  /// Errors   kInvalidArgument: ids out of range; tokens that are too long, too many, or none.
  static Result<TokenizerInfo> from_vocab(VocabSpec spec, const TokenizerOptions& options = {});

  /// What this tokenizer was made of, as bytes that deserialize() makes the same tokenizer of, in another process or on
  /// another machine: the file (of GGUF its metadata) and the options, or the list of tokens.
  /// Cost     A copy of that.
  [[nodiscard]] std::string serialize() const;

  /// Errors   kInvalidArgument: not what serialize() wrote, or cut short or changed since; and those of from_file, for
  ///          what another version of weir would refuse.
  /// Cost     As from_file.
  static Result<TokenizerInfo> deserialize(std::string_view data);

  /// Tokens, padding included. Ids are 0 .. vocab_size() - 1.
  [[nodiscard]] std::uint32_t vocab_size() const noexcept;

  /// The bytes that token `id` adds to the output when it is not the first. Empty for special and unused tokens.
  /// Precondition, here and below: id < vocab_size().
  [[nodiscard]] std::string_view token_bytes(std::uint32_t id) const noexcept;

  /// The bytes that token `id` adds as the first token of a text: without the leading space that the leading-space rule
  /// drops; otherwise equal to token_bytes(id).
  /// Cost     O(log n) in the tokens that are exceptions to the rule.
  [[nodiscard]] std::string_view first_token_bytes(std::uint32_t id) const noexcept;

  /// What token `id` stands for. A stop token may be of any kind.
  [[nodiscard]] TokenKind token_kind(std::uint32_t id) const noexcept;

  /// The token's name as the file writes it ("<|endoftext|>", "▁the"); for messages.
  [[nodiscard]] std::string_view token_name(std::uint32_t id) const noexcept;

  /// The id of the special token with this name; of several the least; nullopt if there is none.
  /// Cost     O(log n) comparisons in the special tokens.
  [[nodiscard]] std::optional<std::uint32_t> find_special_token(std::string_view name) const noexcept;

  /// The tokens that end the output, ascending. May be empty: then nothing but the caller ends it.
  [[nodiscard]] std::span<const std::uint32_t> stop_token_ids() const noexcept;

  /// Whether the first token of a text loses its leading space in decoding, or may otherwise stand for other bytes than
  /// elsewhere.
  [[nodiscard]] bool drops_leading_space() const noexcept;

  /// "byte-level BPE", "SentencePiece BPE", "Unigram", "WordPiece", "WordLevel", "token list".
  [[nodiscard]] std::string_view kind() const noexcept;

  /// The bytes that these tokens stand for, the first one under the leading-space rule. Special tokens add nothing.
  /// Cost     Linear in the bytes.
  [[nodiscard]] std::string decode(std::span<const std::uint32_t> ids) const;

  /// The canonical tokenization: the ids that the tokenizer itself gives for `text`, without added begin or end tokens
  /// and with special tokens' names read as plain text. Longest match first where the file names no algorithm.
  /// Errors   kInvalidArgument: the text has no tokenization; Error::where is the place in `text`. kUnsupported: the
  ///          file's algorithm, named.
  /// Cost     About linear in the text.
  [[nodiscard]] Result<std::vector<std::uint32_t>> tokenize(std::string_view text) const;

  /// For the layers inside weir.
  explicit TokenizerInfo(std::shared_ptr<const vocab::Vocabulary> vocabulary) noexcept;
  [[nodiscard]] const vocab::Vocabulary& vocabulary() const noexcept { return *vocabulary_; }

 private:
  std::shared_ptr<const vocab::Vocabulary> vocabulary_;
};

}  // namespace weir

#endif  // WEIR_TOKENIZER_INFO_H_
