// The grammar IR, which every front end produces. Passes (passes/) turn it into a Cfg (cfg.h), which the parser reads.
//
// WHAT   Rules, each a tree of nodes: empty, terminal, token set, rule reference, sequence, choice, counted repeat.
//        Terminals are regular expressions over bytes; nodes do not depend on how a terminal was spelled.
// INVARIANTS  Nodes are append-only. A child's id is smaller than its parent's, so passes loop instead of recursing. A
//        node may have several parents: a sub-language can be shared through a rule or through such a node, which
//        becomes a rule. A rule may be referred to before it is defined; `check` (passes/check.h) finds rules that are
//        never defined.
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

#include "base/lexeme_mode.h"
#include "regex/expr/expr.h"
#include "weir/error.h"

namespace weir::grammar {

enum class RuleId : std::uint32_t {};
enum class TerminalId : std::uint32_t {};
enum class TokenSetId : std::uint32_t {};
enum class NodeId : std::uint32_t { kEmpty = 0 };  // node 0 is always the empty string

/// The value for "no limit on the tokens of a rule", and the largest limit.
inline constexpr std::uint32_t kNoTokenLimit = UINT32_MAX;
inline constexpr std::uint32_t kMaxTokenLimit = 1'000'000'000;

/// The value for "no temperature". Temperatures are not negative.
inline constexpr float kNoTemperature = -1;

/// Parses a temperature as grammars write it: a decimal number, possibly with an exponent. Returns nothing if `digits`
/// is not a number, or the number is negative or not finite.
std::optional<float> read_temperature(std::string_view digits);

/// The number of bytes of a terminal's spelling that its name shows, so that it fits a message.
inline constexpr std::size_t kTerminalNameBytes = 40;
/// The length limit of a Terminal::text that is composed from the texts of parts, so that texts do not grow
/// exponentially.
inline constexpr std::size_t kTerminalTextBytes = 512;

struct Terminal {
  regex::ExprId expr = regex::ExprId::kNothing;
  base::LexemeMode mode = base::LexemeMode::kExact;
  std::string name;  ///< For messages: the name of the rule, or the literal in quotes.
  SourceRange where = {};
  /// EBNF with the same language, for printing: a single item, or in parentheses. Empty if there is none.
  std::string text = {};
  /// The condition on the text after the lexeme, up to the end of the output. Pass "look-ahead" sets it from
  /// Rule::follow.
  regex::ExprId follow = regex::ExprId::kAllStrings;
  /// Rule::temperature of the innermost enclosing rule that has one. Pass "temperature" sets it.
  float temperature = kNoTemperature;
};

/// What a token set stands for in a grammar with indentation. Such a set has no tokens: pass "columns" replaces it
/// (passes/columns.h).
enum class LineMark : std::uint8_t {
  kNone,
  kNewline,  ///< A line end.
  kIndent,   ///< The column of the next line is deeper than that of the block around it. A block begins.
  kDedent,   ///< The block ends: the next line belongs to one around it.
  kLead,     ///< The rest of the production is ignored text that may follow the blanks at a line's begin.
};

/// The most columns that a grammar may name, by which blocks are deeper or of a tab: an indent has so many rules at most.
inline constexpr std::uint32_t kMaxColumns = 1'000;

/// How the lines of a grammar with indentation are read. A lexeme of the newline terminal is divided after its last line
/// feed: the part before ends the line, the blanks after it give the column of the next one.
struct Indentation {
  regex::ExprId newline = regex::ExprId::kNothing;  ///< Texts of the terminal that end with a line feed.
  regex::ExprId rest = regex::ExprId::kNothing;     ///< Texts without line feed that may come after a line feed in it.
  /// Pass "columns" refuses lines that may begin with one of these texts, which go on with the line end before. kNothing if
  /// the front end has seen to that.
  regex::ExprId continued = regex::ExprId::kNothing;
  std::uint32_t tab_len = 8;            ///< The columns of a tab.
  bool tabs = true;                     ///< May the blanks at a line's begin be tabs?
  std::uint32_t width = 0;              ///< If not 0, a block is exactly so many columns deeper than that around it.
  std::uint32_t max_step = UINT32_MAX;  ///< A block is at most so many columns deeper than that around it.
  bool ignored_at_ends = true;          ///< May ignored text begin and end the text?
};

/// Tokens by id or name. Each is matched as a whole, never as text.
struct TokenSet {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;  ///< Token ids, first and last.
  std::vector<std::string> names;                               ///< Special tokens by name.
  bool complement = false;                                      ///< If true, the set is all other tokens.
  std::string name;                                             ///< As written in the grammar.
  SourceRange where = {};
  regex::ExprId follow = regex::ExprId::kAllStrings;  ///< As Terminal::follow.
  float temperature = kNoTemperature;                 ///< As Terminal::temperature.
  LineMark mark = LineMark::kNone;                    ///< If set, `names` has a name for it that no token has.
};

enum class NodeKind : std::uint8_t { kEmpty, kTerminal, kTokens, kRule, kLazy, kSequence, kChoice, kRepeat };

class RuleSource;  // growth.h

/// Identifies a rule whose productions are made when a parser needs them (growth.h).
struct LazyRule {
  static constexpr std::uint32_t kNone = UINT32_MAX;
  std::uint32_t source = kNone;  ///< Index into Grammar::sources; kNone for an ordinary rule.
  std::uint32_t handle = 0;      ///< The number by which the source knows the rule.
  friend bool operator==(const LazyRule&, const LazyRule&) = default;
};

struct Node {
  NodeKind kind = NodeKind::kEmpty;
  std::uint32_t payload = 0;                       ///< A TerminalId, TokenSetId or RuleId, or an index into lazy_rules.
  std::uint32_t min = 0, max = 0;                  ///< For kRepeat; max may be regex::kUnbounded.
  std::uint32_t first_child = 0, child_count = 0;  ///< Index into Grammar::children.
  SourceRange where = {};
};

/// For a rule whose text is one lexeme made of two parts; Rule::capture names the first part. The second part is the
/// shortest suffix of the lexeme in `second` for which the text before it is in `first`.
struct LexemeParts {
  regex::ExprId first = regex::ExprId::kAllStrings;
  regex::ExprId second = regex::ExprId::kEpsilon;  ///< kEpsilon if the lexeme is not divided.
  std::string second_capture = {};                 ///< Empty if the second part is not reported.

  [[nodiscard]] bool exist() const { return second != regex::ExprId::kEpsilon; }
  friend auto operator<=>(const LexemeParts&, const LexemeParts&) = default;
};

struct Rule {
  std::string name;
  NodeId body = NodeId::kEmpty;
  SourceRange where = {};  ///< The name in the definition; in the first use if the rule is undefined.
  bool defined = false;
  bool generated = false;  ///< Made by a pass, not written by the user.
  /// True if the rule is one of very many that share their parts. Pass "fold" does not copy it into others, which would
  /// make new terminals for each.
  bool is_one_of_many = false;
  /// True if the rule's language is part of a terminal (for example as an operand of `&`). Such a rule counts as used,
  /// although no node refers to it.
  bool absorbed = false;
  /// The name under which the matched text is reported; empty if it is not reported. Passes keep such a rule as a rule,
  /// so a front end makes a rule for each part of the output that is to be reported.
  std::string capture = {};
  /// Look-ahead: a condition on the text after the rule, up to the end of the output, wherever the rule is used.
  /// "Begins with x" is x followed by kAllStrings. A rule with a look-ahead must not match the empty text.
  regex::ExprId follow = regex::ExprId::kAllStrings;
  /// The look-ahead as it was written, for printing the grammar; kEmpty if there is none.
  NodeId ahead = NodeId::kEmpty;
  bool may_end_ahead = false;  ///< If true, the output may end within the look-ahead.
  /// The maximum number of tokens for each use of the rule: tokens with at least one byte in the matched text, and
  /// tokens that the rule matches as a whole. At most kMaxTokenLimit, or kNoTokenLimit. Passes keep such a rule as a
  /// rule.
  std::uint32_t max_tokens = kNoTokenLimit;
  /// The temperature that a sampler is told where the next byte may be in this rule and not in an inner rule that has
  /// its own temperature. Passes before "temperature" keep such a rule as a rule.
  float temperature = kNoTemperature;
  LexemeParts parts = {};  ///< If they exist, at least one of the two has a capture name.

  [[nodiscard]] bool is_captured() const { return !capture.empty() || parts.exist(); }
  /// Returns true if passes must keep the rule's text separate from the text around it.
  [[nodiscard]] bool is_marked() const {
    return is_captured() || max_tokens != kNoTokenLimit || temperature != kNoTemperature;
  }
};

/// Terminals whose lexemes are free text: none of the strings begins in one, even if what follows the lexeme would
/// complete it. Their expressions only say that the lexemes do not hold the strings. Those of a constant or a pattern in a
/// tag may hold them.
struct FreeText {
  std::vector<NodeId> nodes = {};          ///< Each of these terminals is exact and of this node alone.
  std::vector<std::string> ends = {};      ///< Where one of these is complete, other text of the grammar has begun.
  std::vector<std::string> excluded = {};  ///< All strings; those that contain one of `ends` do not count.
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
  NodeId add_line_mark(LineMark mark, SourceRange where);
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
  std::vector<FreeText> free_texts;        ///< Imposed by keep_out_of_free_texts (passes/free_texts.h).
  std::optional<Indentation> indentation;  ///< If there are token sets with a mark.
  /// Look-aheads about the next byte that exclude no viable prefix, because ignored text satisfies them (Lark's
  /// `%longest`). Each once.
  std::vector<regex::ExprId> separable;
  RuleId start{};
  /// Rules that derive no finite string stay: a text that enters one is never complete, but can always go on.
  bool keeps_endless = false;

 private:
  NodeId add_parent(NodeKind kind, std::span<const NodeId> parts, SourceRange where);
};

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_IR_H_
