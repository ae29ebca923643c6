// Bounds of conversion that no option sets. Beyond one of them a part is refused: it cannot be written in the other
// language, or only as a text that nobody would read.
#ifndef WEIR_SRC_CONVERT_SEARCH_BOUNDS_H_
#define WEIR_SRC_CONVERT_SEARCH_BOUNDS_H_

#include <cstddef>
#include <cstdint>

namespace weir::frontend::convert {

// --- Competition of terminals (resolve_competition.cc) ---

/// Bits of the sets of occurrences of a grammar: 2.5 MB.
inline constexpr std::size_t kMaxOccurrenceBits = 20'000'000;
/// Places in the grammar, each with the terminals that may come there.
inline constexpr std::size_t kMaxPlaces = 2'000;
/// Derivatives of all terminals that are matched together.
inline constexpr std::size_t kMaxDerivatives = 400'000;
/// Different sets of bytes by which the text must not continue after a lexeme. A part is written for each pair of them.
inline constexpr std::size_t kMaxSets = 8;
/// Nodes that are written, for each pair of sets.
inline constexpr std::size_t kMaxVariants = 200'000;
/// Copies of a repeated part that begins and ends with different sets.
inline constexpr std::uint32_t kMaxCopies = 64;

// --- Terminals (terminals.cc) ---

/// Nodes of a terminal's expression that is written by its structure.
inline constexpr std::size_t kMaxNodes = 20'000;
/// States of a terminal whose expression is written from its automaton.
inline constexpr std::size_t kMaxStates = 10'000;
/// States that are eliminated, and bytes of the expression meanwhile, which may double with each.
inline constexpr std::size_t kMaxEliminated = 200;
inline constexpr std::size_t kMaxEliminatedBytes = std::size_t{1} << 20;

// --- Counts (spelling.cc) ---

/// llama.cpp refuses larger counts.
inline constexpr std::uint32_t kMaxGbnfRepeats = 2'000;
/// KBNF has no counts: an item is written so often.
inline constexpr std::uint32_t kMaxKbnfRepeats = 200;

}  // namespace weir::frontend::convert

#endif  // WEIR_SRC_CONVERT_SEARCH_BOUNDS_H_
