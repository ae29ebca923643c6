#include "weir/logits.h"

#include <algorithm>
#include <bit>
#include <limits>

#if defined(__x86_64__) && defined(__GNUC__)
#define WEIR_HAS_AVX2_KERNEL 1
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace weir {

namespace {

constexpr std::size_t kWordBits = 32;

// The bits of minus infinity. Logits are copied as integers, so that the bits of a NaN do not change.
constexpr std::uint32_t kMinusInfinity32 = std::bit_cast<std::uint32_t>(-std::numeric_limits<float>::infinity());
constexpr std::uint16_t kMinusInfinity16 = 0xFC00;
constexpr std::uint16_t kMinusInfinityBrain = 0xFF80;

// Masks logits [at, count) one by one; the bit of logit i is bit i % 32 of words[i / 32].
template <typename Bits>
void apply_one_by_one(Bits* logits, std::size_t at, std::size_t count, const std::uint32_t* words,
                      Bits minus_infinity) {
  for (; at < count; ++at) {
    if (((words[at / kWordBits] >> (at % kWordBits)) & 1U) == 0) logits[at] = minus_infinity;
  }
}

#ifdef WEIR_HAS_AVX2_KERNEL

// Returns true if the processor has AVX2 and the operating system saves its registers. __builtin_cpu_supports would do,
// but the table that it reads is missing in the runtime library of Zig's compiler. In a virtual machine `cpuid` takes
// microseconds, so the answer is kept.
bool has_avx2() {
  static const bool has = [] {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0 || (ecx & bit_OSXSAVE) == 0) return false;
    constexpr unsigned kXmmAndYmm = 6;  // bits of the register XCR0
    unsigned saved = 0;
    __asm__("xgetbv" : "=a"(saved), "=d"(edx) : "c"(0));
    if ((saved & kXmmAndYmm) != kXmmAndYmm) return false;
    return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (ebx & bit_AVX2) != 0;
  }();
  return has;
}

// Masks eight logits; bit i of `bits` belongs to logit i.
__attribute__((target("avx2"))) inline void apply_lanes(std::uint32_t* logits, std::uint32_t bits, __m256i infinity) {
  const __m256i lane_bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  auto* at = reinterpret_cast<__m256i*>(logits);
  const __m256i set = _mm256_and_si256(_mm256_set1_epi32(static_cast<int>(bits)), lane_bits);
  const __m256i is_masked = _mm256_cmpeq_epi32(set, _mm256_setzero_si256());
  _mm256_storeu_si256(at, _mm256_blendv_epi8(_mm256_loadu_si256(at), infinity, is_masked));
}

// Masks sixteen logits; bit i of `bits` belongs to logit i.
__attribute__((target("avx2"))) inline void apply_lanes(std::uint16_t* logits, std::uint32_t bits, __m256i infinity) {
  const __m256i lane_bits = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384,
                                              std::numeric_limits<std::int16_t>::min());
  auto* at = reinterpret_cast<__m256i*>(logits);
  const __m256i set = _mm256_and_si256(_mm256_set1_epi16(static_cast<std::int16_t>(bits & 0xFFFFU)), lane_bits);
  const __m256i is_masked = _mm256_cmpeq_epi16(set, _mm256_setzero_si256());
  _mm256_storeu_si256(at, _mm256_blendv_epi8(_mm256_loadu_si256(at), infinity, is_masked));
}

// Masks the logits of the first `words` words of the bitmask. Precondition: there are 32 logits for each of them.
template <typename Bits>
__attribute__((target("avx2"))) void apply_words(Bits* logits, std::size_t words, const std::uint32_t* bitmask,
                                                 Bits minus_infinity) {
  constexpr std::size_t kLanes = sizeof(__m256i) / sizeof(Bits);
  constexpr std::uint32_t kAllAllowed = UINT32_MAX;
  const __m256i infinity = sizeof(Bits) == 4 ? _mm256_set1_epi32(static_cast<int>(minus_infinity))
                                             : _mm256_set1_epi16(static_cast<std::int16_t>(minus_infinity));
  for (std::size_t i = 0; i < words; ++i, logits += kWordBits) {
    const std::uint32_t word = bitmask[i];
    if (word == kAllAllowed) continue;
    for (std::size_t lane = 0; lane < kWordBits; lane += kLanes) {
      if (word == 0) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(logits + lane), infinity);
      } else {
        apply_lanes(logits + lane, word >> lane, infinity);
      }
    }
  }
}

#endif

template <typename Bits>
void apply(Bits* logits, std::size_t count, std::span<const std::uint32_t> bitmask, Bits minus_infinity) {
  const std::size_t with_bits = std::min(count, bitmask.size() * kWordBits);
  std::size_t done = 0;
#ifdef WEIR_HAS_AVX2_KERNEL
  if (has_avx2()) {
    apply_words(logits, with_bits / kWordBits, bitmask.data(), minus_infinity);
    done = with_bits / kWordBits * kWordBits;
  }
#endif
  apply_one_by_one(logits, done, with_bits, bitmask.data(), minus_infinity);
  std::fill(logits + with_bits, logits + count, minus_infinity);
}

}  // namespace

void apply_token_bitmask_inplace(void* logits, std::size_t count, LogitType type,
                                 std::span<const std::uint32_t> bitmask) noexcept {
  switch (type) {
    case LogitType::kFloat32: return apply(static_cast<std::uint32_t*>(logits), count, bitmask, kMinusInfinity32);
    case LogitType::kFloat16: return apply(static_cast<std::uint16_t*>(logits), count, bitmask, kMinusInfinity16);
    case LogitType::kBFloat16: return apply(static_cast<std::uint16_t*>(logits), count, bitmask, kMinusInfinityBrain);
  }
}

}  // namespace weir
