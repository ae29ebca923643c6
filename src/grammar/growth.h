// Rules that are made when a parser first needs them.
//
// WHAT   A grammar may hold *lazy* rules: a name and a number, without productions. A RuleSource, which a front end
//        supplies, knows what they mean; a RuleMaker, made from it for each parser, writes a rule's productions when
//        the parser predicts the rule for the first time. These may refer to further lazy rules and to new terminals.
// WHY    Some grammars are too large to be written down, though any one text meets little of them: an object with n
//        properties in any order has a rule for each set of properties that have been seen, 2^n; a schema that refers
//        to itself under changing conditions has no bound at all.
// INVARIANTS  What a maker writes keeps those of Cfg: the productions are final, no terminal matches the empty string
//        or nothing, every rule derives a finite string, and lazy rules are not nullable.
// THREADS A RuleSource is immutable and shared; makers and growing grammars belong to one parser.
#ifndef WEIR_SRC_GRAMMAR_GROWTH_H_
#define WEIR_SRC_GRAMMAR_GROWTH_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/limit.h"
#include "grammar/cfg.h"
#include "regex/expr/expr.h"

namespace weir::grammar {

class GrowingCfg;

class RuleMaker {
 public:
  virtual ~RuleMaker() = default;
  /// Writes the productions of the lazy rule `handle` by GrowingCfg::produce. Returns the limit that was met.
  virtual base::Limit make(std::uint32_t handle, GrowingCfg& out) = 0;
  /// A shortest text of the rule, or one that is not much longer.
  virtual std::string short_text(std::uint32_t handle) = 0;
  /// About what it has found out, in O(1).
  [[nodiscard]] virtual std::size_t memory_bytes() const { return 0; }

  // Rules that depend on the text before them, such as "an item that differs from those before". Where one is reached
  // with the text not known, its productions must allow all that any text would.

  virtual bool follows_text(std::uint32_t /*handle*/) { return false; }
  /// The part of the text before such a rule that decides. Equal parts, equal rules.
  virtual std::string_view deciding_text(std::string_view text) { return text; }
  /// The rule that stands in its place behind a text with this part; one that follows no text.
  virtual std::uint32_t settle(std::uint32_t handle, std::string_view /*deciding_text*/) { return handle; }
};

/// What a vocabulary's tokens hold in quotes, for guards: most of what a text has in quotes comes from several tokens.
struct TokenQuotes {
  std::span<const std::string_view> texts;  ///< Between two quotes of one plain token; ascending.
  bool has_numeric_escapes = false;         ///< In some token with an escape and a quote behind it.
};

/// Reads a text beside the parser, and refuses what rules would need too much memory to refuse: a key that comes twice.
/// Whatever it has read, some text that it does not refuse must go on from there as the rules allow.
class TextGuard {
 public:
  struct Place {
    std::uint32_t container = 0;
    std::uint32_t unit = 0;
    std::uint32_t surrogate = 0;
    std::uint8_t phase = 0, escape = 0, digits = 0;
  };
  /// Where the guard stands; what each guard makes of it is its own.
  struct Mark {
    std::size_t position = 0;
    Place place = {};
    std::string partial = {};
  };
  struct Refusals {
    /// Texts each of which would be refused at its last byte from here on.
    std::vector<std::string> texts = {};
    /// Other tokens that may be refused: those with so many quotes or more, ...
    std::uint8_t fewest_quotes = 2;
    /// ... the plain ones among them only if this is set; ...
    bool plain = true;
    /// ... and those with an escape and a quote behind it.
    bool escapes = false;
  };

  virtual ~TextGuard() = default;
  [[nodiscard]] virtual std::unique_ptr<TextGuard> clone() const = 0;
  /// False when the text is refused; the byte is then not read.
  virtual bool read(char byte) = 0;
  [[nodiscard]] virtual Mark mark() const = 0;
  /// Precondition: the mark was made on the way here.
  virtual void rewind(const Mark& mark) = 0;
  [[nodiscard]] virtual Refusals refusals() const = 0;
};

class RuleSource {
 public:
  virtual ~RuleSource() = default;
  /// `exprs` outlives the maker, which makes its terminals there.
  [[nodiscard]] virtual std::unique_ptr<RuleMaker> maker(regex::ExprSet& exprs) const = 0;
  /// Whether some rule may follow the text.
  [[nodiscard]] virtual bool follows_text() const { return false; }
  /// A guard for texts that are all of this source's making; null if none is needed. What `quotes` views outlives it.
  [[nodiscard]] virtual std::unique_ptr<TextGuard> guard(const TokenQuotes& /*quotes*/) const { return nullptr; }
};

/// A Cfg that a parser runs on while lazy rules are made in it.
class GrowingCfg {
 public:
  using OnTerminal = std::function<void(const Terminal&)>;

  /// Begins with a copy of `seed`, but for its expressions: those are `exprs`, a copy that the parser's lexer keeps.
  /// `on_terminal` is told of each terminal that is added.
  GrowingCfg(const Cfg& seed, regex::ExprSet& exprs, OnTerminal on_terminal);
  GrowingCfg(const GrowingCfg&) = delete;
  GrowingCfg& operator=(const GrowingCfg&) = delete;

  [[nodiscard]] const Cfg& cfg() const { return cfg_; }
  /// With what the makers keep, but for expressions. O(1).
  [[nodiscard]] std::size_t memory_bytes() const;

  /// Makes the productions of a rule unless they are there. Returns the limit that was met.
  base::Limit complete(RuleId rule) {
    const bool is_there = cfg_.rule(rule).lazy.source == LazyRule::kNone || made_[static_cast<std::size_t>(rule)];
    return is_there ? base::Limit::kNone : make(rule);
  }
  /// Precondition: the rule is lazy.
  [[nodiscard]] std::string short_text(RuleId rule);

  /// Whether the symbol behind the dot is a rule that follows the text.
  [[nodiscard]] bool follows_text(ItemId item) {
    const Symbol symbol = cfg_.symbol(item);
    if (symbol.kind() != Symbol::Kind::kRule || !has_followers_) return false;
    const LazyRule& lazy = cfg_.rules[symbol.index()].lazy;
    return lazy.source != LazyRule::kNone && maker_of(lazy).follows_text(lazy.handle);
  }
  /// Precondition of both: follows_text(item).
  [[nodiscard]] std::string_view deciding_text(ItemId item, std::string_view text);
  /// The item with the rule that the text decides on in the place of the rule behind the dot.
  [[nodiscard]] ItemId settle(ItemId item, std::string_view deciding_text);

  // For makers, from within RuleMaker::make.

  /// The terminal with this language, exact; added if it is new. `name` is for people. Precondition: `expr` is not
  /// empty and not nullable.
  TerminalId terminal(regex::ExprId expr, std::string_view name);
  /// The lazy rule `handle` of the maker at work; added if it is new.
  RuleId rule(std::uint32_t handle, std::string_view name);
  /// Adds a production to the rule that is being made.
  void produce(std::span<const Symbol> symbols);

 private:
  base::Limit make(RuleId rule);
  RuleMaker& maker_of(const LazyRule& rule);

  Cfg cfg_;
  regex::ExprSet& exprs_;
  OnTerminal on_terminal_;
  std::vector<std::unique_ptr<RuleMaker>> makers_;             // by source; null until needed
  std::vector<bool> made_;                                     // by rule
  std::unordered_map<std::uint64_t, TerminalId> terminal_of_;  // exact ones, by expression and temperature
  std::unordered_map<std::uint64_t, RuleId> rule_of_;          // lazy ones, by source and handle
  std::unordered_map<std::uint64_t, ItemId> settled_;          // by item and rule
  bool has_followers_ = false;
  std::size_t added_bytes_ = 0;  // of names and productions
  RuleId current_{};
};

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_GROWTH_H_
