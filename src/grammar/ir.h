// The grammar IR: what every front end produces. Passes (passes/) turn it into a Cfg (cfg.h), which parsing runs on.
//
// WHAT   Rules, each a tree of nodes: empty, terminal, token set, rule reference, sequence, choice, counted repeat.
//        Terminals are regular expressions over bytes; a node of the IR never says how a terminal is spelled.
// INVARIANTS  Nodes are append-only; a child's id is smaller than its parent's, so passes loop instead of recursing.
//        A node may have several parents; a language is shared by way of a rule, or of such a node, which becomes one.
//        A rule may be referred to before it is defined; `check` (passes/check.h) finds those that never are.
#ifndef WEIR_SRC_GRAMMAR_IR_H_
#define WEIR_SRC_GRAMMAR_IR_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "regex/expr/expr.h"
#include "weir/error.h"

namespace weir::grammar {

enum class RuleId : std::uint32_t {};
enum class TerminalId : std::uint32_t {};
enum class TokenSetId : std::uint32_t {};
enum class NodeId : std::uint32_t { kEmpty = 0 };  // node 0 is always the empty string

/// Where a terminal's lexeme may end.
enum class MatchMode : std::uint8_t {
  kExact,   ///< Wherever the text so far matches: all splits are followed.
  kLazy,    ///< Where it first matches.
  kGreedy,  ///< Where no longer match is possible: the text that follows must not extend the lexeme to a longer match.
  // The next two compete: with each other, where several of them may begin at one place. Together they are a lexer that
  // is told what the grammar allows at the place and never goes back.
  kLongest,   ///< Where the next byte continues none of the competitors, this one included.
  kShortest,  ///< Where it first matches; no competitor then goes on, nor ends there but for those of this mode.
};

/// Whether terminals of this mode compete.
constexpr bool competes(MatchMode mode) { return mode == MatchMode::kLongest || mode == MatchMode::kShortest; }

/// No bound on the tokens of a rule, and the largest one.
inline constexpr std::uint32_t kNoTokenLimit = UINT32_MAX;
inline constexpr std::uint32_t kMaxTokenLimit = 1'000'000'000;

/// No temperature; others are not negative.
inline constexpr float kNoTemperature = -1;

/// The number of a temperature as grammars write it: decimal, with an exponent if need be. None for what is no number,
/// and for one that is negative or not finite.
std::optional<float> read_temperature(std::string_view digits);

/// How many bytes of a terminal's spelling its name shows: what fits a message.
inline constexpr std::size_t kTerminalNameBytes = 40;
/// The longest Terminal::text that is put together from those of parts, so that texts do not multiply.
inline constexpr std::size_t kTerminalTextBytes = 512;

struct Terminal {
  regex::ExprId expr = regex::ExprId::kNothing;
  MatchMode mode = MatchMode::kExact;
  std::string name;  ///< For people: the rule's name, or the literal in quotes.
  SourceRange where = {};
  /// EBNF that denotes the same, for printing; a single word or in parentheses. Empty where none is known.
  std::string text = {};
  /// What the text behind its lexeme must be in, to the output's end. Pass "look-ahead" sets it, from Rule::follow.
  regex::ExprId follow = regex::ExprId::kAllStrings;
  /// Rule::temperature of the innermost rule around it that has one. Pass "temperature" sets it.
  float temperature = kNoTemperature;
};

/// Tokens by id or name, each matched as a whole, never as text.
struct TokenSet {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;  ///< Ids, first and last.
  std::vector<std::string> names;                               ///< Special tokens by name.
  bool complement = false;                                      ///< All tokens of the vocabulary but these.
  std::string name;                                             ///< As written.
  SourceRange where = {};
  regex::ExprId follow = regex::ExprId::kAllStrings;  ///< As Terminal::follow.
  float temperature = kNoTemperature;                 ///< As Terminal::temperature.
};

enum class NodeKind : std::uint8_t { kEmpty, kTerminal, kTokens, kRule, kLazy, kSequence, kChoice, kRepeat };

class RuleSource;  // growth.h

/// Names a rule whose productions are made when a parser needs them (growth.h).
struct LazyRule {
  static constexpr std::uint32_t kNone = UINT32_MAX;
  std::uint32_t source = kNone;  ///< Into Grammar::sources; kNone: an ordinary rule.
  std::uint32_t handle = 0;      ///< What the source calls it.
  friend bool operator==(const LazyRule&, const LazyRule&) = default;
};

struct Node {
  NodeKind kind = NodeKind::kEmpty;
  std::uint32_t payload = 0;                       ///< TerminalId, TokenSetId, RuleId, or an index of lazy_rules.
  std::uint32_t min = 0, max = 0;                  ///< kRepeat; max may be regex::kUnbounded.
  std::uint32_t first_child = 0, child_count = 0;  ///< Into Grammar::children.
  SourceRange where = {};
};

/// Of a rule that is one lexeme made of two parts: Rule::capture is the name of the first one. The second is the
/// shortest end of the lexeme that leaves a text of the first one's before it.
struct LexemeParts {
  regex::ExprId first = regex::ExprId::kAllStrings;
  regex::ExprId second = regex::ExprId::kEpsilon;  ///< kEpsilon: the lexeme is not in parts.
  std::string second_capture = {};                 ///< Empty: it is not reported.

  [[nodiscard]] bool exist() const { return second != regex::ExprId::kEpsilon; }
  friend auto operator<=>(const LexemeParts&, const LexemeParts&) = default;
};

struct Rule {
  std::string name;
  NodeId body = NodeId::kEmpty;
  SourceRange where = {};  ///< Of the name in its definition, or of the first use when undefined.
  bool defined = false;
  bool generated = false;  ///< Made by a pass, not written by the user.
  /// Its language is part of a terminal (an operand of `&`, say): used, though no node refers to it.
  bool absorbed = false;
  /// The name under which what it matches is reported. Empty: it is not. Passes keep such a rule
  /// as a rule, so a front end makes one for any part of the output that it wants reported.
  std::string capture = {};
  /// Look-ahead: what the text behind the rule must be in, to the output's end, wherever the rule is used. "Begins with
  /// x" is x and kAllStrings behind it. Such a rule must not match the empty text.
  regex::ExprId follow = regex::ExprId::kAllStrings;
  /// The look-ahead as it is written, for whoever writes the grammar down; kEmpty: there is none.
  NodeId ahead = NodeId::kEmpty;
  bool may_end_ahead = false;  ///< The output may end within it.
  /// How many of the model's tokens may have a byte in what the rule matches, or be taken by it as a whole, each time
  /// it is used: at most kMaxTokenLimit, or kNoTokenLimit. Passes keep such a rule as a rule.
  std::uint32_t max_tokens = kNoTokenLimit;
  /// What whoever samples is told where the next byte may be in the rule, and in no rule within it that has another
  /// one. Passes up to "temperature" keep such a rule as a rule.
  float temperature = kNoTemperature;
  LexemeParts parts = {};  ///< With at least one name of a capture.

  [[nodiscard]] bool is_captured() const { return !capture.empty() || parts.exist(); }
  /// Whether what the rule matches must stay a part of its own.
  [[nodiscard]] bool is_marked() const {
    return is_captured() || max_tokens != kNoTokenLimit || temperature != kNoTemperature;
  }
};

class Grammar {
 public:
  explicit Grammar(std::uint32_t regex_node_limit) : exprs(regex_node_limit), nodes(1) {}

  NodeId add_terminal(Terminal terminal);
  /// Exactly these bytes, named after them. None: kEmpty.
  NodeId add_literal(std::string_view bytes, SourceRange where);
  /// One more occurrence of a terminal.
  NodeId add_terminal_reference(TerminalId terminal, SourceRange where);
  NodeId add_tokens(TokenSet set);
  NodeId add_rule_reference(RuleId rule, SourceRange where);
  NodeId add_lazy(std::shared_ptr<const RuleSource> source, std::uint32_t handle, SourceRange where);
  /// One part: that part. None: kEmpty. `parts` must not point into `children`, here and below.
  NodeId add_sequence(std::span<const NodeId> parts, SourceRange where);
  /// One part: that part. None: no string at all.
  NodeId add_choice(std::span<const NodeId> parts, SourceRange where);
  NodeId add_repeat(NodeId child, std::uint32_t min, std::uint32_t max, SourceRange where);
  RuleId add_rule(Rule rule);

  [[nodiscard]] Rule& rule(RuleId id) { return rules[static_cast<std::uint32_t>(id)]; }
  [[nodiscard]] const Rule& rule(RuleId id) const { return rules[static_cast<std::uint32_t>(id)]; }
  [[nodiscard]] const Node& node(NodeId id) const { return nodes[static_cast<std::uint32_t>(id)]; }
  [[nodiscard]] std::span<const NodeId> children_of(const Node& n) const {
    return std::span(children).subspan(n.first_child, n.child_count);
  }

  regex::ExprSet exprs;
  std::vector<Node> nodes;
  std::vector<NodeId> children;
  std::vector<Rule> rules;
  std::vector<Terminal> terminals;
  std::vector<TokenSet> token_sets;
  std::vector<LazyRule> lazy_rules;
  std::vector<std::shared_ptr<const RuleSource>> sources;
  RuleId start{};
  /// Rules that derive no finite string stay: a text that enters one is never complete, but can always go on.
  bool keeps_endless = false;

 private:
  NodeId add_parent(NodeKind kind, std::span<const NodeId> parts, SourceRange where);
};

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_IR_H_
