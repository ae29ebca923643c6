#include "grammar/passes/temperatures.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "grammar/passes/lower.h"
#include "grammar/print.h"

namespace weir::grammar {

namespace {

class TemperaturePass {
 public:
  TemperaturePass(Draft& draft, const Limits& limits)
      : draft_(draft), limits_(limits), is_taken_(draft.rules.size(), false) {}

  Result<void> run() {
    originals_ = draft_.rules;
    draft_.start = RuleId{rule(static_cast<std::uint32_t>(draft_.start), kNoTemperature)};
    for (std::size_t next = 0; next < made_.size(); ++next) {
      const Variant variant = made_[next];
      const DraftRule& original = originals_[variant.of];
      std::vector<Production> productions = original.productions;
      for (Production& production : productions) {
        symbols_ += production.size() + 1;
        for (Symbol& symbol : production) symbol = under(symbol, variant.temperature);
      }
      if (symbols_ > limits_.grammar_symbols) return tl::unexpected(too_many_symbols(limits_, original.where));
      draft_.rules[variant.rule].productions = std::move(productions);
      LazyRule& lazy = draft_.rules[variant.rule].lazy;
      if (lazy.source != LazyRule::kNone) lazy.source = source(lazy.source, variant.temperature);
    }
    for (DraftRule& rule : draft_.rules) rule.temperature = kNoTemperature;
    return {};
  }

 private:
  using Key = std::pair<std::uint32_t, float>;
  struct Variant {
    std::uint32_t rule = 0;
    std::uint32_t of = 0;
    float temperature = kNoTemperature;
  };

  // Returns the variant of the rule for uses within rules with this temperature. The first variant keeps the rule's own
  // id.
  std::uint32_t rule(std::uint32_t of, float temperature) {
    if (originals_[of].temperature != kNoTemperature) temperature = originals_[of].temperature;
    const auto [found, is_new] = rules_.try_emplace(Key{of, temperature}, of);
    if (!is_new) return found->second;
    if (is_taken_[of]) {
      DraftRule copy = originals_[of];
      copy.name += "@" + (temperature == kNoTemperature ? "" : temperature_text(temperature));
      copy.generated = true;
      found->second = static_cast<std::uint32_t>(draft_.add_rule(std::move(copy)));
    }
    is_taken_[of] = true;
    made_.push_back({found->second, of, temperature});
    return found->second;
  }

  Symbol under(Symbol symbol, float temperature) {
    switch (symbol.kind()) {
      case Symbol::Kind::kRule: return Symbol::rule(RuleId{rule(symbol.index(), temperature)});
      case Symbol::Kind::kTerminal: return Symbol::terminal(TerminalId{terminal(symbol.index(), temperature)});
      case Symbol::Kind::kTokens: return Symbol::tokens(TokenSetId{token_set(symbol.index(), temperature)});
      case Symbol::Kind::kEnd: break;
    }
    return symbol;
  }

  std::uint32_t terminal(std::uint32_t of, float temperature) {
    return copy(of, temperature, terminals_, draft_.terminals);
  }
  std::uint32_t token_set(std::uint32_t of, float temperature) {
    return copy(of, temperature, sets_, draft_.token_sets);
  }
  std::uint32_t source(std::uint32_t of, float temperature) { return copy(of, temperature, sources_, draft_.sources); }

  template <typename Part>
  static std::uint32_t copy(std::uint32_t of, float temperature, std::map<Key, std::uint32_t>& known,
                            std::vector<Part>& parts) {
    if (temperature == kNoTemperature) return of;
    const auto [found, is_new] = known.try_emplace(Key{of, temperature}, static_cast<std::uint32_t>(parts.size()));
    if (is_new) {
      Part part = parts[of];
      part.temperature = temperature;
      parts.push_back(std::move(part));
    }
    return found->second;
  }

  Draft& draft_;
  const Limits& limits_;
  std::vector<DraftRule> originals_;
  std::vector<bool> is_taken_;  // by rule of originals_: the id is used by a variant
  std::map<Key, std::uint32_t> rules_;
  std::vector<Variant> made_;
  std::map<Key, std::uint32_t> terminals_;
  std::map<Key, std::uint32_t> sets_;
  std::map<Key, std::uint32_t> sources_;
  std::size_t symbols_ = 0;
};

}  // namespace

Result<void> apply_temperatures(Draft& draft, const Limits& limits) {
  const auto has_none = [](const DraftRule& rule) { return rule.temperature == kNoTemperature; };
  if (std::all_of(draft.rules.begin(), draft.rules.end(), has_none)) return {};
  return TemperaturePass(draft, limits).run();
}

}  // namespace weir::grammar
