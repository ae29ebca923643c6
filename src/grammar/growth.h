// Lazy rules: rules whose productions are made when a parser first needs them.
//
// WHAT   A grammar may contain *lazy* rules: a name and a number, without productions. A RuleSource, which a front end
//        supplies, knows what the numbers mean. A RuleMaker, which the source makes for each parser, writes the
//        productions of a lazy rule when the parser first predicts it. These productions may refer to further lazy
//        rules, to new terminals, and to rules and terminals of the seed, whose numbers stay the same.
// WHY    Some grammars are too large to write down, although any one text uses only a small part of them. An object
//        with n properties in any order has a rule for each set of properties that have been read: 2^n rules. A schema
//        that refers to itself under changing conditions has infinitely many.
// INVARIANTS  What a maker writes satisfies the invariants of Cfg: productions are final, no terminal matches the empty
//        string, no terminal's language is empty, every rule derives a finite string, and lazy rules are not nullable.
// THREADS A RuleSource is immutable and shared. Makers and growing grammars belong to one parser.
#ifndef WEIR_SRC_GRAMMAR_GROWTH_H_
#define WEIR_SRC_GRAMMAR_GROWTH_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/cut_text.h"
#include "base/json/quoting_tokens.h"
#include "base/limit.h"
#include "base/work.h"
#include "grammar/cfg.h"
#include "grammar/text_guard.h"
#include "regex/expr/expr.h"

namespace weir::grammar {

class GrowingCfg;

/// A rule that follows the text is replaced by one of several rules; the text decides which. Says how far these begin alike:
/// a text that ends before this place is a prefix of a text of all of them, or of none.
enum class AlikeUntil : std::uint8_t {
  kUnknown,       ///< Nothing is known.
  kFewTextsLeft,  ///< As long as the first lexeme is a JSON string that can still go on in more ways than a text has items.
  kLexemeEnd,     ///< To the end of the first lexeme.
};

class RuleMaker {
 public:
  virtual ~RuleMaker() = default;
  /// Writes the productions of the lazy rule `handle` by calls of GrowingCfg::produce. Returns the limit that was
  /// reached, or kNone.
  virtual base::Limit make(std::uint32_t handle, GrowingCfg& out) = 0;
  /// Returns a shortest text of the rule, or one that is not much longer; CutText::none() if the rule has no text, nothing
  /// if none is known: a limit was met, or its texts need a token. The first `most` bytes are written. The length of a
  /// longer text is counted, or estimated from above.
  virtual std::optional<base::CutText> short_text(std::uint32_t handle, std::size_t most) = 0;
  /// Returns the place in the grammar's text that the rule comes from, for messages: for a schema, the JSON Pointer of a
  /// subschema. Empty if there is none.
  virtual std::string place(std::uint32_t /*handle*/) { return {}; }
  /// Returns the approximate size of what the maker has cached. Cost: O(1).
  [[nodiscard]] virtual std::size_t memory_bytes() const { return 0; }

  // Some rules depend on the text before them, such as "an item that differs from the earlier items". Where the parser
  // reaches such a rule without knowing the text, its productions must allow what any preceding text would allow.

  virtual bool follows_text(std::uint32_t /*handle*/) { return false; }
  /// Returns how far the rules for all texts are known to begin alike. Precondition: follows_text(handle).
  virtual AlikeUntil alike_until(std::uint32_t /*handle*/) { return AlikeUntil::kUnknown; }
  /// Returns the part of `text` that decides what such a rule means: equal parts give equal rules.
  virtual std::string_view deciding_text(std::string_view text) { return text; }
  /// Returns the rule that replaces `handle` after a text with this deciding part. The result does not depend on the
  /// text.
  virtual std::uint32_t settle(std::uint32_t handle, std::string_view /*deciding_text*/) { return handle; }
};

class RuleSource {
 public:
  virtual ~RuleSource() = default;
  /// Makes a maker that adds the expressions of its terminals to `exprs`. `exprs` must outlive the maker.
  [[nodiscard]] virtual std::unique_ptr<RuleMaker> maker(regex::ExprSet& exprs) const = 0;
  /// Returns true if some rule may follow the text, that is, depend on it (RuleMaker::follows_text).
  [[nodiscard]] virtual bool follows_text() const { return false; }
  /// Returns expressions of the seed: two bytes that none of them distinguishes are alike to all terminals that its makers
  /// add. Nothing if that is not known in advance.
  [[nodiscard]] virtual std::optional<std::span<const regex::ExprId>> distinguished() const { return std::nullopt; }
  /// Returns a guard for texts that consist entirely of this source's language, or null if none is needed. `tokens`, the
  /// vocabulary's, must outlive the guard.
  [[nodiscard]] virtual std::unique_ptr<TextGuard> guard(const base::QuotingTokens& /*tokens*/) const {
    return nullptr;
  }
  /// Returns false if no text of the rule is known to begin with `text`, or to be a beginning of it.
  [[nodiscard]] virtual bool may_begin(std::uint32_t /*handle*/, std::string_view /*text*/) const { return true; }
};

/// A Cfg that grows while a parser runs on it: lazy rules get their productions.
class GrowingCfg {
 public:
  using OnTerminal = std::function<void(const Terminal&)>;
  /// kWriting: terminals must not be machines that make expressions as a text reaches them, which cannot be written.
  enum class Purpose : bool { kParsing, kWriting };

  /// Copies `seed` except for its expressions; `exprs` is a copy of those, which the parser's lexer owns. `on_terminal`
  /// is called for each terminal that is added.
  GrowingCfg(const Cfg& seed, regex::ExprSet& exprs, OnTerminal on_terminal, Purpose purpose = Purpose::kParsing);
  GrowingCfg(const GrowingCfg&) = delete;
  GrowingCfg& operator=(const GrowingCfg&) = delete;

  [[nodiscard]] const Cfg& cfg() const { return cfg_; }
  /// Returns the approximate size, including what makers have cached and excluding expressions. Cost: O(1).
  [[nodiscard]] std::size_t memory_bytes() const;

  /// Makes the productions of a rule unless they exist. Returns the limit that was reached, or kNone.
  base::Limit complete(RuleId rule) {
    const bool is_there = cfg_.rule(rule).lazy.source == LazyRule::kNone || made_[static_cast<std::size_t>(rule)];
    return is_there ? base::Limit::kNone : make(rule);
  }
  /// Returns RuleMaker::short_text of the rule. Precondition: the rule is lazy.
  [[nodiscard]] std::optional<base::CutText> short_text(RuleId rule, std::size_t most);

  /// Returns the end of a message about a limit: what the call was working on, " in terminal `NAME` at `PLACE`". The place
  /// in the grammar's text is there if a RuleMaker knows it. Empty if nothing is known.
  [[nodiscard]] std::string describe(base::Work::Place place);

  /// Returns true if the symbol after the dot is a rule that follows the text.
  [[nodiscard]] bool follows_text(ItemId item) {
    const Symbol symbol = cfg_.symbol(item);
    if (symbol.kind() != Symbol::Kind::kRule || !has_followers_) return false;
    const LazyRule& lazy = cfg_.rules[symbol.index()].lazy;
    return lazy.source != LazyRule::kNone && maker_of(lazy).follows_text(lazy.handle);
  }
  /// Returns RuleMaker::alike_until for the rule after the dot. Precondition: follows_text(item).
  [[nodiscard]] AlikeUntil alike_until(ItemId item) {
    const LazyRule& lazy = cfg_.rules[cfg_.symbol(item).index()].lazy;
    return maker_of(lazy).alike_until(lazy.handle);
  }
  /// Returns RuleMaker::deciding_text for the rule after the dot. Precondition (also of `settle`): follows_text(item).
  [[nodiscard]] std::string_view deciding_text(ItemId item, std::string_view text);
  /// Returns an item like `item` in which the rule after the dot is replaced by the rule that the text decides on.
  [[nodiscard]] ItemId settle(ItemId item, std::string_view deciding_text);

  // For makers, to be called within RuleMaker::make.

  [[nodiscard]] Purpose purpose() const { return purpose_; }
  /// Returns the exact terminal with the language of `expr`; adds it if it is new. Only then is `make_name()` called, for
  /// messages: most terminals are not new, and making a name takes longer than finding them.
  /// Precondition: the language is not empty and does not contain the empty string.
  template <typename MakeName>
  TerminalId terminal(regex::ExprId expr, const MakeName& make_name) {
    return terminal(expr, source_temperature(), make_name);
  }
  /// The same for a terminal with a temperature of its own.
  template <typename MakeName>
  TerminalId terminal(regex::ExprId expr, float temperature, const MakeName& make_name) {
    const auto known = terminal_of_.find(terminal_key(expr, temperature));
    return known != terminal_of_.end() ? known->second : add_terminal(expr, temperature, make_name());
  }
  /// The members of CfgRule that a lazy rule has.
  struct Attributes {
    std::uint32_t capture = CfgRule::kNoCapture;
    bool holds_capture = false;
    std::uint32_t max_tokens = kNoTokenLimit;
    bool is_frame = false;
  };
  /// Returns the lazy rule `handle` of the maker that is running; adds it, with the name from `make_name`, if it is new.
  template <typename MakeName>
  RuleId rule(std::uint32_t handle, const MakeName& make_name, const Attributes& attributes) {
    const auto known = rule_of_.find(rule_key(handle));
    return known != rule_of_.end() ? known->second : add_rule(handle, make_name(), attributes);
  }
  template <typename MakeName>
  RuleId rule(std::uint32_t handle, const MakeName& make_name) {
    return rule(handle, make_name, {});
  }
  /// Adds a production to the rule that is being made.
  void produce(std::span<const Symbol> symbols);

 private:
  base::Limit make(RuleId rule);
  RuleMaker& maker_of(const LazyRule& rule);
  // Keys of a terminal and of a lazy rule of the source of the rule that is being made.
  [[nodiscard]] static std::uint64_t terminal_key(regex::ExprId expr, float temperature);
  [[nodiscard]] float source_temperature() const;
  [[nodiscard]] std::uint64_t rule_key(std::uint32_t handle) const;
  TerminalId add_terminal(regex::ExprId expr, float temperature, std::string name);
  RuleId add_rule(std::uint32_t handle, std::string name, const Attributes& attributes);

  Cfg cfg_;
  regex::ExprSet& exprs_;
  OnTerminal on_terminal_;
  Purpose purpose_;
  std::vector<std::unique_ptr<RuleMaker>> makers_;             // by source; null until needed
  std::vector<bool> made_;                                     // by rule
  std::vector<RuleId> maker_rules_;                            // for each added terminal the rule that was being made
  std::unordered_map<std::uint64_t, TerminalId> terminal_of_;  // exact terminals, by expression and temperature
  std::unordered_map<std::uint64_t, RuleId> rule_of_;          // lazy rules, by source and handle
  std::unordered_map<std::uint64_t, ItemId> settled_;          // results of `settle`, by item and rule
  bool has_followers_ = false;
  std::size_t added_bytes_ = 0;  // of names and productions
  RuleId current_{};
};

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_GROWTH_H_
