// Program: what compiling makes of a grammar and a tokenizer; immutable from then on and shared by all automata.
#ifndef WEIR_SRC_ENGINE_EXPLORE_PROGRAM_H_
#define WEIR_SRC_ENGINE_EXPLORE_PROGRAM_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/captures/capture_cycles.h"
#include "engine/mask/token_sets.h"
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
  TokenSets token_sets;                        ///< By TokenSetId.
  std::vector<regex::ExprId> token_follows;    ///< By TokenSetId: what the text behind such a token must be in.
  TokenizerInfo tokenizer;
  Limits limits;
  std::vector<Warning> warnings;
  bool follows_text = false;      ///< Some rules depend on the text before them (grammar/growth.h).
  bool has_temperatures = false;  ///< Some rule has one.
  CaptureCycles capture_cycles;

  /// Whether a text that grammar and lexemes allow may still be refused by a condition on what follows something.
  [[nodiscard]] bool has_conditions() const;

  /// Null where texts need none. A guard reads all of a text, so it must be all of one source's making.
  [[nodiscard]] std::unique_ptr<grammar::TextGuard> make_guard() const;
};

lexer::Mode to_lexer_mode(grammar::MatchMode mode);

/// Runs the grammar's passes and resolves its token terminals in the vocabulary. See GrammarCompiler::compile for
/// errors.
Result<std::shared_ptr<const Program>> make_program(const Grammar& grammar, const TokenizerInfo& tokenizer,
                                                    const Limits& limits);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_EXPLORE_PROGRAM_H_
