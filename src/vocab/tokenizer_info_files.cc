// The functions of TokenizerInfo that read files.
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>

#include "base/open_file.h"
#include "base/replaceable.h"
#include "vocab/origin.h"
#include "vocab/readers/gguf_metadata.h"
#include "vocab/readers/readers.h"
#include "vocab/vocabulary.h"
#include "weir/tokenizer_info.h"

namespace weir {

namespace {

// Bytes of a file that are read, for devices and pipes that never end. The largest tokenizers have some 40 MB; of a GGUF
// file its beginning counts.
constexpr std::size_t kMostRead = std::size_t{256} << 20;

// Returns true if the reader needs no more than `start`, the first bytes of the file. In a GGUF file the metadata is
// followed by the weights of the model, which may have gigabytes.
bool is_enough(std::string_view start) { return start.starts_with("GGUF") && vocab::GgufMetadata::parse(start); }

Result<std::string> read_file(const std::string& path) {
  const auto close = [](std::FILE* f) { static_cast<void>(std::fclose(f)); };
  const std::unique_ptr<std::FILE, decltype(close)> file(open_file(path, "rb"), close);
  const auto fail = [&](std::string_view what) { return tl::unexpected(vocab::malformed(path, what)); };
  if (file == nullptr) return fail("cannot open the file");
  std::string data;
  constexpr std::size_t kBlock = std::size_t{1} << 20;
  std::size_t next_look = 16 * kBlock;
  for (std::size_t size = 0;;) {
    data.resize(size + kBlock);
    const std::size_t read = std::fread(data.data() + size, 1, kBlock, file.get());
    size += read;
    data.resize(size);
    if (read < kBlock) break;
    if (size < next_look) continue;
    if (is_enough(data)) break;
    if (size >= kMostRead) return fail("has more than 256 MiB, the most that is read");
    next_look *= 2;
  }
  if (std::ferror(file.get()) != 0) {
    return fail(errno == EISDIR ? "is a folder; name a file in it, such as tokenizer.json" : "cannot read the file");
  }
  return data;
}

// Returns "dir/gpt2.json" for "dir/gpt2.tiktoken".
std::string sidecar_path(const std::string& path) {
  const std::size_t dot = path.find_last_of("./\\");
  const bool has_extension = dot != std::string::npos && path[dot] == '.';
  return (has_extension ? path.substr(0, dot) : path) + ".json";
}

// Returns the part of the file that the reader uses, so that a tokenizer does not hold the weights of its model.
std::string_view without_weights(std::string_view data) {
  if (!data.starts_with("GGUF")) return data;
  const auto metadata = vocab::GgufMetadata::parse(data);
  return metadata ? data.substr(0, metadata->size()) : data;
}

}  // namespace

namespace vocab {

WEIR_REPLACEABLE Result<TokenizerInfo> make_tokenizer(Origin origin) {
  origin.data.resize(without_weights(origin.data).size());
  origin.data.shrink_to_fit();
  const auto kept = std::make_shared<const Origin>(std::move(origin));
  auto source = read_any(kept->data, kept->name, kept->sidecar);
  if (!source) return tl::unexpected(std::move(source).error());
  source->origin = kept;
  return Vocabulary::create(*std::move(source), kept->options).map([](auto vocabulary) {
    return TokenizerInfo(std::move(vocabulary));
  });
}

}  // namespace vocab

Result<TokenizerInfo> TokenizerInfo::from_file(const std::string& path, const TokenizerOptions& options) {
  auto data = read_file(path);
  if (!data) return tl::unexpected(data.error());
  std::string sidecar;
  if (vocab::detect_file_kind(*data) == vocab::FileKind::kTiktoken) {
    // If there is no such file, the ranks alone are enough for masks.
    if (auto found = read_file(sidecar_path(path))) sidecar = *std::move(found);
  }
  return vocab::make_tokenizer({*std::move(data), path, std::move(sidecar), options});
}

Result<TokenizerInfo> TokenizerInfo::from_bytes(std::string_view data, std::string_view name,
                                                const TokenizerOptions& options) {
  return vocab::make_tokenizer({std::string(without_weights(data)), std::string(name), {}, options});
}

}  // namespace weir
