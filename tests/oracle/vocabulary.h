// The mask oracle: the definition of a mask, by trying every token.
//
// WHAT   After the bytes w, a token with bytes t is allowed iff w t is a viable prefix; a stop token iff w is a string
//        of the language; a token without bytes never. The bytes of a stop token do not count: it ends the output.
#ifndef WEIR_TESTS_ORACLE_VOCABULARY_H_
#define WEIR_TESTS_ORACLE_VOCABULARY_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/earley.h"

namespace weir::oracle {

struct Vocabulary {
  std::vector<std::string> tokens = {};  ///< Bytes; empty for tokens that are no text.
  std::vector<std::uint32_t> stop_tokens = {};

  [[nodiscard]] bool is_stop(std::uint32_t token) const;
};

/// The mask after the bytes that `earley` holds, which it holds again afterwards. Each token is tried by itself.
std::vector<bool> mask(Earley& earley, const Vocabulary& vocabulary);

/// The same for large vocabularies: tokens are tried in lexical order, and the chart of a shared beginning is kept
/// between one token and the next.
class SortedVocabulary {
 public:
  explicit SortedVocabulary(Vocabulary vocabulary);
  [[nodiscard]] std::vector<bool> mask(Earley& earley) const;
  [[nodiscard]] const Vocabulary& vocabulary() const { return vocabulary_; }

 private:
  Vocabulary vocabulary_;
  std::vector<std::uint32_t> order_;  ///< Tokens with bytes, sorted by them; stop tokens left out.
};

/// The bytes that every string of the language which begins with the bytes in `earley` goes on with, up to a choice or
/// a possible end; at most `limit`. A byte of `several` stands for several characters, and is a choice by itself.
std::string forced_bytes(Earley& earley, std::size_t limit, const ByteSet& several = {});

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_VOCABULARY_H_
