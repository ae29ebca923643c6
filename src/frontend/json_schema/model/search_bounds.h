// Bounds of searches about a schema's values that no option sets. Limits::schema_steps bounds all of them together;
// these keep a single question from using up the steps of the others. Beyond a bound the answer is the cautious one
// that each comment names, so results stay right: rules are larger than they could be, or a search starts over.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_SEARCH_BOUNDS_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_SEARCH_BOUNDS_H_

#include <cstddef>
#include <cstdint>

namespace weir::frontend::json_schema {

// --- Steps that stand for other work ---

/// A new expression takes as long as this many steps; making expressions is most of the time of Algebra::has_member.
inline constexpr std::uint64_t kStepsOfExpression = 4;
/// A value that is read takes some 20 bytes of memory for each byte of its text, which counts for long ones.
inline constexpr std::uint64_t kStepsOfLongValueByte = 4;
/// So many bytes of a text that is written are one step for each value that contains it.
inline constexpr std::size_t kCopiedBytesForOneStep = 64;
/// Overlapping patterns give a class of keys for each combination, and each class is a terminal of the lexer.
inline constexpr std::uint64_t kStepsOfOverlap = 500;

// --- Formulas ---

/// Formulas of more operands are not searched for operands that others absorb, because that compares all pairs.
inline constexpr std::size_t kMaxAbsorbOperands = 64;
/// Combinations of at most so many operands are remembered by their operands. Searches ask for the same ones again: the
/// slowest mask of metricshub (SchemaStore) takes 28,341 steps in place of 50,320 (30 November 2026, d1361dea). Longer ones
/// would take more memory than they save time.
inline constexpr std::size_t kMaxKnownOperands = 32;
/// More conditions on members in a conjunction are merged half by half: 1,000 objects of one member took 1 million steps,
/// now 0.1 million.
inline constexpr std::ptrdiff_t kManyMembersAtoms = 64;
/// Up to this many factors of choices are multiplied as they are; of more, each is first made disjoint.
inline constexpr std::size_t kFewFactors = 3;
/// A product of at most this many choices keeps impossible ones: proving them impossible takes a search for each.
inline constexpr std::size_t kFewChoices = 8;
/// An `enum` of so many values is long: they are read when a grammar is compiled, and those that are objects or arrays are
/// one expression (rules/constant_texts.h). docs/decisions/long-enums.md has the figures.
inline constexpr std::size_t kLongEnum = 256;
/// With more pairs of `oneOf` operands, operands resolved for a weaker context are used again if they are known. With 8 in
/// the place of 100 the masks of grpc-api-gateway (SchemaStore) took 66,791 steps in place of 161,709.
inline constexpr std::size_t kManyOperandPairs = 8;
/// Contexts for which results are kept of one `oneOf`, to use them again: each new context is compared with all of them.
/// Masks of every third schema of SchemaStore dev took as long with 1 and with 4 (2026-11-29, AMD EPYC).
inline constexpr std::size_t kMaxKnownContexts = 32;
/// Names that are tried as the tag by which operands differ. Up to this many operands are compared without a tag.
inline constexpr std::size_t kMaxTagNames = 4;
/// Alternatives that may each have an order of members of their own; of more, all have the order of the schema's text.
inline constexpr std::size_t kMaxOrderedAlternatives = 1'000;
/// References that are followed where a schema is only a reference; the user's text may have chains of any length.
inline constexpr int kMaxReferences = 100;
/// Parts of a schema that are read to see that it is satisfiable without a search.
inline constexpr std::size_t kMaxPlainParts = 64;

/// A `minLength`, levels and parts of a constant, and digits of a number, up to which a schema is so plain: a longer
/// string may exceed limits, a longer number may be rounded.
inline constexpr std::int64_t kMaxPlainLength = 100;
inline constexpr unsigned kMaxPlainDepth = 4;
inline constexpr std::size_t kMaxPlainValues = 16;
inline constexpr std::size_t kMaxPlainDigits = 15;

/// Operands of an intersection of which each is asked for a value, before their shapes are joined to one. Joining fewer is
/// as little work. With 300 conditions on a constant the first mask takes 250,264 steps in place of 791,628 (30 November
/// 2026, e7a6eaa9, o200k_base).
inline constexpr std::size_t kMinOperandsToAsk = 4;
/// Bytes of a string that each operand is asked for, with the figures of kMinOperandsToAsk. That takes as long as a step,
/// since most are told by their length or by a few derivatives that are known.
inline constexpr std::uint32_t kMaxAskedBytes = 100;

// --- Keys ---

/// Keys of a class that is split into its single keys, so that rules can keep track of the unused ones.
inline constexpr std::size_t kMaxListedKeys = 64;
/// Levels of formulas within formulas from which on their truth in an object is remembered: deep ones occur in many
/// places.
inline constexpr std::uint32_t kMinKnownDepth = 2;
/// Numbers of possible keys are exact up to this one, which stands for more. No count in a schema is as large.
inline constexpr std::uint64_t kMaxCountedKeys = std::uint64_t{1} << 33U;
/// Residuals that Derivation::count_texts visits, a letter of an `enum` each. Beyond, the number of texts is not known.
inline constexpr std::size_t kMaxCountedResiduals = 200'000;
/// If a pattern has more residuals, no character counts as one that changes nothing (Derivation::allow_longer_keys).
inline constexpr std::size_t kMaxPatternResiduals = 256;
/// If keys have more residuals, some key counts as one that no longer key begins with (Derivation::has_last_keys).
inline constexpr std::size_t kMaxLastKeyResiduals = 1'000;
/// Objects that a KeyProbe keeps as examples: each key may be compared with all of them.
inline constexpr std::size_t kMaxKnownObjects = 8;
/// Wrong assumptions after which a search gives up that also prefers certain names (ObjectSearch::want); one without
/// preferences follows.
inline constexpr std::size_t kMaxBacktracks = 32;
/// Containers of searches that are kept for the next ones, one for each search within another, and the names or formulas
/// that those may have room for: larger ones take long to clear. Other values were not tried (1 December 2026, AMD EPYC;
/// docs/decisions/json-schema-search.md has what keeping them saves).
inline constexpr std::size_t kMaxKeptTables = 8;
inline constexpr std::size_t kMaxKeptEntries = 1'024;

// --- Values ---

/// Expressions that are visited to read a string off an expression's structure, before a search.
inline constexpr std::uint32_t kPlainMemberFuel = 1'000;
/// A minimum length beside a pattern that is followed character by character (docs/decisions/json-schema-search.md).
inline constexpr std::uint32_t kMaxFollowedLength = 100;
/// Bytes of such a string.
inline constexpr std::uint32_t kMaxPlainMemberBytes = 200'000;
/// Depth of members of members in which many values are looked for without a search.
inline constexpr std::uint32_t kMaxNumeralLevels = 4;
/// Digits of numerals that are counted among the values of a set. Counts in schemas have fewer.
inline constexpr std::uint32_t kMaxNumeralDigits = 12;
/// Residuals after numerals of so many digits that are followed; of more, those that most numerals lead to.
inline constexpr std::size_t kMaxNumeralResiduals = 64;
/// Keys of one object that are found by a search, the shortest ones. More keys are numerals, if there are enough.
inline constexpr std::uint64_t kMaxSearchedKeys = 32;
/// Items of an array that must differ and for which values are found by a search. More items are numerals, if there are
/// enough.
inline constexpr std::uint64_t kMaxSearchedItems = 200;
/// Bytes of a value's text that are written before it is known how long the text is.
inline constexpr std::size_t kLongestUsualText = 65'536;
/// Bytes that are stored of the text of a value; longer ones are written again from their parts.
inline constexpr std::size_t kLongestKeptText = 1'000;
/// Rests of an array that are visited to find values that it needs twice. Beyond, any value may be needed.
inline constexpr std::size_t kMaxRepeatPlaces = 64;
/// Expressions that are visited to list the strings of a set. If there are more, the set counts as not listed.
inline constexpr std::uint32_t kMaxListedVisits = 200;
/// Expressions that are visited to find out whether a string between tags may begin or end with a line end. Beyond, it may,
/// and the form of the tag has an alternative that no text uses.
inline constexpr std::uint32_t kLineFuel = 1'000;
/// Expressions that are visited to read the only number of a language.
inline constexpr std::uint32_t kNumberFuel = 100;
/// The deepest nesting of a set that Algebra::text_of writes.
inline constexpr unsigned kMaxTextDepth = 50;
/// Bytes of such a text that count as a step. Copying them takes less time than a step of a search.
inline constexpr std::size_t kTextBytesOfStep = 64;

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_SEARCH_BOUNDS_H_
