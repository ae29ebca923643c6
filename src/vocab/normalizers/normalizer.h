// Normalizer: one step that rewrites text before it is split and tokenized.
#ifndef WEIR_SRC_VOCAB_NORMALIZERS_NORMALIZER_H_
#define WEIR_SRC_VOCAB_NORMALIZERS_NORMALIZER_H_

#include <memory>
#include <string>

namespace weir::vocab {

class Normalizer {
 public:
  virtual ~Normalizer() = default;
  /// Rewrites `text` in place. Bytes that are not valid UTF-8 pass through unchanged.
  virtual void normalize(std::string& text) const = 0;
};

using NormalizerPtr = std::shared_ptr<const Normalizer>;

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_NORMALIZERS_NORMALIZER_H_
