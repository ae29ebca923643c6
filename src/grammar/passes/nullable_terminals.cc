#include "grammar/passes/nullable_terminals.h"

#include <optional>
#include <string>
#include <utility>

#include "regex/syntax/syntax.h"

namespace weir::grammar {

namespace {

using regex::ExprId;

// Returns the replacement for an occurrence of terminal `id`; an empty production if the terminal only matches the
// empty string.
Result<Production> replacement(Draft& draft, std::uint32_t id, std::vector<Warning>* warnings) {
  const Terminal terminal = draft.terminals[id];
  if (!draft.exprs.nullable(terminal.expr)) return Production{Symbol::terminal(TerminalId{id})};
  switch (terminal.mode) {
    case base::LexemeMode::kLazy:
    case base::LexemeMode::kShortest:
      if (warnings != nullptr) {
        warnings->push_back({"lazy terminal " + terminal.name + " matches the empty string, so it never takes any text",
                             terminal.where, "a lazy terminal ends at its first match: let it end with a delimiter",
                             "empty-lazy"});
      }
      return Production{};
    case base::LexemeMode::kGreedy:
      return tl::unexpected(
          Error{ErrorCode::kUnsupported,
                "greedy terminal " + terminal.name + " matches the empty string",
                terminal.where,
                "let it match at least one byte and make it optional: `@greedy(...)?`; then it may be "
                "left out even where it could match",
                {}});
    case base::LexemeMode::kExact:
    case base::LexemeMode::kLongest: break;
  }
  const ExprId rest = draft.exprs.difference(terminal.expr, ExprId::kEpsilon);
  if (rest == ExprId::kOverflow) {
    return tl::unexpected(regex::overflow_error(draft.exprs, terminal.where));
  }
  if (rest == ExprId::kNothing) return Production{};
  draft.terminals[id].expr = rest;
  if (!terminal.text.empty()) draft.terminals[id].text = "(" + terminal.text + " & ~\"\")";
  DraftRule optional{terminal.name + "?", terminal.where, true};
  optional.productions = {{Symbol::terminal(TerminalId{id})}, {}};
  return Production{Symbol::rule(draft.add_rule(std::move(optional)))};
}

}  // namespace

Result<void> split_nullable_terminals(Draft& draft, std::vector<Warning>* warnings) {
  std::vector<std::optional<Production>> replacements(draft.terminals.size());
  const std::size_t rule_count = draft.rules.size();
  for (std::size_t i = 0; i < rule_count; ++i) {
    for (std::size_t p = 0; p < draft.rules[i].productions.size(); ++p) {
      Production changed;
      for (const Symbol symbol : draft.rules[i].productions[p]) {
        if (symbol.kind() != Symbol::Kind::kTerminal) {
          changed.push_back(symbol);
          continue;
        }
        std::optional<Production>& known = replacements[symbol.index()];
        if (!known) {
          Result<Production> made = replacement(draft, symbol.index(), warnings);
          if (!made) return tl::unexpected(std::move(made.error()));
          known = std::move(*made);
        }
        changed.insert(changed.end(), known->begin(), known->end());
      }
      draft.rules[i].productions[p] = std::move(changed);
    }
  }
  return {};
}

}  // namespace weir::grammar
