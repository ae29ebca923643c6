// Bounds and thresholds of grammars and their passes that no option sets. Either side of each gives a correct grammar:
// they decide how large it is, and how many rows and lexer states a parser makes of it.
#ifndef WEIR_SRC_GRAMMAR_SEARCH_BOUNDS_H_
#define WEIR_SRC_GRAMMAR_SEARCH_BOUNDS_H_

#include <cstddef>
#include <cstdint>

namespace weir::grammar {

// --- Which parts become one terminal (passes/fold.cc, passes/loops.cc, passes/merge.cc) ---

// With half and with double of each no counter of MaskBench dev changes (every 20th), and no counter of the grammars
// written by hand by more than 0.5 %. What is said below of other values is about all of the latter (1 December 2026,
// 53e2f9e2, o200k_base, counters).

/// Leaves of a rule, or bytes of the text of a terminal, that is used more than once, up to which it is copied into the
/// terminals of its users. Copies of a larger one would not share lexer states. With 0 leaves there are 3.1 % more rows.
inline constexpr std::uint32_t kSharedLeaves = 64;
/// Leaves of a sequence that is one terminal, and terminals beside each other that become one. The residuals of a longer
/// sequence of optional parts are as long as it. With 8 leaves memory grows by 5.8 %.
inline constexpr std::uint32_t kSequenceLeaves = 1'024;
/// Bytes that may come at a place, from which on the place is wide: [0-9a-fA-F] is not, [a-z] is. If none is,
/// walks visit 3.3 % more nodes.
inline constexpr std::uint32_t kMinWideBytes = 24;
/// Residuals of a terminal that are looked at to find its loops. A loop beyond them is not found, and the terminal is joined
/// with its neighbours. With 1 walks visit 3.3 % more nodes; without a bound there are 8.6 % more expressions.
inline constexpr std::size_t kMaxLoopStates = 32;

// --- Lazy rules (growth.h, columns.cc) ---

/// Bytes of a rule's short text that are kept. A longer text is written when it is needed.
inline constexpr std::size_t kKeptTextBytes = 4'000;
/// Fuel of a search in an expression of line ends and blanks, which has few residuals.
inline constexpr std::uint32_t kBlankFuel = 10'000;

// --- Printing (print.h) ---

/// Bytes after which the text of a grammar is cut. A part that is used in several places is written out in each.
inline constexpr std::size_t kPrintLimit = std::size_t{16} << 20;

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_SEARCH_BOUNDS_H_
