// Program: the result of compiling a grammar for a tokenizer. It is immutable and shared by all automata.
#ifndef WEIR_SRC_ENGINE_COSTS_PROGRAM_H_
#define WEIR_SRC_ENGINE_COSTS_PROGRAM_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "engine/costs/capture_cycles.h"
#include "engine/sets/token_terminals.h"
#include "grammar/cfg.h"
#include "grammar/growth.h"
#include "lexer/lexer.h"
#include "weir/error.h"
#include "weir/grammar.h"
#include "weir/limits.h"
#include "weir/tokenizer_info.h"

namespace weir::engine {

struct Program {
  grammar::Cfg cfg;
  std::vector<lexer::TerminalSpec> terminals;  ///< By TerminalId.
  TokenTerminals token_terminals;              ///< By TokenSetId.
  std::vector<regex::ExprId> token_follows;    ///< By TokenSetId: the text after such a token must be in this language.
  TokenizerInfo tokenizer;
  Limits limits;
  std::vector<Warning> warnings;
  bool follows_text = false;      ///< Some rules depend on the text before them (grammar/growth.h).
  bool has_temperatures = false;  ///< Some rule has a temperature.
  CaptureCycles capture_cycles;
  std::shared_ptr<const input::GrammarSource>
      source;  ///< What the grammar was read from; the engine does not look at it.

  /// Returns true if a condition (greedy terminals, look-ahead) may refuse a text that grammar and lexemes allow.
  [[nodiscard]] bool has_conditions() const;
  /// Returns true if all conditions are separable (grammar::Grammar::separable) and there are no bounds. Then every thread
  /// can finish, and a condition is settled by one byte.
  [[nodiscard]] bool is_separable() const;

  /// Returns a new guard, or null if the grammar needs none. A guard reads the whole text, so a grammar has a guard
  /// only if one source made all of it.
  [[nodiscard]] std::unique_ptr<grammar::TextGuard> make_guard() const;
};

/// Gives new warnings the places that those of the grammar have.
using PlaceWarnings = std::function<void(std::vector<Warning>&)>;

/// Runs the grammar's passes and resolves its token terminals in the vocabulary. See GrammarCompiler::compile for
/// errors. `place` may be empty.
Result<std::shared_ptr<const Program>> make_program(const Grammar& grammar, const TokenizerInfo& tokenizer,
                                                    const Limits& limits, const PlaceWarnings& place = {});

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_COSTS_PROGRAM_H_
