// tiktoken ranks: one line for each token, with its bytes in base64 and its rank, which is its id. The pattern that
// splits text and the special tokens are not in the file, but in a .json file next to it (see readers.h).
#include <algorithm>
#include <charconv>
#include <string>

#include "vocab/readers/base64.h"
#include "vocab/readers/json_file.h"
#include "vocab/readers/readers.h"
#include "vocab/segmenters/bpe.h"
#include "vocab/segmenters/pipeline.h"
#include "vocab/segmenters/pre_tokenizer.h"

namespace weir::vocab {

namespace {

// One line of the file, for example "SGVsbG8= 15339".
struct Line {
  std::string bytes;
  std::uint32_t rank = 0;
};

bool parse_line(std::string_view text, Line& line) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos || !decode_base64(text.substr(0, space), line.bytes)) return false;
  const std::string_view number = text.substr(space + 1);
  const char* end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, line.rank);
  return error == std::errc() && stop == end && !line.bytes.empty();
}

Result<void> read_ranks(std::string_view data, std::string_view name, VocabularySource& source) {
  // A line has about a dozen bytes or more.
  source.token_bytes.reserve(data.size() / 16);
  Line line;
  for (std::size_t begin = 0; begin < data.size();) {
    const std::size_t end = std::min(data.find('\n', begin), data.size());
    std::string_view text = data.substr(begin, end - begin);
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (!text.empty()) {
      if (!parse_line(text, line)) return tl::unexpected(malformed(name, "not a base64 token and its rank", begin));
      if (line.rank >= kMaxTokens) {
        return tl::unexpected(malformed(name, "rank " + std::to_string(line.rank) + " is too large", begin));
      }
      if (line.rank >= source.token_bytes.size()) source.token_bytes.resize(line.rank + 1);
      if (!source.token_bytes[line.rank].empty()) {
        return tl::unexpected(malformed(name, "rank " + std::to_string(line.rank) + " is given twice", begin));
      }
      source.token_bytes[line.rank] = std::move(line.bytes);
    }
    begin = end + 1;
  }
  if (source.token_bytes.empty()) return tl::unexpected(malformed(name, "no tokens"));
  source.token_kinds.reserve(source.token_bytes.size());
  for (const std::string& bytes : source.token_bytes) {
    source.token_kinds.push_back(bytes.empty() ? TokenKind::kUnused : TokenKind::kNormal);
  }
  return {};
}

Result<void> read_special_tokens(const Json& sidecar, std::string_view name, VocabularySource& source) {
  const Json& specials = json_member(sidecar, "special_tokens");
  if (!specials.is(JsonType::kNull) && !specials.is(JsonType::kObject)) {
    return tl::unexpected(malformed(name, "`special_tokens` is not an object"));
  }
  std::size_t size = source.token_bytes.size();
  for (const base::JsonMember& special : specials.members()) {
    const std::string text(special.key);
    const auto id = json_u32(special.value);
    if (!id || *id >= kMaxTokens) {
      return tl::unexpected(malformed(name, "special token `" + text + "` has no usable id"));
    }
    if (*id < source.token_kinds.size() && source.token_kinds[*id] != TokenKind::kUnused) {
      return tl::unexpected(malformed(name, "special token `" + text + "` has the id of another token"));
    }
    size = std::max<std::size_t>(size, *id + 1);
  }
  // `explicit_n_vocab` is the number of the model's ids; it may include ids without a token.
  const std::uint32_t explicit_size = json_u32(sidecar, "explicit_n_vocab").value_or(0);
  if (explicit_size > kMaxTokens) return tl::unexpected(malformed(name, "`explicit_n_vocab` is too large"));
  size = std::max<std::size_t>(size, explicit_size);
  source.token_bytes.resize(size);
  source.token_names.resize(size);
  source.token_kinds.resize(size, TokenKind::kUnused);
  for (const base::JsonMember& special : specials.members()) {
    const std::uint32_t id = *json_u32(special.value);
    source.token_kinds[id] = TokenKind::kSpecial;
    source.token_names[id] = special.key;
  }
  return {};
}

std::shared_ptr<const Segmenter> make_segmenter(const VocabularySource& source, std::string_view pattern) {
  const SplitPattern split{std::string(pattern)};
  auto pre_tokenizer = PreTokenizer::from_patterns(std::span(&split, 1));
  if (!pre_tokenizer) return make_unsupported_segmenter(pre_tokenizer.error().message);
  return make_pipeline({.pre_tokenizer = *std::move(pre_tokenizer), .model = make_rank_bpe(source.token_bytes)});
}

}  // namespace

Result<VocabularySource> read_tiktoken(std::string_view data, std::string_view name, std::string_view sidecar) {
  VocabularySource source;
  source.kind = "byte-level BPE";
  if (auto done = read_ranks(data, name, source); !done) return tl::unexpected(std::move(done).error());
  if (sidecar.empty()) {
    source.segmenter = make_unsupported_segmenter(
        "a file of tiktoken ranks does not say how text is split; put a .json with `pat_str` beside it");
    return source;
  }
  const auto json = parse_json_file(sidecar, name);
  if (!json) return tl::unexpected(json.error());
  // The segmenter is made before the special tokens are added, because they are not part of it.
  const auto pattern = json_string(json->root(), "pat_str");
  source.segmenter = !pattern ? make_unsupported_segmenter("the .json beside the ranks has no `pat_str`")
                              : make_segmenter(source, *pattern);
  if (auto done = read_special_tokens(json->root(), name, source); !done)
    return tl::unexpected(std::move(done).error());
  source.stop_token_ids = usual_stop_tokens(source);
  return source;
}

}  // namespace weir::vocab
