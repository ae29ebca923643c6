// The embedded default tokenizer: data/default_tokenizer/tokenizer.json, put into the library when it is built
// (tools/embed_file.cmake). tools/train_default_tokenizer.py says what it was trained on.
#include <cstddef>
#include <string_view>

#include "weir/tokenizer_info.h"

namespace weir {

namespace vocab {
extern const unsigned char builtin_tokenizer_json[];
extern const std::size_t builtin_tokenizer_json_size;
}  // namespace vocab

TokenizerInfo TokenizerInfo::builtin() {
  // Read once, on first use, and shared from then on; C++ makes the initialisation safe for threads. The result is not
  // checked: the file is part of the library and a test reads it.
  static const TokenizerInfo info =
      *from_bytes(std::string_view(reinterpret_cast<const char*>(vocab::builtin_tokenizer_json),
                                   vocab::builtin_tokenizer_json_size),
                  "builtin");
  return info;
}

}  // namespace weir
