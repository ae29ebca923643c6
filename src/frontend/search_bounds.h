// Bounds of readers of grammars, tags and schemas that no option sets. json_schema/model/search_bounds.h has those of
// searches about a schema's values.
#ifndef WEIR_SRC_FRONTEND_SEARCH_BOUNDS_H_
#define WEIR_SRC_FRONTEND_SEARCH_BOUNDS_H_

#include <cstddef>
#include <cstdint>

namespace weir::frontend {

// --- Lark (lark/drop_competition.cc, lark/rule_builder.cc) ---

/// Rounds of each fixpoint over a grammar, and derivatives of its competing terminals. Beyond either, terminals keep
/// competing, and masks take longer.
inline constexpr int kMaxCompetitionRounds = 40;
inline constexpr std::size_t kMaxCompetitionDerivatives = 100'000;

/// Nodes of a grammar times its terminals, up to which competition is looked at place by place: 2 MB for each of three
/// tables.
inline constexpr std::size_t kMaxCompetitionBits = std::size_t{1} << 24U;
/// Steps (base/work.h) of a rule that is made from a template, which takes some 600 bytes with its keys in the tables, and
/// of each of its nodes, here and in the passes that read all nodes: 2,000,000 nodes took 1.9 s (30 November 2026,
/// 1dcbf006, AMD EPYC).
inline constexpr std::uint64_t kRuleSteps = 10;
inline constexpr std::uint64_t kNodeSteps = 8;

// --- Tags and tools (structural_tag, tools) ---

/// Arguments that may come in any order: each set of those that were read needs a rule, 2^n for n arguments.
inline constexpr std::size_t kMaxArgumentsInAnyOrder = 12;
/// Alternatives of a formula that becomes one automaton for each, and formulas that are looked at to find them. With
/// more it becomes an automaton as a whole.
inline constexpr std::size_t kMaxArgumentAlternatives = 64;
inline constexpr std::size_t kMaxArgumentSplits = 500;
/// Members and items in all automata of a call's arguments.
inline constexpr std::size_t kMaxArgumentTransitions = 20'000;
/// Values of items that must differ, up to which there is a rule for each set of values that were read.
inline constexpr std::uint64_t kMaxDifferentValues = 8;
/// Rules within rules that are looked at to find one without a text. What is nested deeper is taken to have one.
inline constexpr std::uint32_t kMaxTextlessDepth = 100;
/// Blanks between arguments.
inline constexpr std::uint32_t kMaxArgumentBlanks = 32;
/// Arguments between tags that may come in any order, 2^n rules for n arguments; above kFewUnordered only if the rules
/// of the tool are at most a quarter of kMaxOrderRules, which is for all tools together (docs/decisions/replies.md).
inline constexpr std::size_t kMaxUnordered = 8;
inline constexpr std::size_t kFewUnordered = 6;
inline constexpr std::size_t kMaxOrderRules = 1'024;
/// Times that a character, or a blank, of a response template may have to stand.
inline constexpr std::uint32_t kMaxTemplateCopies = 32;

// --- Schemas (json_schema) ---

/// Objects within objects in which a schema is looked for that stands at a wrong place. Requests have three:
/// {"text": {"format": {"schema": …}}}. Of real schemas two of MaskBench's are maps that this finds, and none of
/// SchemaStore's (30 November 2026, cdba59c1).
inline constexpr int kMaxWrappers = 3;
/// Metaschemas whose `$schema` names another custom one.
inline constexpr unsigned kMaxMetaschemas = 8;
/// `indent`: a line of a deep value takes its depth times as many bytes.
inline constexpr std::uint32_t kMaxIndent = 100;
/// Blanks of a line's indentation up to which they are a literal; more are a repeat.
inline constexpr std::uint32_t kLiteralBlanks = 64;
/// Texts that a search for a string visits that readers may add a line end to. One is found after a few if nothing
/// forbids it; of a `format` such as `hostname`, which forbids it, all would be visited at each state
/// (docs/decisions/yaml.md).
inline constexpr std::uint32_t kLineEndFuel = 1'000;
/// Bytes of the end of a text before which a state of YAML's reader is kept, until the text is twice as far: most
/// tokens are shorter, so texts that differ in their last token have it. With 200 a mask among 40 members takes three
/// times as long (docs/decisions/yaml.md).
inline constexpr std::size_t kKeptBefore = 25;
/// `contains` of one array, up to which an item has a choice for each combination of their sets; of more, it is decided
/// after the value which sets it is in. An item fulfils one at most of disjoint sets: twelve take 31,000 steps, and
/// 5,700 by text.
inline constexpr std::size_t kFewContains = 3;
inline constexpr std::size_t kFewDisjointContains = 12;
/// The numbers of a schema may take this part of Limits::regex_nodes without being made.
inline constexpr std::uint64_t kShareOfNumbers = 8;
/// Values of a long `enum` from which on they are one table (regex/atoms/word_table.h). Fewer are an alternation.
inline constexpr std::size_t kMinTableWords = 32;
/// Groups within groups of the format `regex`: an expression has as many copies of a pattern.
inline constexpr int kMaxFormatGroups = 20;
/// Expressions of the automaton of an international name (docs/decisions/international-names.md).
inline constexpr std::uint32_t kMaxNameNodes = 1U << 20;

// --- Numbers (json_schema/values/number_language.cc) ---

/// Digits before and after the point, up to which a number is written out.
inline constexpr std::int64_t kMaxWrittenDigits = 40;
/// Digits of a number that are read to list its multiples one by one.
inline constexpr std::int64_t kMaxListedDigits = 1'000;
/// Values of a list that are tried one by one where another set excludes some: items that must differ would try all of
/// a longer one each time.
inline constexpr std::size_t kMaxTriedValues = 256;
/// Intervals that are met one by one; of more, their common interval is made first.
inline constexpr std::size_t kFewIntervals = 2;
/// An upper bound on the expressions of a number: so many for each digit, and for as many digits more.
inline constexpr std::uint64_t kExpressionsOfDigit = 64;
inline constexpr std::uint64_t kFurtherDigits = 64;

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_SEARCH_BOUNDS_H_
