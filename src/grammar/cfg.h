// Cfg: the flat grammar that results from all passes; the Earley layer reads it.
//
// INVARIANTS
//   - Every rule is reachable from `start` and derives at least one finite string, unless the grammar keeps endless
//     rules (Grammar::keeps_endless).
//   - No terminal matches the empty string, and no terminal's language is empty. (A pass replaced each nullable
//     terminal T by an optional T without the empty string.)
//   - Equal terminals (same expression, mode, follow condition and temperature) have one id.
//   - Rules may be nullable, left-recursive, cyclic and ambiguous.
#ifndef WEIR_SRC_GRAMMAR_CFG_H_
#define WEIR_SRC_GRAMMAR_CFG_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "grammar/ir.h"
#include "regex/expr/expr.h"
#include "weir/limits.h"

namespace weir::grammar {

/// A symbol of a production: a rule, a terminal, a token set, or the end of the production. Two tag bits, 30 bits of
/// index.
class Symbol {
 public:
  enum class Kind : std::uint8_t { kRule = 0, kTerminal = 1, kTokens = 2, kEnd = 3 };
  constexpr Symbol() = default;
  static constexpr Symbol rule(RuleId id) { return Symbol(Kind::kRule, static_cast<std::uint32_t>(id)); }
  static constexpr Symbol terminal(TerminalId id) { return Symbol(Kind::kTerminal, static_cast<std::uint32_t>(id)); }
  static constexpr Symbol tokens(TokenSetId id) { return Symbol(Kind::kTokens, static_cast<std::uint32_t>(id)); }
  static constexpr Symbol end(RuleId lhs) { return Symbol(Kind::kEnd, static_cast<std::uint32_t>(lhs)); }
  [[nodiscard]] constexpr Kind kind() const { return static_cast<Kind>(bits_ >> 30); }
  [[nodiscard]] constexpr std::uint32_t index() const { return bits_ & 0x3FFFFFFFU; }
  friend constexpr auto operator<=>(Symbol, Symbol) = default;

 private:
  constexpr Symbol(Kind kind, std::uint32_t index) : bits_((static_cast<std::uint32_t>(kind) << 30) | index) {}
  std::uint32_t bits_ = 0;
};

/// A dotted rule: an index into Cfg::symbols. The dot is before that symbol; the item is complete if the symbol is
/// kEnd.
enum class ItemId : std::uint32_t {};

/// What is reported about the text that a rule matches.
struct CfgCapture {
  std::string name;  ///< For a rule with parts, the name of the first part; it may be empty.
  LexemeParts parts = {};
  friend bool operator==(const CfgCapture&, const CfgCapture&) = default;
};

/// A source of lazy rules, with the temperature of the terminals that it makes. A source that is used under several
/// temperatures has one entry for each of them.
struct LazySource {
  std::shared_ptr<const RuleSource> source;
  float temperature = kNoTemperature;
};

struct CfgRule {
  static constexpr std::uint32_t kNoCapture = UINT32_MAX;
  std::string name;
  SourceRange where = {};
  bool nullable = false;
  bool holds_capture = false;                ///< True if the rule is a capture or reaches one.
  std::uint32_t capture = kNoCapture;        ///< An index into Cfg::captures.
  std::uint32_t max_tokens = kNoTokenLimit;  ///< Rule::max_tokens. The start rule never has a limit.
  LazyRule lazy = {};                        ///< If set, productions are made on demand; not nullable.
  bool is_frame = false;                     ///< Masks within the rule do not depend on its place (earley/row_table.h).
  std::vector<ItemId> productions;  ///< The first item of each production; each ends with Symbol::end(this rule).
};

struct Cfg {
  explicit Cfg(regex::ExprSet set) : exprs(std::move(set)) {}

  regex::ExprSet exprs;
  std::vector<Terminal> terminals;
  std::vector<TokenSet> token_sets;
  std::vector<Symbol> symbols;
  std::vector<CfgRule> rules;
  std::vector<LazySource> sources;       ///< The sources of lazy rules.
  std::vector<regex::ExprId> separable;  ///< Grammar::separable.
  std::vector<CfgCapture> captures;      ///< Without duplicates. Schemas have none.
  RuleId start{};

  [[nodiscard]] Symbol symbol(ItemId item) const { return symbols[static_cast<std::uint32_t>(item)]; }
  [[nodiscard]] static constexpr ItemId next(ItemId item) { return ItemId{static_cast<std::uint32_t>(item) + 1}; }
  /// Precondition: the dot is not at the beginning of a production.
  [[nodiscard]] static constexpr ItemId previous(ItemId item) { return ItemId{static_cast<std::uint32_t>(item) - 1}; }
  /// Returns the item with the dot at the end of the same production.
  [[nodiscard]] ItemId end_of(ItemId item) const {
    while (symbol(item).kind() != Symbol::Kind::kEnd) item = next(item);
    return item;
  }
  /// Returns the index of the rule that the production is of.
  [[nodiscard]] std::uint32_t rule_of(ItemId item) const { return symbol(end_of(item)).index(); }
  [[nodiscard]] const CfgRule& rule(RuleId id) const { return rules[static_cast<std::uint32_t>(id)]; }
};

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_CFG_H_
