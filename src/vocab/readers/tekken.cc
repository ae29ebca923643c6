// tekken.json: Mistral's file for byte-level BPE by ranks.
//
// HOW    Ids below `default_num_special_tokens` are special; the ranks follow after them. The file may contain more
//        ranks than the model has tokens; ids from `default_vocab_size` on are dropped. Files up to version 7 do not
//        name the special tokens, which were the same for all models.
#include <array>
#include <string>

#include "vocab/readers/base64.h"
#include "vocab/readers/json_file.h"
#include "vocab/readers/readers.h"
#include "vocab/segmenters/bpe.h"
#include "vocab/segmenters/pipeline.h"
#include "vocab/segmenters/pre_tokenizer.h"

namespace weir::vocab {

namespace {

constexpr std::array<std::string_view, 20> kEarlySpecialTokens = {"<unk>",
                                                                  "<s>",
                                                                  "</s>",
                                                                  "[INST]",
                                                                  "[/INST]",
                                                                  "[AVAILABLE_TOOLS]",
                                                                  "[/AVAILABLE_TOOLS]",
                                                                  "[TOOL_RESULTS]",
                                                                  "[/TOOL_RESULTS]",
                                                                  "[TOOL_CALLS]",
                                                                  "[IMG]",
                                                                  "<pad>",
                                                                  "[IMG_BREAK]",
                                                                  "[IMG_END]",
                                                                  "[PREFIX]",
                                                                  "[MIDDLE]",
                                                                  "[SUFFIX]",
                                                                  "[SYSTEM_PROMPT]",
                                                                  "[/SYSTEM_PROMPT]",
                                                                  "[TOOL_CONTENT]"};

Result<void> read_special_tokens(const Json& file, std::string_view name, std::uint32_t count,
                                 VocabularySource& source) {
  for (std::uint32_t id = 0; id < count; ++id) {
    source.token_kinds[id] = TokenKind::kSpecial;
    source.token_names[id] = "<SPECIAL_" + std::to_string(id) + ">";
  }
  const Json& tokens = json_member(file, "special_tokens");
  if (tokens.is(JsonType::kNull)) {
    for (std::uint32_t id = 0; id < std::min<std::size_t>(count, kEarlySpecialTokens.size()); ++id) {
      source.token_names[id] = kEarlySpecialTokens[id];
    }
    return {};
  }
  for (const Json& token : json_items(tokens)) {
    const auto rank = json_u32(token, "rank");
    const auto text = json_string(token, "token_str");
    if (!rank || *rank >= count || !text) {
      return tl::unexpected(malformed(name, "a special token has no `token_str`, or a `rank` out of range"));
    }
    source.token_names[*rank] = *text;
  }
  return {};
}

Result<void> read_ranks(const Json& file, std::string_view name, std::uint32_t special, VocabularySource& source) {
  const Json& vocab = json_member(file, "vocab");
  if (!vocab.is(JsonType::kArray)) return tl::unexpected(malformed(name, "`vocab` is not an array"));
  for (const Json& token : vocab.items()) {
    const auto rank = json_u32(token, "rank");
    const auto base64 = json_string(token, "token_bytes");
    std::string bytes;
    if (!rank || !base64 || !decode_base64(*base64, bytes) || bytes.empty()) {
      return tl::unexpected(malformed(name, "an entry of `vocab` has no usable `rank` and `token_bytes`"));
    }
    if (*rank >= source.token_bytes.size() - special) continue;
    const std::size_t id = std::size_t{*rank} + special;
    if (source.token_kinds[id] != TokenKind::kUnused) {
      return tl::unexpected(malformed(name, "rank " + std::to_string(*rank) + " is given twice"));
    }
    source.token_bytes[id] = std::move(bytes);
    source.token_kinds[id] = TokenKind::kNormal;
  }
  return {};
}

}  // namespace

Result<VocabularySource> read_tekken(std::string_view data, std::string_view name) {
  const auto file = parse_json_file(data, name);
  if (!file) return tl::unexpected(file.error());
  const Json& root = file->root();
  const Json& config = json_member(root, "config");
  const auto size = json_u32(config, "default_vocab_size");
  const auto special = json_u32(config, "default_num_special_tokens");
  const auto pattern = json_string(config, "pattern");
  if (!size || !special || !pattern) {
    return tl::unexpected(
        malformed(name, "`config` lacks `default_vocab_size`, `default_num_special_tokens` or `pattern`"));
  }
  if (*size > kMaxTokens || *special > *size) {
    return tl::unexpected(malformed(name, "`default_vocab_size` is too large, or smaller than the special tokens"));
  }
  VocabularySource source;
  source.kind = "byte-level BPE";
  source.token_bytes.resize(*size);
  source.token_names.resize(*size);
  source.token_kinds.assign(*size, TokenKind::kUnused);
  if (auto done = read_special_tokens(root, name, *special, source); !done) {
    return tl::unexpected(std::move(done).error());
  }
  if (auto done = read_ranks(root, name, *special, source); !done) return tl::unexpected(std::move(done).error());
  source.stop_token_ids = usual_stop_tokens(source);

  const SplitPattern split{std::string(*pattern)};
  auto pre_tokenizer = PreTokenizer::from_patterns(std::span(&split, 1));
  source.segmenter =
      pre_tokenizer
          ? make_pipeline({.pre_tokenizer = *std::move(pre_tokenizer), .model = make_rank_bpe(source.token_bytes)})
          : make_unsupported_segmenter(pre_tokenizer.error().message);
  return source;
}

}  // namespace weir::vocab
