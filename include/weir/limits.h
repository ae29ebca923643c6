// Limits: the bounds on work, size and memory that a program can set. Other bounds are constants beside the code that
// they bound, and those of a layer with many of them are in its search_bounds.h: what searches may cost, and what caches
// that all grammars of a tokenizer share may hold.
//
// A limit is a count, never a clock: the same input meets the same limit on every machine. Exceeding a limit is an
// error that names the field (ErrorCode::kLimitExceeded, Step::kLimitExceeded), and no mask allows more by it. The
// comments of four fields say where there is no error: `state_memory` and `cache_memory` (caches are dropped and
// rebuilt), `lookahead_threads` (a mask within bounds on tokens may lack tokens), `completion_bytes` (forced text is cut
// short).
//
//     weir::Limits limits;
//     limits.repeat_count = 10'000;
//     const weir::GrammarCompiler compiler(tokenizer, limits);
#ifndef WEIR_LIMITS_H_
#define WEIR_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace weir {

/// Limits of the work. A text that exceeds one is refused, never accepted in part: docs/limits.md.
struct Limits {
  // --- Building: exceeding one of these is an Error of the call that reads or compiles. ---

  /// Bytes of the text of a grammar, a schema or a pattern.
  std::size_t text_bytes = std::size_t{64} << 20;
  /// Levels of nesting in a grammar, a schema or a pattern. Deeper text is refused. Patterns with look-around are
  /// refused at some hundred levels whatever this limit says: docs/regex.md.
  std::uint32_t nesting = 1'000;
  /// Symbols in the productions of a grammar, plus one for each production's end. They are counted after operators have
  /// become rules, and again after all passes. A bounded repeat of a rule counts as many symbols as its bound.
  std::uint32_t grammar_symbols = 4'000'000;
  /// The largest bound of a counted repeat, `{m,n}`, in a grammar or a pattern.
  std::uint32_t repeat_count = 1'000'000'000;
  /// Digits of one number in a JSON schema. Testing whether a number is a multiple of another costs the product of
  /// their digits.
  std::uint32_t number_digits = 10'000;

  /// Steps in finding out what a schema allows at one place: keywords, combinations of alternatives, candidates for
  /// values.
  std::uint64_t schema_steps = 2'000'000;

  /// States of an automaton over tokens, and of the automaton over bytes that it is made of (token_dfa.h).
  std::uint32_t token_dfa_states = 1'000'000;
  /// Transitions of an automaton over tokens, and entries of a tokenizer's states; 8 bytes each; up to 40 while the
  /// automaton is built.
  std::uint64_t token_dfa_transitions = 40'000'000;

  // --- Every call: an Error of the call that reads or compiles, Step::kLimitExceeded of the call that explores. ---

  /// Steps of work that one call may take: one mask, one accepted token, one completion. A step is 0.03 to 0.1 µs,
  /// whatever it is spent on: derivatives, items of rows, nodes of the vocabulary, visits of searches. One call that
  /// reads and compiles a grammar may take five times as many. A call that is given a text may take 40 steps more for
  /// each of its bytes. What a call has found is kept, so after kLimitExceeded the same call may succeed when it is made
  /// again; the matcher is as before, and may take other tokens. docs/limits.md says what is not counted.
  std::uint64_t call_work = 2'000'000;

  // --- Exploring: exceeding one of these is Step::kLimitExceeded of the call that explores. ---

  /// Hash-consed regular expressions that one grammar may create, residuals included; about 40 bytes each.
  std::uint32_t regex_nodes = 8'000'000;
  /// Expressions that one search for "does this match anything?" may visit.
  std::uint32_t regex_fuel = 100'000;
  /// Interned lexer states of one grammar; about 100 bytes and a table row each.
  std::uint32_t lexer_states = 1'000'000;
  /// Items (dotted rules with their continuations) of one Earley row, predictions included.
  std::uint32_t row_items = 1'000'000;
  /// Threads (row and lexer state) of one configuration, that is, readings of the text that are followed at once.
  std::uint32_t configuration_threads = 10'000;
  /// Threads that one search for a completion under conditions may visit (greedy terminals and look-ahead only). In
  /// grammars with bounds on tokens (`max_tokens`) also the trie nodes that one search for tokens that end the bounded
  /// rules may visit; exceeding it there is not an error: if the search found no such tokens, the token that led there
  /// is masked. A search within MatcherOptions::max_tokens visits a 200th as many states, with the same outcome.
  std::uint32_t lookahead_threads = 20'000;

  /// Items for reading the captures of one output (GrammarMatcher::captures); about 60 bytes each, held from the first
  /// call to captures on. Where the grammar is not ambiguous, a byte of text takes a few items.
  std::uint32_t capture_items = 10'000'000;

  /// Bytes of a shortest completion, or of a jump-forward string. A longer completion is not found; a longer
  /// jump-forward string is cut short.
  std::uint32_t completion_bytes = 16U << 20;

  // --- Memory: exceeding one of these is not an error. ---

  /// Bytes of explored states, rows and masks that a compiled grammar keeps. When they are exceeded, everything
  /// explored is dropped, as RE2 does, and each matcher explores its output again when it is used next; masks do not
  /// change by it. A matcher that waits keeps nothing. The limit is checked before every call, and within calls that
  /// walk a text; a single mask may exceed it.
  /// If the outputs of the matchers that were used since the last drop need more than half of it, the grammar keeps
  /// twice what they need: otherwise matchers would drop the states of one another at every call.
  std::size_t state_memory = std::size_t{256} << 20;

  /// Bytes of compiled grammars that a GrammarCompiler remembers. The least recently used grammars are dropped first;
  /// the last one used is never dropped. 0: none is remembered.
  std::size_t cache_memory = std::size_t{128} << 20;
};

}  // namespace weir

#endif  // WEIR_LIMITS_H_
