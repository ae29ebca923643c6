// Every budget of weir in one place, but for the 24 MB of facts about terminals that a tokenizer keeps for all its
// grammars (engine/facts_store.h). A limit is a count, never a clock: the same input meets the same limit on every
// machine. A limit that is exceeded is an error that names the field (ErrorCode::kLimitExceeded, Step::kLimitExceeded);
// nothing is cut, widened or dropped in silence. `state_memory` and `cache_memory` are no errors: caches are dropped
// and rebuilt.
#ifndef WEIR_LIMITS_H_
#define WEIR_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace weir {

struct Limits {
  // --- Building: exceeding one of these is an Error of the compile call. ---

  /// Bytes of grammar or pattern text.
  std::size_t text_bytes = std::size_t{64} << 20;
  /// Levels of parentheses in a grammar or a pattern. Deeper text is refused. Of a pattern with look-around some
  /// hundred levels are too many, whatever this says: docs/regex.md.
  std::uint32_t nesting = 1'000;
  /// Symbols in the productions of a grammar, and one for each production's end, once operators have become rules and
  /// again after all passes. A bounded repeat of a rule costs its bound.
  std::uint32_t grammar_symbols = 4'000'000;
  /// The largest bound of a counted repeat, `{m,n}`, in a grammar or a pattern.
  std::uint32_t repeat_count = 1'000'000'000;
  /// Digits of one number in a JSON schema. Asking whether it is a multiple of another costs the product of their
  /// digits.
  std::uint32_t number_digits = 10'000;

  /// Steps of finding out what a schema allows at one place: keywords, combinations of alternatives, candidates for
  /// values.
  std::uint64_t schema_steps = 2'000'000;

  /// States of an automaton over tokens, and of the automaton over bytes that it is made of (token_dfa.h).
  std::uint32_t token_dfa_states = 1'000'000;
  /// Transitions of an automaton over tokens, and entries of a tokenizer's states; 8 bytes each, while it is being built
  /// up to 40.
  std::uint64_t token_dfa_transitions = 40'000'000;

  // --- Exploring: exceeding one of these is Step::kLimitExceeded of the call that explores. ---

  /// Hash-consed regular expressions that one grammar may create, residuals included; about 40 bytes each.
  std::uint32_t regex_nodes = 8'000'000;
  /// Expressions that one question "does this match anything?" may visit.
  std::uint32_t regex_fuel = 100'000;
  /// Interned lexer states of a grammar; about 100 bytes and a table row each.
  std::uint32_t lexer_states = 1'000'000;
  /// Items (dotted rules with their continuation) of one Earley row, predictions included.
  std::uint32_t row_items = 1'000'000;
  /// Threads (row and lexer state) of one configuration: how many readings of the text are followed at once.
  std::uint32_t configuration_threads = 10'000;
  /// Threads that one search for a completion under conditions may visit (greedy terminals and look-ahead only). Under
  /// bounds on tokens also nodes of the vocabulary's trie that one search for tokens to end in may visit; that is no
  /// error: where it ends without having found any, a token is masked.
  std::uint32_t lookahead_threads = 20'000;

  /// Items of reading the captures of one output (GrammarMatcher::captures); about 60 bytes each, for as long as the
  /// matcher is asked for them. A byte of text takes a few where the grammar leaves no choice.
  std::uint32_t capture_items = 10'000'000;

  /// Bytes of a shortest completion; where it would be longer there is none. Bytes of a jump-forward string; where it
  /// would be longer it is cut short.
  std::uint32_t completion_bytes = 16U << 20;

  // --- Memory: not errors. ---

  /// Bytes of explored states, rows and masks that a compiled grammar keeps. When they are exceeded everything explored
  /// is dropped and rebuilt from the live matchers, as RE2 does; masks never change by it. It is looked at before every
  /// call and within those that walk a text. Beyond it goes what one mask explores, and what replaying one matcher's
  /// history needs where that is more: up to twice as much is then kept for that matcher. A matcher that is not used
  /// holds on to what was explored when it last was, beside what is kept for the others; destroy or reset
  /// those.
  std::size_t state_memory = std::size_t{256} << 20;

  /// Bytes of compiled grammars that a GrammarCompiler remembers, the least recently used forgotten first; the last one
  /// is always remembered. 0: none are.
  std::size_t cache_memory = std::size_t{128} << 20;
};

}  // namespace weir

#endif  // WEIR_LIMITS_H_
