// The two large parts of a tokenizer.json, the names with their ids and the merges, in flat tables.
//
// WHY    A file of 100,000 tokens has 100,000 merges. As JSON values they are 200,000 nodes of a tree and 300,000 small
//        allocations; building and searching them takes longer than all else that reading the file does.
#ifndef WEIR_SRC_VOCAB_READERS_TOKENIZER_JSON_TABLES_H_
#define WEIR_SRC_VOCAB_READERS_TOKENIZER_JSON_TABLES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vocab/readers/json_file.h"

namespace weir::vocab {

struct TokenizerJson {
  struct Entry {
    std::string name;
    std::optional<std::uint32_t> id;  ///< nullopt: the value is no integer from 0 to 2^32 - 1.
  };
  Json file;                 ///< The file. An object `model.vocab` and an array `model.merges` are empty in it.
  std::vector<Entry> vocab;  ///< The members of an object `model.vocab` in the file's order; the last of equal names.
  std::vector<std::pair<std::string, std::string>> merges;  ///< The elements of an array `model.merges`.
  /// False if an element of `model.merges` is neither "left right" nor ["left", "right"].
  bool merges_are_pairs = true;
};

/// Reads a file. Errors: those of parse_json_file.
Result<TokenizerJson> parse_tokenizer_json(std::string_view data, std::string_view name);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_READERS_TOKENIZER_JSON_TABLES_H_
