// GrammarCheck: checks all guarantees of weir for one grammar over {a, b}, on every text up to a length.
#ifndef WEIR_TESTS_EXHAUSTIVE_GRAMMAR_CHECK_H_
#define WEIR_TESTS_EXHAUSTIVE_GRAMMAR_CHECK_H_

#include <map>
#include <string>

#include "oracle/random_grammar.h"
#include "property/harness.h"

namespace weir::testing {

class GrammarCheck {
 public:
  /// Checks texts of up to `length` bytes, in every spelling that the vocabulary has for them.
  GrammarCheck(oracle::Vocabulary vocabulary, const Limits& limits, std::size_t length);

  /// Checks that:
  /// - The grammar compiles, or fails with kUnsatisfiable if the oracle finds no text. Warnings name unused and
  ///   unproductive rules.
  /// - After each viable text, the mask is sound and complete, including stop tokens. is_token_allowed and accept_token
  ///   agree with it. A refusal changes nothing. is_completed is membership. The forced bytes are those that all
  ///   members share. Some token is allowed.
  /// - The same text in other tokens leads to the same state, as long as no cache was flushed.
  /// - No state is a dead end: its shortest completion is accepted and completes the text.
  void check(const oracle::GrammarCase& grammar);

  /// The counts over all grammars so far.
  struct Counts {
    std::size_t grammars = 0, unsatisfiable = 0, texts = 0, flushes = 0;
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  void check_warnings(const oracle::GrammarCase& grammar, const CompiledGrammar& compiled);
  void visit(GrammarMatcher& matcher, const std::string& text);
  void check_state(GrammarMatcher& matcher, const std::string& text, const std::vector<bool>& mask);
  void check_way_out(GrammarMatcher& matcher, const std::string& text);

  oracle::Vocabulary vocabulary_;
  GrammarCompiler compiler_;
  std::size_t length_;
  Counts counts_;
  std::unique_ptr<oracle::Earley> earley_;
  std::map<std::string, std::uint32_t> visited_;  ///< Text to state.
};

}  // namespace weir::testing

#endif  // WEIR_TESTS_EXHAUSTIVE_GRAMMAR_CHECK_H_
