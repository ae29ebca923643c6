// The mask oracle: computes masks by definition, by trying every token.
//
// WHAT   After the bytes w, a token with bytes t is allowed iff w t is a viable prefix; a stop token iff w is a string
//        of the language; a token without bytes never. The bytes of a stop token are ignored, because it ends the
//        output.
#ifndef WEIR_TESTS_ORACLE_VOCABULARY_H_
#define WEIR_TESTS_ORACLE_VOCABULARY_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/earley.h"

namespace weir::oracle {

struct Vocabulary {
  std::vector<std::string> tokens = {};  ///< Bytes; empty for tokens that are not text.
  std::vector<std::uint32_t> stop_tokens = {};

  [[nodiscard]] bool is_stop(std::uint32_t token) const;
};

/// Returns the mask after the bytes in `earley`, which are the same afterwards. Tries each token independently.
std::vector<bool> mask(Earley& earley, const Vocabulary& vocabulary);

/// Computes the same masks for large vocabularies: tries tokens in lexical order and keeps the chart of the prefix that
/// adjacent tokens share.
class SortedVocabulary {
 public:
  explicit SortedVocabulary(Vocabulary vocabulary);
  [[nodiscard]] std::vector<bool> mask(Earley& earley) const;
  [[nodiscard]] const Vocabulary& vocabulary() const { return vocabulary_; }
  /// Returns the tokens with bytes, sorted by bytes, without stop tokens.
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }

 private:
  Vocabulary vocabulary_;
  std::vector<std::uint32_t> order_;
};

/// Returns the forced bytes: those with which every string of the language continues after the bytes in `earley`, up to
/// a choice or a possible end; at most `limit`. A byte in `several` represents several characters, so it is a choice.
std::string forced_bytes(Earley& earley, std::size_t limit, const ByteSet& several = {});

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_VOCABULARY_H_
