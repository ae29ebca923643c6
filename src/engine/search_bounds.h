// Bounds, thresholds and weights of the engine's work that no option sets. A change of one trades time for memory, or
// lets a search give up earlier or later. Masks stay sound. A search that gives up makes a mask smaller only within
// bounds and budgets of tokens; elsewhere the mask takes longer, or the call names a limit.
//
// Limits bounds what callers rely on, and base/work.h has the weights of steps that all layers share. Estimates of
// memory, and numbers that stand for "unknown" or "none", are beside the code that uses them.
//
// Figures of a vocabulary are those of o200k_base.
#ifndef WEIR_SRC_ENGINE_SEARCH_BOUNDS_H_
#define WEIR_SRC_ENGINE_SEARCH_BOUNDS_H_

#include <cstddef>
#include <cstdint>

namespace weir::engine {

// --- States (explore/lazy_automaton.cc, automaton/shared_automaton.cc) ---

/// Entries of transitions that are allocated together, 4 bytes each. Smaller blocks mean more allocations; of a larger
/// one a small grammar leaves more unused. At least 256, the most that a state needs.
inline constexpr std::uint32_t kTransitionsInBlock = 4'096;
/// New transitions from one sum of the automaton's memory to the next. A sum takes about as long as computing a
/// transition that makes no new row. Between two sums Limits::state_memory may be exceeded without notice.
inline constexpr std::uint64_t kTransitionsForMemorySum = 16;
/// A search for a way to the end may visit Limits::lookahead_threads threads, and while a history is restored this many
/// times as many: the search that allowed a step may have known what several searches before it had found.
inline constexpr std::uint64_t kRestoringSearches = 16;

/// Entries that are looked up or copied in the time of one step (base/work.h): known transitions of a state, terminals of a
/// place, expressions.
inline constexpr std::uint64_t kEntriesForOneStep = 8;

// --- What is compiled (costs/program.cc) ---

/// Parts of a terminal in which names of special tokens are looked for, to warn of them. A choice of very many strings is
/// not searched to its end.
inline constexpr std::size_t kMaxSearchedParts = 1'024;

// --- Work in the background (automaton/background_work.h) ---

/// Steps (base/work.h) of a piece of work in the background, for which a matcher may have to wait: 0.1 to 0.4 ms
/// (docs/decisions/warm-up.md).
inline constexpr std::uint64_t kMaxPieceWork = 4'000;
/// Attempts at a piece that needs more steps. An attempt keeps what it has found, so a few do most pieces; the others
/// are left out.
inline constexpr int kMaxPieceAttempts = 8;

// --- Warm-up (automaton/warm_up.cc, automaton/terminal_samples.cc) ---

// The cost of a way is the sum of the costs of its lexemes. The unit is arbitrary. Other figures were tried:
// with these the largest share of the states that texts of MaskBench reach is known (docs/decisions/warm-up.md).

/// Cost of each lexeme. If it is higher, alternatives at the beginning of a text come before the rest of the text.
inline constexpr double kLexemeCost = 0.001;
/// Cost that is added for the second terminal of a station.
inline constexpr double kOtherTerminalCost = 0.3;
/// Cost that is added for each terminal after the second.
inline constexpr double kFurtherTerminalCost = 0.05;
/// Cost that is added for the second sample of a terminal.
inline constexpr double kSecondSampleCost = 1.5;
/// Cost that is added for each sample after the second.
inline constexpr double kFurtherSampleCost = 0.2;

/// Samples of one terminal. With fewer, residuals that only rarer members reach are not explored in advance.
inline constexpr std::size_t kMaxSamples = 24;
/// Last lexemes that are tokenized together with the next one, since a token may reach into several. With fewer, tokens
/// end at other places than in a whole text; with more, each lexeme is tokenized more often.
inline constexpr std::size_t kWindowLexemes = 2;
/// Last terminals of a way that decide the order of the next ones. After a value of more terminals than this, members
/// of an object are tried from the first one again.
inline constexpr std::size_t kRememberedTerminals = 24;
/// Steps (base/work.h) that a tokenized byte counts as.
inline constexpr std::uint64_t kStepsForTokenizedByte = 2;
/// Bytes of the texts of ways to all stations together, which are stored if the grammar follows the text. With more no
/// station is added.
inline constexpr std::size_t kMaxStationTextBytes = std::size_t{4} << 20U;

/// Bytes of a sample. Longer members are left out.
inline constexpr std::size_t kMaxSampleBytes = 200;
/// Residuals that the search for other samples than the first may list for each sample that is asked for.
inline constexpr std::size_t kResidualsForOneSample = 8;

// --- Facts of tokens (facts/token_facts.cc, facts/suffixes.cc) ---

/// Trie nodes below the first two bytes that a narrow residual does not reject. The ready tokens of a narrow residual
/// are a list; those of a wide one, which has more nodes, are a bitmask or a difference from one.
inline constexpr std::size_t kMaxNarrowNodes = 4'096;
/// Trie nodes below a place where a narrow terminal can end. Below a place with more, suffixes are not listed, but the
/// place is (TokenFacts::ends), and each mask looks at the tokens below it.
inline constexpr std::uint32_t kMaxListedBelowEnd = 256;
/// Trie nodes that are visited to find the difference from a base. If more would be, the facts have no base.
inline constexpr std::uint64_t kMaxDifferenceNodes = 16'384;
/// New residuals that are reached to find the difference from a base; the same holds if more would be. With counts most
/// residuals are new, and each costs more than many nodes.
inline constexpr std::size_t kMaxDifferenceResiduals = 512;
/// Suffixes of any residual. If there are more, a walk along states is less work than their tries: it takes whole subtrees.
inline constexpr std::size_t kMaxSuffixes = 32'768;

/// Words of bitmasks that are joined in the time of one step (base/work.h).
inline constexpr std::uint64_t kBitmaskWordsForOneStep = 256;

/// Suffixes that form one trie. More are split by their first byte, and the trie of a byte is made when that byte may
/// come (docs/decisions/suffixes.md).
inline constexpr std::size_t kMaxUnsplitSuffixes = 1'024;

// --- Accelerators (accelerators) ---

/// A repeat of at least this many rounds counts as a count, which is described by its difference from a repeat without
/// one. Nearly all tokens have fewer characters. So a string with fewer characters left differs from a string of any
/// length in many tokens, and a difference is not worth it.
inline constexpr std::uint32_t kMinCountedRounds = 16;
/// A residual can be a base if at least this many kinds of ASCII characters lead from it back to it: more than half of
/// them, so that most texts stay in it.
inline constexpr int kMinUsualCharacters = 50;

// Rules about characters (docs/decisions/trie-walks.md): which characters may come wherever in a text they come, and which
// not. A rule begins with all characters that may come first, and drops some each time that one of them is rejected.

/// Residuals that texts of the characters may lead to. If there are more, the rule holds for the texts that were followed.
inline constexpr std::size_t kMaxRuleResiduals = 64;
/// Times that a rule may drop characters.
inline constexpr int kMaxRuleTries = 16;
/// Characters of a text for which a rule must hold at least. A rule for less would leave most tokens to the walk.
inline constexpr unsigned kMinRuleCharacters = 8;
/// Small letters, with the blank, that a rule must allow at least. One that allows fewer covers hardly any tokens.
inline constexpr int kMinRuleLetters = 8;
/// Number of characters in a text that a rule may allow at most; TokenKinds has a bitmask for each number.
inline constexpr unsigned kMaxRuleCharacters = 15;
/// If a rule holds for texts of this many characters, it is not asked for longer ones. Few tokens have more.
inline constexpr unsigned kLongRuleCharacters = 32;

// --- Facts that a vocabulary keeps (facts/facts_store.h) ---

/// Bytes of facts; those that were not found lately are dropped.
inline constexpr std::size_t kMaxFactsBytes = std::size_t{24} << 20U;
/// Storages of residual tables that are kept for later tables: for as many threads as usually explore at once.
inline constexpr std::size_t kMaxTableStorages = 8;
/// Bytes of these storages together, enough for most tables. New pages cost more than filling most tables.
inline constexpr std::size_t kMaxTableStorageBytes = std::size_t{6} << 20U;
/// Tokens of a vocabulary for which facts are prepared. In a smaller one any facts take microseconds.
inline constexpr std::uint32_t kMinPreparedVocabulary = 8'192;

// --- Residuals of a terminal (residuals/residual_table.h, residuals/character_automaton.h) ---

/// Residuals of a table, half a kilobyte each, including those reused from the storage. A terminal that needs more has
/// no facts: masks with it take a walk of the trie, and for a budget of tokens it counts as Limits::regex_fuel. Well
/// below 65,535: rows have numbers of 16 bits, and a walk adds some residuals before it stops.
inline constexpr std::size_t kMaxTableResiduals = 16'384;
/// A storage with more residuals is cleared before its next use.
inline constexpr std::size_t kMaxKeptResiduals = 1'024;
/// Pairs of residuals for which it is remembered how long no text distinguishes them. A walk asks at each node; a path
/// with its siblings has some twenty pairs.
inline constexpr std::size_t kComparedPairs = 64;
/// Residuals that the characters beyond ASCII of one kind may lead to, and positions inside such a character that are
/// visited to find them. If there are more, some of these characters count as rejected, and subtrees with them are walked.
inline constexpr std::size_t kMaxKindResiduals = 32;

// --- Masks (sets/mask.h, mask/mask_builder.cc) ---

/// Earlier masks with which each new wide mask is compared, to store it as a difference. With fewer, more masks are
/// stored whole (docs/decisions/canonical-masks.md).
inline constexpr std::size_t kMaskBases = 32;
/// Words of a bitmask by which masks are compared with bases, before the nearest base is compared as a whole.
inline constexpr std::size_t kMaskSampleWords = 128;
/// Pairs of sets of ready tokens whose unions an automaton stores, a bitmask each at most. Other values were not tried (1
/// December 2026, AMD EPYC; docs/decisions/masks-as-differences.md has what storing them saves).
inline constexpr std::size_t kMaxMaskUnions = 64;
/// Trie nodes below a place where a terminal ends, such as a blank, from which on tokens are found by the facts of the
/// text so far and what follows it. Below a place with fewer, a walk is less work than these facts.
inline constexpr std::uint32_t kMinNodesAfterEnd = 4'096;
/// Terminals in progress at one residual from which on what follows them is walked once, from the union of the states
/// after them. That costs a new row, as much as a few walks below a blank. Ten masks of 1.4 to 3.9 ms took 0.8 to 1.4
/// with 4; other values were not tried (30 November 2026, 958c4ff7, AMD EPYC; docs/decisions/trie-walks.md).
inline constexpr std::size_t kMinUnited = 4;
/// Nodes of a subtree that a walk along states looks at as a whole; in a smaller one it steps along the nodes, because an
/// answer about a new state takes up to a hundred steps. docs/decisions/trie-walks.md has figures for both bounds.
inline constexpr std::uint32_t kMinNodesToLookAt = 16;
/// Nodes of a subtree for each state that such a look may visit.
inline constexpr std::uint32_t kNodesForOneRun = 32;
/// Nodes of a subtree from which on rows share what a walk finds in it (mask/lexical_facts.h). The grammars written by hand
/// visit 8.07, 8.31 and 9.03 million nodes with 16, 64 and 256, where 17.19 are visited without sharing (30 November 2026,
/// c294b38f, o200k_base); below 64, what is looked up is hardly longer than what is walked.
inline constexpr std::uint32_t kMinLexicalNodes = 64;

// --- Bounds on tokens and budgets (mask/bound_search.cc, mask/token_distance.cc, mask/next_states.cc, costs) ---

/// Residuals of a terminal in progress. If each fits its bounds, all ready tokens are taken without a test. Each makes
/// a state of its own. If there are more, the tokens are tested in a walk.
inline constexpr std::size_t kMaxBoundResiduals = 32;
/// States that a search for a direct way out of bounded rules visits, not counting those on its current way. After that
/// all tokens are tried.
inline constexpr std::size_t kMaxDetours = 24;
/// A search of all tokens visits Limits::lookahead_threads nodes of the trie, and for one state this fraction of them
/// at most: inside a string one state would use up the nodes of all others.
inline constexpr std::uint32_t kBoundWalks = 8;
/// Residuals of an expression that are listed to find the lengths of its completions, or the bytes with which it may go on
/// where it may end. If there are more, the lengths are not known, and searches decide what a comparison of lengths could
/// have decided; or it is taken to go on with any byte, and tokens that stay inside it are looked at one by one. The
/// strings of a schema have up to some hundred.
inline constexpr std::size_t kMaxListedResiduals = 2'000;
/// Residuals that are listed without result, of all expressions with too many together. After that no expression is
/// tried: each residual of one with too many would be listed without result, too.
inline constexpr std::size_t kMaxFailedLengthResiduals = 20'000;

/// Bytes of a text whose tokens are counted together, by dynamic programming over its bytes. A longer member of a
/// terminal is counted in pieces of this many bytes; for other longer texts there is only a bound by the number of bytes,
/// if any.
inline constexpr std::uint64_t kMaxCountedTextBytes = 4'096;
/// Bytes of a member of a terminal whose tokens are counted from each of its places on at once. Counting a shorter one again
/// for each residual is less work than making the residuals; a longer one is counted in pieces.
inline constexpr std::uint64_t kMinSharedTextBytes = 64;
inline constexpr std::uint64_t kMaxSharedTextBytes = 16'384;
/// Bytes of a text that is stepped along to find the fewest tokens of its whole. For a longer one the figures of its
/// pieces must do.
inline constexpr std::uint64_t kMaxMeasuredTextBytes = 65'536;
/// Completions of a state, the shortest ones, whose tokens are counted for an upper bound on the state's distance. With
/// fewer, more states have to be searched.
inline constexpr std::size_t kMaxShortCompletions = 4;
/// Bytes after a token, in addition to those of the longest token, within which counts matter: enough for the shortest end of
/// a JSON string, inside an escape. Counts that are farther away are dropped.
inline constexpr std::uint32_t kMaxStringEndBytes = 16;
/// A visit of a search for a state's distance counts as this many of Limits::lookahead_threads: as nodes of the trie
/// (docs/decisions/budgets-of-tokens.md).
inline constexpr std::uint32_t kNodesForDistanceVisit = 200;

// --- Canonical masks (canonical/canonical_product.cc) ---

/// Ready tokens of a narrow terminal that count as a short list. The canonical product groups these by reading each
/// token, and those of other terminals by a walk of the vocabulary's trie.
inline constexpr std::size_t kMaxShortReadyList = 256;
/// Tokens of a mask that are checked one by one. A mask of more takes a canonical row and groups of tokens
/// (docs/decisions/canonical-masks.md).
inline constexpr int kMaxTokensCheckedSingly = 48;
/// Unproven tokens of one group and place that are decided one by one, and near the end of a budget tokens that lead to one
/// state and place. More are decided together (docs/decisions/budgets-of-tokens.md).
inline constexpr std::size_t kMaxTokensDecidedSingly = 16;
/// Steps (base/work.h) that the check of a token, or a visit of a search, counts as.
inline constexpr std::uint64_t kStepsForCanonicalCheck = 8;

// Searches inside a terminal for what proves a token viable. Tokens without a proof are searched for with the grammar.

/// Bytes after a token that are read: at most three tokens complete a character, and one byte more decides.
inline constexpr std::uint32_t kMaxInsideBytes = 16;
/// Bytes after these, if an end of the terminal in NFC must be known. A terminal whose ends are longer has none.
inline constexpr std::uint32_t kMaxPlainEndBytes = 48;
/// Bytes and characters of a proof that a residual shares with its base. Most proofs are the byte after the token, or
/// the rest of a character and one more byte. Tokens with longer proofs are listed, and tried for each residual; with a
/// longer reach, residuals differ from their bases in more tokens.
inline constexpr std::uint32_t kNearBytes = 8;
inline constexpr std::uint32_t kNearCharacters = 2;
/// Tokens after the first one that are tried.
inline constexpr std::size_t kMaxInsideTokens = 1'024;
/// Pairs of a residual and the rest of a text after a boundary that are visited to find such a text.
inline constexpr std::size_t kMaxInsideVisits = 64;
/// Ways in which a terminal may end after a token that are listed. The token is viable if what follows the terminal may
/// come after one of them; the others are left to the search with the grammar.
inline constexpr std::size_t kMaxEndings = 3;

/// If at most this many bytes may come next, all tokens are tried in the trie's order. If more may, tokens of low
/// numbers are tried first: these are frequent, and merge before others.
inline constexpr std::size_t kMaxBytesTriedInOrder = 8;
/// Tokens of low numbers that are looked at.
inline constexpr std::size_t kMaxCommonScanned = 512;
/// Tokens of low numbers that the terminal may read and that are tried.
inline constexpr std::size_t kMaxCommonTried = 128;
/// Bytes that may come next if all tokens are tried. If more may, tokens are hardly ever dead, and a search of all
/// tokens to show that one is dead is not worth it.
inline constexpr std::size_t kMaxListedFirstBytes = 64;
/// Tokens that are tried to show that a token is dead. With more it counts as open.
inline constexpr std::size_t kMaxListedContinuations = 256;
/// Tokens that begin with one byte. If there are at most this many, those that may follow are looked for; of more, some
/// are taken to follow.
inline constexpr std::size_t kMaxTokensOfFirstByte = 1'024;

// What is stored for a grammar.

/// Bytes of what is known of terminals and sources of canonical rows.
inline constexpr std::size_t kMaxInTerminalBytes = std::size_t{2} << 20U;
/// Bytes of canonical masks without a budget, and again of those within one.
inline constexpr std::size_t kMaxCanonicalMaskBytes = std::size_t{8} << 20U;

// --- Groups of tokens (facts/ready_groups.h) ---

/// Trie nodes that are visited to find the tokens that distinguish a residual from its base. Groups of all tokens take
/// ten times as many, at half the time each.
inline constexpr std::uint64_t kMaxNodesBesideBase = 32'768;

// What is stored for a vocabulary. Proofs are never removed, because Fits refer to them by number.

/// Bytes of groups: some thirty wide expressions.
inline constexpr std::size_t kMaxGroupsBytes = std::size_t{16} << 20U;
/// Bytes of lists of unproven tokens.
inline constexpr std::size_t kMaxUnprovenBytes = std::size_t{8} << 20U;
/// Proofs of one place. Beyond this, and beyond the next bound, new ones are not stored, and the search is made
/// again for the next token. At most 64, the bits of Fits.
inline constexpr std::size_t kMaxProofsOfPlace = 64;
/// Proofs of all places.
inline constexpr std::size_t kMaxAllProofs = 16'384;
/// Pairs of a place and a token for which it is known which proofs fit. Beyond this all are dropped.
inline constexpr std::size_t kMaxFits = 65'536;
/// Bytes for which it is known whether a token that begins with them may continue a piece, each with its state and
/// place. Beyond this new ones are not stored.
inline constexpr std::size_t kMaxBeginnings = 16'384;

// --- Viable pairs (canonical/product_viability.cc) ---

/// If at most this many tokens may continue a piece, they are tried instead of those that the grammar allows.
inline constexpr std::size_t kMaxPieceContinuations = 256;
/// Otherwise the tokens that the grammar allows are tried, at most this many. They are stored for a grammar state and a
/// place. If none of them leads to a viable pair, all tokens are tried for each last token.
inline constexpr std::size_t kMaxTriedContinuations = 256;
/// Viable tokens among them after which no others are tried: one of this many is nearly always compatible with the last
/// token.
inline constexpr std::size_t kEnoughViableContinuations = 24;
/// Bytes for which a completion in NFC is looked for. Most grammars have one after each byte, so more are tried only if
/// there may be none.
inline constexpr int kMaxSettlingBytes = 16;
/// Checks of tokens that count as a visit of a search for a text, which is more expensive and counts towards the same
/// limit.
inline constexpr std::size_t kTokensForOnePair = 32;

// --- Canonical tokens within a budget (canonical/canonical_distance.cc) ---

/// A visit of a search counts as this many of Limits::lookahead_threads: it takes as long as so many nodes of a trie.
inline constexpr std::uint32_t kNodesForPairVisit = 100;
/// Tokens that a search may try for each pair that it may visit.
inline constexpr std::uint32_t kTriesForPairVisit = 16;
/// Tokens that the searches for one mask may try together, in multiples of Limits::lookahead_threads: as many as 25
/// searches that give up.
inline constexpr std::uint32_t kMaskTries = 4;
/// Pairs of a place in a completion and a canonical state that are visited to find how the completion is written. If
/// there are more, the completion may give no upper bound.
inline constexpr std::size_t kMaxWayPairs = 8'192;

// --- Captures (captures/capture_chart.cc, captures/capture_reading.cc, matcher/output_captures.cc) ---

/// Points and links that a step of an output adds to the chart of its captures even if the call's limit is met: a chart is
/// kept for the next call only if its steps are whole.
inline constexpr std::size_t kItemsOfWholeStep = 100'000;
/// Points and links of a chart below which nothing of it is forgotten, some 400 KB. Then it may have twice what is needed.
inline constexpr std::size_t kItemsToForget = 4'000;
/// Bytes of a capture's name that count as one of Limits::capture_items.
inline constexpr std::size_t kNameBytesForOneItem = 64;
/// Steps of an output that captures read under one hold of the automaton's lock; other cursors wait that long at most.
inline constexpr std::size_t kOutputStepsUnderLock = 256;
/// Most bytes of a step into which Cursor::keep_last joins pieces of an output that nobody takes back. Each step takes 24
/// bytes more than its text, so pieces of a byte should be joined; but a step is replayed at once.
inline constexpr std::size_t kJoinedBytes = 1'024;

// --- Matchers (matcher/cursor.cc and the files beside it, matcher/matcher_options.cc) ---

/// Steps (base/work.h) that a call may take more for each byte of a text that it is given: what reading a text costs
/// where every byte leads to a new state.
inline constexpr std::uint64_t kStepsForTextByte = 40;
/// Steps (base/work.h) that a call may take to make states again while the old ones can still be used. With more, a call that
/// meets Limits::state_memory pauses for longer; with fewer, both automata are kept during more calls. 300,000 took 13 ms for
/// Python by name (1 December 2026, 53e2f9e2, AMD EPYC; docs/decisions/indentation.md), and up to 0.056 s for integers that
/// must differ (docs/decisions/memory.md).
inline constexpr std::uint64_t kMaxReplayedBeside = 40'000;
/// What a mask counts, in such steps, that is made again meanwhile, besides the steps that it takes: these leave out most of
/// its time. Other values were not tried.
inline constexpr std::uint64_t kStepsOfRelearnedMask = 5'000;
/// While calls make a cursor's states again on a new automaton, the old one may grow to so many times what is_too_large()
/// allows. Then it is given up. A replay takes that long if it makes masks for a budget again (kRelearnedMasks). It bounds
/// memory, not time; other values were not tried.
inline constexpr std::size_t kMostTimesBeside = 3;
/// Numbers of tokens up to which one that suffices for an output is searched for, to be named in an error. Finding one
/// takes a search for each; a greater one says no more than "more".
inline constexpr std::uint32_t kMaxSufficientTokens = 1'000'000;
/// Last masks that are computed again when a history is replayed on another automaton, so that this knows what the next
/// mask is made of; with a budget, so that it knows the ways to the end that they relied on
/// (docs/decisions/budgets-of-tokens.md).
inline constexpr std::size_t kRelearnedMasks = 64;
/// Bytes of a text between two checks of the memory, and those that may take more steps at once, right before they are
/// read. A check is one atomic read; this many bytes use little memory.
inline constexpr std::size_t kBytesBetweenMemoryChecks = 256;
/// Items that are visited to list the rules in progress, the innermost first. Beyond this, outer rules are not listed.
inline constexpr std::size_t kMaxListedItems = 10'000;

// --- Completions (matcher/cursor.cc, automaton/completion.cc) ---

/// Steps (base/work.h) that the searches for members of terminals may take together, and each search for the text of a
/// lazy rule. What is not found has no cost, as if no completion led through it.
inline constexpr std::uint64_t kMaxMemberWork = 300'000;
/// Symbols whose rules are settled in the time of one step (base/work.h).
inline constexpr std::uint64_t kSettledSymbolsForOneStep = 2;
/// Steps (base/work.h) of an estimate of a completion whose parts are all known. Where the text matters, very many may be
/// refused (docs/decisions/call-work.md).
inline constexpr std::uint64_t kStepsForEstimate = 20;
/// Estimates whose beginning is refused, before a completion that depends on the text is given up. After very many
/// refusals another one would hardly help.
inline constexpr std::size_t kMaxRefusedEstimates = 1'000;

// A canonical completion by masks, if the tokenizer would join the end of the output with a completion by the grammar:

/// Tokens of a mask that are compared by their distance from the grammar's end. Frequent ones, such as single
/// characters, have low numbers.
inline constexpr std::size_t kMaxRankedTokens = 2'000;
/// The nearest of them, after which a completion by the grammar is tried.
inline constexpr std::size_t kMaxTriedTokens = 8;
/// Tokens that are accepted in a row, each time the nearest, before the general search is made.
inline constexpr int kMaxTokensByMasks = 64;

/// Parts of an expression that are examined to read a shortest member off its structure (regex/analysis/members.h). A search
/// in place of that visits an expression for each byte, so this is more than `regex_fuel`: enough for a text of half a
/// megabyte, which takes some 50 MB while it is read.
inline constexpr std::uint32_t kPlainMemberParts = 500'000;

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_SEARCH_BOUNDS_H_
