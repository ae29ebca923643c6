#include "weir/convert.h"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/strong_components.h"
#include "base/utf8.h"
#include "convert/expand_lazy_rules.h"
#include "convert/left_recursion.h"
#include "convert/resolve_competition.h"
#include "convert/spelling.h"
#include "convert/terminals.h"
#include "frontend/ebnf/words.h"
#include "grammar/ir.h"
#include "grammar/passes/unused.h"
#include "grammar/print.h"

namespace weir {

namespace {

using frontend::convert::Level;
using frontend::convert::Target;
using frontend::convert::TerminalForm;
using frontend::convert::too_long;
using frontend::convert::Written;
using grammar::NodeKind;

class Converter {
 public:
  Converter(grammar::Grammar& grammar, Target to, TerminalForm form, const Limits& limits)
      : grammar_(grammar), to_(to), limits_(limits), terminals_(grammar, to, form, limits) {}

  Result<std::string> run() {
    find_recursive_captures();
    name_rules();
    written_.resize(grammar_.nodes.size());
    for (const grammar::NodeId id : nodes_bottom_up()) {
      if (auto done = write(id); !done) return tl::unexpected(std::move(done.error()));
    }
    std::string out;
    for (const std::size_t i : order()) {
      Result<std::string> text = rule_text(i);
      if (!text) return text;
      out += *text;
    }
    for (const auto& [name, body] : terminals_.rules()) out += definition(name, "", body);
    if (out.size() > limits_.text_bytes) return too_long({});
    return out;
  }

  // Converts to one regular expression: rules are written in place of references to them, after the rules that they
  // refer to.
  Result<std::string> run_as_regex() {
    written_.resize(grammar_.nodes.size());
    const Result<std::vector<std::size_t>> rules = rules_bottom_up();
    if (!rules) return tl::unexpected(rules.error());
    for (const std::size_t rule : *rules) {
      if (auto done = check_plain(rule); !done) return tl::unexpected(std::move(done.error()));
      for (const grammar::NodeId id : nodes_below(grammar_.rules[rule].body)) {
        if (!of(id).text.empty()) continue;
        if (auto done = write(id); !done) return tl::unexpected(std::move(done.error()));
      }
    }
    return of(grammar_.rule(grammar_.start).body).text;
  }

 private:
  Result<void> write(grammar::NodeId id) {
    std::size_t parts = 0;
    for (const grammar::NodeId child : grammar_.children_of(grammar_.node(id))) parts += of(child).text.size();
    if (parts > limits_.text_bytes - size_) return too_long({});
    Result<Written> text = node(id);
    if (!text) return tl::unexpected(std::move(text.error()));
    size_ += text->text.size();
    if (size_ > limits_.text_bytes) return too_long({});
    written_[static_cast<std::size_t>(id)] = std::move(*text);
    return {};
  }

  [[nodiscard]] std::vector<bool> nodes_of_rules() const {
    std::vector<bool> needed(grammar_.nodes.size(), false);
    for (const grammar::Rule& rule : grammar_.rules) {
      needed[static_cast<std::size_t>(rule.body)] = true;
      if (rule.ahead != grammar::NodeId::kEmpty) needed[static_cast<std::size_t>(rule.ahead)] = true;
    }
    for (std::size_t i = needed.size(); i-- > 0;) {
      if (!needed[i]) continue;
      for (const grammar::NodeId child : grammar_.children_of(grammar_.nodes[i])) {
        needed[static_cast<std::size_t>(child)] = true;
      }
    }
    return needed;
  }

  // Returns the nodes of all rules, each after the nodes that are written within it. Ids are greater than those of
  // children, but the body of a capture may have a greater id than a reference to it.
  [[nodiscard]] std::vector<grammar::NodeId> nodes_bottom_up() const {
    enum class State : std::uint8_t { kNew, kOpen, kDone };
    const std::vector<bool> needed = nodes_of_rules();
    std::vector<State> states(needed.size(), State::kNew);
    const auto state = [&](grammar::NodeId id) -> State& { return states[static_cast<std::size_t>(id)]; };
    std::vector<grammar::NodeId> done;
    std::vector<grammar::NodeId> open;
    for (std::size_t i = 0; i < needed.size(); ++i) {
      if (needed[i]) open.push_back(grammar::NodeId{static_cast<std::uint32_t>(i)});
      while (!open.empty()) {
        const grammar::NodeId id = open.back();
        if (state(id) != State::kNew) {
          if (state(id) == State::kOpen) done.push_back(id);
          state(id) = State::kDone;
          open.pop_back();
          continue;
        }
        state(id) = State::kOpen;
        for (const grammar::NodeId part : written_within(id)) {
          if (state(part) == State::kNew) open.push_back(part);
        }
      }
    }
    return done;
  }

  // Finds captures that contain themselves with only captures in between.
  void find_recursive_captures() {
    std::vector<std::vector<std::uint32_t>> held(grammar_.rules.size());
    is_recursive_.assign(held.size(), false);
    for (std::uint32_t rule = 0; rule < held.size(); ++rule) {
      if (!is_inline(rule)) continue;
      for (const grammar::NodeId id : nodes_below(grammar_.rules[rule].body)) {
        const grammar::Node& node = grammar_.node(id);
        if (node.kind == NodeKind::kRule && is_inline(node.payload)) held[rule].push_back(node.payload);
      }
    }
    for (const std::vector<std::uint32_t>& component : base::strong_components(held)) {
      const std::vector<std::uint32_t>& first = held[component[0]];
      if (component.size() == 1 && std::ranges::find(first, component[0]) == first.end()) continue;
      for (const std::uint32_t rule : component) is_recursive_[rule] = true;
    }
  }

  [[nodiscard]] std::span<const grammar::NodeId> written_within(grammar::NodeId id) const {
    const grammar::Node& node = grammar_.node(id);
    if (node.kind == NodeKind::kRule && is_inline(node.payload)) return {&grammar_.rules[node.payload].body, 1};
    return grammar_.children_of(node);
  }

  // Returns `root` and the nodes below it, without bodies of rules, children first.
  [[nodiscard]] std::vector<grammar::NodeId> nodes_below(grammar::NodeId root) const {
    std::vector<grammar::NodeId> nodes{root};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (const grammar::NodeId child : grammar_.children_of(grammar_.node(nodes[i]))) nodes.push_back(child);
    }
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
  }

  // Returns the rules in an order in which each rule follows the rules it refers to. Errors: kUnsupported for a
  // recursive rule.
  [[nodiscard]] Result<std::vector<std::size_t>> rules_bottom_up() const {
    enum class State : std::uint8_t { kNew, kOpen, kDone };
    std::vector<State> states(grammar_.rules.size(), State::kNew);
    std::vector<std::size_t> done;
    std::vector<std::size_t> open{static_cast<std::size_t>(grammar_.start)};
    while (!open.empty()) {
      const std::size_t rule = open.back();
      if (states[rule] != State::kNew) {
        if (states[rule] == State::kOpen) done.push_back(rule);
        states[rule] = State::kDone;
        open.pop_back();
        continue;
      }
      states[rule] = State::kOpen;
      for (const grammar::NodeId id : nodes_below(grammar_.rules[rule].body)) {
        const grammar::Node& node = grammar_.node(id);
        if (node.kind != NodeKind::kRule || states[node.payload] == State::kDone) continue;
        if (states[node.payload] == State::kOpen) {
          return refused("rule `" + grammar_.rules[node.payload].name + "`, which refers to itself", node.where);
        }
        open.push_back(node.payload);
      }
    }
    return done;
  }

  // Checks that a rule has nothing that only EBNF-like languages can express.
  [[nodiscard]] Result<void> check_plain(std::size_t index) const {
    const grammar::Rule& rule = grammar_.rules[index];
    if (rule.is_captured()) return refused("a capture", rule.where);
    if (rule.max_tokens != grammar::kNoTokenLimit) return refused("a bound on tokens", rule.where);
    if (rule.temperature != grammar::kNoTemperature) return refused("a temperature", rule.where);
    if (rule.follow != regex::ExprId::kAllStrings || rule.ahead != grammar::NodeId::kEmpty) {
      return refused("a look-ahead", rule.where);
    }
    return {};
  }

  // Returns true if a capture is written in place, because nothing requires a rule for it. Precondition:
  // find_recursive_captures has begun.
  [[nodiscard]] bool is_inline(std::size_t index) const {
    const grammar::Rule& rule = grammar_.rules[index];
    return to_ == Target::kEbnf && !rule.capture.empty() && !is_recursive_[index] && !rule.parts.exist() &&
           index != static_cast<std::size_t>(grammar_.start) && rule.ahead == grammar::NodeId::kEmpty &&
           rule.follow == regex::ExprId::kAllStrings;
  }

  // Returns the start rule first, then the others in the order of the source text.
  [[nodiscard]] std::vector<std::size_t> order() const {
    std::vector<std::size_t> rules;
    for (std::size_t i = 0; i < grammar_.rules.size(); ++i) {
      if (!is_inline(i)) rules.push_back(i);
    }
    const auto start = static_cast<std::size_t>(grammar_.start);
    std::stable_sort(rules.begin(), rules.end(), [&](std::size_t a, std::size_t b) {
      if ((a == start) != (b == start)) return a == start;
      return grammar_.rules[a].where.start < grammar_.rules[b].where.start;
    });
    return rules;
  }

  [[nodiscard]] Result<std::string> rule_text(std::size_t index) const {
    const grammar::Rule& rule = grammar_.rules[index];
    if (rule.parts.exist()) return refused("a capture of a part of a lexeme", rule.where);
    std::string body = of(rule.body).text;
    const bool has_captures = to_ == Target::kXgrammar || to_ == Target::kLark;
    const bool has_look_ahead = to_ == Target::kXgrammar || to_ == Target::kEbnf;
    if (!rule.capture.empty() && !has_captures) {
      if (to_ != Target::kEbnf) return refused("a capture", rule.where);
      Result<std::string> text = captured(rule, body);
      if (!text) return text;
      body = *std::move(text);
    }
    if (rule.max_tokens != grammar::kNoTokenLimit && !has_captures) {
      if (to_ != Target::kEbnf) return refused("a bound on tokens", rule.where);
      body = bounded(rule, std::move(body));
    }
    if (rule.temperature != grammar::kNoTemperature && !has_captures) {
      if (to_ != Target::kEbnf) return refused("a temperature", rule.where);
      body = tempered(rule, std::move(body));
    }
    if (rule.capture.find_first_of("\"\\\n") != std::string::npos)
      return refused("such a name of a capture", rule.where);
    const bool is_known = rule.ahead != grammar::NodeId::kEmpty;
    if (is_known || rule.follow != regex::ExprId::kAllStrings) {
      if (!has_look_ahead || !is_known) return refused("a look-ahead", rule.where);
      // A look-ahead without a condition is a hint without effect.
      const bool is_hint = rule.follow == regex::ExprId::kAllStrings;
      if (is_hint && to_ != Target::kXgrammar) return definition(names_[index], options_of(rule), body);
      if (rule.may_end_ahead != (to_ == Target::kXgrammar)) {
        return refused(rule.may_end_ahead ? "a look-ahead within which the output may end"
                                          : "a look-ahead within which the output may not end",
                       rule.where);
      }
      body += " (= " + of(rule.ahead).text + ")";
    }
    return definition(names_[index], options_of(rule), body);
  }

  // Returns the options as XGrammar's EBNF and Lark write them.
  [[nodiscard]] std::string options_of(const grammar::Rule& rule) const {
    if (to_ != Target::kXgrammar && to_ != Target::kLark) return {};
    std::string options;
    const auto add = [&](const std::string& option) { options += (options.empty() ? "" : ", ") + option; };
    if (!rule.capture.empty()) add("capture=\"" + rule.capture + "\"");
    if (rule.max_tokens != grammar::kNoTokenLimit) add("max_tokens=" + std::to_string(rule.max_tokens));
    if (rule.temperature != grammar::kNoTemperature) {
      add("temperature=" + grammar::temperature_text(rule.temperature));
    }
    return options;
  }

  [[nodiscard]] std::string definition(const std::string& name, const std::string& options,
                                       const std::string& body) const {
    const std::string head = options.empty() ? name : name + "[" + options + "]";
    if (to_ == Target::kLark) return head + ": " + body + "\n";
    return head + " ::= " + body + (to_ == Target::kKbnf ? ";\n" : "\n");
  }

  [[nodiscard]] std::string_view start_name() const {
    return to_ == Target::kKbnf || to_ == Target::kLark ? "start" : "root";
  }

  // Returns the name with characters that the language does not allow in names replaced.
  [[nodiscard]] std::string plain_name(const std::string& given) const {
    const bool has_dash = to_ != Target::kKbnf;
    const bool has_low_line = to_ != Target::kGbnf;
    std::string name;
    for (const char c : given) {
      const bool is_upper = c >= 'A' && c <= 'Z';
      const bool is_digit = c >= '0' && c <= '9';
      if (is_upper && to_ == Target::kLark) {
        name += static_cast<char>(c - 'A' + 'a');
      } else if ((c >= 'a' && c <= 'z') || is_upper || is_digit || (c == '-' && has_dash) ||
                 (c == '_' && has_low_line)) {
        name += c;
      } else {
        name += has_dash ? '-' : '_';
      }
    }
    const bool needs_letter = to_ != Target::kEbnf && to_ != Target::kGbnf;
    const char first = name.empty() ? '-' : name.front();
    if (needs_letter && ((first >= '0' && first <= '9') || first == '-')) name.insert(0, "r");
    return name;
  }

  void name_rules() {
    std::unordered_set<std::string> taken(frontend::convert::reserved_names(to_));
    taken.insert(std::string(start_name()));
    names_.resize(grammar_.rules.size());
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (is_inline(i)) continue;
      const std::string& given = grammar_.rules[i].name;
      const std::string name = plain_name(given);
      names_[i] = name;
      if (i == static_cast<std::size_t>(grammar_.start)) {
        names_[i] = start_name();
      } else {
        const char* separator = to_ == Target::kKbnf ? "_" : "-";
        for (std::size_t suffix = 2; !taken.insert(names_[i]).second; ++suffix) {
          names_[i] = name + separator + std::to_string(suffix);
        }
      }
      renamed_ = renamed_ || names_[i] != given;
    }
    terminals_.set_names(std::move(taken), renamed_);
  }

  [[nodiscard]] const Written& of(grammar::NodeId id) const { return written_[static_cast<std::size_t>(id)]; }

  Result<Written> node(grammar::NodeId id) {
    const grammar::Node& node = grammar_.node(id);
    switch (node.kind) {
      case NodeKind::kEmpty: return frontend::convert::literal_text(to_, {});
      case NodeKind::kTerminal: return terminals_.write(node.payload, node.where);
      case NodeKind::kTokens: {
        if (to_ == Target::kEbnf) return Written{grammar::to_ebnf(grammar_, id)};
        return frontend::convert::tokens_text(to_, grammar_.token_sets[node.payload], node.where,
                                              limits_.text_bytes - size_);
      }
      case NodeKind::kRule: return reference(node);
      case NodeKind::kLazy: break;  // expand_lazy_rules has expanded them
      case NodeKind::kSequence: return list(node, Level::kSequence);
      case NodeKind::kChoice:
        if (node.child_count == 0) return refused("a rule that matches no text", node.where);
        return list(node, Level::kChoice);
      case NodeKind::kRepeat:
        return frontend::convert::repeated(to_, of(grammar_.children_of(node)[0]), node.min, node.max, node.where,
                                           limits_.text_bytes - size_);
    }
    return Written{};
  }

  [[nodiscard]] Written list(const grammar::Node& node, Level level) const {
    std::vector<Written> parts;
    for (const grammar::NodeId child : grammar_.children_of(node)) parts.push_back(of(child));
    return frontend::convert::joined(to_, parts, level);
  }

  [[nodiscard]] Result<Written> reference(const grammar::Node& node) const {
    const grammar::Rule& rule = grammar_.rules[node.payload];
    if (to_ == Target::kRegex) return of(rule.body);
    if (!is_inline(node.payload)) {
      const bool has_captures = to_ == Target::kEbnf || to_ == Target::kXgrammar || to_ == Target::kLark;
      if (!rule.capture.empty() && !has_captures) return refused("a capture", node.where);
      return Written{names_[node.payload]};
    }
    return captured(rule, of(rule.body).text).map([&](const std::string& text) {
      return Written{tempered(rule, bounded(rule, text))};
    });
  }

  // Names of captures are written without quotes, so they must be EBNF names; the other languages quote them.
  [[nodiscard]] Result<std::string> captured(const grammar::Rule& rule, const std::string& text) const {
    std::vector<Error> errors;
    const auto words = frontend::ebnf::split_words(rule.capture, frontend::ebnf::Dialect::kWeir, limits_, errors);
    const bool is_name = words.front().kind == frontend::ebnf::WordKind::kName &&
                         words.front().where == SourceRange{0, rule.capture.size()};
    if (!is_name) return refused("such a name of a capture", rule.where);
    return "@capture(" + rule.capture + ": " + text + ")";
  }

  // Wraps the text in the rule's token limit, if it has one.
  [[nodiscard]] static std::string bounded(const grammar::Rule& rule, std::string text) {
    if (rule.max_tokens == grammar::kNoTokenLimit) return text;
    return "@max_tokens(" + std::to_string(rule.max_tokens) + ": " + std::move(text) + ")";
  }

  [[nodiscard]] static std::string tempered(const grammar::Rule& rule, std::string text) {
    if (rule.temperature == grammar::kNoTemperature) return text;
    return "@temperature(" + grammar::temperature_text(rule.temperature) + ": " + std::move(text) + ")";
  }

  [[nodiscard]] tl::unexpected<Error> refused(const std::string& what, SourceRange where) const {
    return frontend::convert::refused(to_, what, where);
  }

  grammar::Grammar& grammar_;
  Target to_;
  const Limits& limits_;
  frontend::convert::Terminals terminals_;
  std::vector<std::string> names_;  // by rule
  std::vector<bool> is_recursive_;  // by rule: set by find_recursive_captures
  bool renamed_ = false;
  std::vector<Written> written_;  // by node
  std::size_t size_ = 0;
};

Target target_of(GrammarSyntax syntax) {
  switch (syntax) {
    case GrammarSyntax::kEbnf: break;
    case GrammarSyntax::kGbnf: return Target::kGbnf;
    case GrammarSyntax::kXgrammar: return Target::kXgrammar;
    case GrammarSyntax::kKbnf: return Target::kKbnf;
    case GrammarSyntax::kLark: return Target::kLark;
  }
  return Target::kEbnf;
}

// Lark's terminals compete for the longest match. Returns true if that has no effect on this grammar.
bool has_equal_splits(const std::string& text, const Limits& limits) {
  const Result<Grammar> again = Grammar::from_text(text, {.syntax = GrammarSyntax::kLark}, limits);
  return again && std::ranges::none_of(again->ir().terminals,
                                       [](const grammar::Terminal& terminal) { return base::competes(terminal.mode); });
}

}  // namespace

Result<std::string> convert_grammar(const Grammar& grammar, GrammarSyntax to) {
  const Target target = target_of(to);
  Result<grammar::Grammar> rules = frontend::convert::expand_lazy_rules(grammar, target);
  if (!rules) return tl::unexpected(std::move(rules.error()));
  grammar::Grammar used = std::move(*rules);
  static_cast<void>(frontend::convert::resolve_competition(used, grammar.limits()));  // else terminals are refused
  // Drops unused rules, except where names can occur without a node: in operators of EBNF, in look-aheads of XGrammar.
  if (target != Target::kEbnf && target != Target::kXgrammar) grammar::drop_unused(used, nullptr);
  if (target == Target::kGbnf) {
    if (auto done = frontend::convert::check_left_recursion(used); !done) {
      return tl::unexpected(std::move(done.error()));
    }
  }
  Result<std::string> text = Converter(used, target, TerminalForm::kWhole, grammar.limits()).run();
  if (target != Target::kLark || !text || has_equal_splits(*text, grammar.limits())) return text;
  // Single characters have no continuation, so they do not compete.
  return Converter(used, target, TerminalForm::kCharacters, grammar.limits()).run();
}

Result<std::string> convert_to_regex(const Grammar& grammar) {
  Result<grammar::Grammar> rules = frontend::convert::expand_lazy_rules(grammar, Target::kRegex);
  if (!rules) return tl::unexpected(std::move(rules.error()));
  grammar::Grammar used = std::move(*rules);
  static_cast<void>(frontend::convert::resolve_competition(used, grammar.limits()));  // else terminals are refused
  grammar::drop_unused(used, nullptr);
  return Converter(used, Target::kRegex, TerminalForm::kWhole, grammar.limits()).run_as_regex();
}

}  // namespace weir
