// GGUF files: the tokenizer in a model's metadata.
//
// WHAT   `tokenizer.ggml.model` is the kind of the tokenizer:
//          llama    SentencePiece BPE by scores
//          t5       Unigram
//          gpt2     byte-level BPE after the patterns that `tokenizer.ggml.pre` names (gguf_pre_tokenizers.h)
//          gemma4   BPE over characters, with spaces written as "▁" and bytes as fallback
//          bert     WordPiece, in which a prefix "▁" marks the start of a word instead of "##" its continuation
// HOW    Normal and user-defined tokens are text, byte tokens (<0x0A>) are one byte, control tokens are special, and
//        unused tokens are never allowed. One token is the unknown token, which is special; further tokens of that type
//        are padding by the converter and never allowed.
//        The stop tokens are those that the keys of eos, eot and eom name, and special tokens with the usual names.
//        In all models, user-defined tokens are found in the text first, leftmost and then longest. No space is
//        inserted after such a token, because decoding would not remove it.
// LIMITS In the original, the spaces that decoding WordPiece inserts or removes around punctuation depend on several
//        tokens. Here each token decodes independently: a space before each word except the first, none before . , ?
//        and !.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "vocab/byte_level.h"
#include "vocab/normalizers/normalizers.h"
#include "vocab/normalizers/sentencepiece_normalizer.h"
#include "vocab/readers/gguf_metadata.h"
#include "vocab/readers/gguf_pre_tokenizers.h"
#include "vocab/readers/readers.h"
#include "vocab/readers/sentencepiece_source.h"
#include "vocab/segmenters/bpe.h"
#include "vocab/segmenters/pipeline.h"
#include "vocab/segmenters/pre_tokenizer_steps.h"
#include "vocab/segmenters/wordpiece.h"
#include "vocab/token_spelling.h"

namespace weir::vocab {

namespace {

constexpr std::string_view kModelKey = "tokenizer.ggml.model";
constexpr std::string_view kPreKey = "tokenizer.ggml.pre";
constexpr std::string_view kTokensKey = "tokenizer.ggml.tokens";
constexpr std::string_view kTypesKey = "tokenizer.ggml.token_type";
constexpr std::string_view kScoresKey = "tokenizer.ggml.scores";
constexpr std::string_view kMergesKey = "tokenizer.ggml.merges";
constexpr std::string_view kUnknownKey = "tokenizer.ggml.unknown_token_id";
constexpr std::string_view kAddSpaceKey = "tokenizer.ggml.add_space_prefix";
constexpr std::string_view kRemoveSpacesKey = "tokenizer.ggml.remove_extra_whitespaces";
constexpr std::string_view kCharsmapKey = "tokenizer.ggml.precompiled_charsmap";
constexpr std::string_view kLowercaseKey = "tokenizer.ggml.normalizer.lowercase";
constexpr std::string_view kStripAccentsKey = "tokenizer.ggml.normalizer.strip_accents";
constexpr std::string_view kNfcKey = "tokenizer.ggml.normalizer.nfc";
constexpr std::array<std::string_view, 3> kStopKeys = {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id",
                                                       "tokenizer.ggml.eom_token_id"};
// Some writers give the id -1, as an unsigned number, if there is no such token.
constexpr std::uint64_t kNoToken = UINT32_MAX;

// Returns the bytes of a WordPiece token. "▁" starts a word, which is preceded by a space unless it begins with one of
// these characters.
std::string wordpiece_bytes(std::string_view text) {
  constexpr std::string_view kNoSpaceBefore = ".,?!";
  if (!text.starts_with(kSpaceSymbol)) return std::string(text);
  text.remove_prefix(kSpaceSymbol.size());
  const bool apart = text.empty() || kNoSpaceBefore.find(text.front()) == std::string_view::npos;
  return (apart ? " " : "") + std::string(text);
}

// Reads the tokenizer of one file in steps, each of which fills some members and can fail.
class GgufReader {
 public:
  explicit GgufReader(const GgufMetadata& metadata) : metadata_(metadata) {}

  Result<VocabularySource> read() {
    auto model = metadata_.string(kModelKey);
    if (!model) return tl::unexpected(std::move(model).error());
    if (!*model) return invalid_at("the file holds no tokenizer: `" + std::string(kModelKey) + "` is missing", 0);
    if (auto done = read_tokens(); !done) return tl::unexpected(std::move(done).error());

    Result<VocabularySource> source = read_model(**model);
    if (!source) return source;
    source->token_names.assign(tokens_.begin(), tokens_.end());
    if (auto done = add_stop_tokens(*source); !done) return tl::unexpected(std::move(done).error());
    return source;
  }

 private:
  Result<VocabularySource> read_model(std::string_view model) {
    if (model == "llama") return read_sentencepiece(SentencePieceAlgorithm::kBpe);
    if (model == "t5") return read_sentencepiece(SentencePieceAlgorithm::kUnigram);
    if (model == "gpt2") return read_byte_level_bpe();
    if (model == "gemma4") return read_character_bpe();
    if (model == "bert") return read_wordpiece();
    return tl::unexpected(Error{ErrorCode::kUnsupported,
                                "tokenizer model `" + base::escape_for_display(model) + "` is not supported",
                                {},
                                "supported are llama, gpt2, t5, gemma4 and bert"});
  }

  Result<void> read_tokens() {
    auto tokens = metadata_.strings(kTokensKey);
    if (!tokens) return tl::unexpected(std::move(tokens).error());
    if (!*tokens || (*tokens)->empty()) return invalid_at("`" + std::string(kTokensKey) + "` is missing or empty", 0);
    tokens_ = std::move(**tokens);

    auto types = metadata_.integers(kTypesKey);
    if (!types) return tl::unexpected(std::move(types).error());
    types_.assign(tokens_.size(), PieceType::kNormal);
    if (!*types) return {};
    if ((*types)->size() != tokens_.size()) return wrong_count(kTypesKey, (*types)->size());
    constexpr auto kGreatest = static_cast<std::uint64_t>(PieceType::kByte);
    for (std::size_t id = 0; id < tokens_.size(); ++id) {
      const std::uint64_t type = (**types)[id];
      if (type > kGreatest) {
        return invalid_at("token " + std::to_string(id) + " has the unknown type " + std::to_string(type) + ": `" +
                              std::string(kTypesKey) + "`",
                          metadata_.offset_of(kTypesKey));
      }
      // Type 0 is "undefined": the file does not specify the purpose of the token.
      types_[id] = type == 0 ? PieceType::kUnused : static_cast<PieceType>(type);
    }
    return mark_padding();
  }

  // Only one token can be the unknown token; other tokens of its type are padding.
  Result<void> mark_padding() {
    auto unknown = token_id(kUnknownKey);
    if (!unknown) return tl::unexpected(std::move(unknown).error());
    for (std::uint32_t id = 0; id < types_.size(); ++id) {
      if (types_[id] != PieceType::kUnknown) continue;
      if (!*unknown) *unknown = id;
      if (**unknown != id) types_[id] = PieceType::kUnused;
    }
    unknown_ = *unknown;
    return {};
  }

  [[nodiscard]] tl::unexpected<Error> wrong_count(std::string_view key, std::size_t count) const {
    return invalid_at("there are " + std::to_string(tokens_.size()) + " tokens, but `" + std::string(key) + "` has " +
                          std::to_string(count) + " elements",
                      metadata_.offset_of(key));
  }

  // Returns the id that is the value of `key`; nullopt if there is no such key or its value is kNoToken.
  [[nodiscard]] Result<std::optional<std::uint32_t>> token_id(std::string_view key) const {
    auto id = metadata_.integer(key);
    if (!id) return tl::unexpected(std::move(id).error());
    if (!*id || **id == kNoToken) return std::nullopt;
    if (**id >= tokens_.size()) {
      return invalid_at("`" + std::string(key) + "` is " + std::to_string(**id) + ", but there are " +
                            std::to_string(tokens_.size()) + " tokens",
                        metadata_.offset_of(key));
    }
    return static_cast<std::uint32_t>(**id);
  }

  [[nodiscard]] Result<bool> flag(std::string_view key, bool otherwise) const {
    auto value = metadata_.boolean(key);
    if (!value) return tl::unexpected(std::move(value).error());
    return value->value_or(otherwise);
  }

  Result<VocabularySource> read_sentencepiece(SentencePieceAlgorithm algorithm) {
    SentencePieceTable table;
    table.algorithm = algorithm;
    table.types = types_;
    table.byte_fallback = SentencePieceTable::ByteFallback::kIfComplete;
    table.unigram_sums = UnigramSpec::Sums::kDouble;  // As in llama.cpp and the Hugging Face library.
    for (std::size_t id = 0; id < tokens_.size(); ++id) {
      table.texts.emplace_back(tokens_[id]);
      // The file has user-defined tokens with plain spaces; the segmenter searches for them in normalized text.
      if (types_[id] == PieceType::kUserDefined) replace_all(table.texts.back(), " ", kSpaceSymbol);
    }
    auto scores = metadata_.floats(kScoresKey);
    if (!scores) return tl::unexpected(std::move(scores).error());
    if (!*scores) return invalid_at("`" + std::string(kScoresKey) + "` is missing", 0);
    if ((*scores)->size() != tokens_.size()) return wrong_count(kScoresKey, (*scores)->size());
    table.scores = std::move(**scores);

    const Result<bool> add_space = flag(kAddSpaceKey, true);
    if (!add_space) return tl::unexpected(add_space.error());
    const Result<bool> remove_spaces = flag(kRemoveSpacesKey, false);
    if (!remove_spaces) return tl::unexpected(remove_spaces.error());
    table.rules.add_dummy_prefix = *add_space;
    table.rules.remove_extra_whitespaces = *remove_spaces;
    auto charsmap = metadata_.bytes(kCharsmapKey);
    if (!charsmap) return tl::unexpected(std::move(charsmap).error());
    table.charsmap = charsmap->value_or(std::string_view());

    Result<VocabularySource> source = make_sentencepiece_source(table);
    if (source && *add_space) source->first_token = VocabularySource::FirstToken::kDropLeadingSpace;
    return source;
  }

  // Returns a source with the kinds and bytes of all tokens; `decode` returns the bytes of a normal token.
  template <typename Decode>
  Result<VocabularySource> source_of(std::string_view kind, Decode decode) const {
    VocabularySource source;
    source.kind = kind;
    source.token_bytes.resize(tokens_.size());
    source.token_kinds.resize(tokens_.size(), TokenKind::kUnused);
    for (std::size_t id = 0; id < tokens_.size(); ++id) {
      std::string& bytes = source.token_bytes[id];
      TokenKind& token_kind = source.token_kinds[id];
      switch (types_[id]) {
        case PieceType::kNormal:
          token_kind = TokenKind::kNormal;
          bytes = decode(tokens_[id]);
          break;
        case PieceType::kUserDefined:
          token_kind = TokenKind::kNormal;
          bytes = tokens_[id];
          break;
        case PieceType::kByte: {
          const std::optional<std::uint8_t> byte = parse_byte_token(tokens_[id]);
          if (!byte) {
            return invalid_at("token " + std::to_string(id) + ", `" + base::escape_for_display(tokens_[id]) +
                                  "`, is of type byte but is not written <0xNN>: `" + std::string(kTokensKey) + "`",
                              metadata_.offset_of(kTokensKey));
          }
          token_kind = TokenKind::kByte;
          bytes = std::string(1, static_cast<char>(*byte));
          break;
        }
        case PieceType::kUnknown:
        case PieceType::kControl: token_kind = TokenKind::kSpecial; break;
        case PieceType::kUnused: break;
      }
    }
    return source;
  }

  Result<VocabularySource> read_byte_level_bpe() const {
    // A token with a character outside the alphabet decodes to its own text.
    Result<VocabularySource> source = source_of(
        "byte-level BPE", [](std::string_view text) { return decode_byte_level(text).value_or(std::string(text)); });
    if (!source) return source;
    auto pre = metadata_.string(kPreKey);
    if (!pre) return tl::unexpected(std::move(pre).error());
    return with_merges(*std::move(source), MergeBpeSpec::Unit::kByte, pre->value_or("default"));
  }

  Result<VocabularySource> read_character_bpe() const {
    Result<VocabularySource> source = source_of("SentencePiece BPE", unescape_spaces);
    if (!source) return source;
    return with_merges(*std::move(source), MergeBpeSpec::Unit::kCharacter, "gemma4");
  }

  // Adds the segmenter of a BPE by merges.
  Result<VocabularySource> with_merges(VocabularySource source, MergeBpeSpec::Unit unit, std::string_view pre) const {
    auto texts = metadata_.strings(kMergesKey);
    if (!texts) return tl::unexpected(std::move(texts).error());
    const std::optional<GgufPreTokenizer> pre_tokenizer = find_gguf_pre_tokenizer(pre);
    if (!*texts || !pre_tokenizer) {
      source.segmenter = make_unsupported_segmenter(!*texts ? "the file has no `" + std::string(kMergesKey) + "`"
                                                            : "the pre-tokenizer `" + base::escape_for_display(pre) +
                                                                  "` is not known");
      return source;
    }
    Result<std::vector<MergeText>> merges = split_merges(**texts);
    if (!merges) return tl::unexpected(std::move(merges).error());
    std::vector<std::string> model_tokens(tokens_.size());
    ByteLevelBpeSpec spec;
    for (std::uint32_t id = 0; id < tokens_.size(); ++id) {
      if (types_[id] == PieceType::kNormal) model_tokens[id] = tokens_[id];
      if (types_[id] == PieceType::kUserDefined) spec.added_tokens.push_back({std::string(tokens_[id]), id});
    }
    const std::vector<std::uint32_t> byte_tokens = find_byte_tokens();
    spec.model.unit = unit;
    spec.model.tokens = model_tokens;
    spec.model.merges = *merges;
    spec.model.ignore_merges = pre_tokenizer->ignore_merges;
    if (unit == MergeBpeSpec::Unit::kCharacter) {
      spec.model.byte_tokens = byte_tokens;
      spec.normalizers.push_back(make_replace(" ", std::string(kSpaceSymbol)));
    }
    const Result<bool> nfc = flag(kNfcKey, false);
    if (!nfc) return tl::unexpected(nfc.error());
    if (*nfc) spec.normalizers.push_back(make_unicode_form(NormalizationForm::kNfc));
    for (const std::string_view pattern : pre_tokenizer->patterns) spec.patterns.push_back({std::string(pattern)});
    auto segmenter = make_byte_level_bpe(std::move(spec));
    if (!segmenter) {
      if (segmenter.error().code != ErrorCode::kUnsupported) return tl::unexpected(std::move(segmenter).error());
      source.segmenter = make_unsupported_segmenter(segmenter.error().message);
    } else {
      source.segmenter = *std::move(segmenter);
    }
    return source;
  }

  // Splits merges of the form "left right". Neither part is empty; the left one may be a space.
  [[nodiscard]] Result<std::vector<MergeText>> split_merges(const std::vector<std::string_view>& texts) const {
    std::vector<MergeText> merges;
    merges.reserve(texts.size());
    for (const std::string_view text : texts) {
      const std::size_t space = text.find(' ', 1);
      if (space == std::string_view::npos || space + 1 == text.size()) {
        return invalid_at(
            "merge `" + base::escape_for_display(text) + "` has no two parts: `" + std::string(kMergesKey) + "`",
            metadata_.offset_of(kMergesKey));
      }
      merges.push_back({text.substr(0, space), text.substr(space + 1)});
    }
    return merges;
  }

  // Returns the tokens of the 256 bytes, or an empty list if one is missing.
  [[nodiscard]] std::vector<std::uint32_t> find_byte_tokens() const {
    constexpr std::uint32_t kMissing = UINT32_MAX;
    std::vector<std::uint32_t> found(256, kMissing);
    for (std::uint32_t id = 0; id < tokens_.size(); ++id) {
      if (types_[id] != PieceType::kByte) continue;
      if (const auto byte = parse_byte_token(tokens_[id]); byte && found[*byte] == kMissing) found[*byte] = id;
    }
    if (std::find(found.begin(), found.end(), kMissing) != found.end()) found.clear();
    return found;
  }

  Result<VocabularySource> read_wordpiece() const {
    Result<VocabularySource> source = source_of("WordPiece", wordpiece_bytes);
    if (!source) return source;
    source->first_token = VocabularySource::FirstToken::kDropLeadingSpace;
    const Result<bool> lowercase = flag(kLowercaseKey, true);
    if (!lowercase) return tl::unexpected(lowercase.error());
    const Result<bool> strip_accents = flag(kStripAccentsKey, *lowercase);
    if (!strip_accents) return tl::unexpected(strip_accents.error());
    if (!unknown_) {
      source->segmenter = make_unsupported_segmenter("the file names no unknown token");
      return source;
    }
    std::vector<std::string> model_tokens(tokens_.size());
    PipelineSpec pipeline;
    for (std::uint32_t id = 0; id < tokens_.size(); ++id) {
      if (types_[id] == PieceType::kNormal) model_tokens[id] = tokens_[id];
      if (types_[id] == PieceType::kUserDefined) pipeline.added_tokens.push_back({std::string(tokens_[id]), id});
    }
    auto model = make_wordpiece(
        {.tokens = model_tokens, .word_prefix = kSpaceSymbol, .continuing_prefix = "", .unknown_token = *unknown_});
    if (!model) return tl::unexpected(std::move(model).error());
    // BERT's basic tokenizer: splits at white space and isolates punctuation characters.
    auto pre_tokenizer = PreTokenizer::from_patterns(
        std::array{SplitPattern{R"(\s+)", SplitBehavior::kRemoved}, SplitPattern{std::string(kPunctuationPattern)}});
    if (!pre_tokenizer) return tl::unexpected(std::move(pre_tokenizer).error());
    pipeline.normalizers.push_back(make_bert({.strip_accents = *strip_accents, .lowercase = *lowercase}));
    pipeline.pre_tokenizer = *std::move(pre_tokenizer);
    pipeline.model = *std::move(model);
    source->segmenter = make_pipeline(std::move(pipeline));
    return source;
  }

  Result<void> add_stop_tokens(VocabularySource& source) const {
    source.stop_token_ids = usual_stop_tokens(source);
    for (const std::string_view key : kStopKeys) {
      const auto id = token_id(key);
      if (!id) return tl::unexpected(id.error());
      if (*id) source.stop_token_ids.push_back(**id);
    }
    return {};
  }

  const GgufMetadata& metadata_;
  std::vector<std::string_view> tokens_;
  std::vector<PieceType> types_;
  std::optional<std::uint32_t> unknown_;
};

}  // namespace

Result<VocabularySource> read_gguf(std::string_view data, std::string_view name) {
  const auto named = [&](Error error) {
    error.message = "`" + std::string(name) + "`: " + error.message;
    return tl::unexpected(std::move(error));
  };
  Result<GgufMetadata> metadata = GgufMetadata::parse(data);
  if (!metadata) return named(std::move(metadata).error());
  Result<VocabularySource> source = GgufReader(*metadata).read();
  if (!source) return named(std::move(source).error());
  return source;
}

}  // namespace weir::vocab
