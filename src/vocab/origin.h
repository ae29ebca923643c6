// What a vocabulary was read from, kept so that the same can be made again in another process: the text of a file with
// the options that it was read under. A vocabulary from a plain list needs none: it is that list.
//
// WHY    Tokens alone are not a tokenizer: tokenize() and what is forced need the algorithm, which files describe in
//        many ways and readers/ understands. So what is handed on is the file, and there is one way to read it.
// COST   The file's size in memory; of a GGUF file that of its metadata.
#ifndef WEIR_SRC_VOCAB_ORIGIN_H_
#define WEIR_SRC_VOCAB_ORIGIN_H_

#include <string>

#include "weir/error.h"
#include "weir/tokenizer_info.h"

namespace weir::vocab {

struct Origin {
  std::string data = {};     ///< The file.
  std::string name = {};     ///< For messages.
  std::string sidecar = {};  ///< The file beside it; see read_tiktoken.
  TokenizerOptions options = {};
};

/// Reads the file. Errors: as TokenizerInfo::from_file.
Result<TokenizerInfo> make_tokenizer(Origin origin);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_ORIGIN_H_
