#include "vocab/readers/sentencepiece_model.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "unit/vocab/file_writers.h"
#include "unit/vocab/vocab_testing.h"
#include "vocab/readers/protobuf_wire.h"

namespace weir::vocab::sentencepiece_model_test {
namespace {

// --- The wire format ---

TEST(ProtobufWire, AllTypes) {
  const std::string data = ProtobufWriter().varint(1, 300).bytes(2, "ab").f32(3, 1.5F).varint(1000, 0).data() +
                           ProtobufWriter::number((4U << 3U) | 1U) + little_endian(0x1122334455667788U, 8);
  ProtobufReader reader(data, 100);
  ProtobufField field;
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.number, 1U);
  EXPECT_EQ(field.value, 300U);
  EXPECT_EQ(field.offset, 101U);
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.bytes, "ab");
  EXPECT_EQ(field.offset, 105U);
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.wire, ProtobufField::Wire::kFixed32);
  EXPECT_EQ(field.value, 0x3FC00000U);
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.number, 1000U);
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.value, 0x1122334455667788U);
  EXPECT_FALSE(reader.next(field));
  EXPECT_FALSE(reader.error().has_value());
}

TEST(ProtobufWire, Malformed) {
  const std::string nines(9, '\xFF');
  const std::vector<std::string> bad = {
      "\x08",                       // No value.
      "\x08\x80",                   // A number without its end.
      "\x08" + nines + "\x02",      // 65 bits.
      "\x08" + nines + "\xFF\x01",  // Eleven bytes.
      "\x0A\x02"
      "a",                         // One byte of two.
      "\x0A" + nines + "\x01",     // 2^64 - 1 bytes.
      "\x0D\x01\x02\x03",          // Three bytes of four.
      "\x09\x01",                  // One byte of eight.
      std::string(1, '\0'),        // Field 0.
      "\x0B",                      // A group.
      "\x0F",                      // No wire type.
      "\xF8\xFF\xFF\xFF\xFF\x01",  // A field number of more than 29 bits.
  };
  for (std::size_t i = 0; i < bad.size(); ++i) {
    const std::vector<char> copy(bad[i].begin(), bad[i].end());
    ProtobufReader reader({copy.data(), copy.size()}, 50);
    ProtobufField field;
    EXPECT_FALSE(reader.next(field)) << i;
    ASSERT_TRUE(reader.error().has_value()) << i;
    EXPECT_EQ(reader.error()->code, ErrorCode::kInvalidArgument) << i;
    EXPECT_GE(reader.error()->where.start, 50U) << i;
    EXPECT_LE(reader.error()->where.start, 50U + bad[i].size()) << i;
    EXPECT_FALSE(reader.next(field)) << "it stays at the error";
  }
  EXPECT_TRUE([] {
    const std::string greatest = "\x08" + std::string(9, '\xFF') + "\x01";
    ProtobufReader reader(greatest);
    ProtobufField field;
    return reader.next(field) && field.value == UINT64_MAX;
  }());
}

// --- Models ---

constexpr unsigned kNormal = 1;
constexpr unsigned kUnknown = 2;
constexpr unsigned kControl = 3;
constexpr unsigned kUserDefined = 4;
constexpr unsigned kUnused = 5;
constexpr unsigned kByte = 6;

ProtobufWriter piece(std::string_view text, float score, unsigned type = kNormal) {
  return ProtobufWriter().bytes(1, text).f32(2, score).varint(3, type);
}

// <unk>, <s>, </s>, and some text.
ProtobufWriter small_model() {
  ProtobufWriter model;
  model.message(1, piece("<unk>", 0, kUnknown)).message(1, piece("<s>", 0, kControl));
  model.message(1, piece("</s>", 0, kControl)).message(1, piece("▁", -3)).message(1, piece("a", -2));
  model.message(1, piece("▁a", -1)).message(1, piece("<call>", 0, kUserDefined));
  model.message(1, piece("old", 0, kUnused)).message(1, piece("b", -4));
  return model;
}

ProtobufWriter with_bytes(ProtobufWriter model) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    model.message(1, piece(std::string("<0x") + kDigits[byte >> 4U] + kDigits[byte & 0xFU] + ">", 0, kByte));
  }
  return model;
}

ProtobufWriter trainer(unsigned model_type) { return ProtobufWriter().varint(3, model_type); }
ProtobufWriter rules(bool dummy_prefix, bool remove_extra) {
  return ProtobufWriter().varint(3, dummy_prefix ? 1 : 0).varint(4, remove_extra ? 1 : 0);
}

TEST(SentencePieceModel, KindsAndBytes) {
  const TokenizerInfo info = expect_tokenizer(
      with_bytes(small_model()).message(2, trainer(2).varint(35, 1)).message(3, rules(true, false)).data());
  EXPECT_EQ(info.kind(), "SentencePiece BPE");
  EXPECT_EQ(info.vocab_size(), 9U + 256U);
  EXPECT_EQ(info.token_kind(0), TokenKind::kSpecial);
  EXPECT_EQ(info.token_kind(1), TokenKind::kSpecial);
  EXPECT_EQ(info.token_kind(4), TokenKind::kNormal);
  EXPECT_EQ(info.token_kind(6), TokenKind::kNormal);
  EXPECT_EQ(info.token_kind(7), TokenKind::kUnused);
  EXPECT_EQ(info.token_kind(9), TokenKind::kByte);
  EXPECT_EQ(info.token_bytes(5), " a");
  EXPECT_EQ(info.first_token_bytes(5), "a");
  EXPECT_EQ(info.first_token_bytes(3), "");
  EXPECT_EQ(info.token_bytes(9), std::string(1, '\0'));
  EXPECT_EQ(info.token_bytes(9 + 0xE2), "\xE2");
  EXPECT_EQ(info.first_token_bytes(9 + 0x20), " ") << "a space as a byte is kept";
  EXPECT_EQ(info.token_bytes(6), "<call>");
  EXPECT_EQ(info.token_bytes(1), "");
  EXPECT_EQ(info.token_name(1), "<s>");
  EXPECT_EQ(Ids(info.stop_token_ids().begin(), info.stop_token_ids().end()), (Ids{2}));
}

TEST(SentencePieceModel, TokenizesByItsAlgorithm) {
  const auto tokens = [](unsigned model_type, std::string_view text) {
    return tokens_of(expect_tokenizer(with_bytes(small_model()).message(2, trainer(model_type).varint(35, 1)).data()),
                     text);
  };
  EXPECT_EQ(tokens(1, "a<call>  b"), "[▁a][<call>][▁][b]");
  EXPECT_EQ(tokens(2, "a<call>  b"), "[▁a][<call>][▁][b]");
  EXPECT_EQ(tokens(3, "a a"), "[▁a][▁a]");
  EXPECT_EQ(tokens(4, "a<call>  b"), "[▁][a][<call>][▁][b]");
  EXPECT_EQ(tokens(2, "é"), "[▁][<0xC3>][<0xA9>]");
  EXPECT_EQ(tokens(3, "é"), "[<0xE2>][<0x96>][<0x81>][<0xC3>][<0xA9>]");
}

TEST(SentencePieceModel, DefaultsAreTheOriginals) {
  const auto file = parse_sentencepiece_model(small_model().data());
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->table.algorithm, SentencePieceAlgorithm::kUnigram);
  EXPECT_TRUE(file->table.rules.add_dummy_prefix);
  EXPECT_TRUE(file->table.rules.remove_extra_whitespaces);
  EXPECT_TRUE(file->table.rules.escape_whitespaces);
  EXPECT_FALSE(file->table.rules.treat_whitespace_as_suffix);
  EXPECT_EQ(file->table.byte_fallback, SentencePieceTable::ByteFallback::kNo);
  EXPECT_EQ(file->end_piece, "</s>");
}

TEST(SentencePieceModel, SpacesAreDroppedUntilThereIsText) {
  const TokenizerInfo one = expect_tokenizer(small_model().message(3, rules(true, false)).data());
  EXPECT_EQ(one.decode(Ids{1, 3, 5}), " a");
  const TokenizerInfo all = expect_tokenizer(small_model().message(3, rules(false, true)).data());
  EXPECT_EQ(all.decode(Ids{1, 3, 3, 5, 5}), "a a");
  const TokenizerInfo none = expect_tokenizer(small_model().message(3, rules(false, false)).data());
  EXPECT_FALSE(none.drops_leading_space());
  EXPECT_EQ(none.decode(Ids{3, 5}), "  a");
}

TEST(SentencePieceModel, UnknownTextIsTheUnknownToken) {
  const TokenizerInfo info = expect_tokenizer(small_model().data());
  EXPECT_EQ(tokens_of(info, "aéèa"), "[▁a][<unk>][a]");
}

TEST(SentencePieceModel, ErrorsOfTokenizingPointIntoTheText) {
  ProtobufWriter model;
  model.message(1, piece("▁a", 0)).message(1, piece("b", 0)).message(3, rules(true, true));
  const TokenizerInfo info = expect_tokenizer(model.data());
  const auto ids = info.tokenize("  a  é");
  ASSERT_FALSE(ids.has_value());
  EXPECT_EQ(ids.error().where, (SourceRange{3, 5})) << "at the second run of spaces, whose ▁ is no piece";
}

TEST(SentencePieceModel, NamedEndPiece) {
  ProtobufWriter model = small_model();
  model.message(1, piece("<done>", 0, kControl)).message(2, trainer(1).bytes(47, "<done>"));
  const TokenizerInfo info = expect_tokenizer(model.data());
  EXPECT_EQ(Ids(info.stop_token_ids().begin(), info.stop_token_ids().end()), (Ids{2, 9}));
}

TEST(SentencePieceModel, UnknownFieldsAreSkipped) {
  ProtobufWriter model = small_model();
  model.varint(200, 5).bytes(300, "later").message(4, ProtobufWriter().bytes(1, "self test"));
  model.message(1, piece("c", 0).bytes(200, "later"));
  EXPECT_EQ(expect_tokenizer(model.data()).vocab_size(), 10U);
}

TEST(SentencePieceModel, Errors) {
  const auto error = [](const ProtobufWriter& model) {
    const auto source = read_sentencepiece_model(model.data(), "m");
    return source ? Error{ErrorCode::kInternal, "no error"} : source.error();
  };
  EXPECT_EQ(error(ProtobufWriter()).message, "`m`: the model has no pieces");
  EXPECT_EQ(error(ProtobufWriter().varint(1, 1)).message, "`m`: field 1 is no message at byte 1");
  EXPECT_EQ(error(small_model().message(1, ProtobufWriter().varint(1, 1))).code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(error(small_model().message(1, piece("x", 0, 7))).code, ErrorCode::kInvalidArgument) << "no such type";
  EXPECT_EQ(error(small_model().message(2, trainer(5))).code, ErrorCode::kInvalidArgument) << "no such model";
  EXPECT_EQ(error(small_model().message(1, piece("x", 0, kByte))).message,
            "`m`: piece 9, `x`, is of type byte but is not written <0xNN>");
  EXPECT_EQ(error(small_model().message(2, trainer(1).varint(35, 1))).message,
            "`m`: byte fallback is on, but there are 0 byte pieces instead of 256");
  EXPECT_EQ(error(small_model().message(3, ProtobufWriter().bytes(2, "??"))).code, ErrorCode::kInvalidArgument);
  const std::string blob = CharsmapWriter(Replacements{{"a", "b"}}).blob();
  EXPECT_EQ(error(small_model().message(5, ProtobufWriter().bytes(2, blob))).code, ErrorCode::kUnsupported);
}

TEST(SentencePieceModel, TruncatedAtEveryByte) {
  const std::string blob = CharsmapWriter(Replacements{{"ﬁ", "fi"}, {"\t", " "}}).blob();
  const ProtobufWriter trainer_spec = trainer(2);
  const std::string data = small_model().message(2, trainer_spec).message(3, rules(true, true).bytes(2, blob)).data();
  // A protocol buffer may end after any field; if it ends elsewhere, it is truncated.
  std::set<std::size_t> ends;
  ProtobufReader reader(data);
  for (ProtobufField field; reader.next(field);) ends.insert(field.offset + field.bytes.size());
  ASSERT_EQ(*ends.rbegin(), data.size());
  for (std::size_t size = 0; size < data.size(); ++size) {
    const std::vector<char> copy(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(size));
    const auto source = read_sentencepiece_model({copy.data(), copy.size()}, "m");
    EXPECT_EQ(source.has_value(), ends.contains(size)) << size;
    if (!source) {
      EXPECT_EQ(source.error().code, ErrorCode::kInvalidArgument) << size;
      EXPECT_LE(source.error().where.start, size) << size;
    }
  }
}

TEST(SentencePieceModel, DamagedAtEveryByte) {
  const std::string blob = CharsmapWriter(Replacements{{"ﬁ", "fi"}, {"\t", " "}}).blob();
  const std::string data = small_model().message(2, trainer(1)).message(3, rules(true, true).bytes(2, blob)).data();
  for (std::size_t at = 0; at < data.size(); ++at) {
    for (const int change : {0x01, 0x7F, 0x80, 0xFF}) {
      std::string damaged = data;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      const std::vector<char> copy(damaged.begin(), damaged.end());
      auto source = read_sentencepiece_model({copy.data(), copy.size()}, "m");
      if (!source) {
        EXPECT_NE(source.error().code, ErrorCode::kInternal) << at;
        continue;
      }
      const auto vocabulary = Vocabulary::create(*std::move(source), {});
      if (!vocabulary) continue;
      const TokenizerInfo info(*vocabulary);
      for (const std::string_view text : {"aﬁ <call>\tb", "\xFF\xC3 a", "\0a"}) {
        const auto ids = info.tokenize(text);
        if (ids) {
          EXPECT_LE(info.decode(*ids).size(), 100U);
        }
      }
    }
  }
}

}  // namespace
}  // namespace weir::vocab::sentencepiece_model_test
