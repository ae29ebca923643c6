// Bounds of the searches that lints make. Nothing but warnings depends on them: beyond a bound a warning is not given,
// or says less. `weir check` should answer while its user waits, so they are far below those of compiling.
#ifndef WEIR_SRC_LINT_SEARCH_BOUNDS_H_
#define WEIR_SRC_LINT_SEARCH_BOUNDS_H_

#include <cstddef>
#include <cstdint>

namespace weir::lint {

// --- All checks (check.cc) ---

/// Steps of one search for a value of a schema, with all of its keywords or without some.
inline constexpr std::uint64_t kSearchSteps = 20'000;
/// Expressions that one search for a member visits.
inline constexpr std::uint32_t kMemberFuel = 500;
/// Alternatives of a choice, and terminals of a grammar, that are compared in pairs. Where there are more, none are.
inline constexpr std::size_t kMaxCompared = 256;
/// Findings of one input that are shown; the others are counted.
inline constexpr std::size_t kMaxShownFindings = 1'000;

// --- Schemas without a value (schema_lint.cc) ---

/// Warnings of this kind for a schema; more would hide the first ones.
inline constexpr std::size_t kMaxFindings = 20;
/// Expressions that all searches together may make; beyond this no set is searched.
inline constexpr std::size_t kMaxExpressions = 200'000;

// --- Which keywords contradict each other (contradiction.cc) ---

/// Times that the schema is evaluated with some keywords left out.
inline constexpr unsigned kMaxTrials = 400;
/// Alternatives of an `anyOf` that are named one by one: a longer list, each with a reason, is not readable.
inline constexpr std::size_t kMaxNamedAlternatives = 8;

// --- Alternatives of a grammar (grammar_lint.cc) ---

/// Searches in all.
inline constexpr std::uint32_t kMaxQuestions = 2'000;

// --- Shadowed terminals (shadowed.cc) ---

/// Larger grammars are skipped.
inline constexpr std::size_t kMaxSymbols = 20'000;
/// Derivatives for one terminal and its competitors.
inline constexpr std::size_t kMaxDerivatives = 20'000;
/// Derivatives for all terminals.
inline constexpr std::size_t kMaxAllDerivatives = 500'000;
/// Rounds of each fixpoint.
inline constexpr int kMaxRounds = 40;

}  // namespace weir::lint

#endif  // WEIR_SRC_LINT_SEARCH_BOUNDS_H_
