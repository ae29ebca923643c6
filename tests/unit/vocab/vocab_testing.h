// Helpers of the tests of vocab: files, and short ways to build tokenizers.
#ifndef WEIR_TESTS_UNIT_VOCAB_VOCAB_TESTING_H_
#define WEIR_TESTS_UNIT_VOCAB_VOCAB_TESTING_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "shared_data.h"
#include "vocab/vocabulary.h"
#include "weir/tokenizer_info.h"

namespace weir::vocab {

using Ids = std::vector<std::uint32_t>;

/// Returns the directory of real tokenizers, which may not exist.
inline std::filesystem::path tokenizer_data() { return tests::shared_data() / "tokenizers"; }

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

/// Reads from a heap copy of exactly the text's size, so that ASan detects a read past its end.
inline Result<TokenizerInfo> from_text(std::string_view text, const TokenizerOptions& options = {}) {
  const std::vector<char> copy(text.begin(), text.end());
  return TokenizerInfo::from_bytes(std::string_view(copy.data(), copy.size()), "test", options);
}

inline TokenizerInfo expect_tokenizer(std::string_view text) {
  auto info = from_text(text);
  if (!info) {
    ADD_FAILURE() << info.error().message;
    return *TokenizerInfo::from_vocab({.tokens = {"failed"}});
  }
  return *info;
}

inline Ids expect_ids(const TokenizerInfo& info, std::string_view text) {
  auto ids = info.tokenize(text);
  if (!ids) {
    ADD_FAILURE() << "`" << text << "`: " << ids.error().message;
    return {};
  }
  return *ids;
}

/// Returns the names of the tokens of `text`, in quotes.
inline std::string tokens_of(const TokenizerInfo& info, std::string_view text) {
  auto ids = info.tokenize(text);
  if (!ids) return "error: " + ids.error().message;
  std::string names;
  for (const std::uint32_t id : *ids) names.append("[").append(info.token_name(id)).append("]");
  return names;
}

}  // namespace weir::vocab

#endif  // WEIR_TESTS_UNIT_VOCAB_VOCAB_TESTING_H_
