#include "engine/explore/program.h"

#include <algorithm>
#include <utility>

#include "grammar/growth.h"
#include "grammar/passes/pipeline.h"
#include "vocab/vocabulary.h"

namespace weir::engine {

bool Program::has_conditions() const {
  const auto is_condition = [](regex::ExprId follow) { return follow != regex::ExprId::kAllStrings; };
  return std::any_of(token_follows.begin(), token_follows.end(), is_condition) ||
         std::any_of(terminals.begin(), terminals.end(), [&](const lexer::TerminalSpec& t) {
           return base::ends_under_conditions(t.mode) || is_condition(t.follow);
         });
}

std::unique_ptr<grammar::TextGuard> Program::make_guard() const {
  if (cfg.sources.size() != 1) return nullptr;
  return cfg.sources[0].source->guard(tokenizer.vocabulary().quoting_tokens());
}

Result<std::shared_ptr<const Program>> make_program(const Grammar& grammar, const TokenizerInfo& tokenizer,
                                                    const Limits& limits) {
  std::vector<Warning> warnings = grammar.warnings();
  std::vector<Warning> from_passes;
  Result<grammar::Cfg> cfg = grammar::run_passes(grammar.ir(), limits, &from_passes);
  if (!cfg) return tl::unexpected(std::move(cfg).error());
  // Reading the grammar ran some of the passes already; their warnings are not repeated.
  for (Warning& warning : from_passes) {
    const auto same = [&](const Warning& w) { return w.message == warning.message && w.where == warning.where; };
    if (std::none_of(warnings.begin(), warnings.end(), same)) warnings.push_back(std::move(warning));
  }
  std::vector<lexer::TerminalSpec> terminals;
  for (const grammar::Terminal& terminal : cfg->terminals) {
    terminals.push_back({terminal.expr, terminal.mode, terminal.follow});
  }
  TokenSets token_sets;
  std::vector<regex::ExprId> token_follows;
  for (const grammar::TokenSet& set : cfg->token_sets) {
    if (auto added = token_sets.add(set, tokenizer.vocabulary()); !added) {
      return tl::unexpected(std::move(added).error());
    }
    token_follows.push_back(set.follow);
  }
  const bool follows_text = std::any_of(cfg->sources.begin(), cfg->sources.end(),
                                        [](const auto& lazy) { return lazy.source->follows_text(); });
  const auto has_one = [](const auto& part) { return part.temperature != grammar::kNoTemperature; };
  const bool has_temperatures = std::any_of(cfg->terminals.begin(), cfg->terminals.end(), has_one) ||
                                std::any_of(cfg->token_sets.begin(), cfg->token_sets.end(), has_one) ||
                                std::any_of(cfg->sources.begin(), cfg->sources.end(), has_one);
  CaptureCycles capture_cycles = find_capture_cycles(*cfg);
  return std::make_shared<const Program>(Program{*std::move(cfg), std::move(terminals), std::move(token_sets),
                                                 std::move(token_follows), tokenizer, limits, std::move(warnings),
                                                 follows_text, has_temperatures, std::move(capture_cycles)});
}

}  // namespace weir::engine
