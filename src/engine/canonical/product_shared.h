// What the parts of CanonicalProduct's implementation share, CanonicalDistance included.
#ifndef WEIR_SRC_ENGINE_CANONICAL_PRODUCT_SHARED_H_
#define WEIR_SRC_ENGINE_CANONICAL_PRODUCT_SHARED_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/work.h"
#include "canonical/canonical_automaton.h"
#include "engine/search_bounds.h"
#include "engine/sets/mask.h"
#include "engine/sets/state_id.h"
#include "vocab/token_set.h"

namespace weir::engine::product {

// About the memory of an entry of a map without its payload.
inline constexpr std::size_t kEntryBytes = 64;

inline std::uint64_t key_of(StateId g, std::uint32_t other) { return (std::uint64_t{raw(g)} << 32) | other; }

// Calls `use(token)` with each token of a mask until it returns false. Returns false if it did.
template <typename Use>
bool for_each_token(const Mask& mask, Use use) {
  if (mask.most == nullptr) {
    return std::all_of(mask.changed.begin(), mask.changed.end(),
                       [&](const Mask::Word& word) { return vocab::for_each_bit(word.index, word.bits, use); });
  }
  std::size_t changed = 0;
  for (std::uint32_t i = 0; i < mask.most->size(); ++i) {
    std::uint32_t bits = (*mask.most)[i];
    if (changed < mask.changed.size() && mask.changed[changed].index == i) bits ^= mask.changed[changed++].bits;
    if (!vocab::for_each_bit(i, bits, use)) return false;
  }
  return true;
}

inline bool has_place(std::span<const canonical::PlaceId> places, canonical::PlaceId place) {
  return std::find(places.begin(), places.end(), place) != places.end();
}

// Counts the check of a token or a visit of a search. Returns true if the call has taken more steps than it may.
inline bool is_work_met() {
  base::Work::charge(kStepsForCanonicalCheck);
  return base::Work::is_met();
}

}  // namespace weir::engine::product

#endif  // WEIR_SRC_ENGINE_CANONICAL_PRODUCT_SHARED_H_
