// Detects the format of a file from its content: file names are unreliable, and from_bytes() has none.
#include <algorithm>

#include "base/blanks.h"
#include "vocab/readers/base64.h"
#include "vocab/readers/readers.h"

namespace weir::vocab {

namespace {

// Returns true for a protobuf whose first field is number 1 (`pieces`, length-delimited), if the first field in that is
// number 1 too (`piece`, a string) and its length fits.
bool looks_like_sentencepiece(std::string_view data) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(data[i]); };
  if (data.size() < 4 || byte(0) != 0x0A) return false;
  std::size_t at = 1;
  std::size_t length = 0;
  for (unsigned shift = 0; at < data.size() && shift < 28; shift += 7) {
    length |= std::size_t{byte(at) & 0x7FU} << shift;
    if ((byte(at++) & 0x80U) == 0) break;
  }
  return at + 1 < data.size() && length >= 2 && at + length <= data.size() && byte(at) == 0x0A &&
         byte(at + 1) <= length;
}

bool looks_like_tiktoken(std::string_view data) {
  std::string_view line = data.substr(0, std::min<std::size_t>(data.find('\n'), 4096));
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos || space == 0) return false;
  std::string bytes;
  std::string_view rank = line.substr(space + 1);
  if (rank.ends_with('\r')) rank.remove_suffix(1);
  return decode_base64(line.substr(0, space), bytes) && !rank.empty() &&
         std::all_of(rank.begin(), rank.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Distinguishes JSON files by their top-level keys: tokenizer.json has "model", tekken.json "config" and "vocab".
// Nested keys are skipped by counting brackets.
FileKind json_kind(std::string_view data) {
  std::size_t depth = 0;
  bool has_config = false;
  bool has_vocab = false;
  for (std::size_t i = 0; i < data.size(); ++i) {
    switch (data[i]) {
      case '{':
      case '[': ++depth; break;
      case '}':
      case ']':
        if (depth > 0) --depth;
        break;
      case '"': {
        const std::size_t begin = ++i;
        while (i < data.size() && data[i] != '"') i += data[i] == '\\' ? 2 : 1;
        if (depth != 1 || i >= data.size()) break;
        const std::string_view text = data.substr(begin, i - begin);
        if (text == "model") return FileKind::kTokenizerJson;
        has_config = has_config || text == "config";
        has_vocab = has_vocab || text == "vocab";
        if (has_config && has_vocab) return FileKind::kTekken;
        break;
      }
      default: break;
    }
  }
  return FileKind::kUnknown;
}

std::string_view skip_blanks(std::string_view data) {
  if (data.starts_with("\xEF\xBB\xBF")) data.remove_prefix(3);
  const std::size_t at = data.find_first_not_of(base::kBlanks);
  return at == std::string_view::npos ? std::string_view() : data.substr(at);
}

}  // namespace

FileKind detect_file_kind(std::string_view data) {
  if (data.starts_with("GGUF")) return FileKind::kGguf;
  // JSON is tested before protobuf, because a line feed is both white space of JSON and the first byte of the protobuf.
  if (const std::string_view text = skip_blanks(data); text.starts_with('{')) {
    if (const FileKind kind = json_kind(text); kind != FileKind::kUnknown) return kind;
  }
  if (looks_like_sentencepiece(data)) return FileKind::kSentencePiece;
  if (looks_like_tiktoken(data)) return FileKind::kTiktoken;
  return FileKind::kUnknown;
}

Result<VocabularySource> read_any(std::string_view data, std::string_view name, std::string_view sidecar) {
  switch (detect_file_kind(data)) {
    case FileKind::kGguf: return read_gguf(data, name);
    case FileKind::kSentencePiece: return read_sentencepiece_model(data, name);
    case FileKind::kTokenizerJson: return read_tokenizer_json(data, name);
    case FileKind::kTiktoken: return read_tiktoken(data, name, sidecar);
    case FileKind::kTekken: return read_tekken(data, name);
    case FileKind::kUnknown: break;
  }
  return tl::unexpected(malformed(
      name,
      "not a tokenizer file: looked for tokenizer.json (an object with `model`), tekken.json (`config` and `vocab`), "
      "tiktoken ranks (base64 and a number on a line), a SentencePiece model, and GGUF"));
}

}  // namespace weir::vocab
