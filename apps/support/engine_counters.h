// The fields of EngineStats by name, for benchmarks that print them and for tests that compare them with limits.
#ifndef WEIR_APPS_SUPPORT_ENGINE_COUNTERS_H_
#define WEIR_APPS_SUPPORT_ENGINE_COUNTERS_H_

#include <cstdint>
#include <nlohmann/json.hpp>

#include "weir/compiler.h"

namespace weir::cli {

struct EngineCounter {
  const char* name;
  std::uint64_t EngineStats::*field;
};

inline constexpr EngineCounter kEngineCounters[] = {
    {"states", &EngineStats::states},
    {"transitions", &EngineStats::transitions},
    {"rows", &EngineStats::rows},
    {"row_items", &EngineStats::row_items},
    {"continuations", &EngineStats::continuations},
    {"lexer_states", &EngineStats::lexer_states},
    {"regex_nodes", &EngineStats::regex_nodes},
    {"masks", &EngineStats::masks},
    {"trie_nodes", &EngineStats::trie_nodes},
    {"cache_flushes", &EngineStats::cache_flushes},
    {"memory_bytes", &EngineStats::memory_bytes},
};

inline void add_to(EngineStats& sum, const EngineStats& stats) {
  for (const EngineCounter& counter : kEngineCounters) sum.*counter.field += stats.*counter.field;
}

/// Returns {"states", "transitions", …}.
inline nlohmann::ordered_json to_json(const EngineStats& stats) {
  nlohmann::ordered_json out;
  for (const EngineCounter& counter : kEngineCounters) out[counter.name] = stats.*counter.field;
  return out;
}

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_ENGINE_COUNTERS_H_
