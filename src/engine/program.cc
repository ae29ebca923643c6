#include "engine/program.h"

#include <algorithm>
#include <string>
#include <utility>

#include "grammar/passes/pipeline.h"
#include "vocab/vocabulary.h"
#include "weir/bitmask.h"

namespace weir::engine {

namespace {

// A listed token is taken as listed, stop tokens included. A complement means "any other token that may stand in an
// output": stop tokens end an output and unused ones never occur, so neither is in it.
Result<std::vector<std::uint32_t>> resolve_token_set(const grammar::TokenSet& set,
                                                     const vocab::Vocabulary& vocabulary) {
  std::vector<std::uint32_t> mask(bitmask_words(vocabulary.size()));
  for (const auto& [first, last] : set.ranges) {
    if (last >= vocabulary.size()) {
      return tl::unexpected(Error{ErrorCode::kInvalidArgument,
                                  "token " + std::to_string(last) + " is out of range: the vocabulary has " +
                                      std::to_string(vocabulary.size()) + " tokens",
                                  set.where});
    }
    for (std::uint32_t token = first; token <= last; ++token) bitmask_set(mask, token);
  }
  for (const std::string& name : set.names) {
    const auto token = vocabulary.find_special_token(name);
    if (!token.has_value()) {
      return tl::unexpected(Error{ErrorCode::kInvalidArgument, "the vocabulary has no special token `" + name + "`",
                                  set.where, "`weir tokenizer` lists the special tokens"});
    }
    bitmask_set(mask, *token);
  }
  if (!set.complement) return mask;
  for (std::uint32_t& word : mask) word = ~word;
  for (std::uint32_t token = 0; token < mask.size() * 32; ++token) {
    const bool usable = token < vocabulary.size() && !vocabulary.is_stop_token(token) &&
                        vocabulary.token_kind(token) != TokenKind::kUnused;
    if (!usable) mask[token / 32] &= ~(std::uint32_t{1} << (token % 32));
  }
  return mask;
}

}  // namespace

lexer::Mode to_lexer_mode(grammar::MatchMode mode) {
  switch (mode) {
    case grammar::MatchMode::kExact: return lexer::Mode::kExact;
    case grammar::MatchMode::kLazy: return lexer::Mode::kLazy;
    case grammar::MatchMode::kGreedy: return lexer::Mode::kGreedy;
  }
  return lexer::Mode::kExact;
}

Result<std::shared_ptr<const Program>> make_program(const Grammar& grammar, const TokenizerInfo& tokenizer,
                                                    const Limits& limits) {
  std::vector<Warning> warnings = grammar.warnings();
  std::vector<Warning> from_passes;
  Result<grammar::Cfg> cfg = grammar::run_passes(grammar.ir(), limits, &from_passes);
  if (!cfg) return tl::unexpected(std::move(cfg).error());
  // Reading the grammar ran some of the passes already; what they said then is not said again.
  for (Warning& warning : from_passes) {
    const auto same = [&](const Warning& w) { return w.message == warning.message && w.where == warning.where; };
    if (std::none_of(warnings.begin(), warnings.end(), same)) warnings.push_back(std::move(warning));
  }
  auto program = std::make_shared<Program>(Program{std::move(*cfg), {}, {}, tokenizer, limits, std::move(warnings)});
  for (const grammar::Terminal& terminal : program->cfg.terminals) {
    program->terminals.push_back({terminal.expr, to_lexer_mode(terminal.mode)});
  }
  for (const grammar::TokenSet& set : program->cfg.token_sets) {
    Result<std::vector<std::uint32_t>> mask = resolve_token_set(set, tokenizer.vocabulary());
    if (!mask) return tl::unexpected(std::move(mask).error());
    if (bitmask_count(*mask) == 0) {
      return tl::unexpected(
          Error{ErrorCode::kInvalidArgument, "no token of the vocabulary is in `" + set.name + "`", set.where});
    }
    program->token_masks.push_back(std::move(*mask));
  }
  return program;
}

}  // namespace weir::engine
