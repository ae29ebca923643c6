// Bounds and thresholds of the canonical automaton that no option sets. A bound of the pre-tokenizer's automaton decides
// which tokenizers are refused. The others decide what is remembered, and in rare cases how much of a prompt is healed.
#ifndef WEIR_SRC_CANONICAL_SEARCH_BOUNDS_H_
#define WEIR_SRC_CANONICAL_SEARCH_BOUNDS_H_

#include <cstddef>
#include <cstdint>

namespace weir::canonical {

// --- The pre-tokenizer's automaton (piece_pattern.cc, piece_automaton.cc) ---

// A tokenizer beyond one of these bounds has no canonical automaton: its patterns are refused, or the limit is named.

/// Levels of groups in a pattern. Patterns in use have some hundred characters.
inline constexpr std::uint32_t kMaxPatternNesting = 200;
/// A count in a pattern. Patterns in use have counts below ten; each round of a count makes terms of its own.
inline constexpr std::uint32_t kMaxPatternCount = 1'000;
/// Expressions of conditions on the rest of a text.
inline constexpr std::uint32_t kMaxPieceExpressions = 1'000'000;
/// Levels of the recursion that lists what a backtracking matcher tries. Each part of a sequence that may be empty is a
/// level.
inline constexpr std::size_t kMaxAttemptDepth = 500;
/// Hypotheses that some text reaches; four times as many may be made to find these. o200k_base has 49, DeepSeek LLM
/// 286.
inline constexpr std::size_t kMaxHypotheses = 4'096;
/// States of texts after a boundary, which are sets of hypotheses.
inline constexpr std::size_t kMaxRests = 16'384;

// --- Merges (merge_forest.cc) ---

/// Lookups in large tables that are made together, since each waits for memory (docs/decisions/canonical-masks.md).
inline constexpr std::size_t kLookupsAtOnce = 64;
/// Symbols between two stages of loading ahead: what a symbol is found with is loaded three times, twice and once this
/// many symbols before it. With fewer the loop waits for memory; what is loaded too early may be lost again.
inline constexpr std::size_t kSymbolsAhead = 8;

// --- Canonical states (canonical_automaton.cc, canonical_healing.cc) ---

/// Steps that are remembered, at 16 to 32 bytes each; others are computed each time.
inline constexpr std::size_t kMaxRememberedSteps = std::size_t{1} << 18U;
/// If the forbidden successors of a symbol are at least this many intervals, its row is remembered: a bitmask of the
/// vocabulary for each of some forty symbols of o200k_base.
inline constexpr std::size_t kMinRememberedIntervals = 1'000;
/// Tokens in a row that are tried to see whether a text leads from a state to an end. More than one is needed mostly
/// within a character. If these do not decide it, some text counts as leading there, and healing may remove more tokens
/// than needed.
inline constexpr int kMaxHealingTokens = 4;

}  // namespace weir::canonical

#endif  // WEIR_SRC_CANONICAL_SEARCH_BOUNDS_H_
