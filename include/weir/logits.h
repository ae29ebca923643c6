// Applying a token bitmask to logits in the CPU's memory.
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

/// Bytes of one logit.
constexpr std::size_t logit_size(LogitType type) noexcept { return type == LogitType::kFloat32 ? 4 : 2; }

/// Sets to minus infinity the logits of all tokens that are not in `bitmask`; logits behind the bitmask's last word
/// stand for no token and are set, too. All others stay as they are.
///
/// Precondition `logits` points to `count` logits of that type, aligned as such; count may be any.
/// Cost     Words of 32 tokens that are all allowed are not touched, words without an allowed token only written. AVX2
///          where the processor has it.
WEIR_API void apply_token_bitmask_inplace(void* logits, std::size_t count, LogitType type,
                                          std::span<const std::uint32_t> bitmask) noexcept;

}  // namespace weir

#endif  // WEIR_LOGITS_H_
