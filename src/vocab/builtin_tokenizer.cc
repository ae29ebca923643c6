// The embedded default tokenizer: data/default_tokenizer/tokenizer.json, which the build embeds into the library
// (tools/embed_file.cmake). tools/train_default_tokenizer.py describes what it was trained on.
#include <cstddef>
#include <string_view>

#include "weir/tokenizer_info.h"

namespace weir {

namespace vocab {
extern const unsigned char builtin_tokenizer_json[];
extern const std::size_t builtin_tokenizer_json_size;
}  // namespace vocab

TokenizerInfo TokenizerInfo::builtin() {
  // The file is read once, on first use; C++ makes the initialization of a static thread-safe. The result is not
  // checked for errors, because the file is part of the library and a test reads it.
  static const TokenizerInfo info =
      *from_bytes(std::string_view(reinterpret_cast<const char*>(vocab::builtin_tokenizer_json),
                                   vocab::builtin_tokenizer_json_size),
                  "builtin");
  return info;
}

}  // namespace weir
