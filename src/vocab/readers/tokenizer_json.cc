// tokenizer.json, the file of Hugging Face's tokenizers library.
//
// HOW    Names and ids come from the model's vocabulary and the added tokens, bytes from the decoder (token_decoder.h),
//        the segmenter from the normalizer, the pre-tokenizer and the model. Truncation, padding and the
//        post-processor, which adds begin and end tokens, are ignored.
//        An added token that is `normalized` decodes to its normalized content, as in the library since version 0.23;
//        before, it decoded to its content. A caller that knows what the user's library decodes gives the added token
//        a member `weir_text`, which the decoder then reads in place of the content.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "vocab/readers/json_file.h"
#include "vocab/readers/readers.h"
#include "vocab/readers/token_decoder.h"
#include "vocab/readers/tokenizer_json_parts.h"
#include "vocab/segmenters/bpe.h"
#include "vocab/segmenters/pipeline.h"
#include "vocab/segmenters/unigram.h"
#include "vocab/segmenters/word_level.h"
#include "vocab/segmenters/wordpiece.h"
#include "vocab/token_spelling.h"

namespace weir::vocab {

namespace {

enum class ModelType : std::uint8_t { kBpe, kUnigram, kWordPiece, kWordLevel };

class TokenizerJsonReader {
 public:
  TokenizerJsonReader(const Json& file, std::string_view name)
      : file_(file),
        name_(name),
        model_(json_member(file, "model")),
        vocab_(json_member(model_, "vocab")),
        normalizers_(read_normalizers(json_member(file, "normalizer"))) {}

  Result<VocabularySource> read() {
    if (auto done = read_model_type(); !done) return tl::unexpected(std::move(done).error());
    auto done = vocab_.is(JsonType::kArray) ? read_unigram_vocab() : read_vocab();
    if (done) done = read_added_tokens();
    if (!done) return tl::unexpected(std::move(done).error());
    auto decoder = TokenDecoder::create(json_member(file_, "decoder"), name_);
    if (!decoder) return tl::unexpected(std::move(decoder).error());
    decode_tokens(*decoder);
    source_.kind = kind_name(*decoder);
    source_.stop_token_ids = usual_stop_tokens(source_);
    auto segmenter = make_segmenter();
    source_.segmenter = segmenter ? *segmenter : make_unsupported_segmenter(segmenter.error().message);
    return std::move(source_);
  }

 private:
  Result<void> fail(std::string_view message) { return tl::unexpected(malformed(name_, message)); }

  // In older files the model has no type; it is inferred from the model's members.
  Result<void> read_model_type() {
    if (!model_.is(JsonType::kObject)) return fail("`model` is not an object");
    const auto type = json_string(model_, "type");
    const std::string name(type                                                 ? *type
                           : model_.find("merges") != nullptr                   ? "BPE"
                           : vocab_.is(JsonType::kArray)                        ? "Unigram"
                           : model_.find("max_input_chars_per_word") != nullptr ? "WordPiece"
                                                                                : "WordLevel");
    if (name == "BPE") {
      type_ = ModelType::kBpe;
    } else if (name == "Unigram") {
      type_ = ModelType::kUnigram;
    } else if (name == "WordPiece") {
      type_ = ModelType::kWordPiece;
    } else if (name == "WordLevel") {
      type_ = ModelType::kWordLevel;
    } else {
      Error error =
          malformed(name_, "model `" + name + "` is not supported; `BPE`, `Unigram`, `WordPiece` and `WordLevel` are");
      error.code = ErrorCode::kUnsupported;
      return tl::unexpected(std::move(error));
    }
    const bool fits = type_ == ModelType::kUnigram ? vocab_.is(JsonType::kArray) : vocab_.is(JsonType::kObject);
    return fits ? Result<void>() : fail("`model.vocab` is not what model `" + name + "` has");
  }

  [[nodiscard]] std::string kind_name(const TokenDecoder& decoder) const {
    switch (type_) {
      case ModelType::kBpe: return decoder.is_byte_level() ? "byte-level BPE" : "SentencePiece BPE";
      case ModelType::kUnigram: return "Unigram";
      case ModelType::kWordPiece: return "WordPiece";
      case ModelType::kWordLevel: return "WordLevel";
    }
    return "";
  }

  // --- Names, ids, kinds. ---

  Result<void> add_token(std::string_view text, std::uint32_t id) {
    if (id >= kMaxTokens) return fail("id " + std::to_string(id) + " is too large");
    if (id >= source_.token_names.size()) {
      source_.token_names.resize(id + 1);
      source_.token_kinds.resize(id + 1, TokenKind::kUnused);
    }
    if (source_.token_kinds[id] != TokenKind::kUnused && source_.token_names[id] != text) {
      return fail("tokens `" + source_.token_names[id] + "` and `" + std::string(text) + "` have the same id");
    }
    source_.token_names[id] = text;
    source_.token_kinds[id] = TokenKind::kNormal;
    return {};
  }

  Result<void> read_vocab() {
    source_.token_names.reserve(vocab_.members().size());
    source_.token_kinds.reserve(vocab_.members().size());
    for (const base::JsonMember& token : vocab_.members()) {
      const auto id = json_u32(token.value);
      if (!id) return fail("token `" + std::string(token.key) + "` has no usable id");
      if (auto done = add_token(token.key, *id); !done) return done;
    }
    if (const auto unknown = json_string(model_, "unk_token")) {
      if (const auto id = json_u32(vocab_, *unknown)) set_unknown(*id);
    }
    model_size_ = source_.token_names.size();
    return {};
  }

  Result<void> read_unigram_vocab() {
    source_.token_names.reserve(vocab_.items().size());
    scores_.reserve(vocab_.items().size());
    for (const Json& entry : vocab_.items()) {
      const bool is_pair = entry.items().size() == 2;
      const auto piece = is_pair ? json_string(entry.items()[0]) : std::nullopt;
      const auto score = is_pair ? json_double(entry.items()[1]) : std::nullopt;
      if (!piece || !score) return fail("an entry of `model.vocab` is not a piece and its score");
      if (auto done = add_token(*piece, static_cast<std::uint32_t>(scores_.size())); !done) return done;
      scores_.push_back(*score);
    }
    if (const auto id = json_u32(model_, "unk_id"); id && *id < scores_.size()) set_unknown(*id);
    model_size_ = source_.token_names.size();
    return {};
  }

  // The unknown token is special even if it is not listed as an added token.
  void set_unknown(std::uint32_t id) {
    unknown_ = id;
    source_.token_kinds[id] = TokenKind::kSpecial;
  }

  Result<void> read_added_tokens() {
    const Json& tokens = json_member(file_, "added_tokens");
    if (tokens.is(JsonType::kNull)) return {};
    if (!tokens.is(JsonType::kArray)) return fail("`added_tokens` is not an array");
    for (const Json& token : tokens.items()) {
      const auto id = json_u32(token, "id");
      const auto text = json_string(token, "content");
      if (!id || !text) return fail("an added token has no usable `id` and `content`");
      // An added token may have the id of a token of the model, and then replaces it.
      if (*id < source_.token_kinds.size()) source_.token_kinds[*id] = TokenKind::kUnused;
      if (auto done = add_token(*text, *id); !done) return done;
      if (json_bool(token, "special").value_or(false)) {
        source_.token_kinds[*id] = TokenKind::kSpecial;
        continue;
      }
      AddedToken added;
      added.text = *text;
      added.id = *id;
      added.single_word = json_bool(token, "single_word").value_or(false);
      added.lstrip = json_bool(token, "lstrip").value_or(false);
      added.rstrip = json_bool(token, "rstrip").value_or(false);
      added.normalized = json_bool(token, "normalized").value_or(true);
      const auto given = json_string(token, "weir_text");
      added_texts_.insert_or_assign(*id, given ? std::string(*given) : normalized_content(added));
      added_tokens_.push_back(std::move(added));
    }
    return {};
  }

  [[nodiscard]] std::string normalized_content(const AddedToken& token) const {
    std::string text = token.text;
    if (!token.normalized || !normalizers_) return text;
    for (const NormalizerPtr& normalizer : *normalizers_) normalizer->normalize(text);
    return text;
  }

  // --- Bytes. ---

  void decode_tokens(const TokenDecoder& decoder) {
    const std::size_t size = source_.token_names.size();
    source_.token_bytes.resize(size);
    std::vector<std::pair<std::uint32_t, std::string>> first;  // bytes as the first token, where they differ
    bool drops_space = false;
    for (std::uint32_t id = 0; id < size; ++id) {
      if (source_.token_kinds[id] != TokenKind::kNormal) continue;
      const auto added = added_texts_.find(id);
      const std::string& text = added != added_texts_.end() ? added->second : source_.token_names[id];
      std::string& bytes = source_.token_bytes[id];
      bytes = decoder.decode(text, /*is_first=*/false);
      std::string first_bytes = decoder.decode(text, /*is_first=*/true);
      if (decoder.has_byte_fallback() && parse_byte_token(text)) source_.token_kinds[id] = TokenKind::kByte;
      if (bytes != first_bytes) {
        drops_space = drops_space || is_without_space(bytes, first_bytes);
        first.emplace_back(id, std::move(first_bytes));
      }
    }
    if (!drops_space) {
      source_.first_token_exceptions = std::move(first);
      return;
    }
    // Most tokens follow the leading-space rule; the others are listed as exceptions.
    source_.first_token = VocabularySource::FirstToken::kDropLeadingSpace;
    std::size_t next = 0;
    for (std::uint32_t id = 0; id < size; ++id) {
      const std::string& bytes = source_.token_bytes[id];
      const bool listed = next < first.size() && first[next].first == id;
      std::string first_bytes = listed ? std::move(first[next++].second) : bytes;
      const std::string_view by_rule = std::string_view(bytes).substr(bytes.starts_with(' ') ? 1 : 0);
      if (first_bytes != by_rule) source_.first_token_exceptions.emplace_back(id, std::move(first_bytes));
    }
  }

  static bool is_without_space(std::string_view bytes, std::string_view first_bytes) {
    return bytes.starts_with(' ') && bytes.substr(1) == first_bytes;
  }

  // --- Segmenter. ---

  Result<std::shared_ptr<const Segmenter>> make_segmenter() {
    if (!normalizers_) return tl::unexpected(normalizers_.error());
    auto parts = read_pre_tokenizer(json_member(file_, "pre_tokenizer"));
    if (!parts) return tl::unexpected(std::move(parts).error());
    const bool over_bytes = parts->ends_with_byte_level && type_ == ModelType::kBpe;
    if (parts->ends_with_byte_level && !over_bytes) parts->steps.push_back(make_byte_level_step());
    auto model = make_model(over_bytes);
    if (!model) return tl::unexpected(std::move(model).error());
    return make_pipeline(
        {std::move(added_tokens_), *std::move(normalizers_), PreTokenizer(std::move(parts->steps)), *std::move(model)});
  }

  Result<std::shared_ptr<const PieceModel>> make_model(bool over_bytes) {
    // The model does not contain special tokens: tokenize() treats their names as plain text.
    std::vector<std::string> tokens(source_.token_names.begin(),
                                    source_.token_names.begin() + static_cast<std::ptrdiff_t>(model_size_));
    for (std::size_t id = 0; id < model_size_; ++id) {
      if (source_.token_kinds[id] == TokenKind::kSpecial && id != unknown_) tokens[id].clear();
    }
    const auto unknown_text = unknown_ ? std::exchange(tokens[*unknown_], "") : std::string();
    switch (type_) {
      case ModelType::kBpe: return make_bpe(tokens, over_bytes);
      case ModelType::kUnigram: return make_unigram_model(tokens);
      case ModelType::kWordPiece: {
        if (!unknown_) return unsupported("model `WordPiece` whose `unk_token` is not in its vocabulary");
        WordPieceSpec spec;
        tokens[*unknown_] = unknown_text;  // make_wordpiece requires that the unknown token is a token
        spec.tokens = tokens;
        const auto prefix = json_string(model_, "continuing_subword_prefix");
        spec.continuing_prefix = prefix.value_or("##");
        spec.unknown_token = *unknown_;
        spec.max_word_characters = json_u32(model_, "max_input_chars_per_word").value_or(100);
        return make_wordpiece(spec);
      }
      case ModelType::kWordLevel: return make_word_level(tokens, unknown_);
    }
    return unsupported("this model");
  }

  // Returns the ids of <0x00> to <0xFF>, or an empty list if one is missing.
  [[nodiscard]] std::vector<std::uint32_t> byte_tokens() const {
    std::vector<std::uint32_t> ids(256, UINT32_MAX);
    for (std::uint32_t id = 0; id < model_size_; ++id) {
      if (const auto byte = parse_byte_token(source_.token_names[id])) ids[*byte] = id;
    }
    if (std::find(ids.begin(), ids.end(), UINT32_MAX) != ids.end()) ids.clear();
    return ids;
  }

  Result<std::shared_ptr<const PieceModel>> make_bpe(const std::vector<std::string>& tokens, bool over_bytes) {
    for (const char* affix : {"continuing_subword_prefix", "end_of_word_suffix"}) {
      const auto text = json_string(model_, affix);
      if (text && !text->empty()) return unsupported("model `BPE` with `" + std::string(affix) + "`");
    }
    if (const Json& dropout = json_member(model_, "dropout");
        dropout.is(JsonType::kNumber) && !dropout.number().is_zero()) {
      return unsupported("model `BPE` with `dropout`: it has no canonical tokenization");
    }
    std::vector<MergeText> merges;
    if (!read_merges(merges)) return unsupported("model `BPE` whose `merges` are not pairs");
    const std::vector<std::uint32_t> bytes =
        json_bool(model_, "byte_fallback").value_or(false) ? byte_tokens() : std::vector<std::uint32_t>();
    MergeBpeSpec spec;
    spec.unit = over_bytes ? MergeBpeSpec::Unit::kByte : MergeBpeSpec::Unit::kCharacter;
    spec.tokens = tokens;
    spec.merges = merges;
    spec.ignore_merges = json_bool(model_, "ignore_merges").value_or(false);
    spec.byte_tokens = bytes;
    spec.unknown_token = unknown_;
    spec.fuse_unknown = json_bool(model_, "fuse_unk").value_or(false);
    return make_merge_bpe(spec);
  }

  // A merge is written as "a b" or, since version 0.20 of the library, as ["a", "b"], which allows tokens with spaces.
  bool read_merges(std::vector<MergeText>& merges) const {
    const Json& list = json_member(model_, "merges");
    if (!list.is(JsonType::kNull) && !list.is(JsonType::kArray)) return false;
    merges.reserve(list.items().size());
    for (const Json& merge : list.items()) {
      if (const auto text = json_string(merge)) {
        const std::size_t space = text->find(' ');
        if (space == std::string::npos) return false;
        merges.push_back({text->substr(0, space), text->substr(space + 1)});
        continue;
      }
      if (merge.items().size() != 2) return false;
      const auto left = json_string(merge.items()[0]);
      const auto right = json_string(merge.items()[1]);
      if (!left || !right) return false;
      merges.push_back({*left, *right});
    }
    return true;
  }

  Result<std::shared_ptr<const PieceModel>> make_unigram_model(const std::vector<std::string>& tokens) {
    const std::vector<std::uint32_t> bytes =
        json_bool(model_, "byte_fallback").value_or(false) ? byte_tokens() : std::vector<std::uint32_t>();
    UnigramSpec spec;
    spec.pieces.texts = tokens;
    spec.pieces.scores = scores_;
    spec.pieces.byte_tokens = bytes;
    spec.pieces.unknown_token = unknown_;
    spec.sums = UnigramSpec::Sums::kDouble;
    // The library uses the lowest score of all entries, including control tokens.
    if (!scores_.empty()) spec.unknown_score = *std::min_element(scores_.begin(), scores_.end()) - 10.0;
    return make_unigram(spec);
  }

  const Json& file_;
  std::string_view name_;
  const Json& model_;
  const Json& vocab_;
  Result<std::vector<NormalizerPtr>> normalizers_;
  ModelType type_ = ModelType::kBpe;
  VocabularySource source_;
  std::size_t model_size_ = 0;  // number of ids of the model; added tokens may follow
  std::vector<double> scores_;  // for Unigram
  std::optional<std::uint32_t> unknown_;
  std::vector<AddedToken> added_tokens_;
  std::map<std::uint32_t, std::string> added_texts_;  // what the decoder reads for these tokens, by id
};

}  // namespace

Result<VocabularySource> read_tokenizer_json(std::string_view data, std::string_view name) {
  const auto file = parse_json_file(data, name);
  if (!file) return tl::unexpected(file.error());
  return TokenizerJsonReader(file->root(), name).read();
}

}  // namespace weir::vocab
