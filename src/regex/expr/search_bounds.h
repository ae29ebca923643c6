// Bounds of searches and laws of expressions that no option sets. Most of them bound what a constructor or a quick test
// may cost. Beyond them a law is not applied, so that two ids may denote one language, or a test answers "unknown".
// Limits::regex_fuel and Limits::regex_nodes bound the searches whose results callers rely on.
#ifndef WEIR_SRC_REGEX_EXPR_SEARCH_BOUNDS_H_
#define WEIR_SRC_REGEX_EXPR_SEARCH_BOUNDS_H_

#include <cstddef>
#include <cstdint>

namespace weir::regex {

// --- Normal form ---

/// A finite maximum of at least this many rounds counts as a count (without_counts). Fewer rounds add no more
/// residuals than the other parts of an expression do.
inline constexpr std::uint32_t kMinCounted = 8;
/// Terms of a union or an intersection up to which each pair is compared, to drop terms that others include.
inline constexpr std::size_t kMaxAbsorbTerms = 12;
/// Rounds of the laws of unions: a changed term can make another law apply.
inline constexpr int kMaxLawRounds = 3;
/// Expressions that are visited to find the one-byte members of an intersection.
inline constexpr int kOneByteFuel = 200;
/// Bytes of a literal for which an intersection is decided by matching.
inline constexpr std::size_t kMaxLiteralBytes = 256;
/// Assertions in a row that are sorted.
inline constexpr std::size_t kMaxSortedLooks = 16;
/// Pairs of a context up to which each two are compared, to drop those that others include.
inline constexpr std::size_t kMaxComparedPairs = 16;

/// Pairs of terms of an intersection whose comparison counts as a step of work.
inline constexpr std::size_t kPairsForOneStep = 3;
/// From kManyTerms terms on, the laws of a union count as work, because they sort; kTermsForOneStep terms are one step.
inline constexpr std::size_t kManyTerms = 16;
inline constexpr std::size_t kTermsForOneStep = 2;
/// Looking up an expression among more than these costs reads of memory, which count as work.
inline constexpr std::size_t kNodesInCache = std::size_t{1} << 17U;

/// Operands of an alternation that are looked at to know that a text can go on after the first byte of a character.
inline constexpr std::uint32_t kMaxTextOperands = 4;

/// Levels of constructors that call one another, at which they skip laws, so that recursion has a bounded depth.
inline constexpr std::uint32_t kMaxConstructorDepth = 64;
/// Such levels from one test of the room on the stack (base/stack.h) to the next.
inline constexpr std::uint32_t kLevelsForOneStackTest = 8;

// --- What is stored ---

/// Vectors for intermediate results that are kept for later calls; nested calls use fewer. Larger ones are freed.
inline constexpr std::size_t kMaxKeptVectors = 64;
inline constexpr std::size_t kMaxKeptVectorItems = 4'096;
/// Parts that an expression's fingerprint may hash that were not hashed before. An expression with more has a fingerprint of
/// its own: those of other grammars share nothing with it.
inline constexpr std::size_t kMaxSharedParts = 4'096;
/// Parts that are hashed in the time of one step (base/work.h).
inline constexpr std::size_t kPartsForOneStep = 4;

// --- Tables of words (atoms/word_table.cc) ---

/// Tables in a set of expressions.
inline constexpr std::size_t kMaxWordTables = 1'000;
/// Bytes of words from which on a table is better than an alternation (docs/decisions/long-enums.md).
inline constexpr std::size_t kMinTableBytes = std::size_t{1} << 16U;
/// Words of a block, of which the least length is stored.
inline constexpr std::uint32_t kWordsOfBlock = 64;
/// Bytes of words that are copied and sorted in the time of one step (base/work.h).
inline constexpr std::size_t kWordBytesForOneStep = 16;

// --- Patterns (syntax) ---

/// Levels of a pattern's tree, which is traversed and destroyed recursively.
inline constexpr std::uint32_t kAstLevels = 1'000;
/// Assertions within assertions.
inline constexpr std::uint32_t kAssertionNesting = 50;

// --- Derivatives ---

/// Tails of a concatenation of which one is a part by itself. With 1, the derivatives of n optional words that begin alike
/// have n² terms, because there is a union for each tail. 200 such words have 3,778, 3,090, 2,980 and 2,929 expressions
/// with 1, 4, 8 and 16. If no tail is a part, 1,000 optional letters meet a limit (1 December 2026, 149105ec).
inline constexpr std::uint32_t kTailsForOnePart = 8;

/// Different partitions and first byte sets of the parts of an expression up to which their common partition is
/// memoised. Nodes of tries have more, and these do not recur.
inline constexpr std::size_t kMaxPartitionKey = 16;

// --- Quick tests of inclusion ---

/// Pairs of expressions that includes() compares.
inline constexpr int kInclusionFuel = 24;
/// Results of includes() that are memoised. A power of 2.
inline constexpr std::size_t kInclusionSlots = 256;
static_assert((kInclusionSlots & (kInclusionSlots - 1)) == 0);
/// Children of a list that includes() looks at.
inline constexpr std::uint32_t kMaxInclusionChildren = 8;
/// Heads that may be empty which includes() skips to find the smaller expression as a tail of the larger one: up to 26 for
/// letters that recur. 1,000 optional letters have as many expressions with 32, with 128 and without a bound; with 0 they
/// meet a limit (1 December 2026, 149105ec).
inline constexpr int kMaxSkippedHeads = 64;
/// Common heads that the union of two expressions skips.
inline constexpr int kMaxCommonHeads = 8;

// --- Ways to the nearest multiple (members.cc) ---

/// Operands of an intersection, and alternatives of a union, up to which one is looked for that is multiples of a number.
inline constexpr std::uint32_t kFollowedOperands = 4;
inline constexpr std::uint32_t kFollowedAlternatives = 4;

// --- Comparison of counts (text_horizon.cc) ---

/// Parts of an expression that are examined; the others are left unchanged.
inline constexpr int kMaxParts = 64;
/// The same for expressions without intersections, complements and machines, where a part takes some nanoseconds. A
/// class of characters beyond ASCII has about forty parts.
inline constexpr int kMaxPlainParts = 1'024;
/// Residuals that are explored to find how far they are from a member's end.
inline constexpr std::size_t kMaxDistanceResiduals = 128;
/// Different children of two lists, which are compared in pairs.
inline constexpr std::size_t kMaxComparedChildren = 8;

// --- Searches (src/regex/analysis) ---

/// Residuals, also those within characters, that continues_any_text() explores. A search for a word of n letters
/// has about 7 n.
inline constexpr std::size_t kMaxAnyTextResiduals = 128;
/// Visits of residuals to find that there are kManyTexts (contents.h): 40 for `[ab]{40}`, 7 for `.{0,50}`.
inline constexpr int kMaxCountVisits = 200;
/// Expressions that continues_any_text() makes meanwhile: residuals of products of many searches are large.
inline constexpr std::size_t kMaxAnyTextNodes = 2'000;
/// Parts on a path of an expression that continues_any_text() looks at to recognise a search by its form.
inline constexpr int kPrefixingFuel = 8;
/// Visits of a search for a member of each of the residuals.
inline constexpr std::uint32_t kAnyTextFuel = 1'000;

/// Visits of a search for a text of ASCII characters in a string. Such a text mostly has fewer characters. Facts of new
/// patterns take a third of the instructions with 256, and a search that fails costs as many visits more; other values were
/// not tried (30 November 2026, 2873f428, AMD EPYC; docs/decisions/token-facts.md).
inline constexpr std::uint32_t kTextFuel = 256;
/// For most expressions that have a member, this many visits find one. A search that needs more also probes.
inline constexpr std::size_t kFewVisits = 1'000;
/// Visits of the search of a superset without counts, once kFewVisits have found nothing. The empty ones among pairs of
/// formats took at most 17. With no bound of its own the superset of `time` and `ipv6` met a call_work of 300,000; other
/// values were not tried. Asked after 100 or 500 visits already, searches in `allOf` took 4 to 70 % more steps (1 December
/// 2026, 149105ec with superset.cc, AMD EPYC, tests/hostile).
inline constexpr std::uint32_t kSupersetFuel = 200;
/// Expressions that may be created for each visit that fuel allows. Mostly a visit creates few; if it creates many,
/// their creation dominates the time.
inline constexpr std::size_t kMadeForOneVisit = 16;
/// A derivative of an intersection examines all operands and their pairs. This many pairs cost as much as a visit.
inline constexpr std::uint64_t kLooksForOneVisit = 64;
/// This many pairs cost as much as a step of base/work.h.
inline constexpr std::uint64_t kLooksForOneStep = 16;
/// Expressions that are visited to read a member off the structure of an expression.
inline constexpr std::uint32_t kPlainMemberFuel = 1'000;
/// Parts that are read for a plain member in the time of one visit.
inline constexpr std::uint32_t kPlainPartsForOneVisit = 16;
/// Levels of an expression that are examined for a lower bound on lengths. If this number or one of the next three is
/// not enough, the result is lower, but still correct.
inline constexpr int kBoundLevels = 16;
/// Expressions that are examined for the lower bound on lengths.
inline constexpr int kBoundSteps = 256;
/// Parts of a concatenation, or operands of a list, that are examined for the lower bound on lengths.
inline constexpr std::uint32_t kBoundOperands = 64;
/// Sets of bytes of which some number must occur that are kept for the lower bound on lengths.
inline constexpr std::size_t kMaxNeeds = 32;

// --- Assertions ---

/// Ways through choices that are tried to solve an assertion.
inline constexpr int kMaxLookBranches = 64;
/// Parts of an assertion's body that are examined to find how far it looks.
inline constexpr std::size_t kMaxLookBody = 64;

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_EXPR_SEARCH_BOUNDS_H_
