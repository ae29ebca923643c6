#include "vocab/readers/sentencepiece_model.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "vocab/readers/protobuf_wire.h"
#include "vocab/readers/readers.h"

namespace weir::vocab {

namespace {

using Wire = ProtobufField::Wire;

// Reads all fields of a message. `take(field)` returns false if a known field has a wrong wire type or value.
template <typename Take>
Result<void> read_message(std::string_view data, std::size_t base, Take take) {
  ProtobufReader reader(data, base);
  ProtobufField field;
  while (reader.next(field)) {
    if (!take(field)) {
      return invalid_at("field " + std::to_string(field.number) + " has an unexpected type or value", field.offset);
    }
  }
  if (reader.error()) return tl::unexpected(*reader.error());
  return {};
}

bool take_bool(const ProtobufField& field, bool& out) {
  out = field.value != 0;
  return field.wire == Wire::kVarint;
}

bool take_bytes(const ProtobufField& field, std::string_view& out) {
  out = field.bytes;
  return field.wire == Wire::kBytes;
}

template <typename Enum>
bool take_enum(const ProtobufField& field, std::uint64_t greatest, Enum& out) {
  if (field.wire != Wire::kVarint || field.value == 0 || field.value > greatest) return false;
  out = static_cast<Enum>(field.value);
  return true;
}

struct RawPiece {
  std::string_view text = {};
  float score = 0;
  PieceType type = PieceType::kNormal;
};

Result<void> read_piece(const ProtobufField& message, RawPiece& piece) {
  return read_message(message.bytes, message.offset, [&](const ProtobufField& field) {
    switch (field.number) {
      case 1: return take_bytes(field, piece.text);
      case 2:
        piece.score = std::bit_cast<float>(static_cast<std::uint32_t>(field.value));
        return field.wire == Wire::kFixed32;
      case 3: return take_enum(field, static_cast<std::uint64_t>(PieceType::kByte), piece.type);
      default: return true;
    }
  });
}

struct TrainerSpec {
  bool byte_fallback = false;
  bool whitespace_as_suffix = false;
  std::string_view end_piece = "</s>";
};

Result<void> read_trainer_spec(const ProtobufField& message, SentencePieceAlgorithm& algorithm, TrainerSpec& spec) {
  return read_message(message.bytes, message.offset, [&](const ProtobufField& field) {
    switch (field.number) {
      case 3: return take_enum(field, static_cast<std::uint64_t>(SentencePieceAlgorithm::kCharacter), algorithm);
      case 24: return take_bool(field, spec.whitespace_as_suffix);
      case 35: return take_bool(field, spec.byte_fallback);
      case 47: return take_bytes(field, spec.end_piece);
      default: return true;
    }
  });
}

Result<void> read_normalizer_spec(const ProtobufField& message, SentencePieceRules& rules, std::string_view& charsmap) {
  return read_message(message.bytes, message.offset, [&](const ProtobufField& field) {
    switch (field.number) {
      case 2: return take_bytes(field, charsmap);
      case 3: return take_bool(field, rules.add_dummy_prefix);
      case 4: return take_bool(field, rules.remove_extra_whitespaces);
      case 5: return take_bool(field, rules.escape_whitespaces);
      default: return true;
    }
  });
}

// Reads the fields of a ModelProto that are listed in sentencepiece_model.h.
class ModelReader {
 public:
  Result<SentencePieceModelFile> read(std::string_view data) {
    ProtobufReader reader(data);
    ProtobufField field;
    while (reader.next(field)) {
      if (field.number > kDenormalizerSpec || field.number == kSelfTestData) continue;
      if (field.wire != Wire::kBytes) {
        return invalid_at("field " + std::to_string(field.number) + " is no message", field.offset);
      }
      if (auto taken = take(field); !taken) return tl::unexpected(std::move(taken).error());
    }
    if (reader.error()) return tl::unexpected(*reader.error());
    if (file_.table.texts.empty()) return tl::unexpected(Error{ErrorCode::kInvalidArgument, "the model has no pieces"});
    if (!denormalizer_.empty()) {
      return tl::unexpected(Error{ErrorCode::kUnsupported,
                                  "a `denormalizer_spec` with a table of replacements is not supported: decoding would "
                                  "depend on more than one token"});
    }
    using ByteFallback = SentencePieceTable::ByteFallback;
    file_.table.byte_fallback = trainer_.byte_fallback ? ByteFallback::kYes : ByteFallback::kNo;
    file_.table.rules.treat_whitespace_as_suffix = trainer_.whitespace_as_suffix;
    file_.end_piece = trainer_.end_piece;
    return std::move(file_);
  }

 private:
  static constexpr std::uint32_t kPieces = 1;
  static constexpr std::uint32_t kTrainerSpec = 2;
  static constexpr std::uint32_t kNormalizerSpec = 3;
  static constexpr std::uint32_t kSelfTestData = 4;
  static constexpr std::uint32_t kDenormalizerSpec = 5;

  Result<void> take(const ProtobufField& field) {
    SentencePieceTable& table = file_.table;
    switch (field.number) {
      case kPieces: {
        RawPiece piece;
        if (auto read = read_piece(field, piece); !read) return read;
        table.texts.emplace_back(piece.text);
        table.scores.push_back(static_cast<double>(piece.score));
        table.types.push_back(piece.type);
        return {};
      }
      case kTrainerSpec: return read_trainer_spec(field, table.algorithm, trainer_);
      case kNormalizerSpec: return read_normalizer_spec(field, table.rules, table.charsmap);
      case kDenormalizerSpec: {
        SentencePieceRules ignored;
        return read_normalizer_spec(field, ignored, denormalizer_);
      }
      default: return {};
    }
  }

  SentencePieceModelFile file_;
  TrainerSpec trainer_;
  std::string_view denormalizer_;
};

}  // namespace

Result<SentencePieceModelFile> parse_sentencepiece_model(std::string_view data) { return ModelReader().read(data); }

Result<VocabularySource> read_sentencepiece_model(std::string_view data, std::string_view name) {
  const auto named = [&](Error error) {
    error.message = "`" + std::string(name) + "`: " + error.message;
    return tl::unexpected(std::move(error));
  };
  Result<SentencePieceModelFile> file = parse_sentencepiece_model(data);
  if (!file) return named(std::move(file).error());
  const SentencePieceTable& table = file->table;
  Result<VocabularySource> source = make_sentencepiece_source(table);
  if (!source) return named(std::move(source).error());

  if (table.rules.add_dummy_prefix || table.rules.remove_extra_whitespaces) {
    using FirstToken = VocabularySource::FirstToken;
    source->first_token =
        table.rules.remove_extra_whitespaces ? FirstToken::kDropLeadingSpaceUntilText : FirstToken::kDropLeadingSpace;
    // Only a space that is written as "▁" is dropped, not a byte token or a plain space.
    for (std::uint32_t id = 0; id < table.texts.size(); ++id) {
      const std::string& bytes = source->token_bytes[id];
      if (bytes.starts_with(' ') && !table.texts[id].starts_with(kSpaceSymbol)) {
        source->first_token_exceptions.emplace_back(id, bytes);
      }
    }
  }
  source->stop_token_ids = usual_stop_tokens(*source);
  for (std::uint32_t id = 0; id < table.texts.size(); ++id) {
    if (table.types[id] == PieceType::kControl && table.texts[id] == file->end_piece) {
      source->stop_token_ids.push_back(id);
    }
  }
  return source;
}

}  // namespace weir::vocab
