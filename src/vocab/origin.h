// Origin: the file that a vocabulary was read from, and the options that it was read with.
//
// WHAT   It is stored so that another process can make the same vocabulary again. A vocabulary that was made from a
//        plain list of tokens has no Origin; the list says everything.
// WHY    Tokens alone are not a tokenizer: tokenize() and forced tokens need the algorithm, which each file format
//        describes in its own way. Serializing the file itself means that only readers/ has to understand the formats.
// COST   The size of the file in memory; for a GGUF file the size of its metadata.
#ifndef WEIR_SRC_VOCAB_ORIGIN_H_
#define WEIR_SRC_VOCAB_ORIGIN_H_

#include <string>

#include "weir/error.h"
#include "weir/tokenizer_info.h"

namespace weir::vocab {

struct Origin {
  std::string data = {};     ///< The content of the file.
  std::string name = {};     ///< The file's name, for messages.
  std::string sidecar = {};  ///< The content of the file next to it; see read_tiktoken.
  TokenizerOptions options = {};
};

/// Makes a tokenizer from the file in `origin`. Errors: as TokenizerInfo::from_file.
Result<TokenizerInfo> make_tokenizer(Origin origin);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_ORIGIN_H_
