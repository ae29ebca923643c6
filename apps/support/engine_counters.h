// The fields of EngineStats by name, for benchmarks that print them and for tests that compare them with limits.
#ifndef WEIR_APPS_SUPPORT_ENGINE_COUNTERS_H_
#define WEIR_APPS_SUPPORT_ENGINE_COUNTERS_H_

#include <nlohmann/json.hpp>

#include "weir/members.h"

namespace weir::cli {

/// Calls `visit(name, member)` for each counter.
template <typename Visit>
void for_each_counter(const Visit& visit) {
  for_each_member<EngineStats>([&](const char* name, auto member, const char*) { visit(name, member); });
}

inline void add_to(EngineStats& sum, const EngineStats& stats) {
  for_each_counter([&](const char*, auto counter) { sum.*counter += stats.*counter; });
}

/// Returns {"states", "transitions", …}.
inline nlohmann::ordered_json to_json(const EngineStats& stats) {
  nlohmann::ordered_json out;
  for_each_counter([&](const char* name, auto counter) { out[name] = stats.*counter; });
  return out;
}

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_ENGINE_COUNTERS_H_
