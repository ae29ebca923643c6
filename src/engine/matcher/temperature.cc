#include "engine/matcher/temperature.h"

#include <algorithm>
#include <vector>

namespace weir::engine {

std::optional<float> temperature_at(SharedAutomaton& automaton, StateId state) {
  const std::vector<Thread> threads = automaton.threads(state);
  const float highest = automaton.inspect(
      [&](const grammar::GrowingCfg& grammar, const lexer::Lexer& lexer, const earley::RowTable& rows) {
        float found = grammar::kNoTemperature;
        for (const Thread& thread : threads) {
          for (const lexer::Item& item : lexer.items(thread.lexer)) {
            found = std::max(found, grammar.cfg().terminals[item.terminal].temperature);
          }
          if (!thread.fresh) continue;
          for (const std::uint32_t set : rows.token_sets(thread.row)) {
            found = std::max(found, grammar.cfg().token_sets[set].temperature);
          }
        }
        return found;
      });
  return highest == grammar::kNoTemperature ? std::nullopt : std::optional(highest);
}

}  // namespace weir::engine
