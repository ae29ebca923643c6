// Limit: names the field of weir::Limits that a computation exceeded. It is returned with the failure, so a caller
// learns which limit stopped its own call, not one that stopped another thread's call.
#ifndef WEIR_SRC_BASE_LIMIT_H_
#define WEIR_SRC_BASE_LIMIT_H_

#include <cstdint>

namespace weir::base {

enum class Limit : std::uint8_t {
  kNone,  ///< No limit was met.
  kRegexNodes,
  kRegexFuel,
  kLexerStates,
  kRowItems,
  kConfigurationThreads,
  kLookaheadThreads,
  kCompletionBytes,
  kCaptureItems,
  kStateMemory,
  kGrammarSymbols,
  kRepeatCount,
  kNumberDigits,
  kNesting,
  kTextBytes,
  kSchemaSteps,
  kCallWork,
};
inline constexpr std::uint32_t kLimitCount = 17;

/// Returns the field's name in weir::Limits; empty for kNone.
constexpr const char* field_name(Limit limit) {
  switch (limit) {
    case Limit::kNone: break;
    case Limit::kRegexNodes: return "regex_nodes";
    case Limit::kRegexFuel: return "regex_fuel";
    case Limit::kLexerStates: return "lexer_states";
    case Limit::kRowItems: return "row_items";
    case Limit::kConfigurationThreads: return "configuration_threads";
    case Limit::kLookaheadThreads: return "lookahead_threads";
    case Limit::kCompletionBytes: return "completion_bytes";
    case Limit::kCaptureItems: return "capture_items";
    case Limit::kStateMemory: return "state_memory";
    case Limit::kGrammarSymbols: return "grammar_symbols";
    case Limit::kRepeatCount: return "repeat_count";
    case Limit::kNumberDigits: return "number_digits";
    case Limit::kNesting: return "nesting";
    case Limit::kTextBytes: return "text_bytes";
    case Limit::kSchemaSteps: return "schema_steps";
    case Limit::kCallWork: return "call_work";
  }
  return "";
}

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_LIMIT_H_
