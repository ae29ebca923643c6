// Applies a token bitmask to logits in the CPU's memory.
//
// THREADS Functions of their arguments alone.
#ifndef WEIR_LOGITS_H_
#define WEIR_LOGITS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "weir/export.h"

namespace weir {

/// How a logit is stored.
enum class LogitType : std::uint8_t {
  kFloat32,
  kFloat16,   ///< IEEE 754 binary16.
  kBFloat16,  ///< The upper half of a float32.
};

/// Returns the number of bytes of one logit.
constexpr std::size_t logit_size(LogitType type) noexcept { return type == LogitType::kFloat32 ? 4 : 2; }

/// Sets the logits of all tokens that are not in `bitmask` to minus infinity. Logits after the bitmask's last word
/// stand for no token and are set, too. All other logits keep their bits.
///
/// Shape    `logits` points to `count` logits of type `type`, aligned for it. `count` is independent of the bitmask's
///          size.
/// Cost     A word of 32 allowed tokens costs no access to its logits; a word without an allowed token costs writes
///          only. Uses AVX2 if the processor has it.
/// Example
///     std::vector<float> logits(vocab_size);  // filled in by the model
///     weir::apply_token_bitmask_inplace(logits.data(), logits.size(), weir::LogitType::kFloat32, bitmask);
WEIR_API void apply_token_bitmask_inplace(void* logits, std::size_t count, LogitType type,
                                          std::span<const std::uint32_t> bitmask) noexcept;

}  // namespace weir

#endif  // WEIR_LOGITS_H_
