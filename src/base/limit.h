// Limit: names the field of weir::Limits that a computation exceeded. It is returned with the failure, so a caller
// learns which limit stopped its own call, not one that stopped another thread's call.
#ifndef WEIR_SRC_BASE_LIMIT_H_
#define WEIR_SRC_BASE_LIMIT_H_

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "weir/limits.h"

// Every limit that a computation can exceed: its enumerator, and the field of weir::Limits. A new one is one more line.
// clang-format off
#define WEIR_LIMITS(limit) \
  limit(kRegexNodes, regex_nodes) \
  limit(kRegexFuel, regex_fuel) \
  limit(kLexerStates, lexer_states) \
  limit(kRowItems, row_items) \
  limit(kConfigurationThreads, configuration_threads) \
  limit(kLookaheadThreads, lookahead_threads) \
  limit(kCompletionBytes, completion_bytes) \
  limit(kCaptureItems, capture_items) \
  limit(kStateMemory, state_memory) \
  limit(kGrammarSymbols, grammar_symbols) \
  limit(kRepeatCount, repeat_count) \
  limit(kNumberDigits, number_digits) \
  limit(kNesting, nesting) \
  limit(kTextBytes, text_bytes) \
  limit(kSchemaSteps, schema_steps) \
  limit(kCallWork, call_work)
// clang-format on

namespace weir::base {

enum class Limit : std::uint8_t {
  kNone,  ///< No limit was met.
#define WEIR_ENUMERATOR(enumerator, field) enumerator,
  WEIR_LIMITS(WEIR_ENUMERATOR)
#undef WEIR_ENUMERATOR
};

/// The fields' names in weir::Limits; empty for kNone.
inline constexpr const char* kFieldNames[] = {"",
#define WEIR_NAME(enumerator, field) ((void)&Limits::field, #field),
                                              WEIR_LIMITS(WEIR_NAME)
#undef WEIR_NAME
};
inline constexpr std::uint32_t kLimitCount = std::size(kFieldNames);

constexpr const char* field_name(Limit limit) { return kFieldNames[static_cast<std::size_t>(limit)]; }

}  // namespace weir::base

#undef WEIR_LIMITS

#endif  // WEIR_SRC_BASE_LIMIT_H_
