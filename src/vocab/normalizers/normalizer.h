// Normalizer: one step that rewrites text before it is split and tokenized.
#ifndef WEIR_SRC_VOCAB_NORMALIZERS_NORMALIZER_H_
#define WEIR_SRC_VOCAB_NORMALIZERS_NORMALIZER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace weir::vocab {

/// What a normalizer does, as data.
struct NormalizerRecipe {
  enum class Kind : std::uint8_t {
    kReplace,  ///< Every `from` becomes `to`.
    kPrepend,  ///< `to` is put in front of a text that is not empty.
    kNfc,      ///< Unicode's composed form.
    kOther,
  };
  Kind kind = Kind::kOther;
  std::string name = {};  ///< For messages.
  std::string from = {};
  std::string to = {};
};

class Normalizer {
 public:
  virtual ~Normalizer() = default;
  /// Rewrites `text` in place. Bytes that are not valid UTF-8 pass through unchanged.
  virtual void normalize(std::string& text) const = 0;
  /// Returns the length of a prefix of `text` whose normalized form does not depend on the bytes after it; 0 if no such
  /// prefix is known.
  [[nodiscard]] virtual std::size_t settled(std::string_view) const { return 0; }
  [[nodiscard]] virtual NormalizerRecipe recipe() const { return {}; }
};

using NormalizerPtr = std::shared_ptr<const Normalizer>;

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_NORMALIZERS_NORMALIZER_H_
