// Ids that stand for limits, the last ones of their type.
//
// WHY    A function that returns an id and may meet a limit has one result. One comparison tells whether it is a limit's.
// NAMES  Other reserved ids of such a type are below kFirstLimitId.
#ifndef WEIR_SRC_BASE_LIMIT_ID_H_
#define WEIR_SRC_BASE_LIMIT_ID_H_

#include <cstdint>

#include "base/limit.h"

namespace weir::base {

inline constexpr std::uint32_t kFirstLimitId = UINT32_MAX - kLimitCount + 1;

/// Returns the id that stands for `limit`. Precondition: `limit` is not kNone.
template <typename Id>
constexpr Id limit_id(Limit limit) {
  return Id{kFirstLimitId + static_cast<std::uint32_t>(limit)};
}

template <typename Id>
constexpr bool is_limit_id(Id id) {
  return static_cast<std::uint32_t>(id) >= kFirstLimitId;
}

/// Returns the limit that `id` stands for; kNone if it stands for none.
template <typename Id>
constexpr Limit limit_of_id(Id id) {
  return is_limit_id(id) ? static_cast<Limit>(static_cast<std::uint32_t>(id) - kFirstLimitId) : Limit::kNone;
}

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_LIMIT_ID_H_
